// What exercise 04 must do: the right values, in the right places, for what they should cost.
#include "lessons/04_global_memory/grader_words.h"

TEST_SUITE_BEGIN("04_global_memory");

namespace {

using namespace lab::lesson_04_global_memory;

template <size_t size>
void expect_strided(const Distance& at) {
    CAPTURE(size);
    CAPTURE(at.stride);
    CAPTURE(at.offset);
    std::vector<Numbered<size>> values;
    const size_t count = at.source(static_cast<size_t>(at.n) - 1) + 1;
    for (size_t i = 0; i < count; ++i) values.push_back(numbered<size>(i));
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto out = trial.output<Numbered<size>>("out", static_cast<size_t>(at.n));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(read_strided)>("read_strided", player.device(in), player.device(out),
                                                   at.n, at.stride, at.offset, int{size});
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial) && told_about_the_formula<size>(trial, trial.values(out), at)) return;
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return numbered<size>(at.source(i)); });
    LAB_EXPECT_CLEAN(trial);
}

void expect_strided(size_t element_bytes, const Distance& at) {
    if (element_bytes == 1) expect_strided<1>(at);
    if (element_bytes == 2) expect_strided<2>(at);
    if (element_bytes == 4) expect_strided<4>(at);
    if (element_bytes == 8) expect_strided<8>(at);
    if (element_bytes == 16) expect_strided<16>(at);
}

// Two calls in one trial: the second must count for itself.
void expect_aos(int n) {
    CAPTURE(n);
    lab::Trial trial;
    auto particles = trial.inout("particles", particles_of(n));
    auto counts = trial.output<unsigned>("clipped", 2);
    trial.play([&](lab::Player& player) {
        unsigned* h_counts = player.host(counts);
        const int failed = player.call<decltype(scale_aos)>("scale_aos", player.device(particles), n, factor,
                                                            limit, h_counts);
        if (failed != 0) return failed;
        return player.call<decltype(scale_aos)>("scale_aos", player.device(particles), n, 2 * factor, limit,
                                                h_counts + 1);
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial)) {
        // The second call scales by 1: nothing is beyond the limit any more.
        if (told_about_a_particle(trial, trial.values(particles), factor)) return;
        const auto got = trial.values(counts);
        const unsigned first = clipped_of(n, factor);
        if (told_about_the_counter(trial, got[0], first, 0)) return;
        if (told_about_the_counter(trial, got[1], 0, first)) return;
    }
    LAB_EXPECT_EACH(trial, particles, [&](size_t i) {
        Fields values;
        for (size_t f = 0; f < fields; ++f) values[f] = expected_field(i, f, factor);
        Particle particle;
        std::memcpy(&particle, &values, sizeof values);
        return particle;
    });
    LAB_EXPECT_EACH(trial, counts, [&](size_t i) { return i == 0 ? clipped_of(n, factor) : 0u; });
    LAB_EXPECT_CLEAN(trial);
}

void expect_soa(int n, int pitch) {
    CAPTURE(n);
    CAPTURE(pitch);
    lab::Trial trial;
    auto soa = trial.inout("soa", soa_of(n, pitch));
    trial.rows(soa, static_cast<size_t>(pitch));
    auto counts = trial.output<unsigned>("clipped", 1);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(scale_soa)>("scale_soa", player.device(soa), n, pitch, factor, limit,
                                                player.host(counts));
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial)) {
        if (told_about_a_thread_too_many(trial, n)) return;
        if (told_about_soa(trial, trial.values(soa), n, pitch, factor)) return;
        if (told_about_the_counter(trial, trial.values(counts)[0], clipped_of(n, factor), 0)) return;
    }
    LAB_EXPECT_EACH(trial, soa, [&](size_t e) { return expected_in_soa(e, n, pitch, factor); });
    LAB_EXPECT_EACH(trial, counts, [&](size_t) { return clipped_of(n, factor); });
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches())
        if (pitch % 8 == 0 && !expect_side_by_side(trial, kernel, n)) return;
}

// The same particles both ways, so that the costs can be compared.
void expect_both(int n, int pitch) {
    lab::Trial trial;
    auto particles = trial.inout("particles", particles_of(n));
    auto soa = trial.inout("soa", soa_of(n, pitch));
    trial.rows(soa, static_cast<size_t>(pitch));
    auto counts = trial.output<unsigned>("clipped", 2);
    trial.play([&](lab::Player& player) {
        const int failed = player.call<decltype(scale_aos)>("scale_aos", player.device(particles), n, factor,
                                                            limit, player.host(counts));
        if (failed != 0) return failed;
        return player.call<decltype(scale_soa)>("scale_soa", player.device(soa), n, pitch, factor, limit,
                                                player.host(counts) + 1);
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial)) {
        if (told_about_a_particle(trial, trial.values(particles), factor)) return;
        if (told_about_soa(trial, trial.values(soa), n, pitch, factor)) return;
        for (const unsigned count : trial.values(counts))
            if (told_about_the_counter(trial, count, clipped_of(n, factor), clipped_of(n, factor))) return;
    }
    LAB_EXPECT_CLEAN(trial);
    if (trial.launches().size() == 2) expect_side_by_side(trial, trial.launches()[1], n);
}

