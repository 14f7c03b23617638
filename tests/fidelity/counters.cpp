// Every kernel of kernels/ against what ncu counted for it on an H200 (h200_counters.csv: driver 580.159.04,
// nvcc 13.0, ncu 2025.3.1). A cell that differs must stand in the table of exceptions, with its reason, and
// must still differ.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "simt/machine/occupancy.h"
#include "tests/fidelity/table.h"
#include "workbench/play/run_program.h"

namespace {

struct Counter {
    const char* ours;
    std::vector<const char*> columns;  // their sum
};

const std::vector<Counter> counters = {
    {"global_load_requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
    {"global_load_sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
    {"global_store_requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
    {"global_store_sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {"global_atomic_requests",
     {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"}},
    {"global_atomic_sectors",
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"}},
    {"shared_load_wavefronts", {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
    {"shared_store_wavefronts", {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
    {"shared_atomic_wavefronts", {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"}},
    {"shared_load_conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
    {"shared_store_conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
    {"shared_load_requests", {"smsp__sass_inst_executed_op_shared_ld.sum"}},
    {"shared_store_requests", {"smsp__sass_inst_executed_op_shared_st.sum"}},
    {"shared_atomic_requests", {"smsp__sass_inst_executed_op_shared_atom.sum"}},
    {"shared_wavefronts", {"memory_l1_wavefronts_shared"}},
    {"shared_ideal_wavefronts", {"memory_l1_wavefronts_shared_ideal"}},
    {"global_lines", {"memory_l1_tag_requests_global"}},
    {"global_distinct_sectors", {"memory_l2_theoretical_sectors_global"}},
    {"global_ideal_sectors", {"memory_l2_theoretical_sectors_global_ideal"}},
    {"divergent_branches", {"smsp__sass_branch_targets_threads_divergent.sum"}},
    {"local_load_requests", {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum"}},
    {"local_load_sectors", {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"}},
    {"local_store_requests", {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"}},
    {"local_store_sectors", {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}},
    {"warps", {"smsp__warps_launched.sum"}},
};

struct Exception {
    const char *kernel, *counter, *reason;
};

const std::vector<Exception> exceptions = {
    {"ternary_loads", "global_load_requests", "nvcc selects the address and loads once"},
    {"unrolled_by_lane", "global_load_requests", "#pragma unroll makes a loop of four loads and a remainder"},
    {"unrolled_by_lane", "global_load_sectors", "the same"},
    {"add_shared_float", "shared_atomic_wavefronts",
     "float sums in shared memory are a loop of compare-and-swap"},
    {"add_shared_float", "shared_load_wavefronts", "the same"},
    {"add_shared_float", "shared_load_conflicts", "the same"},
    {"add_shared_float", "shared_load_requests", "the same"},
    {"add_shared_float", "shared_atomic_requests", "the same"},
    {"add_shared_float", "shared_wavefronts", "the same"},
    {"add_shared_float", "shared_ideal_wavefronts", "the same"},
    {"add_shared_float", "divergent_branches", "the same: lanes leave the loop one after the other"},
    {"unrolled_by_lane", "global_lines", "a loop of four loads and a remainder, as above"},
    {"unrolled_by_lane", "global_distinct_sectors", "the same"},
    {"unrolled_by_lane", "global_ideal_sectors", "the same"},
    {"unrolled_by_lane", "divergent_branches", "the same"},
    {"switch_loads", "divergent_branches", "a jump table here, comparisons one after the other there"},
    {"if_else_store", "global_store_requests", "nvcc selects the value and stores once"},
    {"if_else_store", "global_store_sectors", "the same"},
    {"if_else_store", "global_lines", "the same"},
    {"if_else_store", "global_distinct_sectors", "the same"},
    {"if_else_store", "global_ideal_sectors", "the same"},
    {"recurse_by_lane", "local_load_requests", "registers saved around a call are not in the source"},
    {"recurse_by_lane", "local_load_sectors", "the same"},
    {"recurse_by_lane", "local_store_requests", "the same"},
    {"recurse_by_lane", "local_store_sectors", "the same"},
    {"recurse_by_lane", "global_lines",
     "ncu's second run, with code that it patched, let lanes meet that return from different depths"},
    {"recurse_by_lane", "global_distinct_sectors", "the same"},
};

double on_the_card(const Row& row, const Counter& counter) {
    double sum = 0;
    for (const char* column : counter.columns) sum += std::stod("0" + row.at(column));
    return sum;
}

double value_of(const lab::Kernel& kernel, const std::string& name) {
    const auto found = kernel.metrics.find(name);
    return found == kernel.metrics.end() ? 0 : found->second;
}

bool is_exception(const std::string& kernel, const std::string& counter) {
    return std::any_of(exceptions.begin(), exceptions.end(),
                       [&](const Exception& e) { return kernel == e.kernel && counter == e.counter; });
}

lab::Run run_forward(const lab::Home& home, const std::string& file) {
    lab::ProgramRequest request;
    request.files = {std::string(KERNELS_DIR) + "/" + file};
    request.streams = lab::Streams::captured;
    request.orders = lab::Orders::forward;
    return lab::run_program(home, request).run;
}

// Two tables of the same form: the kernels that came with the counters, and branches and local arrays in
// further shapes, measured later on the same kind of card (h200_branch_shapes.csv).
std::vector<Row> measured() {
    std::vector<Row> rows = read_table(COUNTERS_CSV);
    const std::vector<Row> more = read_table(BRANCH_SHAPES_CSV);
    rows.insert(rows.end(), more.begin(), more.end());
    return rows;
}

TEST_CASE("the counters of every kernel are the H200's own, but for the exceptions that are named") {
    const auto rows = measured();
    REQUIRE(rows.size() >= 115);
    const lab::Home home = lab::find_home();
    std::map<std::string, lab::Run> runs;
    std::map<std::string, unsigned> equal;
    for (const Row& row : rows) {
        const std::string &file = row.at("file"), &name = row.at("kernel");
        if (runs.count(file) == 0) {
            runs[file] = run_forward(home, file);
            CHECK_MESSAGE(runs[file].status == lab::Status::ok, file << ": " << runs[file].headline);
        }
        const auto& kernels = runs[file].kernels;
        const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                         [&](const lab::Kernel& k) { return k.name == name; });
        REQUIRE_MESSAGE(kernel != kernels.end(), name << " did not run");
        for (const Counter& counter : counters) {
            const double want = on_the_card(row, counter), got = value_of(*kernel, counter.ours);
            equal[counter.ours] += got == want;
            if (is_exception(name, counter.ours)) {
                CHECK_MESSAGE(got != want,
                              name << " " << counter.ours << " agrees now: take it off the exceptions");
            } else {
                CHECK_MESSAGE(got == want,
                              name << " " << counter.ours << ": " << got << ", the card counts " << want);
            }
        }
    }
    for (const auto& [name, count] : equal)
        fmt::print("{:<26} {:>3} of {} kernels equal\n", name, count, rows.size());
}

// Registers and the SM's shared memory as the driver set it are the card's own: the rest must follow.
TEST_CASE("theoretical occupancy is ncu's own for every kernel, given its registers") {
    const auto rows = measured();
    const lab::Home home = lab::find_home();
    std::map<std::string, lab::Run> runs;
    unsigned equal = 0;
    for (const Row& row : rows) {
        const std::string &file = row.at("file"), &name = row.at("kernel");
        if (runs.count(file) == 0) runs[file] = run_forward(home, file);
        const auto& kernels = runs[file].kernels;
        const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                         [&](const lab::Kernel& k) { return k.name == name; });
        REQUIRE_MESSAGE(kernel != kernels.end(), name << " did not run");
        const double shared = std::stod("0" + row.at("launch__shared_mem_per_block_static")) +
                              std::stod("0" + row.at("launch__shared_mem_per_block_dynamic"));
        const int registers = std::stoi("0" + row.at("launch__registers_per_thread"));
        const double ours = simt::occupancy_percent(kernel->block.x * kernel->block.y * kernel->block.z,
                                                    static_cast<size_t>(shared), registers);
        const double card = std::stod("0" + row.at("sm__maximum_warps_per_active_cycle_pct"));
        equal += std::abs(ours - card) < 0.01;
        CHECK_MESSAGE(std::abs(ours - card) < 0.01,
                      name << ": " << ours << " %, the card has " << card << " %");
        CHECK_MESSAGE(kernel->shared_bytes == shared, name << " has " << kernel->shared_bytes
                                                           << " bytes of shared memory here, " << shared
                                                           << " on the card");
    }
    fmt::print("{:<26} {:>3} of {} kernels equal\n", "occupancy", equal, rows.size());
}

// A warp's read of a constant is served once for each different address in it. ncu's count also holds four
// reads of launch parameters a warp (shared with every kernel of two pointers), and none of reads at one
// address for all lanes, which go another way: so the kernel with an address a lane is the one to compare.
TEST_CASE("constant reads at an address a lane are counted as the card counts them") {
    const auto rows = measured();
    const lab::Run run = run_forward(lab::find_home(), "constant_local.cu");
    const std::string name = "constant_per_lane";
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.at("kernel") == name; });
    const auto kernel = std::find_if(run.kernels.begin(), run.kernels.end(),
                                     [&](const lab::Kernel& k) { return k.name == name; });
    REQUIRE(row != rows.end());
    REQUIRE(kernel != run.kernels.end());
    const double parameters = 4 * kernel->metrics.at("warps");
    CHECK(kernel->metrics.at("constant_load_addresses") ==
          std::stod(row->at("idc__requests.sum")) - parameters);
    CHECK(kernel->metrics.at("constant_load_requests") == kernel->metrics.at("warps"));
}

}  // namespace
