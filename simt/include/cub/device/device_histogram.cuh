// Histograms of a range of device memory. Two calls, as with DeviceReduce.
#pragma once

#include "simt/cub/device.h"

#include "simt/groups/editor_begin.h"

namespace cub {

// There is one bin less than there are levels; a sample outside of them is not counted.
struct DeviceHistogram {
    // Bins of one width from lower_level up to upper_level.
    template <class In, class CounterT, class LevelT, class OffsetT>
    static cudaError_t HistogramEven(void* d_temp_storage, size_t& temp_storage_bytes, In d_samples,
                                     CounterT* d_histogram, int num_levels, LevelT lower_level,
                                     LevelT upper_level, OffsetT num_samples, cudaStream_t stream = 0,
                                     SIMT_HERE) {
        const auto bins = static_cast<size_t>(num_levels > 1 ? num_levels - 1 : 0);
        const auto bin_of = [=](const auto& sample) -> std::ptrdiff_t {
            if (!(sample >= lower_level && sample < upper_level)) return -1;
            if constexpr (std::is_integral_v<LevelT>)
                return static_cast<std::ptrdiff_t>(
                    static_cast<unsigned long long>(sample - lower_level) * bins /
                    static_cast<unsigned long long>(upper_level - lower_level));
            else
                return static_cast<std::ptrdiff_t>((sample - lower_level) *
                                                   (static_cast<LevelT>(bins) / (upper_level - lower_level)));
        };
        return count({"cub::DeviceHistogram::HistogramEven", stream, w}, {d_temp_storage, temp_storage_bytes},
                     d_samples, d_histogram, bins, on_machine::count_of(num_samples), bin_of);
    }
    // Bin b goes from d_levels[b] up to d_levels[b + 1].
    template <class In, class CounterT, class LevelT, class OffsetT>
    static cudaError_t HistogramRange(void* d_temp_storage, size_t& temp_storage_bytes, In d_samples,
                                      CounterT* d_histogram, int num_levels, const LevelT* d_levels,
                                      OffsetT num_samples, cudaStream_t stream = 0, SIMT_HERE) {
        const auto bins = static_cast<size_t>(num_levels > 1 ? num_levels - 1 : 0);
        const auto bin_of = [=](const auto& sample) -> std::ptrdiff_t {
            std::ptrdiff_t low = 0, high = num_levels;  // the first level above it
            while (low < high) {
                const std::ptrdiff_t middle = (low + high) / 2;
                if (sample < d_levels[middle])
                    high = middle;
                else
                    low = middle + 1;
            }
            return low == num_levels ? -1 : low - 1;
        };
        return count({"cub::DeviceHistogram::HistogramRange", stream, w},
                     {d_temp_storage, temp_storage_bytes}, d_samples, d_histogram, bins,
                     on_machine::count_of(num_samples), bin_of);
    }

  private:
    template <class In, class CounterT, class BinOf>
    static cudaError_t count(const on_machine::Call& call, const on_machine::Storage& storage, In samples,
                             CounterT* histogram, size_t bins, size_t number, BinOf bin_of) {
        return on_machine::answer(call, storage, 1, [=, where = call.where] {
            on_machine::run_each(call, bins, [=](size_t b) { histogram[b] = 0; });
            on_machine::run_each(call, number, [=](size_t i) {
                const std::ptrdiff_t bin = bin_of(samples[static_cast<std::ptrdiff_t>(i)]);
                if (bin >= 0) atomicAdd(&histogram[bin], CounterT{1}, where);
            });
        });
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
