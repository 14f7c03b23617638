// Run <-> JSON. The reader takes any text and never trusts a length or a type.
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "workbench/record/fields.h"
#include "workbench/record/run.h"

namespace lab {

namespace {

using namespace fields;

constexpr std::pair<Status, const char*> kStatusNames[] = {
    {Status::ok, "ok"},           {Status::failed, "failed"},   {Status::findings, "findings"},
    {Status::crashed, "crashed"}, {Status::timeout, "timeout"}, {Status::compile_error, "compile_error"},
};

// ---- writing
// -------------------------------------------------------------------------------------------------

json number(double value) {
    const bool whole = std::floor(value) == value && std::fabs(value) < 9e15;
    return whole ? json(static_cast<int64_t>(value)) : json(value);
}

json from_dim(const Dim3& d) {
    return json::array({d.x, d.y, d.z});
}

void put_place(json& record, const Place& at) {
    record["file"] = at.file;
    record["line"] = at.line;
    record["column"] = at.column;
}

json from_metrics(const Metrics& metrics) {
    json record = json::object();
    for (const auto& [name, value] : metrics) record[name] = number(value);
    return record;
}

json from_other(const OtherParty& other) {
    json record;
    record["action"] = other.action;
    put_place(record, other.at);
    if (other.block) record["block"] = from_dim(*other.block);
    if (other.thread) record["thread"] = from_dim(*other.thread);
    return record;
}

json from_finding(const Finding& finding) {
    json record;
    record["kind"] = finding.kind;
    record["severity"] = name_of(finding.severity);
    put_place(record, finding.at);
    if (finding.block) record["block"] = from_dim(*finding.block);
    if (finding.thread) record["thread"] = from_dim(*finding.thread);
    record["message"] = finding.message;
    record["fix"] = finding.fix;
    if (!finding.buffer.empty()) record["buffer"] = finding.buffer;
    if (finding.element >= 0) record["element"] = finding.element;
    if (finding.last_element >= 0) record["last_element"] = finding.last_element;
    record["count"] = finding.count;
    if (finding.launch >= 0) record["launch"] = finding.launch;
    if (finding.case_index >= 0) record["case"] = finding.case_index;
    if (finding.other) record["other"] = from_other(*finding.other);
    return record;
}

json from_device(const DeviceLimits& device) {
    json record{{"name", device.name},
                {"max_block", from_dim(device.max_block)},
                {"max_grid", from_dim(device.max_grid)}};
    record["limits"] = from_metrics(device.limits);
    if (device.case_index >= 0) record["case"] = device.case_index;
    return record;
}

json from_goal(const GoalResult& one) {
    json record = {{"case", one.goal.case_name},
                   {"kernel", one.goal.kernel},
                   {"metric", one.goal.metric},
                   {one.goal.at_least ? "at_least" : "at_most", number(one.goal.bound)},
                   {"reached", one.reached()}};
    if (one.value) record["value"] = number(*one.value);
    return record;
}

json from_second(const SecondVerdict& second) {
    return {{"device", second.device}, {"passed", second.passed}, {"headline", second.headline},
            {"cases", second.cases},   {"failed", second.failed}, {"seconds", number(second.seconds)}};
}

json from_buffer(const Buffer& buffer) {
    json record;
    record["name"] = buffer.name;
    record["space"] = buffer.space;
    record["address"] = buffer.address;
    record["bytes"] = buffer.bytes;
    record["element_bytes"] = buffer.element_bytes;
    put_place(record, buffer.at);
    if (buffer.case_index >= 0) record["case"] = buffer.case_index;
    return record;
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(const std::string& bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t group = 0;
        for (size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k)
            text += i + k > bytes.size() ? '=' : kBase64[group >> (18 - 6 * k) & 63];
    }
    return text;
}

json from_array(const ArrayValues& array) {
    json record;
    record["name"] = array.name;
    record["role"] = array.role;
    record["element_bytes"] = array.element_bytes;
    if (array.columns != 0) record["columns"] = array.columns;
    record["got"] = to_base64(array.got);
    const bool same = !array.got.empty() && array.got == array.expected;
    if (same) record["as_expected"] = true;
    if (!same && !array.expected.empty()) record["expected"] = to_base64(array.expected);
    if (!array.wrong.empty()) record["wrong"] = to_base64(array.wrong);
    if (array.case_index >= 0) record["case"] = array.case_index;
    return record;
}

json from_series(const Series& series) {
    json record;
    record["name"] = series.name;
    const size_t bytes = series.points.size() * sizeof(SeriesPoint);
    record["points"] = to_base64(std::string(reinterpret_cast<const char*>(series.points.data()), bytes));
    if (series.case_index >= 0) record["case"] = series.case_index;
    return record;
}

json from_kernel(const Kernel& kernel) {
    json record;
    record["name"] = kernel.name;
    put_place(record, kernel.at);
    record["grid"] = from_dim(kernel.grid);
    record["block"] = from_dim(kernel.block);
    if (kernel.asked_grid) record["asked_grid"] = from_dim(*kernel.asked_grid);
    record["shared_bytes"] = kernel.shared_bytes;
    record["status"] = kernel.status;
    record["error"] = kernel.error;
    record["metrics"] = from_metrics(kernel.metrics);
    record["lines"] = json::array();
    for (const auto& cost : kernel.lines) {
        json line;
        put_place(line, cost.at);
        line["metrics"] = from_metrics(cost.metrics);
        if (!cost.cost.empty()) line["cost"] = cost.cost;
        record["lines"].push_back(std::move(line));
    }
    record["launch"] = kernel.launch;
    if (kernel.case_index >= 0) record["case"] = kernel.case_index;
    return record;
}

json from_case(const Case& one) {
    return {{"name", one.name},
            {"passed", one.passed},
            {"message", one.message},
            {"seconds", one.seconds},
            {"trace", one.trace}};
}

json from_diagnostic(const Diagnostic& diagnostic) {
    json record;
    record["level"] = diagnostic.level;
    put_place(record, diagnostic.at);
    record["message"] = diagnostic.message;
    record["plain"] = diagnostic.plain;
    record["source_line"] = diagnostic.source_line;
    return record;
}

template <class T, class F>
json from_list(const std::vector<T>& list, F convert) {
    json array = json::array();
    for (const auto& entry : list) array.push_back(convert(entry));
    return array;
}

// ---- reading
// -------------------------------------------------------------------------------------------------

std::optional<Dim3> to_dim(const json& record, const char* key) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_array() || found->size() != 3) return std::nullopt;
    unsigned parts[3];
    for (size_t i = 0; i < 3; ++i) {
        if (!(*found)[i].is_number_integer()) return std::nullopt;
        parts[i] = (*found)[i].get<unsigned>();
    }
    return Dim3{parts[0], parts[1], parts[2]};
}

