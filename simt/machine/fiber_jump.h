// The fast engine's stacks: jump_context (simt/fast.h), and how a stack is first entered by it.
#pragma once

#include "simt/include/simt/fast.h"
#include "simt/machine/fiber.h"

namespace simt::fast {

// As prepare_context, for a context that is first entered by jump_context.
void prepare_jump(JumpContext& context, char* low, char* high, void (*entry)(void*), void* argument);

}  // namespace simt::fast
