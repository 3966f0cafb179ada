#!/usr/bin/env python3
"""Two recursive filters and the peak so far of every group of eight samples."""
import random

random.seed(7)


def iir(x, a, shift):
    past = [0] * len(a)
    for value in x:
        y = value + sum((c * p) >> shift for c, p in zip(a, past))
        past = [y] + past[:-1]
        yield y


def write(name, values):
    with open(name, "w") as out:
        print(*values, sep="\n", file=out)


x = [random.randint(-n - 20, n + 20) for n in range(192)]
y = list(iir(iir(x, [900, -400], 10), [-300, 100, 50, -20], 9))
write("data/in.txt", x)
write("data/golden.txt", [max([25] + [abs(v) for v in y[:8 * (n // 8) + 8]]) for n in range(192)])