Place to_place(const json& record) {
    return {text(record, "file"), static_cast<int>(integer(record, "line")),
            static_cast<int>(integer(record, "column"))};
}

Metrics to_metrics(const json& record, const char* key = "metrics") {
    Metrics metrics;
    const auto found = record.find(key);
    if (found == record.end() || !found->is_object()) return metrics;
    for (const auto& [name, value] : found->items()) {
        if (value.is_number()) metrics[name] = value.get<double>();
    }
    return metrics;
}

OtherParty to_other(const json& record) {
    return {text(record, "action"), to_place(record), to_dim(record, "block"), to_dim(record, "thread")};
}

Finding to_finding(const json& record) {
    Finding finding;
    finding.kind = text(record, "kind");
    finding.severity = text(record, "severity") == "advice" ? Severity::advice : Severity::error;
    finding.message = text(record, "message");
    finding.fix = text(record, "fix");
    finding.at = to_place(record);
    finding.block = to_dim(record, "block");
    finding.thread = to_dim(record, "thread");
    finding.buffer = text(record, "buffer");
    finding.element = integer(record, "element", -1);
    finding.last_element = integer(record, "last_element", finding.element);
    finding.count = static_cast<uint64_t>(integer(record, "count", 1));
    finding.launch = static_cast<int>(integer(record, "launch", -1));
    finding.case_index = static_cast<int>(integer(record, "case", -1));
    const auto other = record.find("other");
    if (other != record.end() && other->is_object()) finding.other = to_other(*other);
    return finding;
}

