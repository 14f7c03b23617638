#include "workbench/data/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "workbench/lessons/text.h"

namespace lab {

namespace {

constexpr std::string_view magic = "cudanet1";
constexpr uint32_t largest = 1 << 16;  // of a layer
constexpr int steps = 127;

// Little endian on every computer.
void put(std::string& to, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(value >> shift & 255);
}

class Reader {
  public:
    Reader(const std::string& content, std::string name) : rest_(content), name_(std::move(name)) {}

    std::string_view take(size_t bytes) {
        if (bytes > rest_.size()) fail("is cut short");
        const std::string_view taken = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return taken;
    }
    uint32_t number() {
        uint32_t value = 0;
        const std::string_view bytes = take(4);
        for (size_t i = 0; i < 4; ++i) value |= uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        return value;
    }
    float real() {
        const float value = std::bit_cast<float>(number());
        if (!std::isfinite(value)) fail("holds a number that is none");
        return value;
    }
    int size() {
        const uint32_t value = number();
        if (value == 0 || value > largest) fail("has a layer of an impossible size");
        return static_cast<int>(value);
    }
    bool at_end() const { return rest_.empty(); }
    [[noreturn]] void fail(const char* what) const {
        throw std::runtime_error(fmt::format(
            "The network {} {}: take it anew from where cudalab came from, or make it with train-network.",
            name_, what));
    }

  private:
    std::string_view rest_;
    std::string name_;
};

void put_layer(std::string& to, const std::vector<float>& w, const std::vector<float>& b) {
    const size_t columns = b.size(), rows = w.size() / columns;
    std::vector<float> scales(columns, 0);
    for (size_t i = 0; i < w.size(); ++i)
        scales[i % columns] = std::max(scales[i % columns], std::fabs(w[i]) / steps);
    for (const float scale : scales) put(to, std::bit_cast<uint32_t>(scale));
    for (size_t i = 0; i < rows * columns; ++i) {
        const float scale = scales[i % columns];
        const long step = scale > 0 ? std::lround(w[i] / scale) : 0;
        to += static_cast<char>(std::clamp<long>(step, -steps, steps));
    }
    for (const float bias : b) put(to, std::bit_cast<uint32_t>(bias));
}

void read_layer(Reader& reader, int rows, int columns, std::vector<float>& w, std::vector<float>& b) {
    std::vector<float> scales;
    for (int c = 0; c < columns; ++c) scales.push_back(reader.real());
    const std::string_view weights = reader.take(static_cast<size_t>(rows) * static_cast<size_t>(columns));
    for (size_t i = 0; i < weights.size(); ++i)
        w.push_back(static_cast<float>(static_cast<signed char>(weights[i])) * scales[i % scales.size()]);
    for (int c = 0; c < columns; ++c) b.push_back(reader.real());
}

std::vector<float> layer_of(const std::vector<float>& x, const std::vector<float>& w,
                            const std::vector<float>& b) {
    std::vector<float> y = b;
    for (size_t k = 0; k < x.size(); ++k) {
        if (x[k] == 0) continue;
        for (size_t c = 0; c < y.size(); ++c) y[c] += x[k] * w[k * y.size() + c];
    }
    return y;
}

}  // namespace

LearnedNetwork parse_network(const std::string& content, const std::string& name) {
    Reader reader(content, name);
    if (content.size() < magic.size() || reader.take(magic.size()) != magic)
        reader.fail("is no network of cudalab");
    LearnedNetwork network;
    network.in = reader.size();
    network.hidden = reader.size();
    network.out = reader.size();
    read_layer(reader, network.in, network.hidden, network.w1, network.b1);
    read_layer(reader, network.hidden, network.out, network.w2, network.b2);
    if (!reader.at_end()) reader.fail("goes on behind its end");
    return network;
}

std::string network_content(const LearnedNetwork& network) {
    std::string content(magic);
    for (const int size : {network.in, network.hidden, network.out})
        put(content, static_cast<uint32_t>(size));
    put_layer(content, network.w1, network.b1);
    put_layer(content, network.w2, network.b2);
    return content;
}

LearnedNetwork load_network(const Home& home, const std::string& name) {
    const auto file = home.content / "assets" / "networks" / (name + ".net");
    const auto content = read_file(file);
    if (!content)
        throw std::runtime_error(
            fmt::format("There is no network {}: take it anew from where cudalab came from.", file.string()));
    return parse_network(*content, file.string());
}

std::vector<float> logits_of(const LearnedNetwork& network, const std::vector<float>& x) {
    std::vector<float> hidden = layer_of(x, network.w1, network.b1);
    for (float& value : hidden) value = std::max(value, 0.0f);
    return layer_of(hidden, network.w2, network.b2);
}

}  // namespace lab
