// What the programs of this folder share: their neighbours' helpers, and headers that must stand outside a namespace.
#pragma once

#include <cstring>
#include <new>

#include "../ordered/ordered.h"
