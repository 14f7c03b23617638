// What a compiled learner's program calls in libsimt.so. The CUDA-named headers (cuda_runtime.h and the
// others beside it) are thin wrappers over this page; the front end emits calls to the last two parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "fast.h"  // beside this file, by whatever path it was found
#include "texture.h"

namespace simt {

// A place in the learner's file. As a default argument, `Where w = Where::here()` is the caller's own line.
struct Where {
    const char* file = "";
    int line = 0;
    static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return {file, line};
    }
};

// ---- the running thread ----
// Constant for the life
// of a thread, so that the compiler may keep them in registers. Outside a kernel: zeros.
Index3 thread_index() noexcept __attribute__((const));
Index3 block_index() noexcept __attribute__((const));
Index3 block_extent() noexcept __attribute__((const));
Index3 grid_extent() noexcept __attribute__((const));
bool in_kernel();
unsigned lane_index() noexcept __attribute__((const));  // 0 to 31
// The lanes of this warp that are here together: those that come to this place on the same path, in the same trips
// of the loops around it. A lane waits here until no lane of its warp can come any more.
unsigned gathered_lanes(Where where);

// ---- barriers and warps ----
void block_barrier(Where where);
void group_barrier(Where where);  // the same, called block.sync() in messages
// All threads of a cooperative launch meet. In any other launch the thread ends in a trap.
void grid_barrier(Where where);
bool launched_cooperatively();  // the launch that the calling thread belongs to
enum class BarrierFold : int { count, all, any };
int block_barrier_fold(int predicate, BarrierFold fold, Where where);
void warp_barrier(unsigned mask, Where where);

enum class Shuffle : int { index, up, down, exchange };  // shfl, shfl_up, shfl_down, shfl_xor
// Moves 8 bytes between the lanes of `mask`. `width` is a power of two up to 32. A lane whose source is
// outside its segment gets its own value.
uint64_t warp_shuffle(unsigned mask, uint64_t value, int lane_or_delta, int width, Shuffle kind, Where where);

enum class Vote : int { all, any, ballot, uniform, match_any, match_all };
// `value`: the predicate, or the value to match. match_all: also sets *predicate.
unsigned warp_vote(unsigned mask, uint64_t value, Vote kind, int* predicate, Where where);
enum class Reduce : int { add_u, add_s, min_u, min_s, max_u, max_s, bit_and, bit_or, bit_xor };
unsigned warp_reduce(unsigned mask, unsigned value, Reduce kind, Where where);

// ---- memory ----
enum class Atomic : int {
    add,
    sub,
    exchange,
    minimum,
    maximum,
    increment,
    decrement,
    compare_exchange,
    bit_and,
    bit_or,
    bit_xor,
    load,
    store
};
enum class Scalar : int { i32, u32, i64, u64, f32, f64, u16, f16, bf16, f16x2, bf16x2 };
// Returns the old value's bits, zero-extended. Checked for bounds, alignment and initialisation like any
// access; never races with another atomic. `scope`: 0 device, 1 block, 2 system; plus atomic_adds_one where
// the operand is the constant 1 in the text.
constexpr int atomic_adds_one = 16;
uint64_t atomic_access(Atomic op, Scalar type, void* address, uint64_t operand, uint64_t compare, int scope,
                       Where where);
// The same for 16 bytes, aligned to as many: exchange and compare_exchange only (then `compare` is not null). The old value
// goes to `old`.
void atomic_access_wide(Atomic op, void* address, const void* operand, const void* compare, void* old,
                        int scope, Where where);
// atomicAdd of a vector of floats, which its elements' own calls do, is there for global memory only.
void check_vector_atomic(const void* address, Where where);
void memory_fence(int scope,
                  Where where);  // __threadfence (0), __threadfence_block (1), __threadfence_system (2)

[[noreturn]] void device_assert(const char* expression, const char* file, unsigned line,
                                const char* function);
