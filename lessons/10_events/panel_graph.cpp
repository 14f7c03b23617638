#include "lessons/10_events/panel_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lab::lesson_10_events {
namespace {

constexpr int most_rows = 60;

std::string short_name(const std::string& name) {
    return name.substr(0, name.find_first_of("<("));
}

bool takes_place(const Node& node) {
    return node.shape == Shape::kernel || node.shape == Shape::copy;
}

class Builder {
  public:
    Builder(const Run& run, const Timeline& timeline, int case_index)
        : run_(run), timeline_(timeline), case_(case_index), graph_(timeline) {}
    Scene build();

  private:
    void add_columns();
    void add_rows();
    void add_queued(size_t step);
    void add_wait(size_t step);
    void add_in_vain(size_t step);
    int add(Node node);
    int column_of(const TimelineTask& task) const { return columns_.at(task.stream); }
    std::string stream_of(const TimelineTask& task) const {
        return scene_.columns[size_t(column_of(task))].name;
    }
    void add_edges();
    std::string say(const WaitEdge& edge, const Node& from) const;
    void add_races();
    int host_code(const Finding& finding, int operation);
    int operation_at(int line, bool last) const;
    void add_race(const Finding& finding);
    const TimelineTask& task(int id) const { return timeline_.tasks[size_t(id)]; }

