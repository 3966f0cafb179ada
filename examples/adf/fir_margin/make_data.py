#!/usr/bin/env python3
"""Two FIR filters in a row, sample by sample: zeros before the first, halves rounded up, limited to 16 bits."""
import random

random.seed(2)
TAPS = [-5, 13, 40, -90, -151, 402, 1301, 2560]
TAPS += TAPS[::-1]


def fir(x):
    padded = [0] * (len(TAPS) - 1) + x
    for n in range(len(x)):
        total = sum(t * padded[n + k] for k, t in enumerate(TAPS))
        yield max(-32768, min(32767, (total + (1 << 12)) >> 13))


def write(name, values):
    with open(name, "w") as out:
        for i in range(0, len(values), 2):
            print(*values[i:i + 2], file=out)


samples = [random.randint(-32768, 32767) if n % 97 < 60 else 32767 for n in range(512)]
write("data/input.txt", samples)
write("data/golden.txt", list(fir(list(fir(samples)))))
