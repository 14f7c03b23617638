# The CUDA Toolkit is optional. Where nvcc is there, every .cu of ours must also compile with it (tests `nvcc.FILE`);
# where it is not, nothing here exists and everything else works.
#   CUDALAB_NVCC           the nvcc to use; OFF: as on a machine without one
#   CUDALAB_REQUIRE_NVCC   configure fails without one
option(CUDALAB_REQUIRE_NVCC "Stop when there is no nvcc" OFF)
find_program(CUDALAB_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin
    DOC "The CUDA compiler; OFF: do without")

if(NOT CUDALAB_NVCC)
    if(CUDALAB_REQUIRE_NVCC)
        message(FATAL_ERROR "CUDALAB_REQUIRE_NVCC is on, and there is no nvcc in PATH, CUDA_HOME or /usr/local/cuda. "
            "Install the CUDA Toolkit, or name its compiler: -DCUDALAB_NVCC=/path/to/nvcc. "
            "Without a GPU, leave CUDALAB_REQUIRE_NVCC off: cudalab needs no toolkit.")
    endif()
    message(STATUS "nvcc: none (the GPU backend and the nvcc tests are left out)")
    return()
endif()
message(STATUS "nvcc: ${CUDALAB_NVCC}")

# One test a file: it only compiles, so it needs no GPU. `-x cu` and the flags are those that a learner would type.
function(cudalab_add_nvcc_tests)
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
        ${PROJECT_SOURCE_DIR}/solutions/*.cu ${PROJECT_SOURCE_DIR}/assets/examples/*.cu
        ${PROJECT_SOURCE_DIR}/lessons/*/stages/*.cu
        ${PROJECT_SOURCE_DIR}/tests/*/*.cu ${PROJECT_SOURCE_DIR}/tests/*/*/*.cu)
    list(FILTER sources EXCLUDE REGEX "fidelity/(ordered|host|groups|devices)/")  # each folder has a test of its own, for all in it
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/nvcc)
    foreach(source ${sources})
        string(REGEX REPLACE "[/.]" "_" object ${source})
        add_test(NAME nvcc.${source} COMMAND ${CUDALAB_NVCC} -std=c++17 -arch=sm_90 -ccbin ${CMAKE_CXX_COMPILER}
            -I ${PROJECT_SOURCE_DIR} -c ${PROJECT_SOURCE_DIR}/${source} -o ${PROJECT_BINARY_DIR}/nvcc/${object}.o)
        set_tests_properties(nvcc.${source} PROPERTIES LABELS "nvcc;slow" TIMEOUT 300)
    endforeach()
endfunction()
