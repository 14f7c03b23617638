#include "simt/libraries/random.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "simt/include/simt/random/distributions.h"
#include "simt/include/simt/random/engines.h"

namespace simt::libraries {
namespace {

using random::Jump;
using random::Pair;
using random::PairDouble;

// Writes results of type T, or none.
template <class T>
class Output {
  public:
    explicit Output(void* out) : out_(static_cast<T*>(out)) {}
    void put(T value) {
        if (out_ != nullptr) *out_++ = value;
    }

  private:
    T* out_;
};

// A standard normal number as the request wants it.
float finished(const DrawRequest& r, float z) {
    const auto x = static_cast<float>(r.mean + r.deviation * z);
    return r.kind == Draw::log_normal ? std::exp(x) : x;
}
double finished(const DrawRequest& r, double z) {
    const double x = r.mean + r.deviation * z;
    return r.kind == Draw::log_normal_double ? std::exp(x) : x;
}

// ---- XORWOW and MRG32k3a: many subsequences, of which each gives one result in turn (a pair, of normal numbers) ----

struct Xorwow {
    uint32_t d = 0, v[5] = {};

    explicit Xorwow(uint64_t seed) { random::seed_xorwow(*this, seed); }
    void jump(uint64_t n, Jump kind) {
        random::jump_xorwow(v, n, kind);
        if (kind == Jump::steps) d += random::xorwow_increment * static_cast<uint32_t>(n);
    }
    uint32_t bits() { return random::next_xorwow(*this); }
    float uniform() { return random::uniform(bits()); }
    double uniform_double() {
        const uint32_t x = bits();
        return random::uniform_double(x, bits());
    }
    Pair pair() {
        const uint32_t x = bits();
        return random::normal_pair(x, bits());
    }
    PairDouble pair_double() {
        const double u = uniform_double();
        return random::normal_pair_double(u, 2 * uniform_double());
    }
    static constexpr int words_of_double = 2;
};

struct Mrg {
    uint32_t s1[3] = {}, s2[3] = {};

    explicit Mrg(uint64_t seed) { random::seed_mrg(*this, seed); }
    void jump(uint64_t n, Jump kind) { random::jump_mrg(s1, s2, n, kind); }
    uint32_t bits() { return random::mrg_bits(random::next_mrg(*this)); }
    float uniform() { return static_cast<float>(uniform_double()); }
    double uniform_double() { return random::next_mrg(*this) * random::mrg_unit; }
    Pair pair() {
        const float u = uniform();
        return random::normal_pair(u, uniform() * 6.2831855f);
    }
    PairDouble pair_double() {
        const double u = uniform_double();
        return random::normal_pair_double(u, 2 * uniform_double());
    }
    static constexpr int words_of_double = 1;
};

template <class Engine>
class Lanes final : public RandomSource {
  public:
    // `seeded`: each lane has a seed of its own (CURAND_ORDERING_PSEUDO_SEEDED).
    Lanes(uint64_t seed, uint32_t lanes, uint64_t offset, bool seeded)
        : seed_(seed),
          lanes_(lanes),
          seeded_(seeded),
          first_(seed),
          round_(offset / lanes),
          lane_(static_cast<uint32_t>(offset % lanes)),
          ahead_(lane_) {
        first_.jump(round_, Jump::steps);
    }

    std::unique_ptr<RandomSource> copy() const override { return std::make_unique<Lanes>(*this); }
    uint64_t position() const override { return round_ * lanes_ + lane_; }

    void draw(const DrawRequest& r, void* out) override {
        const double lambda = r.mean;
        switch (r.kind) {
            case Draw::long_bits:  // no such draw: the caller has refused it
                return;
            case Draw::bits:
                return each<uint32_t>(r, out, 1, [](Engine& e) { return e.bits(); });
            case Draw::uniform:
                return each<float>(r, out, 1, [](Engine& e) { return e.uniform(); });
            case Draw::uniform_double:
                return each<double>(r, out, Engine::words_of_double,
                                    [](Engine& e) { return e.uniform_double(); });
            case Draw::poisson:
                return each<uint32_t>(r, out, 1,
                                      [&](Engine& e) { return random::poisson_of(e.bits(), lambda); });
            case Draw::normal:
            case Draw::log_normal:
                return pairs<float>(r, out, 2, [](Engine& e) { return e.pair(); });
            case Draw::normal_double:
            case Draw::log_normal_double:
                return pairs<double>(r, out, 2 * Engine::words_of_double,
                                     [](Engine& e) { return e.pair_double(); });
        }
    }

