#include "app/shell/headless.h"

#include "app/theme/theme.h"

#define GL_GLEXT_PROTOTYPES
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace lab {
namespace {

EGLDisplay open_display() {
    const auto get =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    EGLDisplay display =
        get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : EGL_NO_DISPLAY;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        throw std::runtime_error(
            "No picture can be drawn here: EGL has no surfaceless display. Install libegl-mesa0 and "
            "libgl1-mesa-dri.");
    return display;
}

EGLContext open_context(EGLDisplay display) {
    eglBindAPI(EGL_OPENGL_API);
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(display, wanted, &config, 1, &count);
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    const EGLContext context =
        eglCreateContext(display, count ? config : nullptr, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        throw std::runtime_error(
            "No picture can be drawn here: OpenGL 3.3 is missing. Install libgl1-mesa-dri.");
    return context;
}

}  // namespace

Headless::Headless(int width, int height) : width_(width), height_(height) {
    display_ = open_display();
    context_ = open_context(display_);
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
    io.IniFilename = nullptr;
    ImGui_ImplOpenGL3_Init("#version 150");
}

Headless::~Headless() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    eglTerminate(display_);
}

void Headless::begin_frame(double seconds) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {float(width_), float(height_)};
    io.DeltaTime = float(seconds);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
}

void Headless::end_frame() {
    ImGui::Render();
    // Textures are made in every frame: ImGui counts on it.
    if (ImVector<ImTextureData*>* textures = ImGui::GetDrawData()->Textures)
        for (ImTextureData* texture : *textures)
            if (texture->Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(texture);
    drawn_ = false;
}

void Headless::draw() const {
    if (drawn_) return;
    drawn_ = true;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
    const ImVec4 behind = ImGui::ColorConvertU32ToFloat4(palette().surface);
    glClearColor(behind.x, behind.y, behind.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Headless::write_png(const std::string& path) const {
    draw();
    std::vector<unsigned char> pixels(size_t(width_) * size_t(height_) * 4), row(size_t(width_) * 4);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
    for (int y = 0; y < height_ / 2; ++y) {  // OpenGL's first row is the lowest
        unsigned char* top = &pixels[size_t(y) * row.size()];
        unsigned char* bottom = &pixels[size_t(height_ - 1 - y) * row.size()];
        std::memcpy(row.data(), top, row.size());
        std::memcpy(top, bottom, row.size());
        std::memcpy(bottom, row.data(), row.size());
    }
    if (!stbi_write_png(path.c_str(), width_, height_, 4, pixels.data(), width_ * 4))
        throw std::runtime_error(path + " can't be written. Is the folder there, and is there room?");
}

unsigned Headless::pixel(int x, int y) const {
    draw();
    unsigned value = 0;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glReadPixels(x, height_ - 1 - y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &value);
    return value;
}

}  // namespace lab
