// Facts in words and tables: the selection, the tile under the pointer, collectives, cuts, search.
"use strict";

const facts = (() => {
  const report = view.report;
  const rows = (parent, pairs) => {
    const table = html(parent, "table");
    for (const [name, value] of pairs) {
      const row = html(table, "tr");
      html(row, "th", { scope: "row" }, name);
      const cell = html(row, "td");
      if (value instanceof Node) cell.appendChild(value);
      else cell.textContent = value;
    }
    return table;
  };
  const COUNTS = [["locks", "locks"], ["buffer descriptors", "bds"], ["S2MM channels", "s2mm"], ["MM2S channels", "mm2s"]];
  const use = (amount) => `${number(amount.used)} / ${number(amount.available)}`;
  const gauge = (amount) => {
    const span = html(null, "span", { class: "amount" });
    const bar = html(span, "span", { class: "gauge" });
    html(bar, "span", { style: `width:${Math.min(100, (100 * amount.used) / Math.max(amount.available, 1)).toFixed(1)}%;background:${heat(amount.used, amount.available)}` });
    span.append(" " + use(amount));
    return span;
  };
  const link = (text, target) => {
    const button = html(null, "button", { type: "button", class: "link" }, text);
    button.addEventListener("click", () => select(target));
    return button;
  };
  const list = (parent, items) => {
    const ul = html(parent, "ul");
    for (const item of items) html(ul, "li").append(...item);
    return ul;
  };

  const edgeFacts = (host, at) => {
    const edge = edges[at];
    html(host, "h2", { id: "selected" }, `${edge.ports[0]} \u2192 ${edge.ports[1]}`);
    const entry = report && report.connections[at];
    const times = report && report.estimate.connections[at];
    const pairs = [["from", link(nodes[edge.from].name, { node: edge.from })], ["to", link(nodes[edge.to].name, { node: edge.to })], ["carries", edge.carries]];
    if (edge.group !== undefined) pairs.push(["collective", view.groups[edge.group].name]);
    if (entry) pairs.push(["buffers", entry.buffers], ["by", times.way === "cascade" ? "cascade" : entry.by], ["hops", entry.hops === null ? "none" : entry.hops], ["bytes", number(times.bytes)], ["cycles of a window", number(times.window_cycles)], ["least between windows", number(times.bound_cycles)]);
    rows(host, pairs);
  };

  const nodeFacts = (host, at) => {
    const node = nodes[at];
    html(host, "h2", { id: "selected" }, node.name);
    const pairs = [["kind", node.kind === "kernel" ? `kernel of ${node.family}` : `${node.kind}, ${node.family}`]];
    if (node.source) pairs.push(["source", node.source]);
    const tile = view.positions && view.positions.tiles[at];
    if (tile) pairs.push(["tile", `(${tile.join(", ")})`]);
    const entry = report && node.kind === "kernel" && report.kernels[at];
    if (entry) pairs.push(["runs in an iteration", number(entry.repetitions)], ["stack and heap", `${number(entry.stack.stack_bytes)} + ${number(entry.stack.heap_bytes)} bytes`]);
    view.groups.forEach((group) => group.levels.forEach((level, depth) => {
      if (level.includes(at)) pairs.push([group.name, group.levels.length > 1 ? `level ${depth} of ${group.levels.length - 1}` : "a rank"]);
    }));
    html(host, "p", { id: "doing" });
    rows(host, pairs);
    const mine = edgesOf[at];
    html(host, "h3", {}, plural(mine.length, "connection"));
    const shown = mine.slice(0, 40).map((edge) => {
      const out = edges[edge].from === at;
      const [own, other] = out ? edges[edge].ports : [edges[edge].ports[1], edges[edge].ports[0]];
      return [link(`${own.startsWith(node.name + ".") ? own.slice(node.name.length + 1) : own} ${out ? "\u2192" : "\u2190"} ${other}`, { edge })];
    });
    if (mine.length > 40) shown.push([`${mine.length - 40} more`]);
    list(host, shown);
  };

  const selection = () => {
    const host = by("facts");
    host.replaceChildren();
    const chosen = state.selected;
    if (state.missing) html(host, "p", { id: "missing", role: "alert" }, `Nothing is called ${state.missing}.`);
    if (!chosen) summary(host);
    else if (chosen.node !== undefined) nodeFacts(host, chosen.node);
    else edgeFacts(host, chosen.edge);
  };

  const summary = (host) => {
    html(host, "h2", { id: "selected" }, view.name);
    const kernels = nodes.filter((node) => node.kind === "kernel").length;
    const pairs = [["device", view.device], ["kernels", number(kernels)], ["inputs, outputs", number(nodes.length - kernels)], ["connections", number(edges.length)]];
    if (view.routing) pairs.push(["nets", number(view.routing.nets.length)]);
    if (report) {
      const totals = report.totals;
      for (const [name, key] of [["cores", "cores"], ["bytes", "bytes"], ...COUNTS]) pairs.push([name, gauge(totals[key])]);
      report.collectives.forEach((entry, at) => pairs.push([entry.name, `${number(report.estimate.collectives[at].total_cycles)} cycles`]));
    }
    rows(host, pairs);
  };

  const tileFacts = () => {
    const host = by("tile");
    host.replaceChildren();
    const tile = state.tile;
    if (!tile || !floor) return;
    html(host, "h2", { id: "tile-name" }, `Tile (${tile.join(", ")})`);
    const same = (other) => other[0] === tile[0] && other[1] === tile[1];
    const here = floor.onTile.get(tile.join()) || [];
    if (here.length) list(host, here.map((kernel) => [link(nodes[kernel].name, { node: kernel })]));
    const entry = report && report.tiles.find((one) => same(one.tile));
    const module = view.routing.floorplan.modules.find((one) => same(one.tile));
    if (entry) {
      const streams = ["north", "south", "east", "west"].map((side) => ["wires " + side, gauge(entry.streams[side])]);
      const banks = entry.banks.map((bank, at) => ["bank " + at, gauge(bank)]);
      rows(host, [["bytes", gauge(entry.bytes)], ...banks, ...COUNTS.map(([name, key]) => [name, gauge(entry[key])]), ...streams]);
    } else if (module) {
      rows(host, [["bytes", gauge({ used: module.bytes, available: module.available })]]);
    } else {
      html(host, "p", {}, "Nothing lies here.");
    }
    const blocks = view.positions.blocks.filter((block) => same(block.at)).sort((a, b) => a.offset - b.offset);
    if (!blocks.length) return;
    html(host, "h3", {}, "Memory");
    const table = html(host, "table", { class: "blocks" });
    const head = html(table, "tr");
    ["offset", "bytes", "what"].forEach((name) => html(head, "th", { scope: "col" }, name));
    for (const block of blocks) {
      const row = html(table, "tr");
      [number(block.offset), number(block.bytes), block.what.replaceAll("`", "")].forEach((text) => html(row, "td", {}, String(text)));
    }
  };

  const groups = () => {
    const host = by("groups");
    if (!view.groups.length) return;
    html(host, "h2", {}, "Collectives by level");
    view.groups.forEach((group, at) => {
      const line = html(host, "p", { class: "levels" });
      html(line, "b", {}, group.name);
      line.append(` ${group.what} `);
      group.levels.forEach((level, depth) => {
        const button = html(line, "button", { type: "button", "data-level": `${at}:${depth}`, "aria-pressed": "false", title: `${plural(level.length, "kernel")} on level ${depth}` }, `${depth}: ${level.length}`);
        const colour = level.length && colours[level[0]];
        if (colour) button.style.borderLeft = `8px solid ${colour.fill}`;
        button.addEventListener("click", () => showLevel(state.level && state.level[0] === at && state.level[1] === depth ? null : [at, depth]));
      });
    });
  };

  const cuts = () => {
    if (!view.routing) return;
    const share = (cut) => cut.demand / Math.max(cut.capacity, 1);
    const full = view.routing.cuts.filter((cut) => cut.demand).sort((a, b) => share(b) - share(a)).slice(0, 8);
    if (!full.length) return;
    const host = by("cuts");
    html(host, "h2", {}, "Fullest cuts");
    rows(host, full.map((cut) => [cut.name, gauge({ used: cut.demand, available: cut.capacity })]));
  };

  return { selection, tileFacts, groups, cuts };
})();

