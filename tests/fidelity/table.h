// Reads the tables of measurements beside this file.
#pragma once

#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// One line of a CSV file, by the names in its first line. A cell in double quotes may hold commas.
using Row = std::map<std::string, std::string>;

inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return cells;
}

inline std::vector<Row> read_table(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) throw std::runtime_error("there is no table " + path);
    const auto names = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const auto values = cells_of(line);
        Row row;
        for (size_t i = 0; i < names.size() && i < values.size(); ++i) row[names[i]] = values[i];
        rows.push_back(row);
    }
    return rows;
}
