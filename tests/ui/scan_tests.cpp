// Lesson 17's own panel: the steps of a scan, in runs of the real machine; and the single pass of its last section.
#include <doctest/doctest.h>

#include <algorithm>

#include "lesson_window.h"
#include "lessons/17_scan/panel_steps.h"

namespace {

using namespace lab::lesson_17_scan;

constexpr const char* slug = "17_scan";
constexpr const char* panel = "panel/17_scan";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    std::vector<Ladder> ladders(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i)
            if (cases[i].name.find(part) != std::string::npos) return ladders_of(bundle(), int(i));
        return {};
    }
    // Goes up the panel, a part of its width from its left edge, until the mouse is on a cell that a thread wrote.
    bool point_at_a_cell(float x = 0.05f) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.95f; y > 0.1f; y -= 0.015f) {
            window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
    void click() {
        for (const bool down : {true, false}) {
            ImGui::GetIO().AddMouseButtonEvent(0, down);
            window.frames(2);
        }
    }
};

size_t lines_to(const Step& step, int column) {
    size_t count = 0;
    for (const Line& line : step.lines) count += line.to == column;
    return count;
}

bool has_line(const Step& step, int from, int to) {
    for (const Line& line : step.lines)
        if (line.from == from && line.to == to) return true;
    return false;
}

// What takes the place of everything from the tiles on: each number is read once and written once.
constexpr const char* single_pass = R"cuda(
__global__ void once_kernel(const int* d_in, int n, int* d_out, unsigned long long* d_words, int* d_ticket) {
    __shared__ int my_tile, before_tile;
    if (threadIdx.x == 0) my_tile = atomicAdd(d_ticket, 1);
    __syncthreads();
    int i = my_tile * blockDim.x + threadIdx.x;
    int value = i < n ? d_in[i] : 0;
    int sum = scan_block(value);
    if (threadIdx.x == blockDim.x - 1) {
        atomicExch(&d_words[my_tile], (my_tile == 0 ? 2ull : 1ull) << 32 | (unsigned int)sum);
        int before = 0;
        for (int back = my_tile - 1; back >= 0; --back) {
            unsigned long long word;
            do word = atomicAdd(&d_words[back], 0ull);
            while (word >> 32 == 0);
            before += (int)(unsigned int)word;
            if (word >> 32 == 2) break;
        }
        if (my_tile > 0) atomicExch(&d_words[my_tile], 2ull << 32 | (unsigned int)(before + sum));
        before_tile = before;
    }
    __syncthreads();
    if (i < n) d_out[i] = before_tile + sum - value;
}

extern "C" int scan(const int* d_in, int n, int threads, int* d_out) {
    if (n <= 0) return cudaSuccess;
    int tiles = (n + threads - 1) / threads;
    unsigned long long* d_words = nullptr;
    cudaError_t status = cudaMalloc(&d_words, (tiles + 1) * sizeof(unsigned long long));
    if (status != cudaSuccess) return status;
    status = cudaMemset(d_words, 0, (tiles + 1) * sizeof(unsigned long long));
    if (status == cudaSuccess) {
        once_kernel<<<tiles, threads>>>(d_in, n, d_out, d_words, (int*)(d_words + tiles));
        status = cudaGetLastError();
    }
    cudaError_t freed = cudaFree(d_words);
    return status != cudaSuccess ? status : freed;
}
)cuda";

std::string with_single_pass() {
    const std::string text = solution_of(slug);
    const size_t from = text.find("// [tiles]");
    REQUIRE(from != std::string::npos);
    return text.substr(0, from) + single_pass;
}

}  // namespace

TEST_CASE("Steps of a scan: doubling steps, each with the numbers that a thread had read") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const std::vector<Ladder> ladders = shown.ladders("Steps: eight numbers");
    REQUIRE(ladders.size() == 1);
    const std::vector<Step>& steps = ladders[0].steps;
    REQUIRE(steps.size() == 4);  // the numbers arrive; 1, 2 and 4
    CHECK(ladders[0].columns == 8);
    CHECK(steps[0].lines.empty());
    for (const Step& step : steps) CHECK(step.workers() == 8);
    for (int s = 1; s < 4; ++s) {
        const int distance = 1 << (s - 1);
        CHECK(has_line(steps[size_t(s)], 7 - distance, 7));
        CHECK(has_line(steps[size_t(s)], 7, 7));
        CHECK(lines_to(steps[size_t(s)], 7) == 2);
        CHECK(lines_to(steps[size_t(s)], 0) == 1);  // nobody to its left
    }
    const auto lit = sources_of(ladders[0], 3, 7);
    for (size_t column = 0; column < 8; ++column) CHECK(lit[1][column]);  // all eight are in the last sum
    CHECK(lit[3][3]);
    CHECK_FALSE(lit[3][4]);
    shown.window.picture("scan-1-steps");

    REQUIRE(shown.point_at_a_cell());
    const lab::Cursor under = shown.window.app->cursor_;
    CHECK(under.run == shown.bundle().id);
    CHECK(under.line == steps[3].line);
    CHECK(under.warp == 0);
    shown.window.picture("scan-2-hover");
    shown.click();
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    shown.window.move_to({0, 0});
    const int before = shown.window.pixels_like(panel, lab::palette().accent);
    shown.window.press(ImGuiKey_LeftArrow);
    shown.window.press(ImGuiKey_LeftArrow);
    CHECK(shown.window.pixels_like(panel, lab::palette().accent) != before);  // another step stands out
}

