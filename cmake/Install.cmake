# `cmake --install build --prefix DIR`: an installed cudalab works from any folder, without this repository.
#   bin/cudalab
#   lib/cudalab/      what cudalab starts or loads: the referee, the window, libsimt.so
#   share/cudalab/    laid out like the repository, so that every path below it is the same in both
install(TARGETS cudalab RUNTIME DESTINATION bin)
install(TARGETS cudalab-referee RUNTIME DESTINATION lib/cudalab)
install(TARGETS simt LIBRARY DESTINATION lib/cudalab)
if(TARGET cudalab-app)
    install(TARGETS cudalab-app RUNTIME DESTINATION lib/cudalab)
endif()

set(share share/cudalab)
install(DIRECTORY lessons DESTINATION ${share}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.toml" PATTERN "*.h" PATTERN "*.png" PATTERN "cuts.txt"
    PATTERN "stages/*.py" PATTERN "stages/*.c" PATTERN "stages/*.cu")
if(CUDALAB_HAS_SOLUTIONS)
    set(with_solutions solutions)
endif()
install(DIRECTORY exercises ${with_solutions} DESTINATION ${share}
    FILES_MATCHING PATTERN "*.cu" PATTERN "*.h" PATTERN "compile_flags.txt")
install(DIRECTORY simt/include DESTINATION ${share}/simt)
install(DIRECTORY workbench/gpu DESTINATION ${share}/workbench)
install(DIRECTORY assets DESTINATION ${share} PATTERN "images" EXCLUDE)
install(FILES LICENSE README.md DESTINATION ${share})

# Removes what the last install wrote, by the manifest that it left.
add_custom_target(uninstall
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
        -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake)
