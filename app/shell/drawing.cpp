#include "app/shell/drawing.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "app/model/grader.h"
#include "app/panels/panel.h"
#include "app/theme/widgets.h"

namespace lab {

void draw_panel(Headless& screen, const std::string& name, const RunBundle& bundle,
                const std::string& title) {
    constexpr int settling_frames = 3;
    const PanelRow* row = find_panel(name);
    if (row == nullptr) throw std::runtime_error(fmt::format("There is no panel named {}.", name));
    const auto panel = row->make();
    panel->load(bundle);
    Cursor cursor;
    for (int frame = 0; frame < settling_frames; ++frame) {
        screen.begin_frame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({float(screen.width()), float(screen.height())});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(1.2f), em(1)});
        ImGui::Begin("picture", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
        wrapped_text(Face::bold, em(1.1f), palette().text, title);
        ImGui::Dummy({1, em(0.3f)});
        panel->draw(cursor);
        ImGui::End();
        ImGui::PopStyleVar();
        screen.end_frame();
    }
    screen.draw();  // while the panel's textures live
}

int draw_timeline(const DrawRequest& request) {
    try {
        const RunPtr bundle = read_run(read_file(request.record), "", "program");
        if (!bundle->problem.empty()) throw std::runtime_error(bundle->problem);
        Headless screen(request.width, request.height);
        load_fonts();
        apply_theme(request.theme, request.scale);
        draw_panel(screen, "timeline", *bundle,
                   std::filesystem::path(bundle->run.source).filename().string());
        screen.write_png(request.picture);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "cudalab-app: {}\n", error.what());
        return 1;
    }
}

}  // namespace lab