  private:
    Engine made_lane(uint32_t lane) {
        if (seeded_ && lane > 0) {
            Engine engine(sobol_shift(static_cast<int>(lane)) ^ seed_);
            engine.jump(round_ + (lane < ahead_ ? 1 : 0), Jump::steps);
            return engine;
        }
        if (lane > 0 && !seeded_) first_.jump(1, Jump::sequences);
        Engine engine = first_;
        if (lane < ahead_) engine.jump(1, Jump::steps);
        return engine;
    }
    Engine& current() {
        while (made_.size() <= lane_) made_.push_back(made_lane(static_cast<uint32_t>(made_.size())));
        return made_[lane_];
    }
    void advance(int words) {
        if (++lane_ < lanes_) return;
        lane_ = 0;
        round_ += static_cast<uint64_t>(words);
    }
    template <class T, class Make>
    void each(const DrawRequest& r, void* out, int words, Make make) {
        Output<T> output(out);
        for (size_t i = 0; i < r.n; ++i) {
            output.put(make(current()));
            advance(words);
        }
    }
    template <class T, class Make>
    void pairs(const DrawRequest& r, void* out, int words, Make make) {
        Output<T> output(out);
        for (size_t i = 0; i < r.n; i += 2) {
            const auto both = make(current());
            output.put(finished(r, both.x));
            output.put(finished(r, both.y));
            advance(words);
        }
    }

    uint64_t seed_;
    uint32_t lanes_;
    bool seeded_;
    Engine first_;  // as the last lane that was made began
    uint64_t round_;
    uint32_t lane_;
    uint32_t ahead_;  // so many lanes begin one step later
    std::vector<Engine> made_;
};

// ---- Philox: 65,536 subsequences, of which each gives four results in turn ----

class Philox final : public RandomSource {
  public:
    Philox(uint64_t seed, uint64_t offset) : seed_(seed), position_(offset), blocks_(lanes) {
        const uint64_t group = offset / 4;
        for (uint64_t lane = 0; lane < lanes; ++lane)
            blocks_[lane] = group / lanes + (lane < group % lanes ? 1 : 0);
    }
    std::unique_ptr<RandomSource> copy() const override { return std::make_unique<Philox>(*this); }
    uint64_t position() const override { return position_; }

    void draw(const DrawRequest& r, void* out) override {
        switch (r.kind) {
            case Draw::long_bits:
                return;
            case Draw::bits:
            case Draw::poisson:
                return fours<uint32_t>(r, out, 1);
            case Draw::uniform:
            case Draw::normal:
            case Draw::log_normal:
                return fours<float>(r, out, 1);
            case Draw::uniform_double:
            case Draw::normal_double:
            case Draw::log_normal_double:
                return fours<double>(r, out, 2);
        }
    }

  private:
    static constexpr uint64_t lanes = 65536;
    using Words = random::Words4;

