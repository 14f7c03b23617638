#include "workbench/lessons/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace lab {

namespace {

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
    return value;
}

std::string stops_of(const Slider& slider) {
    if (!slider.words.empty()) {
        std::string stops;
        for (size_t i = 0; i < slider.words.size(); ++i) {
            const int value = slider.values.empty() ? slider.from + int(i) : slider.values[i];
            stops += fmt::format("{}{}: {}", i == 0 ? "" : ", ", value, slider.words[i]);
        }
        return stops;
    }
    if (slider.values.empty()) return fmt::format("{} to {}", slider.from, slider.to);
    return fmt::format("{}", fmt::join(slider.values, ", "));
}

// "n (1 to 2000), block (1, 2, 4) and grid (as in grid=2 or grid=2x1)"
std::string all_sliders(const Lesson& lesson) {
    std::string list;
    for (const Slider& slider : lesson.sliders)
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", slider.name, stops_of(slider));
    return list + " and grid (as in grid=2 or grid=2x1)";
}

[[noreturn]] void refuse(const Lesson& lesson, const std::string& why) {
    throw std::runtime_error(
        fmt::format("{} Lesson {:02} has the sliders {}.", why, lesson.number, all_sliders(lesson)));
}

void set_grid(const Lesson& lesson, Experiment& experiment, const std::string& value) {
    unsigned long long blocks = 1;
    size_t dimension = 0, start = 0;
    bool right = true;
    while (right && start <= value.size() && dimension < 3) {
        const size_t end = std::min(value.find('x', start), value.size());
        const std::string_view part = std::string_view(value).substr(start, end - start);
        const auto number = part == "*" ? 0 : whole_number(part);
        right = part == "*" || (number && *number >= 1 && unsigned(*number) <= most_tried_blocks);
        if (right) blocks *= std::max(1u, experiment.grid[dimension++] = unsigned(*number));
        start = end + 1;
    }
    if (!right || start <= value.size())
        refuse(lesson,
               fmt::format("`{}` is no grid: write grid=2 or grid=2x1, with 1 block or more (* leaves "
                           "a dimension as launched).",
                           value));
    if (blocks > most_tried_blocks)
        refuse(lesson, fmt::format("A grid of {} blocks is too large to try; {} in all is the most.", value,
                                   most_tried_blocks));
}

void set_drawing(const Lesson& lesson, Experiment& experiment, const Drawing& drawing,
                 const std::string& value) {
    const auto bytes = bytes_of_hex(value);
    if (!bytes || bytes->size() != drawing.bytes())
        refuse(lesson,
               fmt::format("The drawing `{}` is {} by {} bytes, two hexadecimal digits each: {} digits and "
                           "nothing else.",
                           drawing.name, drawing.width, drawing.height, 2 * drawing.bytes()));
    experiment.drawings[drawing.name] = *bytes;
}

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

std::optional<std::string> bytes_of_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return {};
    std::string bytes;
    for (size_t i = 0; i < digits.size(); i += 2) {
        const int high = digit_of(digits[i]), low = digit_of(digits[i + 1]);
        if (high < 0 || low < 0) return {};
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

std::string hex_of(std::string_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string Slider::word(int value) const {
    const auto stop = std::find(values.begin(), values.end(), value);
    const auto at = values.empty() ? std::ptrdiff_t{value} - from : stop - values.begin();
    return at >= 0 && size_t(at) < words.size() ? words[size_t(at)] : std::to_string(value);
}

Experiment experiment_at_start(const Lesson& lesson) {
    Experiment experiment;
    for (const Slider& slider : lesson.sliders) experiment.settings[slider.name] = slider.start;
    return experiment;
}

Experiment read_experiment(const Lesson& lesson, const std::vector<std::string>& words) {
    if (lesson.sliders.empty())
        throw std::runtime_error(
            fmt::format("Lesson {:02} has no sliders: there is nothing to try.", lesson.number));
    Experiment experiment = experiment_at_start(lesson);
    for (const std::string& word : words) {
        const size_t equals = word.find('=');
        if (equals == std::string::npos)
            refuse(lesson, fmt::format("`{}` sets nothing: write NAME=NUMBER.", word));
        const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
        if (name == "grid") {
            set_grid(lesson, experiment, value);
            continue;
        }
        const auto drawing = std::find_if(lesson.drawings.begin(), lesson.drawings.end(),
                                          [&](const Drawing& d) { return d.name == name; });
        if (drawing != lesson.drawings.end()) {
            set_drawing(lesson, experiment, *drawing, value);
            continue;
        }
        const auto slider = std::find_if(lesson.sliders.begin(), lesson.sliders.end(),
                                         [&](const Slider& s) { return s.name == name; });
        if (slider == lesson.sliders.end()) refuse(lesson, fmt::format("There is no slider `{}`.", name));
        const auto number = whole_number(value);
        if (!number) refuse(lesson, fmt::format("`{}` is no whole number for {}.", value, name));
        const bool stop = slider->values.empty() || std::find(slider->values.begin(), slider->values.end(),
                                                              *number) != slider->values.end();
        if (*number < slider->from || *number > slider->to || !stop)
            refuse(lesson, fmt::format("{} can't be {}.", name, *number));
        experiment.settings[name] = *number;
    }
    return experiment;
}

std::vector<std::string> words_of(const Experiment& experiment) {
    std::vector<std::string> words;
    for (const auto& [name, value] : experiment.settings) words.push_back(fmt::format("{}={}", name, value));
    for (const auto& [name, bytes] : experiment.drawings) words.push_back(name + "=" + hex_of(bytes));
    if (!experiment.overrides_grid()) return words;
    std::string grid;
    const size_t dimensions = experiment.grid[2] != 0 ? 3 : experiment.grid[1] != 0 ? 2 : 1;
    for (size_t i = 0; i < dimensions; ++i)
        grid += (i == 0 ? "" : "x") + (experiment.grid[i] == 0 ? "*" : std::to_string(experiment.grid[i]));
    words.push_back("grid=" + grid);
    return words;
}

std::string describe(const Lesson& lesson, const Experiment& experiment) {
    std::string text;
    for (const Slider& slider : lesson.sliders) {
        const auto found = experiment.settings.find(slider.name);
        const int value = found == experiment.settings.end() ? slider.start : found->second;
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", slider.name, slider.word(value));
    }
    for (const auto& [name, bytes] : experiment.drawings) text += fmt::format(", {} as drawn", name);
    if (!experiment.overrides_grid()) return text;
    const std::string grid = words_of({{}, {}, experiment.grid}).front();
    return text + ", grid = " + grid.substr(grid.find('=') + 1);
}

}  // namespace lab
