#include "workbench/lessons/quiz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "workbench/lessons/text.h"
#include "workbench/lessons/toml_reader.h"

namespace lab {

namespace {

constexpr std::pair<const char*, QuizKind> kinds[] = {
    {"one", QuizKind::one},       {"several", QuizKind::several}, {"number", QuizKind::number},
    {"output", QuizKind::output}, {"order", QuizKind::order},     {"match", QuizKind::match}};

bool has_options(QuizKind kind) {
    return kind != QuizKind::number && kind != QuizKind::output;
}
bool is_choice(QuizKind kind) {
    return kind == QuizKind::one || kind == QuizKind::several;
}

void read_options(Quiz& quiz, TomlReader& body) {
    int right = 0;
    for (TomlReader& item : body.tables("option")) {
        QuizOption option;
        option.text = item.text("text", true);
        option.explanation = item.text("explanation", true);
        option.value = item.scalar("value", false);
        if (is_choice(quiz.kind)) option.right = item.boolean("right", false);
        if (quiz.kind == QuizKind::match) option.match = item.text("match", true);
        item.reject_unknown();
        right += option.right;
        quiz.options.push_back(std::move(option));
    }
    const int all = int(quiz.options.size());
    if (all < 2) body.complain("this quiz needs at least two [[option]].");
    if (all > 26) body.complain("this quiz has more than 26 options.");
    if (quiz.kind == QuizKind::one && right != 1)
        body.complain(
            fmt::format("a quiz of kind \"one\" has exactly one right option; this one has {}.", right));
    if (quiz.kind == QuizKind::several && (right < 1 || right == all))
        body.complain("a quiz of kind \"several\" has at least one right and one wrong option.");
}

void read_wrong(Quiz& quiz, TomlReader& body) {
    for (TomlReader& item : body.tables("wrong")) {
        std::string answer = item.scalar("answer", true);
        std::string explanation = item.text("explanation", true);
        item.reject_unknown();
        if (judge(quiz, {{}, answer}).right)
            item.complain("this [[wrong]] answer would be counted as right.");
        quiz.wrong.emplace_back(std::move(answer), std::move(explanation));
    }
}

void read_verify(Quiz& quiz, TomlReader& body) {
    quiz.verify = body.text("verify", false);
    quiz.verify_metric = body.text("verify_metric", false);
    quiz.verify_finding = body.text("verify_finding", false);
    if (quiz.verify.empty() && !(quiz.verify_metric.empty() && quiz.verify_finding.empty()))
        body.complain("`verify_metric` and `verify_finding` need a `verify` program.");
    if (!quiz.verify_metric.empty() && quiz.kind != QuizKind::number)
        body.complain("`verify_metric` proves a number; this quiz asks for none.");
}

// Output as it is compared: no spaces at the ends of lines, no empty lines at the end.
std::string normal_output(std::string_view text) {
    std::string normal;
    for (std::string_view line : split_lines(text)) {
        const auto end = line.find_last_not_of(" \t");
        normal.append(line.substr(0, end == std::string_view::npos ? 0 : end + 1)).push_back('\n');
    }
    while (!normal.empty() && normal.back() == '\n') normal.pop_back();
    return normal;
}

bool read_number(std::string_view text, double& value) {
    const std::string plain(trimmed(text));
    char* end = nullptr;
    value = std::strtod(plain.c_str(), &end);
    return !plain.empty() && *end == 0 && std::isfinite(value);
}

Judgement judge_typed(const Quiz& quiz, const Answer& answer) {
    Judgement result;
    result.explanation = quiz.explanation;
    if (quiz.kind == QuizKind::number) {
        double value = 0;
        if (!read_number(answer.text, value)) return {false, false, "Type a number, for example 4 or 0.5."};
        result.right = std::fabs(value - quiz.answer) <= quiz.tolerance + 1e-12 * std::fabs(quiz.answer);
        for (const auto& [wrong, why] : quiz.wrong) {
            double known = 0;
            if (!result.right && read_number(wrong, known) && known == value) result.explanation = why;
        }
        return result;
    }
    const std::string typed = normal_output(answer.text);
    result.right = typed == normal_output(quiz.output);
    for (const auto& [wrong, why] : quiz.wrong)
        if (!result.right && normal_output(wrong) == typed) result.explanation = why;
    return result;
}

std::string explain_choices(const Quiz& quiz, const std::vector<int>& chosen) {
    std::string text;
    for (size_t i = 0; i < quiz.options.size(); ++i) {
        const QuizOption& option = quiz.options[i];
        const bool taken = std::find(chosen.begin(), chosen.end(), int(i)) != chosen.end();
        if (!taken && !(option.right && quiz.kind == QuizKind::several)) continue;
        if (quiz.kind == QuizKind::several) text += fmt::format("{}: ", option.text);
        text += option.explanation + "\n";
    }
    return std::string(trimmed(text));
}

}  // namespace

const char* name_of(QuizKind kind) {
    for (const auto& [name, value] : kinds)
        if (value == kind) return name;
    return "one";
}

Quiz read_quiz(TomlReader body) {
    Quiz quiz;
    quiz.id = body.text("id", true);
    if (!quiz.id.empty() && !is_plain_name(quiz.id))
        body.complain(fmt::format("`{}` is no id: letters, digits, - and _ only.", quiz.id));
    const std::string kind = body.text("kind", true);
    const auto* known =
        std::find_if(std::begin(kinds), std::end(kinds), [&](auto& k) { return kind == k.first; });
    if (known == std::end(kinds)) {
        if (!kind.empty())
            body.complain(fmt::format(
                "`kind` must be one, several, number, output, order or match, not \"{}\".", kind));
        return quiz;
    }
    quiz.kind = known->second;
    quiz.level = body.integer("level", false, 1, 1, 5);
    quiz.question = body.text("question", true);
    quiz.explanation = body.text("explanation", !is_choice(quiz.kind));
    if (quiz.kind == QuizKind::number) {
        quiz.answer = body.number("answer", true);
        quiz.tolerance = body.number("tolerance", false);
        if (!(quiz.tolerance >= 0)) body.complain("`tolerance` of this quiz must not be negative.");
    }
    if (quiz.kind == QuizKind::output) quiz.output = normal_output(body.text("output", true));
    if (has_options(quiz.kind)) {
        read_options(quiz, body);
    } else {
        read_wrong(quiz, body);
    }
    read_verify(quiz, body);
    body.reject_unknown();
    return quiz;
}

Judgement judge(const Quiz& quiz, const Answer& answer) {
    if (!has_options(quiz.kind)) return judge_typed(quiz, answer);
    const int all = int(quiz.options.size());
    std::vector<int> chosen = answer.chosen;
    std::vector<int> sorted = chosen;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    const bool known = std::all_of(chosen.begin(), chosen.end(), [&](int i) { return i >= 0 && i < all; });
    const bool whole = is_choice(quiz.kind) || int(chosen.size()) == all;
    if (chosen.empty() || !known || !whole || (quiz.kind != QuizKind::match && !distinct) ||
        (quiz.kind == QuizKind::one && chosen.size() != 1)) {
        const char last = char('a' + std::max(0, all - 1));
        if (quiz.kind == QuizKind::one) return {false, false, fmt::format("Choose one of a to {}.", last)};
        if (quiz.kind == QuizKind::several)
            return {false, false, fmt::format("Choose among a to {}, for example a,{}.", last, last)};
        return {false, false, fmt::format("Give all {} letters in order, for example {},...,a.", all, last)};
    }
    if (is_choice(quiz.kind)) {
        bool right = true;
        for (int i = 0; i < all; ++i)
            right &= quiz.options[size_t(i)].right == std::binary_search(sorted.begin(), sorted.end(), i);
        return {right, true, explain_choices(quiz, chosen)};
    }
    bool right = true;
    std::string first_wrong;
    for (int i = 0; i < all; ++i) {
        const QuizOption& wanted = quiz.options[size_t(i)];
        const QuizOption& given = quiz.options[size_t(chosen[size_t(i)])];
        const bool same =
            quiz.kind == QuizKind::match ? given.match == wanted.match : given.text == wanted.text;
        if (!same && first_wrong.empty()) first_wrong = wanted.explanation;
        right &= same;
    }
    return {right, true, right || first_wrong.empty() ? quiz.explanation : first_wrong};
}

Answer parse_answer(const Quiz& quiz, const std::string& typed, const std::vector<int>& shown) {
    Answer answer;
    answer.text = typed;
    if (!has_options(quiz.kind)) return answer;
    const int all = int(quiz.options.size());
    std::vector<int> order = shown;
    if (order.empty()) {
        order.resize(size_t(all));
        std::iota(order.begin(), order.end(), 0);
    }
    for (size_t at = 0; at < typed.size();) {
        const char c = typed[at];
        int place = -1;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            place = (c | 0x20) - 'a';
            ++at;
        } else if (c >= '0' && c <= '9') {
            for (place = 0; at < typed.size() && typed[at] >= '0' && typed[at] <= '9'; ++at)
                place = std::min(1000, place * 10 + (typed[at] - '0'));
            --place;
        } else {
            ++at;
            if (c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r') continue;
        }
        answer.chosen.push_back(place >= 0 && place < all ? order[size_t(place)] : -1);
    }
    return answer;
}

std::vector<int> shown_order(const Quiz& quiz) {
    const int all = int(quiz.options.size());
    std::vector<int> order(static_cast<size_t>(all));
    std::iota(order.begin(), order.end(), 0);
    if (is_choice(quiz.kind) || all < 2) return order;
    uint64_t state = std::strtoull(fingerprint(quiz.id + quiz.question).c_str(), nullptr, 16) | 1;
    for (int i = all - 1; i > 0; --i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::swap(order[size_t(i)], order[size_t((state >> 33) % uint64_t(i + 1))]);
    }
    if (std::is_sorted(order.begin(), order.end())) std::swap(order.front(), order.back());
    return order;
}

}  // namespace lab
