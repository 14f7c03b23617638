// What a run reports while it is under way: written by a forked child, read by others meanwhile.
#include "workbench/record/series.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "scratch.h"
#include "workbench/lessons/text.h"
#include "workbench/record/run.h"

using namespace lab;

TEST_CASE("A child's points are seen by its parent, in their order and by name") {
    SeriesPage page;
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 5; ++i) {
            page.add("loss", float(i), 2.0f / float(i + 1));
            if (i % 2 == 0) page.add("accuracy", float(i), 0.5f);
        }
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    const auto all = page.read();
    REQUIRE(all.size() == 2);
    REQUIRE(find_series(all, "loss"));
    CHECK(find_series(all, "loss")->points.size() == 5);
    CHECK(find_series(all, "loss")->points[1] == SeriesPoint{1, 1});
    CHECK(find_series(all, "accuracy")->points.size() == 3);
    CHECK_FALSE(find_series(all, "los"));
    page.clear();
    CHECK(page.read().empty());
}

TEST_CASE("A page holds no more than it says, and nothing that is no number") {
    SeriesPage page;
    page.add("x", NAN, 1);
    page.add("x", 1, INFINITY);
    CHECK(page.read().empty());
    for (size_t i = 0; i < most_series_points + 10; ++i) page.add("x", float(i), 0);
    for (int i = 0; i < 20; ++i) page.add(("more " + std::to_string(i)).c_str(), 0, 0);
    const auto all = page.read();
    CHECK(all.size() == most_series);
    CHECK(find_series(all, "x")->points.size() == most_series_points);
}

TEST_CASE("Another process reads a page in a file, and a file that is none is empty") {
    const Scratch scratch;
    const auto file = scratch / "live/page";
    CHECK(read_series(file).empty());
    {
        SeriesPage page(file);
        CHECK(read_series(file).empty());
        page.add("loss", 1, 2);
        REQUIRE(read_series(file).size() == 1);
        CHECK(read_series(file)[0].points == std::vector<SeriesPoint>{{1, 2}});
    }
    std::ofstream(file) << "short";
    CHECK(read_series(file).empty());
    std::ofstream(file) << std::string(1 << 20, 'x');
    CHECK(read_series(file).empty());
}

TEST_CASE("A Run keeps the series of its cases") {
    Run run;
    run.series.push_back({"loss", {{0, 2.25f}, {1, -0.5f}}, 3});
    const Run back = from_json(to_json(run));
    REQUIRE(back.series.size() == 1);
    CHECK(back.series[0].name == "loss");
    CHECK(back.series[0].points == run.series[0].points);
    CHECK(back.series[0].case_index == 3);
}

TEST_CASE("An experiment without checks reports while it runs, into the file of --live and into its Run") {
    const Scratch scratch;
    const std::string source = std::getenv("CUDALAB_SOURCE"), out = (scratch / "run.json").string();
    const std::string words = "CUDALAB_HOME='" + source + "' CUDALAB_DATA='" + (scratch / "data").string() +
                              "' CUDALAB_CACHE='" + (scratch / "cache").string() + "' '" +
                              std::getenv("CUDALAB_PROGRAM") +
                              "' try 23 --solution samples=500 epochs=2 --json --live '" +
                              (scratch / "page").string() + "' >" + out;
    REQUIRE(std::system(words.c_str()) == 0);
    const Run run = from_json(read_file(out).value());
    REQUIRE(find_series(run.series, "loss"));
    CHECK(find_series(run.series, "loss")->points.size() == 32);
    CHECK(find_series(run.series, "accuracy")->points.size() == 3);
    const auto live = read_series(scratch / "page");
    REQUIRE(find_series(live, "loss"));
    CHECK(find_series(live, "loss")->points == find_series(run.series, "loss")->points);
    // Kept whole, though it is larger than other arrays may be; and of two thousand launches a few.
    CHECK(std::any_of(run.arrays.begin(), run.arrays.end(), [](const ArrayValues& array) {
        return array.name == "w1" && array.got.size() == 784 * 32 * sizeof(float);
    }));
    CHECK(run.kernels.size() == 64);
}
