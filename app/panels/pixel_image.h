// A picture of single pixels, drawn at its own size. A texture: a rectangle for each of twenty thousand pixels
// would take longer than the rest of the frame.
#pragma once

#include <imgui.h>

#include <memory>
#include <vector>

namespace lab {

class PixelImage {
  public:
    PixelImage() = default;
    PixelImage(PixelImage&&) noexcept;
    PixelImage& operator=(PixelImage&&) noexcept;
    ~PixelImage();

    // colours: width * height of them, row by row. Needs the renderer: call it while a frame is made.
    void set(int width, int height, const std::vector<ImU32>& colours);
    void draw(ImDrawList* list, ImVec2 at) const;
    int width() const;
    int height() const;

  private:
    void destroy();
    std::unique_ptr<ImTextureData> texture_;
};

}  // namespace lab