[[noreturn]] void device_trap(Where where);
void thread_sleep(unsigned nanoseconds);  // lets other threads run
long long clock_ticks();  // checked mode: one tick a call, so that runs repeat; fast mode: nanoseconds

// ---- emitted by the front end: shared memory ----
// `key` is unique for each declaration and
// template instance. The storage belongs to the running block.
struct ArrayShape {  // of a __shared__ variable: extents from the outermost in; rank 0: no array
    size_t element_bytes;
    size_t rank;
    const size_t* extents;
};
void* shared_storage(const void* key, size_t bytes, size_t alignment, const ArrayShape& shape,
                     const char* name, Where where);
void* dynamic_shared_storage(size_t alignment, size_t element_bytes, const char* name, Where where);

template <class T>
struct ElementOf {
    using type = T;
};
template <class T, size_t Count>
struct ElementOf<T[Count]> : ElementOf<T> {};
template <class T>
using element_of = typename ElementOf<std::remove_cv_t<T>>::type;
template <class T>
struct Extents {
    static constexpr size_t rank = std::rank_v<T>;
    size_t values[rank == 0 ? 1 : rank] = {};
    constexpr Extents() { fill(std::make_index_sequence<rank>{}); }
    template <size_t... I>
    constexpr void fill(std::index_sequence<I...>) {
        ((values[I] = std::extent_v<T, I>), ...);
    }
};
template <class T>
inline constexpr Extents<T> extents_of{};
template <class T>
inline constexpr ArrayShape shape_of{sizeof(element_of<T>), std::rank_v<T>, extents_of<T>.values};

// `__shared__ float tile[16][17];`  ->  `auto& tile = ::simt::shared<float [16][17], ALIGN>("tile",
// {__FILE__, __LINE__}, []{});` ALIGN is 0 unless the declaration asks for more. The closure makes the key
// unique.
template <class T, size_t Align = 0, class Key>
__attribute__((always_inline)) inline T& shared(const char* name, Where where, Key) {
    constexpr size_t alignment = Align > alignof(T) ? Align : alignof(T);
#if defined(SIMT_FAST)
    static fast::SharedPlace place = 0;
    return *static_cast<T*>(fast::shared_array(place, sizeof(T), alignment));
#else
    static const char key = 0;
    return *static_cast<T*>(shared_storage(&key, sizeof(T), alignment, shape_of<T>, name, where));
#endif
}

// `float window[8];` in a kernel or a __device__ function  ->  the same with `::simt::local_array(window,
// "window", {__FILE__, __LINE__}, false);` behind it. The compiler then keeps the array in memory, where every
// access is seen. `set`: it has an initialiser. `in_registers`: every index of it is known when it is compiled, so a GPU
// has no need of local memory for it; left out, it has.
// A thread has at most 255 registers. Of an array with so many words nvcc 13.0 keeps each in one, and takes 210 in all.
inline constexpr size_t most_register_bytes = size_t{4} * 200;
void local_storage(void* array, size_t bytes, size_t element_bytes, const char* name, Where where, bool set,
                   bool in_registers) noexcept;
// A type whose declaration alone gives no values. More of them are declared where they are.
template <class T>
inline constexpr bool starts_unset = std::is_trivially_default_constructible_v<T>;
template <class T>
__attribute__((always_inline)) inline void local_array([[maybe_unused]] T& array,
                                                       [[maybe_unused]] const char* name,
                                                       [[maybe_unused]] Where where,
                                                       [[maybe_unused]] bool set,
                                                       [[maybe_unused]] bool in_registers = false) {
#if defined(SIMT_CHECKED)
    using E = element_of<T>;
    if constexpr (std::is_array_v<T>)
        local_storage(const_cast<char*>(&reinterpret_cast<const volatile char&>(array)), sizeof(T), sizeof(E),
                      name, where, set || !starts_unset<E>, in_registers && sizeof(T) <= most_register_bytes);
#endif
}

