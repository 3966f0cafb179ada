//! The places of nodes and edges in layers from left to right (Sugiyama, Tagawa and Toda, 1981).
//!
//! Takes the edges of a graph and returns places in pixels, the same ones in every run. Back edges
//! of a depth-first search are turned round; layers are longest paths; barycentres order each
//! layer; isotonic regression (pool adjacent violators) gives the heights. Connected parts are
//! laid out one by one and packed into columns. A long part is folded like text.
//!
//! rust-sugiyama 0.4 does most of this, but its places differ from run to run. elkjs would add
//! 1.6 MB to every page.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

/// Width and height of a node.
pub(crate) const NODE: [f64; 2] = [104.0, 20.0];
/// Least distance of layers.
const LAYER: f64 = 156.0;
/// Distance of neighbours in a layer.
const ROW: f64 = 26.0;
/// Distance of an edge that crosses a layer from its neighbours there.
const LANE: f64 = 10.0;
/// Distance between parts, and between the lines of a folded part.
const GAP: f64 = 40.0;
/// Width over height that a picture should have.
const ASPECT: f64 = 1.6;
/// Most layers between the ends of an edge that keeps its place in each of them. Longer ones are
/// single curves: their places would be more than the nodes.
const SPAN: usize = 8;
/// Most layers that always stay on one line.
const LINE: usize = 16;
/// Times that the layers are ordered, and that heights are settled.
const SWEEPS: usize = 12;

/// Places of nodes and edges, in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    /// The centre of each node.
    pub(crate) at: Vec<[f64; 2]>,
    /// Places between the ends of each edge.
    pub(crate) bends: Vec<Vec<[f64; 2]>>,
    /// Width and height of the picture.
    pub(crate) size: [f64; 2],
}

/// The layout of `nodes` nodes with these edges. An edge from a node to itself has no bends.
pub(crate) fn layout(nodes: usize, edges: &[(usize, usize)]) -> Layout {
    let mut whole =
        Layout { at: vec![[0.0; 2]; nodes], bends: vec![Vec::new(); edges.len()], size: [0.0; 2] };
    let parts = parts(nodes, edges);
    let laid: Vec<Layout> = parts.iter().map(lay).collect();
    let boxes: Vec<[f64; 2]> = laid.iter().map(|part| part.size).collect();
    let (corners, size) = pack(&boxes);
    whole.size = size;
    for ((part, laid), corner) in parts.iter().zip(laid).zip(corners) {
        let moved = |[x, y]: [f64; 2]| [(x + corner[0]).round(), (y + corner[1]).round()];
        for (&node, at) in part.nodes.iter().zip(laid.at) {
            whole.at[node] = moved(at);
        }
        for (&edge, bends) in part.edges.iter().zip(laid.bends) {
            whole.bends[edge] = bends.into_iter().map(moved).collect();
        }
    }
    whole
}

/// A connected part of the graph.
#[derive(Default)]
struct Part {
    /// Its nodes in the whole graph.
    nodes: Vec<usize>,
    /// Its edges in the whole graph.
    edges: Vec<usize>,
    /// The ends of its edges, among its nodes.
    ends: Vec<(usize, usize)>,
}

/// The connected parts, in the order of their first nodes.
fn parts(nodes: usize, edges: &[(usize, usize)]) -> Vec<Part> {
    let mut union = UnionFind::<usize>::new(nodes);
    for &(from, to) in edges {
        union.union(from, to);
    }
    let (mut numbers, mut within) = (BTreeMap::new(), vec![0; nodes]);
    let mut parts: Vec<Part> = Vec::new();
    for (node, place) in within.iter_mut().enumerate() {
        let number = *numbers.entry(union.find(node)).or_insert_with(|| {
            parts.push(Part::default());
            parts.len() - 1
        });
        *place = parts[number].nodes.len();
        parts[number].nodes.push(node);
    }
    for (edge, &(from, to)) in edges.iter().enumerate() {
        let part = &mut parts[numbers[&union.find(from)]];
        part.edges.push(edge);
        part.ends.push((within[from], within[to]));
    }
    parts
}

/// Corners of boxes in columns, and the size of all together.
fn pack(boxes: &[[f64; 2]]) -> (Vec<[f64; 2]>, [f64; 2]) {
    let area: f64 = boxes.iter().map(|[width, height]| (width + GAP) * (height + GAP)).sum();
    let tallest = boxes.iter().map(|[_, height]| *height).fold(0.0, f64::max);
    let limit = (area / ASPECT).sqrt().max(tallest);
    let (mut corner, mut wide, mut size) = ([0.0, 0.0], 0.0, [0.0_f64; 2]);
    let mut corners = Vec::new();
    for &[width, height] in boxes {
        if corner[1] > 0.0 && corner[1] + height > limit {
            corner = [corner[0] + wide + GAP, 0.0];
            wide = 0.0;
        }
        corners.push(corner);
        wide = width.max(wide);
        size = [size[0].max(corner[0] + width), size[1].max(corner[1] + height)];
        corner[1] += height + GAP;
    }
    (corners, size)
}

