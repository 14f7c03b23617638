// What exercise 08 must do: the right values first, then what the way there costs: copies, waits, memory left behind.
#include "lessons/08_host_memory/grader_words.h"

TEST_SUITE_BEGIN("08_host_memory");

namespace {

using namespace lab::lesson_08_host_memory;

// ---- (1)

enum class Memory { pageable, pinned, mapped };

struct Load {
    int n = 0, pieces = 1;
    Memory memory = Memory::pinned;
};

bool told_about_the_order(lab::Trial& trial, const Load& load) {
    if (load.memory == Memory::mapped) return false;
    if (told_about_the_number_of_copies(trial, static_cast<size_t>(load.pieces),
                                        "One copy for each piece: TODO 1 stands in the loop."))
        return true;
    return load.memory == Memory::pinned && told_about_a_wait_before_the_work(trial, load.n);
}

// `is_long`: the copies take longer than the host's calls, so that it can be seen who waits for whom.
void expect_carried(const Load& load, bool is_long = false) {
    CAPTURE(load.n);
    CAPTURE(load.pieces);
    lab::Trial trial;
    const auto count = static_cast<size_t>(load.n);
    // The small cases have shown that no thread order matters.
    if (count > 100'000) trial.orders({lab::Order::forward});
    trial.raise("leak");
    if (load.memory != Memory::mapped) trial.kernels_optional();
    std::vector<unsigned> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = cargo(i);
    auto in = trial.inout("h_in", values);
    auto out = trial.output<unsigned>("out", count);
    auto check = trial.output<unsigned>("check", 1);
    trial.play([&](lab::Player& player) {
        unsigned* h_in = load.memory == Memory::pageable ? player.host(in) : player.pinned(in);
        const int status = player.call<decltype(carry)>(
            "carry", h_in, player.device(out), load.n, load.pieces,
            int{load.memory == Memory::mapped ? by_kernel : by_copy}, player.host(check));
        std::fill_n(h_in, count, spoiled);
        return status;
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial) && told_about_the_missing_wait(trial, "out", trial.values(out), "h_in",
                                                       [](unsigned x) { return x == spoiled; }))
        return;
    if (ran_well(trial) && load.memory != Memory::mapped &&
        told_that_nothing_arrived(trial, "out", count,
                                  "TODO 1: cudaMemcpyAsync takes what cudaMemcpy takes, for this piece."))
        return;
    LAB_EXPECT_EACH(trial, out, cargo);
    LAB_EXPECT_EACH(trial, check, [&](size_t) { return check_of_cargo(load.n); });
    LAB_EXPECT_CLEAN(trial);
    if (is_long && ran_well(trial)) told_about_the_order(trial, load);
}

// ---- (2)

void expect_sent(int n, int pieces, bool is_long = false) {
    CAPTURE(n);
    CAPTURE(pieces);
    lab::Trial trial;
    const auto count = static_cast<size_t>(n);
    if (count > 100'000) trial.orders({lab::Order::forward});
    trial.raise("leak").kernels_optional();
    std::vector<unsigned short> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = reading(i);
    auto raw = trial.inout("h_raw", values);
    auto out = trial.output<float>("out", count);
    trial.play([&](lab::Player& player) {
        unsigned short* h_raw = player.host(raw);
        const int status =
            player.call<decltype(send_readings)>("send_readings", h_raw, player.device(out), n, pieces);
        std::fill_n(h_raw, count, static_cast<unsigned short>(spoiled));
        return status;
    });
    LAB_EXPECT_OK(trial);
    if (told_about_a_buffer_in_flight(trial,
                                      "A copy that is queued has not read its piece yet. Give each piece "
                                      "memory of its own, n floats in "
                                      "all, or wait before you write there again."))
        return;
    if (ran_well(trial) &&
        told_that_nothing_arrived(
            trial, "out", count,
            "TODO 2: calibrate a piece into pinned memory, queue its copy, and go on with the next."))
        return;
    LAB_EXPECT_EACH(trial, out, [](size_t i) { return static_cast<float>(reading(i)) * 0.25f - 40.0f; });
    if (told_about_leaks(trial)) return;
    LAB_EXPECT_CLEAN(trial);
    if (!is_long || !ran_well(trial)) return;
    if (told_about_pageable_copies(trial, "Calibrate into memory of cudaMallocHost, and copy from there.") ||
        told_about_a_wait_between_pieces(trial))
        return;
    if (told_about_the_number_of_copies(
            trial, static_cast<size_t>(pieces),
            "One copy for each piece, queued as soon as the piece is calibrated."))
        return;
    told_about_work_in_front(trial, n);
}

// ---- (3)

bool told_about_pixels(lab::Trial& trial, const Image& image, std::span<const float> got) {
    size_t left_alone = 0, outside = 0, first = got.size();
    for (size_t i = 0; i < got.size(); ++i) {
        if (got[i] == image.expected(i)) continue;
        first = std::min(first, i);
        left_alone += image.is_inside(i) && got[i] == pixel(i);
        outside += !image.is_inside(i);
    }
    if (first == got.size()) return false;
    const auto columns = static_cast<size_t>(image.columns);
    const std::string where = "pixel " + number(static_cast<long long>(first % columns)) + " of row " +
                              number(static_cast<long long>(first / columns));
    const auto inside = static_cast<size_t>(image.at.width) * static_cast<size_t>(image.at.height);
    if (left_alone == inside && outside == 0)
        return tell(trial, "No pixel has changed.",
                    "The rectangle in with one copy, the kernel, the rectangle out with one copy.");
    if (outside != 0)
        return tell(trial,
                    counted(outside, "pixel", "pixels") + " outside of the rectangle changed, the first is " +
                        where + ": rows were copied to a wrong place.",
                    "The host's pitch is a whole row of the image, columns * sizeof(float), also where the "
                    "rectangle is "
                    "narrower. The device's is what cudaMallocPitch says. Each pointer is followed by its "
                    "own pitch.");
    return false;
}

void expect_inverted(const Image& image) {
    CAPTURE(image.columns);
    CAPTURE(image.at.width);
    CAPTURE(image.at.height);
    lab::Trial trial;
    trial.raise("leak").kernels_optional();
    std::vector<float> values(static_cast<size_t>(image.columns) * static_cast<size_t>(image.rows));
    for (size_t i = 0; i < values.size(); ++i) values[i] = pixel(i);
    auto pixels = trial.inout("h_image", values);
    trial.rows(pixels, static_cast<size_t>(image.columns));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(invert_rectangle)>("invert_rectangle", player.host(pixels), image.columns,
                                                       image.at);
    });
    LAB_EXPECT_OK(trial);
    const bool has_errors = std::any_of(
        trial.findings().begin(), trial.findings().end(),
        [](const lab::Finding& f) { return f.severity == lab::Severity::error && f.kind != "leak"; });
    if (ran_well(trial) && !has_errors && told_about_pixels(trial, image, trial.values(pixels))) return;
    LAB_EXPECT_EACH(trial, pixels, [&](size_t i) { return image.expected(i); });
    if (told_about_leaks(trial)) return;
    LAB_EXPECT_CLEAN(trial);
    if (!ran_well(trial)) return;
    if (told_about_the_number_of_copies(
            trial, 2, "cudaMemcpy2D takes the whole rectangle, row by row: one call in, one call out."))
        return;
    const auto bytes =
        static_cast<uint64_t>(image.at.width) * static_cast<uint64_t>(image.at.height) * sizeof(float);
    for (const lab::TimelineTask& copy : copies_of(trial))
        if (copy.bytes != bytes) {
            tell(trial,
                 "The " + name_of(copy) + " moves " + number(static_cast<long long>(copy.bytes)) +
                     " bytes, and the rectangle has " + number(static_cast<long long>(bytes)) + ".",
                 "Copy rows of at.width * sizeof(float) bytes, at.height of them.");
            return;
        }
    const int sectors = (image.at.width + 7) / 8 * image.at.height;
    LAB_EXPECT_METRIC(
        trial, "invert_kernel", "global_load_sectors", <=, sectors,
        "Each row on the device should begin with a new line: cudaMallocPitch chooses the pitch, and the "
        "kernel finds row y at y * pitch bytes.");
}

// ---- (4)

void expect_patched(const Patched& work) {
    CAPTURE(work.patches.size());
    CAPTURE(work.values());
    const size_t n = work.values(), room = std::max<size_t>(1, n);
    lab::Trial trial;
    trial.raise("leak").kernels_optional();
    std::vector<float> table(table_size), values;
    for (size_t i = 0; i < table_size; ++i) table[i] = in_table(i);
    for (const auto& [first, count] : work.patches)
        for (int k = 0; k < count; ++k) values.push_back(in_patch(static_cast<size_t>(first + k)));
    values.resize(room);
    auto d_table = trial.inout("table", table);
    auto source = trial.input("h_values", values);
    auto pack = trial.output<Update>("h_pack", room, lab::Unwritten::is_allowed);
    auto d_pack = trial.output<Update>("pack", room, lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        std::vector<Patch> patches;
        const float* next = player.host(source);
        for (const auto& [first, count] : work.patches) {
            patches.push_back({next, first, count});
            next += count;
        }
        Update* h_pack = player.pinned(pack);
        const int status = player.call<decltype(update_table)>(
            "update_table", player.device(d_table), patches.data(), static_cast<int>(patches.size()), h_pack,
            player.device(d_pack));
        for (size_t i = 0; i < room; ++i) h_pack[i] = {static_cast<int>(i), stale};
        return status;
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial) && told_about_the_missing_wait(trial, "table", trial.values(d_table), "h_pack",
                                                       [](float x) { return x == stale; }))
        return;
    LAB_EXPECT_EACH(trial, d_table, [&](size_t i) { return work.expected(i); });
    if (told_about_leaks(trial)) return;
    LAB_EXPECT_CLEAN(trial);
    if (!ran_well(trial)) return;
    if (copies_of(trial).size() > (n == 0 ? 0 : 1)) {
        told_about_the_number_of_copies(
            trial, n == 0 ? 0 : 1,
            n == 0 ? "Where there is no value, there is nothing to copy and nothing to launch."
                   : "A copy of a few bytes costs its start, not its bytes. Pack all values into h_pack "
                     "first, and "
                     "send them together.");
        return;
    }
    told_about_pageable_copies(trial, "h_pack is pinned: pack into it, and copy from there.");
}

