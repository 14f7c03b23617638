"""A network learns digits, stage 2 of 4: NumPy.

No layers, no automatic gradients: matrices, and the chain rule by hand.

    python3 2_numpy.py DIR [BATCH [EPOCHS [HIDDEN [SEED [losses]]]]]

DIR has the four IDX files of MNIST, unpacked (`cudalab data digits DIR` writes some).
`losses` prints every step's loss.
"""
import math
import sys
import time

import numpy as np

folder = sys.argv[1]
batch, epochs, hidden, seed = [int(a) for a in sys.argv[2:6]] + [64, 1, 256, 1][len(sys.argv[2:6]):]
print_losses = sys.argv[6:] == ["losses"]
rate = np.float32(0.1)


# --- part: data ---
def read(name, header):  # header: the bytes in front of the first element
    return np.fromfile(f"{folder}/{name}", dtype=np.uint8, offset=header)


def read_pictures(set):  # count x 784 from 0 to 1, and count labels from 0 to 9
    x = read(f"{set}-images-idx3-ubyte", 16).reshape(-1, 784).astype(np.float32) / np.float32(255)
    return x, read(f"{set}-labels-idx1-ubyte", 8)


train_x, train_y = read_pictures("train")
test_x, test_y = read_pictures("t10k")
count = len(train_y)

# --- part: weights ---
state = seed


def random(n):  # a whole number from 0 to n - 1, the same in all four stages
    global state
    state = (state * 1664525 + 1013904223) % 2**32
    return (state >> 8) * n >> 24


def random_weights(rows, columns):  # even between -limit and limit, so that a layer keeps its input's scale
    limit = math.sqrt(6 / rows)
    w = [(random(2**24) / 2**23 - 1) * limit for _ in range(rows * columns)]
    return np.array(w, np.float32).reshape(rows, columns)


w1, b1 = random_weights(784, hidden), np.zeros(hidden, np.float32)
w2, b2 = random_weights(hidden, 10), np.zeros(10, np.float32)


# --- part: forward ---
def forward(x):
    h = np.maximum(x @ w1 + b1, 0)  # batch x hidden
    return h, h @ w2 + b2  # logits: batch x 10


# --- part: loss ---
def mean_loss(logits, y):  # and its gradient by the logits: (what it said - what is true) / batch
    p = np.exp(logits - logits.max(axis=1, keepdims=True))  # less the maximum: a float has no exp(89)
    p /= p.sum(axis=1, keepdims=True)
    rows = np.arange(len(y))
    loss = -np.log(p[rows, y]).mean()
    p[rows, y] -= 1
    return loss, p / np.float32(len(y))


# --- part: backward ---
def backward(x, h, d_logits):  # the forward steps in reverse; a gradient has the shape of what it belongs to
    g_w2, g_b2 = h.T @ d_logits, d_logits.sum(axis=0)
    d_h = (d_logits @ w2.T) * (h > 0)  # the ReLU lets through where it let through before
    g_w1, g_b1 = x.T @ d_h, d_h.sum(axis=0)
    return g_w1, g_b1, g_w2, g_b2


# --- part: update ---
def update(gradients):
    for weight, gradient in zip((w1, b1, w2, b2), gradients):
        weight -= rate * gradient


# --- part: loop ---
order = np.arange(count)
for epoch in range(epochs):
    start = time.perf_counter()
    for i in range(count - 1, 0, -1):  # shuffle: each picture once an epoch, in an order of its own
        j = random(i + 1)
        order[i], order[j] = order[j], order[i]
    losses = []
    for first in range(0, count, batch):
        rows = order[first:first + batch]  # the last batch may be smaller
        x, y = train_x[rows], train_y[rows]
        h, logits = forward(x)
        loss, d_logits = mean_loss(logits, y)
        update(backward(x, h, d_logits))
        losses.append(loss)
    seconds = time.perf_counter() - start
    right = (forward(test_x)[1].argmax(axis=1) == test_y).sum()
    if print_losses:
        for step, loss in enumerate(losses):
            print(f"step {step} loss {loss:.7f}")
    accuracy = 100 * right / len(test_y)
    print(f"epoch {epoch + 1}: mean loss {np.mean(losses):.4f}, {seconds * 1000:.1f} ms, "
          f"{accuracy:.2f} % of the test pictures right")
