// What exercise 21 defines, its grader calls, and both share. Every matrix is row-major and of floats: element (r, c)
// of one with C columns is at r * C + c. All d_ are device memory. Each function returns cudaSuccess (0) or the error
// of the first call that failed, and waits for nothing unless it says so. Sizes are 1 or more.
#pragma once

// y = x w + b: every row of x by the matrix w, and the same b added to every row.
//   d_x  batch x in, a picture a row        d_w  in x out
//   d_b  out                                d_y  batch x out
extern "C" int linear(const float* d_x, const float* d_w, const float* d_b, float* d_y, int batch, int in,
                      int out);

// Numbers below zero become zero, in place. d_y: n numbers.
extern "C" int relu(float* d_y, int n);

// For every row of the logits: softmax, and the cross-entropy of it with the row's label.
//   d_logits         batch x classes, of any size: 1000 and -1000 are allowed
//   d_labels         batch, each 0 .. classes - 1
//   d_probabilities  batch x classes: exp(logit) by the sum of these over the row
//   d_losses         batch: -log of the label's probability
//   d_mean           one number, with anything in it before: the mean of the losses
extern "C" int softmax_cross_entropy(const float* d_logits, const int* d_labels, int batch, int classes,
                                     float* d_probabilities, float* d_losses, float* d_mean);

// The numbers that a network has learned.
struct Network {
    int in, hidden, out;
    const float *d_w1, *d_b1;  // in x hidden, hidden
    const float *d_w2, *d_b2;  // hidden x out, out
};

// What a batch leaves behind in each layer.
struct Layers {
    float* d_hidden;         // batch x hidden, after the ReLU
    float* d_logits;         // batch x out
    float* d_probabilities;  // batch x out
    float* d_losses;         // batch
    float* d_mean;           // one number
};

// The whole network: linear, ReLU, linear, softmax and cross-entropy. Waits for the mean loss and leaves it in
// *h_mean, host memory.
extern "C" int forward(const Network* network, const float* d_x, const int* d_labels, int batch,
                       const Layers* layers, float* h_mean);
