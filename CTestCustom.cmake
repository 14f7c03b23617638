# The hooks that show an exercise's verdict after plain ctest; configuring writes them into build/.
include(${CMAKE_CURRENT_LIST_DIR}/build/CTestCustom.cmake OPTIONAL)
