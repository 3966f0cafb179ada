#!/usr/bin/env python3
"""Histograms of 1, 4 and 3 lines of 64 bytes, and the bright samples, less 200, six buffers of 32."""
import random

random.seed(11)


def write(name, values, per_line):
    with open(name, "w") as out:
        for i in range(0, len(values), per_line):
            print(*values[i:i + per_line], file=out)


lines = [[random.choice([random.randint(0, 199), random.randint(200, 255)]) for _ in range(64)] for _ in range(8)]
write("data/lines.txt", sum(lines, []), 16)
counts, at = [], 0
for n in (1, 4, 3):
    samples = sum(lines[at:at + n], [])
    counts += [sum(v >> 4 == b for v in samples) for b in range(16)]
    at += n
write("data/golden_counts.txt", counts, 1)
bright = [v - 200 for v in sum(lines, []) if v >= 200]
assert 192 <= len(bright) < 7 * 32 + 64
write("data/golden_bright.txt", bright[:192], 4)
