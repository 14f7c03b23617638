// Reading one quiz block, and judging an answer to it. The terminal and the app both judge here.
#pragma once

#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

class TomlReader;

// Reads the body of a quiz block; complaints go through the reader.
Quiz read_quiz(TomlReader body);

const char* name_of(QuizKind kind);  // "one", "several", ...

// What the reader chose.
//   one, several: indices of options, in any order
//   order:        indices of options in the reader's order
//   match:        for each option, the index of the option whose `match` was chosen
//   number, output: the text that was typed
struct Answer {
    std::vector<int> chosen;
    std::string text;
};

struct Judgement {
    bool right = false;
    bool understood = true;   // false: the answer has not the form that the kind asks for
    std::string explanation;  // Markdown: why; for a misunderstood answer what form is wanted
};
Judgement judge(const Quiz& quiz, const Answer& answer);

// "a", "A", "1" (one); "a,c" or "ac" (several, order, match: the right-hand sides in the left's order) ->
// Answer. `order`: which option each letter stands for (what was shown first is letter a); empty: as they
// stand.
Answer parse_answer(const Quiz& quiz, const std::string& typed, const std::vector<int>& shown = {});

// The order in which options (or, for match, right-hand sides) are shown. The same every time for one quiz,
// and never the right order for kinds order and match.
std::vector<int> shown_order(const Quiz& quiz);

}  // namespace lab
