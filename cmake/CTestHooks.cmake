# `ctest -R lesson05`, here and in the repository's root: grades exercises/05_*.cu with the words of `cudalab grade 05`.
# Where there is nvcc, `lesson05.cuda` grades it on the GPU; it is skipped where there is none.
# These tests carry the label `exercise`; the self-test leaves them out by it.
function(cudalab_add_exercise_tests)
    foreach(slug IN LISTS ARGN)
        string(REGEX REPLACE "_.*" "" number ${slug})
        set(name lesson${number})
        # From the root, so that the words, paths included, are those of `cudalab grade` there.
        add_test(NAME ${name} COMMAND cudalab ctest-grade ${slug} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
        set_tests_properties(${name} PROPERTIES LABELS exercise TIMEOUT 120
            ENVIRONMENT "CUDALAB_HOME=${PROJECT_SOURCE_DIR}")
        if(CUDALAB_NVCC)
            add_test(NAME ${name}.cuda COMMAND cudalab ctest-grade ${slug} --backend cuda
                WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
            set_tests_properties(${name}.cuda PROPERTIES LABELS exercise TIMEOUT 300 SKIP_RETURN_CODE 77
                ENVIRONMENT "CUDALAB_HOME=${PROJECT_SOURCE_DIR}")
        endif()
    endforeach()

    # Plain ctest hides what a failed test prints. The hook prints the verdicts behind ctest's own table; it prints
    # nothing where no exercise was graded, or where ctest was asked for the tests' output.
    file(WRITE ${PROJECT_BINARY_DIR}/CTestCustom.cmake
        "set(CTEST_CUSTOM_PRE_TEST \"\\\"${PROJECT_BINARY_DIR}/cudalab\\\" ctest-before\")\n"
        "set(CTEST_CUSTOM_POST_TEST \"\\\"${PROJECT_BINARY_DIR}/cudalab\\\" ctest-after\")\n")
endfunction()
