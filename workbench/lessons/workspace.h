// The file that marks a folder made by `cudalab init`.
#pragma once

namespace lab {
inline constexpr const char* workspace_mark = ".cudalab";
}
