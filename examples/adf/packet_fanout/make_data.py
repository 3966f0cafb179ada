#!/usr/bin/env python3
"""Packets for four kernels and what they answer, in the order of the packets' arrival: the header names source and kernel.

The word in front of a packet has the id in bits 4:0, row and column of the source (all ones outside of the array) in
20:16 and 27:21, and odd parity in bit 31."""


def header(identity, row=0x1F, column=0x7F):
    word = identity | row << 16 | column << 21
    return word | (1 - bin(word).count("1") % 2) << 31


def show(packets):
    lines = []
    for words in packets:
        lines += [str(word) for word in words[:-1]] + ["TLAST", str(words[-1])]
    return "\n".join(lines) + "\n"


payloads = [[100 * n + i for i in range(8)] for n in range(8)]
packets = [[header(n % 4)] + payload for n, payload in enumerate(payloads)]
with open("data/packets.txt", "w") as out:
    out.write(show([[w - 2**32 if w >= 2**31 else w for w in packet] for packet in packets]))

# Answers come in the order of the merge's inputs, a packet of each in turn; the first two kernels
# send back windows.
answers = []
for n, payload in enumerate(payloads):
    factor = [3, 5][n % 4] if n % 4 < 2 else 0
    body = [[factor * v + factor for v in payload], [factor * v + factor for v in payload],
            [len(payload), sum(payload)], [-v for v in payload]][n % 4]
    answers.append([header(n % 4, row=0, column=0)] + body)
with open("data/golden.txt", "w") as out:
    out.write(show(answers))
