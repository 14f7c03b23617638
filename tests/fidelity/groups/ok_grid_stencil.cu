// correct
// A stencil that is applied again and again by one launch: the blocks meet after each round.
#include "groups.h"

constexpr int n = 1024, rounds = 10;

__global__ void smooth(float* a, float* b) {
    const cg::grid_group grid = cg::this_grid();
    const int step = static_cast<int>(grid.num_threads());
    for (int round = 0; round < rounds; round++) {
        for (int i = static_cast<int>(grid.thread_rank()); i < n; i += step) {
            const float left = i > 0 ? a[i - 1] : 0, right = i < n - 1 ? a[i + 1] : 0;
            b[i] = 0.25f * left + 0.5f * a[i] + 0.25f * right;
        }
        grid.sync();
        float* other = a;
        a = b;
        b = other;
    }
}

int main() {
    static float a[n], b[n], got[n];
    for (int i = 0; i < n; i++) a[i] = static_cast<float>(i % 64);
    float *d_a, *d_b;
    CHECK(cudaMalloc(&d_a, sizeof a));
    CHECK(cudaMalloc(&d_b, sizeof b));
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    int able = 0, each = 0, sms = 0;
    CHECK(cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, 0));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, smooth, 64, 0));
    if (able != 1 || each * sms < 8) return say(false);
    void* arguments[] = {&d_a, &d_b};
    CHECK(cudaLaunchCooperativeKernel((void*)smooth, dim3(8), dim3(64), arguments));
    CHECK(cudaMemcpy(got, d_a, sizeof got, cudaMemcpyDeviceToHost));
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++)
            b[i] = 0.25f * (i > 0 ? a[i - 1] : 0) + 0.5f * a[i] + 0.25f * (i < n - 1 ? a[i + 1] : 0);
        std::memcpy(a, b, sizeof a);
    }
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    bool right = true;
    for (int i = 0; i < n; i++) right = right && got[i] - a[i] < 1e-4f && a[i] - got[i] < 1e-4f;
    return say(right);
}
