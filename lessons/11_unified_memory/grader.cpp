// What exercise 11 must do: right pixels first, then pages that are there before anybody asks for them.
#include "lessons/11_unified_memory/interface.h"

#include <algorithm>
#include <string>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("11_unified_memory");

namespace {

constexpr int page_pixels = 16384;  // of 4 bytes, on a page of 64 KiB
constexpr double page_bytes = 65536;

using Pixels = std::vector<int>;

// Distinct neighbours, all brightnesses.
Pixels photo_of(size_t n) {
    Pixels photo(n);
    for (size_t i = 0; i < n; ++i) photo[i] = static_cast<int>((i * 2654435761u + 977) >> 3) & (levels - 1);
    return photo;
}

// Lifts the dark tones. No two passes give the same picture, until everything is white.
Pixels curve() {
    Pixels curve(levels);
    for (int i = 0; i < levels; ++i) {
        const int rest = levels - 1 - i;
        curve[static_cast<size_t>(i)] = levels - 1 - rest * 7 / 8;
    }
    return curve;
}

int through(const Pixels& curve, int pixel, int passes) {
    for (int pass = 0; pass < passes; ++pass) pixel = curve[static_cast<size_t>(pixel)];
    return pixel;
}

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

double pages_of(size_t pixels) {
    return static_cast<double>((pixels + page_pixels - 1) / page_pixels);
}

std::string at_line(const lab::Finding& finding) {
    return "line " + std::to_string(finding.at.line);
}

// What the machine's own sentence does not know: what the memory is for. True: it said what is wrong.
bool told_about_the_cause(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings()) {
        const bool is_race = finding.kind == "managed-race" || finding.kind == "async-race";
        if (is_race) {
            lab::fail(trial,
                      "The host is at " + finding.buffer + " (" + at_line(finding) +
                          ") while a kernel may still be working on it.",
                      "A launch only queues the kernel. Wait for it with cudaDeviceSynchronize() before the "
                      "host touches what it uses, "
                      "and set what it reads before you launch it.",
                      LAB_HERE);
            return true;
        }
        if (finding.kind == "double-free" || finding.kind == "use-after-free") {
            lab::fail(trial, finding.message,
                      "One cudaMallocManaged, one cudaFree, behind the last use on either side.", LAB_HERE);
            return true;
        }
        if (finding.kind == "invalid-free") {
            lab::fail(trial, finding.message,
                      "cudaFree takes what cudaMallocManaged gave, from its first byte. A __managed__ "
                      "variable lives as long as the program.",
                      LAB_HERE);
            return true;
        }
        if (finding.kind == "host-pointer") {
            lab::fail(trial, finding.message,
                      "Only memory of cudaMallocManaged, and __managed__ variables, have one address for "
                      "both sides: the caller's own array has not.",
                      LAB_HERE);
            return true;
        }
        if (finding.kind == "device-pointer-on-host") {
            lab::fail(trial, finding.message,
                      "Memory of cudaMalloc is the device's alone. The host may touch what cudaMallocManaged "
                      "gives.",
                      LAB_HERE);
            return true;
        }
    }
    return false;
}

// The pixels, and that the program is clean. False: something was wrong and has been said.
bool expect_pixels(lab::Trial& trial, const lab::Array<int>& out, const Pixels& right) {
    trial.reference(out, right);
    if (trial.ended_well() && told_about_the_cause(trial)) return false;
    LAB_EXPECT_OK(trial);
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    LAB_EXPECT_LAUNCHES(trial, >=, 1);
    const auto got = trial.values(out);
    return trial.ended_well() && trial.returned() == 0 && std::equal(got.begin(), got.end(), right.begin());
}

// ---- pages. A backend that does not watch them has no timeline, and then there is nothing to say. ----

// The CPU machine has a timeline of every run; without managed memory in it, nothing moved.
bool watches_pages(const lab::Trial& trial) {
    return trial.timeline() != nullptr;
}

// The line that faulted most on this side, ", most of them for photo at line 58"; faults of the host that made a page are its first
// touch and no matter.
std::string worst_line(const lab::Timeline& timeline, const std::string& side) {
    const lab::PageLine* worst = nullptr;
    for (const lab::PageLine& line : timeline.pages) {
        const bool counts =
            line.side == side && line.faults > 0 && (side == "device" || line.to_host_bytes > 0);
        if (counts && (worst == nullptr || line.faults > worst->faults)) worst = &line;
    }
    if (worst == nullptr) return "";
    return ", most of them for " + worst->buffer + " at line " + std::to_string(worst->line);
}

