#!/usr/bin/env python3
"""A complex FIR filter: y[n] = sum of taps[k] * x[n + k - 31 + 24], rounded towards minus infinity.

The sections read ahead of each other by eight samples; the last is 24 samples ahead of the first, so output 0 is that
of input 24: of the 32 samples before and including it, those before the file are zero."""
import random
import re

random.seed(5)
pairs = re.findall(r"\{(-?\d+), (-?\d+)\}", open("kernels/taps.h").read())
TAPS = [(int(a), int(b)) for a, b in pairs]
assert len(TAPS) == 32
x = [(random.randint(-9000, 9000), random.randint(-9000, 9000)) for _ in range(512 + 24)]


def y(n):
    real = imag = 0
    for k, (a, b) in enumerate(TAPS):
        at = n + 24 + k - 31
        c, d = x[at] if at >= 0 else (0, 0)
        real += a * c - b * d
        imag += a * d + b * c
    return real >> 15, imag >> 15


def write(name, values):
    with open(name, "w") as out:
        for i in range(0, len(values), 2):
            print(*[part for value in values[i:i + 2] for part in value], file=out)


write("data/in.txt", x)
write("data/golden.txt", [y(n) for n in range(512)])