// `extern __shared__ float s[];`  ->  `auto* s = ::simt::dynamic_shared<float>("s", {__FILE__, __LINE__});`
template <class T, size_t Align = 0>
__attribute__((always_inline)) inline T* dynamic_shared(const char* name, Where where) {
#if defined(SIMT_FAST)
    return reinterpret_cast<T*>(fast::state.dynamic_shared);
#else
    constexpr size_t alignment = Align > alignof(T) ? Align : alignof(T);
    return static_cast<T*>(dynamic_shared_storage(alignment, sizeof(element_of<T>), name, where));
#endif
}

// The same at namespace scope: `static const ::simt::DynamicShared<float> s{"s", {__FILE__, __LINE__}};`
template <class T, size_t Align = 0>
struct DynamicShared {
    const char* name;
    Where where;
    operator T*() const { return dynamic_shared<T, Align>(name, where); }
    template <class U>
    explicit operator U*() const {
        return (U*)dynamic_shared<T, Align>(name, where);
    }
    T& operator[](ptrdiff_t i) const { return dynamic_shared<T, Align>(name, where)[i]; }
};

// ---- emitted by the front end: launches ----
struct Config {
    Index3 grid, block;
    size_t shared_bytes;
    void* stream;
    bool cooperative = false;
};
// dim3 and integers both convert; the front end passes the text between <<< and >>> as it stands.
struct Extent {
    Index3 value;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>>
    constexpr Extent(T x) : value{static_cast<unsigned>(x), 1, 1} {}
    template <class D, class = decltype(std::declval<const D&>().z), class = void>
    constexpr Extent(const D& d)
        : value{static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)} {}
};
constexpr Config config(Extent grid, Extent block, size_t shared_bytes = 0, const void* stream = nullptr) {
    return {grid.value, block.value, shared_bytes, const_cast<void*>(stream)};
}

// One kernel thread runs `invoke(arguments)`. `arguments` is copied (by `copy`) into the machine's parameter
// space.
struct LaunchCall {
    Where where;
    const char* kernel;
    const void* function;  // address of the kernel where it is known, else nullptr
    Config config;
    void (*invoke)(void* arguments);
    void (*move_to)(void* destination, void* source);
    void (*destroy)(void* arguments);
    size_t bytes;
    size_t parameter_bytes;  // what CUDA would count against its limit
    void (*invoke_many)(void* arguments, const fast::Range& threads);  // fast mode, else nullptr
    // What graphs need of a kernel's arguments: where each of them is, and a launch with others.
    size_t parameters;
    void (*addresses)(void* arguments, void** parameters);
    void (*again)(const void* arguments, const LaunchCall& like, const Config& config, void** parameters,
                  Where where);
    Index3* block_dim = nullptr;  // the program's variables of these names, which its kernels read
    Index3* grid_dim = nullptr;
};
void enqueue(const LaunchCall& call, void* arguments);
// A kernel's thread does not come back: kernels are launched by the host.
void check_launcher(const char* kernel, Where where);

#if defined(SIMT_FAST)
// Arguments are copied once a loop, so that the compiler sees that the kernel's stores don't change them.
template <class Bound>
inline void invoke_threads(void* arguments, const fast::Range& threads) {
    if constexpr (std::is_trivially_copy_constructible_v<Bound>) {
        const Bound bound(*static_cast<const Bound*>(arguments));
        fast::run_threads(bound, threads);
    } else {
        fast::run_threads(*static_cast<const Bound*>(arguments), threads);
    }
}
#endif

// A kernel, or what calls it, with its arguments.
template <class Call, class... P>
struct BoundCall {
    Call call;
    std::tuple<P...> pack;
    void operator()() const { std::apply(call, pack); }
};
template <class Call, class... P>
inline void addresses_of(void* arguments, void** parameters) {
    std::apply([parameters](P&... each) mutable { ((*parameters++ = (void*)&each), ...); },
               static_cast<BoundCall<Call, P...>*>(arguments)->pack);
}
template <class Call, class... P>
void enqueue_bound(Where where, const char* kernel, const void* function, const Config& config,
                   size_t parameter_bytes, BoundCall<Call, P...>&& bound);
