#include "lessons/05_shared_memory/panel_banks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace lab::lesson_05_shared_memory {
namespace {

constexpr size_t most_visits = 200000;

Visit visit_of(const WarpAccess& access, uint64_t base) {
    Visit visit{access, {}, {}, 1};
    visit.word.fill(-1);
    visit.turn.fill(-1);
    std::array<std::vector<int64_t>, banks> queue;  // distinct words that each bank has to hand out
    for (int lane = 0; lane < lanes; ++lane) {
        if (!access.has(lane)) continue;
        const int64_t word = int64_t((access.address[size_t(lane)] - base) / word_bytes);
        auto& words = queue[size_t(Visit::bank_of(word))];
        auto found = std::find(words.begin(), words.end(), word);
        if (found == words.end()) found = words.insert(words.end(), word);
        visit.word[size_t(lane)] = word;
        visit.turn[size_t(lane)] = int(found - words.begin());
        visit.turns = std::max(visit.turns, int(words.size()));
    }
    return visit;
}

// How far apart two neighbouring warps begin to write: a warp of a block 32 wide fills one row.
int64_t pitch_of(const std::vector<Visit>& visits, int side) {
    if (side != lanes) return 0;
    for (size_t i = 1; i < visits.size(); ++i) {
        const WarpAccess &a = visits[i - 1].access, &b = visits[i].access;
        if (!a.wrote || !b.wrote || a.block != b.block || b.warp != a.warp + 1 || !a.has(0) || !b.has(0))
            continue;
        const int64_t apart = visits[i].word[0] - visits[i - 1].word[0];
        if (apart >= side) return apart;
    }
    return 0;
}

}  // namespace

std::vector<int> Visit::served(int bank, int at_turn) const {
    std::vector<int> found;
    for (int lane = 0; lane < lanes; ++lane)
        if (turn[size_t(lane)] == at_turn && bank_of(word[size_t(lane)]) == bank) found.push_back(lane);
    return found;
}

Scene scene_of(const RunChoice& choice) {
    Scene scene;
    const Kernel* kernel = choice.kernel();
    if (!kernel || !choice.trace()) return scene;
    scene.side = int(kernel->block.x);
    std::vector<WarpAccess> all = warp_accesses(*choice.trace(), uint32_t(kernel->launch), true, most_visits);
    std::stable_sort(all.begin(), all.end(), [](const WarpAccess& a, const WarpAccess& b) {
        return std::tie(a.block, a.phase, a.step, a.warp) < std::tie(b.block, b.phase, b.step, b.warp);
    });
    uint64_t base = ~uint64_t{0};
    for (const WarpAccess& access : all)
        for (int lane = 0; lane < lanes; ++lane)
            if (access.has(lane)) base = std::min(base, access.address[size_t(lane)]);
    base &= ~uint64_t{banks * word_bytes - 1};  // a block's shared memory begins at bank 0
    for (const WarpAccess& access : all) scene.visits.push_back(visit_of(access, base));
    scene.pitch = pitch_of(scene.visits, scene.side);
    return scene;
}

std::string sentence_of(const Visit& visit, const std::string& block) {
    std::set<int64_t> words;
    std::set<int> used;
    for (int lane = 0; lane < lanes; ++lane)
        if (visit.turn[size_t(lane)] >= 0) {
            words.insert(visit.word[size_t(lane)]);
            used.insert(Visit::bank_of(visit.word[size_t(lane)]));
        }
    const std::string where =
        used.size() == 1 ? fmt::format("in bank {}", *used.begin()) : fmt::format("in {} banks", used.size());
    const auto count = int64_t(words.size());
    return fmt::format("Warp {} of block {} {} at line {}. {}, {}{}: {}.", visit.access.warp, block,
                       visit.access.wrote ? "writes" : "reads", visit.access.line,
                       plural(count, "word", "words"), used.size() == 1 && count > 1 ? "all " : "", where,
                       plural(visit.turns, "turn", "turns"));
}

std::string rule_of(const Visit& visit) {
    int first = -1, before = -1;
    int64_t step = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        if (visit.turn[size_t(lane)] < 0) continue;
        if (before >= 0) {
            if (lane != before + 1) return "";
            const int64_t apart = visit.word[size_t(lane)] - visit.word[size_t(before)];
            if (before == first) step = apart;
            if (apart != step) return "";
        } else {
            first = lane;
        }
        before = lane;
    }
    if (before <= first || step < 0) return "";
    const int64_t start = visit.word[size_t(first)] - step * first;
    if (start < 0) return "";
    const auto sum = [](int64_t a, int64_t b) {
        const std::string times = b == 1 ? "k" : fmt::format("{} k", b);
        return b == 0 ? fmt::format("{}", a) : a == 0 ? times : fmt::format("{} + {}", a, times);
    };
    const char* does = visit.access.wrote ? "writes" : "reads";
    if (step % banks == 0)
        return fmt::format("Lane k {} word {}: always in bank {}.", does, sum(start, step), start % banks);
    return fmt::format("Lane k {} word {}, in bank ({}) mod 32.", does, sum(start, step),
                       sum(start % banks, step % banks));
}

bool PaddingTable::note(const Scene& scene) {
    if (scene.side != lanes || scene.pitch == 0) return false;
    int most = 0;
    for (const Visit& visit : scene.visits)
        if (!visit.access.wrote) most = std::max(most, visit.turns);
    if (most == 0) return false;
    last_ = scene.padding();
    turns_[last_] = most;
    return true;
}

}  // namespace lab::lesson_05_shared_memory
