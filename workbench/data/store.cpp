#include "workbench/data/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>

#include "workbench/data/digits.h"
#include "workbench/data/download.h"
#include "workbench/data/idx.h"
#include "workbench/data/sums.h"
#include "workbench/lessons/text.h"
#include "workbench/progress/progress.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

constexpr const char* sums_name = "SHA256SUMS";

// Two `cudalab data` at once take turns, so that they don't fetch into the same file.
class StoreLock {
  public:
    StoreLock(const fs::path& folder, const Steps& steps) {
        std::error_code failed;
        fs::create_directories(folder, failed);
        descriptor_ = ::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (descriptor_ < 0)
            throw DataFault(
                fmt::format("{} can't be written. Make it writable, or let CUDALAB_DATA name another folder.",
                            folder.string()));
        if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
            steps.say(fmt::format("Another cudalab is at work in {}; waiting for it.", folder.string()));
            flock(descriptor_, LOCK_EX);
        }
        remove_unfinished(folder);
    }
    ~StoreLock() { close(descriptor_); }
    StoreLock(const StoreLock&) = delete;
    StoreLock& operator=(const StoreLock&) = delete;

  private:
    // What write_whole had begun when it was killed: nobody else writes here while we hold the lock.
    static void remove_unfinished(const fs::path& folder) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(folder, none))
            if (entry.path().filename().string().find(".new-") != std::string::npos)
                fs::remove(entry.path(), none);
    }

    int descriptor_ = -1;
};

// The sums that the store has noted: file -> SHA-256.
std::map<std::string, std::string> noted_sums(const fs::path& folder) {
    std::map<std::string, std::string> sums;
    const auto text = read_file(folder / sums_name);
    if (!text) return sums;
    for (const std::string_view line : split_lines(*text))
        if (line.size() > 66) sums[std::string(line.substr(66))] = std::string(line.substr(0, 64));
    return sums;
}

void note_sum(const fs::path& folder, const std::string& name, const std::string& sum) {
    auto sums = noted_sums(folder);
    sums[name] = sum;
    std::string text;
    for (const auto& [file, value] : sums) text += fmt::format("{}  {}\n", value, file);
    write_whole(folder / sums_name, text);
}

// Which file of the set has this content by its sum; nullopt: none, or no sums are known.
std::optional<size_t> index_by_sum(const KnownSet& set, const std::optional<std::string>& sum) {
    for (size_t i = 0; sum && i < set.files.size(); ++i)
        if (*sum == set.files[i].sha256) return i;
    return std::nullopt;
}

bool holds_pictures(size_t which) {
    return which % 2 == 0;
}

// How many pictures, or labels, the file has. Headers are of 16 and of 8 bytes.
uint32_t count_in(const KnownSet& set, size_t which) {
    const uint64_t bytes = set.files[which].bytes;
    return static_cast<uint32_t>(holds_pictures(which) ? (bytes - 16) / (28 * 28) : bytes - 8);
}

// Which file of the set has this form; nullopt: none.
std::optional<size_t> index_by_form(const KnownSet& set, const IdxArray& array) {
    for (size_t i = 0; i < set.files.size(); ++i)
        if (array.shape.size() == (holds_pictures(i) ? 3u : 1u) && array.shape[0] == count_in(set, i))
            return i;
    return std::nullopt;
}

// Throws DataFault where the array can't be file `which` of the set.
void check_form(const KnownSet& set, size_t which, const IdxArray& array, const std::string& name) {
    const KnownFile& known = set.files[which];
    const bool pictures = holds_pictures(which);
    const uint32_t count = count_in(set, which);
    if (array.shape.size() != (pictures ? 3u : 1u))
        throw DataFault(fmt::format("{} holds {} where {} of {} should be. Were files swapped?", name,
                                    array.shape.size() == 3   ? "pictures"
                                    : array.shape.size() == 1 ? "labels"
                                                              : "something else",
                                    pictures ? "the pictures" : "the labels", known.name));
    if (array.shape[0] != count)
        throw DataFault(
            fmt::format("{} has {} {}, and {} has {}. {}", name, array.shape[0],
                        pictures ? "pictures" : "labels", known.name, count,
                        index_by_form(set, array) ? "Were files swapped?" : "It is of another data set."));
    if (pictures && (array.shape[1] != 28 || array.shape[2] != 28))
        throw DataFault(fmt::format("{} has pictures of {} x {}, not of 28 x 28. It is of another data set.",
                                    name, array.shape[1], array.shape[2]));
    if (!pictures && *std::max_element(array.values.begin(), array.values.end()) > 9)
        throw DataFault(fmt::format("{} has labels above 9. It is of another data set, or damaged.", name));
}

