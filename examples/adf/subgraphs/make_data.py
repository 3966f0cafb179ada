#!/usr/bin/env python3
"""Even and odd elements of the inputs, plus the number of the vector of eight that they leave in."""
import random

random.seed(12)


def write(name, values):
    with open(name, "w") as out:
        for i in range(0, len(values), 2):
            print(*values[i:i + 2], file=out)


for n in range(2):
    x = [random.randint(-10**6, 10**6) for _ in range(384)]
    write(f"data/in{n}.txt", x)
    for i in range(4):
        write(f"data/golden{4 * n + i}.txt", [v + k // 8 + 1 for k, v in enumerate(x[i % 2::2])])
