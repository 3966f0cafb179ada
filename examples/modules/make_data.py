#!/usr/bin/env python3
"""Inputs and goldens of the designs in this folder."""

import random
from pathlib import Path

DATA = Path(__file__).parent / "data"


def write(name, values, per_line):
    """The values, as many on each line as 64 bits of PLIO hold."""
    lines = [" ".join(map(str, values[at : at + per_line])) for at in range(0, len(values), per_line)]
    (DATA / name).write_text("".join(f"{line}\n" for line in lines))


def bank():
    """Samples, and what filters with the gains 1 to 4 make of them, limited to 16 bits."""
    rng = random.Random(19)
    taps = [3, -9, 11, -9, 3]
    samples = [rng.randint(-2000, 2000) for _ in range(2 * 64)]
    write("bank_in.txt", samples, 2)
    for gain in range(1, 5):
        sums = [sum(tap * samples[n - k] for k, tap in enumerate(taps) if n >= k) for n in range(len(samples))]
        write(f"bank_golden_{gain - 1}.txt", [max(-32768, min(32767, gain * total)) for total in sums], 2)


def gemm():
    """Two products of matrices of 16 x 24 and 24 x 16 numbers, in blocks of 8 x 8."""
    rng = random.Random(20)
    files = {}
    for _ in range(2):
        a = [[rng.randint(-1000, 1000) for _ in range(24)] for _ in range(16)]
        b = [[rng.randint(-1000, 1000) for _ in range(16)] for _ in range(24)]
        y = [[sum(a[r][k] * b[k][c] for k in range(24)) for c in range(16)] for r in range(16)]
        for name, matrix in (("a", a), ("b", b), ("golden", y)):
            rows, columns = len(matrix) // 8, len(matrix[0]) // 8
            for block in range(rows * columns):
                top, left = 8 * (block // columns), 8 * (block % columns)
                values = [matrix[top + i][left + j] for i in range(8) for j in range(8)]
                files.setdefault(f"gemm_{name}_{block}.txt", []).extend(values)
    for name, values in files.items():
        write(name, values, 2 if "golden" in name else 4)


def sensors():
    """Samples of seven sensors, and in each group the highest value minus the lowest one."""
    rng = random.Random(21)
    samples = [[rng.randint(-10000, 10000) for _ in range(2 * 64)] for _ in range(7)]
    for at, values in enumerate(samples):
        write(f"sensors_in_{at}.txt", values, 2)
    for at, group in enumerate((samples[:3], samples[3:])):
        write(f"sensors_golden_{at}.txt", [max(values) - min(values) for values in zip(*group)], 2)


bank()
gemm()
sensors()
