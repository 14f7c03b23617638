// The network that lessons look at: its file, and how well it reads.
#include "workbench/data/network.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workbench/data/digits.h"

using namespace lab;

namespace {

LearnedNetwork small() {
    LearnedNetwork network{3, 2, 2, {}, {0.5f, -1}, {}, {0, 3}};
    for (int i = 0; i < 6; ++i) network.w1.push_back(float(i * i - 7));
    for (int i = 0; i < 4; ++i) network.w2.push_back(float(2 - i));
    return network;
}

std::string complaint_about(const std::string& content) {
    try {
        parse_network(content, "here.net");
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

int percent_right(const LearnedNetwork& network, uint64_t seed, int count) {
    int right = 0;
    for (int i = 0; i < count; ++i) {
        const Digit digit = make_digit(seed, uint64_t(i));
        std::vector<float> x;
        for (const uint8_t pixel : digit.pixels) x.push_back(float(pixel) / 255.0f);
        const std::vector<float> logits = logits_of(network, x);
        right += std::max_element(logits.begin(), logits.end()) - logits.begin() == digit.label;
    }
    return 100 * right / count;
}

}  // namespace

TEST_CASE("a network comes back from its file within half a step of each weight") {
    const LearnedNetwork before = small(), after = parse_network(network_content(before), "here.net");
    CHECK(after.in == 3);
    CHECK(after.hidden == 2);
    CHECK(after.out == 2);
    CHECK(after.b1 == before.b1);
    CHECK(after.b2 == before.b2);
    REQUIRE(after.w1.size() == 6);
    for (size_t i = 0; i < 6; ++i) CHECK(std::fabs(after.w1[i] - before.w1[i]) <= 18.0f / 127 / 2 + 1e-6f);
    // ReLU between the layers: 1 -> (-7 + 0.5, -6 - 1) -> (0, 0) -> the last biases.
    CHECK(logits_of(after, {1, 0, 0}) == std::vector<float>{0, 3});
}

TEST_CASE("a network's file that is cut short, too long or of something else is a sentence") {
    const std::string whole = network_content(small());
    CHECK(complaint_about(whole) == "none");
    for (size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        CHECK(complaint_about(whole.substr(0, length)).find("The network here.net ") == 0);
    }
    CHECK(complaint_about(whole + "x").find("goes on behind its end") != std::string::npos);
    CHECK(complaint_about("GIF89a" + whole).find("is no network of cudalab") != std::string::npos);
    std::string huge = whole;
    huge[11] = 0x7f;  // of `in`
    CHECK(complaint_about(huge).find("impossible size") != std::string::npos);
}

TEST_CASE("the network of the lessons is small, and reads digits that it has never seen") {
    const LearnedNetwork network = load_network(find_home(), digit_network);
    CHECK(network.in == 784);
    CHECK(network.hidden == 64);
    CHECK(network.out == 10);
    CHECK(network_content(network).size() < 100000);
    CHECK(percent_right(network, 2, 1000) >= 98);
    CHECK_THROWS_AS(load_network(find_home(), "no_such_network"), std::runtime_error);
}
