#!/usr/bin/env python3
"""Input and expected output of filter2d, from the definition of a 3 x 3 filter with repeated edges."""
import random

WIDTH, HEIGHT, TILES, SHIFT = 32, 16, 3, 4
random.seed(1)


def nearest(value):
    """value / 2**SHIFT to the nearest integer, halves away from zero."""
    half = 1 << (SHIFT - 1)
    return (value + half) >> SHIFT if value >= 0 else -((-value + half) >> SHIFT)


def filtered(tile, weights, threshold):
    def pixel(y, x):
        return tile[min(max(y, 0), HEIGHT - 1)][min(max(x, 0), WIDTH - 1)]

    for y in range(HEIGHT):
        for x in range(WIDTH):
            total = sum(weights[3 * a + b] * pixel(y + a - 1, x + b - 1) for a in range(3) for b in range(3))
            value = max(-32768, min(32767, nearest(total)))
            yield value if abs(value) >= threshold else 0


def write(name, values):
    with open(name, "w") as out:
        for i in range(0, len(values), 4):
            print(*values[i:i + 4], file=out)


images = [[[random.randint(0, 255) + (4000 if x > y else 0) * (n == 1) for x in range(WIDTH)] for y in range(HEIGHT)]
          for n in range(TILES)]
sobel, blur = [-16, 0, 16, -32, 0, 32, -16, 0, 16], [1, 2, 1, 2, 4, 2, 1, 2, 1]
write("data/image.txt", [p for image in images for row in image for p in row])
golden = []
for image, weights, threshold in zip(images, [sobel, sobel, blur], [40, 40, 0]):
    golden += filtered(image, weights, threshold)
write("data/golden.txt", golden)
