// Whole programs that say themselves what is wrong with the headers.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "workbench/play/run_program.h"

namespace {

lab::Run run(const std::string& name, bool fast) {
    lab::ProgramRequest request;
    request.files = {std::string(PROGRAMS_DIR) + "/" + name};
    request.streams = lab::Streams::captured;
    request.fast = fast;
    request.seconds = 60;
    return lab::run_program(lab::find_home(), request).run;
}

std::string text_of(const std::string& name) {
    std::ifstream file(std::string(PROGRAMS_DIR) + "/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

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

TEST_CASE(
    "cooperative groups have the ranks, values and launches of a GPU's, checked and without a finding") {
    const lab::Run result = run("cooperative_groups.cu", false);
    CHECK(result.output == "done, 0 failures\n");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
    CHECK(run("cooperative_groups.cu", true).output == "done, 0 failures\n");
}

TEST_CASE("the lanes that are together are those of one place on one path in one trip") {
    const lab::Run result = run("lanes_together.cu", false);
    CHECK(result.output == text_of("lanes_together.txt"));
    CHECK(result.status == lab::Status::ok);
}