// ---- (5)

bool told_about_the_count(lab::Trial& trial, std::span<const unsigned> got, int n,
                          std::span<const float> limits) {
    for (size_t call = 0; call < limits.size(); ++call) {
        const unsigned expected = above(n, limits[call]);
        if (got[call] == expected) continue;
        std::string next = "Add up what each block has left, behind the wait, from 0 on.";
        if (got[call] == 0)
            next =
                "Does each block store `here`, does the host wait for the kernel, and does it add up after "
                "the wait?";
        else if (got[call] > static_cast<unsigned>(n))
            next =
                "That cannot come of counting: a place that no block has written was added, too. A block "
                "without a "
                "value above the limit stores its 0.";
        return tell(trial,
                    "*h_count is " + number(got[call]) + ", expected " + number(expected) + " of " +
                        number(n) + " values above " + number(static_cast<long long>(limits[call])) + ".",
                    next);
    }
    return false;
}

// Two calls in one trial: the second must count for itself.
void expect_counted(int n) {
    CAPTURE(n);
    lab::Trial trial;
    trial.raise("leak");
    const float limits[] = {49, 99};
    std::vector<float> list(static_cast<size_t>(n));
    for (size_t i = 0; i < list.size(); ++i) list[i] = value(i);
    auto values = trial.input("values", list);
    auto counts = trial.output<unsigned>("count", 2);
    trial.play([&](lab::Player& player) {
        int status = 0;
        for (int call = 0; call < 2 && status == 0; ++call)
            status = player.call<decltype(count_above)>("count_above", player.device(values), n, limits[call],
                                                        player.host(counts) + call);
        return status;
    });
    LAB_EXPECT_OK(trial);
    if (told_about_a_buffer_in_flight(
            trial,
            "The kernel writes when it runs, and the launch only queues it. Wait with "
            "cudaDeviceSynchronize, then read."))
        return;
    if (ran_well(trial) && told_about_the_count(trial, trial.values(counts), n, limits)) return;
    LAB_EXPECT_EACH(trial, counts, [&](size_t call) { return above(n, limits[call]); });
    if (told_about_leaks(trial)) return;
    LAB_EXPECT_CLEAN(trial);
    const lab::Timeline* timeline = trial.timeline();
    if (!ran_well(trial) || timeline == nullptr) return;
    for (const lab::TimelineTask& task : timeline->tasks)
        if (task.kind == "copy" || task.kind == "set") {
            tell(trial, "The " + name_of(task) + " moves a number that could be where it is needed.",
                 "Memory of cudaHostAlloc with cudaHostAllocMapped is written by the kernel and read by the "
                 "host, where it is.");
            return;
        }
    if (!timeline->page_map.buffers.empty()) {
        tell(trial, "The counter is in managed memory, whose page travels to the device and back.",
             "Take memory that stays with the host: cudaHostAlloc with cudaHostAllocMapped.");
        return;
    }
    LAB_EXPECT_METRIC(
        trial, "count_kernel", "global_atomic_requests", ==, 0,
        "An atomic in mapped memory goes over the cable and back. Give each block a place of its own.");
    LAB_EXPECT_METRIC(
        trial, "count_kernel", "global_store_requests", <=, 2 * ((n + 255) / 256),
        "Each store to mapped memory goes over the cable. One thread of each block stores for all.");
}

}  // namespace

