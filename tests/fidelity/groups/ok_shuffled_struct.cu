// correct
// A struct of 28 bytes goes round in tiles, among lanes of a branch, and by one thread that is chosen.
#include "groups.h"

struct Particle {
    double x, y;
    float mass;
    int id[2];
};

__global__ void exchange(Particle* p, int* ids) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int i = static_cast<int>(threadIdx.x);
    const Particle mine = p[i];
    const Particle other = tile.shfl_xor(mine, 1), before = tile.shfl_up(mine, 2), after = tile.shfl_down(mine, 2);
    p[i].x = other.x;
    p[i].mass = before.mass;
    p[i].id[0] = after.id[1];
    if (i % 4 < 3) {
        const auto here = cg::coalesced_threads();
        const Particle last = here.shfl(mine, static_cast<int>(here.size()) - 1);
        p[i].y = last.y;
    }
    ids[i] = cg::invoke_one_broadcast(tile, [&] { return 5; });
    cg::invoke_one(tile, [&](int more) { ids[i] += more; }, 10);
}

int main() {
    Particle in[64], out[64], *d_p;
    int ids[64], *d_ids;
    for (int i = 0; i < 64; i++) in[i] = {1.0 * i, 2.0 * i, 3.0f * i, {4 * i, 5 * i}};
    CHECK(cudaMalloc(&d_p, sizeof in));
    CHECK(cudaMalloc(&d_ids, sizeof ids));
    CHECK(cudaMemcpy(d_p, in, sizeof in, cudaMemcpyHostToDevice));
    exchange<<<1, 64>>>(d_p, d_ids);
    CHECK(cudaMemcpy(out, d_p, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(ids, d_ids, sizeof ids, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_p));
    CHECK(cudaFree(d_ids));
    bool right = true;
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        const int rank = i % 8, up = rank < 2 ? i : i - 2, down = rank > 5 ? i : i + 2;
        const double y = i % 4 < 3 ? 2.0 * (i / 32 * 32 + 30) : 2.0 * i;
        right = right && out[i].x == (i ^ 1) && out[i].mass == 3.0f * up && out[i].id[0] == 5 * down && out[i].y == y;
        sum += ids[i];
    }
    return say(right && sum == 64 * 5 + 8 * 10);
}
