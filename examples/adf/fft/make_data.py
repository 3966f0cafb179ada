#!/usr/bin/env python3
"""The twiddles, two blocks of input, their spectra by the definition of the Fourier transform, and the power."""
import cmath
import random

random.seed(13)
N = 64
x = [complex(round(random.uniform(-1, 1), 4), round(random.uniform(-1, 1), 4)) for _ in range(2 * N)]
w = [cmath.exp(-2j * cmath.pi * k / N) for k in range(N)]
y = [sum(x[b + n] * w[n * k % N] for n in range(N)) for b in (0, N) for k in range(N)]

with open("kernels/twiddles.h", "w") as out:
    print("// exp(-2 pi i k / 64) for the stages from the first (one factor) to the last (32 factors); made by make_data.py.", file=out)
    print("#pragma once\n#include <adf.h>", file=out)
    for count in (1, 2, 4, 8, 16, 32):
        values = [w[k * (N // 2 // count)] for k in range(count)]
        body = ", ".join(f"{{{v.real:.9g}f, {v.imag:.9g}f}}".replace("{1f", "{1.f").replace("{0f", "{0.f").replace("-1f", "-1.f").replace(" 0f", " 0.f").replace("-0f", "-0.f") for v in values)
        print(f"alignas(32) static const cfloat twiddles{count}[{count}] = {{{body}}};", file=out)
with open("data/in.txt", "w") as out:
    for v in x:
        print(f"{v.real} {v.imag}", file=out)
with open("data/golden_spectrum.txt", "w") as out:
    for v in y:
        print(f"{v.real:.9g} {v.imag:.9g}", file=out)
with open("data/golden_power.txt", "w") as out:
    for a, b in zip(y[::2], y[1::2]):
        print(f"{abs(a)**2:.9g} {abs(b)**2:.9g}", file=out)
