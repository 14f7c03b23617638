#include "app/shell/handout.h"

#include <fmt/format.h>

#include <stdexcept>

#ifdef CUDALAB_HAS_PANGO
#include <cairo-pdf.h>
#include <pango/pangocairo.h>

#include <memory>
#endif

namespace lab {

#ifdef CUDALAB_HAS_PANGO
namespace {

// Lengths are points, 72 an inch. A4.
constexpr double page_wide = 595, page_high = 842, margin = 42, line_gap = 20;
constexpr int lines_a_beat = 3, beats_a_page = 2;

struct Closing {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
    void operator()(PangoLayout* layout) const { g_object_unref(layout); }
};
using Surface = std::unique_ptr<cairo_surface_t, Closing>;
using Context = std::unique_ptr<cairo_t, Closing>;
using Layout = std::unique_ptr<PangoLayout, Closing>;

// Returns how high it is.
double write_text(cairo_t* to, double x, double y, const char* font, const std::string& text,
                  bool at_right = false) {
    const Layout layout(pango_cairo_create_layout(to));
    PangoFontDescription* face = pango_font_description_from_string(font);
    pango_layout_set_font_description(layout.get(), face);
    pango_font_description_free(face);
    pango_layout_set_width(layout.get(), int((page_wide - margin - x) * PANGO_SCALE));
    pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
    pango_layout_set_alignment(layout.get(), at_right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
    pango_layout_set_text(layout.get(), text.c_str(), -1);
    cairo_move_to(to, x, y);
    pango_cairo_show_layout(to, layout.get());
    int wide, high;
    pango_layout_get_pixel_size(layout.get(), &wide, &high);
    return high;
}

// Returns where the next one begins.
double draw_beat(cairo_t* to, double y, const std::string& picture) {
    const Surface image(cairo_image_surface_create_from_png(picture.c_str()));
    if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error(fmt::format("{} can't be read: {}.", picture,
                                             cairo_status_to_string(cairo_surface_status(image.get()))));
    const double room = page_wide - 2 * margin, scale = room / cairo_image_surface_get_width(image.get());
    const double high = scale * cairo_image_surface_get_height(image.get());
    cairo_save(to);
    cairo_translate(to, margin, y);
    cairo_scale(to, scale, scale);
    cairo_set_source_surface(to, image.get(), 0, 0);
    cairo_paint(to);
    cairo_restore(to);
    cairo_set_line_width(to, 0.5);
    cairo_set_source_rgb(to, 0.6, 0.6, 0.6);
    cairo_rectangle(to, margin, y, room, high);
    y += high;
    for (int i = 0; i < lines_a_beat; ++i) {
        y += line_gap;
        cairo_move_to(to, margin, y);
        cairo_line_to(to, page_wide - margin, y);
    }
    cairo_stroke(to);
    cairo_set_source_rgb(to, 0, 0, 0);
    return y + line_gap * 0.8;
}

}  // namespace

void write_handout(const std::string& file, const Lesson& lesson, const std::vector<std::string>& pictures) {
    const Surface pdf(cairo_pdf_surface_create(file.c_str(), page_wide, page_high));
    const std::string title = fmt::format("{:02} {}", lesson.number, lesson.title);
    cairo_pdf_surface_set_metadata(pdf.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
    const Context to(cairo_create(pdf.get()));
    const size_t pages = (pictures.size() + beats_a_page - 1) / beats_a_page;
    for (size_t page = 0; page < pages; ++page) {
        double y = margin;
        if (page == 0) y += write_text(to.get(), margin, y, "Sans Bold 16", title) + 8;
        for (size_t i = page * beats_a_page; i < std::min(pictures.size(), (page + 1) * beats_a_page); ++i)
            y = draw_beat(to.get(), y, pictures[i]);
        write_text(to.get(), margin, page_high - margin * 0.8, "Sans 8",
                   fmt::format("cudalab, {}, page {} of {}", title, page + 1, pages), true);
        cairo_show_page(to.get());
    }
    cairo_surface_finish(pdf.get());
    if (cairo_surface_status(pdf.get()) != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error(fmt::format("{} can't be written: {}.", file,
                                             cairo_status_to_string(cairo_surface_status(pdf.get()))));
}

#else

void write_handout(const std::string&, const Lesson&, const std::vector<std::string>&) {
    throw std::runtime_error(
        "this build can't write PDF files: Pango was missing. Install libpango1.0-dev and configure again.");
}

#endif

}  // namespace lab
