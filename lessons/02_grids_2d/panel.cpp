// The picture: what the run made of the landscape, pixel by pixel, with the blocks that worked on it. Pixels
// that are wrong, that nobody wrote or that two threads wrote are marked; pointing at one names its thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "app/panels/access_index.h"
#include "app/panels/cells.h"
#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/theme/widgets.h"
#include "lessons/02_grids_2d/panel_pictures.h"

namespace lab::lesson_02_grids_2d {

namespace {

struct Layout {
    float scale = 1;
    int across = 1;
    float title = 0, height = 0;  // of the title; of everything
    bool names_launches = true;   // in a second line of the title
};

class ThePicture : public Panel {
  public:
    ThePicture() { choice_.all_launches(); }
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override {
        choice_.load(bundle);
        if (bundle.run.passed) choice_.choose_case(most_pictures(bundle.run, choice_.case_index()));
        derive();
    }
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override {
        if (pictures_.empty()) return em(6);
        const float above = choice_.height();
        return std::min(most, above + lay_out(width, most - above).height);
    }

  private:
    void derive();
    Layout lay_out(float width, float height) const;
    Layout lay_out_with(float title, float width, float height) const;
    void draw_title(const Picture& picture, float width, const Layout& layout) const;
    void draw_picture(Cursor& cursor, Picture& picture, float scale);
    void paint(Picture& picture, float scale) const;
    void draw_blocks(const Picture& picture) const;
    void draw_cursor(const Picture& picture, const Cursor& cursor) const;
    void outline(const Picture& picture, int64_t pixel, ImU32 colour) const;
    void draw_legend() const;
    void point_at(Cursor& cursor, const Picture& picture, int64_t column, int64_t row, bool click) const;
    void explain_pixel(const Picture& picture, int64_t pixel) const;
    void explain_overhang(const Picture& picture, int64_t column, int64_t row) const;
    void handle_keys(Cursor& cursor) const;
    std::string thread_text(int launch, int64_t thread) const;
    const AccessIndex* index_of(const Picture& picture) const { return picture.index_in(indexes_); }