/// The layout of one connected part.
fn lay(part: &Part) -> Layout {
    let order = order(part.nodes.len(), &part.ends);
    let mut net = Layers::of(&order, &part.ends);
    for sweep in 0..SWEEPS {
        net.sort(sweep % 2 == 0);
    }
    let heights = net.heights();
    net.places(&heights, part)
}

/// The nodes in the reverse postorder of a depth-first search from those without producers. All
/// edges but back edges lead forwards in it.
fn order(nodes: usize, ends: &[(usize, usize)]) -> Vec<usize> {
    let mut next = vec![Vec::new(); nodes];
    let mut is_fed = vec![false; nodes];
    for &(from, to) in ends.iter().filter(|(from, to)| from != to) {
        next[from].push(to);
        is_fed[to] = true;
    }
    let (mut seen, mut done) = (vec![false; nodes], Vec::new());
    // The tree of the last start comes first in the result.
    for start in (0..nodes).rev().filter(|&node| !is_fed[node]).chain(0..nodes) {
        if !seen[start] {
            visit(start, &next, &mut seen, &mut done);
        }
    }
    done.reverse();
    done
}

/// A depth-first search with an explicit stack of nodes and the number of their next edge.
fn visit(start: usize, next: &[Vec<usize>], seen: &mut [bool], done: &mut Vec<usize>) {
    seen[start] = true;
    let mut open = vec![(start, 0)];
    while let Some((node, edge)) = open.last_mut() {
        match next[*node].iter().rev().nth(*edge) {
            Some(&to) => {
                *edge += 1;
                if !seen[to] {
                    seen[to] = true;
                    open.push((to, 0));
                }
            }
            None => {
                done.push(*node);
                open.pop();
            }
        }
    }
}

/// Nodes in layers, and a point in each layer that an edge crosses. Vertices are the nodes, then
/// these points.
struct Layers {
    /// The vertices of each layer from above.
    layers: Vec<Vec<usize>>,
    /// The layer of each vertex.
    layer: Vec<usize>,
    /// Neighbours in the layer before and in the layer after.
    beside: [Vec<Vec<usize>>; 2],
    /// Number of nodes.
    nodes: usize,
    /// The points of each edge, from its first layer to its last, and whether it was turned round.
    points: Vec<(Vec<usize>, bool)>,
}