template <class Call, class... P, size_t... I>
inline void launch_again(const BoundCall<Call, P...>& bound, const LaunchCall& like, const Config& config,
                         [[maybe_unused]] void** parameters, Where where, std::index_sequence<I...>) {
    enqueue_bound(where, like.kernel, like.function, config, like.parameter_bytes,
                  BoundCall<Call, P...>{bound.call, std::tuple<P...>(*static_cast<P*>(parameters[I])...)});
}

template <class Call, class... P>
inline void enqueue_bound(Where where, const char* kernel, const void* function, const Config& config,
                          size_t parameter_bytes, BoundCall<Call, P...>&& bound) {
    using B = BoundCall<Call, P...>;
    const LaunchCall call {
        where, kernel, function, config, [](void* p) { (*static_cast<B*>(p))(); },
            [](void* to, void* from) { new (to) B(std::move(*static_cast<B*>(from))); },
            [](void* p) { static_cast<B*>(p)->~B(); }, sizeof(B), parameter_bytes,
#if defined(SIMT_FAST)
            invoke_threads<B>,
#else
            nullptr,
#endif
            sizeof...(P), addresses_of<Call, P...>,
            [](const void* arguments, const LaunchCall& like, const Config& c, void** parameters, Where w) {
                launch_again(*static_cast<const B*>(arguments), like, c, parameters, w,
                             std::index_sequence_for<P...>{});
            }
    };
    enqueue(call, &bound);
}

// `k<<<g, b>>>(a, 0)`  ->  `::simt::launch({__FILE__, __LINE__}, ::simt::config(g, b), "k", k)(a, 0)`
// Arguments convert to the kernel's own parameter types here, at the launch, and are copied. Where the front
// end knows the kernel it adds `[](auto... simt_a) { k(simt_a...); }`, a call that fast mode can inline.
template <class... P>
struct Launcher {
    Where where;
    Config settings;
    const char* kernel;
    void (*function)(P...);
    void operator()(P... arguments) const {
        enqueue_bound(where, kernel, reinterpret_cast<const void*>(function), settings,
                      (size_t{0} + ... + sizeof(P)),
                      BoundCall<void (*)(P...), std::decay_t<P>...>{
                          function, std::tuple<std::decay_t<P>...>(std::forward<P>(arguments)...)});
    }
};
template <class... P>
inline Launcher<P...> launch(Where where, const Config& settings, const char* kernel,
                             void (*function)(P...)) {
    check_launcher(kernel, where);
    return {where, settings, kernel, function};
}
#if defined(SIMT_FAST)
template <class Call, class... P>
struct InlineLauncher {
    Where where;
    Config settings;
    const char* kernel;
    void (*function)(P...);
    void operator()(P... arguments) const {
        enqueue_bound(where, kernel, reinterpret_cast<const void*>(function), settings,
                      (size_t{0} + ... + sizeof(P)),
                      BoundCall<Call, std::decay_t<P>...>{
                          Call{}, std::tuple<std::decay_t<P>...>(std::forward<P>(arguments)...)});
    }
};
template <class Call, class... P>
inline InlineLauncher<Call, P...> launch(Where where, const Config& settings, const char* kernel,
                                         void (*function)(P...), Call) {
    return {where, settings, kernel, function};
}
#else
template <class Call, class... P>
inline Launcher<P...> launch(Where where, const Config& settings, const char* kernel, void (*function)(P...),
                             Call) {
    check_launcher(kernel, where);
    return {where, settings, kernel, function};
}
#endif