    RunChoice choice_;
    std::vector<AccessIndex> indexes_;  // one a launch
    std::vector<Picture> pictures_;
};

void ThePicture::derive() {
    indexes_.clear();
    const Run& run = choice_.bundle().run;
    const size_t launches = kernels_of(run, choice_.case_index()).size();
    for (size_t i = 0; i < launches; ++i)
        indexes_.push_back(index_accesses(choice_.bundle(), choice_.case_index(), int(i)));
    pictures_ = pictures_of(run, choice_.case_index(), indexes_, choice_.trace() != nullptr);
}

// Whole pixels where they are large; small ones may be a fraction, so that no room is lost.
float scale_that_fits(float fits) {
    return fits >= 5 ? std::floor(fits) : std::max(1.f, std::floor(fits * 4) / 4);
}

// The arrangement with the largest pixels; in little room, without the launches in the titles.
Layout ThePicture::lay_out(float width, float height) const {
    const Layout full = lay_out_with(em(2.7f), width, height);
    if (full.scale >= 4) return full;
    Layout low = lay_out_with(em(1.45f), width, height);
    low.names_launches = false;
    return low.scale > full.scale ? low : full;
}

Layout ThePicture::lay_out_with(float title, float width, float height) const {
    const float gap = em(1.2f), legend = em(1.6f);
    int64_t columns = 1, rows = 1;
    for (const Picture& picture : pictures_) {
        columns = std::max(columns, picture.columns_shown);
        rows = std::max(rows, picture.rows_shown);
    }
    Layout best;
    float best_fit = 0;
    const int count = int(pictures_.size());
    for (int across = count; across >= 1; --across) {
        const int down = (count + across - 1) / across;
        const float room_x = (width - gap * float(across - 1)) / float(across);
        const float room_y = (height - legend) / float(down) - title - em(0.6f);
        const float fits = std::min({room_x / float(columns), room_y / float(rows), em(4)});
        if (best_fit > 0 && fits <= best_fit) continue;
        best_fit = fits;
        best.across = across;
        best.scale = scale_that_fits(fits);
        best.title = title;
        best.height = float(down) * (title + em(0.6f) + float(rows) * best.scale) + legend + em(0.3f);
    }
    return best;
}

void ThePicture::draw_title(const Picture& picture, float width, const Layout& layout) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushClipRect(at, {at.x + width, at.y + layout.title}, true);
    const std::string& name = picture.values->name;
    const float x = at.x + em(0.7f) + draw_text(list, Face::bold, em(0.95f), at, palette().text, name);
    if (layout.names_launches) {
        std::string from = fmt::format("{} by {}", picture.width, picture.height);
        if (picture.output && picture.launch >= 0) {
            const Kernel& kernel = indexes_[size_t(picture.launch)].kernel;
            from = fmt::format("{}<<<{}, {}>>>", kernel.name, extent_text(kernel.grid),
                               extent_text(kernel.block));
        }
        const Face face = picture.output ? Face::mono : Face::text;
        if (x + text_size(face, em(0.82f), from).x <= at.x + width)
            draw_text(list, face, em(0.82f), {x, at.y + em(0.12f)}, palette().dim, from);
    }
    std::string words = "what it starts from";
    ImU32 colour = palette().dim;
    if (picture.output) {
        const int64_t bad = picture.wrong + picture.unwritten;
        words.clear();
        if (picture.values->got.empty()) words = "the program ended before it came back";
        if (picture.wrong) words = fmt::format("{} of {} pixels wrong", picture.wrong, picture.pixels());
        if (picture.unwritten == picture.pixels())
            words = "no pixel was ever written";
        else if (picture.unwritten)
            words += fmt::format("{}{} never written", words.empty() ? "" : ", ", picture.unwritten);
        if (picture.contested)
            words += fmt::format("{}{} written twice", words.empty() ? "" : ", ", picture.contested);
        if (words.empty()) words = fmt::format("all {} pixels right", picture.pixels());
        colour = bad || picture.values->got.empty() ? palette().bad
                 : picture.contested                ? palette().warn
                                                    : palette().good;
    }
    const ImVec2 below{at.x, at.y + em(1.3f)}, beside{x, at.y + em(0.1f)};
    draw_text(list, Face::text, em(0.85f), layout.names_launches ? below : beside, colour, words);
    ImGui::PopClipRect();
    ImGui::Dummy({width, layout.title - ImGui::GetStyle().ItemSpacing.y});
}

void ThePicture::paint(Picture& picture, float scale) const {
    if (picture.scale == scale && picture.theme == theme_kind()) return;
    picture.scale = scale;
    picture.theme = theme_kind();
    const int wide = int(std::round(float(picture.width) * scale)),
              high = int(std::round(float(picture.height) * scale));
    std::vector<ImU32> colours(size_t(wide) * size_t(high));
    const int side = int(scale), edge = side >= 12 ? 2 : side >= 6 ? 1 : 0;
    const int period = std::max(int(em(0.35f)), std::min(side / 3, int(em(0.8f)))),
              line = std::max(1, period / 4);
    const bool lost = picture.output && picture.values->got.empty();
    for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x) {
            const int64_t column = std::min(picture.width - 1, int64_t((float(x) + 0.5f) / scale));
            const int64_t row = std::min(picture.height - 1, int64_t((float(y) + 0.5f) / scale));
            const int64_t pixel = row * picture.width + column;
            const Mark mark = picture.marks[size_t(pixel)];
            ImU32 colour = picture.colour(pixel);
            const int in_x = x % side, in_y = y % side;
            const bool at_edge = in_x < edge || in_y < edge || in_x >= side - edge || in_y >= side - edge;
            const ImU32 sign = mark == Mark::contested ? palette().warn : palette().bad;
            if (mark == Mark::unwritten || lost)
                colour = (x + y) % period < line ? palette().bad : palette().bad_soft;
            else if (mark != Mark::none && edge == 0)
                colour = mix(colour, sign, 0.65f);
            else if (mark != Mark::none && at_edge)
                colour = sign;
            colours[size_t(y) * size_t(wide) + size_t(x)] = colour;
        }
    picture.image.set(wide, high, colours);
}

