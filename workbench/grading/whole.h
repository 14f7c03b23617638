// For a grader whose panel shows an array that is too large to stand in every Run.
#pragma once

#include "workbench/grading/lab.h"

namespace lab {

namespace detail {
void show_whole(Trial& trial, int slot);
}

// The array stands in the Run with up to 256 KiB, in place of most_array_bytes (record/run.h). Before or after `play`;
// a Run has room for one or two such arrays.
template <class T>
void show_whole(Trial& trial, const Array<T>& array) {
    detail::show_whole(trial, Trial::slot_of(array));
}

}  // namespace lab
