#include "workbench/play/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "workbench/record/costs.h"
#include "workbench/record/kernel_name.h"

namespace lab {

namespace {

using json = nlohmann::json;

std::string text(const json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
}

template <class T>
T number(const json& record, const char* key, T otherwise) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_number()) return otherwise;
    if (std::is_integral_v<T> && found->is_number_float()) {  // to convert one that does not fit is undefined
        const double value = found->get<double>();
        const bool fits = std::fabs(value) < 1e9 && (value >= 0 || std::is_signed_v<T>);
        if (!fits) return otherwise;
    }
    return found->get<T>();
}

std::optional<Dim3> dim(const json& record, const char* key) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_array() || found->size() != 3) return std::nullopt;
    for (const auto& part : *found) {
        if (!part.is_number_integer()) return std::nullopt;
    }
    return Dim3{(*found)[0].get<unsigned>(), (*found)[1].get<unsigned>(), (*found)[2].get<unsigned>()};
}

Place place(const json& record) {
    return {text(record, "file"), number(record, "line", 0), number(record, "column", 0)};
}

Metrics metrics(const json& record, const char* key = "metrics") {
    Metrics all;
    const auto found = record.find(key);
    if (found == record.end() || !found->is_object()) return all;
    for (const auto& [name, value] : found->items()) {
        if (value.is_number()) all[name] = value.get<double>();
    }
    return all;
}

Finding finding_from(const json& record) {
    Finding finding;
    finding.kind = text(record, "kind");
    finding.severity = text(record, "severity") == "advice" ? Severity::advice : Severity::error;
    finding.message = text(record, "message");
    finding.fix = text(record, "fix");
    finding.at = place(record);
    finding.block = dim(record, "block");
    finding.thread = dim(record, "thread");
    finding.buffer = text(record, "buffer");
    finding.element = number<int64_t>(record, "element", -1);
    finding.last_element = number<int64_t>(record, "last_element", finding.element);
    finding.count = number<uint64_t>(record, "count", 1);
    finding.launch = number(record, "launch", -1);
    const auto other = record.find("other");
    if (other != record.end() && other->is_object()) {
        finding.other =
            OtherParty{text(*other, "action"), place(*other), dim(*other, "block"), dim(*other, "thread")};
    }
    return finding;
}

Kernel kernel_from(const json& record) {
    Kernel kernel;
    kernel.launch = number(record, "index", 0);
    kernel.name = text(record, "kernel");
    if (kernel.name.find('(') != std::string::npos)
        kernel.name = kernel_base_name(kernel.name);  // a GPU's full name
    kernel.at = place(record);
    kernel.grid = dim(record, "grid").value_or(Dim3{});
    kernel.block = dim(record, "block").value_or(Dim3{});
    kernel.asked_grid = dim(record, "asked_grid");
    kernel.shared_bytes = number<uint64_t>(record, "shared_bytes", 0);
    kernel.status = text(record, "status");
    kernel.error = text(record, "error");
    kernel.metrics = metrics(record);
    const auto lines = record.find("lines");
    if (lines == record.end() || !lines->is_array()) return kernel;
    for (const auto& line : *lines) {
        if (line.is_object())
            kernel.lines.push_back({place(line), metrics(line), cost_of_line(metrics(line))});
    }
    return kernel;
}

Buffer buffer_from(const json& record) {
    Buffer buffer;
    buffer.name = text(record, "name");
    buffer.space = text(record, "space");
    buffer.address = number<uint64_t>(record, "address", 0);
    buffer.bytes = number<uint64_t>(record, "bytes", 0);
    buffer.element_bytes = std::max(1u, number<uint32_t>(record, "element_bytes", 1));
    buffer.at = place(record);
    return buffer;
}

DeviceLimits device_from(const json& record) {
    DeviceLimits device;
    device.name = text(record, "name");
    device.max_block = dim(record, "max_block").value_or(Dim3{});
    device.max_grid = dim(record, "max_grid").value_or(Dim3{});
    device.limits = metrics(record, "limits");
    return device;
}

TimedCall timed_call_from(const json& record) {
    TimedCall call;
    call.name = text(record, "name");
    call.us = number(record, "us", 0.0);
    call.calls = number(record, "calls", 0);
    call.bytes = number(record, "bytes", 0.0);
    call.flops = number(record, "flops", 0.0);
    const auto kernels = record.find("kernels");
    if (kernels == record.end() || !kernels->is_array()) return call;
    for (const auto& kernel : *kernels) {
        if (kernel.is_object())
            call.kernels.push_back({kernel_base_name(text(kernel, "name")), number(kernel, "us", 0.0),
                                    number(kernel, "launches", 0)});
    }
    return call;
}

class Reader {
  public:
    void line(std::string_view text_line, size_t number_of_line) {
        const json record = json::parse(text_line, nullptr, false);
        if (!record.is_object()) return damage(number_of_line);
        if (report_.closed) return damage(number_of_line);
        const std::string type = text(record, "type");
        if (type == "finding") {
            keep_finding(record);
        } else if (type == "launch") {
            report_.kernels.push_back(kernel_from(record));
        } else if (type == "buffer") {
            report_.buffers.push_back(buffer_from(record));
        } else if (type == "device") {
            report_.devices.push_back(device_from(record));
        } else if (type == "timeline") {
            report_.timelines.push_back(to_timeline(nlohmann::ordered_json(record)));
        } else if (type == "timing") {
            report_.times.push_back(timed_call_from(record));
        } else if (type == "note") {
            report_.notes.push_back(text(record, "message"));
        } else if (type == "end") {
            report_.closed = true;
            report_.exit = text(record, "exit");
            report_.host_line = number(record, "host_line", 0);
        } else {
            damage(number_of_line);
        }
    }

    void damage(size_t number_of_line) {
        if (!report_.damage.empty()) return;
        report_.damage = fmt::format(
            "The program wrote over the machine's own memory: record {} of its report is damaged. Look for a "
            "host pointer "
            "that points at nothing of yours.",
            number_of_line);
    }

    Report finish() {
        std::stable_sort(report_.kernels.begin(), report_.kernels.end(),
                         [](const Kernel& a, const Kernel& b) { return a.launch < b.launch; });
        return std::move(report_);
    }

  private:
    void keep_finding(const json& record) {
        Finding finding = finding_from(record);
        const auto id = number<int64_t>(record, "id", -1);
        const auto known = by_id_.find(id);
        if (id >= 0 && known != by_id_.end()) {
            report_.findings[known->second] = std::move(finding);
            return;
        }
        if (id >= 0) by_id_[id] = report_.findings.size();
        report_.findings.push_back(std::move(finding));
    }

    Report report_;
    std::map<int64_t, size_t> by_id_;
};

}  // namespace

Report read_report(std::string_view text) {
    Reader reader;
    size_t start = 0, number_of_line = 1;
    while (start < text.size()) {
        const size_t newline = text.find('\n', start);
        if (newline == std::string_view::npos) {
            reader.damage(number_of_line);
            break;
        }
        reader.line(text.substr(start, newline - start), number_of_line);
        start = newline + 1;
        ++number_of_line;
    }
    return reader.finish();
}

}  // namespace lab