// The part of the grid that has pixels, and what of its blocks sticks out.
void ThePicture::draw_blocks(const Picture& picture) const {
    if (picture.launch < 0 || indexes_[size_t(picture.launch)].blocks == 0) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float scale = picture.scale;
    const int64_t columns =
        std::min<int64_t>(picture.columns_shown, int64_t(picture.grid.x) * picture.block.x);
    const int64_t rows = std::min<int64_t>(picture.rows_shown, int64_t(picture.grid.y) * picture.block.y);
    const float right = picture.at.x + float(columns) * scale, bottom = picture.at.y + float(rows) * scale;
    const ImU32 ink = with_alpha(palette().accent, 0.9f);
    if (float(picture.block.x) * scale >= 4)
        for (int64_t x = 0; x <= columns; x += picture.block.x) {
            const float at = picture.at.x + float(x) * scale;
            list->AddRectFilled({at, picture.at.y}, {at + 1, bottom + 1}, ink);
        }
    if (float(picture.block.y) * scale >= 4)
        for (int64_t y = 0; y <= rows; y += picture.block.y) {
            const float at = picture.at.y + float(y) * scale;
            list->AddRectFilled({picture.at.x, at}, {right + 1, at + 1}, ink);
        }
}

void ThePicture::outline(const Picture& picture, int64_t pixel, ImU32 colour) const {
    if (pixel < 0 || pixel >= picture.pixels()) return;
    const float scale = picture.scale, grow = scale < 6 ? 2.f : 1.f;
    const ImVec2 from{picture.at.x + float(pixel % picture.width) * scale,
                      picture.at.y + float(pixel / picture.width) * scale};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 outer{from.x + scale + grow, from.y + scale + grow};
    list->AddRect({from.x - grow - 1, from.y - grow - 1}, {outer.x + 1, outer.y + 1}, palette().background, 0,
                  1);
    list->AddRect({from.x - grow, from.y - grow}, outer, colour, 0, 2);
}

// What the pointed thread read and wrote, and the pointed pixel, wherever the reader points at them.
void ThePicture::draw_cursor(const Picture& picture, const Cursor& cursor) const {
    if (!choice_.holds(cursor) || picture.buffer < 0) return;
    const int launch = cursor.launch;
    if (cursor.has_thread() && launch >= 0 && launch < int(indexes_.size())) {
        const AccessIndex& index = indexes_[size_t(launch)];
        const int64_t in_block = int64_t(cursor.warp) * 32 + cursor.lane;
        const int64_t thread = cursor.block * index.threads_per_block + in_block;
        if (in_block < index.threads_per_block && thread < index.threads())
            for (uint32_t i = index.first_touch[size_t(thread)]; i < index.first_touch[size_t(thread) + 1];
                 ++i) {
                const Touch& touch = index.touches[i];
                if (touch.buffer == picture.buffer)
                    outline(picture, touch.element / picture.channels,
                            touch.wrote ? palette().wrote : palette().read);
            }
    }
    if (cursor.has_element() && cursor.buffer == picture.buffer)
        outline(picture, cursor.element / picture.channels,
                picture.output ? palette().wrote : palette().text);
}

std::string ThePicture::thread_text(int launch, int64_t thread) const {
    const AccessIndex& index = indexes_[size_t(launch)];
    return fmt::format(
        "thread {} of block {}",
        place_text(place_in(thread % index.threads_per_block, index.kernel.block), index.kernel.block),
        place_text(place_in(thread / index.threads_per_block, index.kernel.grid), index.kernel.grid));
}

void ThePicture::explain_pixel(const Picture& picture, int64_t pixel) const {
    if (!begin_hint()) return;
    const Mark mark = picture.marks[size_t(pixel)];
    hint_title(fmt::format("{}: column {} of row {}", picture.values->name, pixel % picture.width,
                           pixel / picture.width));
    hint_text(fmt::format("Pixel {} * {} + {} = {}", pixel / picture.width, picture.width,
                          pixel % picture.width, pixel));
    if (picture.channels == 3)
        hint_text(fmt::format("Red {}, green {}, blue {}: bytes {} to {}", picture.byte(pixel, 0),
                              picture.byte(pixel, 1), picture.byte(pixel, 2), 3 * pixel, 3 * pixel + 2));
    else if (mark == Mark::unwritten)
        hint_text("Never written.", palette().bad);
    else if (mark == Mark::wrong && !picture.values->expected.empty())
        hint_text(fmt::format("Is {}, expected {}.", picture.byte(pixel, 0),
                              static_cast<unsigned char>(picture.values->expected[size_t(pixel)])),
                  palette().bad);
    else if (!picture.values->got.empty())
        hint_text(fmt::format("Grey value {}", picture.byte(pixel, 0)));
    if (mark == Mark::contested) hint_text("Two threads wrote it: the later one decides.", palette().warn);
    const AccessIndex* index = index_of(picture);
    if (!index || picture.buffer < 0) return end_hint();
    const IndexedBuffer& buffer = index->buffers[size_t(picture.buffer)];
    const auto element = size_t(pixel * picture.channels);
    const uint32_t first = element < size_t(buffer.shown) ? buffer.first[element] : 0,
                   last = element < size_t(buffer.shown) ? buffer.first[element + 1] : 0;
    if (first == last) hint_text("No thread touched it.");
    for (uint32_t i = first; i < std::min(last, first + 4); ++i) {
        const Touch& touch = index->touches[buffer.order[i]];
        hint_text(fmt::format("{} by {} in line {}", touch.wrote ? "Written" : "Read",
                              thread_text(picture.launch, touch.thread), touch.line),
                  touch.wrote ? palette().wrote : palette().read);
    }
    if (last > first + 4) hint_text(fmt::format("... and {} more accesses", last - first - 4));
    end_hint();
}

