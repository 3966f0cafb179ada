// What all scripts of the page share: its data, the state, and ways to make elements.
"use strict";

const view = JSON.parse(document.getElementById("data").textContent);
const { nodes, edges } = view.graph;
const byName = new Map(nodes.map((node, at) => [node.name, at]));
// Edges of each node, as positions.
const edgesOf = nodes.map(() => []);
edges.forEach((edge, at) => {
  edgesOf[edge.from].push(at);
  if (edge.to !== edge.from) edgesOf[edge.to].push(at);
});

// What is chosen. `selected` is {node} or {edge}, by position, or null. `missing` is the name that
// a link asks for and nothing has.
const state = { selected: null, missing: null, level: null, tile: null, time: 0, layers: new Set(), group: 0 };

function make(parent, namespace, name, attributes, text) {
  const element = namespace ? document.createElementNS(namespace, name) : document.createElement(name);
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value);
  }
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}
const html = (parent, name, attributes, text) => make(parent, "", name, attributes, text);
const draw = (parent, name, attributes, text) => make(parent, "http://www.w3.org/2000/svg", name, attributes, text);
const tip = (element, text) => draw(element, "title", {}, text);
const by = (id) => document.getElementById(id);
const plural = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;
const number = (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");

// The colour of a load: pale for little, red for all, purple for more than there is.
function heat(used, capacity) {
  if (used > capacity) return "var(--over)";
  const share = used / Math.max(capacity, 1);
  return `hsl(${Math.round(52 - 46 * share)}, 90%, ${Math.round(74 - 22 * share)}%)`;
}

// Groups of one colour: collectives, then families of kernels outside them.
const HUES = [212, 28, 150, 280, 340, 60, 185, 110];
const colours = (() => {
  const keys = new Map(view.groups.map((group, at) => ["group " + at, at]));
  const levelOf = new Map();
  view.groups.forEach((group, at) => group.levels.forEach((level, depth) => level.forEach((kernel) => {
    if (!levelOf.has(kernel)) levelOf.set(kernel, [at, depth, group.levels.length - 1]);
  })));
  return nodes.map((node, at) => {
    if (node.kind !== "kernel") return null;
    const [group, depth, deepest] = levelOf.get(at) || [null, 0, 0];
    const key = group === null ? "family " + node.family : "group " + group;
    if (!keys.has(key)) keys.set(key, keys.size);
    const light = deepest ? 42 + Math.round((44 * depth) / deepest) : 66;
    return { fill: `hsl(${HUES[keys.get(key) % HUES.length]}, 58%, ${light}%)`, ink: light < 60 ? "light" : "dark" };
  });
})();

// The name as short as it is clear: the indices of an instance, without its family.
function short(node) {
  const many = node.kind === "kernel" && node.name.endsWith("]");
  if (many) return node.name.slice(node.name.indexOf("[")).replaceAll("][", ",").replace(/[[\]]/g, "");
  return node.name;
}

// At most `most` letters. Names differ at their ends, which hold indices and kernels of components.
function clip(text, most) {
  if (text.length <= most) return text;
  const start = Math.floor((most - 1) / 3);
  return text.slice(0, start) + "\u2026" + text.slice(start + 1 - most);
}
