#!/usr/bin/env python3
"""Inputs of the examples with collectives and what they must compute, by the definitions of linear algebra: no kernels, no ranks."""
import random

random.seed(7)


def write(name, values, lanes=2):
    """Values as PLIO and GMIO files have them: N in a line."""
    with open(f"data/{name}.txt", "w") as out:
        for at in range(0, len(values), lanes):
            print(*values[at : at + lanes], file=out)


def slices(name, values, count, lanes=2):
    size = len(values) // count
    for at in range(count):
        write(f"{name}_{at}", values[at * size : (at + 1) * size], lanes)


def product(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def floats(count):
    return [float(random.randint(-8, 8)) for _ in range(count)]


# dot: the projection of x on y
x, y = floats(128), floats(128)
scale = sum(a * b for a, b in zip(x, y)) / sum(b * b for b in y)
slices("dot_x", x, 4)
slices("dot_y", y, 4)
slices("dot_golden", [float(f"{scale * b:.9g}") for b in y], 4)

# stencil: the whole plate, step by step
plate = [[float(random.randint(0, 64)) for _ in range(16)] for _ in range(16)]
slices("stencil_in", sum(plate, []), 4)
for _ in range(5):
    old = [row[:] for row in plate]
    for r in range(1, 15):
        for c in range(1, 15):
            plate[r][c] = (old[r - 1][c] + old[r + 1][c] + old[r][c - 1] + old[r][c + 1]) / 4
slices("stencil_golden", sum(plate, []), 4)

# histogram
samples = [min(255, max(0, int(random.gauss(128, 48)))) for _ in range(4 * 256)]
slices("histogram_in", samples, 4, lanes=4)
write("histogram_golden", [sum(1 for s in samples if s // 8 == bucket) for bucket in range(32)], lanes=1)

# transpose
matrix = [[random.randint(-1000, 1000) for _ in range(32)] for _ in range(32)]
slices("transpose_in", sum(matrix, []), 4, lanes=4)
slices("transpose_golden", [matrix[c][r] for r in range(32) for c in range(32)], 4, lanes=4)

# gesummv: each kernel has 8 columns of A or B, column by column
a, b = [[floats(32) for _ in range(32)] for _ in range(2)]
x = floats(32)
write("gesummv_x", x)
by_columns = [m[r][c] for m in (a, b) for c in range(32) for r in range(32)]
slices("gesummv_in", by_columns, 8)
write("gesummv_golden", [1.5 * p - 2.0 * q for p, q in zip(product(a, x), product(b, x))], lanes=1)

# matvec: y = x A; kernel (r, c) has rows 4r.. and columns 8c.. of A, row by row
a, x = [floats(32) for _ in range(32)], floats(32)
slices("matvec_x", x, 8)
blocks = [a[4 * r + i][8 * c + j] for r in range(8) for c in range(4) for i in range(4) for j in range(8)]
slices("matvec_in", blocks, 32)
slices("matvec_golden", [sum(x[i] * a[i][j] for i in range(32)) for j in range(32)], 4)

# select: how many samples of each lane are above 100, the collector's none first, and these samples
lanes = [[random.randint(-200, 200) for _ in range(64)] for _ in range(5)] + [[100] * 64]
above = [[sample for sample in lane if sample > 100] for lane in lanes]
slices("select_in", sum(lanes, []), 6, lanes=4)
counts = [0] + [len(samples) for samples in above] + [0]
packed = sum(above, [])
write("select_golden", counts + packed + [0] * (6 * 64 - len(packed)), lanes=1)
