#include "workbench/lessons/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab {

namespace {

std::string scalar_text(const toml::node& node) {
    if (const auto* s = node.as_string()) return s->get();
    if (const auto* i = node.as_integer()) return fmt::format("{}", i->get());
    if (const auto* d = node.as_floating_point()) return fmt::format("{}", d->get());
    if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
    return {};
}

bool is_scalar(const toml::node& node) {
    return node.is_string() || node.is_integer() || node.is_floating_point() || node.is_boolean();
}

// Where the string ends that begins at `from`: one past its closing quotes, at the end of the line where a string of
// one line has none, or at the end of the text.
size_t end_of_string(std::string_view text, size_t from) {
    const char quote = text[from];
    const std::string three(3, quote);
    const bool is_long = text.substr(from, 3) == three;
    for (size_t i = from + (is_long ? 3 : 1); i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"') {
            ++i;
        } else if (is_long) {
            if (text.substr(i, 3) == three) return i + 3;
        } else if (text[i] == quote) {
            return i + 1;
        } else if (text[i] == '\n') {
            return i;
        }
    }
    return text.size();
}

// The line, from 1, of the first byte that is no ASCII and stands outside of quotes and comments; 0: there is none.
int foreign_line(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        if (text[i] == '#') {
            i = std::min(text.find('\n', i), text.size());
        } else if (text[i] == '"' || text[i] == '\'') {
            i = end_of_string(text, i);
        } else if (static_cast<unsigned char>(text[i]) >= 0x80) {
            return 1 +
                   static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(i), '\n'));
        } else {
            ++i;
        }
    }
    return 0;
}

}  // namespace

bool parse_toml(const TomlPlace& place, std::string_view text, toml::table& table) {
    // toml++ 3.4 takes the letters U+00A1 to U+0499 for impossible where it looks for blanks.
    if (const int line = foreign_line(text); line != 0) {
        place.problems->push_back(
            fmt::format("{}:{}: this is no TOML: outside of quotes and comments it has plain ASCII "
                        "letters only. Put the text in quotes.",
                        place.file, place.line_offset + line));
        return false;
    }
    try {
        table = toml::parse(text);
        return true;
    } catch (const toml::parse_error& error) {
        place.problems->push_back(fmt::format("{}:{}: this is no TOML: {}.", place.file,
                                              place.line_offset + int(error.source().begin.line),
                                              error.description()));
        return false;
    }
}

TomlReader::TomlReader(const TomlPlace& place, const toml::table& table, std::string what)
    : place_(place), table_(table), what_(std::move(what)) {}

int TomlReader::line_of(const toml::node& node) const {
    return place_.line_offset + std::max(1, int(node.source().begin.line));
}

int TomlReader::line() const {
    return line_of(table_);
}

void TomlReader::complain_at(int line, const std::string& sentence) const {
    place_.problems->push_back(fmt::format("{}:{}: {}", place_.file, line, sentence));
}

const toml::node* TomlReader::find(const char* key, bool required) {
    known_.push_back(key);
    const toml::node* node = table_.get(key);
    if (!node && required) complain(fmt::format("{} has no `{}`; add it.", what_, key));
    return node;
}

std::string TomlReader::text(const char* key, bool required) {
    const toml::node* node = find(key, required);
    if (!node) return {};
    const auto* value = node->as_string();
    if (!value) {
        complain_at(line_of(*node), fmt::format("`{}` of {} must be text in quotes.", key, what_));
        return {};
    }
    if (required && value->get().empty())
        complain_at(line_of(*node), fmt::format("`{}` of {} is empty; fill it in.", key, what_));
    return value->get();
}

std::string TomlReader::scalar(const char* key, bool required) {
    const toml::node* node = find(key, required);
    if (!node) return {};
    if (!is_scalar(*node))
        complain_at(line_of(*node), fmt::format("`{}` of {} must be a number or text.", key, what_));
    return scalar_text(*node);
}

double TomlReader::number(const char* key, bool required, double otherwise) {
    const toml::node* node = find(key, required);
    if (!node) return otherwise;
    const auto value = node->is_string() ? std::optional<double>() : node->value<double>();
    if (value) return *value;
    complain_at(line_of(*node), fmt::format("`{}` of {} must be a number.", key, what_));
    return otherwise;
}

int TomlReader::integer(const char* key, bool required, int otherwise, int low, int high) {
    const toml::node* node = find(key, required);
    if (!node) return otherwise;
    const auto* value = node->as_integer();
    if (value && value->get() >= low && value->get() <= high) return int(value->get());
    complain_at(line_of(*node),
                fmt::format("`{}` of {} must be a whole number from {} to {}.", key, what_, low, high));
    return otherwise;
}

