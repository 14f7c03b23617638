// correct
// Reductions and scans of tiles of every size against the host's own, for numbers and a struct.
#include "groups.h"

constexpr int threads = 96;

struct Pair {
    double sum;
    int most;
};
struct Both {
    __device__ Pair operator()(Pair a, Pair b) const { return {a.sum + b.sum, a.most > b.most ? a.most : b.most}; }
};

struct Results {
    int sum[threads], least[threads], scan[threads];
    float scan_before[threads];
    double product[threads];
    Pair pair[threads];
};

template <int Size>
__global__ void in_tiles(Results* out) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
    const int i = static_cast<int>(block.thread_rank());
    out->sum[i] = cg::reduce(tile, i, cg::plus<int>());
    out->least[i] = cg::reduce(tile, (i * 37) % 101, cg::less<int>());
    out->scan[i] = cg::inclusive_scan(tile, i);
    out->scan_before[i] = cg::exclusive_scan(tile, 0.5f * i, cg::plus<float>());
    out->product[i] = cg::reduce(tile, i % 2 == 0 ? 2.0 : 0.75, [](double a, double b) { return a * b; });
    out->pair[i] = cg::reduce(tile, Pair{0.25 * i, (i * 37) % 101}, Both());
}

bool right_for(const Results& r, int size) {
    for (int first = 0; first < threads; first += size) {
        int sum = 0, least = 1000, most = -1, scan = 0;
        float before = 0;
        double product = 1, quarters = 0;
        for (int i = first; i < first + size; i++) {
            if (r.scan_before[i] != before) return false;
            sum += i;
            scan += i;
            before += 0.5f * i;
            product *= i % 2 == 0 ? 2.0 : 0.75;
            quarters += 0.25 * i;
            least = (i * 37) % 101 < least ? (i * 37) % 101 : least;
            most = (i * 37) % 101 > most ? (i * 37) % 101 : most;
            if (r.scan[i] != scan) return false;
        }
        for (int i = first; i < first + size; i++)
            if (r.sum[i] != sum || r.least[i] != least || r.product[i] != product || r.pair[i].sum != quarters ||
                r.pair[i].most != most)
                return false;
    }
    return true;
}

template <int Size>
bool holds(Results* d_results) {
    in_tiles<Size><<<1, threads>>>(d_results);
    Results results;
    CHECK(cudaMemcpy(&results, d_results, sizeof results, cudaMemcpyDeviceToHost));
    return right_for(results, Size);
}

int main() {
    Results* d_results;
    CHECK(cudaMalloc(&d_results, sizeof(Results)));
    const bool right = holds<1>(d_results) && holds<2>(d_results) && holds<4>(d_results) && holds<8>(d_results) &&
                       holds<16>(d_results) && holds<32>(d_results);
    CHECK(cudaFree(d_results));
    return say(right);
}
