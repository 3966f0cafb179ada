#!/usr/bin/env python3
"""Softmax of four blocks of 32 numbers, in double precision."""
import math
import random

random.seed(14)


def write(name, values):
    with open(name, "w") as out:
        for i in range(0, len(values), 4):
            print(*[f"{v:.8g}" for v in values[i:i + 4]], file=out)


blocks = [[round(random.uniform(-3, 3), 3) for _ in range(32)] for _ in range(4)]
write("data/in.txt", sum(blocks, []))
shares = []
for block in blocks:
    powers = [math.exp(v - max(block)) for v in block]
    shares += [p / sum(powers) for p in powers]
write("data/golden.txt", shares)