    const Run& run_;
    const Timeline& timeline_;
    int case_;
    WaitGraph graph_;
    Scene scene_;
    std::map<int, int> columns_;   // by TimelineStream::index
    std::map<int, int> of_graph_;  // WaitGraph's node -> ours
};

void Builder::add_columns() {
    scene_.columns.push_back({"host", 0});
    for (const TimelineStream& stream : timeline_.streams) {
        const bool used = std::any_of(timeline_.tasks.begin(), timeline_.tasks.end(),
                                      [&](const TimelineTask& t) { return t.stream == stream.index; });
        if (!used) continue;
        columns_[stream.index] = int(scene_.columns.size());
        scene_.columns.push_back({stream.name, stream.line});
    }
}

int Builder::add(Node node) {
    for (const int part : node.parts) of_graph_[part] = int(scene_.nodes.size());
    scene_.nodes.push_back(std::move(node));
    return int(scene_.nodes.size()) - 1;
}

struct Words {
    Shape shape;
    const char *kind, *call, *said;
};
constexpr Words operations[] = {{Shape::kernel, "kernel", "launch", ""},
                                {Shape::copy, "copy", "copy", "the copy"},
                                {Shape::record, "record", "record", "the record"},
                                {Shape::wait, "wait", "wait", "the wait"},
                                {Shape::other, "set", "memset", "the memset"},
                                {Shape::other, "host_function", "host function", "the host function"}};

const Words& words_of(const TimelineTask& task) {
    static constexpr Words none{Shape::other, "", "queue", "the operation"};
    for (const Words& words : operations)
        if (task.kind == words.kind) return words;
    return none;
}

// A call that queues something: the host's node, and the operation's beside it.
void Builder::add_queued(size_t step) {
    const TimelineTask& queued = task(timeline_.host[step].task);
    if (columns_.count(queued.stream) == 0) return;
    const Words& words = words_of(queued);
    const int row = scene_.rows++;
    add({Shape::call,
         0,
         row,
         queued.line,
         words.call,
         fmt::format("the host's call at line {}", queued.line),
         {graph_.of_step(step)},
         -1});
    Node node{words.shape, column_of(queued), row, queued.line, words.call, "", {queued.id}, queued.launch};
    if (words.shape == Shape::kernel) node.label = short_name(queued.name);
    if (words.shape == Shape::wait && queued.after.empty()) node.shape = Shape::in_vain;
    node.said = words.shape == Shape::kernel ? fmt::format("{} (line {})", node.label, node.line)
                                             : fmt::format("{} of line {}", words.said, node.line);
    add(std::move(node));
}

// cudaDeviceSynchronize waits for each stream, and is one call.
void Builder::add_wait(size_t step) {
    const HostStep& wait = timeline_.host[step];
    if (!scene_.nodes.empty()) {
        Node& last = scene_.nodes.back();
        if (last.shape == Shape::host_wait && last.line == wait.line) {
            last.parts.push_back(graph_.of_step(step));
            of_graph_[last.parts.back()] = int(scene_.nodes.size()) - 1;
            return;
        }
    }
    const std::string call = wait.call.empty() ? "waits" : wait.call;
    add({Shape::host_wait,
         0,
         scene_.rows++,
         wait.line,
         call,
         fmt::format("the host behind line {}", wait.line),
         {graph_.of_step(step)},
         -1});
}

void Builder::add_in_vain(size_t step) {
    const HostStep& call = timeline_.host[step];
    if (!scene_.nodes.empty()) {
        const Node& last = scene_.nodes.back();
        if (last.shape == Shape::in_vain && last.line == call.line) return;  // asked again and again
    }
    add({Shape::in_vain,
         0,
         scene_.rows++,
         call.line,
         call.call,
         fmt::format("the host's call at line {}", call.line),
         {graph_.of_step(step)},
         -1});
}

void Builder::add_rows() {
    for (size_t i = 0; i < timeline_.host.size(); ++i) {
        const HostStep& step = timeline_.host[i];
        const bool is_about_events = step.call == "cudaEventSynchronize" || step.call == "cudaEventQuery";
        if (scene_.rows >= most_rows) {
            scene_.left_out += step.what == "queues" && step.task >= 0;
        } else if (step.what == "queues" && step.task >= 0) {
            add_queued(i);
        } else if (step.what == "waits" && step.line > 0) {
            add_wait(i);
        } else if (step.what == "works" && is_about_events) {
            add_in_vain(i);
        }
    }
}

std::string Builder::say(const WaitEdge& edge, const Node& from) const {
    const auto line_of = [&](int node) {
        return graph_.is_step(node) ? timeline_.host[size_t(graph_.step_of(node))].line : task(node).line;
    };
    switch (edge.why) {
        case WaitEdge::Why::queued:
            return fmt::format("Line {} queues it.", line_of(edge.from));
        case WaitEdge::Why::stream_order:
            return fmt::format("It stands behind {}, in {}.", from.said, stream_of(task(edge.to)));
        case WaitEdge::Why::event:
            return fmt::format("It waits for the event that line {} records in {}.", line_of(edge.from),
                               stream_of(task(edge.from)));
        case WaitEdge::Why::default_stream:
            return fmt::format("It waits for {}: the default stream and the others wait for each other.",
                               from.said);
        case WaitEdge::Why::host_waits:
            return fmt::format("The host waits for {}.", from.said);
        default:
            return "";
    }
}

void Builder::add_edges() {
    for (const WaitEdge& edge : graph_.edges()) {
        const auto from = of_graph_.find(edge.from), to = of_graph_.find(edge.to);
        if (from == of_graph_.end() || to == of_graph_.end() || from->second == to->second) continue;
        if (edge.why == WaitEdge::Why::host_order) continue;  // the column says it
        scene_.edges.push_back(
            {from->second, to->second, edge.why, say(edge, scene_.nodes[size_t(from->second)])});
    }
}

int Builder::operation_at(int line, bool last) const {
    int found = -1;
    for (size_t i = 0; i < scene_.nodes.size(); ++i) {
        const Node& node = scene_.nodes[i];
        if (node.column == 0 || node.line != line) continue;
        found = int(i);
        if (!last) break;
    }
    return found;
}

// The host's own line, which is no call. It ran after the operation was queued, and before the host first waited for
// it; between the two it stands where its line is, or last where it is a line of another function.
int Builder::host_code(const Finding& finding, int operation) {
    const Node queued = scene_.nodes[size_t(operation)];
    const std::vector<Scene::Place> places = scene_.places(operation);
    int row = scene_.rows;
    for (size_t i = 0; i < scene_.nodes.size(); ++i) {
        const Node& node = scene_.nodes[i];
        if (node.column != 0 || node.row <= queued.row) continue;
        const bool knows = places[i] == Scene::Place::after;
        const bool is_behind = finding.at.line > queued.line && node.line > finding.at.line;
        if (knows || is_behind) row = std::min(row, node.row);
    }
    for (Node& node : scene_.nodes) node.row += node.row >= row;
    ++scene_.rows;
    const bool writes = finding.message.find(" writes ") < finding.message.find(" on the host");
    Node node{Shape::host_code,
              0,
              row,
              finding.at.line,
              writes ? "writes" : "reads",
              fmt::format("the host's line {}", finding.at.line),
              {},
              -1};
    if (!finding.buffer.empty()) node.label += " " + finding.buffer;
    return add(std::move(node));
}

void Builder::add_race(const Finding& finding) {
    const int first = operation_at(finding.other->at.line, false);
    const bool by_host = finding.kind != "stream-race";
    if (first < 0) return;
    const int second = by_host ? host_code(finding, first) : operation_at(finding.at.line, true);
    if (second < 0 || second == first) return;
    const bool known = std::any_of(scene_.races.begin(), scene_.races.end(), [&](const Race& race) {
        return race.first == first && race.second == second;
    });
    if (!known) scene_.races.push_back({first, second, finding.message, finding.fix});
}

void Builder::add_races() {
    for (const Finding& finding : run_.findings) {
        const bool is_race =
            finding.kind == "stream-race" || finding.kind == "async-race" || finding.kind == "managed-race";
        const bool is_here = finding.case_index == case_ || finding.case_index < 0;
        if (is_race && is_here && finding.other) add_race(finding);
    }
}

Scene Builder::build() {
    add_columns();
    add_rows();
    add_edges();
    add_races();
    return std::move(scene_);
}

}  // namespace

