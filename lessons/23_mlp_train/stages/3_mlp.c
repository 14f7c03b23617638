/* A network learns digits, stage 3 of 4: C.
 * The matrix products of stage 2 become loops, and every array is yours.
 *
 *     cc -O3 -march=native 3_mlp.c -lm -o mlp && ./mlp DIR [BATCH [EPOCHS [HIDDEN [SEED [losses]]]]]
 *
 * DIR has the four IDX files of MNIST, unpacked (`cudalab data digits DIR` writes some).
 * `losses` prints every step's loss.
 * Matrices are row-major: w1[k * hidden + j] is the weight from pixel k to hidden unit j. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { in = 784, out = 10 };
static const float rate = 0.1f;
static int batch = 64, epochs = 1, hidden = 256;

/* --- part: data --- */
typedef struct {
    int count;
    float* x;   /* count x 784, 0 to 1 */
    uint8_t* y; /* count, 0 to 9 */
} Pictures;

/* The file's bytes behind its header; *count is how many bytes those are. */
static uint8_t* read_file(const char* folder, const char* name, long header, long* count) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s can't be opened. `cudalab data digits %s` writes the four files.\n", path,
                folder);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *count = ftell(file) - header;
    uint8_t* bytes = malloc(*count);
    fseek(file, header, SEEK_SET);
    if (fread(bytes, 1, *count, file) != (size_t)*count) exit(1);
    fclose(file);
    return bytes;
}

static Pictures read_pictures(const char* folder, const char* images, const char* labels) {
    Pictures p;
    long pixels, count;
    uint8_t* bytes = read_file(folder, images, 16, &pixels);
    p.y = read_file(folder, labels, 8, &count);
    p.count = (int)count;
    p.x = malloc(pixels * sizeof(float));
    for (long i = 0; i < pixels; ++i) p.x[i] = bytes[i] / 255.0f;
    free(bytes);
    return p;
}

/* --- part: weights --- */
static uint32_t state;