void ThePicture::explain_overhang(const Picture& picture, int64_t column, int64_t row) const {
    if (!begin_hint()) return;
    hint_title(fmt::format("No pixel: column {} of row {}", column, row));
    if (picture.launch < 0) return end_hint();
    const Dim3 &block = picture.block, &grid = picture.grid;
    const int64_t block_x = column / block.x, block_y = row / block.y;
    if (block_x >= grid.x || block_y >= grid.y) {
        hint_text("No block reaches this far.");
        return end_hint();
    }
    const AccessIndex& index = indexes_[size_t(picture.launch)];
    const int64_t thread =
        (block_y * grid.x + block_x) * index.threads_per_block + row % block.y * block.x + column % block.x;
    std::string text = thread_text(picture.launch, thread);
    text[0] = 'T';
    hint_text(text + " stands here, outside of the picture.");
    const bool idle = index.first_touch[size_t(thread)] == index.first_touch[size_t(thread) + 1];
    if (idle) hint_text("It touched no memory: the guard sent it home.", palette().good);
    for (uint32_t i = index.first_touch[size_t(thread)]; i < index.first_touch[size_t(thread) + 1]; ++i) {
        const Touch& touch = index.touches[i];
        if (!touch.wrote) continue;
        hint_text(fmt::format("It wrote {}[{}] in line {}", index.buffers[size_t(touch.buffer)].name,
                              touch.element, touch.line),
                  palette().bad);
    }
    end_hint();
}

void ThePicture::point_at(Cursor& cursor, const Picture& picture, int64_t column, int64_t row,
                          bool click) const {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;  // a second click lets go
    cursor.pinned = click;
    choice_.put_into(cursor);
    cursor.launch = picture.launch;
    const AccessIndex* index = index_of(picture);
    const bool inside = column < picture.width && row < picture.height;
    int64_t thread = -1;
    if (inside) {
        const int64_t element = (row * picture.width + column) * picture.channels;
        cursor.buffer = picture.buffer;
        cursor.element = element;
        if (!index || picture.buffer < 0) return;
        const IndexedBuffer& buffer = index->buffers[size_t(picture.buffer)];
        if (element >= buffer.shown) return;
        const uint32_t first = buffer.first[size_t(element)], last = buffer.first[size_t(element) + 1];
        for (uint32_t i = first; i < last; ++i) {
            const Touch& touch = index->touches[buffer.order[i]];
            cursor.line = touch.line;
            if (touch.wrote || last == first + 1) thread = touch.thread;
        }
    } else if (index && column / picture.block.x < picture.grid.x && row / picture.block.y < picture.grid.y) {
        thread =
            (row / picture.block.y * picture.grid.x + column / picture.block.x) * index->threads_per_block +
            row % picture.block.y * picture.block.x + column % picture.block.x;
    }
    if (thread < 0 || !index || thread >= index->threads()) return;
    cursor.block = thread / index->threads_per_block;
    cursor.warp = int(thread % index->threads_per_block / 32);
    cursor.lane = int(thread % index->threads_per_block % 32);
}

