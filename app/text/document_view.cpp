#include <algorithm>
#include <cmath>

#include "app/text/flow.h"

namespace lab {
namespace {

float heading_scale(int level) {
    constexpr float scales[] = {1.75f, 1.4f, 1.16f, 1.0f};
    return scales[std::clamp(level, 1, 4) - 1];
}

float space_above(const TextBlock& block, bool first) {
    if (first) return 0;
    switch (block.kind) {
        case TextBlock::Kind::heading:
            return em(block.level <= 2 ? 1.4f : 1.0f);
        case TextBlock::Kind::item:
            return em(block.tight ? 0.2f : 0.45f);
        case TextBlock::Kind::rule:
            return em(0.9f);
        default:
            return em(0.7f);
    }
}

float left_of(const TextBlock& block) {
    return em(1.5f) * float(block.indent) + em(1.1f) * float(block.quote);
}

float code_height(const std::string& code) {
    const float size = std::round(em() * 0.92f), step = std::round(size * 1.22f);
    return float(std::count(code.begin(), code.end(), '\n') + 1) * step + em(0.7f) * 1.6f;
}

}  // namespace

DocumentView::Laid DocumentView::lay_out_table(const TextBlock& block, float width) const {
    Laid laid;
    const float pixels = em(0.95f), pad = em(0.5f);
    size_t columns = 0;
    for (const auto& row : block.rows) columns = std::max(columns, row.size());
    std::vector<float> natural(columns, em(2));
    for (size_t r = 0; r < block.rows.size(); ++r)
        for (size_t c = 0; c < block.rows[r].size(); ++c)
            natural[c] = std::max(natural[c], lay_out(block.rows[r][c], 1e6f, pixels, r == 0).width + 2);
    float total = 0, wide_total = 0;
    for (float w : natural) total += w + 2 * pad;
    laid.columns = natural;
    if (total > width) {  // narrow columns keep their width, wide ones share the rest by their need
        const float fair = width / float(std::max<size_t>(1, columns)) - 2 * pad;
        float left = width - 2 * pad * float(columns);
        for (float w : natural) (w <= fair ? left : wide_total) += w <= fair ? -w : w;
        for (float& w : laid.columns)
            if (w > fair) w = std::max(em(3), left * w / wide_total);
    }
    for (size_t r = 0; r < block.rows.size(); ++r) {
        std::vector<LaidText> cells;
        float tall = em(1.4f);
        for (size_t c = 0; c < block.rows[r].size(); ++c) {
            cells.push_back(lay_out(block.rows[r][c], laid.columns[c], pixels, r == 0));
            tall = std::max(tall, cells.back().height);
        }
        laid.rows.push_back(tall + pad * 0.8f);
        laid.height += laid.rows.back();
        laid.cells.push_back(std::move(cells));
    }
    return laid;
}

void DocumentView::lay_out_all(float width) {
    if (width == width_ && em_ == em()) return;
    width_ = width;
    em_ = em();
    laid_.clear();
    float y = 0;
    for (const TextBlock& block : document_.blocks) {
        Laid laid;
        y += space_above(block, laid_.empty());
        const float x = left_of(block);
        const float inner = std::max(em(6), width - x);
        if (block.kind == TextBlock::Kind::table)
            laid = lay_out_table(block, inner);
        else if (block.kind == TextBlock::Kind::code)
            laid.height = code_height(block.code);
        else if (block.kind == TextBlock::Kind::rule)
            laid.height = em(0.5f);
        else {
            const bool heading = block.kind == TextBlock::Kind::heading;
            laid.text = lay_out(block.spans, inner, std::round(em(heading ? heading_scale(block.level) : 1)),
                                heading);
            laid.height = laid.text.height;
        }
        laid.x = x;
        laid.y = y;
        laid.width = inner;
        y += laid.height;
        laid_.push_back(std::move(laid));
    }
    height_ = y;
}

float DocumentView::height(float width) {
    lay_out_all(width);
    return height_;
}

void DocumentView::draw_table(const TextBlock& block, const Laid& laid, ImVec2 at, ImU32 colour) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float pad = em(0.5f);
    float wide = 0;
    for (float w : laid.columns) wide += w + 2 * pad;
    float y = at.y;
    for (size_t r = 0; r < laid.cells.size(); ++r) {
        if (r == 0)
            list->AddRectFilled({at.x, y}, {at.x + wide, y + laid.rows[0]}, palette().raised, em(0.3f),
                                ImDrawFlags_RoundTop);
        float x = at.x + pad;
        for (size_t c = 0; c < laid.cells[r].size(); ++c) {
            const float spare = laid.columns[c] - laid.cells[r][c].width;
            const int align = c < block.align.size() ? block.align[c] : -1;
            draw_laid(laid.cells[r][c],
                      {x + (align > 0    ? spare
                            : align == 0 ? spare / 2
                                         : 0),
                       y + pad * 0.4f},
                      colour);
            x += laid.columns[c] + 2 * pad;
        }
        y += laid.rows[r];
        list->AddLine({at.x, y}, {at.x + wide, y}, palette().border);
    }
}

std::string DocumentView::draw_block(const TextBlock& block, const Laid& laid, ImVec2 origin,
                                     ImU32 colour) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at{origin.x + laid.x, origin.y + laid.y};
    for (int q = 0; q < block.quote; ++q) {
        const float x = origin.x + em(1.1f) * float(q);
        list->AddRectFilled({x, at.y - em(0.35f)}, {x + em(0.2f), at.y + laid.height + em(0.35f)},
                            palette().accent, em(0.1f));
    }
    switch (block.kind) {
        case TextBlock::Kind::table:
            draw_table(block, laid, at, colour);
            return "";
        case TextBlock::Kind::rule:
            list->AddLine({at.x, at.y + laid.height / 2}, {at.x + laid.width, at.y + laid.height / 2},
                          palette().border);
            return "";
        case TextBlock::Kind::code:
            ImGui::SetCursorScreenPos(at);
            draw_code(block.code, block.language, laid.width);
            return "";
        case TextBlock::Kind::item: {
            const float size = em(), middle = at.y + laid.text.line_height / 2;
            if (block.marker.empty())
                list->AddCircleFilled({at.x - em(0.75f), middle}, em(0.15f), palette().accent);
            else
                draw_text(list, Face::bold, size * 0.95f,
                          {at.x - em(0.45f) - text_size(Face::bold, size * 0.95f, block.marker).x,
                           middle - size * 0.5f},
                          palette().accent, block.marker);
            break;
        }
        default:
            break;
    }
    return draw_laid(laid.text, at, block.quote > 0 ? palette().dim : colour);
}

std::string DocumentView::draw(float width, ImU32 colour) {
    lay_out_all(width);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    std::string clicked;
    ImGui::PushID(this);
    for (size_t i = 0; i < laid_.size(); ++i) {
        const ImVec2 top{origin.x, origin.y + laid_[i].y};
        if (!ImGui::IsRectVisible(top, {origin.x + width, top.y + laid_[i].height})) continue;
        ImGui::PushID(int(i));
        if (const std::string link =
                draw_block(document_.blocks[i], laid_[i], origin, colour ? colour : palette().text);
            !link.empty())
            clicked = link;
        ImGui::PopID();
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({width, height_});
    return clicked;
}

}  // namespace lab
