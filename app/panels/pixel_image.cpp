#include "app/panels/pixel_image.h"

#include <imgui_impl_opengl3.h>

#include <cstring>
#include <utility>

namespace lab {

PixelImage::PixelImage(PixelImage&&) noexcept = default;

PixelImage& PixelImage::operator=(PixelImage&& other) noexcept {
    destroy();
    texture_ = std::move(other.texture_);
    return *this;
}

PixelImage::~PixelImage() {
    destroy();
}

void PixelImage::destroy() {
    if (texture_ && ImGui::GetCurrentContext()) {
        texture_->SetStatus(ImTextureStatus_WantDestroy);
        texture_->UnusedFrames = 1;  // the backend destroys what no frame in flight can still use
        ImGui_ImplOpenGL3_UpdateTexture(texture_.get());
    }
    texture_.reset();
}

void PixelImage::set(int width, int height, const std::vector<ImU32>& colours) {
    destroy();
    if (width <= 0 || height <= 0) return;
    texture_ = std::make_unique<ImTextureData>();
    texture_->Create(ImTextureFormat_RGBA32, width, height);
    std::memcpy(texture_->GetPixels(), colours.data(), colours.size() * sizeof(ImU32));
    texture_->SetStatus(ImTextureStatus_WantCreate);
    ImGui_ImplOpenGL3_UpdateTexture(texture_.get());
}

// At whole pixels: between them the renderer would mix neighbours.
void PixelImage::draw(ImDrawList* list, ImVec2 at) const {
    if (!texture_ || texture_->TexID == ImTextureID_Invalid) return;
    list->AddImage(ImTextureRef(texture_->TexID), at, {at.x + float(width()), at.y + float(height())});
}

int PixelImage::width() const {
    return texture_ ? texture_->Width : 0;
}

int PixelImage::height() const {
    return texture_ ? texture_->Height : 0;
}

}  // namespace lab
