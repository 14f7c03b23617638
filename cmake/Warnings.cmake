# Our own targets only: `target_link_libraries(x PRIVATE lab_warnings)`.
add_library(lab_warnings INTERFACE)
target_compile_options(lab_warnings INTERFACE -Wall -Wextra)
