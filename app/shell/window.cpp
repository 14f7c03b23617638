#include "app/shell/window.h"

#include "app/theme/theme.h"
#include "workbench/play/gpu.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace lab {
namespace {

constexpr int settling_frames = 3;  // ImGui needs a few frames after an event until everything has its place

GLFWwindow* open_window() {
    glfwSetErrorCallback([](int, const char* message) { fmt::print(stderr, "cudalab-app: {}\n", message); });
    if (!glfwInit()) {
        fmt::print(stderr,
                   "cudalab-app: there is no display to open a window on. `cudalab tour OUT/` draws the same "
                   "as pictures, "
                   "and `cudalab watch` works in the terminal.\n");
        return nullptr;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    int width = 1600, height = 1000;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        int x, y, room_x, room_y;
        glfwGetMonitorWorkarea(monitor, &x, &y, &room_x, &room_y);
        if (room_x > 0) width = std::min(width, room_x);
        if (room_y > 0) height = std::min(height, room_y);
    }
    GLFWwindow* window = glfwCreateWindow(width, height, "cudalab", nullptr, nullptr);
    if (!window)
        fmt::print(
            stderr,
            "cudalab-app: OpenGL 3.2 is missing, so no window can be opened. Install libgl1-mesa-dri.\n");
    return window;
}

// Seconds since this process was started, from the kernel's own note.
double seconds_since_start() {
    std::ifstream stat("/proc/self/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 2)));
    std::string word;
    for (int i = 0; i < 20; ++i) rest >> word;
    double up = 0;
    std::ifstream("/proc/uptime") >> up;
    return up - std::atof(word.c_str()) / double(sysconf(_SC_CLK_TCK));
}

void draw(GLFWwindow* window, App& app) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    app.frame();
    ImGui::Render();
    int width, height;
    glfwGetFramebufferSize(window, &width, &height);
    glViewport(0, 0, width, height);
    const ImVec4 behind = ImGui::ColorConvertU32ToFloat4(palette().surface);
    glClearColor(behind.x, behind.y, behind.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window);
}

// The screen that most of the window is on.
GLFWmonitor* monitor_of(GLFWwindow* window) {
    int x, y, width, height, count = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    int most = 0;
    for (int i = 0; i < count; ++i) {
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        int left, top;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const int across = std::min(x + width, left + mode->width) - std::max(x, left);
        const int down = std::min(y + height, top + mode->height) - std::max(y, top);
        if (across > 0 && down > 0 && across * down > most) {
            most = across * down;
            best = monitors[i];
        }
    }
    return best;
}

// Takes the whole screen while the app presents, and gives it back afterwards.
class FullScreen {
  public:
    explicit FullScreen(GLFWwindow* window) : window_(window) {}

    void follow(bool wanted) {
        if (wanted == on_) return;
        on_ = wanted;
        if (!wanted) return glfwSetWindowMonitor(window_, nullptr, x_, y_, width_, height_, GLFW_DONT_CARE);
        GLFWmonitor* monitor = monitor_of(window_);
        if (!monitor) return;
        glfwGetWindowPos(window_, &x_, &y_);
        glfwGetWindowSize(window_, &width_, &height_);
        const GLFWvidmode* mode = glfwGetVideoMode(monitor);
        glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }

  private:
    GLFWwindow* window_;
    bool on_ = false;
    int x_ = 0, y_ = 0, width_ = 1280, height_ = 720;
};

void loop(GLFWwindow* window, App& app, bool first_frame_only) {
    int settle = 8;  // the panes find their places
    bool first = true;
    FullScreen screen(window);
    while (!glfwWindowShouldClose(window)) {
        if (settle > 0)
            glfwPollEvents();
        else if (app.animates())
            glfwWaitEventsTimeout(1.0 / 20);
        else if (ImGui::GetIO().WantTextInput)
            glfwWaitEventsTimeout(0.4);  // the text cursor blinks
        else
            glfwWaitEvents();
        const bool woken = settle == 0;
        settle = woken ? settling_frames : settle - 1;
        draw(window, app);
        screen.follow(app.present_.on);
        if (std::exchange(first, false) && first_frame_only) {
            glFinish();
            fmt::print("first frame after {:.0f} ms\n", seconds_since_start() * 1000);
            return;
        }
    }
}

}  // namespace

int run_window(AppOptions options, bool first_frame_only) {
    GLFWwindow* window = open_window();
    if (!window) return 1;
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    ImGui::CreateContext();
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
    float scale_x = 1, scale_y = 1;
    glfwGetWindowContentScale(window, &scale_x, &scale_y);
    options.monitor_scale = scale_x;
    options.has_gpu = [] { return find_gpu().ready(); };
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 150");
    {
        App app(options, [] { glfwPostEmptyEvent(); });
        loop(window, app, first_frame_only);
    }
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window);
    glfwTerminate();
    return 0;
}

}  // namespace lab