impl Layers {
    fn of(order: &[usize], ends: &[(usize, usize)]) -> Self {
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &node)| rank[node] = at);
        let forward: Vec<(usize, usize, bool)> = ends
            .iter()
            .map(|&(from, to)| if rank[from] <= rank[to] { (from, to, false) } else { (to, from, true) })
            .collect();
        let layer = longest_paths(order, &forward);
        let depth = layer.iter().max().map_or(0, |last| last + 1);
        let mut net = Self {
            layers: vec![Vec::new(); depth],
            beside: [vec![Vec::new(); layer.len()], vec![Vec::new(); layer.len()]],
            nodes: layer.len(),
            layer,
            points: Vec::new(),
        };
        order.iter().for_each(|&node| net.layers[net.layer[node]].push(node));
        for (from, to, turned) in forward {
            let points = net.thread(from, to);
            net.points.push((points, turned));
        }
        net
    }

    /// Adds the points of an edge, and joins neighbours.
    fn thread(&mut self, from: usize, to: usize) -> Vec<usize> {
        let (first, last) = (self.layer[from], self.layer[to]);
        if last <= first || last - first > SPAN {
            return Vec::new();
        }
        let mut before = from;
        let mut points = Vec::new();
        for layer in first + 1..last {
            let point = self.layer.len();
            self.layer.push(layer);
            self.layers[layer].push(point);
            self.beside.iter_mut().for_each(|lists| lists.push(Vec::new()));
            self.join(before, point);
            points.push(point);
            before = point;
        }
        self.join(before, to);
        points
    }

    fn join(&mut self, from: usize, to: usize) {
        self.beside[1][from].push(to);
        self.beside[0][to].push(from);
    }

    /// Orders each layer by the barycentres of its neighbours, in the layer before if `down`, else
    /// in the layer after.
    fn sort(&mut self, down: bool) {
        let depth = self.layers.len();
        let mut place = vec![0.0; self.layer.len()];
        let all: Vec<usize> = if down { (0..depth).collect() } else { (0..depth).rev().collect() };
        for layer in all {
            let mut keyed: Vec<(f64, usize)> = Vec::new();
            for (at, &vertex) in self.layers[layer].iter().enumerate() {
                let beside = &self.beside[usize::from(!down)][vertex];
                keyed.push((mean(beside, &place).unwrap_or(at as f64), vertex));
            }
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            self.layers[layer] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
            self.layers[layer].iter().enumerate().for_each(|(at, &vertex)| place[vertex] = at as f64);
        }
    }

    /// The height of each vertex: near those of its neighbours, in the order of its layer.
    fn heights(&self) -> Vec<f64> {
        let mut height = vec![0.0; self.layer.len()];
        for layer in &self.layers {
            let wanted = vec![0.0; layer.len()];
            self.settle(layer, &wanted, &mut height);
        }
        let depth = self.layers.len();
        for sweep in 0..SWEEPS {
            for step in 0..depth {
                let down = sweep % 2 == 0;
                let layer = &self.layers[if down { step } else { depth - 1 - step }];
                let wanted: Vec<f64> = layer.iter().map(|&v| self.wanted(v, down, sweep, &height)).collect();
                self.settle(layer, &wanted, &mut height);
            }
        }
        let top = height.iter().copied().fold(f64::INFINITY, f64::min);
        height.iter_mut().for_each(|y| *y -= top);
        height
    }

    /// The mean height of neighbours: those of one side, in the last sweeps those of both.
    fn wanted(&self, vertex: usize, down: bool, sweep: usize, height: &[f64]) -> f64 {
        let [before, after] = [0, 1].map(|side| mean(&self.beside[side][vertex], height));
        let (near, far) = if down { (before, after) } else { (after, before) };
        let both = near.zip(far).filter(|_| sweep + 4 >= SWEEPS).map(|(a, b)| (a + b) / 2.0);
        both.or(near).or(far).unwrap_or(height[vertex])
    }

    /// Gives the vertices of a layer the heights next to `wanted` that keep order and distances.
    fn settle(&self, layer: &[usize], wanted: &[f64], height: &mut [f64]) {
        let size = |vertex: usize| if vertex < self.nodes { ROW } else { LANE };
        let (mut offset, mut before) = (0.0, None);
        let mut offsets = Vec::new();
        for &vertex in layer {
            offset += before.map_or(0.0, |before| f64::midpoint(size(before), size(vertex)));
            offsets.push(offset);
            before = Some(vertex);
        }
        let free: Vec<f64> = wanted.iter().zip(&offsets).map(|(wanted, offset)| wanted - offset).collect();
        for ((&vertex, y), offset) in layer.iter().zip(isotonic(&free)).zip(offsets) {
            height[vertex] = y + offset;
        }
    }

    /// Places in pixels. Layers are as far apart as the aspect asks, or folded into lines.
    fn places(&self, heights: &[f64], part: &Part) -> Layout {
        let tall = heights.iter().copied().fold(0.0, f64::max) + NODE[1];
        let depth = self.layers.len();
        let line = fold(depth, tall);
        let distance = (tall * ASPECT / 2.0 / depth.max(1) as f64).clamp(LAYER, 3.0 * LAYER);
        let place = |vertex: usize| {
            let layer = self.layer[vertex];
            let x = NODE[0] / 2.0 + distance * (layer % line) as f64;
            [x, NODE[1] / 2.0 + heights[vertex] + (tall + GAP) * (layer / line) as f64]
        };
        // Edges that turn back, or go on in another line, are drawn round the others.
        let is_plain = |points: &[usize]| {
            let ends = points.first().zip(points.last());
            ends.is_some_and(|(&a, &b)| (self.layer[a] - 1) / line == (self.layer[b] + 1) / line)
        };
        let bends = |(points, turned): &(Vec<usize>, bool)| match *turned || !is_plain(points) {
            true => Vec::new(),
            false => points.iter().map(|&point| place(point)).collect(),
        };
        let lines = depth.div_ceil(line).max(1) as f64;
        Layout {
            at: (0..part.nodes.len()).map(place).collect(),
            bends: self.points.iter().map(bends).collect(),
            size: [
                NODE[0] + distance * (depth.min(line).max(1) - 1) as f64,
                lines * tall + (lines - 1.0) * GAP,
            ],
        }
    }
}

/// Layers in a line of the picture.
fn fold(depth: usize, tall: f64) -> usize {
    let wide = depth as f64 * LAYER;
    if depth <= LINE || wide < 3.0 * ASPECT * tall {
        return depth.max(1);
    }
    let line = (ASPECT * depth as f64 * (tall + GAP) / LAYER).sqrt().ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the depth")]
    let line = line.clamp(1.0, depth as f64) as usize;
    line
}

