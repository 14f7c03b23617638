// Atomic operations of every type, checked first where there is a checker. The machine may run blocks on
// several cores (fast mode), so they are the CPU's own atomics.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "simt/checker/access.h"
#include "simt/checker/draft.h"
#include "simt/include/simt/sixteen/format.h"
#include "simt/machine/arena.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/machine.h"

namespace simt {
namespace {

template <class T>
T apply(Atomic op, T old, T operand, T compare) {
    switch (op) {
        case Atomic::add:
            return static_cast<T>(old + operand);
        case Atomic::sub:
            return static_cast<T>(old - operand);
        case Atomic::exchange:
        case Atomic::store:
            return operand;
        case Atomic::minimum:
            return operand < old ? operand : old;
        case Atomic::maximum:
            return operand > old ? operand : old;
        case Atomic::increment:
            return old >= operand ? T{0} : static_cast<T>(old + 1);
        case Atomic::decrement:
            return old == T{0} || old > operand ? operand : static_cast<T>(old - 1);
        case Atomic::compare_exchange:
            return old == compare ? operand : old;
        case Atomic::load:
            return old;
        default:
            break;
    }
    if constexpr (std::is_integral_v<T>) {
        if (op == Atomic::bit_and) return old & operand;
        if (op == Atomic::bit_or) return old | operand;
        if (op == Atomic::bit_xor) return old ^ operand;
    }
    return old;
}

template <class Bits, class T>
uint64_t update(void* address, Atomic op, uint64_t operand, uint64_t compare) {
    auto* p = static_cast<Bits*>(address);
    const auto value_of = [](uint64_t bits) { return std::bit_cast<T>(static_cast<Bits>(bits)); };
    Bits old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    for (;;) {
        const auto next =
            std::bit_cast<Bits>(apply<T>(op, std::bit_cast<T>(old), value_of(operand), value_of(compare)));
        if (__atomic_compare_exchange_n(p, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return old;
    }
}

// One or two numbers of 16 bits in `Bits`, each changed through float.
template <class F, class Bits>
uint64_t update_sixteen(void* address, Atomic op, uint64_t operand) {
    auto* p = static_cast<Bits*>(address);
    Bits old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    for (;;) {
        Bits next = 0;
        for (unsigned at = 0; at < 8 * sizeof(Bits); at += 16) {
            const auto value_of = [at](uint64_t bits) {
                return cuda::exact::widen<F>(static_cast<uint16_t>(bits >> at));
            };
            const float value = apply<float>(op, value_of(old), value_of(operand), 0);
            next = static_cast<Bits>(next | Bits{cuda::exact::narrow<F>(value)} << at);
        }
        if (__atomic_compare_exchange_n(p, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return old;
    }
}

unsigned size_of(Scalar type) {
    switch (type) {
        case Scalar::i64:
        case Scalar::u64:
        case Scalar::f64:
            return 8;
        case Scalar::u16:
        case Scalar::f16:
        case Scalar::bf16:
            return 2;
        default:
            return 4;
    }
}

}  // namespace

namespace {

uint64_t perform(Atomic op, Scalar type, void* address, uint64_t operand, uint64_t compare) {
    switch (type) {
        case Scalar::i32:
            // Fast paths for the two that kernels use most.
            if (op == Atomic::add)
                return __atomic_fetch_add(static_cast<uint32_t*>(address), static_cast<uint32_t>(operand),
                                          __ATOMIC_RELAXED);
            return update<uint32_t, int32_t>(address, op, operand, compare);
        case Scalar::u32:
            if (op == Atomic::add)
                return __atomic_fetch_add(static_cast<uint32_t*>(address), static_cast<uint32_t>(operand),
                                          __ATOMIC_RELAXED);
            return update<uint32_t, uint32_t>(address, op, operand, compare);
        case Scalar::i64:
            return update<uint64_t, int64_t>(address, op, operand, compare);
        case Scalar::u64:
            return update<uint64_t, uint64_t>(address, op, operand, compare);
        case Scalar::f32:
            if (op == Atomic::exchange || op == Atomic::compare_exchange)
                return update<uint32_t, uint32_t>(address, op, operand, compare);
            return update<uint32_t, float>(address, op, operand, compare);
        case Scalar::f64:
            if (op == Atomic::exchange || op == Atomic::compare_exchange)
                return update<uint64_t, uint64_t>(address, op, operand, compare);
            return update<uint64_t, double>(address, op, operand, compare);
        case Scalar::u16:
            return update<uint16_t, uint16_t>(address, op, operand, compare);
        case Scalar::f16:
            return update_sixteen<cuda::F16, uint16_t>(address, op, operand);
        case Scalar::bf16:
            return update_sixteen<cuda::BF16, uint16_t>(address, op, operand);
        case Scalar::f16x2:
            return update_sixteen<cuda::F16, uint32_t>(address, op, operand);
        case Scalar::bf16x2:
            return update_sixteen<cuda::BF16, uint32_t>(address, op, operand);
    }
    return 0;
}

struct alignas(16) Wide {
    uint64_t low = 0, high = 0;
    bool operator==(const Wide&) const = default;
};

// Stores `next` if `known` is there, else sets `known` to what is there.
bool compare_exchange_wide(Wide* p, Wide& known, const Wide& next) {
#if defined(__x86_64__)
    bool stored = false;
    asm volatile("lock cmpxchg16b %1"
                 : "=@ccz"(stored), "+m"(*p), "+a"(known.low), "+d"(known.high)
                 : "b"(next.low), "c"(next.high)
                 : "memory");
    return stored;
#else
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const bool stored = *p == known;
    known = *p;
    if (stored) *p = next;
    return stored;
#endif
}

Wide perform_wide(Atomic op, void* address, const Wide& operand, const Wide* compare) {
    auto* p = static_cast<Wide*>(address);
    Wide old = compare != nullptr ? *compare : Wide{};
    if (op == Atomic::compare_exchange) {
        compare_exchange_wide(p, old, operand);
        return old;
    }
    while (!compare_exchange_wide(p, old, operand)) continue;
    return old;
}

uint64_t low_bytes(uint64_t bits, unsigned bytes) {
    return bytes == 8 ? bits : bits & ((uint64_t{1} << 8 * bytes) - 1);
}

// The running thread has changed what is there.
void tell_others(const void* address, bool continues, int scope) {
    current_lane->polls = 0;
    current_lane->polling = false;
    ++current_lane->writes;
    note_changed(*current_lane, address);
    order::release(*current_lane, address, continues, scope, true);
}

}  // namespace

uint64_t atomic_access(Atomic op, Scalar type, void* address, uint64_t operand, uint64_t compare, int scope,
                       Where) {
    if (current_lane == nullptr) {
        if (fast::running()) fast::count_poll();
        return perform(op, type, address, operand, compare);
    }
    const bool reads = op != Atomic::store, writes = op != Atomic::load;
    const int operation = static_cast<int>(op) | (scope & atomic_adds_one);
    scope &= ~atomic_adds_one;
    const unsigned bytes = size_of(type);
    if (op == Atomic::compare_exchange || op == Atomic::exchange) give_turn(*current_lane);
    check_atomic(address, bytes, operation, scope, reads, writes, __builtin_return_address(0));
    const uint64_t old = perform(op, type, address, operand, compare);
    if (!writes) return old;
    // What changes nothing tells nobody anything: a failed compare-and-swap, a look by atomicAdd(p, 0).
    uint64_t now = 0;
    std::memcpy(&now, address, bytes);
    if (reads && now == low_bytes(old, bytes)) return old;
    tell_others(address, reads, scope);
    if (op == Atomic::compare_exchange || op == Atomic::exchange) let_others_go_first(*current_lane);
    return old;
}

void check_vector_atomic(const void* address, Where where) {
    if (current_lane == nullptr || !arena.contains(address) || arena.offset_of(address) >= Arena::shared_end)
        return;
    finding::write(
        {.kind = "api-misuse",
         .message = fmt::format("{} adds a vector of floats atomically at line {}, but in shared "
                                "memory: that is there for global memory only, and a GPU fails or does "
                                "something else without a word",
                                finding::name_lane(*current_lane), where.line),
         .fix = "Add its elements one by one: atomicAdd(&v.x, a.x), atomicAdd(&v.y, a.y).",
         .at = finding::site_of(where),
         .lane = current_lane});
}

void atomic_access_wide(Atomic op, void* address, const void* operand, const void* compare, void* old,
                        int scope, Where) {
    Wide value, known;
    std::memcpy(&value, operand, sizeof value);
    if (compare != nullptr) std::memcpy(&known, compare, sizeof known);
    if (current_lane != nullptr) {
        give_turn(*current_lane);
        check_atomic(address, sizeof value, static_cast<int>(op), scope, true, true,
                     __builtin_return_address(0));
    } else if (fast::running()) {
        fast::count_poll();
    }
    const Wide before = perform_wide(op, address, value, compare != nullptr ? &known : nullptr);
    std::memcpy(old, &before, sizeof before);
    const bool stored = op == Atomic::exchange || before == known;
    if (current_lane != nullptr && stored && before != value) tell_others(address, true, scope);
}

}  // namespace simt
