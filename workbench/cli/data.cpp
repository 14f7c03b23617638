// `cudalab data`: the data sets on this computer, and how they come here.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/data/digits.h"
#include "workbench/data/store.h"
#include "workbench/data/sums.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string names_of_sets() {
    std::string names;
    for (const KnownSet& set : known_sets()) names += fmt::format("{}, ", set.name);
    return names + "digits";
}

const char* in_words(Checked checked) {
    switch (checked) {
        case Checked::sum:
            return "every file's SHA-256 is right";
        case Checked::form:
            return "form, sizes and labels are right";
        default:
            return "not checked";
    }
}

Json json_of(const StoredSet& stored) {
    Json files = Json::array();
    for (const StoredFile& file : stored.files)
        files.push_back({{"name", file.name},
                         {"there", file.there},
                         {"checked", name_of(file.checked)},
                         {"problem", file.problem}});
    return {{"name", stored.set->name},
            {"title", stored.set->title},
            {"folder", stored.folder.string()},
            {"complete", stored.complete()},
            {"checked", name_of(stored.checked())},
            {"train", stored.train},
            {"test", stored.test},
            {"files", files}};
}

void print_set(const StoredSet& stored) {
    if (!stored.any()) {
        fmt::print("{} {:<14} not here: `cudalab data {}` fetches it\n", yellow("·"), stored.set->name,
                   stored.set->name);
        return;
    }
    if (stored.complete()) {
        fmt::print("{} {:<14} {} + {} pictures in {}\n                 {}\n", green("✓"), stored.set->name,
                   stored.train, stored.test, stored.folder.string(), dim(in_words(stored.checked())));
        return;
    }
    fmt::print("{} {:<14} not whole, in {}\n", red("✗"), stored.set->name, stored.folder.string());
    for (const StoredFile& file : stored.files) {
        if (!file.there) fmt::print("                 {} is not there\n", file.name);
        if (!file.problem.empty())
            fmt::print("{}", wrapped(file.problem, terminal_columns(), "                 "));
    }
    fmt::print("                 {}\n",
               dim(fmt::format("`cudalab data {}` fetches what is missing", stored.set->name)));
}

int list(bool json) {
    Json all = Json::array();
    for (const KnownSet& set : known_sets()) {
        const StoredSet stored = examine(set);
        if (json) all.push_back(json_of(stored));
        if (!json) print_set(stored);
    }
    if (json) {
        fmt::print(
            "{}\n",
            dumped({{"sets", all}, {"used", best_dataset_in_words()}, {"sums", sha256("").has_value()}}));
        return 0;
    }
    fmt::print(
        "{} {:<14} made by cudalab itself, always there; `cudalab data digits DIR` writes them as "
        "files\n\n{}\n",
        green("✓"), "digits", best_dataset_in_words());
    if (!sha256(""))
        fmt::print("This cudalab was built without libcrypto (libssl-dev), so no SHA-256 is checked.\n");
    return 0;
}

// One line that counts up on a terminal; elsewhere nothing until a file is there.
Steps steps_for(bool json) {
    static bool open_line = false;
    Steps steps;
    const bool terminal = !json && isatty(1) != 0;
    steps.say = [json](const std::string& sentence) {
        if (json) return;
        fmt::print("{}  {}\n", open_line ? "\r\x1b[K" : "", sentence);
        std::fflush(stdout);
        open_line = false;
    };
    steps.on_bytes = [terminal](const std::string& file, uint64_t here, uint64_t all) {
        if (!terminal) return;
        const double mb = 1e-6;
        fmt::print("\r\x1b[K  {}: {:.1f}{} MB", file, static_cast<double>(here) * mb,
                   all ? fmt::format(" of {:.1f}", static_cast<double>(all) * mb) : "");
        std::fflush(stdout);
        open_line = true;
    };
    return steps;
}

int install(const KnownSet& set, const DataOptions& options) {
    const Steps steps = steps_for(options.json);
    if (!options.json) fmt::print("{} -> {}\n", set.title, store_folder(set.name).string());
    std::vector<fs::path> files(options.from.begin(), options.from.end());
    if (!options.folder.empty()) files.push_back(options.folder);
    const StoredSet stored =
        files.empty() ? install_from_mirrors(set, options.mirror, steps) : install_files(set, files, steps);
    if (options.json) {
        fmt::print("{}\n", dumped(json_of(stored)));
    } else {
        print_set(stored);
        if (stored.checked() == Checked::form && sha256("")) fmt::print("{}\n", set.checked_by);
    }
    return stored.complete() ? 0 : 1;
}

int write_digits(const DataOptions& options) {
    if (options.folder.empty() || !options.from.empty())
        return complain(options.json, "`cudalab data digits DIR` writes them into DIR: name the folder.");
    write_dataset(make_digits(options.seed, options.train, options.test), options.folder);
    if (options.json) {
        fmt::print("{}\n", dumped({{"name", "digits"},
                                   {"folder", options.folder},
                                   {"seed", options.seed},
                                   {"train", options.train},
                                   {"test", options.test}}));
        return 0;
    }
    fmt::print("{} digits to train and {} to test are in {}, as IDX files (seed {}).\n", options.train,
               options.test, options.folder, options.seed);
    return 0;
}

}  // namespace

int command_data(const Home&, const DataOptions& options) {
    try {
        if (options.name.empty()) return list(options.json);
        if (options.name == "digits") return write_digits(options);
        const KnownSet* set = find_set(options.name);
        if (!set)
            return complain(options.json, fmt::format("there is no data set `{}`. There are: {}.",
                                                      options.name, names_of_sets()));
        return install(*set, options);
    } catch (const DataFault& fault) {
        return complain(options.json, fault.what(), 1);
    }
}

}  // namespace lab