/// The number of edges on the longest path to each node. A node without producers stands beside its
/// nearest consumer.
fn longest_paths(order: &[usize], forward: &[(usize, usize, bool)]) -> Vec<usize> {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    let mut nearest = vec![usize::MAX; order.len()];
    for &(a, b, _) in forward.iter().filter(|(a, b, _)| a != b) {
        from[b].push(a);
    }
    let mut layer = vec![0; order.len()];
    for &node in order {
        layer[node] = from[node].iter().map(|&before| layer[before] + 1).max().unwrap_or(0);
    }
    for &(a, b, _) in forward.iter().filter(|(a, b, _)| a != b) {
        nearest[a] = layer[b].min(nearest[a]);
    }
    for node in 0..order.len() {
        if from[node].is_empty() && nearest[node] != usize::MAX {
            layer[node] = nearest[node] - 1;
        }
    }
    layer
}

/// The mean of some values. Returns None when there are no values.
fn mean(of: &[usize], values: &[f64]) -> Option<f64> {
    let sum: f64 = of.iter().map(|&at| values[at]).sum();
    (!of.is_empty()).then(|| sum / of.len() as f64)
}

/// The ascending values with the least sum of squared distances from `wanted` (pool adjacent
/// violators).
fn isotonic(wanted: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &value in wanted {
        let mut pool = (value, 1);
        while let Some(&(sum, count)) = pools.last() {
            if sum * pool.1 as f64 <= pool.0 * count as f64 {
                break;
            }
            pools.pop();
            pool = (pool.0 + sum, pool.1 + count);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f64, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of nodes that lie on each other.
    fn overlaps(layout: &Layout) -> usize {
        let near =
            |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).abs() < NODE[0] && (a[1] - b[1]).abs() < NODE[1];
        let at = &layout.at;
        (0..at.len()).map(|one| at[one + 1..].iter().filter(|other| near(&at[one], other)).count()).sum()
    }

    fn is_inside(layout: &Layout) -> bool {
        let all = layout.at.iter().chain(layout.bends.iter().flatten());
        all.into_iter().all(|at| (0..2).all(|side| at[side] >= 0.0 && at[side] <= layout.size[side]))
    }

    #[test]
    fn producers_stand_left_of_consumers_and_a_loop_turns_one_edge() {
        let layout = layout(4, &[(0, 1), (1, 2), (2, 1), (2, 3), (0, 3)]);
        let x: Vec<f64> = layout.at.iter().map(|at| at[0]).collect();
        assert!(x[0] < x[1] && x[1] < x[2] && x[2] < x[3], "{x:?}");
        assert_eq!(layout.bends[4].len(), 2, "one in each layer that it crosses");
        assert!(layout.bends[4][0][0] < layout.bends[4][1][0]);
        assert_eq!(overlaps(&layout), 0);
    }

    #[test]
    fn a_tree_has_no_crossing() {
        let edges: Vec<(usize, usize)> = (1..127).map(|node| (node, (node - 1) / 2)).collect();
        let layout = layout(127, &edges);
        let crossing = |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| {
            layout.at[a][0] == layout.at[c][0]
                && (layout.at[a][1] - layout.at[c][1]) * (layout.at[b][1] - layout.at[d][1]) < 0.0
        };
        let crossings = edges.iter().flat_map(|one| edges.iter().filter(move |other| crossing(one, other)));
        assert_eq!(crossings.count(), 0);
        assert_eq!(overlaps(&layout), 0);
    }

    #[test]
    fn a_long_chain_is_folded_and_many_parts_are_packed() {
        let chain: Vec<(usize, usize)> = (1..400).map(|node| (node - 1, node)).collect();
        let pairs: Vec<(usize, usize)> = (0..200).map(|pair| (2 * pair, 2 * pair + 1)).collect();
        for edges in [chain, pairs, Vec::new()] {
            let layout = layout(400, &edges);
            let [width, height] = layout.size;
            assert!(width < 4.0 * height && height < 4.0 * width, "{width} x {height}");
            assert!(is_inside(&layout));
            assert_eq!(overlaps(&layout), 0);
        }
    }

    #[test]
    fn any_graph_is_laid_out() {
        assert_eq!(layout(0, &[]), Layout::default());
        let ring: Vec<(usize, usize)> = (0..9).map(|node| (node, (node + 1) % 9)).collect();
        let loops = [(0, 0), (0, 1), (1, 0), (0, 1)];
        let dense: Vec<(usize, usize)> = (0..30).flat_map(|a| (0..30).map(move |b| (a, b))).collect();
        for (nodes, edges) in [(9, ring.as_slice()), (2, &loops), (30, &dense)] {
            let laid = layout(nodes, edges);
            assert_eq!(overlaps(&laid), 0);
            assert!(is_inside(&laid) && laid == layout(nodes, edges));
        }
    }

    #[test]
    fn ascending_values_are_next_to_the_wanted_ones() {
        assert_eq!(isotonic(&[1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(isotonic(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
    }
}
