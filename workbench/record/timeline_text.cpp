#include <fmt/format.h>

#include <algorithm>

#include "workbench/record/timeline.h"

namespace lab {

namespace {

constexpr int usual_label_columns = 22, most_label_columns = 36;
constexpr size_t most_rows = 16;

struct Row {
    std::string label;
    std::string cells;
};

char mark_of(const TimelineTask& task) {
    if (task.kind == "kernel" || task.kind == "library") return '#';
    if (task.kind == "host_function") return 'h';
    if (task.to_device >= 0) return '~';
    if (task.engine == "copies_to_device") return '>';
    return task.engine == "copies_to_host" ? '<' : '=';
}

char mark_of(const HostStep& step) {
    return step.what == "waits" ? '.' : step.what == "queues" ? '|' : 'o';
}

class Chart {
  public:
    Chart(const Timeline& timeline, int columns)
        : timeline_(timeline),
          label_columns_(columns_of_labels(timeline)),
          width_(static_cast<size_t>(std::max(20, columns - label_columns_ - 2))),
          total_(std::max(1.0, timeline.metric("total_us") * 1000)) {}

    std::string text() {
        add_host();
        for (int device = 0; device < timeline_.devices; ++device)
            for (const TimelineStream& stream : timeline_.streams)
                if (timeline_.devices == 1 || stream.device == device) add_stream(stream);
        std::string all = axis();
        for (size_t i = 0; i < rows_.size() && i < most_rows; ++i)
            all += fmt::format("{:<{}}  {}\n", rows_[i].label, label_columns_, rows_[i].cells);
        if (rows_.size() > most_rows)
            all += fmt::format("... and {} streams more\n", rows_.size() - most_rows);
        return all + legend();
    }

  private:
    // Names of streams say their device where there are several.
    static int columns_of_labels(const Timeline& timeline) {
        if (timeline.devices == 1) return usual_label_columns;
        int most = usual_label_columns;
        for (const TimelineStream& stream : timeline.streams)
            most = std::max(most, static_cast<int>(stream.name.size()));
        return std::min(most, most_label_columns);
    }
    size_t column(int64_t ns) const {
        const double at = static_cast<double>(ns) / total_ * static_cast<double>(width_);
        return std::min(width_ - 1, static_cast<size_t>(std::max(0.0, at)));
    }
    // What takes time is at least one column wide.
    void fill(std::string& cells, int64_t begin, int64_t end, char mark) {
        const size_t from = column(begin), to = std::max(from + 1, column(end));
        for (size_t i = from; i < to && i < width_; ++i) cells[i] = mark;
        if (to - from > 2 && from > 0 && cells[from - 1] == mark && mark != '.' && mark != '|')
            cells[from] = '[';
        used_ += used_.find(mark) == std::string::npos ? std::string(1, mark) : "";
    }

    void add_host() {
        int threads = 0;
        for (const HostStep& step : timeline_.host) threads = std::max(threads, step.thread + 1);
        for (int thread = 0; thread < threads; ++thread) {
            Row row{threads == 1 ? "host" : fmt::format("host thread {}", thread), std::string(width_, ' ')};
            for (const HostStep& step : timeline_.host)
                if (step.thread == thread) fill(row.cells, step.begin, step.end, mark_of(step));
            rows_.push_back(std::move(row));
        }
    }
    void add_stream(const TimelineStream& stream) {
        Row row{stream.name.substr(0, static_cast<size_t>(label_columns_)), std::string(width_, ' ')};
        bool any = false;
        for (const TimelineTask& task : timeline_.tasks) {
            if (task.stream != stream.index || !task.takes_time()) continue;
            any = true;
            fill(row.cells, task.begin, task.end, mark_of(task));
        }
        if (any) rows_.push_back(std::move(row));
    }

    std::string axis() const {
        std::string line(width_, ' ');
        const std::string end = duration_text(total_);
        line.replace(0, 1, "0");
        if (end.size() + 2 < width_) line.replace(width_ - end.size(), end.size(), end);
        return fmt::format("{:<{}}  {}\n", "", label_columns_, line);
    }
    std::string legend() const {
        static constexpr std::pair<char, const char*> words[] = {
            {'#', "kernel"},         {'>', "copy to the device"}, {'<', "copy to the host"},
            {'=', "on the device"},  {'~', "to another device"},  {'h', "host function"},
            {'|', "the host calls"}, {'o', "the host works"},     {'.', "the host waits"}};
        std::string line;
        for (const auto& [mark, word] : words)
            if (used_.find(mark) != std::string::npos)
                line += fmt::format("{}{} {}", line.empty() ? "" : "   ", mark, word);
        return line + "\n";
    }

