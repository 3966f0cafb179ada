// The graph in layers: producers on the left of their consumers.
"use strict";

const graph = (() => {
  const { size, node: box } = view.graph;
  const it = pane("graph", "Graph", size, 44, "Graph. Arrow keys follow connections.");
  const head = { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" };
  draw(draw(draw(it.svg, "defs"), "marker", head), "path", { d: "M0,1L8,4L0,7z" });
  const layers = { edges: layer(it.svg, "lines"), nodes: layer(it.svg, "boxes") };
  const half = box[0] / 2;

  const curve = (from, to) => {
    const step = Math.max(Math.abs(to[0] - from[0]) / 2, 24);
    return `C${from[0] + step},${from[1]} ${to[0] - step},${to[1]} ${to[0]},${to[1]}`;
  };
  const forward = (from, to, bends) => {
    const points = [[from[0] + half, from[1]], ...bends, [to[0] - half, to[1]]];
    const way = points.slice(1).map((point, index) => curve(points[index], point));
    return `M${points[0].join()}${way.join("")}`;
  };
  // To a node that is not on the right: below both, and round.
  const back = (from, to) => {
    const low = Math.max(from[1], to[1]) + box[1];
    const [start, end, out] = [from[0] + half, to[0] - half, 36];
    return `M${start},${from[1]}C${start + out},${from[1]} ${start + out},${low} ${from[0]},${low}L${to[0]},${low}C${end - out},${low} ${end - out},${to[1]} ${end},${to[1]}`;
  };
  const paths = edges.map((edge, at) => {
    const [from, to] = [nodes[edge.from].at, nodes[edge.to].at];
    const path = draw(layers.edges.rest, "path", { class: "edge", d: to[0] > from[0] ? forward(from, to, edge.bends || []) : back(from, to), "data-edge": at });
    tip(path, `${edge.ports[0]} to ${edge.ports[1]}: ${edge.carries}`);
    return path;
  });
  const boxes = nodes.map((node, at) => {
    const group = draw(layers.nodes.rest, "g", { class: "node " + node.kind, "data-node": at });
    tip(group, node.name);
    const [x, y] = [node.at[0] - half, node.at[1] - box[1] / 2];
    draw(group, "rect", { x, y, width: box[0], height: box[1], rx: node.kind === "kernel" ? 4 : 10, fill: colours[at] && colours[at].fill });
    draw(group, "text", { x: node.at[0], y: node.at[1] + 4, class: colours[at] && colours[at].ink }, clip(node.name, 16));
    return group;
  });

  // The node beside a node: along connections, or the next one of its layer.
  const beside = (at, key) => {
    const mine = edgesOf[at].map((edge) => edges[edge]);
    if (key === "ArrowRight") return mine.filter((edge) => edge.from === at && edge.to !== at).map((edge) => edge.to)[0];
    if (key === "ArrowLeft") return mine.filter((edge) => edge.to === at && edge.from !== at).map((edge) => edge.from)[0];
    const sign = key === "ArrowDown" ? 1 : -1;
    let best;
    nodes.forEach((node, other) => {
      const way = (node.at[1] - nodes[at].at[1]) * sign;
      if (node.at[0] === nodes[at].at[0] && way > 0 && (best === undefined || way < (nodes[best].at[1] - nodes[at].at[1]) * sign)) best = other;
    });
    return best;
  };
  const revealNode = (node) => it.reveal(nodes[node].at[0], nodes[node].at[1], 0.7);
  return { ...it, layers, boxes, paths, beside, revealNode };
})();
