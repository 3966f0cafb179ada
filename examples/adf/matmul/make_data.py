#!/usr/bin/env python3
"""Two matrix products. Files hold tiles of 4 x 4, as the kernel reads them; products are divided by four, rounded down."""
import random

random.seed(6)
M, K, N, TILE = 16, 24, 16, 4


def matrix(rows, cols):
    return [[random.randint(-2000, 2000) for _ in range(cols)] for _ in range(rows)]


def tiled(m):
    return [m[i + y][j + x] for i in range(0, len(m), TILE) for j in range(0, len(m[0]), TILE)
            for y in range(TILE) for x in range(TILE)]


def write(name, values, per_line):
    with open(name, "w") as out:
        for i in range(0, len(values), per_line):
            print(*values[i:i + per_line], file=out)


pairs = [(matrix(M, K), matrix(K, N)) for _ in range(2)]
write("data/a.txt", [v for a, _ in pairs for v in tiled(a)], 8)
write("data/b.txt", [v for _, b in pairs for v in tiled(b)], 8)
product = lambda a, b: [[sum(x * y for x, y in zip(row, column)) >> 2 for column in zip(*b)] for row in a]
write("data/golden.txt", [v for a, b in pairs for v in tiled(product(a, b))], 4)
