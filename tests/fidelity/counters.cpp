// Every kernel of kernels/ against what ncu counted for it on an H200 (h200_counters.csv: driver 580.159.04,
// nvcc 13.0, ncu 2025.3.1). A cell that differs must stand in the table of exceptions, with its reason, and
// must still differ.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

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
    {"warps", {"smsp__warps_launched.sum"}},
};

struct Exception {
    const char *kernel, *counter, *reason;
};

const std::vector<Exception> exceptions = {
    {"ternary_loads", "global_load_requests", "nvcc selects the address and loads once"},
    {"unrolled_by_lane", "global_load_requests", "#pragma unroll makes a loop of four loads and a remainder"},
    {"unrolled_by_lane", "global_load_sectors", "the same"},
    {"add_shared_mixed", "shared_atomic_wavefronts",
     "adding a variable goes lane by lane, a constant 1 word by word: not told apart yet"},
    {"add_shared_same", "shared_atomic_wavefronts", "the same"},
    {"add_shared_float", "shared_atomic_wavefronts",
     "float sums in shared memory are a loop of compare-and-swap"},
    {"add_shared_float", "shared_load_wavefronts", "the same"},
    {"add_shared_float", "shared_load_conflicts", "the same"},
};

double on_the_card(const Row& row, const Counter& counter) {
    double sum = 0;
    for (const char* column : counter.columns) sum += std::stod("0" + row.at(column));
    return sum;
}

bool is_exception(const std::string& kernel, const std::string& counter) {
    return std::any_of(exceptions.begin(), exceptions.end(),
                       [&](const Exception& e) { return kernel == e.kernel && counter == e.counter; });
}

TEST_CASE("the counters of every kernel are the H200's own, but for the exceptions that are named") {
    const auto rows = read_table(COUNTERS_CSV);
    REQUIRE(rows.size() >= 94);
    const lab::Home home = lab::find_home();
    std::map<std::string, lab::Run> runs;
    std::map<std::string, unsigned> equal;
    for (const Row& row : rows) {
        const std::string &file = row.at("file"), &name = row.at("kernel");
        if (runs.count(file) == 0) {
            lab::ProgramRequest request;
            request.files = {std::string(KERNELS_DIR) + "/" + file};
            request.streams = lab::Streams::captured;
            request.orders = lab::Orders::forward;
            runs[file] = lab::run_program(home, request).run;
            CHECK_MESSAGE(runs[file].status == lab::Status::ok, file << ": " << runs[file].headline);
        }
        const auto& kernels = runs[file].kernels;
        const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                         [&](const lab::Kernel& k) { return k.name == name; });
        REQUIRE_MESSAGE(kernel != kernels.end(), name << " did not run");
        for (const Counter& counter : counters) {
            const double want = on_the_card(row, counter), got = kernel->metrics.at(counter.ours);
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

}  // namespace
