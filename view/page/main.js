// Selection, links into a view, keys, layers, theme, and the times of the page itself.
"use strict";

const edgeName = (edge) => `${edge.ports[0]} -> ${edge.ports[1]}`;

// What belongs to the selection.
function related() {
  const chosen = state.selected;
  const all = { nodes: new Set(), edges: new Set(), main: null };
  if (state.level) view.groups[state.level[0]].levels[state.level[1]].forEach((node) => all.nodes.add(node));
  if (!chosen) return all;
  if (chosen.node !== undefined) {
    all.main = chosen.node;
    all.nodes.add(chosen.node);
    for (const edge of edgesOf[chosen.node]) {
      all.edges.add(edge);
      all.nodes.add(edges[edge].from).add(edges[edge].to);
    }
  } else {
    all.edges.add(chosen.edge);
    all.nodes.add(edges[chosen.edge].from).add(edges[chosen.edge].to);
  }
  return all;
}

// Shows what belongs to the selection in both pictures.
function mark() {
  const all = related();
  const some = all.nodes.size + all.edges.size > 0;
  const inOrder = (set) => [...set].sort((a, b) => a - b);
  const [ends, lines] = [inOrder(all.nodes), inOrder(all.edges)];
  graph.layers.nodes.light(some, ends.map((node) => graph.boxes[node]), graph.boxes[all.main]);
  graph.layers.edges.light(some, lines.map((edge) => graph.paths[edge]));
  if (floor) {
    const group = (node) => floor.boxes[node] && floor.boxes[node].group;
    const isOn = (block) => block.kernel === all.main || (block.edges || []).some((edge) => all.edges.has(edge));
    floor.layers.boxes.light(some, ends.map(group), group(all.main));
    floor.layers.shared.light(some, lines.map((edge) => floor.lines[edge]));
    floor.layers.nets.light(some, lines.flatMap((edge) => floor.netsOf[edge]).map(([net]) => floor.nets[net]));
    floor.layers.buffers.light(some, floor.blockBoxes.filter((_, at) => some && isOn(view.positions.blocks[at])));
    floor.layers.heat.light(some, []);
  }
  by("groups").querySelectorAll("[data-level]").forEach((button) => {
    button.setAttribute("aria-pressed", String(state.level !== null && button.dataset.level === state.level.join(":")));
  });
}

// Chooses a node or an edge, and shows it in every part of the page.
function select(target, from) {
  state.selected = target;
  state.missing = null;
  const node = target && (target.node !== undefined ? target.node : edges[target.edge].from);
  if (node !== null) {
    if (from !== graph) graph.revealNode(node);
    if (floor) {
      if (from !== floor) floor.revealNode(node);
      const tile = view.positions.tiles[node];
      if (tile) floor.point(tile);
    }
  }
  mark();
  facts.selection();
  facts.tileFacts();
  if (time) time.word();
  link();
}

function selectNothing() {
  state.level = null;
  select(null);
}

function showLevel(level) {
  state.level = level;
  mark();
  link();
}

// The address of what the page shows, in its fragment. Browsers bound how often it changes.
let linked = null;
function link() {
  clearTimeout(linked);
  linked = setTimeout(address, 200);
}

function address() {
  const parts = new URLSearchParams();
  const chosen = state.selected;
  if (chosen) parts.set("select", chosen.node !== undefined ? nodes[chosen.node].name : edgeName(edges[chosen.edge]));
  if (state.level) parts.set("level", `${view.groups[state.level[0]].name}:${state.level[1]}`);
  if (state.time) parts.set("time", String(state.time));
  const hidden = [...document.querySelectorAll("#layers input:not(:checked)")].map((box) => box.value);
  if (hidden.length) parts.set("hide", hidden.join());
  const theme = document.documentElement.dataset.theme;
  if (theme) parts.set("theme", theme);
  try {
    history.replaceState(null, "", "#" + parts.toString().replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("%3A", ":").replaceAll("%2C", ","));
  } catch {
    // A viewer may forbid it. The page works without links.
  }
}

