#!/usr/bin/env python3
"""What OR-tools CP-SAT finds for the tile problem of a design, to compare with aiec. Not part of the tests.

    pip install ortools
    aiec place design.dsl --json plan.json
    tools/placement_cp_sat.py plan.json --seconds 60 --workers 2

In comes the floorplan that `aiec place --json` writes; out goes the number of connections through DMA of the best assignment of
kernels to tiles that CP-SAT finds, and its own bound. Memory, channels and routes are not looked at, which makes its task
easier than aiec's. Connections that aiec may never share (inputs, outputs, broadcasts) are taken from the floorplan.
"""

import argparse
import json
from collections import Counter

from ortools.sat.python import cp_model


def reach(column, row, columns, rows):
    """Modules a core reaches on an AIE1 array: its own, above, below, and west on even rows or east on odd ones (AM009)."""
    side = column - 1 if row % 2 == 0 else column + 1
    near = [(column, row), (column, row + 1), (column, row - 1), (side, row)]
    return {(c, r) for c, r in near if 0 <= c < columns and 0 <= r < rows}


def kernel_of(port):
    """The kernel of a port such as `worker[3].total_in0`."""
    return port.rsplit(".", 1)[0]


def pairs_of(plan):
    """Connections between kernels that could share memory, and how many never can."""
    sinks = Counter(line["from"]["port"] for line in plan["lines"])
    pairs, always = Counter(), 0
    for line in plan["lines"]:
        inside = line["from"]["row"] is not None and line["to"]["row"] is not None
        ends = tuple(sorted((kernel_of(line["from"]["port"]), kernel_of(line["to"]["port"]))))
        if not inside or sinks[line["from"]["port"]] > 1:
            always += 1
        elif ends[0] != ends[1]:
            pairs[ends] += 1
    return pairs, always


def model_of(plan, pairs):
    """One Boolean for a kernel on a tile, one for each pair that shares: then the tiles of both are partners."""
    columns, rows = plan["columns"], plan["rows"]
    tiles = [(c, r) for c in range(columns) for r in range(rows)]
    reached = {tile: reach(*tile, columns, rows) for tile in tiles}
    partners = {a: [b for b in tiles if a != b and reached[a] & reached[b]] for a in tiles}
    model = cp_model.CpModel()
    on = {(k["name"], t): model.new_bool_var("") for k in plan["kernels"] for t in tiles}
    for kernel in plan["kernels"]:
        model.add_exactly_one(on[kernel["name"], tile] for tile in tiles)
        here = tuple(kernel["tile"])
        for tile in tiles:
            model.add_hint(on[kernel["name"], tile], tile == here)
    for tile in tiles:
        model.add_at_most_one(on[kernel["name"], tile] for kernel in plan["kernels"])
    cost = []
    for (a, b), connections in pairs.items():
        cut = model.new_bool_var("")
        for tile in tiles:
            model.add_bool_or([on[a, tile].negated(), cut] + [on[b, other] for other in partners[tile]])
        cost.append(connections * cut)
    model.minimize(sum(cost))
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plan", help="what `aiec place --json` wrote")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cold", action="store_true", help="do not start from aiec's placement")
    arguments = parser.parse_args()
    with open(arguments.plan, encoding="utf-8") as file:
        plan = json.load(file)
    pairs, always = pairs_of(plan)
    model = model_of(plan, pairs)
    if arguments.cold:
        model.clear_hints()
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = arguments.seconds
    solver.parameters.num_workers = arguments.workers
    status = solver.solve(model)
    ours = plan["placement"]
    print(f"aiec:   {ours['connections']} by DMA, at least {ours['bound']}")
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        best, least = round(solver.objective_value), round(solver.best_objective_bound)
        print(f"CP-SAT: {always + best} by DMA, at least {always + least}, {solver.wall_time:.1f} s")
    else:
        print(f"CP-SAT: nothing found in {solver.wall_time:.1f} s")


if __name__ == "__main__":
    main()