    Words block(uint64_t lane, uint64_t number) const {
        return random::philox({static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32),
                               static_cast<uint32_t>(lane), 0},
                              static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32));
    }
    void make(const DrawRequest& r, uint64_t lane, std::array<uint32_t, 4>& four) const {
        const Words w = block(lane, blocks_[lane]);
        four = {w.x, w.y, w.z, w.w};
        if (r.kind == Draw::poisson)
            for (uint32_t& x : four) x = random::poisson_of(x, r.mean);
    }
    void make(const DrawRequest& r, uint64_t lane, std::array<float, 4>& four) const {
        const Words w = block(lane, blocks_[lane]);
        if (r.kind == Draw::uniform) {
            four = {random::uniform(w.x), random::uniform(w.y), random::uniform(w.z), random::uniform(w.w)};
            return;
        }
        const Pair a = random::normal_pair(w.x, w.y), b = random::normal_pair(w.z, w.w);
        four = {finished(r, a.x), finished(r, a.y), finished(r, b.x), finished(r, b.y)};
    }
    void make(const DrawRequest& r, uint64_t lane, std::array<double, 4>& four) const {
        const Words v = block(lane, blocks_[lane]), w = block(lane, blocks_[lane] + 1);
        if (r.kind == Draw::uniform_double) {
            four = {random::uniform_double(v.x, v.y), random::uniform_double(v.z, v.w),
                    random::uniform_double(w.x, w.y), random::uniform_double(w.z, w.w)};
            return;
        }
        const PairDouble a = random::normal_pair_double(v.x, v.y, v.z, v.w);
        const PairDouble b = random::normal_pair_double(w.x, w.y, w.z, w.w);
        four = {finished(r, a.x), finished(r, a.y), finished(r, b.x), finished(r, b.y)};
    }
    // `used`: blocks that the last of four results takes with it.
    template <class T>
    void fours(const DrawRequest& r, void* out, int used) {
        Output<T> output(out);
        std::array<T, 4> four{};
        for (size_t i = 0; i < r.n; ++i, ++position_) {
            const uint64_t lane = position_ / 4 % lanes, place = position_ % 4;
            if (out != nullptr && (i == 0 || place == 0)) make(r, lane, four);
            output.put(four[place]);
            if (place == 3) blocks_[lane] += static_cast<uint64_t>(used);
        }
    }

    uint64_t seed_, position_;
    std::vector<uint64_t> blocks_;
};

// ---- MTGP32 and MT19937: one sequence, that of M. Matsumoto and T. Nishimura's MT19937 ----

class Twister final : public RandomSource {
  public:
    explicit Twister(uint32_t seed) : engine_(seed) {}
    std::unique_ptr<RandomSource> copy() const override { return std::make_unique<Twister>(*this); }
    uint64_t position() const override { return 0; }  // such generators have no offset

    void draw(const DrawRequest& r, void* out) override {
        switch (r.kind) {
            case Draw::long_bits:
                return;
            case Draw::bits:
                return each<uint32_t>(r, out, [](uint32_t x) { return x; });
            case Draw::poisson:
                return each<uint32_t>(r, out, [&](uint32_t x) { return random::poisson_of(x, r.mean); });
            case Draw::uniform:
                return each<float>(r, out, [](uint32_t x) { return random::uniform(x); });
            case Draw::normal:
            case Draw::log_normal:
                return each<float>(r, out, [&](uint32_t x) {
                    return finished(r, static_cast<float>(random::normal_of(x)));
                });
            case Draw::uniform_double:
                return each<double>(r, out, [&](uint32_t x) { return random::uniform_double(x, next()); });
            case Draw::normal_double:
            case Draw::log_normal_double:
                return each<double>(r, out, [&](uint32_t x) {
                    return finished(r, random::normal_of(static_cast<uint64_t>(x) << 32 | next()));
                });
        }
    }

  private:
    uint32_t next() { return static_cast<uint32_t>(engine_()); }
    template <class T, class Make>
    void each(const DrawRequest& r, void* out, Make make) {
        Output<T> output(out);
        for (size_t i = 0; i < r.n; ++i) output.put(make(next()));
    }

    std::mt19937 engine_;
};

// ---- Sobol: all points of the first dimension, then all of the second, and so on ----

template <class Word>
class Sobol final : public RandomSource {
  public:
    Sobol(uint32_t dimensions, bool scrambled, uint64_t offset)
        : dimensions_(dimensions), scrambled_(scrambled), position_(offset) {}
    std::unique_ptr<RandomSource> copy() const override { return std::make_unique<Sobol>(*this); }
    uint64_t position() const override { return position_; }

