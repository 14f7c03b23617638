# Dear ImGui (docking) with ImPlot, compiled from source into one static library, `imgui`.
# The sources: CUDALAB_IMGUI_SOURCE_DIR (a folder that holds imgui/ and implot/) if it is set, else what
# scripts/fetch-imgui keeps in the cache folder; it fetches them once, pinned by sha256.
set(CUDALAB_IMGUI_SOURCE_DIR "$ENV{CUDALAB_IMGUI_SOURCE_DIR}" CACHE PATH
    "A folder that holds imgui/ (docking, 1.92 or later) and implot/; empty: fetch the pinned ones")

set(imgui_root "${CUDALAB_IMGUI_SOURCE_DIR}")
if(NOT imgui_root)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/fetch-imgui
        OUTPUT_VARIABLE imgui_root OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE imgui_failed)
    if(imgui_failed)
        message(FATAL_ERROR "The Dear ImGui sources are missing (scripts/fetch-imgui says why, above). "
            "Without them the terminal loop still builds: configure with -DCUDALAB_APP=OFF.")
    endif()
endif()
foreach(needed imgui/imgui.cpp imgui/backends/imgui_impl_glfw.cpp implot/implot.cpp)
    if(NOT EXISTS ${imgui_root}/${needed})
        message(FATAL_ERROR "${imgui_root} holds no ${needed}. CUDALAB_IMGUI_SOURCE_DIR must name a folder with "
            "imgui/ (docking, 1.92 or later) and implot/; leave it empty to fetch the pinned sources.")
    endif()
endforeach()

find_package(glfw3 3.3 REQUIRED)
set(OpenGL_GL_PREFERENCE LEGACY)  # libGL alone, from libgl-dev; GLVND's libOpenGL is another package
find_package(OpenGL REQUIRED)
pkg_check_modules(egl REQUIRED IMPORTED_TARGET egl)
file(GLOB imgui_sources ${imgui_root}/imgui/imgui*.cpp)
list(FILTER imgui_sources EXCLUDE REGEX imgui_demo)
add_library(imgui STATIC ${imgui_sources}
    ${imgui_root}/imgui/backends/imgui_impl_glfw.cpp ${imgui_root}/imgui/backends/imgui_impl_opengl3.cpp
    ${imgui_root}/implot/implot.cpp ${imgui_root}/implot/implot_items.cpp)
target_include_directories(imgui SYSTEM PUBLIC
    ${imgui_root}/imgui ${imgui_root}/imgui/backends ${imgui_root}/implot)
target_compile_options(imgui PRIVATE -O2 -w)
target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS)
target_link_libraries(imgui PUBLIC glfw OpenGL::GL ${CMAKE_DL_LIBS})