// What a fragment asks for: its names as they are written in the design.
function follow() {
  const text = location.hash.slice(1).replaceAll("+", "%20");
  const parts = new Map(text.split("&").filter(Boolean).map((part) => {
    const [name, ...value] = part.split("=");
    const words = value.join("=");
    try {
      return [name, decodeURIComponent(words)];
    } catch {
      return [name, words];
    }
  }));
  if (parts.has("theme")) setTheme(parts.get("theme"));
  if (parts.has("hide")) {
    const hidden = parts.get("hide").split(",");
    document.querySelectorAll("#layers input").forEach((box) => {
      box.checked = !hidden.includes(box.value);
      box.dispatchEvent(new Event("change"));
    });
  }
  if (parts.has("level")) {
    const [name, depth] = [parts.get("level").replace(/:[^:]*$/, ""), Number(parts.get("level").split(":").pop())];
    const group = view.groups.findIndex((one) => one.name === name);
    if (group >= 0 && view.groups[group].levels[depth]) state.level = [group, depth];
  }
  if (parts.has("time") && time) time.set(Number(parts.get("time")) || 0);
  if (parts.has("search")) search.list(parts.get("search"));
  const name = parts.get("select");
  const edge = name === undefined ? -1 : edges.findIndex((one) => edgeName(one) === name);
  if (name !== undefined && byName.has(name)) select({ node: byName.get(name) });
  else if (edge >= 0) select({ edge });
  else if (name) {
    state.selected = null;
    state.missing = name;
    facts.selection();
  }
  say("");
  mark();
  // A browser that prints the elements of a page does so when the page is loaded, painted or not.
  if (parts.has("measure")) {
    if (document.readyState === "complete") painted(measure);
    else window.addEventListener("load", measure, { once: true });
  }
}

const THEMES = ["", "light", "dark"];
function setTheme(name) {
  const theme = THEMES.includes(name) ? name : "";
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  by("theme").textContent = `Theme: ${theme || "system"}`;
  if (time) time.paint();
}

// Does something when the page is painted, as a reader does.
function painted(action) {
  requestAnimationFrame(() => setTimeout(action));
}

// Times of the page itself: its first paint, and with `measure` the selection of every node.
// A browser that prints the page's elements paints nothing: then the time counts when all is laid
// out.
let first = ["", 0];
let measured = false;
function measure() {
  measured = true;
  const before = state.selected;
  const times = nodes.map((_, node) => {
    const begin = performance.now();
    select({ node });
    // The layout that the browser must do before it draws.
    graph.svg.getBoundingClientRect();
    return performance.now() - begin;
  });
  select(before);
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  say(times.length ? `${plural(times.length, "selection")}: median ${at(0.5)} ms, slowest ${at(1)} ms.` : "");
}

// A line at the foot of the page, behind the time of the first paint.
function say(text) {
  by("measure").textContent = `${first[0]} after ${Math.round(first[1])} ms. ${text}`;
}

