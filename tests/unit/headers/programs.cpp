// Whole programs that say themselves what is wrong with the headers.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "tests/unit/headers/programs.h"

using lab::headers::check_library;
using lab::headers::fault_line;
using lab::headers::is_found;
using lab::headers::run;
using lab::headers::text_of;

TEST_CASE("every device function gives a GPU's values, checked and without a finding") {
    const lab::Run result = run("device_functions.cu", false);
    CHECK(result.output == "done, 0 failures\n");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
    CHECK(result.status == lab::Status::ok);
}

TEST_CASE("every device function gives a GPU's values in fast mode") {
    CHECK(run("device_functions.cu", true).output == "done, 0 failures\n");
}

TEST_CASE("every call returns the code that an H200 returned, and leaves the last error that it left") {
    const std::string expected = text_of("error_codes.txt");
    REQUIRE(expected.size() > 10'000);
    std::stringstream ours(run("error_codes.cu", false).output), theirs(expected);
    std::string our_line, their_line;
    while (std::getline(theirs, their_line)) {
        std::getline(ours, our_line);
        CHECK(our_line == their_line);
    }
    CHECK_FALSE(std::getline(ours, our_line));
}

TEST_CASE("memory pools count and return what an H200's do") {
    const std::string expected = text_of("memory_pools.txt");
    REQUIRE(expected.size() > 1'500);
    CHECK(run("memory_pools.cu", false).output == expected);
    CHECK(run("memory_pools.cu", true).output == expected);
}

// The codes are those of CUDA's documentation; no two GPUs have been asked yet. Without checks no kernel fails.
TEST_CASE("with two devices every call returns its code, and what belongs to one is not the other's") {
    const std::string expected = text_of("devices_codes.txt");
    REQUIRE(expected.size() > 8'000);
    CHECK(run("devices_codes.cu", false, 2).output == expected);
    const std::string fast = run("devices_codes.cu", true, 2).output;
    const size_t fault = expected.find("== a kernel of device 1 touches");
    REQUIRE(fault != std::string::npos);
    CHECK(fast.substr(0, fault) == expected.substr(0, fault));
}

TEST_CASE("the driver API's contexts, questions and memory return what an H200's do") {
    const std::string expected = text_of("driver_api.txt");
    REQUIRE(expected.size() > 2'000);
    CHECK(run("driver_api.cu", false).output == expected);
    CHECK(run("driver_api.cu", true).output == expected);
}

TEST_CASE("cuBLAS computes what plain loops do, checked and without a finding") {
    const std::string expected =
        "CUBLAS_STATUS_INVALID_VALUE | an unsupported value or parameter was passed to the function\n"
        "done, 0 failures\n";
    const lab::Run result = run("cublas.cu", false);
    CHECK(result.output == expected);
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
    CHECK(run("cublas.cu", true).output == expected);
}

TEST_CASE(
    "cuSOLVER's factors, solutions, eigenvalues and singular values hold, checked and without a finding") {
    const lab::Run result = run("cusolver.cu", false);
    CHECK(result.output == "done, 0 failures\n");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
    CHECK(run("cusolver.cu", true).output == "done, 0 failures\n");
}

TEST_CASE("graphs of explicit nodes run and return what an H200's do") {
    const std::string expected = text_of("graphs.txt");
    REQUIRE(expected.size() > 10'000);
    CHECK(run("graphs.cu", false).output == expected);
    CHECK(run("graphs.cu", true).output == expected);
}

TEST_CASE("a capture takes, refuses and loses what an H200's does") {
    const std::string expected = text_of("capture.txt");
    REQUIRE(expected.size() > 20'000);
    CHECK(run("capture.cu", false).output == expected);
    CHECK(run("capture.cu", true).output == expected);
}

namespace {

// The same words and numbers, but that a float may differ in its last two bits: how an H200 rounds a filtered sum is not
// known to the last bit.
bool is_near(const std::string& ours, const std::string& theirs) {
    if (ours == theirs) return true;
    char *our_end = nullptr, *their_end = nullptr;
    const double a = std::strtod(ours.c_str(), &our_end), b = std::strtod(theirs.c_str(), &their_end);
    const bool are_numbers = our_end != ours.c_str() && their_end != theirs.c_str();
    return are_numbers && std::string(our_end) == their_end && std::fabs(a - b) <= 4e-7 * std::fabs(b);
}

}  // namespace

// Where width is no power of 2, a normalised coordinate that a float cannot hold may fall to the other side of an edge:
// four fetches of "three elements, wrap" do. Three filtered signed chars lie one 32767th away.
TEST_CASE("textures and surfaces return what an H200's return, checked and in fast mode") {
    const std::string expected = text_of("textures.txt");
    REQUIRE(expected.size() > 20'000);
    const std::string ours = run("textures.cu", false).output;
    CHECK(run("textures.cu", true).output == ours);
    std::istringstream our_words(ours), their_words(expected);
    std::string our_word, their_word;
    constexpr size_t known = 7;
    size_t words = 0, differ = 0, far = 0;
    while (their_words >> their_word) {
        our_words >> our_word;
        ++words;
        differ += our_word != their_word;
        if (!is_near(our_word, their_word) && ++far > known)
            CHECK_MESSAGE(our_word == their_word, "word " << words);
    }
    const bool more = static_cast<bool>(our_words >> our_word);
    CHECK_FALSE(more);
    CHECK(far <= known);
    CHECK(differ < words / 100);
}

TEST_CASE(
    "cooperative groups have the ranks, values and launches of a GPU's, checked and without a finding") {
    const lab::Run result = run("cooperative_groups.cu", false);
    CHECK(result.output == "done, 0 failures\n");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
    CHECK(run("cooperative_groups.cu", true).output == "done, 0 failures\n");
    for (const lab::Kernel& kernel : result.kernels) {
        CAPTURE(kernel.name);
        const auto barriers = kernel.metrics.find("grid_barriers");
        if (kernel.name == "grids")
            CHECK((barriers != kernel.metrics.end() && barriers->second == 3));
        else
            CHECK(barriers == kernel.metrics.end());
    }
}

TEST_CASE("the lanes that are together are those of one place on one path in one trip") {
    const lab::Run result = run("lanes_together.cu", false);
    CHECK(result.output == text_of("lanes_together.txt"));
    CHECK(result.status == lab::Status::ok);
}

TEST_CASE("of the lanes that look at a place together, one finds at its swap what it has seen") {
    const lab::Run result = run("compare_and_swap.cu", false);
    CHECK(result.output == "swap: 1 of 32\nexchange: 1 of 32\n");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
}

TEST_CASE("what one function does to shared and to global memory is counted apart") {
    const lab::Run result = run("compare_and_swap.cu", false);
    REQUIRE(result.kernels.size() == 3);
    const lab::Metrics& metrics = result.kernels[2].metrics;
    CHECK(metrics.at("global_atomic_requests") == 1);
    CHECK(metrics.at("global_atomic_sectors") == 1);
    CHECK(metrics.at("shared_atomic_wavefronts") == 32);
}

TEST_CASE("every atomic function of every type and scope counts all threads, checked and in fast mode") {
    const lab::Run result = run("atomics.cu", false);
    CHECK(result.output == "done, 0 of 236 failed\n");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
    CHECK(run("atomics.cu", true).output == "done, 0 of 236 failed\n");
}

namespace {

// Thrust is a package of its own, which a system may lack.
bool has_thrust() {
    return std::ifstream("/usr/include/thrust/version.h").good();
}

}  // namespace

TEST_CASE("Thrust's vectors, reductions, sorts and scans work on device memory, checked and in fast mode") {
    if (has_thrust()) check_library("thrust_basics.cu");
}

TEST_CASE(
    "Thrust's selections, sets, keys, searches and iterators work on the device, checked and in fast mode") {
    if (has_thrust()) check_library("thrust_ranges.cu");
}

TEST_CASE("a fault around Thrust is found at the learner's own line, and nothing else is") {
    if (!has_thrust()) return;
    const std::string name = "thrust_faults.cu";
    const lab::Run result = run(name, false);
    CHECK(is_found(result, "global-race", fault_line(name, "race")));
    CHECK(is_found(result, "oob-global", fault_line(name, "bounds")));
    CHECK(is_found(result, "uninit-global", fault_line(name, "unset")));
    CHECK(is_found(result, "device-pointer-on-host", fault_line(name, "host")));
    CHECK(result.findings.size() == 4);
}
