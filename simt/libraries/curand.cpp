// cuRAND's host library: generators, and the calls that draw from them.
#include "simt/include/curand.h"

#include <fmt/format.h>

#include <deque>
#include <optional>

#include "simt/host/timeline.h"
#include "simt/libraries/call.h"
#include "simt/libraries/random.h"
#include "simt/runtime/handles.h"

namespace simt::libraries {
namespace {

// One draw that was asked for. A generator's sequence goes on in the order of the calls, in whatever order streams run them.
struct Job {
    DrawRequest request;
    std::optional<RandomSettings> settings{};  // the sequence begins anew
    std::optional<uint64_t> offset{};          // there; else where it was
    std::unique_ptr<RandomSource> before{};    // where it is known already: a later job has run
    bool is_passed = false;
};

// The sequence of one generator and the draws that have not run yet. Outlives the generator while some are queued.
class Sequence {
  public:
    void add(const std::shared_ptr<Job>& job) { pending_.push_back(job); }
    void run(Job& job, void* out) {
        if (job.before != nullptr) {
            job.before->draw(job.request, out);
            job.before = nullptr;
            return;
        }
        while (!job.is_passed && !pending_.empty()) {
            const std::shared_ptr<Job> next = pending_.front();
            pending_.pop_front();
            next->is_passed = true;
            if (next.get() == &job) break;
            begin(*next);
            next->before = source_->copy();
            source_->draw(next->request, nullptr);
        }
        begin(job);
        source_->draw(job.request, out);
    }

  private:
    void begin(const Job& job) {
        if (!job.settings && source_ != nullptr) return;
        const uint64_t here = source_ == nullptr ? 0 : source_->position();
        source_ = make_source(job.settings.value_or(RandomSettings{}), job.offset.value_or(here));
    }

    std::unique_ptr<RandomSource> source_;
    std::deque<std::shared_ptr<Job>> pending_;
};

struct Generator {
    bool is_host = false;
    cudaStream_t stream = nullptr;
    RandomSettings settings{};
    std::optional<uint64_t> offset{};
    bool is_changed = true;  // since the last draw
    std::shared_ptr<Sequence> sequence = std::make_shared<Sequence>();

