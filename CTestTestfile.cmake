# `ctest` in the repository's root runs the tests of build/. (ctest reads this file by a relative name and from this
# folder, so the paths in it are relative too.)
if(NOT EXISTS build/CTestTestfile.cmake)
    message(FATAL_ERROR "Nothing is built yet: run scripts/run first.")
endif()
subdirs(build)
