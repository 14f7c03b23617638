// The guesses about wrong elements, and how a case's record is put together.
#include <doctest/doctest.h>

#include "workbench/grading/trial.h"

using namespace lab;

namespace {

Kernel launch(unsigned grid, unsigned block, const char* status = "ok") {
    Kernel kernel;
    kernel.name = "k";
    kernel.grid = {grid, 1, 1};
    kernel.block = {block, 1, 1};
    kernel.status = status;
    return kernel;
}

WrongElements hole(size_t count, size_t first, size_t last) {
    return {count, last - first + 1, first, last, first, last - first + 1, last};
}

Failure guess(const std::vector<Kernel>& launches, const WrongElements& e) {
    return guess_cause(
        launches, e, "out", [](size_t, size_t) { return false; },
        [&](size_t i) { return i >= e.first && i <= e.last; });
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Finding finding(const char* kind, Severity severity = Severity::error) {
    Finding one;
    one.kind = kind;
    one.severity = severity;
    one.message = kind;
    return one;
}

}  // namespace

TEST_SUITE_BEGIN("grading");

TEST_CASE("a grid that was rounded down is named with its division") {
    const Failure failure = guess({launch(2, 100)}, hole(256, 200, 255));
    CHECK(failure.cause == "Your grid covers 200 of 256 elements: 256 / 100 rounds down to 2 blocks.");
    CHECK(has(failure.next, "Round up"));
}

TEST_CASE("a grid of a fixed size is told apart from one that was rounded down") {
    const Failure failure = guess({launch(1, 100)}, hole(1000, 100, 999));
    CHECK(has(failure.cause, "1 block of 100 threads"));
    CHECK(!has(failure.cause, "rounds down"));
    CHECK(has(failure.next, "10 blocks of 100"));
}

TEST_CASE(
    "a local index, a lost first element, a lost last element and a lost last block each have their words") {
    CHECK(has(guess({launch(4, 64)}, hole(256, 64, 255)).next, "blockIdx.x * blockDim.x"));
    CHECK(has(guess({launch(4, 64)}, hole(256, 0, 0)).cause, "counting starts at 0"));
    CHECK(has(guess({launch(4, 64)}, hole(256, 255, 255)).next, "i < n"));
    CHECK(has(guess({launch(4, 64)}, hole(250, 192, 249)).next, "not the block as a whole"));
}

TEST_CASE("no launch, a refused launch and a kernel that writes nothing each have their words") {
    CHECK(has(guess({}, hole(8, 0, 7)).cause, "launched no kernel"));
    CHECK(has(guess({launch(1, 2048, "refused")}, hole(8, 0, 7)).cause, "refused"));
    CHECK(has(guess({launch(2, 4)}, hole(8, 0, 7)).cause, "none of them wrote"));
}

TEST_CASE("numbers that fit no pattern get no guess") {
    const WrongElements scattered{100, 3, 5, 70, 0, 0, 0};
    CHECK(guess({launch(1, 128)}, scattered).cause.empty());
    CHECK(guess({launch(1, 128), launch(1, 128)}, hole(256, 128, 255)).cause.empty());
}

TEST_CASE("values that belong to the neighbour are told as a shift") {
    const WrongElements all{10, 9, 0, 8, 0, 0, 0};
    const Failure failure = guess_cause(
        {launch(1, 32)}, all, "out", [](size_t i, size_t other) { return other == i + 1; },
        [](size_t i) { return i < 9; });
    CHECK(has(failure.cause, "shifted by one"));
}

TEST_CASE("causes come before consequences, and advice comes last") {
    std::vector<Finding> findings = {finding("leak", Severity::advice), finding("never-written"),
                                     finding("order-dependent"), finding("oob-global")};
    put_cause_first(findings);
    CHECK(findings[0].kind == "oob-global");
    CHECK(findings[1].kind == "never-written");
    CHECK(findings[2].kind == "order-dependent");
    CHECK(findings[3].kind == "leak");
}

TEST_CASE("a case shows the trial that failed, and the Run the first case that failed") {
    Collector collector;
    collector.begin_case("good");
    collector.add_trial({});
    collector.end_case(true, 0.1);
    collector.begin_case("bad");
    TrialRecord fine, failed;
    fine.output = "fine";
    failed.output = "failed";
    failed.failed = true;
    failed.ending = Ending::timeout;
    failed.findings.push_back(finding("infinite-loop"));
    collector.add_trial(fine);
    collector.add_trial(failed);
    collector.add_trial(fine);
    collector.add_failure({"It never ended.", "Because of the loop.", "Look at line 3."});
    collector.end_case(false, 0.1);
    const Run run = collector.finish();
    CHECK(!run.passed);
    CHECK(run.status == Status::timeout);
    CHECK(run.output == "failed");
    CHECK(run.headline == "It never ended.");
    CHECK(run.next_action == "Look at line 3.");
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings[0].case_index == 1);
    CHECK(run.cases[1].message == "It never ended.\nBecause of the loop.");
}

TEST_CASE("what arrays held stands in the Run up to a bound, with the case that it belongs to") {
    Collector collector;
    for (int i = 0; i < 3; ++i) {
        collector.begin_case("case");
        TrialRecord record;
        for (int k = 0; k < 8; ++k) {
            ArrayValues array;
            array.name = "a";
            array.got = array.expected = std::string(most_array_bytes, 'x');
            record.arrays.push_back(array);
        }
        collector.add_trial(std::move(record));
        collector.end_case(true, 0);
    }
    const Run run = collector.finish();
    size_t bytes = 0;
    for (const ArrayValues& array : run.arrays) bytes += array.got.size() + array.expected.size();
    CHECK(bytes == most_values_bytes);
    CHECK(run.arrays.front().case_index == 0);
}

TEST_CASE("a lesson without cases has not passed") {
    CHECK(!Collector().finish().passed);
}

TEST_CASE("host arrays notice a write on either side") {
    for (const size_t bytes : {size_t{1}, size_t{4}, size_t{40}, size_t{4096}, size_t{4100}}) {
        GuardedArray array(bytes);
        CHECK(array.damaged_side() == nullptr);
        array.data()[0] = array.data()[bytes - 1] = 1;
        CHECK(array.damaged_side() == nullptr);
        if (bytes % 16 != 0) {
            array.data()[bytes] = 1;
            CHECK(array.damaged_side() == std::string("behind"));
            continue;
        }
        if (bytes == 4096) continue;
        array.data()[-1] = 1;
        CHECK(array.damaged_side() == std::string("before"));
    }
}

TEST_SUITE_END();