    bool is_quasi() const { return settings.type >= CURAND_RNG_QUASI_DEFAULT; }
    bool is_quasi_64() const { return settings.type >= CURAND_RNG_QUASI_SOBOL64; }
    bool is_twister() const {
        return settings.type == CURAND_RNG_PSEUDO_MTGP32 || settings.type == CURAND_RNG_PSEUDO_MT19937;
    }
    bool is_xorwow() const {
        return settings.type == CURAND_RNG_PSEUDO_DEFAULT || settings.type == CURAND_RNG_PSEUDO_XORWOW;
    }
    bool makes_pairs() const { return is_xorwow() || settings.type == CURAND_RNG_PSEUDO_MRG32K3A; }
};

runtime::HandleTable<Generator>& generators() {
    static auto& table = *new runtime::HandleTable<Generator>;
    return table;
}

// Costs of the host, taken and not measured, in ns.
constexpr double create_ns = 300'000, destroy_ns = 100'000;

bool is_type(curandRngType_t type) {
    switch (type) {
        case CURAND_RNG_PSEUDO_DEFAULT:
        case CURAND_RNG_PSEUDO_XORWOW:
        case CURAND_RNG_PSEUDO_MRG32K3A:
        case CURAND_RNG_PSEUDO_MTGP32:
        case CURAND_RNG_PSEUDO_MT19937:
        case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        case CURAND_RNG_QUASI_DEFAULT:
        case CURAND_RNG_QUASI_SOBOL32:
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
        case CURAND_RNG_QUASI_SOBOL64:
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
            return true;
        case CURAND_RNG_TEST:
            break;
    }
    return false;
}

curandStatus_t refuse(const Call& call, curandStatus_t status, const std::string& why,
                      const std::string& fix) {
    report_refused(call, why, fix);
    return status;
}

curandStatus_t create(const Call& call, curandGenerator_t* generator, curandRngType_t type, bool is_host) {
    if (generator == nullptr)
        return refuse(call, CURAND_STATUS_NOT_INITIALIZED, "the pointer to the generator is null",
                      "Pass the address of a curandGenerator_t.");
    if (!is_type(type))
        return refuse(call, CURAND_STATUS_TYPE_ERROR,
                      fmt::format("there is no generator of type {}", static_cast<int>(type)),
                      "Use one of curandRngType_t, such as CURAND_RNG_PSEUDO_DEFAULT.");
    const ApiLock lock;
    if (!is_host && runtime::enter(runtime::Call::work) != cudaSuccess)
        return CURAND_STATUS_INITIALIZATION_FAILED;
    Generator made{.is_host = is_host};
    made.settings.type = type;
    *generator = static_cast<curandGenerator_t>(generators().add(std::move(made)));
    timeline::note_handle();
    timeline::host_worked(call.name, create_ns, call.where);
    return CURAND_STATUS_SUCCESS;
}

// `change` gets the generator; where there is none, that is a finding.
template <class Change>
curandStatus_t with_generator(curandGenerator_t generator, const Call& call, Change change) {
    const ApiLock lock;
    Generator* found = generators().find(generator);
    if (found == nullptr)
        return refuse(call, CURAND_STATUS_NOT_INITIALIZED,
                      generator == nullptr ? "its generator is null" : "its generator does not exist",
                      "Create the generator with curandCreateGenerator, and destroy it after its last use.");
    return change(*found);
}

const char* wrong_kind = "the generator is of the wrong type for it";

// What the library refuses of a draw.
curandStatus_t check(const Call& call, const Generator& g, const DrawRequest& r) {
    const bool is_long = r.kind == Draw::long_bits;
    if (is_long && !g.is_quasi_64())
        return refuse(call, CURAND_STATUS_TYPE_ERROR, wrong_kind,
                      "64-bit numbers come from SOBOL64 generators: use curandGenerate with this one.");
    if (r.kind == Draw::bits && g.is_quasi_64())
        return refuse(call, CURAND_STATUS_TYPE_ERROR, wrong_kind,
                      "A SOBOL64 generator gives 64-bit numbers: use curandGenerateLongLong.");
    const bool is_normal = r.kind == Draw::normal || r.kind == Draw::normal_double ||
                           r.kind == Draw::log_normal || r.kind == Draw::log_normal_double;
    if (is_normal && g.makes_pairs() && r.n % 2 != 0)
        return refuse(call, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                      fmt::format("n is {}, and this generator makes normal numbers in pairs", r.n),
                      "Make the buffer and n even, or use a Philox generator.");
    if (g.is_quasi() && r.n % g.settings.dimensions != 0)
        return refuse(call, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                      fmt::format("n is {}, no multiple of the {} dimensions", r.n, g.settings.dimensions),
                      "Ask for the same number of points in each dimension.");
    constexpr double most = 400'000;
    if (r.kind == Draw::poisson && !(r.mean > 0 && r.mean <= most))
        return refuse(call, CURAND_STATUS_OUT_OF_RANGE, fmt::format("lambda is {}", r.mean),
                      "Lambda is more than 0 and at most 400,000.");
    return CURAND_STATUS_SUCCESS;
}

// Memory of the host, but for its own accesses known to the machine where it is pinned or managed.
curandStatus_t draw_on_host(const Call& call, Sequence& sequence, Job& job, void* out) {
    if (out == nullptr)
        return refuse(call, CURAND_STATUS_LAUNCH_FAILURE, "its output is a null pointer",
                      "Pass memory of the host for n results.");
    if (!is_host_argument(call, "its output", out,
                          "Create the generator with curandCreateGenerator, so that it writes device "
                          "memory, or pass memory of the host."))
        return CURAND_STATUS_LAUNCH_FAILURE;
    sequence.run(job, out);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t queue_draw(const Call& call, cudaStream_t stream, std::shared_ptr<Sequence> sequence,
                          std::shared_ptr<Job> job, void* out) {
    const size_t bytes = bytes_of(job->request.kind);
    Work work;
    const auto n = static_cast<long>(job->request.n);
    work.operands = {vector("its output", out, bytes, n, 1, Operand::Use::writes)};
    work.run = [sequence = std::move(sequence), job = std::move(job), out] {
        sequence->run(*job, view(static_cast<char*>(out)));
    };
    return queue_call(call, stream, std::move(work)) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                                    : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t draw(curandGenerator_t generator, const Call& call, const DrawRequest& request, void* out) {
    return with_generator(generator, call, [&](Generator& g) {
        if (const curandStatus_t status = check(call, g, request); status != CURAND_STATUS_SUCCESS)
            return status;
        if (request.n == 0) return CURAND_STATUS_SUCCESS;
        auto job = std::make_shared<Job>(Job{.request = request});
        if (g.is_changed) job->settings = g.settings;
        job->offset = g.offset;
        g.is_changed = false;
        g.offset.reset();
        g.sequence->add(job);
        return g.is_host ? draw_on_host(call, *g.sequence, *job, out)
                         : queue_draw(call, g.stream, g.sequence, job, out);
    });
}

bool is_ordering(const Generator& g, curandOrdering_t order) {
    switch (order) {
        case CURAND_ORDERING_QUASI_DEFAULT:
            return g.is_quasi();
        case CURAND_ORDERING_PSEUDO_BEST:
            return !g.is_quasi() && g.settings.type != CURAND_RNG_PSEUDO_MT19937;
        case CURAND_ORDERING_PSEUDO_DEFAULT:
        case CURAND_ORDERING_PSEUDO_LEGACY:
            return !g.is_quasi();
        case CURAND_ORDERING_PSEUDO_SEEDED:
            return g.is_xorwow();
        case CURAND_ORDERING_PSEUDO_DYNAMIC:
            return !g.is_quasi() && !g.is_twister() && !g.is_host;
    }
    return false;
}

}  // namespace
}  // namespace simt::libraries

using namespace simt::libraries;
using simt::ApiLock;
using simt::Where;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type, Where where) {
    return create({"curandCreateGenerator", where}, generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type, Where where) {
    return create({"curandCreateGeneratorHost", where}, generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator, Where where) {
    const Call call{"curandDestroyGenerator", where};
    return with_generator(generator, call, [&](const Generator& g) {
        const bool is_host = g.is_host;
        generators().remove(generator);
        if (!is_host) simt::runtime::wait_for_device(where, call.name);
        simt::timeline::host_worked(call.name, destroy_ns, where);
        return CURAND_STATUS_SUCCESS;
    });
}

curandStatus_t curandGetVersion(int* version, Where) {
    if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value, Where) {
    constexpr int values[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
    *value = values[type];
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream, Where where) {
    return with_generator(generator, {"curandSetStream", where}, [&](Generator& g) {
        if (simt::runtime::find_stream(stream) == nullptr) {
            simt::runtime::unknown_stream("curandSetStream", where);
            return CURAND_STATUS_LAUNCH_FAILURE;
        }
        g.stream = stream;
        return CURAND_STATUS_SUCCESS;
    });
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed,
                                                  Where where) {
    const Call call{"curandSetPseudoRandomGeneratorSeed", where};
    return with_generator(generator, call, [&](Generator& g) {
        if (g.is_quasi())
            return refuse(call, CURAND_STATUS_TYPE_ERROR, wrong_kind,
                          "A quasirandom sequence has no seed: set its offset or its dimensions.");
        g.settings.seed = seed;
        g.is_changed = true;
        return CURAND_STATUS_SUCCESS;
    });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset, Where where) {
    const Call call{"curandSetGeneratorOffset", where};
    return with_generator(generator, call, [&](Generator& g) {
        if (g.is_twister())
            return refuse(call, CURAND_STATUS_TYPE_ERROR, wrong_kind,
                          "MTGP32 and MT19937 cannot skip: use XORWOW, MRG32K3A or Philox.");
        g.offset = offset;
        g.is_changed = true;
        return CURAND_STATUS_SUCCESS;
    });
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order, Where where) {
    const Call call{"curandSetGeneratorOrdering", where};
    return with_generator(generator, call, [&](Generator& g) {
        if (!is_ordering(g, order))
            return refuse(
                call, CURAND_STATUS_OUT_OF_RANGE,
                fmt::format("the generator has no ordering {}", static_cast<int>(order)),
                "CURAND_ORDERING_PSEUDO_DEFAULT and CURAND_ORDERING_QUASI_DEFAULT fit all of a kind.");
        g.settings.ordering = order;
        g.is_changed = true;
        return CURAND_STATUS_SUCCESS;
    });
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions,
                                                       Where where) {
    const Call call{"curandSetQuasiRandomGeneratorDimensions", where};
    return with_generator(generator, call, [&](Generator& g) {
        if (!g.is_quasi())
            return refuse(call, CURAND_STATUS_TYPE_ERROR, wrong_kind,
                          "Only quasirandom generators have dimensions.");
        if (dimensions < 1 || dimensions > sobol_dimensions)
            return refuse(call, CURAND_STATUS_OUT_OF_RANGE,
                          fmt::format("it asks for {} dimensions", dimensions),
                          fmt::format("cuRAND has 1 to 20,000, the CPU machine 1 to {}.", sobol_dimensions));
        g.settings.dimensions = dimensions;
        g.is_changed = true;
        return CURAND_STATUS_SUCCESS;
    });
}

// A GPU makes the states here rather than at the first draw.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator, Where where) {
    return with_generator(generator, {"curandGenerateSeeds", where},
                          [](const Generator&) { return CURAND_STATUS_SUCCESS; });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* out, size_t n, Where where) {
    return draw(generator, {"curandGenerate", where}, {Draw::bits, n}, out);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* out, size_t n,
                                      Where where) {
    return draw(generator, {"curandGenerateLongLong", where}, {Draw::long_bits, n}, out);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, size_t n, Where where) {
    return draw(generator, {"curandGenerateUniform", where}, {Draw::uniform, n}, out);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t n, Where where) {
    return draw(generator, {"curandGenerateUniformDouble", where}, {Draw::uniform_double, n}, out);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, size_t n, float mean,
                                    float stddev, Where where) {
    return draw(generator, {"curandGenerateNormal", where}, {Draw::normal, n, mean, stddev}, out);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean,
                                          double stddev, Where where) {
    return draw(generator, {"curandGenerateNormalDouble", where}, {Draw::normal_double, n, mean, stddev},
                out);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t n, float mean,
                                       float stddev, Where where) {
    return draw(generator, {"curandGenerateLogNormal", where}, {Draw::log_normal, n, mean, stddev}, out);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean,
                                             double stddev, Where where) {
    return draw(generator, {"curandGenerateLogNormalDouble", where},
                {Draw::log_normal_double, n, mean, stddev}, out);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* out, size_t n, double lambda,
                                     Where where) {
    return draw(generator, {"curandGeneratePoisson", where}, {Draw::poisson, n, lambda}, out);
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set, Where) {
    if (vectors == nullptr ||
        (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    static auto* all = [] {
        auto* made = new curandDirectionVectors32_t[sobol_dimensions];
        for (int d = 0; d < sobol_dimensions; ++d) std::copy_n(sobol_directions_32(d), 32, made[d]);
        return made;
    }();
    *vectors = all;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set, Where) {
    if (vectors == nullptr ||
        (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    static auto* all = [] {
        auto* made = new curandDirectionVectors64_t[sobol_dimensions];
        for (int d = 0; d < sobol_dimensions; ++d) std::copy_n(sobol_directions_64(d), 64, made[d]);
        return made;
    }();
    *vectors = all;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants32(unsigned int** constants, Where) {
    if (constants == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    static auto* all = [] {
        auto* made = new unsigned int[sobol_dimensions];
        for (int d = 0; d < sobol_dimensions; ++d) made[d] = static_cast<unsigned int>(sobol_shift(d));
        return made;
    }();
    *constants = all;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants64(unsigned long long** constants, Where) {
    if (constants == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    static auto* all = [] {
        auto* made = new unsigned long long[sobol_dimensions];
        for (int d = 0; d < sobol_dimensions; ++d) made[d] = sobol_shift(d);
        return made;
    }();
    *constants = all;
    return CURAND_STATUS_SUCCESS;
}
