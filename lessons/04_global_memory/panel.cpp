#include <memory>

#include "app/panels/panel.h"

namespace lab::lesson_04_global_memory {
const char* panel_title() {
    return "Sectors";
}
std::unique_ptr<Panel> make_panel() {
    return nullptr;
}
}  // namespace lab::lesson_04_global_memory