TEST_CASE("Carried: ten numbers from pinned memory, and the caller may change them afterwards") {
    expect_carried({10, 1, Memory::pinned});
    expect_carried({10, 3, Memory::pinned});
}

TEST_CASE("Carried: the same from pageable memory, and read by a kernel") {
    expect_carried({1000, 7, Memory::pageable});
    expect_carried({1000, 7, Memory::mapped});
}

TEST_CASE("Carried: 262144 numbers in four pieces from pinned memory, and the host works meanwhile") {
    expect_carried({262144, 4, Memory::pinned}, true);
}

TEST_CASE("Carried: 262144 numbers in four pieces from pageable memory, and the host waits in every call") {
    expect_carried({262144, 4, Memory::pageable}, true);
}

TEST_CASE("Readings: ten in three pieces, and one alone") {
    expect_sent(10, 3);
    expect_sent(1, 1);
}

TEST_CASE("Readings: 100000 in four pieces, calibrated while the last piece is on its way") {
    expect_sent(100'000, 4, true);
}

TEST_CASE("A rectangle: 5 by 3 pixels out of 8 columns") {
    expect_inverted({8, 6, {2, 1, 5, 3}});
}

TEST_CASE("A rectangle: 33 by 20 out of 50 columns, one pixel, and a whole image of 128 columns") {
    expect_inverted({50, 40, {3, 4, 33, 20}});
    expect_inverted({7, 5, {6, 4, 1, 1}});
    expect_inverted({128, 9, {0, 0, 128, 9}});
}

TEST_CASE("Patches: three of them, one empty") {
    expect_patched({{{5, 2}, {9, 0}, {100, 3}}});
}

TEST_CASE("Patches: 300 small ones in one copy, and two that are empty") {
    Patched many;
    for (int p = 0; p < 300; ++p) many.patches.emplace_back(p * 13, p % 4 + 1);
    expect_patched(many);
    expect_patched({{{5, 0}, {9, 0}}});
}

TEST_CASE("Counted in mapped memory: 1000 values, twice") {
    expect_counted(1000);
}

TEST_CASE("Counted in mapped memory: one value, and 5000") {
    expect_counted(1);
    expect_counted(5000);
}

LAB_EXPERIMENT("Carried in the pieces and from the memory that you chose")(const lab::Settings& at) {
    const int n = at["kib"] * 1024 / static_cast<int>(sizeof(unsigned));
    expect_carried({n, std::min(n, at["pieces"]), static_cast<Memory>(at["memory"])});
}

TEST_SUITE_END();