(() => {
  const kernels = plural(nodes.filter((node) => node.kind === "kernel").length, "kernel");
  const end = !view.positions ? "no placement" : view.report ? `${view.report.placement.connections} by DMA` : "not routed";
  by("verdict").textContent = `on ${view.device}: ${kernels}, ${plural(edges.length, "connection")}, ${end}`;
  if (view.messages) {
    by("messages").textContent = view.messages;
    by("messages").hidden = false;
  }
  document.body.classList.toggle("unplaced", !floor);
  if (floor) document.body.classList.toggle("stacked", floor.aspect > 2.4);
  else by("floor").remove();

  const LAYERS = floor ? ["nets", "shared", "heat", "cuts", "buffers"] : [];
  for (const name of LAYERS) {
    const label = html(by("layers"), "label");
    const box = html(label, "input", { type: "checkbox", value: name, checked: "" });
    label.append(" " + name);
    const layer = floor.svg.querySelector(`[data-layer=${name}]`);
    box.addEventListener("change", () => {
      layer.style.display = box.checked ? "" : "none";
    });
    box.addEventListener("click", link);
  }
  by("theme").addEventListener("click", () => {
    setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme || "") + 1) % THEMES.length]);
    link();
  });
  const keys = [["/", "search"], ["Tab", "from picture to picture"], ["Arrows", "tile to tile, or along connections of the graph"], ["Enter", "select what is on the tile"], ["+ \u2212 0", "closer, farther, whole picture"], ["[ ]", "back and forth in time"], ["Esc", "select nothing"]];
  for (const [key, what] of keys) {
    const line = html(by("keys"), "span");
    html(line, "kbd", {}, key);
    line.append(" " + what);
  }
  const help = () => {
    by("keys").hidden = !by("keys").hidden;
    by("help").setAttribute("aria-expanded", String(!by("keys").hidden));
  };
  by("help").addEventListener("click", help);

  // What is under the pointer, or a few pixels beside it: lines are thin.
  const under = (event) => {
    const thing = (element) => element && element.closest("[data-node],[data-edge],[data-net],[data-block]");
    const around = [1, 2, 3, 4].flatMap((by) => [[by, 0], [-by, 0], [0, by], [0, -by]]);
    const beside = around.map(([dx, dy]) => document.elementFromPoint(event.clientX + dx, event.clientY + dy));
    return [event.target, ...beside].map(thing).find(Boolean);
  };
  const picked = (pane, event) => {
    if (pane.wasMoved()) return;
    const hit = under(event);
    if (!hit) return select(null);
    const { node, edge, net, block } = hit.dataset;
    if (node !== undefined) select({ node: Number(node) }, pane);
    else if (edge !== undefined) select({ edge: Number(edge) }, pane);
    else if (net !== undefined && floor.edgesOfNet[net].length) select({ edge: floor.edgesOfNet[net][0] }, pane);
    else if (block !== undefined) {
      const { edges: through, kernel } = view.positions.blocks[block];
      select(through ? { edge: through[0] } : { node: kernel }, pane);
    }
  };
  graph.frame.addEventListener("click", (event) => picked(graph, event));
  graph.svg.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const chosen = state.selected;
    const now = chosen ? (chosen.node !== undefined ? chosen.node : edges[chosen.edge].to) : null;
    const next = now === null ? 0 : graph.beside(now, event.key);
    if (next !== undefined && nodes.length) select({ node: next });
  });
  if (floor) {
    floor.frame.addEventListener("click", (event) => picked(floor, event));
    floor.frame.addEventListener("pointermove", (event) => {
      if (event.buttons) return;
      const tile = floor.tileAt(floor.place(event));
      if (!tile || (state.tile && tile.join() === state.tile.join())) return;
      floor.point(tile);
      facts.tileFacts();
    });
    const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    floor.svg.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (step) {
        const [column, row] = state.tile || [floor.first - step[0], -step[1]];
        floor.point([Math.min(Math.max(column + step[0], floor.first), floor.last), Math.min(Math.max(row + step[1], 0), floor.array.rows - 1)]);
        facts.tileFacts();
      } else if ((event.key === "Enter" || event.key === " ") && state.tile) {
        const here = floor.onTile.get(state.tile.join()) || [];
        const now = here.indexOf(state.selected ? state.selected.node : undefined);
        if (here.length) select({ node: here[(now + 1) % here.length] }, floor);
      } else return;
      event.preventDefault();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") selectNothing();
    else if (event.target.closest("input, select, textarea")) return;
    else if (event.key === "/") search.focus();
    else if (event.key === "?") help();
    else if ((event.key === "[" || event.key === "]") && time) {
      time.set(state.time + (event.key === "]" ? 1 : -1) * Math.max(1, Math.round(view.run.end / 100)));
      link();
    } else return;
    event.preventDefault();
  });

  facts.groups();
  facts.cuts();
  facts.selection();
  if (time) {
    time.paint();
    time.show();
  }
  for (const picture of [graph, floor]) {
    if (picture) picture.measure();
  }
  first = ["Drawn", performance.now()];
  follow();
  window.addEventListener("hashchange", follow);
  painted(() => {
    const entry = performance.getEntriesByName("first-contentful-paint")[0];
    const said = by("measure").textContent.replace(/^.*? ms\. /, "");
    // A paint that waited for the selections says nothing of the page.
    if (entry && !measured) first = ["First paint", entry.startTime];
    say(said);
  });
})();