// What make_soa gave, written down where it ran: the pitch, and how many bytes behind the beginning of a line the
// memory begins (-1: none came).
struct Given {
    lab::Array<int> pitch, behind_a_line;

    explicit Given(lab::Trial& trial)
        : pitch(trial.output<int>("pitch", 1)), behind_a_line(trial.output<int>("behind_a_line", 1)) {}
    // Null where there is nothing to go on with.
    float* make(lab::Player& player, int n, int& failed) const {
        float* d_soa = nullptr;
        int& its_pitch = *player.host(pitch);
        failed = player.call<decltype(make_soa)>("make_soa", n, &d_soa, &its_pitch);
        if (failed != 0) return nullptr;
        *player.host(behind_a_line) =
            d_soa == nullptr ? -1 : static_cast<int>(reinterpret_cast<uintptr_t>(d_soa) % 128);
        return its_pitch == pitch_of(n) ? d_soa : nullptr;
    }
};

bool told_about_the_memory(lab::Trial& trial, const Given& given, int n) {
    const int its_pitch = trial.values(given.pitch)[0], behind = trial.values(given.behind_a_line)[0];
    if (its_pitch != pitch_of(n)) {
        lab::fail(trial,
                  "For " + std::to_string(n) + " particles the pitch is " + std::to_string(its_pitch) +
                      ", expected " + std::to_string(pitch_of(n)) + ".",
                  its_pitch == n ? "A line has room for 32 floats: round n up to a multiple of 32."
                                 : "The smallest multiple of 32 that is not below n: (n + 31) / 32 * 32.",
                  LAB_HERE);
        return true;
    }
    if (behind < 0) {
        lab::fail(trial, "make_soa gave no memory: *d_soa is still null.",
                  "cudaMalloc takes the address of the pointer, and bytes.", LAB_HERE);
        return true;
    }
    if (behind > 0) {
        lab::fail(trial,
                  "*d_soa lies " + std::to_string(behind) +
                      " bytes behind the beginning of a line, and so does each field: a warp's 128 bytes "
                      "need a fifth sector.",
                  "What cudaMalloc gives begins with a line. Hand it over as it is.", LAB_HERE);
        return true;
    }
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "leak") continue;
        lab::fail(trial, finding.message + ": it was not given back.",
                  "What cudaMalloc gives lives until cudaFree: free_soa is the place for it.", LAB_HERE);
        return true;
    }
    return false;
}

void expect_memory(int n) {
    CAPTURE(n);
    lab::Trial trial;
    trial.raise("leak").kernels_optional();
    const Given given(trial);
    trial.play([&](lab::Player& player) {
        int failed = 0;
        float* d_soa = given.make(player, n, failed);
        return d_soa == nullptr ? failed : player.call<decltype(free_soa)>("free_soa", d_soa);
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial) && told_about_the_memory(trial, given, n)) return;
    LAB_EXPECT_CLEAN(trial);
}

// n particles from one layout to the other, through memory that make_soa got.
void expect_own_memory(int n) {
    CAPTURE(n);
    lab::Trial trial;
    trial.raise("leak");
    auto particles = trial.input("particles", particles_of(n));
    auto counts = trial.output<unsigned>("clipped", 1);
    const Given given(trial);
    trial.play([&](lab::Player& player) {
        int failed = 0;
        float* d_soa = given.make(player, n, failed);
        if (d_soa == nullptr) return failed;
        failed = player.call<decltype(to_soa)>("to_soa", player.device(particles), d_soa, n, pitch_of(n));
        if (failed != 0) return failed;
        failed = player.call<decltype(scale_soa)>("scale_soa", d_soa, n, pitch_of(n), factor, limit,
                                                  player.host(counts));
        return failed != 0 ? failed : player.call<decltype(free_soa)>("free_soa", d_soa);
    });
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == "oob-global" && finding.buffer != "particles")
            return lab::fail(trial,
                             finding.message + " Eight fields of " + std::to_string(pitch_of(n)) +
                                 " floats are " + std::to_string(fields * pitch_of(n) * 4) + " bytes.",
                             "cudaMalloc takes bytes: fields * pitch * sizeof(float), in size_t.", LAB_HERE);
    LAB_EXPECT_OK(trial);
    if (!ran_well(trial)) return LAB_EXPECT_CLEAN(trial);
    if (told_about_the_memory(trial, given, n)) return;
    LAB_EXPECT_CLEAN(trial);
    if (told_about_the_counter(trial, trial.values(counts)[0], clipped_of(n, factor), 0)) return;
    LAB_EXPECT_EACH(trial, counts, [&](size_t) { return clipped_of(n, factor); });
    if (!trial.launches().empty()) expect_side_by_side(trial, trial.launches().back(), n);
}

