#!/usr/bin/env python3
"""Running sums with gains -1, 0, 1, 2 for blocks of 16, and another stream plus the total after each block."""
import random

random.seed(16)


def write(name, values):
    with open(f"data/{name}.txt", "w") as out:
        print(*values, sep="\n", file=out)


x = [random.randint(-50, 50) for _ in range(64)]
other = [1000 * n for n in range(32)]
sums, total, totals = [], 0, []
for n, v in enumerate(x):
    total += (n // 16 - 1) * v
    sums.append(total)
    if n % 16 == 15:
        totals.append(total)
write("in", x)
write("other", other)
write("golden_out", sums)
lines = []
for n, v in enumerate(other):
    lines += (["TLAST"] if n % 8 == 7 else []) + [v + totals[n // 8]]
write("golden_followed", lines)
scaled = [(n // 16 - 1) * v for n, v in enumerate(x)]
print(sum(v < 0 for v in scaled), sum(v == 0 for v in scaled), sum(v > 0 for v in scaled))
