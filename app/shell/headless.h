// Frames without a display: EGL without a surface, a framebuffer object, and pictures read from it. For the
// tour and tests.
#pragma once

#include <string>

namespace lab {

class Headless {
  public:
    // Throws std::runtime_error with a sentence when there is no EGL or OpenGL 3 here. Creates ImGui's
    // context.
    Headless(int width, int height);
    ~Headless();
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;

    // Sets the time and the size for ImGui and calls NewFrame. seconds: since the frame before.
    void begin_frame(double seconds = 1.0 / 60);
    // Ends the frame. Its pixels are drawn when somebody asks for them: most frames of a test or a tour are
    // never looked at, and a software renderer takes longer for them than everything else.
    void end_frame();
    // Draws the last frame now, where that was not done yet; what follows does it by itself.
    void draw() const;
    // Writes the last frame. Throws std::runtime_error with a sentence.
    void write_png(const std::string& path) const;
    // 0xAABBGGRR at a place of the last frame, top left (0, 0).
    unsigned pixel(int x, int y) const;

    int width() const { return width_; }
    int height() const { return height_; }

  private:
    int width_, height_;
    void *display_ = nullptr, *context_ = nullptr;
    unsigned framebuffer_ = 0, texture_ = 0;
    mutable bool drawn_ = true;
};

}  // namespace lab