std::vector<Scene::Place> Scene::places(int node) const {
    std::vector<Place> found(nodes.size(), Place::unordered);
    // The host's nodes follow each other; the edges name the rest.
    std::vector<int> host;
    for (size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].column == 0) host.push_back(int(i));
    std::sort(host.begin(), host.end(),
              [&](int a, int b) { return nodes[size_t(a)].row < nodes[size_t(b)].row; });
    std::vector<std::pair<int, int>> all;
    for (size_t i = 1; i < host.size(); ++i) all.emplace_back(host[i - 1], host[i]);
    for (const Edge& edge : edges) all.emplace_back(edge.from, edge.to);
    const auto spread = [&](Place place, bool forwards) {
        std::vector<int> open{node};
        while (!open.empty()) {
            const int at = open.back();
            open.pop_back();
            for (const auto& [from, to] : all) {
                const int next = forwards ? to : from;
                if ((forwards ? from : to) != at || found[size_t(next)] == place) continue;
                found[size_t(next)] = place;
                open.push_back(next);
            }
        }
    };
    spread(Place::before, false);
    spread(Place::after, true);
    found[size_t(node)] = Place::itself;
    return found;
}

bool Scene::is_ordered(int a, int b) const {
    return places(a)[size_t(b)] != Place::unordered;
}

std::string Scene::side_by_side() const {
    constexpr size_t most = 3;
    std::vector<std::string> pairs;
    for (size_t a = 0; a < nodes.size(); ++a) {
        if (!takes_place(nodes[a])) continue;
        const std::vector<Place> place = places(int(a));
        for (size_t b = a + 1; b < nodes.size(); ++b) {
            const bool races_too = std::any_of(races.begin(), races.end(), [&](const Race& race) {
                return std::minmax(race.first, race.second) == std::minmax(int(a), int(b));
            });
            if (takes_place(nodes[b]) && place[b] == Place::unordered && !races_too)
                pairs.push_back(fmt::format("{} and {}", nodes[a].said, nodes[b].said));
        }
    }
    if (pairs.empty()) return "";
    const size_t shown = std::min(pairs.size(), most);
    std::string text = "May run at the same time: ";
    for (size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : "; ") + pairs[i];
    if (pairs.size() > shown) text += fmt::format("; and {} more pairs", pairs.size() - shown);
    return text + ".";
}

int Scene::record_between(const Node& first, const Node& second) const {
    for (size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].shape == Shape::record && nodes[i].column == first.column && nodes[i].row > first.row &&
            nodes[i].row < second.row)
            return int(i);
    return -1;
}

int Scene::of_line(int line) const {
    int found = -1;
    for (size_t i = 0; i < nodes.size() && line > 0; ++i)
        if (nodes[i].line == line && (found < 0 || nodes[size_t(found)].column == 0)) found = int(i);
    return found;
}

Scene scene_of(const Run& run, int case_index) {
    for (const Timeline& timeline : run.timelines)
        if (timeline.case_index == case_index || timeline.case_index < 0)
            return Builder(run, timeline, case_index).build();
    return {};
}

}  // namespace lab::lesson_10_events