TEST_CASE("Steps of a scan: the sweeps go up a tree and down again, and the padding ends the conflicts") {
    const std::string text = solution_of(slug);
    Shown shown(text);
    const std::vector<Ladder> small = shown.ladders("Sweeps: eight numbers");
    REQUIRE(small.size() == 1);
    const std::vector<Step>& steps = small[0].steps;
    REQUIRE(steps.size() == 7);  // the numbers arrive; up 1, 2, 4 with the root; down 4, 2, 1
    const int workers[] = {8, 4, 2, 1, 2, 4, 8};
    for (size_t s = 0; s < 7; ++s) CHECK(steps[s].workers() == workers[s]);
    CHECK(has_line(steps[1], 0, 1));
    CHECK(has_line(steps[3], 3, 7));
    CHECK(has_line(steps[4], 7, 3));  // down: the parent's to the left child
    CHECK(has_line(steps[4], 3, 7));
    const std::vector<Ladder> large = shown.ladders("Sweeps: 1024");
    REQUIRE(large.size() == 1);
    CHECK(large[0].columns == 1024 + 31);
    for (const Step& step : large[0].steps) CHECK(step.turns == step.requests);
}

TEST_CASE("Steps of a scan: without padding, a step of the sweeps takes more turns than requests") {
    Shown shown(changed(solution_of(slug), "return i + i / banks;", "return i;"));
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<Ladder> large = shown.ladders("Sweeps: 1024");
    REQUIRE(large.size() == 1);
    int turns = 0, worst = 0;
    for (const Step& step : large[0].steps) {
        turns += step.turns;
        worst = std::max(worst, step.turns - step.requests);
    }
    CHECK(turns + 32 ==
          int(large[0].metric("shared_load_wavefronts") + large[0].metric("shared_store_wavefronts")));
    CHECK(worst > 100);
    shown.window.picture("scan-3-conflicts");
}

TEST_CASE("Steps of a scan: shuffles with their values, and the warps' sums between them") {
    Shown shown(solution_of(slug));
    const std::vector<Ladder> ladders = shown.ladders("Scan: 64 numbers");
    REQUIRE(ladders.size() == 1);
    const std::vector<Step>& steps = ladders[0].steps;
    // What the lanes bring, five shuffles, the sums of two warps; the same with these; the scanned sums.
    REQUIRE(steps.size() == 14);
    CHECK(steps[0].is_shuffle);
    CHECK(steps[0].lines.empty());
    for (size_t s = 1; s < 6; ++s) {
        CHECK(steps[s].is_shuffle);
        CHECK(steps[s].distance == 1 << (s - 1));
        CHECK(steps[s].workers() == 64);
        CHECK(steps[s].lines.size() == 64 - 2 * (size_t{1} << (s - 1)));
    }
    CHECK_FALSE(has_line(steps[1], 31, 32));  // no lane asks another warp
    REQUIRE(steps[0].cells[1].has_value);
    REQUIRE(steps[1].cells[1].has_value);
    CHECK(steps[1].cells[1].value == steps[0].cells[0].value + steps[0].cells[1].value);
    CHECK(steps[6].workers() == 2);
    CHECK(steps[7].is_shuffle);
    CHECK(steps[13].workers() == 32);
    shown.window.picture("scan-4-shuffles");
}

TEST_CASE("Lesson 17: the single pass of its last section passes, and reads each number once") {
    Shown shown(with_single_pass());
    CHECK(shown.bundle().run.passed);
    const std::vector<Ladder> ladders = shown.ladders("Scan: 20000");
    REQUIRE(ladders.size() == 1);
    CHECK(ladders[0].metric("global_load_sectors") == 2500);
    CHECK(ladders[0].metric("global_store_sectors") == 2500);
}

TEST_CASE("Lesson 17: tiles by blockIdx may wait for blocks that never start, and the grader says so") {
    Shown shown(changed(with_single_pass(), "my_tile = atomicAdd(d_ticket, 1);", "my_tile = blockIdx.x;"));
    CHECK_FALSE(shown.bundle().run.passed);
}
