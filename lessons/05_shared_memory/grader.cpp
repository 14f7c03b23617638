// What exercise 05 must do. Every element of a matrix has a value of its own, and nearly all matrices are
// ragged.
#include "lessons/05_shared_memory/interface.h"

#include <cstring>
#include <functional>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("05_shared_memory");

namespace {

struct Shape {
    int rows, cols;
};

std::vector<float> numbered(Shape shape) {
    std::vector<float> values(static_cast<size_t>(shape.rows) * shape.cols);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);  // exact below 2^24
    return values;
}

// What belongs at element i of the output: its row is i / rows, its column i % rows.
float transposed(Shape shape, size_t i) {
    return static_cast<float>((i % shape.rows) * shape.cols + i / shape.rows + 1);
}

std::string number(size_t value) {
    return std::to_string(value);
}

// An extern array that is smaller than the tile. The machine knows the bytes, this knows what they were meant
// for.
bool told_about_the_bytes(lab::Trial& trial, int side) {
    if (trial.launches().size() != 1) return false;
    const size_t given = trial.launches().front().shared_bytes, floats = static_cast<size_t>(side) * side;
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "oob-shared") continue;
        if (given == 0) {
            lab::fail(trial,
                      "The launch gave its blocks no shared memory, so the extern array has no elements.",
                      "Add the third number: kernel<<<grid, block, bytes>>>(...).", LAB_HERE);
        } else if (given < floats * sizeof(float)) {
            lab::fail(trial,
                      "The launch gave each block " + number(given) + " bytes, which is room for " +
                          number(given / sizeof(float)) +
                          (given / sizeof(float) == 1 ? " float" : " floats") + ". A tile of side " +
                          number(side) + " has " + number(floats) + ", before padding.",
                      "The third number of a launch is in bytes: the number of elements times sizeof(float).",
                      LAB_HERE);
        } else {
            lab::fail(
                trial, finding.message,
                "A row of the tile takes side + padding floats: the launch must pay for the padding too.",
                LAB_HERE);
        }
        return true;
    }
    return false;
}

// Where in the output a thread should write: block (x, y) of the input is block (y, x) of the output.
struct Place {
    int row, col;
};
Place place_of(const lab::Dim3& block, const lab::Dim3& thread, int side) {
    return {static_cast<int>(block.x) * side + static_cast<int>(thread.y),
            static_cast<int>(block.y) * side + static_cast<int>(thread.x)};
}

void tell_about_the_output(lab::Trial& trial, const lab::Finding& finding, Shape shape, int side) {
    std::vector<Place> places;
    if (finding.block && finding.thread) places.push_back(place_of(*finding.block, *finding.thread, side));
    if (finding.other && finding.other->block && finding.other->thread)
        places.push_back(place_of(*finding.other->block, *finding.other->thread, side));
    const std::string element = "out[" + std::to_string(finding.element) + "]";
    for (const Place& place : places) {
        if (place.row < shape.cols && place.col < shape.rows) continue;
        lab::fail(trial, "A thread that has no element of the output wrote " + element + ".",
                  "Guard the write by the output's own sizes: it has cols rows and rows columns.", LAB_HERE);
        return;
    }
    for (const Place& place : places) {
        if (place.row * shape.rows + place.col == finding.element) continue;
        lab::fail(trial,
                  "The thread for column " + number(place.col) + " of row " + number(place.row) +
                      " of the output wrote " + element + ", which is another place.",
                  "A row of the output is `rows` floats long: out_row * rows + out_col.", LAB_HERE);
        return;
    }
    lab::fail(trial, finding.message, finding.fix, LAB_HERE);
}

// The findings that are the cause of whatever else is wrong, the first cause first. The machine's own
// sentence follows.
bool told_about_the_cause(lab::Trial& trial, Shape shape, int side) {
    for (const std::string kind :
         {"barrier-divergence", "shared-race", "warp-race", "oob-global", "global-race"}) {
        for (const lab::Finding& finding : trial.findings()) {
            if (finding.kind != kind) continue;
            if (finding.buffer == "out") {
                tell_about_the_output(trial, finding, shape, side);
            } else if (finding.buffer == "in") {
                lab::fail(trial, "A thread that has no element of the input read one.",
                          "Guard the read: row < rows and col < cols.", LAB_HERE);
            } else if (kind == "barrier-divergence") {
                lab::fail(trial, "Some threads of the block wait at a barrier, and others never come to it.",
                          "Guard the work, never the barrier: let the if end before __syncthreads().",
                          LAB_HERE);
            } else {
                lab::fail(trial,
                          "A race: a thread reads or overwrites an element of " + finding.buffer +
                              " that another thread writes, and nothing makes it wait.",
                          "Put __syncthreads() between filling the tile and reading it, outside of every if.",
                          LAB_HERE);
            }
            return true;
        }
    }
    return false;
}

