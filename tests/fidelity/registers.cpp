// What `cudalab run --occupancy` reads from nvcc, against launch__registers_per_thread in h200_counters.csv
// (ncu's own reading of the same kernels, compiled by nvcc 13.0 for sm_90). Another nvcc may take others.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tests/fidelity/table.h"
#include "workbench/play/registers.h"

TEST_CASE("nvcc's registers are those that ncu saw on the card") {
    std::map<std::string, lab::CompiledKernels> files;
    unsigned equal = 0, rows = 0;
    for (const Row& row : read_table(COUNTERS_CSV)) {
        const std::string &file = row.at("file"), &name = row.at("kernel");
        if (files.count(file) == 0) {
            files[file] = lab::compiled_kernels({std::string(KERNELS_DIR) + "/" + file}, {}, {}, "");
            CHECK_MESSAGE(files[file].error.empty(), files[file].error);
        }
        const auto& kernels = files[file].kernels;
        REQUIRE_MESSAGE(kernels.count(name) == 1, name);
        ++rows;
        // ncu shows 16 where nvcc takes fewer: a thread is given no less.
        const int given = std::max(16, kernels.at(name).registers);
        equal += given == std::stoi("0" + row.at("launch__registers_per_thread"));
        const bool local = row.at("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum") != "0";
        CHECK_MESSAGE((kernels.at(name).stack_bytes > 0) == local, name);
    }
    fmt::print("registers                  {:>3} of {} kernels equal\n", equal, rows);
    CHECK(equal * 10 >= rows * 9);
}
