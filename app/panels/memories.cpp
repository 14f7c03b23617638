#include "app/panels/memories.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/theme/widgets.h"

namespace lab {

namespace {

struct Memory {
    int lesson;  // that introduces it
    const char* name;
    const char* place;
    const char* who;
    const char* lives;
    const char* size;   // the name of a limit, or words
    const char* space;  // of its buffers in a Run; empty: it has none
};

constexpr Memory memories[] = {
    {1, "pageable host memory", "the computer's RAM", "host code only",
     "from malloc or new to free or delete", "what the computer has", ""},
    {1, "registers", "in the multiprocessor, beside its arithmetic", "one thread", "as long as the thread",
     "registers_per_block", ""},
    {1, "global memory", "on the card, outside its chip",
     "every thread of every kernel; the host by cudaMemcpy", "from cudaMalloc to cudaFree", "global_bytes",
     "global"},
    {4, "__device__ variable", "a piece of global memory",
     "every thread of every kernel; the host by its symbol", "as long as the program",
     "a part of global memory", ""},
    {5, "shared memory", "in the multiprocessor that runs the block", "the threads of one block",
     "as long as the block", "shared_per_block", "shared"},
    {6, "constant memory", "on the card, with a cache in each multiprocessor",
     "every thread reads; the host writes by its symbol", "as long as the program", "constant_bytes",
     "constant"},
    {6, "texture", "an array in global memory, read through the texture unit and the L1 cache",
     "every thread reads; written by copies, or through a surface", "from cudaMallocArray to cudaFreeArray",
     "a part of global memory", "array"},
    {7, "local memory", "a piece of global memory for each thread", "one thread", "as long as the thread",
     "what does not fit into registers", ""},
    {8, "pinned host memory", "the computer's RAM, never moved by the system",
     "host code; the copy engines, while the host goes on", "from cudaMallocHost to cudaFreeHost",
     "what the computer can spare", "pinned"},
    {8, "mapped host memory", "pinned, with an address on the device",
     "host code, and every thread over the cable", "from cudaHostAlloc to cudaFreeHost",
     "a part of pinned memory", ""},
    {11, "managed memory", "pages that move between RAM and card", "host code and every thread, in turns",
     "from cudaMallocManaged to cudaFree", "may exceed the card's", "managed"},
};

std::string bytes_text(double bytes) {
    if (bytes >= double(1ull << 30)) return fmt::format("{:.4g} GiB", bytes / double(1ull << 30));
    if (bytes >= double(1 << 20)) return fmt::format("{:.4g} MiB", bytes / double(1 << 20));
    if (bytes >= 1024) return fmt::format("{:.4g} KiB", bytes / 1024);
    return fmt::format("{:.0f} bytes", bytes);
}

// 2147483647 -> "2,147,483,647"
std::string grouped(uint64_t number) {
    std::string text = std::to_string(number);
    for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

std::string size_text(const std::string& size, const DeviceLimits* device) {
    const bool is_limit = size.find(' ') == std::string::npos;
    if (!is_limit) return size;
    const double limit = device ? device->limit(size) : 0;
    if (limit == 0) return "";
    if (size == "registers_per_block") return fmt::format("{:.0f} of 32 bits a block", limit);
    return bytes_text(limit) + (size == "shared_per_block" ? " a block" : "");
}

// "x and y, 4000 bytes each"; "x, 4000 bytes, and y, 16 bytes"; of many the first few.
std::string buffers_text(const std::vector<const Buffer*>& buffers) {
    constexpr size_t most = 3;
    if (buffers.empty()) return "";
    const bool alike = std::all_of(buffers.begin(), buffers.end(),
                                   [&](const Buffer* b) { return b->bytes == buffers.front()->bytes; });
    std::string text;
    for (size_t i = 0; i < std::min(most, buffers.size()); ++i) {
        const bool is_last = i + 1 == buffers.size();
        text += i == 0 ? "" : is_last ? (alike ? " and " : ", and ") : ", ";
        text += buffers[i]->name.empty() ? "one without a name" : buffers[i]->name;
        if (!alike) text += ", " + bytes_text(double(buffers[i]->bytes));
    }
    if (buffers.size() > most) text += fmt::format(" and {} more", buffers.size() - most);
    if (alike)
        text += ", " + bytes_text(double(buffers.front()->bytes)) + (buffers.size() > 1 ? " each" : "");
    return text;
}

}  // namespace

void Memories::configure(const std::map<std::string, std::string>& options) {
    choice_.configure(options);
    if (const auto found = options.find("until"); found != options.end())
        until_ = std::atoi(found->second.c_str());
}

void Memories::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
}

void Memories::derive() {
    const Run& run = choice_.bundle().run;
    const DeviceLimits* device = nullptr;
    for (const DeviceLimits& one : run.devices)
        if (one.case_index < 0 || one.case_index == choice_.case_index()) device = &one;
    rows_.clear();
    to_come_.clear();
    for (const Memory& memory : memories) {
        if (memory.lesson > until_) {
            to_come_ +=
                fmt::format("{}{} (lesson {:02})", to_come_.empty() ? "" : ", ", memory.name, memory.lesson);
            continue;
        }
        std::vector<const Buffer*> buffers;
        for (const Buffer& buffer : run.buffers)
            if (buffer.space == memory.space &&
                (buffer.case_index < 0 || buffer.case_index == choice_.case_index()))
                buffers.push_back(&buffer);
        Row row{memory.name,
                memory.place,
                memory.who,
                memory.lives,
                size_text(memory.size, device),
                *memory.space != 0 && buffers.empty() ? "none" : buffers_text(buffers),
                memory.lesson == until_};
        if (std::string_view(memory.space) == "shared" && choice_.kernel() &&
            choice_.kernel()->shared_bytes != 0)
            row.in_run =
                bytes_text(double(choice_.kernel()->shared_bytes)) + " a block of " + choice_.kernel()->name;
        rows_.push_back(std::move(row));
    }
    limits_.clear();
    device_.clear();
    if (device == nullptr) return;
    device_ = device->name;
    const Dim3 &b = device->max_block, &g = device->max_grid;
    limits_ = fmt::format(
        "A block has at most {:.0f} threads, and at most {}, {} and {} in x, y and z. A grid has at most {} "
        "blocks in x, and "
        "{} in y and in z. A warp has {:.0f} lanes. Each of the {:.0f} multiprocessors holds up to {:.0f} "
        "threads and {:.0f} "
        "blocks at once.",
        device->limit("threads_per_block"), b.x, b.y, b.z, grouped(g.x), grouped(g.y),
        device->limit("warp_size"), device->limit("sm_count"), device->limit("threads_per_sm"),
        device->limit("blocks_per_sm"));
}

float Memories::height_for(float, float most) {
    const float guess = em(4.2f) * float(rows_.size() + 1) + em(7);
    return std::min(most, height_ > 0 ? height_ : guess);
}

void Memories::draw_row(const Row& row) const {
    const Palette& p = palette();
    const float pixels = em(0.88f);
    ImGui::TableNextRow();
    if (row.is_new) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, p.accent_soft);
    ImGui::TableNextColumn();
    wrapped_text(Face::bold, pixels, row.is_new ? p.accent : p.text, row.name);
    wrapped_text(Face::text, em(0.8f), p.dim, row.place);
    for (const std::string& cell : {row.who, row.lives, row.size}) {
        ImGui::TableNextColumn();
        wrapped_text(Face::text, pixels, p.text, cell);
    }
    ImGui::TableNextColumn();
    wrapped_text(Face::text, pixels, row.in_run == "none" ? p.faint : p.read, row.in_run);
}

