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
    """Samples and what a filter with the taps 1, -2, 3, -4, ... of 32 makes of them."""
    rng = random.Random(9)
    taps = [(tap + 1) * (-1) ** tap for tap in range(32)]
    samples = [rng.randint(-100, 100) for _ in range(4 * 64)]
    outputs = [sum(tap * samples[n - k] for k, tap in enumerate(taps) if n >= k) for n in range(len(samples))]
    write("fir_in.txt", lines(samples))
    write("fir_golden.txt", lines(outputs))


def headers():
    """Two blocks, and their multiples by 1 to 4, plus one."""
    blocks = [list(range(1, 9)), list(range(9, 17))]
    write("headers_in.txt", sum(blocks, []))
    write("headers_golden.txt", [word * (n + 1) + 1 for block in blocks for n in range(4) for word in block])


packets()
cascade_fir()
headers()
