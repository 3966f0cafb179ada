#!/usr/bin/env python3
"""Results of other programs for the tile problem of designs that aiec has placed. Not part of the tests.

    pip install ortools                                  # for CP-SAT
    pip install aie4ml==0.2.1 ml_dtypes                  # for the beam search of aie4ml
    aiec place design.dsl --json design.json
    tools/placement_rivals.py design.json --work 60

    cargo bench -p aiec_tests --bench placement -- --plans target/plans
    tools/placement_rivals.py target/plans/*.json --work 15 --write placer/benches/RIVALS.md

Takes floorplans as `aiec place --json` writes them. Prints for each installed program the number of
connections through DMA with the kernels on the tiles it found. CP-SAT solves the tile problem alone
(which pairs of kernels share memory), and gives its own bound. The beam search of aie4ml 0.2.1 places
operators of neural networks by the distances between them; here each kernel is an operator on one
tile. Neither program models memory, channels or routes, so their task is easier than
aiec's. Connections that are never shared (inputs, outputs, broadcasts) count for all programs.
"""

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass

try:
    from ortools.sat.python import cp_model
except ImportError:
    cp_model = None
try:
    from aie4ml.passes import placement as beam
except ImportError:
    beam = None

HEAD = """\
# What other programs place

Made by `tools/placement_rivals.py target/plans/*.json --work {work:g} --write placer/benches/RIVALS.md` from the floorplans that
`cargo bench -p aiec_tests --bench placement -- --plans target/plans` writes: connections through DMA, and the processor time each took to find them.
CP-SAT of OR-tools has {work:g} units of its deterministic time for each design, {workers} threads{start}; the beam search of
aie4ml keeps {width} states. Neither looks at memory, channels or routes; aiec's placements are legal and routed
(RESULTS.md has aiec's seconds). A dash where a program found nothing or is not installed.

| design | kernels | aiec | bound of aiec | CP-SAT | bound of CP-SAT | seconds | beam of aie4ml | seconds |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""


def reach(column, row, columns, rows):
    """Modules a core reaches on an AIE1 array: its own, above, below, and west on even rows or east on odd ones (AM009)."""
    side = column - 1 if row % 2 == 0 else column + 1
    near = [(column, row), (column, row + 1), (column, row - 1), (side, row)]
    return {(c, r) for c, r in near if 0 <= c < columns and 0 <= r < rows}


def kernel_of(port):
    """The kernel of a port such as `worker[3].total_in0`."""
    return port.rsplit(".", 1)[0]


class Problem:
    """Kernels, tiles, who shares memory on which, and connections between kernels that could share."""

    def __init__(self, plan):
        self.columns, self.rows = plan["columns"], plan["rows"]
        self.kernels = [kernel["name"] for kernel in plan["kernels"]]
        self.hint = {kernel["name"]: tuple(kernel["tile"]) for kernel in plan["kernels"]}
        self.tiles = [(c, r) for c in range(self.columns) for r in range(self.rows)]
        reached = {tile: reach(*tile, self.columns, self.rows) for tile in self.tiles}
        self.partners = {a: [b for b in self.tiles if a != b and reached[a] & reached[b]] for a in self.tiles}
        sinks = Counter(line["from"]["port"] for line in plan["lines"])
        self.pairs, self.always = Counter(), 0
        for line in plan["lines"]:
            inside = line["from"]["row"] is not None and line["to"]["row"] is not None
            ends = kernel_of(line["from"]["port"]), kernel_of(line["to"]["port"])
            if not inside or sinks[line["from"]["port"]] > 1:
                self.always += 1
            elif ends[0] != ends[1]:
                self.pairs[ends] += 1

    def connections(self, tile_of):
        """Connections through DMA with each kernel on its tile."""
        cut = (n for (a, b), n in self.pairs.items() if tile_of[b] not in self.partners[tile_of[a]])
        return self.always + sum(cut)


@dataclass
class Found:
    """Connections through DMA, the bound if the program proves one, and processor seconds."""

    connections: int | None
    bound: int | None
    seconds: float

    def cells(self, bounded):
        """Its cells of the table."""
        numbers = [self.connections, self.bound] if bounded else [self.connections]
        return ["-" if number is None else str(number) for number in numbers] + [f"{self.seconds:.1f}"]


def by_cp_sat(problem, arguments):
    """One Boolean for a kernel on a tile, one for each pair that shares: then the tiles of both are partners."""
    begin = time.process_time()
    model = cp_model.CpModel()
    on = {(kernel, tile): model.new_bool_var("") for kernel in problem.kernels for tile in problem.tiles}
    for kernel in problem.kernels:
        model.add_exactly_one(on[kernel, tile] for tile in problem.tiles)
        if arguments.warm:
            for tile in problem.tiles:
                model.add_hint(on[kernel, tile], tile == problem.hint[kernel])
    for tile in problem.tiles:
        model.add_at_most_one(on[kernel, tile] for kernel in problem.kernels)
    cost = []
    for (a, b), connections in problem.pairs.items():
        cut = model.new_bool_var("")
        for tile in problem.tiles:
            model.add_bool_or([on[a, tile].negated(), cut] + [on[b, other] for other in problem.partners[tile]])
        cost.append(connections * cut)
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.max_deterministic_time = arguments.work
    solver.parameters.num_workers = arguments.workers
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Found(None, None, time.process_time() - begin)
    chosen = {kernel: tile for (kernel, tile), here in on.items() if solver.boolean_value(here)}
    bound = problem.always + round(solver.best_objective_bound)
    return Found(problem.connections(chosen), bound, time.process_time() - begin)


def by_beam(problem, arguments):
    """Kernels as operators of one tile, in the order of the design, drawn together by their connections."""
    begin = time.process_time()
    face = beam.PortFace("left", 0, 0)
    specs = {
        kernel: beam.NodeSpec(None, kernel, index, beam.Rect(1, 1, face, face))
        for index, kernel in enumerate(problem.kernels)
    }
    before, after = {kernel: [] for kernel in specs}, {kernel: [] for kernel in specs}
    for a, b in problem.pairs:
        after[a].append(b)
        before[b].append(a)
    edges = [beam.EdgeSpec(a, b) for a, b in problem.pairs]
    graph = beam.GraphSpec(problem.kernels, specs, edges, before, after)
    try:
        placed = beam._beam_place(graph, problem.columns, problem.rows, 1.0, 0.05, arguments.width)
    except beam.PlacementInfeasibleError:
        return Found(None, None, time.process_time() - begin)
    tile_of = {kernel: (place.x, place.y) for kernel, place in placed.items()}
    return Found(problem.connections(tile_of), None, time.process_time() - begin)


def row(plan, name, arguments):
    """The row of a design."""
    problem, ours = Problem(plan), plan["placement"]
    cp_sat = by_cp_sat(problem, arguments).cells(True) if cp_model else ["-"] * 3
    placed = by_beam(problem, arguments).cells(False) if beam else ["-"] * 2
    cells = [name, len(problem.kernels), ours["connections"], ours["bound"], *cp_sat, *placed]
    return "| " + " | ".join(map(str, cells)) + " |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plans", nargs="+", help="what `aiec place --json` wrote")
    parser.add_argument("--work", type=float, default=60, help="of CP-SAT for each design, in its deterministic time")
    parser.add_argument("--workers", type=int, default=2, help="threads of CP-SAT")
    parser.add_argument("--width", type=int, default=16, help="states that the beam search keeps, as aie4ml does by itself")
    parser.add_argument("--warm", action="store_true", help="CP-SAT starts from aiec's placement")
    parser.add_argument("--write", help="the file for the table; without, it is printed")
    arguments = parser.parse_args()
    if cp_model is None and beam is None:
        sys.exit("neither ortools nor aie4ml is installed: pip install ortools aie4ml==0.2.1 ml_dtypes")
    start = " and starts from aiec's placement" if arguments.warm else ""
    table = HEAD.format(start=start, **vars(arguments))
    for path in arguments.plans:
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        line = row(plan, path.rsplit("/", 1)[-1].removesuffix(".json"), arguments)
        print(line, end="", file=sys.stderr, flush=True)
        table += line
    if arguments.write:
        with open(arguments.write, "w", encoding="utf-8") as file:
            file.write(table)
    else:
        print(table, end="")


if __name__ == "__main__":
    main()
