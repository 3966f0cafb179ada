#!/usr/bin/env python3
"""Inputs and goldens of the designs in this folder."""

import random
from pathlib import Path

DATA = Path(__file__).parent / "data"


def header(number, row=0x1F, column=0x7F):
    """The first word of a packet: its id, the source's row and column (all ones in the PL), and odd parity."""
    word = row << 16 | column << 21 | number
    word |= (bin(word).count("1") + 1) % 2 << 31
    return word - (1 << 32) if word >> 31 else word


def write(name, lines):
    (DATA / name).write_text("".join(f"{line}\n" for line in lines))


def lines(values):
    """Four values of 16 bits on each line, as on 64 bits of PLIO."""
    return [" ".join(map(str, values[at : at + 4])) for at in range(0, len(values), 4)]


def packets():
    """Packets for eight workers in the order of their numbers, and their running sums in the same order."""
    rng = random.Random(8)
    questions, answers = [], []
    for _ in range(3):
        for worker in range(8):
            words = [rng.randint(-1000, 1000) for _ in range(16)]
            sums = [sum(words[: i + 1]) for i in range(16)]
            questions += [header(worker), *words[:-1], "TLAST", words[-1]]
            answers += [header(worker, row=0, column=0), *sums[:-1], "TLAST", sums[-1]]
    write("packets_in.txt", questions)
    write("packets_golden.txt", answers)


def cascade_fir():
    """Samples, the taps of four runs, and what the filter makes of them."""
    rng = random.Random(9)
    rising = [(tap + 1) * (-1) ** tap for tap in range(32)]
    runs = [rising, rising[::-1], [1] * 32, [rng.randint(-9, 9) for _ in range(32)]]
    samples = [rng.randint(-100, 100) for _ in range(4 * 64)]
    outputs = [sum(tap * samples[n - k] for k, tap in enumerate(runs[n // 64]) if n >= k) for n in range(len(samples))]
    write("fir_in.txt", lines(samples))
    for core in range(4):
        write(f"fir_taps_{core}.txt", [" ".join(map(str, run[8 * core : 8 * core + 8])) for run in runs])
    write("fir_golden.txt", lines(outputs))


def headers():
    """Two blocks, and their multiples by 1 to 4, plus one."""
    blocks = [list(range(1, 9)), list(range(9, 17))]
    write("headers_in.txt", sum(blocks, []))
    write("headers_golden.txt", [word * (n + 1) + 1 for block in blocks for n in range(4) for word in block])


def blur():
    """Images in four strips of rows, and the images blurred by definition, with the pixels at the edges repeated."""
    rng = random.Random(10)
    size, strips = 32, 4
    images = [[[rng.randint(0, 4095) for _ in range(size)] for _ in range(size)] for _ in range(3)]

    def blurred(image, row, column):
        inside = lambda at: min(max(at, 0), size - 1)
        mask = {-1: 1, 0: 2, 1: 1}
        total = sum(mask[i] * mask[k] * image[inside(row + i)][inside(column + k)] for i in mask for k in mask)
        return (total + 8) >> 4

    after = [[[blurred(image, row, column) for column in range(size)] for row in range(size)] for image in images]
    for name, all_images in (("in", images), ("golden", after)):
        for strip in range(strips):
            rows = slice(strip * size // strips, (strip + 1) * size // strips)
            write(f"blur_{name}_{strip}.txt", lines([pixel for image in all_images for row in image[rows] for pixel in row]))


def microphones():
    """Sound from the front and from behind at eight microphones, and the mean of the four pairs."""
    rng = random.Random(11)
    samples, delay = 2 * 128, 16
    heard = [[rng.randint(-20000, 20000) for _ in range(samples)] for _ in range(8)]
    back = [[0] * delay + sound[: samples - delay] for sound in heard[1::2]]
    pairs = [[(a - b) >> 1 for a, b in zip(*pair)] for pair in zip(heard[0::2], back)]
    towards_zero = lambda total: abs(total) // 4 * (1 if total >= 0 else -1)
    for at, sound in enumerate(heard):
        write(f"microphones_in_{at}.txt", lines(sound))
    write("microphones_golden.txt", [towards_zero(sum(at)) for at in zip(*pairs)])


def agc():
    """Four blocks, the second one noise below the floor, with gain, level and limits by the definition in the kernel."""
    rng = random.Random(12)
    loudness, floors = [4000, 300, 9000, 2000], [1000, 4000, 1000, 1000]
    blocks = [[rng.randint(-peak, peak) for _ in range(128)] for peak in loudness]
    outputs, levels, level = [], [], 0
    for block, floor in zip(blocks, floors):
        level = max(level - level // 8, max(map(abs, block)))
        gain = (16384 << 8) // level if level > floor else 1 << 8
        outputs += [min(max((sample * gain) >> 8, -20000), 20000) for sample in block]
        levels.append(level)
    with_ends = lambda block: [*block[:-1], "TLAST", block[-1]]
    write("agc_in.txt", [line for block in blocks for line in with_ends(lines(block))])
    write("agc_floor.txt", floors)
    write("agc_golden.txt", lines(outputs))
    write("agc_level_golden.txt", levels)


def frames():
    """Two pictures, and the largest weighted sum of three neighbours of each line."""
    rng = random.Random(14)
    weights = [0.25, 0.5, 0.25]
    rows = [[rng.randint(0, 4095) for _ in range(64)] for _ in range(2 * 12)]
    smoothed = [[sum(w * row[at + k] for k, w in enumerate(weights)) for at in range(62)] for row in rows]
    write("frames_in.txt", [f"{row[at]} {row[at + 1]}" for row in rows for at in range(0, 64, 2)])
    write("frames_golden.txt", [1.5 * max(row) for row in smoothed])


def turns():
    """Frames of differences for three cores in turn, and their running sums."""
    rng = random.Random(13)
    frames = [[rng.randint(-1000, 1000) for _ in range(8)] for _ in range(2 * 3)]
    lines_in, total, sums = [], 0, []
    for at, frame in enumerate(frames):
        lines_in += [header(at % 3), *frame[:-1], "TLAST", frame[-1]]
        for word in frame:
            total += word
            sums.append(total)
    write("turns_in.txt", lines_in)
    write("turns_golden.txt", sums)


packets()
cascade_fir()
blur()
headers()
microphones()
agc()
turns()
frames()
