"""A network learns digits, stage 1 of 4: PyTorch.

It knows the layers, the gradients and the update; you write the order.

    python3 1_pytorch.py DIR [BATCH [EPOCHS [HIDDEN [SEED [losses]]]]]

DIR has the four IDX files of MNIST, unpacked (`cudalab data digits DIR` writes some).
`losses` prints every step's loss.
"""
import math
import sys
import time

import torch

folder = sys.argv[1]
batch, epochs, hidden, seed = [int(a) for a in sys.argv[2:6]] + [64, 1, 256, 1][len(sys.argv[2:6]):]
print_losses = sys.argv[6:] == ["losses"]
rate = 0.1
device = "cuda" if torch.cuda.is_available() else "cpu"


# --- part: data ---
def read(name, header):  # header: the bytes in front of the first element
    with open(f"{folder}/{name}", "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8, offset=header)


def read_pictures(set):  # count x 784 from 0 to 1, and count labels from 0 to 9
    x = read(f"{set}-images-idx3-ubyte", 16).reshape(-1, 784).float() / 255
    return x.to(device), read(f"{set}-labels-idx1-ubyte", 8).long().to(device)


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
    return torch.tensor(w).reshape(rows, columns)


model = torch.nn.Sequential(torch.nn.Linear(784, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, 10))
with torch.no_grad():
    for layer in (model[0], model[2]):
        layer.weight.copy_(random_weights(layer.in_features, layer.out_features).T)  # PyTorch keeps out x in
        layer.bias.zero_()
model.to(device)


# --- part: forward ---
def forward(x):
    return model(x)


# --- part: loss ---
mean_loss = torch.nn.CrossEntropyLoss()  # softmax is in it


# --- part: backward ---
def backward(loss):
    optimizer.zero_grad()  # gradients add up until somebody clears them
    loss.backward()


# --- part: update ---
optimizer = torch.optim.SGD(model.parameters(), lr=rate)

# --- part: loop ---
order = list(range(count))
for epoch in range(epochs):
    start = time.perf_counter()
    for i in range(count - 1, 0, -1):  # shuffle: each picture once an epoch, in an order of its own
        j = random(i + 1)
        order[i], order[j] = order[j], order[i]
    shuffled = torch.tensor(order, device=device)
    losses = []
    for first in range(0, count, batch):
        rows = shuffled[first:first + batch]
        loss = mean_loss(forward(train_x[rows]), train_y[rows])
        backward(loss)
        optimizer.step()
        losses.append(loss.detach())  # not .item(): that would wait for the device, every step
    losses = torch.stack(losses).tolist()
    seconds = time.perf_counter() - start
    with torch.no_grad():
        right = (forward(test_x).argmax(1) == test_y).sum().item()
    if print_losses:
        for step, loss in enumerate(losses):
            print(f"step {step} loss {loss:.7f}")
    accuracy = 100 * right / len(test_y)
    print(f"epoch {epoch + 1}: mean loss {sum(losses) / len(losses):.4f}, {seconds * 1000:.1f} ms, "
          f"{accuracy:.2f} % of the test pictures right")
