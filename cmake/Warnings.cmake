# Our own targets only: `target_link_libraries(x PRIVATE lab_warnings)`.
option(CUDALAB_WERROR "Warnings in our own code are errors (scripts/test turns it on)" OFF)
add_library(lab_warnings INTERFACE)
target_compile_options(lab_warnings INTERFACE -Wall -Wextra $<$<BOOL:${CUDALAB_WERROR}>:-Werror>)
