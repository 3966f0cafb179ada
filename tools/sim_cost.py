#!/usr/bin/env python3
"""Measures processor seconds of `aiec sim` and its child processes, the median of some runs.

In: the program. Out: a line for each graph, with its cost cold (every source is new, and only the runtime's own object and precompiled
headers are kept) and warm (the same command again). The graphs are a kernel on windows with vectors, and 126 of them one after the
other, from one source, from 12 and from 126.

    python3 tools/sim_cost.py target/release/aiec [--runs 5]
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

KERNEL = """#include <adf.h>
#include <aie_api/aie.hpp>
static int32 made = {made};
void copy{number}(input_window<int32> *x, output_window<int32> *y) {{
    for (int i = 0; i < 4; ++i) chess_prepare_for_pipelining {{
        aie::vector<int32, 8> v = window_readincr_v<8>(x);
        window_writeincr(y, aie::add(v, made));
    }}
}}
"""

GRAPH = """#include <adf.h>
{functions}
struct chain : adf::graph {{
    adf::kernel kernels[{count}];
    adf::input_plio in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
    adf::output_plio out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
    chain() {{
{kernels}
        adf::connect<adf::window<128>>(in.out[0], kernels[0].in[0]);
        for (int i = 1; i < {count}; ++i) adf::connect<adf::window<128>>(kernels[i - 1].out[0], kernels[i].in[0]);
        adf::connect<adf::window<128>>(kernels[{count} - 1].out[0], out.in[0]);
    }}
}};
chain g;
int made = {made};
int main() {{ g.init(); g.run(4); g.end(); return made < 0; }}
"""


def write(folder, count, sources, made):
    """The graph of `count` kernels from `sources` files; `made` differs from run to run."""
    for number in range(sources):
        (folder / f"copy{number}.cc").write_text(KERNEL.format(number=number, made=made))
    functions = "\n".join(f"void copy{n}(input_window<int32> *x, output_window<int32> *y);" for n in range(sources))
    one = "        kernels[{0}] = adf::kernel::create(copy{1}); adf::source(kernels[{0}]) = \"copy{1}.cc\"; "
    one += "adf::runtime<adf::ratio>(kernels[{0}]) = 0.5;"
    kernels = "\n".join(one.format(n, n % sources) for n in range(count))
    (folder / "graph.cpp").write_text(GRAPH.format(count=count, functions=functions, kernels=kernels, made=made))
    (folder / "in.txt").write_text("".join(f"{n}\n" for n in range(128)))


def cost(program, folder, cache):
    """Processor seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, AIEC_CACHE=str(cache))
    subprocess.run([program, "sim", "graph.cpp"], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    program = asked.program.resolve()
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        write(root, 1, 1, 0)
        print(f"first run of all, which makes what is kept: {cost(program, root, root / 'cache'):.1f} s")
        for count, sources in [(1, 1), (126, 1), (126, 12), (126, 126)]:
            costs = []
            for made in range(1, asked.runs + 1):
                write(root, count, sources, made * 1000 + count + sources)
                costs.append([cost(program, root, root / "cache") for _ in range(2)])
            cold, warm = (statistics.median(of) for of in zip(*costs))
            print(f"{count} kernels from {sources} sources: cold {cold:.1f} s, warm {warm:.1f} s", flush=True)


if __name__ == "__main__":
    main()