// Is this content file `which` of the set? Throws DataFault with why not.
Checked check_content(const KnownSet& set, size_t which, const std::string& content,
                      const std::string& name) {
    const KnownFile& known = set.files[which];
    const IdxArray array = parse_idx(content, name);
    const auto sum = sha256(content);
    if (const auto other = index_by_sum(set, sum); other && *other != which)
        throw DataFault(fmt::format(
            "{} holds what belongs into {}: two files were swapped. Give each its own name again.", name,
            set.files[*other].name));
    check_form(set, which, array, name);
    if (!sum || *known.sha256 == '\0') return Checked::form;
    if (*sum == known.sha256) return Checked::sum;
    throw DataFault(
        fmt::format("{} is not {} of {}: it has the right size, and another SHA-256 ({}... in place of "
                    "{}...). It is damaged, "
                    "or of another data set. Fetch it again.",
                    name, known.name, set.name, sum->substr(0, 8), std::string(known.sha256).substr(0, 8)));
}

// "train-images-idx3-ubyte", "train-images.idx3-ubyte" and the like with .gz are file 0; nullopt: no such name.
std::optional<size_t> index_by_name(const fs::path& file) {
    const auto simple = [](std::string text) {
        std::erase_if(text, [](unsigned char c) { return !std::isalnum(c); });
        return text;
    };
    std::string name = file.filename().string();
    if (name.size() > 3 && name.substr(name.size() - 3) == ".gz") name.resize(name.size() - 3);
    for (size_t i = 0; i < 4; ++i)
        if (simple(name) == simple(idx_names[i])) return i;
    return std::nullopt;
}

size_t index_by_content(const KnownSet& set, const std::string& content, const std::string& name) {
    if (const auto index = index_by_sum(set, sha256(content))) return *index;
    if (const auto index = index_by_form(set, parse_idx(content, name))) return *index;
    throw DataFault(
        fmt::format("{} is none of the four files of {}: neither its name nor its size is one of theirs.",
                    name, set.name));
}

struct Taken {
    std::string content;
    std::string from;
};

// Throws DataFault.
std::map<size_t, Taken> take_files(const KnownSet& set, const std::vector<fs::path>& files) {
    std::vector<fs::path> all;
    std::error_code none;
    for (const fs::path& file : files) {
        if (!fs::is_directory(file, none)) {
            all.push_back(file);
            continue;
        }
        const size_t before = all.size();
        for (const char* name : idx_names)
            if (const fs::path found = find_idx(file, name); !found.empty()) all.push_back(found);
        if (all.size() == before)
            throw DataFault(
                fmt::format("{} has none of the four files: {}, {}, {}, {} (each may end in .gz).",
                            file.string(), idx_names[0], idx_names[1], idx_names[2], idx_names[3]));
    }
    std::map<size_t, Taken> taken;
    for (const fs::path& file : all) {
        std::string content = read_unpacked(file);
        const auto named = index_by_name(file);
        const size_t which = named ? *named : index_by_content(set, content, file.string());
        check_content(set, which, content, file.string());
        const auto [place, fresh] = taken.insert({which, {std::move(content), file.string()}});
        if (!fresh)
            throw DataFault(fmt::format("{} and {} are both {}. Name each of the four once.",
                                        place->second.from, file.string(), set.files[which].name));
    }
    return taken;
}

void put(const KnownSet& set, size_t which, const std::string& content) {
    const fs::path folder = store_folder(set.name);
    write_whole(folder / set.files[which].name, content);
    if (const auto sum = sha256(content)) note_sum(folder, set.files[which].name, *sum);
}

// Where what came of a URL is kept until all is there; each URL has its own, since mirrors may pack differently.
fs::path part_file(const fs::path& folder, const std::string& url) {
    return folder / fmt::format("{}.{}.part", fs::path(url).filename().string(), fingerprint(url));
}

// The unpacked content of one file from one mirror. Throws DataFault.
std::string fetch(const KnownSet& set, size_t which, const std::string& mirror, const Steps& steps) {
    const KnownFile& known = set.files[which];
    const std::string url = mirror + known.name + ".gz";
    const fs::path part = part_file(store_folder(set.name), url);
    const OnBytes on_bytes = [&](uint64_t here, uint64_t all) { steps.on_bytes(known.name, here, all); };
    download(url, part, uint64_t{64} << 20, on_bytes);
    // From here on the part is whole, so it goes whatever it turns out to be.
    struct Remove {
        fs::path file;
        ~Remove() {
            std::error_code none;
            fs::remove(file, none);
        }
    } const remove{part};
    try {
        const std::string packed = read_file(part, 64 << 20).value_or("");
        const auto sum = sha256(packed);
        if (sum && *known.packed_sha256 != '\0' && *sum != known.packed_sha256)
            throw DataFault(fmt::format("its SHA-256 is {}..., not {}...", sum->substr(0, 8),
                                        std::string(known.packed_sha256).substr(0, 8)));
        std::string content = read_unpacked(part);
        check_content(set, which, content, url);
        return content;
    } catch (const DataFault& fault) {
        throw DataFault(fmt::format("{} came, and is not what it should be: {}", url, fault.what()));
    }
}