void Memories::draw(Cursor&) {
    const float top = ImGui::GetCursorPosY();
    if (choice_.draw()) derive();
    const Palette& p = palette();
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX;
    if (ImGui::BeginTable("memories", 5, flags)) {
        constexpr std::pair<const char*, float> columns[] = {{"memory, and where it lies", 2.4f},
                                                             {"who may touch it", 2.2f},
                                                             {"how long it lives", 1.8f},
                                                             {"how much there is", 1.5f},
                                                             {"in this run", 1.7f}};
        for (const auto& [name, part] : columns)
            ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, part);
        ImGui::TableNextRow();
        for (const auto& [name, part] : columns) {
            ImGui::TableNextColumn();
            wrapped_text(Face::text, em(0.8f), p.dim, name);
        }
        for (const Row& row : rows_) draw_row(row);
        ImGui::EndTable();
    }
    if (!to_come_.empty()) wrapped_text(Face::text, em(0.85f), p.faint, "Still to come: " + to_come_ + ".");
    if (!limits_.empty()) {
        ImGui::Dummy({0, em(0.4f)});
        section_title("Limits of this card", device_);
        wrapped_text(Face::text, em(0.92f), p.text, limits_);
    }
    height_ = ImGui::GetCursorPosY() - top + em(0.5f);
}

}  // namespace lab