// A grid that does not cover the matrix.
bool told_about_the_grid(lab::Trial& trial, Shape shape, int side) {
    if (trial.launches().size() != 1) return false;
    const lab::Kernel& kernel = trial.launches().front();
    const int columns = static_cast<int>(kernel.grid.x) * side, rows = static_cast<int>(kernel.grid.y) * side;
    if (columns >= shape.cols && rows >= shape.rows) return false;
    const bool swapped = columns >= shape.rows && rows >= shape.cols;
    lab::fail(
        trial,
        "The grid's tiles cover " + number(rows) + " rows and " + number(columns) +
            " columns of a matrix of " + number(shape.rows) + " rows and " + number(shape.cols) + " columns.",
        swapped ? "x counts columns, y counts rows: exchange the two sizes of the grid."
                : "Round up in both directions: (cols + side - 1) / side tiles across, and the same down.",
        LAB_HERE);
    return true;
}

// Are just those elements wrong whose thread has nothing to read?
bool told_about_an_early_return(lab::Trial& trial, std::span<const float> got, Shape shape, int side) {
    size_t first = got.size();
    for (size_t i = 0; i < got.size(); ++i) {
        const int row = static_cast<int>(i / shape.rows), col = static_cast<int>(i % shape.rows);
        const bool reads =
            col / side * side + row % side < shape.rows && row / side * side + col % side < shape.cols;
        if (reads != (got[i] == transposed(shape, i))) return false;
        if (!reads && first == got.size()) first = i;
    }
    if (first == got.size()) return false;
    lab::fail(trial,
              "out[" + number(first) + "], column " + number(first % shape.rows) + " of row " +
                  number(first / shape.rows) +
                  ", was never written, nor was any other element whose thread lies outside the input.",
              "The thread that writes an element is not the one that read it. Give the read and the write a "
              "guard each, "
              "and let no thread return in between.",
              LAB_HERE);
    return true;
}

// A known wrong way to move elements: which element of the input then lands at (row, col) of the output.
struct Guess {
    std::function<Place(int row, int col)> source;
    const char* cause;
    const char* next;
};

std::vector<Guess> guesses(int side) {
    const auto tile = [=](int i) { return i / side * side; };
    return {
        {[=](int row, int col) {
             return Place{tile(col) + row % side, tile(row) + col % side};
         },
         "The tiles have changed places, and inside a tile nothing has.",
         "Thread (x, y) filled the tile at [y][x]. Read it at [x][y]."},
        {[=](int row, int col) {
             return Place{tile(row) + col % side, tile(col) + row % side};
         },
         "Each tile is transposed in itself and stands in its old place.",
         "Block (x, y) of the input is block (y, x) of the output: out_row begins at blockIdx.x * side."},
        {[=](int row, int col) {
             return Place{col % side, row % side};
         },
         "Every tile of the output comes from the first tile of the input.",
         "threadIdx starts at 0 in every block. Add where the block's tile begins, to the row and to the "
         "column."},
    };
}

bool told_by_the_values(lab::Trial& trial, std::span<const float> got, Shape shape, int side) {
    for (const Guess& guess : guesses(side)) {
        size_t first = got.size();
        bool fits = true;
        for (size_t i = 0; i < got.size() && fits; ++i) {
            if (got[i] == transposed(shape, i)) continue;
            const Place place =
                guess.source(static_cast<int>(i / shape.rows), static_cast<int>(i % shape.rows));
            if (place.row >= shape.rows || place.col >= shape.cols) continue;  // never filled: any value
            fits = got[i] == static_cast<float>(place.row * shape.cols + place.col + 1);
            if (first == got.size()) first = i;
        }
        if (!fits || first == got.size()) continue;
        lab::fail(trial,
                  "out[" + number(first) + "], column " + number(first % shape.rows) + " of row " +
                      number(first / shape.rows) + ", is " + number(static_cast<size_t>(got[first])) +
                      ", expected " + number(static_cast<size_t>(transposed(shape, first))) + ". " +
                      guess.cause,
                  guess.next, LAB_HERE);
        return true;
    }
    return false;
}