// Managed memory, in the sense of the lesson: it moves. Memory that stays with the host has no faults either, and every
// access of a kernel crosses the bus.
bool told_that_nothing_moves(lab::Trial& trial, double bytes) {
    const lab::Timeline& t = *trial.timeline();
    if (t.metric("migrated_to_device_bytes") >= bytes) return false;
    if (t.metric("device_page_faults") > 0 && t.metric("remote_pages") == 0) return false;
    lab::fail(
        trial,
        number(t.metric("migrated_to_device_bytes") / 1024) + " of " + number(bytes / 1024) +
            " KiB went to the device, so its kernels reach for the rest over the bus, in every pass again.",
        "One address does not mean one place. Prefetch the whole range to the device: the count is in bytes, "
        "and "
        "photo and curve both belong there.",
        LAB_HERE);
    return true;
}

bool told_about_kernel_faults(lab::Trial& trial) {
    const lab::Timeline& t = *trial.timeline();
    const double faults = t.metric("device_page_faults");
    if (faults == 0) return false;
    lab::fail(trial,
              "Kernels ran into " + number(faults) + (faults == 1 ? " page fault" : " page faults") +
                  worst_line(t, "device") + ". Each stops the threads that need the page until it has come.",
              "Before the launch, cudaMemPrefetchAsync to the device all that the kernel touches, in bytes. "
              "What the host reads "
              "between launches goes back to it unless it is read-mostly.",
              LAB_HERE);
    return true;
}

// The host's first touch of each page that it fills makes the page; nothing moves for that.
bool told_about_host_faults(lab::Trial& trial, double filled_pages) {
    const lab::Timeline& t = *trial.timeline();
    const double faults = t.metric("host_page_faults") - filled_pages;
    if (faults <= 0) return false;
    lab::fail(trial,
              "The host ran into " + number(faults) + (faults == 1 ? " page fault" : " page faults") +
                  " beside the " + number(filled_pages) + " that make its pages when it fills them" +
                  worst_line(t, "host") + ".",
              "Prefetch the photo to the host, {cudaMemLocationTypeHost, 0}, when the kernels are queued, "
              "and wait before you read. "
              "Memory that both sides only read is read-mostly: cudaMemAdvise.",
              LAB_HERE);
    return true;
}

void expect_brighter(size_t n, int lift) {
    CAPTURE(n);
    CAPTURE(lift);
    const Pixels photo = photo_of(n);
    lab::Trial trial;
    trial.raise("leak");
    auto in = trial.input("in", photo);
    auto out = trial.output<int>("out", n);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(brighten)>("brighten", player.host(in), player.host(out),
                                               static_cast<int>(n), lift);
    });
    Pixels right(n);
    for (size_t i = 0; i < n; ++i) right[i] = std::min(photo[i] + lift, levels - 1);
    expect_pixels(trial, out, right);
}

// A photo after another: what the first left behind must not be in the second's way.
void expect_two_photos(size_t n) {
    CAPTURE(n);
    const Pixels photo = photo_of(n);
    lab::Trial trial;
    trial.raise("leak");
    auto in = trial.input("in", photo);
    auto once = trial.output<int>("once", n);
    auto out = trial.output<int>("out", n);
    trial.play([&](lab::Player& player) {
        const int count = static_cast<int>(n);
        const int failed =
            player.call<decltype(brighten)>("brighten", player.host(in), player.host(once), count, 100);
        if (failed != 0) return failed;
        return player.call<decltype(brighten)>("brighten", player.host(once), player.host(out), count, 23);
    });
    Pixels right(n);
    for (size_t i = 0; i < n; ++i) right[i] = std::min(std::min(photo[i] + 100, levels - 1) + 23, levels - 1);
    expect_pixels(trial, out, right);
}

struct Developed {
    Pixels photo, preview;
};

Developed developed(size_t n, size_t preview_size, int passes) {
    const Pixels by = curve(), photo = photo_of(n);
    Developed right{Pixels(n), Pixels(preview_size)};
    for (size_t i = 0; i < n; ++i) right.photo[i] = through(by, photo[i], passes);
    for (size_t k = 0; k < preview_size; ++k)
        right.preview[k] = through(by, static_cast<int>(k * 97) % levels, passes);
    return right;
}

