#!/usr/bin/env python3
"""A complex FIR filter of eight taps over zeros and 256 samples, halves rounded up, limited, times i."""
import random

random.seed(17)
TAPS = [(120, -30), (-400, 250), (1500, 0), (6000, -800), (6000, 800), (1500, 0), (-400, -250), (120, 30)]
x = [(random.randint(-30000, 30000), random.randint(-30000, 30000)) for _ in range(256)]
limit = lambda v: max(-32768, min(32767, (v + (1 << 13)) >> 14))


def y(n):
    real = imag = 0
    for k, (a, b) in enumerate(TAPS):
        c, d = x[n - 7 + k] if n - 7 + k >= 0 else (0, 0)
        real += a * c - b * d
        imag += a * d + b * c
    return limit(real), limit(imag)


for name, values in (("input", x), ("golden", [(-b, a) for a, b in map(y, range(256))])):
    with open(f"data/{name}.txt", "w") as out:
        for a, b in values:
            print(a, b, file=out)
