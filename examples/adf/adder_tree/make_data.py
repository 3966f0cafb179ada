#!/usr/bin/env python3
"""Sixteen inputs and their sums, which wrap at 32 bits."""
import random

random.seed(3)


def write(name, values):
    with open(name, "w") as out:
        for i in range(0, len(values), 4):
            print(*values[i:i + 4], file=out)


inputs = [[random.randint(-2**31, 2**31 - 1) >> (i % 3) for _ in range(192)] for i in range(16)]
for i, values in enumerate(inputs):
    write(f"data/in{i}.txt", values)
write("data/golden.txt", [(sum(column) + 2**31) % 2**32 - 2**31 for column in zip(*inputs)])
