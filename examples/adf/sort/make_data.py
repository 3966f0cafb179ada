#!/usr/bin/env python3
"""Five blocks of 32 numbers and the same in order."""
import random

random.seed(15)
x = [random.randint(-100, 100) if n % 3 else random.randint(-2**31, 2**31 - 1) for n in range(160)]
for name, values in (("in", x), ("golden", [v for i in range(0, 160, 32) for v in sorted(x[i:i + 32])])):
    with open(f"data/{name}.txt", "w") as out:
        print(*values, sep="\n", file=out)