void expect_converted(int n, int pitch) {
    CAPTURE(n);
    CAPTURE(pitch);
    lab::Trial trial;
    auto particles = trial.input("particles", particles_of(n));
    auto soa = trial.inout("soa", std::vector<float>(size_t{fields} * static_cast<size_t>(pitch), padding));
    trial.rows(soa, static_cast<size_t>(pitch));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(to_soa)>("to_soa", player.device(particles), player.device(soa), n,
                                             pitch);
    });
    LAB_EXPECT_OK(trial);
    if (told_about_alignment(trial)) return;
    if (ran_well(trial) &&
        (told_about_a_thread_too_many(trial, n) || told_about_soa(trial, trial.values(soa), n, pitch, 1)))
        return;
    LAB_EXPECT_EACH(trial, soa, [&](size_t e) { return expected_in_soa(e, n, pitch, 1); });
    LAB_EXPECT_CLEAN(trial);
    if (pitch % 8 == 0) expect_wide_loads(trial, n);
}

}  // namespace

TEST_CASE("Read at a distance: 64 floats, stride 8, and the same from element 3") {
    expect_strided(4, {64, 8, 0});
    expect_strided(4, {64, 8, 3});
}

TEST_CASE("Read at a distance: elements of 1, 2, 8 and 16 bytes, strides 0, 1 and 5") {
    expect_strided(1, {100, 1, 7});
    expect_strided(2, {33, 0, 5});
    expect_strided(8, {64, 5, 2});
    expect_strided(16, {40, 1, 1});
}

TEST_CASE("An array of structures: three particles") {
    expect_aos(3);
}

TEST_CASE("An array of structures: 300 particles, and each call counts for itself") {
    expect_aos(300);
}

TEST_CASE("An array for each field: 32 particles, a pitch of 32") {
    expect_soa(32, 32);
}

TEST_CASE(
    "An array for each field: other pitches, and what lies behind the last particle stays (n = 100, 1)") {
    expect_soa(100, 131);
    expect_soa(1, 3);
}

TEST_CASE("An array for each field: 777 particles, side by side, and no further than the last") {
    expect_soa(777, 1024);
}

TEST_CASE("The same 256 particles both ways: 32 sectors a request, and 4") {
    expect_both(256, 256);
}

TEST_CASE("Memory for fields: 77, 640 and 1 particles, a new line for each field, and given back") {
    for (const int n : {77, 640, 1}) expect_memory(n);
}

TEST_CASE("More particles than the device has room for (134217760): the error comes back") {
    const int n = 134217760;  // 32 bytes each are more than 2^32
    lab::Trial trial;
    trial.kernels_optional();
    trial.tolerate("api-misuse");  // what the machine says about the size
    trial.play([&](lab::Player& player) {
        float* d_soa = nullptr;
        int pitch = 0;
        return player.call<decltype(make_soa)>("make_soa", n, &d_soa, &pitch);
    });
    if (ran_well(trial))
        return lab::fail(
            trial,
            "make_soa returned 0 (cudaSuccess) for " + number(n) +
                " particles, which are 4294968320 bytes, and the device has half of that.",
            "Return what cudaMalloc returned, and keep the bytes in size_t: size_t(fields) * ...", LAB_HERE);
    LAB_EXPECT_ERROR(trial, 0);
}

TEST_CASE("Into fields: five particles, then 300 with other pitches") {
    expect_converted(5, 32);
    expect_converted(300, 301);
}

TEST_CASE("Into fields with wide loads: 256 particles, a pitch of 256") {
    expect_converted(256, 256);
}

TEST_CASE("Memory of one's own: 77 particles, taken apart, slowed down, given back") {
    expect_own_memory(77);
}

TEST_CASE("Memory of one's own: 640 particles need no padding") {
    expect_own_memory(640);
}

LAB_EXPERIMENT("One warp and the sectors that it asks for, at the distance that you chose")
(const lab::Settings& at) {
    expect_strided(static_cast<size_t>(at["bytes"]), {64, at["stride"], at["offset"]});
}

TEST_SUITE_END();