bool transposed_well(std::span<const float> got, Shape shape) {
    for (size_t i = 0; i < got.size(); ++i)
        if (got[i] != transposed(shape, i)) return false;
    return true;
}

// True if it said what is wrong: then the plain comparison would only repeat it.
bool told_why(lab::Trial& trial, std::span<const float> got, Shape shape, int side) {
    if (!trial.ended_well() || trial.returned() != 0) return false;
    if (told_by_the_values(trial, got, shape, side) || told_about_the_bytes(trial, side) ||
        told_about_the_cause(trial, shape, side))
        return true;
    // An empty kernel is told by the plain comparison: its grid is the lesser trouble.
    const bool untouched =
        got.size() > 1 && std::memcmp(got.data(), got.data() + 1, got.size_bytes() - sizeof(float)) == 0;
    if (untouched || transposed_well(got, shape)) return false;
    return told_about_the_grid(trial, shape, side) || told_about_an_early_return(trial, got, shape, side);
}

// Rows of whole tiles leave as rows: 32 floats side by side are 128 bytes, four sectors. Written down a
// column, each float would drag in a sector of its own. A ragged matrix has no such round number, a backend
// that does not count none.
bool told_about_lone_threads(lab::Trial& trial, const lab::Kernel& kernel, double elements) {
    const auto found = kernel.metrics.find("global_load_requests");
    if (found == kernel.metrics.end() || found->second < elements) return false;
    lab::fail(trial,
              kernel.name + " makes " + number(static_cast<size_t>(found->second)) + " requests to load " +
                  number(static_cast<size_t>(elements)) +
                  " floats, one element a request. A warp can ask for 32 at once: let each thread bring one.",
              "Take the loop out of the kernel: thread (x, y) copies element (x, y) of the tile.", LAB_HERE);
    return true;
}

void expect_whole_sectors(lab::Trial& trial, double fewest) {
    for (const lab::Kernel& kernel : trial.launches()) {
        if (told_about_lone_threads(trial, kernel, 8 * fewest)) return;
        for (const auto& [metric, side] :
             {std::pair{"global_load_sectors", "loads"}, {"global_store_sectors", "stores"}}) {
            const auto found = kernel.metrics.find(metric);
            if (found == kernel.metrics.end() || found->second <= fewest) continue;
            lab::fail(trial,
                      std::string("The ") + side + " of " + kernel.name + " touch " +
                          number(static_cast<size_t>(found->second)) + " sectors of 32 bytes, and " +
                          number(static_cast<size_t>(fewest)) +
                          " are enough: they go down a column of the matrix.",
                      "Neighbouring threads, neighbouring elements, on both sides. Exchange rows and columns "
                      "in the tile.",
                      LAB_HERE);
            return;
        }
    }
}

// With rows of 32 floats, a column of the tile lies in one bank.
void expect_no_conflicts(lab::Trial& trial) {
    for (const lab::Kernel& kernel : trial.launches()) {
        double conflicts = 0;
        for (const char* metric : {"shared_load_conflicts", "shared_store_conflicts"}) {
            const auto found = kernel.metrics.find(metric);
            if (found != kernel.metrics.end()) conflicts += found->second;
        }
        if (conflicts == 0) continue;
        lab::fail(trial,
                  kernel.name + " is right, and its visits to the tile take " +
                      number(static_cast<size_t>(conflicts)) +
                      " turns more than they need: threads of a warp stand in line for one bank.",
                  "Make the rows of the tile one float longer than the side.", LAB_HERE);
        return;
    }
}

// What a matrix of whole tiles of 32 by 32 may cost. A ragged one has no such round numbers.
void expect_low_cost(lab::Trial& trial, Shape shape) {
    if (shape.rows % 32 != 0 || shape.cols % 32 != 0) return;
    expect_whole_sectors(trial, shape.rows * shape.cols / 8.0);
    expect_no_conflicts(trial);
}

