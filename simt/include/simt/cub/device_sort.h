// A stable radix sort, by one thread: for each 8 bits all elements move to their places between two buffers.
#pragma once

#include <cub/util_type.cuh>

#include "simt/cub/bits.h"
#include "simt/cub/device.h"

#include "simt/groups/editor_begin.h"

namespace cub::on_machine {

constexpr int digit_bits = 8;
constexpr int digits = 1 << digit_bits;

template <bool descending, class Key, class Value>
void move_by_digit(const Key* keys, Key* keys_to, const Value* values, Value* values_to, size_t count,
                   int bit, int width, size_t* places) {
    for (int d = 0; d < digits; ++d) places[d] = 0;
    for (size_t i = 0; i < count; ++i) ++places[digit_of<descending>(keys[i], bit, width)];
    size_t before = 0;
    for (int d = 0; d < digits; ++d) {
        const size_t here = places[d];
        places[d] = before;
        before += here;
    }
    for (size_t i = 0; i < count; ++i) {
        const Key key = keys[i];
        const size_t place = places[digit_of<descending>(key, bit, width)]++;
        keys_to[place] = key;
        if constexpr (!std::is_same_v<Value, NullType>) values_to[place] = values[i];
    }
}

// The buffers of a sort: it reads from `in`; its passes write to `one` and `other` in turns.
template <class T>
struct Buffers {
    const T* in;
    T *one, *other;
};
constexpr int passes_of(int begin_bit, int end_bit) {
    return end_bit > begin_bit ? (end_bit - begin_bit + digit_bits - 1) / digit_bits : 0;
}

template <bool descending, class Key, class Value>
void queue_sort(const Call& call, const Buffers<Key>& keys, const Buffers<Value>& values, size_t count,
                int begin_bit, int end_bit, void* place) {
    const int passes = passes_of(begin_bit, end_bit);
    run(call, 1, 1, count * static_cast<size_t>(passes + 1), [=] {
        const Key* from = keys.in;
        const Value* values_from = values.in;
        for (int p = 0; p < passes; ++p) {
            const int bit = begin_bit + p * digit_bits;
            Key* to = p % 2 == 0 ? keys.one : keys.other;
            Value* values_to = p % 2 == 0 ? values.one : values.other;
            move_by_digit<descending>(from, to, values_from, values_to, count, bit,
                                      end_bit - bit < digit_bits ? end_bit - bit : digit_bits,
                                      static_cast<size_t*>(place));
            from = to;
            values_from = values_to;
        }
        if (passes != 0) return;
        for (size_t i = 0; i < count; ++i) {
            if (keys.one != from) keys.one[i] = from[i];
            if constexpr (!std::is_same_v<Value, NullType>)
                if (values.one != values_from) values.one[i] = values_from[i];
        }
    });
}

constexpr size_t counters_bytes = aligned(digits * sizeof(size_t));

// From one buffer to another; the first stays as it is.
template <bool descending, class Key, class Value>
cudaError_t sort(const Call& call, const Storage& storage, const Key* keys_in, Key* keys_out,
                 const Value* values_in, Value* values_out, size_t count, int begin_bit, int end_bit) {
    const size_t of_keys = aligned(count * sizeof(Key));
    const size_t of_values = std::is_same_v<Value, NullType> ? 0 : aligned(count * sizeof(Value));
    return answer(call, storage, counters_bytes + of_keys + of_values, [=] {
        if (count == 0) return;
        Key* keys_room = part<Key>(storage.place, counters_bytes);
        Value* values_room = part<Value>(storage.place, counters_bytes + of_keys);
        // The last pass ends in the output.
        const bool is_even = passes_of(begin_bit, end_bit) % 2 == 0 && passes_of(begin_bit, end_bit) != 0;
        const Buffers<Key> keys{keys_in, is_even ? keys_room : keys_out, is_even ? keys_out : keys_room};
        const Buffers<Value> values{values_in, is_even ? values_room : values_out,
                                    is_even ? values_out : values_room};
        queue_sort<descending>(call, keys, values, count, begin_bit, end_bit, storage.place);
    });
}

// Within a pair of buffers: which holds the result is said at once.
template <bool descending, class Key, class Value>
cudaError_t sort(const Call& call, const Storage& storage, DoubleBuffer<Key>& keys,
                 DoubleBuffer<Value>& values, size_t count, int begin_bit, int end_bit) {
    return answer(call, storage, counters_bytes, [&] {
        if (count == 0) return;
        const int passes = passes_of(begin_bit, end_bit);
        if (passes == 0) return;
        queue_sort<descending>(call, Buffers<Key>{keys.Current(), keys.Alternate(), keys.Current()},
                               Buffers<Value>{values.Current(), values.Alternate(), values.Current()}, count,
                               begin_bit, end_bit, storage.place);
        keys.selector ^= passes & 1;
        values.selector ^= passes & 1;
    });
}

}  // namespace cub::on_machine

#include "simt/groups/editor_end.h"