// `__global__ void __launch_bounds__(THREADS, BLOCKS) k(...) {}`  ->  the same with a static const bool of
// `::simt::register_bounds(reinterpret_cast<const void*>(k), THREADS, BLOCKS)` behind it. The kernel may then be launched with
// at most so many threads a block.
bool register_bounds(const void* kernel, long threads, long least_blocks = 0, long most_cluster_blocks = 0);

// Where the kernel is overloaded, needs deduction or has default arguments:
// `::simt::launch_generic({__FILE__, __LINE__}, config, "k", [](auto... simt_a) { k(simt_a...); })(a)`
template <class F>
struct GenericLauncher {
    Where where;
    Config settings;
    const char* kernel;
    F function;
    template <class... A>
    void operator()(A... arguments) const {
        enqueue_bound(where, kernel, nullptr, settings, (size_t{0} + ... + sizeof(A)),
                      BoundCall<F, A...>{function, std::tuple<A...>(arguments...)});
    }
};
template <class F>
inline GenericLauncher<F> launch_generic(Where where, const Config& settings, const char* kernel,
                                         F function) {
    check_launcher(kernel, where);
    return {where, settings, kernel, function};
}

// ---- emitted by the front end: what the text says ----
// `return;` in a kernel's own body  ->  `return
// ::simt::thread_returns();` : the thread left on purpose.
void thread_returns();

struct AllocationNote {  // cudaMalloc(&d_in, ...) on `line` names its buffer "d_in"
    int line;
    const char* name;
};
struct BarrierNote {  // a barrier on `line` stands inside an if, else, switch or loop that begins on
                      // `condition_line` (0: none)
    int line;
    int condition_line;
};
enum class SymbolSpace : int { device, constant, managed };
struct SymbolNote {  // a __device__, __constant__ or __managed__ variable
    const void* address;
    size_t bytes, element_bytes;
    const char* name;
    SymbolSpace space;
    int line;
    const void* unit;  // the translation unit: the limit of constant memory holds for each
};
[[maybe_unused]] static const char translation_unit = 0;
template <class T>
__attribute__((always_inline)) inline SymbolNote symbol(const char* name, T& variable, SymbolSpace space,
                                                        int line) {
    return {const_cast<const char*>(&reinterpret_cast<const volatile char&>(variable)),
            sizeof(T),
            sizeof(element_of<T>),
            name,
            space,
            line,
            &translation_unit};
}
// Emitted once at the end of each rewritten file: `static const bool simt_source_N =
// ::simt::register_source(...)`.
bool register_source(const char* file, std::initializer_list<AllocationNote> allocations,
                     std::initializer_list<BarrierNote> barriers, std::initializer_list<SymbolNote> symbols);

}  // namespace simt

// ---- emitted by the assembler pass ----
// Tables in sections of the program:
//   simt_sites  a SiteEntry for every call: the return address and the line it stands on
//   simt_loops  a LoopEntry for every loop of a function's flow graph: the extent of its code
//   simt_heads  for each of these the address of the block that all its trips begin with
//   simt_files  the names that SiteEntry::file counts
// and one exported symbol of type ProgramTables, `simt_tables`, so that libsimt.so finds them after dlopen.
namespace simt {
struct SiteEntry {
    const void* return_address;
    uint32_t file, line, column;
    enum Flags : uint32_t {
        inlined = 1,   // the line is the learner's statement that the compiler inlined this code into
        forks = 2,     // the hook of a basic block that ends in a conditional jump, whose line it has
        may_end = 4,   // and one of the ways is the function's end at once
        over = 8,      // the hook of a basic block behind the hook of the function's end
        foreign = 16,  // the line is in a header of the system or of the machine
    };
    uint32_t flags;
};
struct LoopEntry {
    const void* first;
    const void* past_last;
};
struct ProgramTables {
    const SiteEntry *sites_begin, *sites_end;
    const LoopEntry *loops_begin, *loops_end;
    const char *const *files_begin, *const *files_end;
    uint64_t version;  // 2: with heads
    const void *const *heads_begin, *const *heads_end;
};
}  // namespace simt
