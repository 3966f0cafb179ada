#!/usr/bin/env python3
"""Blocks of 64 numbers without their mean, which is rounded towards zero."""
import random

random.seed(10)
x = [random.randint(-1000, 1000) + 300 * (n // 64 - 1) for n in range(192)]
means = [int(sum(x[i:i + 64]) / 64) for i in range(0, 192, 64)]
with open("data/in.txt", "w") as out:
    print(*x, sep="\n", file=out)
with open("data/golden.txt", "w") as out:
    print(*[v - means[n // 64] for n, v in enumerate(x)], sep="\n", file=out)