void expect_developed(size_t n, size_t preview_size, int passes, bool count_pages) {
    CAPTURE(n);
    CAPTURE(passes);
    Pixels small(preview_size);
    for (size_t k = 0; k < preview_size; ++k) small[k] = static_cast<int>(k * 97) % levels;
    lab::Trial trial;
    trial.raise("leak");
    auto in = trial.input("in", photo_of(n));
    auto by = trial.input("curve", curve());
    auto preview = trial.inout("preview", small);
    auto out = trial.output<int>("out", n);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(develop)>("develop", player.host(in), player.host(out),
                                              static_cast<int>(n), player.host(by), player.host(preview),
                                              static_cast<int>(preview_size), passes);
    });
    const Developed right = developed(n, preview_size, passes);
    if (!expect_pixels(trial, out, right.photo)) return;
    LAB_EXPECT_EACH(trial, preview, [&](size_t k) { return right.preview[k]; });
    if (!count_pages || !watches_pages(trial)) return;
    const double bytes = (static_cast<double>(n) + levels) * sizeof(int);
    if (told_that_nothing_moves(trial, bytes) || told_about_kernel_faults(trial)) return;
    told_about_host_faults(trial, pages_of(n) + pages_of(levels));
}

// Each page goes to the device once and home once, whatever the passes: the least that there can be.
void expect_each_page_once(lab::Trial& trial, size_t n) {
    const lab::Timeline& t = *trial.timeline();
    const double bytes = (static_cast<double>(n) + levels) * sizeof(int);
    const double there = t.metric("migrated_to_device_bytes"), evicted = t.metric("evicted_bytes");
    if (there > bytes) {
        lab::fail(
            trial,
            number(there / 1024) + " KiB went to the device for a photo and a curve of " +
                number(bytes / 1024) + " KiB together: pages were pushed out and fetched again.",
            "Turn the loops round: a piece that fits comes once, and has all its passes before it goes.",
            LAB_HERE);
        return;
    }
    if (told_that_nothing_moves(trial, bytes)) return;
    if (evicted > 0) {
        lab::fail(trial,
                  "The full device had to push out " + number(evicted / page_bytes) + " pages to make room.",
                  "Send each piece home, {cudaMemLocationTypeHost, 0}, when its passes are queued and before "
                  "the next one comes. "
                  "At no time may more than the curve and a piece or two be on the device.",
                  LAB_HERE);
        return;
    }
    if (told_about_kernel_faults(trial)) return;
    told_about_host_faults(trial, pages_of(n) + pages_of(levels));
}

struct Large {
    size_t n;
    int card_pages;
    int passes, piece_pages;
};

void expect_large(const Large& size, bool count_pages) {
    CAPTURE(size.n);
    CAPTURE(size.card_pages);
    CAPTURE(size.passes);
    lab::Trial trial;
    trial.raise("leak").device_memory(static_cast<uint64_t>(size.card_pages) *
                                      static_cast<uint64_t>(page_bytes));
    auto in = trial.input("in", photo_of(size.n));
    auto by = trial.input("curve", curve());
    auto out = trial.output<int>("out", size.n);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(develop_large)>("develop_large", player.host(in), player.host(out),
                                                    static_cast<int>(size.n), player.host(by), size.passes,
                                                    size.piece_pages * page_pixels);
    });
    const Developed right = developed(size.n, 0, size.passes);
    if (!expect_pixels(trial, out, right.photo)) return;
    if (count_pages && watches_pages(trial)) expect_each_page_once(trial, size.n);
}

}  // namespace

TEST_CASE("Brighten: six pixels") {
    expect_brighter(6, 1000);
}

TEST_CASE("Brighten: 20000 pixels, some of them up to white") {
    expect_brighter(20000, 6000);
}

TEST_CASE("Brighten: one photo after another") {
    expect_two_photos(1000);
}

TEST_CASE("Develop: five pixels, one pass") {
    expect_developed(5, 3, 1, false);
}

TEST_CASE("Develop: 40000 pixels, two passes, and no faults") {
    expect_developed(40000, 64, 2, true);
}

TEST_CASE("A photo of 6 pages on a card of 4") {
    expect_large({6 * page_pixels, 4, 2, 1}, true);
}

TEST_CASE("The last piece is smaller than the others") {
    expect_large({page_pixels + 1234, 3, 2, 1}, true);
}

// Where a piece and the curve do not fit, pages have to go, and nobody can help it.
LAB_EXPERIMENT("A photo and a card of your sizes")(const lab::Settings& at) {
    const bool fits = std::min(at["piece"], at["pages"]) + 1 <= at["card"];
    expect_large({static_cast<size_t>(at["pages"]) * page_pixels, at["card"], at["passes"], at["piece"]},
                 fits);
}

TEST_SUITE_END();
