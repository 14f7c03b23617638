// What exercise 23 defines, its grader calls, and both share. Matrices are row-major and of floats, as in lesson 21. All
// d_ are device memory, all h_ host memory. Functions that return an int return cudaSuccess (0) or the error of the first
// call that failed. Sizes are 1 or more.
#pragma once

// The network that learns: the same shapes as in lesson 21, but the numbers change.
struct Network {
    int in, hidden, out;
    float *d_w1, *d_b1;  // in x hidden, hidden
    float *d_w2, *d_b2;  // hidden x out, out
};

// What it learns from. It is on the device once and stays there.
struct Samples {
    int count;
    const unsigned char* d_pixels;  // count x in, 0 (paper) to 255 (ink)
    const int* d_labels;            // count
};

struct Plan {
    int batch;      // samples a step; the last step of an epoch has what is left
    int epochs;     // how often each sample is used
    float rate;     // of the descent: w = w - rate * gradient of the mean loss
    unsigned seed;  // of the shuffling
};

// How far the training has come. It lives on the device, for the kernels of the next step read it there.
struct Progress {
    int next;  // where in the order the next step begins
    int step;  // how many steps are done
};

// d_w[i] = d_w[i] - rate * d_dw[i], n of them.
extern "C" int update(float* d_w, const float* d_dw, int n, float rate);

// A random order of 0 .. count - 1, each once, in order[]; the same for the same seed. No device.
extern "C" void shuffle(int* order, int count, unsigned seed);

// Row r of the batch is sample d_order[d_progress->next + r]: its pixels by 255 in row r of d_x (rows x in), its label in
// d_batch_labels[r].
extern "C" int gather(const Samples* samples, int in, const int* d_order, const Progress* d_progress,
                      int rows, float* d_x, int* d_batch_labels);

// Leaves the mean of the `rows` losses in d_losses[d_progress->step], and then counts: next by rows, step by one.
extern "C" int finish(const float* d_row_losses, int rows, float* d_losses, Progress* d_progress);

// One step with the first plan->batch samples of h_order (samples->count numbers), queued kernel by kernel, and a wait
// behind it: no graph yet. *h_loss: the mean loss of the batch, before the update.
extern "C" int one_step(const Network* network, const Samples* samples, const Plan* plan, const int* h_order,
                        float* h_loss);

// Trains `network` by `plan` and waits for the end.
//   h_order   epochs x count, to be filled: the order in which each epoch used the samples
//   h_losses  one for each step, to be filled: the mean loss of the step's batch, before its update
// A step is one launch of a graph, and the host waits for no step.
extern "C" int train(const Network* network, const Samples* samples, const Plan* plan, int* h_order,
                     float* h_losses);

// Steps of an epoch.
inline int steps_of(int count, int batch) {
    return (count + batch - 1) / batch;
}