bool TomlReader::boolean(const char* key, bool otherwise) {
    const toml::node* node = find(key, false);
    if (!node) return otherwise;
    if (const auto* value = node->as_boolean()) return value->get();
    complain_at(line_of(*node), fmt::format("`{}` of {} must be true or false.", key, what_));
    return otherwise;
}

std::vector<std::string> TomlReader::texts(const char* key, bool required) {
    std::vector<std::string> found;
    const toml::node* node = find(key, required);
    if (!node) return found;
    const auto* array = node->as_array();
    if (!array) {
        complain_at(line_of(*node),
                    fmt::format("`{}` of {} must be a list of texts: [\"...\"].", key, what_));
        return found;
    }
    for (const toml::node& item : *array) {
        if (const auto* value = item.as_string()) {
            found.push_back(value->get());
        } else {
            complain_at(line_of(item),
                        fmt::format("`{}` of {} holds something that is no text.", key, what_));
        }
    }
    if (required && found.empty())
        complain_at(line_of(*node), fmt::format("`{}` of {} is empty; fill it in.", key, what_));
    return found;
}

std::vector<int> TomlReader::integers(const char* key) {
    std::vector<int> found;
    const toml::node* node = find(key, false);
    if (!node) return found;
    const auto* array = node->as_array();
    bool right = array != nullptr;
    for (size_t i = 0; right && i < array->size(); ++i) {
        const auto* value = (*array)[i].as_integer();
        right = value && value->get() >= -1000000000 && value->get() <= 1000000000;
        if (right) found.push_back(static_cast<int>(value->get()));
    }
    if (!right)
        complain_at(line_of(*node), fmt::format("`{}` of {} must be a list of whole numbers.", key, what_));
    return found;
}

std::vector<TomlReader> TomlReader::tables(const char* key) {
    std::vector<TomlReader> found;
    const toml::node* node = find(key, false);
    if (!node) return found;
    const auto* array = node->as_array();
    if (!array) {
        complain_at(line_of(*node), fmt::format("`{0}` of {1} must be written [[{0}]].", key, what_));
        return found;
    }
    for (const toml::node& item : *array) {
        if (const auto* table = item.as_table()) {
            found.emplace_back(place_, *table, fmt::format("a [[{}]]", key));
        } else {
            complain_at(line_of(item), fmt::format("`{0}` of {1} must be written [[{0}]].", key, what_));
        }
    }
    return found;
}

std::optional<TomlReader> TomlReader::table(const char* key) {
    const toml::node* node = find(key, false);
    if (!node) return {};
    if (const auto* table = node->as_table()) return TomlReader(place_, *table, fmt::format("[{}]", key));
    complain_at(line_of(*node), fmt::format("`{0}` of {1} must be written [{0}].", key, what_));
    return {};
}

std::vector<std::pair<std::string, std::string>> TomlReader::pairs(const char* key) {
    std::vector<std::pair<std::string, std::string>> found;
    const toml::node* node = find(key, false);
    if (!node) return found;
    const auto* array = node->as_array();
    const std::string want =
        fmt::format("`{}` of {} must be a list of pairs: [[\"find\", \"replace\"]].", key, what_);
    if (!array) {
        complain_at(line_of(*node), want);
        return found;
    }
    for (const toml::node& item : *array) {
        const auto* pair = item.as_array();
        const bool right = pair && pair->size() == 2 && (*pair)[0].is_string() && (*pair)[1].is_string();
        if (right) {
            found.emplace_back((*pair)[0].as_string()->get(), (*pair)[1].as_string()->get());
        } else {
            complain_at(line_of(item), want);
        }
    }
    return found;
}

std::vector<std::pair<std::string, std::string>> TomlReader::rest() {
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& [key, node] : table_) {
        const std::string name(key.str());
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        known_.push_back(name);
        if (is_scalar(node)) {
            found.emplace_back(name, scalar_text(node));
        } else {
            complain_at(line_of(node), fmt::format("`{}` of {} must be a number or text.", name, what_));
        }
    }
    return found;
}

void TomlReader::reject_unknown() {
    for (const auto& [key, node] : table_) {
        const std::string name(key.str());
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        complain_at(line_of(node),
                    fmt::format("{} knows no `{}`; it may hold {}.", what_, name, fmt::join(known_, ", ")));
    }
}

}  // namespace lab