void expect_static(Shape shape) {
    CAPTURE(shape.rows);
    CAPTURE(shape.cols);
    lab::Trial trial;
    auto in = trial.input("in", numbered(shape));
    auto out = trial.output<float>("out", in.size());
    trial.play([&](lab::Player& player) {
        return player.call<decltype(transpose_static)>("transpose_static", player.device(in),
                                                       player.device(out), shape.rows, shape.cols);
    });
    LAB_EXPECT_OK(trial);
    if (told_why(trial, trial.values(out), shape, 32)) return;
    LAB_EXPECT_EACH(trial, out, [=](size_t i) { return transposed(shape, i); });
    LAB_EXPECT_CLEAN(trial);
    expect_low_cost(trial, shape);
}

void expect_dynamic(Shape shape, int side, int padding = 1) {
    CAPTURE(shape.rows);
    CAPTURE(shape.cols);
    CAPTURE(side);
    CAPTURE(padding);
    lab::Trial trial;
    auto in = trial.input("in", numbered(shape));
    auto out = trial.output<float>("out", in.size());
    trial.play([&](lab::Player& player) {
        return player.call<decltype(transpose_dynamic)>("transpose_dynamic", player.device(in),
                                                        player.device(out), shape.rows, shape.cols, side,
                                                        padding);
    });
    LAB_EXPECT_OK(trial);
    if (told_why(trial, trial.values(out), shape, side)) return;
    LAB_EXPECT_EACH(trial, out, [=](size_t i) { return transposed(shape, i); });
    LAB_EXPECT_CLEAN(trial);
    if (side == 32 && padding == 1) expect_low_cost(trial, shape);
    for (const lab::Kernel& kernel : trial.launches()) {
        if (kernel.block.x * kernel.block.y == static_cast<unsigned>(side * side)) continue;
        lab::fail(trial,
                  "The launch used blocks of " + number(kernel.block.x) + " by " + number(kernel.block.y) +
                      " threads for tiles of side " + number(side) + ".",
                  "One thread an element: the block is dim3(side, side).", LAB_HERE);
        return;
    }
}

}  // namespace

TEST_CASE("Static: 2 rows and 3 columns become 3 rows and 2 columns") {
    expect_static({2, 3});
}

TEST_CASE("Static: one whole tile of 32 by 32") {
    expect_static({32, 32});
}

TEST_CASE("Static: four whole tiles (64 by 64), row by row, and no bank conflict") {
    expect_static({64, 64});
}

TEST_CASE("Static: ragged matrices, 33 by 31, 45 by 70, one row, one column") {
    expect_static({33, 31});
    expect_static({45, 70});
    expect_static({1, 100});
    expect_static({100, 1});
}

TEST_CASE("Dynamic: 4 rows and 6 columns with tiles of side 2") {
    expect_dynamic({4, 6}, 2);
}

TEST_CASE("Dynamic: ragged, 5 rows and 7 columns with tiles of side 4") {
    expect_dynamic({5, 7}, 4);
}

TEST_CASE("Dynamic: any side will do (45 by 70, sides 1, 7, 16 and 32)") {
    for (int side : {1, 7, 16, 32}) expect_dynamic({45, 70}, side);
}

TEST_CASE("Dynamic: tiles of side 32, row by row, and no bank conflict (64 by 64)") {
    expect_dynamic({64, 64}, 32);
}

TEST_CASE("Dynamic: any padding will do (33 by 40, sides 8 and 32, padding 0, 2 and 5)") {
    for (int side : {8, 32})
        for (int padding : {0, 2, 5}) expect_dynamic({33, 40}, side, padding);
}

TEST_CASE("Dynamic: one row and one column (side 16)") {
    expect_dynamic({1, 100}, 16);
    expect_dynamic({100, 1}, 16);
}

TEST_CASE("Dynamic: a launch that CUDA refuses comes back as an error (side 40 is 1600 threads a block)") {
    const Shape shape{45, 70};
    lab::Trial trial;
    auto in = trial.input("in", numbered(shape));
    auto out = trial.output<float>("out", in.size(), lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(transpose_dynamic)>("transpose_dynamic", player.device(in),
                                                        player.device(out), shape.rows, shape.cols, 40, 1);
    });
    LAB_EXPECT_ERROR(trial, 0);
    LAB_EXPECT_CLEAN(trial);
}

LAB_EXPERIMENT("Dynamic: a transpose at the sizes that you chose")(const lab::Settings& at) {
    expect_dynamic({at["rows"], at["cols"]}, at["side"], at["padding"]);
}

TEST_SUITE_END();
