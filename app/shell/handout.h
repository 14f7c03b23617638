// A lesson's beats on paper, for the class that has seen them.
#pragma once

#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

// Writes a PDF of A4 pages, two beats a page, each with its picture and lines to write on. pictures: a PNG file a beat.
// Throws std::runtime_error with one sentence where a picture can't be read or the file not be written, and where this
// build has no Pango.
void write_handout(const std::string& file, const Lesson& lesson, const std::vector<std::string>& pictures);

}  // namespace lab
