// correct
// Nodes are pushed by atomicExch; the next launch walks the list.
#include "ordered.h"

struct Node {
    int value, next;
};

__global__ void push(Node* nodes, int* head, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    nodes[i].value = i;
    nodes[i].next = atomicExch(head, i);
}

__global__ void walk(const Node* nodes, const int* head, int* out) {
    int sum = 0, length = 0;
    for (int i = *head; i >= 0; i = nodes[i].next) {
        sum += nodes[i].value;
        ++length;
    }
    out[0] = sum;
    out[1] = length;
}

int main() {
    const int n = 500;
    auto* nodes = zeros<Node>(n);
    int *head = upload(std::vector<int>{-1}), *out = zeros<int>(2);
    push<<<8, 64>>>(nodes, head, n);
    walk<<<1, 1>>>(nodes, head, out);
    const auto got = fetch(out, 2);
    return verdict(got[0] == n * (n - 1) / 2 && got[1] == n);
}
