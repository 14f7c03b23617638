#include "lessons/23_mlp_train/panel_learned.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/model/grader.h"
#include "lessons/23_mlp_train/first_weights.h"
#include "workbench/data/idx.h"
#include "workbench/progress/progress.h"

namespace lab::lesson_23_mlp_train {

namespace {

std::vector<float> floats_of(const Run& run, const char* name) {
    std::vector<float> values;
    for (const ArrayValues& array : run.arrays) {
        if (array.name != name || array.element_bytes != sizeof(float)) continue;
        values.resize(array.got.size() / sizeof(float));
        if (!values.empty()) std::memcpy(values.data(), array.got.data(), values.size() * sizeof(float));
        break;
    }
    return values;
}

bool all_finite(const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

}  // namespace

std::optional<Learned> learned_of(const RunBundle& bundle) {
    if (bundle.origin != "try") return std::nullopt;
    Learned learned;
    LearnedNetwork& net = learned.network;
    net.w1 = floats_of(bundle.run, "w1");
    net.b1 = floats_of(bundle.run, "b1");
    net.w2 = floats_of(bundle.run, "w2");
    net.b2 = floats_of(bundle.run, "b2");
    net.in = side * side;
    net.hidden = int(net.b1.size());
    net.out = int(net.b2.size());
    const bool fits = net.hidden > 0 && net.out == classes &&
                      net.w1.size() == size_t(net.in) * net.b1.size() &&
                      net.w2.size() == net.b1.size() * net.b2.size();
    if (!fits) return std::nullopt;
    learned.own = bundle.run.source.find("/solutions/") == std::string::npos;
    learned.source = learned.own ? "trained by your kernels" : "trained by the solution";
    return learned;
}

std::filesystem::path kept_file() {
    return data_folder() / "networks" / "23_mlp_train.net";
}

void keep(const Learned& learned) {
    const LearnedNetwork& net = learned.network;
    if (!learned.own || !all_finite(net.w1) || !all_finite(net.b1) || !all_finite(net.w2) ||
        !all_finite(net.b2))
        return;
    std::error_code ignored;
    std::filesystem::create_directories(kept_file().parent_path(), ignored);
    try {
        write_whole(kept_file(), network_content(net));
    } catch (const DataFault&) {
        // A full disk: it is gone with the window, as it would be without this.
    }
}

Learned learned_before() {
    const std::string kept = read_file(kept_file());
    if (!kept.empty()) {
        try {
            Learned learned{parse_network(kept, kept_file().string()), "trained by your kernels", true};
            if (learned.network.in == side * side && learned.network.out == classes) return learned;
        } catch (const std::runtime_error&) {
            // Damaged: as if it was not there.
        }
    }
    const Sizes sizes{side * side, hidden_at_first, classes};
    Weights<float> w = fresh_weights(sizes, seed_of_the_pad);
    return {{sizes.in, sizes.hidden, sizes.out, std::move(w.w1), std::move(w.b1), std::move(w.w2),
             std::move(w.b2)},
            "noise, for nobody has trained it yet",
            false};
}

std::vector<float> probabilities_of(const LearnedNetwork& network, const std::vector<float>& x) {
    std::vector<float> p = logits_of(network, x);
    const float most = *std::max_element(p.begin(), p.end());
    float sum = 0;
    for (float& value : p) sum += value = std::exp(value - most);
    for (float& value : p) value /= sum;
    return p;
}

int best_of(const std::vector<float>& probabilities) {
    int best = -1;
    for (int c = 0; c < int(probabilities.size()); ++c) {
        const float p = probabilities[size_t(c)];
        if (std::isfinite(p) && (best < 0 || p > probabilities[size_t(best)])) best = c;
    }
    return best;
}

Verdict judge(const LearnedNetwork& network, const Pictures& test) {
    Verdict verdict;
    std::vector<float> x(size_t{side} * side);
    for (int i = 0; i < test.count() && test.rows * test.columns == side * side; ++i) {
        const auto pixels = test.picture(i);
        const int label = test.labels[size_t(i)];
        for (size_t k = 0; k < x.size(); ++k) x[k] = float(pixels[k]) / 255;
        const std::vector<float> p = probabilities_of(network, x);
        const int answer = std::max(0, best_of(p));
        ++verdict.tested;
        ++verdict.count[size_t(label)][size_t(answer)];
        if (answer == label) {
            ++verdict.right;
            continue;
        }
        Mistake mistake{{}, label, answer, p[size_t(answer)]};
        std::copy(pixels.begin(), pixels.end(), mistake.picture.begin());
        verdict.worst.push_back(mistake);
    }
    std::stable_sort(verdict.worst.begin(), verdict.worst.end(),
                     [](const Mistake& a, const Mistake& b) { return a.probability > b.probability; });
    return verdict;
}

}  // namespace lab::lesson_23_mlp_train