// Search by name: nodes first, then connections by the names of their ports.
const search = (() => {
  const input = by("search");
  const found = by("found");
  const MOST = 14;
  let at = -1;
  const close = () => {
    found.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const matches = (text) => {
    const all = [];
    const part = text.trim().toLowerCase();
    if (!part) return all;
    const rank = (name) => (name.toLowerCase() === part ? 0 : name.toLowerCase().startsWith(part) ? 1 : 2);
    nodes.forEach((node, index) => {
      if (node.name.toLowerCase().includes(part)) all.push({ name: node.name, target: { node: index }, rank: rank(node.name) });
    });
    edges.forEach((edge, index) => {
      const name = edgeName(edge);
      if (name.toLowerCase().includes(part)) all.push({ name, target: { edge: index }, rank: 3 });
    });
    return all.sort((a, b) => a.rank - b.rank);
  };
  const choose = (option) => {
    if (!option) return;
    select(option.target);
    close();
  };
  let options = [];
  const list = () => {
    const all = matches(input.value);
    options = all.slice(0, MOST);
    found.replaceChildren();
    options.forEach((option, index) => {
      const item = html(found, "li", { role: "option", id: "found-" + index, "aria-selected": String(index === at) }, option.name);
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        choose(option);
      });
    });
    if (input.value.trim()) {
      const more = all.length - options.length;
      if (!all.length) html(found, "li", { class: "more" }, "No such name.");
      else if (more) html(found, "li", { class: "more" }, `${more} more`);
    }
    found.hidden = !input.value.trim();
    input.setAttribute("aria-expanded", String(!found.hidden));
    if (at >= 0) input.setAttribute("aria-activedescendant", "found-" + at);
  };
  input.addEventListener("input", () => {
    at = -1;
    list();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      at = options.length ? (at + step + options.length) % options.length : -1;
      list();
      event.preventDefault();
    } else if (event.key === "Enter") {
      choose(options[Math.max(at, 0)]);
    } else if (event.key === "Escape") {
      // The list closes first, and the next Esc selects nothing.
      if (!found.hidden) event.stopPropagation();
      close();
      input.blur();
    }
  });
  return { focus: () => input.focus(), list: (text) => { input.value = text; list(); } };
})();
