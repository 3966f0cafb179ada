// The array: tiles with kernels, modules with buffers, wires with their load, nets and cuts.
"use strict";

const PITCH = 100;
const TILE = 66;
const GAP = PITCH - TILE;
const CORE = 36;

const floor = view.positions && (() => {
  const { positions, routing } = view;
  const { array, tiles, shims, blocks, nets_of: netsOf } = positions;
  const kernels = tiles.length;
  const columns = [
    ...tiles.map((tile) => tile[0]),
    ...blocks.map((block) => block.at[0]),
    ...routing.floorplan.externals.map((external) => external.column),
    ...routing.nets.flatMap((net) => net.hops.flatMap((hop) => [hop.from[0], hop.to[0]])),
  ];
  const first = columns.reduce((low, column) => Math.min(low, column), array.columns - 1);
  const last = columns.reduce((high, column) => Math.max(high, column), first);
  const top = array.rows - 1 + array.first_row;
  const width = (last - first + 1) * PITCH;
  const height = (top + 1) * PITCH;
  const x = (column) => (column - first) * PITCH + GAP / 2;
  // The upper edge of a row of switches.
  const y = (row) => (top - row) * PITCH + GAP / 2;
  const yOf = (tile) => y(tile[1] + array.first_row);
  // A switch lies below the left corner of its tile.
  const wire = ([column, row], aside = 0) => [x(column) - GAP / 2 + aside, y(row) + TILE + GAP / 2 + aside];

  const size = [width + 120, height + 68];
  const it = pane("floor", "Array", size, 6, "Array. Arrow keys move from tile to tile, Enter selects.");
  const root = draw(it.svg, "g", { transform: "translate(40 40)" });
  // Later layers lie above: no line runs over a name or number.
  const tileLayer = draw(root, "g");
  const layers = {
    heat: layer(root, "heat", "heat"),
    buffers: layer(root, "buffers", "buffers"),
    shared: layer(root, "lines", "shared"),
    nets: layer(root, "lines", "nets"),
    boxes: layer(root, "boxes"),
  };
  const cutLayer = draw(root, "g", { "data-layer": "cuts" });
  const cursor = draw(root, "rect", { class: "cursor", width: TILE + 12, height: TILE + 12, rx: 8, visibility: "hidden" });

  // Axes and empty tiles. Numbers of columns lie below the bars between the switches of their row.
  for (let column = first; column <= last; column += 1) {
    draw(tileLayer, "text", { class: "axis", x: x(column) + TILE / 2, y: y(0) + TILE + 44 }, String(column));
    for (let row = 0; row < array.rows; row += 1) {
      const at = y(row + array.first_row);
      draw(tileLayer, "rect", { class: "tile", x: x(column), y: at, width: TILE, height: TILE, rx: 5 });
    }
  }
  for (let row = 0; row < array.rows; row += 1) {
    draw(tileLayer, "text", { class: "axis", x: -22, y: y(row + array.first_row) + TILE / 2 + 5 }, String(row));
  }

  // Kernels; those on one core share its box.
  const onTile = new Map();
  tiles.forEach((tile, kernel) => {
    const key = tile.join();
    if (!onTile.has(key)) onTile.set(key, []);
    onTile.get(key).push(kernel);
  });
  const boxes = [];
  for (const here of onTile.values()) {
    here.forEach((kernel, place) => {
      const [left, up] = [x(tiles[kernel][0]), yOf(tiles[kernel])];
      const tall = CORE / here.length;
      const group = draw(layers.boxes.rest, "g", { class: "kernel", "data-node": kernel });
      tip(group, `${nodes[kernel].name} on (${tiles[kernel].join(", ")})`);
      draw(group, "rect", { x: left, y: up + place * tall, width: TILE, height: tall, rx: 5, fill: colours[kernel].fill });
      const label = clip(short(nodes[kernel]), 9);
      const size = Math.min(20, tall - 2, 108 / Math.max(label.length, 1));
      draw(group, "text", { x: left + TILE / 2, y: up + (place + 0.5) * tall + size * 0.36, "font-size": size, class: colours[kernel].ink }, label);
      boxes[kernel] = { group, at: [left + TILE / 2, up + (place + 0.5) * tall] };
    });
  }

  // Modules: banks as lines, blocks from the first byte on the left to the last on the right.
  const blockBoxes = [];
  const blocksOf = edges.map(() => ({ from: [], to: [] }));
  const fill = TILE / array.module_bytes;
  for (const tile of new Set(blocks.map((block) => block.at.join()))) {
    const at = tile.split(",").map(Number);
    const up = yOf(at) + CORE + 4;
    draw(layers.buffers.rest, "rect", { class: "module", x: x(at[0]), y: up, width: TILE, height: TILE - CORE - 4, rx: 3 });
  }
  blocks.forEach((block, index) => {
    const left = x(block.at[0]) + block.offset * fill;
    const up = yOf(block.at) + CORE + 6;
    const wide = Math.max(block.bytes * fill - 0.5, 0.8);
    const kind = block.edges ? "block" : "block stack";
    const box = draw(layers.buffers.rest, "rect", { class: kind, x: left, y: up, width: wide, height: TILE - CORE - 8, "data-block": index });
    tip(box, `${block.what}: ${number(block.bytes)} bytes at ${block.offset}`);
    blockBoxes.push(box);
    const at = [left + wide / 2, up + (TILE - CORE - 8) / 2];
    for (const edge of block.edges || []) {
      if (block.kernel === edges[edge].from) blocksOf[edge].from.push(at);
      if (block.kernel === edges[edge].to) blocksOf[edge].to.push(at);
    }
  });
  for (const tile of new Set(blocks.map((block) => block.at.join()))) {
    const at = tile.split(",").map(Number);
    const up = yOf(at) + CORE + 4;
    const lines = Array.from({ length: array.banks - 1 }, (_, bank) => `M${x(at[0]) + ((bank + 1) * TILE) / array.banks},${up}v${TILE - CORE - 4}`);
    draw(layers.buffers.host, "path", { class: "banks", d: lines.join("") });
  }

  // Inputs and outputs, in their columns of the interface row.
  const externals = new Map(routing.floorplan.externals.map((external) => [external.name, external]));
  const inColumn = new Map();
  nodes.slice(kernels).forEach((node, at) => {
    if (!externals.has(node.name)) return;
    const column = shims[at];
    if (!inColumn.has(column)) inColumn.set(column, []);
    inColumn.get(column).push(kernels + at);
  });
  for (const [column, here] of inColumn) {
    here.forEach((at, place) => {
      const tall = Math.min(22, TILE / here.length);
      const up = y(0) + place * tall;
      const group = draw(layers.boxes.rest, "g", { class: "external", "data-node": at });
      tip(group, `${nodes[at].name}: ${nodes[at].kind}, ${nodes[at].family}, column ${column}`);
      draw(group, "rect", { x: x(column), y: up, width: TILE, height: Math.max(tall - 2, 1), rx: 3 });
      const size = Math.min(13, tall - 3);
      if (size > 4) draw(group, "text", { x: x(column) + TILE / 2, y: up + tall / 2 + size * 0.3, "font-size": size }, clip(nodes[at].name, 10));
      boxes[at] = { group, at: [x(column) + TILE / 2, up + tall / 2] };
    });
  }

  // The load of the wires between switches, each direction on its side of the gap.
  for (const edge of routing.edges) {
    const [from, to] = [wire(edge.from), wire(edge.to)];
    const [dx, dy] = [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
    const [aside, long, wide] = [6, PITCH - 16, 9];
    const middle = [(from[0] + to[0]) / 2 - dy * aside, (from[1] + to[1]) / 2 + dx * aside];
    const size = dx ? [long, wide] : [wide, long];
    const box = draw(layers.heat.rest, "rect", { x: middle[0] - size[0] / 2, y: middle[1] - size[1] / 2, width: size[0], height: size[1], rx: 3, fill: heat(edge.used, edge.capacity) });
    tip(box, `(${edge.from.join(", ")}) to (${edge.to.join(", ")}): ${edge.used} of ${edge.capacity} wires`);
  }

  // Ends of a connection: its buffer, else its kernel, input or output.
  const anchor = (edge, side) => {
    const node = edges[edge][side];
    return blocksOf[edge][side][0] || (boxes[node] && boxes[node].at);
  };
  const path = (points) => "M" + points.map((point) => point.map((value) => value.toFixed(1)).join()).join("L");

  // Shared memory and cascades: from core to core, through the buffer.
  const lines = [];
  edges.forEach((edge, at) => {
    const plan = routing.floorplan.lines[at];
    const cascade = edge.carries.startsWith("cascade");
    if (!cascade && !(plan && plan.by === "shared")) return;
    const ends = [boxes[edge.from], boxes[edge.to]];
    if (!ends[0] || !ends[1]) return;
    const points = [ends[0].at, ...blocksOf[at].to.slice(0, 1), ends[1].at];
    lines[at] = draw(layers.shared.rest, "path", { class: cascade ? "cascade" : "line", d: path(points), "data-edge": at });
    tip(lines[at], `${edge.ports[0]} to ${edge.ports[1]}: ${cascade ? "cascade" : "shared memory"}`);
  });

  // Nets: from buffer to buffer along their hops. Without a routing, straight, and only those that
  // must cross the full line, if there is one.
  const overfull = routing.cuts.filter((cut) => cut.demand > cut.capacity).sort((a, b) => b.demand - b.capacity - (a.demand - a.capacity));
  const wanted = overfull.length ? new Set(overfull[0].nets || []) : null;
  const edgesOfNet = routing.nets.map(() => []);
  netsOf.forEach((way, edge) => way.forEach(([net]) => edgesOfNet[net].push(edge)));
  const nets = routing.nets.map((net, index) => {
    if (!routing.routed && wanted && !wanted.has(index)) return null;
    const mine = edgesOfNet[index];
    const aside = ((index % 9) - 4) * 1.5;
    const parts = [];
    const straight = !routing.routed && !net.hops.length;
    net.hops.forEach((hop) => parts.push(path([wire(hop.from, aside), wire(hop.to, aside)])));
    // A net may also begin and end at FIFOs.
    const begins = mine.length && netsOf[mine[0]][0][0] === index;
    const source = begins ? anchor(mine[0], "from") : null;
    const ending = mine.filter((edge) => netsOf[edge].at(-1)[0] === index);
    if (source && !straight) parts.push(path([source, wire(net.source.switch, aside)]));
    ending.forEach((edge) => {
      const end = anchor(edge, "to");
      const from = straight ? source : wire(net.sinks[netsOf[edge].at(-1)[1]].switch, aside);
      if (end && from) parts.push(path([from, end]));
    });
    const group = draw(layers.nets.rest, "g", { class: straight ? "net wanted" : "net", "data-net": index });
    const outside = mine.some((edge) => edges[edge].from >= kernels || edges[edge].to >= kernels);
    draw(group, "path", { d: parts.join(""), class: outside ? "outside" : "" });
    if (source) draw(group, "circle", { cx: source[0], cy: source[1], r: 2.5, class: "start" });
    ending.forEach((edge) => {
      const end = anchor(edge, "to");
      if (end) draw(group, "circle", { cx: end[0], cy: end[1], r: 2.5, class: "end" });
    });
    tip(group, `${net.name}: ${net.hops.length ? plural(net.hops.length, "hop") : "no hop"}`);
    return group;
  });

  // Cuts: bars above the columns and beside the rows; an overfull one is a line across the array.
  for (const cut of routing.cuts) {
    const { column, row, region, area } = cut.boundary;
    const over = cut.demand > cut.capacity;
    if (!cut.demand) continue;
    const group = draw(cutLayer, "g", { class: over ? "cut over" : "cut" });
    tip(group, `${cut.name}: ${plural(cut.demand, "net")} must cross, ${cut.used} of ${cut.capacity} wires are used`);
    const bar = (left, up, arrow) => {
      draw(group, "rect", { x: left, y: up, width: 34, height: 14, rx: 2, fill: heat(cut.demand, cut.capacity) });
      draw(group, "text", { x: left + 17, y: up + 11 }, arrow.replace("#", cut.demand));
    };
    if (column) {
      const at = x(column.column) + (column.towards === "east" ? TILE + GAP / 2 : -GAP / 2);
      bar(at - 17, column.towards === "east" ? -34 : -18, column.towards === "east" ? "#\u2192" : "\u2190#");
      if (over) draw(group, "path", { class: "across", d: `M${at},-4V${height}` });
    } else if (row) {
      const at = y(row.row) + (row.towards === "north" ? -GAP / 2 : TILE + GAP / 2);
      bar(width + (row.towards === "north" ? 2 : 38), at - 7, row.towards === "north" ? "#\u2191" : "#\u2193");
      if (over) draw(group, "path", { class: "across", d: `M0,${at}H${width}` });
    } else if (over) {
      const inside = area ? area.switches.map((spot) => [spot, spot]) : [[region.low, region.high]];
      for (const [low, high] of inside) {
        draw(group, "rect", { class: "across", x: x(low[0]) - GAP / 2, y: y(high[1]) - GAP / 2, width: (high[0] - low[0] + 1) * PITCH, height: (high[1] - low[1] + 1) * PITCH });
      }
    }
  }

  const tileAt = (point) => {
    const column = Math.floor((point.x - 40) / PITCH) + first;
    const row = top - Math.floor((point.y - 40) / PITCH) - array.first_row;
    return column >= first && column <= last && row >= 0 && row < array.rows ? [column, row] : null;
  };
  const point = (tile) => {
    state.tile = tile;
    cursor.setAttribute("visibility", tile ? "visible" : "hidden");
    if (!tile) return;
    cursor.setAttribute("x", x(tile[0]) - 6);
    cursor.setAttribute("y", yOf(tile) - 6);
  };
  const reveal = (node) => {
    if (boxes[node]) it.reveal(boxes[node].at[0] + 40, boxes[node].at[1] + 40, 0.22);
  };
  const aspect = size[0] / size[1];
  return { ...it, layers, boxes, blockBoxes, lines, nets, netsOf, edgesOfNet, onTile, first, last, array, overfull, tileAt, point, revealNode: reveal, aspect };
})();
