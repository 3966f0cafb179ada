"""Writes the data of fir_taps: a slow and a fast wave, two sets of taps, and what the filter makes of them."""

import math
import pathlib

SAMPLES, TAPS, RUNS = 256, 16, 2
DATA = pathlib.Path(__file__).parent / "data"


def write(name, values, per_line=1):
    rows = [values[at : at + per_line] for at in range(0, len(values), per_line)]
    text = "".join(" ".join(map(str, row)) + "\n" for row in rows)
    (DATA / name).write_text(text)


def low_pass():
    return [2048] * TAPS


def high_pass():
    return [2048 if k % 2 == 0 else -2048 for k in range(TAPS)]


def main():
    DATA.mkdir(exist_ok=True)
    wave = lambda n: 6000 * math.sin(2 * math.pi * n / 128) + 5000 * math.cos(math.pi * n)
    x = [round(wave(n)) for n in range(SAMPLES * RUNS)]
    taps = [low_pass(), high_pass()]
    y = []
    for n in range(SAMPLES * RUNS):
        of_run = taps[n // SAMPLES]
        y.append(sum(of_run[k] * x[n - k] for k in range(TAPS) if n >= k) >> 15)
    write("in.txt", x, 4)
    write("taps.txt", sum(taps, []))
    write("golden.txt", y, 4)
    write("golden_peak.txt", [max(abs(v) for v in y[r * SAMPLES : (r + 1) * SAMPLES]) for r in range(RUNS)])


if __name__ == "__main__":
    main()
