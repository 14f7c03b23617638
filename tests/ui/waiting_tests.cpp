// Lesson 10's own panel: who waits for whom, in runs of the real machine.
#include <doctest/doctest.h>

#include "lesson_window.h"
#include "lessons/10_events/panel_graph.h"

using namespace lab::lesson_10_events;

namespace {

constexpr const char* slug = "10_events";
constexpr const char* panel = "panel/10_events";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::Run& run() const { return window.app->learner_run()->run; }
    Scene scene(const std::string& part) const {
        for (size_t i = 0; i < run().cases.size(); ++i)
            if (run().cases[i].name.find(part) != std::string::npos) return scene_of(run(), int(i));
        return {};
    }
    // Goes over the panel until the mouse is on something of that line.
    bool point_at(int line) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.02f; y < 0.98f; y += 0.012f)
            for (float x = 0.02f; x < 0.98f; x += 0.04f) {
                window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
                if (window.app->cursor_.line == line) return true;
            }
        return false;
    }
};

int node_of(const Scene& scene, const std::string& label) {
    for (size_t i = 0; i < scene.nodes.size(); ++i)
        if (scene.nodes[i].label == label) return int(i);
    return -1;
}

bool has_edge(const Scene& scene, const std::string& from, const std::string& to, lab::WaitEdge::Why why) {
    for (const Edge& edge : scene.edges)
        if (edge.why == why && scene.nodes[size_t(edge.from)].label == from &&
            scene.nodes[size_t(edge.to)].label == to)
            return true;
    return false;
}

}  // namespace

TEST_CASE("Who waits: the wait of one stream for another is an arrow, and what no path joins is named") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.run().passed);
    const Scene scene = shown.scene("time enough");
    REQUIRE(scene.columns.size() == 3);
    CHECK(scene.columns[1].name == "first");
    CHECK(scene.races.empty());
    using Place = Scene::Place;
    const int brew = node_of(scene, "brew_kernel"), toast = node_of(scene, "toast_kernel");
    const int pour = node_of(scene, "pour_kernel");
    REQUIRE((brew >= 0 && toast >= 0 && pour >= 0));
    // The host's call of that name comes first, so the operation's is asked for by what it is.
    bool event = false;
    for (const Edge& edge : scene.edges) event = event || edge.why == lab::WaitEdge::Why::event;
    CHECK(event);
    const std::vector<Place> places = scene.places(toast);
    CHECK(places[size_t(brew)] == Place::unordered);
    CHECK(places[size_t(pour)] == Place::after);
    CHECK(scene.places(pour)[size_t(brew)] == Place::before);
    CHECK(scene.side_by_side().find("brew_kernel") != std::string::npos);
    CHECK(scene.side_by_side().find("toast_kernel") != std::string::npos);
    CHECK(scene.side_by_side().find("pour_kernel") == std::string::npos);

    const int line = scene.nodes[size_t(toast)].line;
    REQUIRE(shown.point_at(line));
    CHECK(shown.window.app->cursor_.run == shown.window.app->learner_run()->id);
    shown.window.frames(4);
    CHECK(shown.window.pixels_like(panel, lab::palette().good) > 20);   // brew_kernel is free of it
    CHECK(shown.window.pixels_like(panel, lab::palette().wrote) > 20);  // pour_kernel comes after it
    shown.window.picture("waiting-1-toast");

    for (const bool down : {true, false}) {
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        shown.window.frames(2);
    }
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.move_to({2, 2});
    shown.window.frames(4);
    CHECK(shown.window.app->cursor_.line == line);
    CHECK(shown.window.pixels_like(panel, lab::palette().good) > 20);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
}

TEST_CASE("Who waits: the host waits for a point in the stream, and not for what is behind it") {
    Shown shown(solution_of(slug));
    const Scene scene = shown.scene("has its sum");
    const int sync = node_of(scene, "cudaEventSynchronize"), wash = node_of(scene, "wash_kernel");
    REQUIRE((sync >= 0 && wash >= 0));
    CHECK_FALSE(scene.is_ordered(sync, wash));
    CHECK(scene.places(sync)[size_t(node_of(scene, "sip_kernel"))] == Scene::Place::before);
    CHECK(has_edge(scene, "record", "cudaEventSynchronize", lab::WaitEdge::Why::host_waits));
    CHECK(has_edge(scene, "wash_kernel", "cudaStreamSynchronize", lab::WaitEdge::Why::host_waits));
}

TEST_CASE("Who waits: a race between two streams is a red line with the missing arrow dotted") {
    Shown shown(changed(solution_of(slug), "TRY(cudaStreamWaitEvent(second, brewed));", ""));
    CHECK_FALSE(shown.run().passed);
    const Scene scene = shown.scene("one element");
    REQUIRE(scene.races.size() == 1);
    CHECK(scene.nodes[size_t(scene.races[0].first)].label == "brew_kernel");
    CHECK(scene.nodes[size_t(scene.races[0].second)].label == "pour_kernel");
    const Node &first = scene.nodes[size_t(scene.races[0].first)],
               &second = scene.nodes[size_t(scene.races[0].second)];
    const int recorded = scene.record_between(first, second);  // the arrow begins there
    REQUIRE(recorded >= 0);
    CHECK(scene.nodes[size_t(recorded)].shape == Shape::record);
    CHECK(scene.record_between(second, first) < 0);
    CHECK(scene.races[0].fix.find("Record an event after line") != std::string::npos);
    CHECK(scene.side_by_side().find("brew_kernel (line") != std::string::npos);  // with the toast
    CHECK(shown.window.pixels_like(panel, lab::palette().bad) > 200);
    shown.window.picture("waiting-2-race");
    REQUIRE(shown.point_at(scene.nodes[size_t(scene.races[0].second)].line));
    shown.window.frames(30);
    shown.window.picture("waiting-3-race-hint");
}

TEST_CASE("Who waits: a host that reads too early stands in its column, behind the copy's call") {
    Shown early(changed(solution_of(slug), "TRY(cudaEventSynchronize(served));", ""));
    const Scene scene = early.scene("1000 cups");
    REQUIRE(scene.races.size() == 1);
    const Node& reader = scene.nodes[size_t(scene.races[0].second)];
    CHECK(reader.shape == Shape::host_code);
    CHECK(reader.column == 0);
    CHECK(scene.nodes[size_t(scene.races[0].first)].shape == Shape::copy);
    CHECK_FALSE(scene.is_ordered(scene.races[0].first, scene.races[0].second));
    early.window.picture("waiting-4-host");
}

TEST_CASE("Who waits: a wait for an event that nobody has recorded is marked in its stream") {
    const std::string created = "TRY(cudaEventCreateWithFlags(&brewed, cudaEventDisableTiming));";
    Shown vain(changed(changed(solution_of(slug), "TRY(cudaStreamWaitEvent(second, brewed));", ""), created,
                       created + " TRY(cudaStreamWaitEvent(second, brewed));"));
    const Scene waits = vain.scene("one element");
    bool marked = false;
    for (const Node& node : waits.nodes)
        marked = marked || (node.shape == Shape::in_vain && node.column == 2);
    CHECK(marked);
    CHECK(waits.races.size() == 1);
    vain.window.picture("waiting-5-vain");
}
