// What the panel shows, derived from a run: where each page of managed memory was after each act of the run, and what
// brought it there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workbench/record/run.h"

namespace lab::lesson_11_unified_memory {

// What happened to a page in an act, as bits: the marks of a cell.
enum Mark : uint8_t { fault = 1, first_touch = 2, sent = 4, evicted = 8, advised = 16 };

struct Cell {
    bool on_host = false, on_device = false;
    uint8_t marks = 0;
    int event = -1;  // the last of this act: an index into PageMap::events
    bool is_nowhere() const { return !on_host && !on_device; }
};

struct Row {  // a page
    int buffer = 0;
    uint32_t page = 0;
    std::vector<Cell> cells;  // one an act
};

struct Column {       // an act
    int faults = 0;   // pages that moved, were copied or reached for because somebody touched them
    int touched = 0;  // pages that were made by a first touch
    int sent = 0;     // pages that a prefetch or a copy brought
    int evicted = 0;
    int on_device = 0;  // pages there afterwards
};

struct Scene {
    const Timeline* timeline = nullptr;  // of the case; null: it used no managed memory
    const PageMap* map = nullptr;
    std::vector<Row> rows;  // of the buffers to which anything happened, in their order
    std::vector<Column> columns;
    int device_pages = 0;  // that the device's memory holds
    // Is the device's memory so small that it is worth a line?
    bool is_tight() const;
};

// The run must outlive what comes back.
Scene scene_of(const Run& run, int case_index);

std::string summary_of(const Scene& scene);  // the case in a sentence or two
std::string title_of(const PageAct& act);    // "prefetch", "develop_kernel", "host", "advice", "free"
std::string sentence_of(const Scene& scene, size_t column);                    // what an act did
std::string sentence_of(const Scene& scene, const Cell& cell, size_t column);  // where a page is, and why

}  // namespace lab::lesson_11_unified_memory
