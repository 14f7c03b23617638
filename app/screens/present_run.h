// The run that a beat of a presentation shows: its code, and what the machine says of it.
#pragma once

#include <string>

#include "app/app.h"

namespace lab {

// The file that belongs to the picture: the learner's own, or that of a solution or mutant.
CodeView& code_of_beat(App& app);
bool shows_own_file(const App& app);

// The first line, from 1, that holds `piece`; 0: none.
int line_with(const CodeView& code, const std::string& piece);

// Makes the line that the beat names stand out, and leaves out what other cases say of the file.
void point_at_line(App& app, CodeView& code);

// The code goes where a run that has just come in found a fault.
void look_at_fault(App& app);

// What the machine says of the picture: of the case that the beat names, if that one failed, else of all.
std::string words_of_picture(const App& app);

}  // namespace lab
