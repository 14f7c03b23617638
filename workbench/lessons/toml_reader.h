// Reads one TOML text with every complaint as a sentence that names file and line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace lab {

// Where a TOML text stands: line_offset lines of the file come before it.
struct TomlPlace {
    std::string file;
    int line_offset = 0;
    std::vector<std::string>* problems = nullptr;
};

// Nothing (and a problem) when the text is no TOML.
bool parse_toml(const TomlPlace& place, std::string_view text, toml::table& table);

class TomlReader {
  public:
    TomlReader(const TomlPlace& place, const toml::table& table, std::string what);

    bool has(const char* key) const { return table_.contains(key); }
    int line() const;  // in the file
    void complain(const std::string& sentence) const { complain_at(line(), sentence); }

    std::string text(const char* key, bool required);
    std::string scalar(const char* key, bool required);  // text, number or boolean, as text
    double number(const char* key, bool required, double otherwise = 0);
    int integer(const char* key, bool required, int otherwise, int low, int high);
    bool boolean(const char* key, bool otherwise);
    std::vector<std::string> texts(const char* key, bool required);
    std::vector<int> integers(const char* key);  // may be left out
    std::vector<TomlReader> tables(const char* key);
    std::optional<TomlReader> table(const char* key);  // may be left out
    std::vector<std::pair<std::string, std::string>> pairs(const char* key);
    std::vector<std::pair<std::string, std::string>> rest();  // keys that nobody asked for, as text

    void reject_unknown();  // complains about keys that nobody asked for

  private:
    const toml::node* find(const char* key, bool required);
    void complain_at(int line, const std::string& sentence) const;
    int line_of(const toml::node& node) const;

    TomlPlace place_;
    const toml::table& table_;
    std::string what_;  // "the front matter", "a quiz": how a complaint calls it
    std::vector<std::string> known_;
};

}  // namespace lab