void ThePicture::draw_picture(Cursor& cursor, Picture& picture, float scale) {
    paint(picture, scale);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    picture.at = {std::floor(corner.x), std::floor(corner.y)};
    const ImVec2 size{float(picture.columns_shown) * scale, float(picture.rows_shown) * scale};
    ImGui::PushID(picture.values->name.c_str());
    const bool clicked = ImGui::InvisibleButton("picture", size);
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end{picture.at.x + size.x, picture.at.y + size.y};
    const ImVec2 inner{picture.at.x + float(picture.image.width()),
                       picture.at.y + float(picture.image.height())};
    list->AddRectFilled({inner.x, picture.at.y}, end, palette().idle);
    list->AddRectFilled({picture.at.x, inner.y}, {inner.x, end.y}, palette().idle);
    picture.image.draw(list, picture.at);
    draw_blocks(picture);
    if (hovered) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const int64_t column =
            std::clamp<int64_t>(int64_t((mouse.x - picture.at.x) / scale), 0, picture.columns_shown - 1);
        const int64_t row =
            std::clamp<int64_t>(int64_t((mouse.y - picture.at.y) / scale), 0, picture.rows_shown - 1);
        point_at(cursor, picture, column, row, clicked);
        if (column < picture.width && row < picture.height)
            explain_pixel(picture, row * picture.width + column);
        else
            explain_overhang(picture, column, row);
    }
    draw_cursor(picture, cursor);
}

void ThePicture::draw_legend() const {
    struct Entry {
        const char* text;
        ImU32 ink;
        bool hatched, filled;
    };
    const Entry entries[] = {{"block", palette().accent, false, false},
                             {"threads without a pixel", palette().idle, false, true},
                             {"wrong", palette().bad, false, false},
                             {"never written", palette().bad, true, false},
                             {"written twice", palette().warn, false, false}};
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = em(0.72f), right = at.x + ImGui::GetContentRegionAvail().x;
    for (const Entry& entry : entries) {
        const float wide = side + em(0.35f) + text_size(Face::text, em(0.8f), entry.text).x;
        if (at.x + wide > right) break;
        const ImVec2 from{at.x, at.y + em(0.1f)}, to{at.x + side, from.y + side};
        if (entry.filled || entry.hatched)
            list->AddRectFilled(from, to, entry.hatched ? palette().bad_soft : entry.ink);
        if (entry.hatched) draw_hatch(list, from, to, entry.ink);
        list->AddRect(from, to, entry.filled ? palette().border : entry.ink);
        draw_text(list, Face::text, em(0.8f), {to.x + em(0.35f), at.y}, palette().dim, entry.text);
        at.x += wide + em(1);
    }
    ImGui::Dummy({1, em(1.2f)});
}

// Arrows walk from pixel to pixel of the picture that was pointed at; the pixel stays held.
void ThePicture::handle_keys(Cursor& cursor) const {
    if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput) return;
    const int across = ImGui::IsKeyPressed(ImGuiKey_RightArrow) - ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
    const int down = ImGui::IsKeyPressed(ImGuiKey_DownArrow) - ImGui::IsKeyPressed(ImGuiKey_UpArrow);
    if (across == 0 && down == 0) return;
    const Picture* picture = &pictures_.back();
    int64_t column = 0, row = 0;
    for (const Picture& one : pictures_)
        if (choice_.holds(cursor) && cursor.has_element() && cursor.buffer == one.buffer) {
            const int64_t pixel = cursor.element / one.channels;
            picture = &one;
            column = std::clamp<int64_t>(pixel % one.width + across, 0, one.width - 1);
            row = std::clamp<int64_t>(pixel / one.width + down, 0, one.height - 1);
        }
    cursor.pinned = false;
    point_at(cursor, *picture, column, row, false);
    cursor.pinned = true;
}

void ThePicture::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (pictures_.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "The pictures of this case are too large to be shown here.");
    handle_keys(cursor);
    const ImVec2 room = ImGui::GetContentRegionAvail(), start = ImGui::GetCursorScreenPos();
    const Layout layout = lay_out(room.x, room.y);
    const float wide = (room.x - em(1.2f) * float(layout.across - 1)) / float(layout.across);
    float y = start.y, bottom = start.y;
    for (size_t i = 0; i < pictures_.size(); ++i) {
        const size_t column = i % size_t(layout.across);
        if (column == 0) y = bottom;
        ImGui::SetCursorScreenPos({start.x + float(column) * (wide + em(1.2f)), y});
        ImGui::BeginGroup();
        draw_title(pictures_[i], wide, layout);
        draw_picture(cursor, pictures_[i], layout.scale);
        ImGui::EndGroup();
        bottom = std::max(bottom, ImGui::GetItemRectMax().y + em(0.6f));
    }
    ImGui::SetCursorScreenPos({start.x, bottom});
    draw_legend();
}

}  // namespace

const char* panel_title() {
    return "The picture";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<ThePicture>();
}

}  // namespace lab::lesson_02_grids_2d