DeviceLimits to_device(const json& record) {
    DeviceLimits device;
    device.name = text(record, "name");
    device.max_block = to_dim(record, "max_block").value_or(Dim3{});
    device.max_grid = to_dim(record, "max_grid").value_or(Dim3{});
    device.limits = to_metrics(record, "limits");
    device.case_index = static_cast<int>(integer(record, "case", -1));
    return device;
}

GoalResult to_goal(const json& record) {
    GoalResult one;
    one.goal = {text(record, "case"), text(record, "kernel"), text(record, "metric"), 0,
                record.contains("at_least")};
    one.goal.bound = real(record, one.goal.at_least ? "at_least" : "at_most");
    if (const auto value = record.find("value"); value != record.end() && value->is_number())
        one.value = value->get<double>();
    return one;
}

SecondVerdict to_second(const json& record) {
    SecondVerdict second;
    second.device = text(record, "device");
    second.passed = truth(record, "passed");
    second.headline = text(record, "headline");
    second.cases = static_cast<size_t>(std::max<int64_t>(0, integer(record, "cases")));
    second.failed = static_cast<size_t>(std::max<int64_t>(0, integer(record, "failed")));
    second.seconds = real(record, "seconds");
    return second;
}

Buffer to_buffer(const json& record) {
    Buffer buffer;
    buffer.name = text(record, "name");
    buffer.space = text(record, "space");
    buffer.address = static_cast<uint64_t>(integer(record, "address"));
    buffer.bytes = static_cast<uint64_t>(integer(record, "bytes"));
    buffer.element_bytes = static_cast<uint32_t>(std::max<int64_t>(1, integer(record, "element_bytes", 1)));
    buffer.at = to_place(record);
    buffer.case_index = static_cast<int>(integer(record, "case", -1));
    return buffer;
}

// Text that is no base64 ends where it stops being it.
std::string from_base64(const std::string& text) {
    std::string bytes;
    uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const size_t digit = kBase64.find(c);
        if (digit == std::string_view::npos) break;
        group = group << 6 | static_cast<uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 255);
    }
    return bytes;
}

ArrayValues to_array(const json& record) {
    ArrayValues array;
    array.name = text(record, "name");
    array.role = text(record, "role");
    array.element_bytes = static_cast<uint32_t>(std::max<int64_t>(1, integer(record, "element_bytes", 1)));
    array.columns = static_cast<uint64_t>(std::max<int64_t>(0, integer(record, "columns")));
    array.got = from_base64(text(record, "got"));
    array.expected = truth(record, "as_expected") ? array.got : from_base64(text(record, "expected"));
    array.wrong = from_base64(text(record, "wrong"));
    array.case_index = static_cast<int>(integer(record, "case", -1));
    return array;
}

Series to_series(const json& record) {
    Series series;
    series.name = text(record, "name");
    const std::string bytes = from_base64(text(record, "points"));
    series.points.resize(std::min(bytes.size() / sizeof(SeriesPoint), most_series_points));
    if (!series.points.empty())
        std::memcpy(series.points.data(), bytes.data(), series.points.size() * sizeof(SeriesPoint));
    series.case_index = static_cast<int>(integer(record, "case", -1));
    return series;
}

Kernel to_kernel(const json& record) {
    Kernel kernel;
    kernel.name = text(record, "name");
    kernel.at = to_place(record);
    kernel.grid = to_dim(record, "grid").value_or(Dim3{});
    kernel.block = to_dim(record, "block").value_or(Dim3{});
    kernel.asked_grid = to_dim(record, "asked_grid");
    kernel.shared_bytes = static_cast<uint64_t>(integer(record, "shared_bytes"));
    kernel.status = text(record, "status");
    kernel.error = text(record, "error");
    kernel.metrics = to_metrics(record);
    const auto lines = record.find("lines");
    if (lines != record.end() && lines->is_array()) {
        for (const auto& line : *lines) {
            if (line.is_object())
                kernel.lines.push_back({to_place(line), to_metrics(line), text(line, "cost")});
        }
    }
    kernel.launch = static_cast<int>(integer(record, "launch"));
    kernel.case_index = static_cast<int>(integer(record, "case", -1));
    return kernel;
}

Case to_case(const json& record) {
    return {text(record, "name"), truth(record, "passed"), text(record, "message"), real(record, "seconds"),
            text(record, "trace")};
}

