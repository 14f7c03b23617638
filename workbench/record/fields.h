// Reading JSON that nobody vouches for: a field that is missing, or of another type, is what the caller says instead.
// Internal to workbench/record.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lab::fields {

using json = nlohmann::ordered_json;

inline std::string text(const json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
}

inline double real(const json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_number() ? found->get<double>() : 0.0;
}

inline bool truth(const json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_boolean() && found->get<bool>();
}

inline int64_t integer(const json& record, const char* key, int64_t otherwise = 0) {
    const auto found = record.find(key);
    if (found == record.end()) return otherwise;
    if (found->is_number_integer()) return found->get<int64_t>();
    if (!found->is_number()) return otherwise;
    const double value = found->get<double>();
    return std::fabs(value) < 9e15 ? static_cast<int64_t>(value) : otherwise;
}

// What fits an int.
inline int small(const json& record, const char* key, int otherwise = 0) {
    const int64_t value = integer(record, key, otherwise);
    constexpr int64_t most = (int64_t{1} << 31) - 1;
    return value >= -most && value <= most ? static_cast<int>(value) : otherwise;
}

// The objects of a list, each through `convert`; what is no object is left out.
template <class Convert>
auto list(const json& record, const char* key, Convert convert) {
    std::vector<decltype(convert(record))> all;
    const auto found = record.find(key);
    if (found == record.end() || !found->is_array()) return all;
    for (const auto& entry : *found)
        if (entry.is_object()) all.push_back(convert(entry));
    return all;
}

}  // namespace lab::fields