/* A whole number from 0 to n - 1, the same in all four stages. */
static uint32_t random_below(uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

/* rows x columns, even between -limit and limit, so that a layer keeps its input's scale. */
static float* random_weights(int rows, int columns) {
    float* w = malloc(sizeof(float) * rows * columns);
    double limit = sqrt(6.0 / rows);
    for (int i = 0; i < rows * columns; ++i) w[i] = (float)((random_below(1 << 24) / 8388608.0 - 1) * limit);
    return w;
}

static float *w1, *b1, *w2, *b2;         /* 784 x hidden, hidden, hidden x 10, 10 */
static float *g_w1, *g_b1, *g_w2, *g_b2; /* their gradients, of the same shapes */

/* --- part: forward --- */
/* y = x w + b for one picture. The inner loop goes along a row of w, several neighbours at once. */
static void linear(const float* x, const float* w, const float* b, float* y, int from, int to) {
    memcpy(y, b, sizeof(float) * to);
    for (int k = 0; k < from; ++k)
        for (int j = 0; j < to; ++j) y[j] += x[k] * w[k * to + j];
}

static void forward(const float* x, float* h, float* logits) {
    linear(x, w1, b1, h, in, hidden);
    for (int j = 0; j < hidden; ++j) h[j] = h[j] > 0 ? h[j] : 0;
    linear(h, w2, b2, logits, hidden, out);
}

/* --- part: loss --- */
/* The loss of one picture; logits become its gradient: (what it said - what is true) / rows. */
static float loss_of(float* logits, int label, int rows) {
    float most = logits[0], sum = 0;
    for (int c = 1; c < out; ++c) most = fmaxf(most, logits[c]);
    float loss = most - logits[label];
    /* Less the maximum: exp(89) is more than a float holds. */
    for (int c = 0; c < out; ++c) sum += logits[c] = expf(logits[c] - most);
    for (int c = 0; c < out; ++c) logits[c] = (logits[c] / sum - (c == label)) / rows;
    return loss + logf(sum);
}

/* --- part: backward --- */
/* Adds one picture's part to the gradients. d_h is the gradient by h. */
static void backward(const float* x, const float* h, const float* d_logits, float* d_h) {
    for (int j = 0; j < hidden; ++j) {
        d_h[j] = 0;
        for (int c = 0; c < out; ++c) {
            g_w2[j * out + c] += h[j] * d_logits[c];
            d_h[j] += d_logits[c] * w2[j * out + c];
        }
        if (h[j] <= 0) d_h[j] = 0; /* the ReLU lets through where it let through before */
        g_b1[j] += d_h[j];
    }
    for (int c = 0; c < out; ++c) g_b2[c] += d_logits[c];
    for (int k = 0; k < in; ++k)
        for (int j = 0; j < hidden; ++j) g_w1[k * hidden + j] += x[k] * d_h[j];
}

/* --- part: update --- */
/* One step down the slope, and the gradient is empty for the next batch. */
static void update(float* w, float* g, int n) {
    for (int i = 0; i < n; ++i) {
        w[i] -= rate * g[i];
        g[i] = 0;
    }
}

/* --- part: loop --- */
static int count_right(const Pictures* p, float* h, float* logits) {
    int right = 0;
    for (int i = 0; i < p->count; ++i) {
        int best = 0;
        forward(p->x + (size_t)i * in, h, logits);
        for (int c = 1; c < out; ++c)
            if (logits[c] > logits[best]) best = c;
        right += best == p->y[i];
    }
    return right;
}

static void shuffle(int* order, int n) { /* each picture once an epoch, in an order of its own */
    for (int i = n - 1; i > 0; --i) {
        int j = (int)random_below(i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static float train_step(const Pictures* p, const int* order, int rows, float* h, float* d_h, float* logits) {
    float loss = 0;
    for (int r = 0; r < rows; ++r) {
        const float* x = p->x + (size_t)order[r] * in;
        forward(x, h, logits);
        loss += loss_of(logits, p->y[order[r]], rows);
        backward(x, h, logits, d_h);
    }
    update(w1, g_w1, in * hidden);
    update(b1, g_b1, hidden);
    update(w2, g_w2, hidden * out);
    update(b2, g_b2, out);
    return loss / rows;
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

int main(int argc, char** argv) {
    if (argc < 2)
        return fprintf(stderr, "usage: %s DIR [BATCH [EPOCHS [HIDDEN [SEED [losses]]]]]\n", argv[0]), 2;
    batch = argc > 2 ? atoi(argv[2]) : 64;
    epochs = argc > 3 ? atoi(argv[3]) : 1;
    hidden = argc > 4 ? atoi(argv[4]) : 256;
    state = argc > 5 ? (uint32_t)atoi(argv[5]) : 1;
    int print_losses = argc > 6 && strcmp(argv[6], "losses") == 0;
    Pictures train = read_pictures(argv[1], "train-images-idx3-ubyte", "train-labels-idx1-ubyte");
    Pictures test = read_pictures(argv[1], "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
    w1 = random_weights(in, hidden), b1 = calloc(hidden, sizeof(float));
    w2 = random_weights(hidden, out), b2 = calloc(out, sizeof(float));
    g_w1 = calloc((size_t)in * hidden, sizeof(float)), g_b1 = calloc(hidden, sizeof(float));
    g_w2 = calloc((size_t)hidden * out, sizeof(float)), g_b2 = calloc(out, sizeof(float));
    float *h = malloc(sizeof(float) * hidden), *d_h = malloc(sizeof(float) * hidden), logits[out];
    int* order = malloc(sizeof(int) * train.count);
    for (int i = 0; i < train.count; ++i) order[i] = i;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        double start = now_ms(), sum = 0;
        int steps = 0;
        shuffle(order, train.count);
        for (int first = 0; first < train.count; first += batch, ++steps) {
            int rows =
                train.count - first < batch ? train.count - first : batch; /* the last batch may be smaller */
            float loss = train_step(&train, order + first, rows, h, d_h, logits);
            sum += loss;
            if (print_losses) printf("step %d loss %.7f\n", steps, loss);
        }
        double ms = now_ms() - start, right = 100.0 * count_right(&test, h, logits) / test.count;
        printf("epoch %d: mean loss %.4f, %.1f ms, %.2f %% of the test pictures right\n", epoch + 1,
               sum / steps, ms, right);
        fflush(stdout);
    }
    return 0;
}