    void draw(const DrawRequest& r, void* out) override {
        switch (r.kind) {
            case Draw::bits:
                return each<uint32_t>(r, out, [](Word x) { return static_cast<uint32_t>(x); });
            case Draw::long_bits:
                return each<uint64_t>(r, out, [](Word x) { return x; });
            case Draw::poisson:
                return each<uint32_t>(r, out, [&](Word x) { return random::poisson_of(x, r.mean); });
            case Draw::uniform:
                return each<float>(r, out, [](Word x) { return random::uniform(x); });
            case Draw::uniform_double:
                return each<double>(r, out, [](Word x) { return random::uniform_double(x); });
            case Draw::normal:
            case Draw::log_normal:
                return each<float>(
                    r, out, [&](Word x) { return finished(r, static_cast<float>(random::normal_of(x))); });
            case Draw::normal_double:
            case Draw::log_normal_double:
                return each<double>(r, out, [&](Word x) { return finished(r, random::normal_of(x)); });
        }
    }

  private:
    static const Word* directions(int dimension) {
        if constexpr (sizeof(Word) == 4)
            return sobol_directions_32(dimension);
        else
            return sobol_directions_64(dimension);
    }
    template <class T, class Make>
    void each(const DrawRequest& r, void* out, Make make) {
        Output<T> output(out);
        const size_t points = r.n / dimensions_;
        for (int dimension = 0; out != nullptr && dimension < static_cast<int>(dimensions_); ++dimension) {
            const Word* v = directions(dimension);
            const Word shift = scrambled_ ? static_cast<Word>(sobol_shift(dimension)) : Word{0};
            auto i = static_cast<Word>(position_);
            Word x = random::sobol(v, i) ^ shift;
            for (size_t k = 0; k < points; ++k, ++i) {
                output.put(make(x));
                x ^= v[random::lowest_zero(i)];
            }
        }
        position_ += points;
    }

    uint32_t dimensions_;
    bool scrambled_;
    uint64_t position_;
};

}  // namespace

size_t bytes_of(Draw kind) {
    switch (kind) {
        case Draw::bits:
        case Draw::uniform:
        case Draw::normal:
        case Draw::log_normal:
        case Draw::poisson:
            return 4;
        case Draw::long_bits:
        case Draw::uniform_double:
        case Draw::normal_double:
        case Draw::log_normal_double:
            return 8;
    }
    return 0;
}

std::unique_ptr<RandomSource> make_source(const RandomSettings& s, uint64_t offset) {
    constexpr uint32_t xorwow_lanes = 4096, mrg_lanes = 81920, mrg_legacy_lanes = 4096;
    const bool is_legacy = s.ordering == CURAND_ORDERING_PSEUDO_LEGACY;
    const auto word = static_cast<uint32_t>(s.seed ^ s.seed >> 32);
    switch (s.type) {
        case CURAND_RNG_PSEUDO_MRG32K3A:
            return std::make_unique<Lanes<Mrg>>(s.seed, is_legacy ? mrg_legacy_lanes : mrg_lanes, offset,
                                                false);
        case CURAND_RNG_PSEUDO_PHILOX4_32_10:
            return std::make_unique<Philox>(s.seed, offset);
        case CURAND_RNG_PSEUDO_MT19937:
            return std::make_unique<Twister>(word);
        case CURAND_RNG_PSEUDO_MTGP32:
            return std::make_unique<Twister>(word ^ 0x5bd1e995u);  // not the same numbers as MT19937's
        case CURAND_RNG_QUASI_DEFAULT:
        case CURAND_RNG_QUASI_SOBOL32:
            return std::make_unique<Sobol<uint32_t>>(s.dimensions, false, offset);
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
            return std::make_unique<Sobol<uint32_t>>(s.dimensions, true, offset);
        case CURAND_RNG_QUASI_SOBOL64:
            return std::make_unique<Sobol<uint64_t>>(s.dimensions, false, offset);
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
            return std::make_unique<Sobol<uint64_t>>(s.dimensions, true, offset);
        default:
            return std::make_unique<Lanes<Xorwow>>(s.seed, xorwow_lanes, offset,
                                                   s.ordering == CURAND_ORDERING_PSEUDO_SEEDED);
    }
}

}  // namespace simt::libraries