    const Timeline& timeline_;
    int label_columns_;
    size_t width_;
    double total_;
    std::vector<Row> rows_;
    std::string used_;
};

std::string us(const Timeline& t, const char* metric) {
    return duration_text(t.metric(metric) * 1000);
}

std::string list_of(const std::vector<std::string>& parts) {
    std::string all;
    for (size_t i = 0; i < parts.size(); ++i)
        all += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return all;
}

std::string busy_sentence(const Timeline& t) {
    std::vector<std::string> parts;
    const std::pair<const char*, const char*> engines[] = {{"kernels_us", "kernels"},
                                                           {"copies_to_device_us", "copies to the device"},
                                                           {"copies_to_host_us", "copies to the host"},
                                                           {"copies_on_device_us", "copies on the device"}};
    for (const auto& [metric, word] : engines)
        if (t.metric(metric) > 0) parts.push_back(fmt::format("{} of {}", us(t, metric), word));
    return parts.empty() ? "" : fmt::format("{} in all: {}.", us(t, "total_us"), list_of(parts));
}

std::string overlap_sentence(const Timeline& t) {
    const bool copies = t.metric("copies_to_device_us") + t.metric("copies_to_host_us") > 0;
    if (t.metrics.count("overlap_pct") == 0 || !copies) return "";
    if (t.metric("overlap_us") <= 0)
        return "Copies and kernels take turns, though they use different engines.";
    return fmt::format("{} of that ran behind something else: {:.0f} % of what could.", us(t, "overlap_us"),
                       t.metric("overlap_pct"));
}

std::string together_sentence(const Timeline& t) {
    if (t.metric("kernels_together_us") <= 0) return "";
    return fmt::format("Two kernels or more ran side by side for {}.", us(t, "kernels_together_us"));
}

std::string idle_sentence(const Timeline& t) {
    if (t.metric("idle_gaps") < 1) return "";
    const bool one = t.metric("idle_gaps") == 1;
    return fmt::format("The device was idle for {} ({:.0f} %), in {:.0f} {}.", us(t, "idle_us"),
                       t.metric("idle_pct"), t.metric("idle_gaps"), one ? "gap" : "gaps");
}

std::string critical_sentence(const Timeline& t) {
    std::vector<std::string> parts;
    const std::pair<const char*, const char*> classes[] = {
        {"critical_kernels_us", "kernels"},
        {"critical_copies_us", "copies"},
        {"critical_host_us", "the host"},
        {"critical_waits_us", "the way from one to the next"}};
    for (const auto& [metric, word] : classes)
        if (t.metric(metric) > 0) parts.push_back(fmt::format("{} ({})", word, us(t, metric)));
    return parts.empty() ? ""
                         : fmt::format("The end waited for these, one after the other: {}.", list_of(parts));
}

std::string megabytes(double bytes) {
    return bytes < 10'000'000 ? fmt::format("{:.0f} KiB", bytes / 1024)
                              : fmt::format("{:.0f} MiB", bytes / (1 << 20));
}

std::string pages_sentence(const Timeline& t) {
    const double device = t.metric("device_page_faults"), host = t.metric("host_page_faults");
    const double in = t.metric("migrated_to_device_bytes"), out = t.metric("migrated_to_host_bytes");
    if (device + host + in + out <= 0) return "";
    std::string sentence = fmt::format(
        "Managed memory: {:.0f} page faults of kernels and {:.0f} of the host; {} moved to the device and {} "
        "back",
        device, host, megabytes(in), megabytes(out));
    if (t.metric("prefetched_bytes") > 0)
        sentence += fmt::format(", {} of it by prefetches", megabytes(t.metric("prefetched_bytes")));
    if (t.metric("evicted_bytes") > 0)
        sentence += fmt::format(", {} because the device was full", megabytes(t.metric("evicted_bytes")));
    return sentence + ".";
}

}  // namespace

std::string duration_text(double ns) {
    if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
    if (ns < 99'950) return fmt::format("{:.1f} us", ns / 1e3);
    if (ns < 999'500) return fmt::format("{:.0f} us", ns / 1e3);
    if (ns < 99.95e6) return fmt::format("{:.2f} ms", ns / 1e6);
    return ns < 999.5e6 ? fmt::format("{:.0f} ms", ns / 1e6) : fmt::format("{:.2f} s", ns / 1e9);
}

std::vector<std::string> timeline_sentences(const Timeline& timeline) {
    std::vector<std::string> all;
    for (const auto& sentence :
         {busy_sentence(timeline), overlap_sentence(timeline), together_sentence(timeline),
          idle_sentence(timeline), critical_sentence(timeline), pages_sentence(timeline)})
        if (!sentence.empty()) all.push_back(sentence);
    if (timeline.left_out != 0)
        all.push_back(fmt::format("{} operations more were queued than it keeps.", timeline.left_out));
    return all;
}

std::string timeline_text(const Timeline& timeline, int columns) {
    const std::string what = timeline.devices > 1
                                 ? fmt::format("{} devices, each an {}", timeline.devices, timeline.device)
                                 : fmt::format("an {}", timeline.device);
    std::string all = fmt::format("Timeline of a model of {}, not a measurement:\n", what) +
                      Chart(timeline, columns).text();
    for (const std::string& sentence : timeline_sentences(timeline)) all += sentence + "\n";
    if (timeline.count > timeline.tasks.size() + timeline.left_out)
        all += fmt::format("The rows show the first {} of {} operations.\n", timeline.tasks.size(),
                           timeline.count);
    return all;
}

}  // namespace lab
