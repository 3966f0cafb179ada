#!/usr/bin/env python3
"""Inputs of the examples with channels and what they must compute: no kernels, no ranks."""
import random

random.seed(11)


def write(name, values, lanes=2):
    """Values as PLIO and GMIO files have them: N in a line."""
    with open(f"data/{name}.txt", "w") as out:
        for at in range(0, len(values), lanes):
            print(*values[at : at + lanes], file=out)


def slices(name, values, count, lanes=2):
    size = len(values) // count
    for at in range(count):
        write(f"{name}_{at}", values[at * size : (at + 1) * size], lanes)


# stencil: the whole plate, step by step
plate = [[float(random.randint(0, 64)) for _ in range(16)] for _ in range(16)]
slices("stencil_in", sum(plate, []), 4)
for _ in range(5):
    old = [row[:] for row in plate]
    for r in range(1, 15):
        for c in range(1, 15):
            plate[r][c] = (old[r - 1][c] + old[r + 1][c] + old[r][c - 1] + old[r][c + 1]) / 4
slices("stencil_golden", sum(plate, []), 4)

# ring: the sum of the distances of each number to all
numbers = [random.randint(-1000, 1000) for _ in range(5 * 16)]
slices("ring_in", numbers, 5)
slices("ring_golden", [sum(abs(a - b) for b in numbers) for a in numbers], 5)

# gesummv: quarters of A and B by columns, row by row in each
a, b = [[[float(random.randint(-8, 8)) for _ in range(32)] for _ in range(32)] for _ in range(2)]
x = [float(random.randint(-8, 8)) for _ in range(32)]
write("gesummv_x", x)
for quarter in range(4):
    columns = range(8 * quarter, 8 * quarter + 8)
    write(f"gesummv_in_{quarter}", [m[row][c] for m in (a, b) for row in range(32) for c in columns])
write("gesummv_golden", [sum((2 * a[r][c] + 3 * b[r][c]) * x[c] for c in range(32)) for r in range(32)])

# mail: the numbers of each range in order, and -1 up to the number of all
numbers = [random.randint(0, 599) for _ in range(6 * 16)]
slices("mail_in", numbers, 6)
for at in range(6):
    found = sorted(n for n in numbers if n // 100 == at)
    write(f"mail_golden_{at}", found + [-1] * (len(numbers) - len(found)))

# average: four signals, and what is left of them without their mean
signals = [[float(random.randint(-99, 99)) for _ in range(64)] for _ in range(4)]
means = [sum(samples) / 4 for samples in zip(*signals)]
slices("average_in", sum(signals, []), 4)
slices("average_golden", [x - mean for signal in signals for x, mean in zip(signal, means)], 4)

# histogram: a few values in each kernel's samples, two runs
runs = [[[random.randint(13 * at, 13 * at + 24) for _ in range(32)] for at in range(4)] for _ in range(2)]
for at in range(4):
    write(f"histogram_in_{at}", [n for run in runs for n in run[at]])
totals = [[sum(row.count(value) for row in run) for value in range(64)] for run in runs]
write("histogram_golden", sum(totals, []))

# store: pairs whose keys differ, then keys that any kernel has stored, or none; two runs
asked, found = [[] for _ in range(4)], [[] for _ in range(4)]
for _ in range(2):
    keys = random.sample(range(-5000, 5000), 4 * 16)
    pairs = {key: random.randint(0, 9999) for key in keys}
    for at in range(4):
        wanted = [random.choice(keys + [9000 + at]) for _ in range(16)]
        asked[at] += [n for key in keys[16 * at : 16 * at + 16] for n in (key, pairs[key])] + wanted
        found[at] += [pairs.get(key, -1) for key in wanted]
for at in range(4):
    write(f"store_in_{at}", asked[at])
    write(f"store_golden_{at}", found[at])

# clock: how long each kernel works, and how many work for a shorter time; two runs of four turns
turns = [random.sample(range(2000, 14000, 2000), 6) for _ in range(2 * 4)]
for at in range(6):
    write(f"clock_in_{at}", [turn[at] for turn in turns])
    write(f"clock_golden_{at}", [sorted(turn).index(turn[at]) for turn in turns])

# pinboard: each sums the numbers of all from its own on, those of the k-th one k times; two runs
notes = [[[random.randint(-999, 999) for _ in range(16)] for _ in range(4)] for _ in range(2)]
for at in range(4):
    write(f"pinboard_in_{at}", [n for run in notes for n in run[at]])
    summed = [[sum((k + 1) * run[(at + k) % 4][i] for k in range(4)) for i in range(16)] for run in notes]
    write(f"pinboard_golden_{at}", sum(summed, []))
