//! Layered graphs such as butterflies: cut between some layers so that the rest falls into small
//! pieces.
//!
//! In a layered graph every edge leads from one layer to the next. Between two cuts a butterfly
//! falls into smaller butterflies. Each of them lies on a few columns with all or nearly all edges
//! shared; only the edges at the cuts go by DMA. A dynamic program chooses the cuts: it minimises
//! the cut edges and limits the size of a piece. Takes the directed edges. Returns the pieces,
//! equal ones in equal order.

use aiec_ir::{Id, IdVec};

use super::components::{Component, MemberId};

/// The layers of a component: the layer of each kernel, from 0.
pub(super) struct Layers {
    layer: IdVec<MemberId, usize>,
    /// Edges by kernels of the component, each from a layer to the next.
    edges: Vec<(MemberId, MemberId)>,
    count: usize,
}

impl Layers {
    /// Takes `edges` from producer to consumer. Returns None when some edge does not lead from a
    /// layer to the next, or when there are fewer than three layers.
    pub(super) fn new(component: &Component, edges: Vec<(MemberId, MemberId)>) -> Option<Self> {
        let kernels = component.kernels.len();
        let mut layer: IdVec<MemberId, Option<i64>> = IdVec::filled(None, kernels);
        let first = component.kernels.ids().next()?;
        let mut stack = vec![first];
        layer[first] = Some(0);
        let mut steps: IdVec<MemberId, Vec<(MemberId, i64)>> = IdVec::filled(Vec::new(), kernels);
        for &(a, b) in &edges {
            steps[a].push((b, 1));
            steps[b].push((a, -1));
        }
        while let Some(kernel) = stack.pop() {
            let here = layer[kernel]?;
            for &(other, step) in &steps[kernel] {
                match layer[other] {
                    None => {
                        layer[other] = Some(here + step);
                        stack.push(other);
                    }
                    Some(there) if there != here + step => return None,
                    Some(_) => {}
                }
            }
        }
        let layer: Vec<i64> = layer.iter().copied().collect::<Option<_>>()?;
        let first = layer.iter().copied().min()?;
        let layer: IdVec<MemberId, usize> =
            layer.into_iter().map(|l| usize::try_from(l - first).ok()).collect::<Option<_>>()?;
        let count = layer.iter().max()? + 1;
        (count >= 3).then_some(Self { layer, edges, count })
    }

    /// Pieces of at most `size` kernels with the fewest edges between them. Returns None when the
    /// whole graph fits one piece.
    pub(super) fn pieces(&self, size: usize) -> Option<Vec<Vec<MemberId>>> {
        // Entry b: the fewest edges cut with a cut before layer b, then the sum of squared piece
        // sizes; and the start of the last group of layers.
        let mut best: Vec<Option<(usize, usize, usize)>> = vec![None; self.count + 1];
        best[0] = Some((0, 0, 0));
        for from in 0..self.count {
            let Some((cuts, squares, _)) = best[from] else { continue };
            let own = self.edges.iter().filter(|(a, _)| self.layer[*a] + 1 == from).count();
            for (to, known) in best.iter_mut().enumerate().skip(from + 1) {
                let pieces = self.connected(from, to);
                if pieces.iter().any(|piece| piece.len() > size) {
                    break;
                }
                let sum = squares + pieces.iter().map(|piece| piece.len() * piece.len()).sum::<usize>();
                let next = (cuts + own, sum, from);
                if known.is_none_or(|known| next < known) {
                    *known = Some(next);
                }
            }
        }
        let mut pieces = Vec::new();
        let mut to = self.count;
        while to > 0 {
            let (.., from) = best[to]?;
            pieces.extend(self.connected(from, to));
            to = from;
        }
        (pieces.len() > 1).then_some(pieces)
    }

    /// The connected pieces of the layers `from..to`, each sorted by layer and number.
    fn connected(&self, from: usize, to: usize) -> Vec<Vec<MemberId>> {
        let inside = |k: MemberId| (from..to).contains(&self.layer[k]);
        let mut near: IdVec<MemberId, Vec<MemberId>> = IdVec::filled(Vec::new(), self.layer.len());
        for &(a, b) in self.edges.iter().filter(|(a, b)| inside(*a) && inside(*b)) {
            near[a].push(b);
            near[b].push(a);
        }
        let beside = |k: usize| near[MemberId::from_index(k)].iter().map(|other| other.index());
        let pieces = aiec_prove::components(near.len(), beside).into_iter();
        let by_layer = |piece: Vec<usize>| {
            let mut piece: Vec<MemberId> = piece.into_iter().map(MemberId::from_index).collect();
            piece.sort_by_key(|&k| (self.layer[k], k));
            piece
        };
        pieces.map(by_layer).filter(|piece: &Vec<MemberId>| inside(piece[0])).collect()
    }
}