Diagnostic to_diagnostic(const json& record) {
    return {text(record, "level"), to_place(record), text(record, "message"), text(record, "plain"),
            text(record, "source_line")};
}

Status to_status(const std::string& name) {
    for (const auto& [status, known] : kStatusNames) {
        if (name == known) return status;
    }
    throw std::runtime_error("This is not a cudalab run: its status is \"" + name +
                             "\". Grade or run the file again to write a new one.");
}

}  // namespace

const char* name_of(Status status) {
    for (const auto& [known, name] : kStatusNames) {
        if (known == status) return name;
    }
    return "failed";
}

const char* name_of(Severity severity) {
    return severity == Severity::advice ? "advice" : "error";
}

std::string to_json(const Run& run, int indent) {
    json record;
    record["status"] = name_of(run.status);
    record["exit_code"] = run.exit_code;
    record["passed"] = run.passed;
    record["backend"] = run.backend;
    if (!run.device.empty()) record["device"] = run.device;
    if (run.second) record["second"] = from_second(*run.second);
    if (run.times) record["times"] = from_times(*run.times);
    record["lesson"] = run.lesson;
    record["source"] = run.source;
    record["source_hash"] = run.source_hash;
    record["headline"] = run.headline;
    record["next_action"] = run.next_action;
    record["diagnostics"] = from_list(run.diagnostics, from_diagnostic);
    record["cases"] = from_list(run.cases, from_case);
    record["findings"] = from_list(run.findings, from_finding);
    record["further"] = from_list(run.further, from_goal);
    record["buffers"] = from_list(run.buffers, from_buffer);
    record["devices"] = from_list(run.devices, from_device);
    record["arrays"] = from_list(run.arrays, from_array);
    record["kernels"] = from_list(run.kernels, from_kernel);
    record["timelines"] = from_list(run.timelines, from_timeline);
    record["series"] = from_list(run.series, from_series);
    record["output"] = run.output;
    record["output_cut"] = run.output_cut;
    record["compile_seconds"] = run.compile_seconds;
    record["run_seconds"] = run.run_seconds;
    record["total_seconds"] = run.total_seconds;
    record["closed"] = true;
    return record.dump(indent, ' ', false, json::error_handler_t::replace);
}

Run from_json(const std::string& text_of_run) {
    const json record = json::parse(text_of_run, nullptr, false);
    if (!record.is_object()) {
        throw std::runtime_error(
            "This is not a cudalab run, or it was cut off. Grade or run the file again to write a new one.");
    }
    if (!truth(record, "closed")) {
        throw std::runtime_error(
            "This run was cut off: its closing record is missing. Grade or run the file again to write a new "
            "one.");
    }
    Run run;
    run.status = to_status(text(record, "status"));
    run.exit_code = static_cast<int>(integer(record, "exit_code"));
    run.passed = truth(record, "passed");
    run.backend = text(record, "backend");
    run.device = text(record, "device");
    if (const auto second = record.find("second"); second != record.end() && second->is_object())
        run.second = to_second(*second);
    if (const auto times = record.find("times"); times != record.end() && times->is_object())
        run.times = to_times(*times);
    run.lesson = text(record, "lesson");
    run.source = text(record, "source");
    run.source_hash = text(record, "source_hash");
    run.headline = text(record, "headline");
    run.next_action = text(record, "next_action");
    run.diagnostics = list(record, "diagnostics", to_diagnostic);
    run.cases = list(record, "cases", to_case);
    run.findings = list(record, "findings", to_finding);
    run.further = list(record, "further", to_goal);
    run.buffers = list(record, "buffers", to_buffer);
    run.devices = list(record, "devices", to_device);
    run.arrays = list(record, "arrays", to_array);
    run.kernels = list(record, "kernels", to_kernel);
    run.timelines = list(record, "timelines", to_timeline);
    run.series = list(record, "series", to_series);
    run.output = text(record, "output");
    run.output_cut = truth(record, "output_cut");
    run.compile_seconds = real(record, "compile_seconds");
    run.run_seconds = real(record, "run_seconds");
    run.total_seconds = real(record, "total_seconds");
    return run;
}

}  // namespace lab
