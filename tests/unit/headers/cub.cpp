// CUB: programs that check themselves, and faults around it.
#include <doctest/doctest.h>

#include "tests/unit/headers/programs.h"

using lab::headers::check_library;
using lab::headers::fault_line;
using lab::headers::is_found;
using lab::headers::run;

TEST_CASE("CUB's reductions and scans of warps and blocks are those of a loop, checked and in fast mode") {
    check_library("cub_reduce_scan.cu");
}

TEST_CASE("storage that is used again without a barrier is a race at the line of the second call") {
    const std::string name = "cub_faults.cu";
    const lab::Run result = run(name, false);
    CHECK(is_found(result, "shared-race", fault_line(name, "again")));
    CHECK(is_found(result, "shared-race", fault_line(name, "scan again")));
    CHECK(result.findings.size() == 4);  // and two leaks
    // Only thread 0 has what a block's reduction gives.
    CHECK(result.output == "1 of 128 threads have the sum\n");
}

TEST_CASE("threads and lanes that are missing in a call of CUB, or too many, are named at its line") {
    const std::string name = "cub_faults.cu";
    const lab::Run some = run(name, false, 1, {"some"}), half = run(name, false, 1, {"warp"}),
                   large = run(name, false, 1, {"large"});
    CHECK(is_found(some, "barrier-divergence", fault_line(name, "some")));
    CHECK(is_found(half, "shfl-mask", fault_line(name, "half")));
    REQUIRE(is_found(large, "api-misuse", fault_line(name, "large")));
    for (const lab::Finding& f : large.findings)
        if (f.kind == "api-misuse")
            CHECK(f.message.find("a block of 128 x 1 x 1 threads, and this one has 256 x 1 x 1") !=
                  std::string::npos);
}
