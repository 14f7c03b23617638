// What exercise 22 defines, its grader calls, and both share. As in lesson 21 every matrix is row-major and of floats,
// all d_ are device memory, sizes are 1 or more, and each function returns cudaSuccess (0) or the error of the first
// call that failed. None waits.
//
// In a name a second d says "how fast the mean loss grows with": d_dw is, on the device, the gradient of w, and has
// w's shape. Outputs hold anything before the call; inputs stay as they are.
#pragma once

#include "lessons/21_mlp_forward/interface.h"  // struct Network, struct Layers

// The gradient of the logits, of the mean loss over the batch.
//   d_probabilities  batch x classes, as the forward pass left them
//   d_labels         batch, each 0 .. classes - 1
//   d_dlogits        batch x classes: (probability - 1 for the label's class, - 0 for the others) / batch
extern "C" int softmax_cross_entropy_backward(const float* d_probabilities, const int* d_labels, int batch,
                                              int classes, float* d_dlogits);

// Of the layer y = x w + b: the gradients of w and b.
//   d_x   batch x in                   d_dy  batch x out
//   d_dw  in x out: x^T dy             d_db  out: the sums of dy's columns
extern "C" int linear_backward_weights(const float* d_x, const float* d_dy, float* d_dw, float* d_db,
                                       int batch, int in, int out);

// Of the same layer: the gradient of x.
//   d_dy  batch x out     d_w  in x out     d_dx  batch x in: dy w^T
extern "C" int linear_backward_input(const float* d_dy, const float* d_w, float* d_dx, int batch, int in,
                                     int out);

// Of the ReLU, in place: d_dy stays where d_y, what the ReLU gave, is above zero, and becomes 0 elsewhere. n numbers.
extern "C" int relu_backward(const float* d_y, float* d_dy, int n);

// Where the gradients of a network go.
struct Gradients {
    float *d_dw1, *d_db1;  // in x hidden, hidden
    float *d_dw2, *d_db2;  // hidden x out, out
    float* d_dlogits;      // batch x out
    float* d_dhidden;      // batch x hidden, of the first layer before its ReLU
};

// The whole way back, from what forward (lesson 21) left in *layers to the gradients of all weights.
extern "C" int backward(const Network* network, const float* d_x, const int* d_labels, int batch,
                        const Layers* layers, const Gradients* gradients);