std::string slashed(std::string mirror) {
    if (!mirror.empty() && mirror.back() != '/') mirror += '/';
    return mirror;
}

// Throws DataFault when no mirror has it.
std::string fetch_from_any(const KnownSet& set, size_t which, const std::vector<std::string>& mirrors,
                           const Steps& steps) {
    std::string reasons;
    for (const std::string& mirror : mirrors) {
        try {
            return fetch(set, which, mirror, steps);
        } catch (const DataFault& fault) {
            reasons += fmt::format("\n  {}", fault.what());
        }
    }
    const std::string names = fmt::format("{}", fmt::join(idx_names, ", "));
    const std::string meanwhile =
        std::string(set.name) == "mnist" ? " Until then lessons train on generated digits." : "";
    throw DataFault(fmt::format(
        "{} of {} could not be fetched:{}\n"
        "Is there a network here? If not, fetch the four files on a computer that has one, from\n"
        "  {}NAME.gz\n"
        "with NAME one of {}; bring them here, and type\n"
        "  cudalab data {} --from FILE FILE FILE FILE\n"
        "What has come is kept: the next try goes on from there.{}",
        set.files[which].name, set.name, reasons, slashed(set.mirrors[0]), names, set.name, meanwhile));
}

}  // namespace

fs::path store_folder(const std::string& name) {
    return data_folder() / "data" / name;
}

const char* name_of(Checked checked) {
    return checked == Checked::sum ? "sum" : checked == Checked::form ? "form" : "no";
}

bool StoredSet::complete() const {
    return std::all_of(files.begin(), files.end(),
                       [](const StoredFile& f) { return f.there && f.problem.empty(); });
}

bool StoredSet::any() const {
    return std::any_of(files.begin(), files.end(), [](const StoredFile& f) { return f.there; });
}

Checked StoredSet::checked() const {
    if (!complete()) return Checked::no;
    Checked least = Checked::sum;
    for (const StoredFile& file : files) least = std::min(least, file.checked);
    return least;
}

StoredSet examine(const KnownSet& set) {
    StoredSet stored{&set, store_folder(set.name), {}, 0, 0};
    const auto sums = noted_sums(stored.folder);
    for (size_t i = 0; i < set.files.size(); ++i) {
        StoredFile file{set.files[i].name, false, Checked::no, {}};
        const fs::path place = stored.folder / file.name;
        std::error_code none;
        file.there = fs::exists(place, none);
        try {
            if (file.there) {
                const std::string content = read_unpacked(place);
                file.checked = check_content(set, i, content, place.string());
                // A set without sums of its own: what was stored from checked packages is still what it was.
                const auto sum = sha256(content);
                const auto noted = sums.find(file.name);
                if (file.checked == Checked::form && sum && noted != sums.end() && *sum != noted->second)
                    throw DataFault(
                        fmt::format("{} has changed since it was stored. Fetch it again.", place.string()));
                (i < 2 ? stored.train : stored.test) = count_in(set, i);
            }
        } catch (const DataFault& fault) {
            file.checked = Checked::no;
            file.problem = fault.what();
        }
        stored.files.push_back(file);
    }
    return stored;
}

StoredSet install_files(const KnownSet& set, const std::vector<fs::path>& files, const Steps& steps) {
    const std::map<size_t, Taken> taken = take_files(set, files);
    const StoreLock lock(store_folder(set.name), steps);
    for (const auto& [which, file] : taken) {
        put(set, which, file.content);
        steps.say(fmt::format("{} from {}", set.files[which].name, file.from));
    }
    return examine(set);
}

StoredSet install_from_mirrors(const KnownSet& set, const std::string& mirror, const Steps& steps) {
    if (!can_download())
        throw DataFault(fmt::format(
            "this cudalab was built without libcurl, so it can't fetch {0}. Install libcurl4-openssl-dev and "
            "build again, or "
            "fetch the four files yourself from {1} and type `cudalab data {0} --from FILE FILE FILE FILE`.",
            set.name, set.mirrors[0]));
    std::vector<std::string> mirrors(set.mirrors.begin(), set.mirrors.end());
    if (!mirror.empty()) mirrors = {slashed(mirror)};
    const StoreLock lock(store_folder(set.name), steps);
    const StoredSet before = examine(set);
    for (size_t i = 0; i < set.files.size(); ++i) {
        const StoredFile& file = before.files[i];
        if (file.there && file.problem.empty()) {
            steps.say(fmt::format("{} is there already", file.name));
            continue;
        }
        put(set, i, fetch_from_any(set, i, mirrors, steps));
        steps.say(fmt::format("{} fetched", file.name));
    }
    return examine(set);
}

}  // namespace lab
