// Where there is no libFuzzer: its command line, as far as the tests use it, and a loop that mutates the
// corpus in an order that the seed fixes.
//     fuzz-NAME [-seed=N] [-max_total_time=SECONDS] [-runs=N] [-OTHER=...] [FOLDER or FILE...]
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

struct Plan {
    unsigned seed = 1;
    double seconds = 20;
    long runs = -1;  // without limit
    std::vector<std::string> corpus;
};

// What the readers look for, so that a blind mutation meets it.
const char* const words[] = {"<<<",
                             ">>>",
                             "<",
                             ">",
                             "(",
                             ")",
                             "{",
                             "}",
                             "[",
                             "]",
                             ";",
                             ",",
                             "\n",
                             "\\\n",
                             "#if 0\n",
                             "#else\n",
                             "#endif\n",
                             "\"",
                             "'",
                             "'''",
                             "R\"(",
                             ")\"",
                             "/*",
                             "*/",
                             "//",
                             "__shared__ ",
                             "extern ",
                             "__global__ void k",
                             "template <class T> ",
                             "return;",
                             "else ",
                             "[&] ",
                             "::",
                             "=",
                             "+++\n",
                             "```",
                             "```quiz\n",
                             "[[option]]\n",
                             "[[mutant]]\n",
                             "kind = ",
                             "right = true\n",
                             "// >>> TODO: ",
                             "// ===\n",
                             "//| ",
                             "// <<<\n",
                             "// [kernel]\n",
                             "// [/kernel]\n",
                             "null",
                             "true",
                             "1e999",
                             "-1",
                             "18446744073709551615",
                             "\\u0000",
                             "\xef\xbb\xbf",
                             "\r\n",
                             "\t"};

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Plan plan_of(int count, char** arguments) {
    Plan plan;
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i];
        const std::string value = word.substr(word.find('=') + 1);
        if (word.rfind("-seed=", 0) == 0)
            plan.seed = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
        else if (word.rfind("-max_total_time=", 0) == 0)
            plan.seconds = std::atof(value.c_str());
        else if (word.rfind("-runs=", 0) == 0)
            plan.runs = std::atol(value.c_str());
        else if (word[0] == '-')
            continue;  // libFuzzer's other settings have no meaning here
        else if (fs::is_directory(word)) {
            for (const auto& entry : fs::directory_iterator(word))
                plan.corpus.push_back(read_file(entry.path()));
        } else {
            plan.corpus.push_back(read_file(word));
        }
    }
    // The folder's order is the file system's; the seed alone is to decide.
    std::sort(plan.corpus.begin(), plan.corpus.end());
    if (plan.corpus.empty()) plan.corpus.push_back("");
    return plan;
}

std::string mutate(std::string text, const std::string& other, std::mt19937& random) {
    const auto below = [&](size_t n) { return n == 0 ? 0 : random() % n; };
    for (size_t edits = 1 + below(6); edits > 0; --edits) {
        const size_t at = below(text.size() + 1);
        switch (below(8)) {
            case 0:
                text.erase(at, 1 + below(8));
                break;
            case 1:
                text.insert(at, words[below(std::size(words))]);
                break;
            case 2:
                text.insert(at, 1, static_cast<char>(random()));
                break;
            case 3:
                text.resize(at);
                break;
            case 4:
                text.insert(at, text.substr(below(text.size() + 1), below(40)));
                break;
            case 5:
                text.insert(at, other.substr(below(other.size() + 1), below(60)));
                break;
            case 6:
                if (at < text.size()) text[at] = static_cast<char>(random());
                break;
            default:
                text.insert(at, std::string(1 + below(50), "(<{["[below(4)]));
                break;
        }
    }
    return text.substr(0, 65536);
}

// As libFuzzer does when a check fails: the input is kept for a second look, and the exit code is 77.
std::string current;
void keep_input() {
    std::ofstream("crash-input", std::ios::binary) << current;
    std::fprintf(stderr, "the input is in ./crash-input (%zu bytes)\n", current.size());
}

void try_input(std::string input) {
    current = std::move(input);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(current.data()), current.size());
}

}  // namespace

int main(int count, char** arguments) {
    const Plan plan = plan_of(count, arguments);
    std::signal(SIGABRT, [](int) {
        keep_input();
        std::_Exit(77);
    });
    for (const std::string& text : plan.corpus) try_input(text);
    std::mt19937 random(plan.seed);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(plan.seconds);
    long runs = 0;
    while (runs != plan.runs && std::chrono::steady_clock::now() < end) {
        const std::string& text = plan.corpus[random() % plan.corpus.size()];
        try_input(mutate(text, plan.corpus[random() % plan.corpus.size()], random));
        ++runs;
    }
    std::printf("%ld inputs from a corpus of %zu, no fault\n", runs, plan.corpus.size());
    return 0;
}
