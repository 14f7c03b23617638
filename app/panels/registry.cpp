// The panels that lessons may name: one row each. A lesson's own panel is lessons/NN_slug/panel.cpp, which
// defines `std::unique_ptr<lab::Panel> make_panel()` and `const char* panel_title()` in namespace
// lab::lesson_NN_slug and is called by the slug.
#include "app/panels/memories.h"
#include "app/panels/memory_access.h"
#include "app/panels/panel.h"
#include "app/panels/thread_map.h"
#include "app/panels/tile.h"
#include "app/panels/timeline.h"

namespace lab {

std::span<const PanelRow> lesson_panel_table();  // written by app/CMakeLists.txt from the lesson table

namespace {

template <class T>
std::unique_ptr<Panel> make() {
    return std::make_unique<T>();
}

constexpr PanelRow rows[] = {
    {"thread_map", "Thread map", make<ThreadMap>},
    {"memory_access", "Memory access", make<MemoryAccess>},
    {"memories", "Memories and limits", make<Memories>},
    {"tile", "Tile", make<Tile>},
    {"timeline", "Timeline", make<TimelinePanel>},
};

}  // namespace

std::span<const PanelRow> panel_table() {
    return rows;
}

const PanelRow* find_panel(const std::string& name) {
    for (const std::span<const PanelRow> table : {panel_table(), lesson_panel_table()})
        for (const PanelRow& row : table)
            if (name == row.name) return &row;
    return nullptr;
}

}  // namespace lab
