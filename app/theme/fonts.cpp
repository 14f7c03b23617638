// Fonts are the system's own (assets/fonts/README.md says which packages); the first file of a row that
// exists is taken.
#include <filesystem>
#include <initializer_list>

#include "app/theme/theme.h"

namespace lab {
namespace {

struct Row {
    Face face;
    std::initializer_list<const char*> files;  // below a font folder, best first
};

constexpr const char* folders[] = {"/usr/share/fonts/truetype/", "/usr/share/fonts/",
                                   "/usr/local/share/fonts/", "/usr/share/fonts/opentype/"};

const Row rows[] = {
    {Face::text, {"noto/NotoSans-Regular.ttf", "dejavu/DejaVuSans.ttf"}},
    {Face::bold, {"noto/NotoSans-Bold.ttf", "dejavu/DejaVuSans-Bold.ttf"}},
    {Face::italic, {"noto/NotoSans-Italic.ttf", "dejavu/DejaVuSans-Oblique.ttf"}},
    {Face::mono, {"jetbrains-mono/JetBrainsMono-Regular.ttf", "dejavu/DejaVuSansMono.ttf"}},
    {Face::mono_bold, {"jetbrains-mono/JetBrainsMono-Bold.ttf", "dejavu/DejaVuSansMono-Bold.ttf"}},
};
const Row cjk{Face::text, {"noto/NotoSansCJK-Regular.ttc", "opentype/noto/NotoSansCJK-Regular.ttc"}};

struct State {
    ImFont* faces[5] = {};
    bool sheared_italic = false;
    bool has_cjk = false;
};
State state;

std::string find_font(const Row& row) {
    for (const char* file : row.files)
        for (const char* folder : folders)
            if (std::filesystem::path path = std::string(folder) + file; std::filesystem::exists(path))
                return path;
    return "";
}

}  // namespace

void load_fonts() {
    state = {};
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    for (const Row& row : rows) {
        const std::string path = find_font(row);
        if (!path.empty()) state.faces[int(row.face)] = atlas->AddFontFromFileTTF(path.c_str());
    }
    ImFont*& text = state.faces[int(Face::text)];
    if (!text) text = atlas->AddFontDefault();
    state.sheared_italic = state.faces[int(Face::italic)] == nullptr;
    for (ImFont*& face : state.faces)
        if (!face) face = text;
}

bool has_cjk(const std::string& text) {
    // UTF-8 of U+2E80 and above, but for private use and symbols: three bytes, the first from E2 BA up.
    for (size_t i = 0; i + 2 < text.size(); ++i) {
        const auto a = static_cast<unsigned char>(text[i]), b = static_cast<unsigned char>(text[i + 1]);
        if ((a == 0xE2 && b >= 0xBA) || (a >= 0xE3 && a <= 0xED)) return true;
    }
    return false;
}

void need_cjk_font() {
    if (state.has_cjk) return;
    state.has_cjk = true;
    const std::string path = find_font(cjk);
    if (path.empty()) return;
    for (Face face : {Face::text, Face::bold, Face::mono}) {
        ImFontConfig config;
        config.MergeMode = true;
        config.DstFont = state.faces[int(face)];
        ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), 0, &config);
    }
}

ImFont* font_of(Face face) {
    return state.faces[int(face)];
}

float draw_text(ImDrawList* list, Face face, float pixels, ImVec2 at, ImU32 colour, std::string_view text) {
    if (text.empty()) return 0;
    const int first = list->VtxBuffer.Size;
    at = {float(int(at.x + 0.5f)), float(int(at.y + 0.5f))};
    list->AddText(font_of(face), pixels, at, colour, text.data(), text.data() + text.size());
    if (face == Face::italic && state.sheared_italic) {
        const float baseline = at.y + ascent_of(face, pixels);
        for (int i = first; i < list->VtxBuffer.Size; ++i)
            list->VtxBuffer[i].pos.x += (baseline - list->VtxBuffer[i].pos.y) * 0.2f;
    }
    return text_size(face, pixels, text).x;
}

}  // namespace lab
