#include "app/panels/cells.h"

#include <algorithm>
#include <cmath>

#include "app/theme/theme.h"

namespace lab {

ImVec2 CellGrid::top_left(int64_t cell) const {
    return {at.x + float(cell % columns) * size, at.y + float(cell / columns) * size};
}

ImVec2 CellGrid::centre_of(int64_t thing) const {
    const ImVec2 corner = top_left(thing / per_cell);
    return {corner.x + (size - gap) / 2, corner.y + (size - gap) / 2};
}

int64_t CellGrid::at_point(ImVec2 point) const {
    if (size <= 0 || point.x < at.x || point.y < at.y) return -1;
    const int64_t column = int64_t((point.x - at.x) / size), row = int64_t((point.y - at.y) / size);
    const int64_t cell = row * columns + column;
    return column < columns && row < rows && cell < cells ? cell * per_cell : -1;
}

namespace {

// The largest cell with which `cells` cells fit, in rows of a power of two.
int best_columns(int64_t cells, const CellLimits& limits, float& size) {
    int best = 1;
    size = 0;
    for (int columns = 1; columns <= 1024; columns *= 2) {
        const float rows = std::ceil(float(cells) / float(columns));
        const float fits = std::min({limits.width / float(columns), limits.height / rows, limits.largest});
        if (fits < size || (fits == size && columns > cells)) continue;
        size = fits;
        best = columns;
    }
    return best;
}

}  // namespace

CellGrid fit_cells(int64_t count, const CellLimits& limits) {
    CellGrid grid;
    grid.count = count;
    if (count <= 0) return grid;
    while (true) {
        grid.cells = (count + grid.per_cell - 1) / grid.per_cell;
        if (limits.columns > 0) {
            grid.columns = limits.columns;
            const float rows = std::ceil(float(grid.cells) / float(grid.columns));
            grid.size = std::min({limits.width / float(grid.columns), limits.height / rows, limits.largest});
        } else {
            grid.columns = best_columns(grid.cells, limits, grid.size);
        }
        if (grid.size >= limits.smallest || grid.cells <= 1) break;
        grid.per_cell *= 2;
    }
    grid.size = std::max(std::floor(grid.size), 2.f);
    grid.gap = grid.size >= 7 ? std::max(1.f, std::round(grid.size * 0.1f)) : grid.size >= 4 ? 1 : 0;
    grid.rows = int((grid.cells + grid.columns - 1) / grid.columns);
    return grid;
}

void fill_runs(ImDrawList* list, const CellGrid& grid, const std::vector<ImU32>& colours) {
    const int64_t columns = grid.columns;
    for (int64_t cell = 0; cell < grid.cells;) {
        const int64_t row_end = std::min(grid.cells, (cell / columns + 1) * columns);
        int64_t end = cell + 1;
        while (end < row_end && colours[size_t(end)] == colours[size_t(cell)]) ++end;
        const ImVec2 from = grid.top_left(cell), last = grid.top_left(end - 1);
        if (colours[size_t(cell)] != 0)
            list->AddRectFilled(from, {last.x + grid.size - grid.gap, last.y + grid.size - grid.gap},
                                colours[size_t(cell)]);
        cell = end;
    }
    if (grid.gap <= 0) return;
    const ImVec4 child = ImGui::GetStyleColorVec4(ImGuiCol_ChildBg);  // a figure in the text has its own
    const ImU32 behind = child.w > 0 ? ImGui::ColorConvertFloat4ToU32(child) : palette().surface;
    const float bottom = grid.at.y + grid.height();
    for (int64_t column = 1; column < columns; ++column) {
        const float x = grid.at.x + float(column) * grid.size;
        list->AddRectFilled({x - grid.gap, grid.at.y}, {x, bottom}, behind);
    }
}

void draw_hatch(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour) {
    const float wide = to.x - from.x, high = to.y - from.y, step = std::max(3.f, high / 4);
    // Lines x + y = c, cut at the cell's edges.
    for (float c = step; c < wide + high; c += step)
        list->AddLine({from.x + std::max(0.f, c - high), from.y + std::min(c, high)},
                      {from.x + std::min(c, wide), from.y + std::max(0.f, c - wide)}, colour,
                      high > 12 ? 1.5f : 1);
}

}  // namespace lab
