// What goes through a range in its order: scans, and what keeps some of the elements. One block walks from tile to tile; a
// tile is read before what follows from it is written, so that both may be in place.
#pragma once

#include "simt/cub/device.h"

#include "simt/groups/editor_begin.h"

namespace cub::on_machine {

// `has_init`: an inclusive scan may go without an initial value.
template <bool inclusive, bool has_init, class T, class In, class Out, class Op, class Init>
cudaError_t scan(const Call& call, const Storage& storage, In in, Out out, size_t count, Op op, Init init) {
    return answer(call, storage, sizeof(T), [=, where = call.where] {
        if (count == 0) return;
        run(call, 1, block_threads, count, [=]() mutable {
            using Scan = BlockScan<T, block_threads>;
            const int thread = static_cast<int>(threadIdx.x);
            T* sum = static_cast<T*>(storage.place);
            if (has_init && thread == 0) *sum = static_cast<T>(init);
            for (size_t begin = 0; begin < count; begin += block_threads) {
                meet("barrier in cub::DeviceScan", where);
                const auto i = static_cast<std::ptrdiff_t>(begin) + thread;
                const bool is_there = begin + threadIdx.x < count;
                const bool any = has_init || begin != 0;
                // Threads past the end repeat an element; what they find is not used.
                const T item = static_cast<T>(in[is_there ? i : static_cast<std::ptrdiff_t>(begin)]);
                const T before = any ? *sum : item;
                T result = item, aggregate = item;
                if (inclusive)
                    Scan(where).InclusiveScan(item, result, op, aggregate, where);
                else
                    Scan(where).ExclusiveScan(item, result, op, aggregate, where);
                const T with_prefix = !any                        ? result
                                      : !inclusive && thread == 0 ? before
                                                                  : static_cast<T>(op(before, result));
                if (is_there) out[i] = with_prefix;
                if (thread == 0) *sum = any ? static_cast<T>(op(before, aggregate)) : aggregate;
            }
        });
    });
}

// keep(i): does element i stay? What take(i) gives of it is then handed to put(value, k), it being the k-th of those that
// stay; done(n): there are n.
template <class Keep, class Take, class Put, class Done>
cudaError_t select(const Call& call, const Storage& storage, size_t count, Keep keep, Take take, Put put,
                   Done done) {
    return answer(call, storage, sizeof(size_t), [=, where = call.where] {
        run(call, 1, block_threads, count, [=]() mutable {
            size_t* kept = static_cast<size_t*>(storage.place);
            if (threadIdx.x == 0) *kept = 0;
            for (size_t begin = 0; begin < count; begin += block_threads) {
                meet("barrier in cub::DeviceSelect", where);
                const size_t i = begin + threadIdx.x, before = *kept;
                const bool stays = i < count && keep(i);
                const auto value = take(stays ? i : begin);
                int rank = 0, all = 0;
                BlockScan<int, block_threads>(where).ExclusiveSum(stays, rank, all, where);
                if (stays) put(value, before + static_cast<size_t>(rank));
                if (threadIdx.x == 0) *kept = before + static_cast<size_t>(all);
            }
            if (threadIdx.x == 0) done(*kept);
        });
    });
}

}  // namespace cub::on_machine

#include "simt/groups/editor_end.h"
