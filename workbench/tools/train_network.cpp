// train-network FILE [MNIST FOLDER]: makes the network of assets/networks from generated digits, and says how well it
// does. Plain stochastic gradient descent on the CPU; the same seeds give the same file with the same compiler.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <numeric>
#include <vector>

#include "workbench/data/dataset.h"
#include "workbench/data/digits.h"
#include "workbench/data/network.h"
#include "workbench/lessons/text.h"

namespace lab {

namespace {

constexpr int inputs = 784, hidden = 64, outputs = 10;
constexpr int pictures = 60000, epochs = 12, batch = 32;
constexpr uint64_t seed_of_pictures = 1;

class Random {
  public:
    uint32_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<uint32_t>(state_ >> 32);
    }
    float between(float low, float high) { return low + (high - low) * float(next() >> 8) / 16777216.0f; }

  private:
    uint64_t state_ = 0x9e3779b97f4a7c15u;
};

LearnedNetwork first_network(Random& random) {
    LearnedNetwork net{inputs, hidden, outputs, {}, {}, {}, {}};
    const auto fill = [&](std::vector<float>& w, int rows, int columns) {
        const float reach = std::sqrt(6.0f / float(rows));
        for (int i = 0; i < rows * columns; ++i) w.push_back(random.between(-reach, reach));
    };
    fill(net.w1, inputs, hidden);
    fill(net.w2, hidden, outputs);
    net.b1.assign(hidden, 0);
    net.b2.assign(outputs, 0);
    return net;
}

std::vector<float> inputs_of(const Pictures& set, int i) {
    std::vector<float> x;
    for (const uint8_t pixel : set.picture(i)) x.push_back(float(pixel) / 255.0f);
    return x;
}

// A picture turned, leaned, stretched, moved and inked a little otherwise, so that the network learns the digit and not
// the hand of the generator.
std::vector<float> varied(const std::vector<float>& x, Random& random) {
    constexpr float middle = 13.5f;
    const float turn = random.between(-0.25f, 0.25f), lean = random.between(-0.2f, 0.2f);
    const float wide = random.between(0.8f, 1.2f), high = random.between(0.85f, 1.15f);
    const float right = random.between(-1.5f, 1.5f), down = random.between(-1.5f, 1.5f);
    const float ink = random.between(0.6f, 1.7f);
    const auto pixel = [&](int column, int row) {
        const bool inside = column >= 0 && row >= 0 && column < 28 && row < 28;
        return inside ? x[size_t(row * 28 + column)] : 0.0f;
    };
    std::vector<float> result(inputs);
    for (int row = 0; row < 28; ++row)
        for (int column = 0; column < 28; ++column) {
            const float cx = (float(column) - middle) / wide, cy = (float(row) - middle) / high;
            const float sx = std::cos(turn) * cx - std::sin(turn) * cy + lean * cy + middle + right;
            const float sy = std::sin(turn) * cx + std::cos(turn) * cy + middle + down;
            const int left = int(std::floor(sx)), top = int(std::floor(sy));
            const float fx = sx - float(left), fy = sy - float(top);
            const float value = (pixel(left, top) * (1 - fx) + pixel(left + 1, top) * fx) * (1 - fy) +
                                (pixel(left, top + 1) * (1 - fx) + pixel(left + 1, top + 1) * fx) * fy;
            result[size_t(row * 28 + column)] = std::pow(value, ink);
        }
    return result;
}

struct Gradient {
    std::vector<float> w1 = std::vector<float>(inputs * hidden), b1 = std::vector<float>(hidden);
    std::vector<float> w2 = std::vector<float>(hidden * outputs), b2 = std::vector<float>(outputs);
};

void add_gradient(const LearnedNetwork& net, const std::vector<float>& x, int label, Gradient& sum) {
    std::vector<float> h = net.b1;
    for (size_t k = 0; k < inputs; ++k)
        if (x[k] != 0)
            for (size_t j = 0; j < hidden; ++j) h[j] += x[k] * net.w1[k * hidden + j];
    for (float& value : h) value = std::max(value, 0.0f);
    std::vector<float> p = net.b2;
    for (size_t j = 0; j < hidden; ++j)
        for (size_t c = 0; c < outputs; ++c) p[c] += h[j] * net.w2[j * outputs + c];
    const float most = *std::max_element(p.begin(), p.end());
    for (float& value : p) value = std::exp(value - most);
    const float all = std::accumulate(p.begin(), p.end(), 0.0f);
    for (float& value : p) value /= all;
    p[size_t(label)] -= 1;
    for (size_t c = 0; c < outputs; ++c) sum.b2[c] += p[c];
    std::vector<float> back(hidden, 0);
    for (size_t j = 0; j < hidden; ++j) {
        if (h[j] == 0) continue;
        for (size_t c = 0; c < outputs; ++c) {
            back[j] += p[c] * net.w2[j * outputs + c];
            sum.w2[j * outputs + c] += h[j] * p[c];
        }
        sum.b1[j] += back[j];
    }
    for (size_t k = 0; k < inputs; ++k)
        if (x[k] != 0)
            for (size_t j = 0; j < hidden; ++j) sum.w1[k * hidden + j] += x[k] * back[j];
}

void step(std::vector<float>& values, const std::vector<float>& gradient, float rate, float decay) {
    for (size_t i = 0; i < values.size(); ++i) values[i] -= rate * gradient[i] / batch + decay * values[i];
}

double percent_right(const LearnedNetwork& net, const Pictures& set) {
    int right = 0;
    for (int i = 0; i < set.count(); ++i) {
        const std::vector<float> logits = logits_of(net, inputs_of(set, i));
        right += std::max_element(logits.begin(), logits.end()) - logits.begin() == set.labels[size_t(i)];
    }
    return 100.0 * right / set.count();
}

LearnedNetwork train(const Pictures& set) {
    Random random;
    LearnedNetwork net = first_network(random);
    std::vector<int> order(size_t(set.count()));
    std::iota(order.begin(), order.end(), 0);
    for (int epoch = 0; epoch < epochs; ++epoch) {
        for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
        const float rate = 0.15f * (1 - float(epoch) / epochs) + 0.005f;
        for (size_t at = 0; at + batch <= order.size(); at += batch) {
            Gradient sum;
            for (size_t i = at; i < at + batch; ++i)
                add_gradient(net, varied(inputs_of(set, order[i]), random), set.labels[size_t(order[i])],
                             sum);
            // A weight that no picture asks for shrinks: what is left can be looked at.
            step(net.w1, sum.w1, rate, 2e-4f * rate);
            step(net.w2, sum.w2, rate, 2e-4f * rate);
            step(net.b1, sum.b1, rate, 0);
            step(net.b2, sum.b2, rate, 0);
        }
        fmt::print("epoch {}: {:.2f} % of the pictures it learns from\n", epoch + 1, percent_right(net, set));
    }
    return net;
}

int run(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: train-network FILE [FOLDER WITH MNIST'S FILES]\n");
        return 2;
    }
    const Dataset digits = make_digits(seed_of_pictures, pictures, 10000);
    write_file(argv[1], network_content(train(digits.train)));
    const LearnedNetwork net = parse_network(read_file(argv[1]).value(), argv[1]);
    fmt::print("generated test digits: {:.2f} %\n", percent_right(net, digits.test));
    if (argc > 2)
        fmt::print("MNIST's test digits: {:.2f} %\n", percent_right(net, read_dataset(argv[2]).test));
    return 0;
}

}  // namespace

}  // namespace lab

int main(int argc, char** argv) {
    try {
        return lab::run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
