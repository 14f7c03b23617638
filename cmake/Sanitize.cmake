# CUDALAB_SANITIZE: AddressSanitizer and UBSan on our own code (the debug preset turns it on).
# libsimt.so stays without them: it moves the stack pointer between fibers, which AddressSanitizer takes for corruption.
# UBSan traps in place of calling its runtime: a learner's program calls `__ubsan_handle_out_of_bounds` on purpose, and
# the runtime's would win over libsimt's. AddressSanitizer's shadow counts against the player's memory limits, so such a
# build is for the tests of text and data (labels unit and fuzz), not for running learners' programs.
option(CUDALAB_SANITIZE "Build with AddressSanitizer and UBSan (all but libsimt.so)" OFF)
if(NOT CUDALAB_SANITIZE)
    return()
endif()
set(ours "$<NOT:$<STREQUAL:$<TARGET_PROPERTY:NAME>,simt>>")
add_compile_options("$<${ours}:-fsanitize=address,undefined>" "$<${ours}:-fsanitize-undefined-trap-on-error>"
    "$<${ours}:-fno-omit-frame-pointer>")
add_link_options("$<${ours}:-fsanitize=address>")
