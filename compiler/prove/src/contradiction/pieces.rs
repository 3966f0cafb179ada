//! Pieces: kernels that move as one because offsets and cascades tie them together.

use std::collections::BTreeSet;

use aiec_check::Checked;
use aiec_device::{Grid, TileId};
use aiec_ir::KernelId;

use super::statement::Statement;
use super::tiles::TileSet;
use crate::formation::{Formation, Tie, Way, formations};

/// Kernels that move as one.
pub(super) struct Piece {
    pub(super) kernels: Vec<KernelId>,
    pub(super) formation: Formation,
}

impl Piece {
    /// Tiles of a member for each of `places` of the first one.
    pub(super) fn tiles<'a>(
        &'a self,
        number: usize,
        places: &'a TileSet,
    ) -> impl Iterator<Item = TileId> + 'a {
        places.iter().filter_map(move |place| self.formation.on(place)?.get(number).copied())
    }

    /// The kernels with their tiles if the first one is on `place`. Empty when the layout does not
    /// exist.
    pub(super) fn at(&self, place: TileId) -> impl Iterator<Item = (KernelId, TileId)> + Clone + '_ {
        self.kernels.iter().copied().zip(self.formation.on(place).unwrap_or_default().iter().copied())
    }

    /// The kernel of a piece of one.
    pub(super) fn single(&self) -> Option<KernelId> {
        match self.kernels.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// The kernels in the pieces that offsets and cascades make. The named ranks of a cascade keep
/// their distances.
pub(super) fn pieces(
    checked: &Checked,
    grid: &Grid,
    statements: &[Statement],
    named: &BTreeSet<KernelId>,
) -> Vec<Piece> {
    let ids: Vec<KernelId> = named.iter().copied().collect();
    let number = |kernel: &KernelId| ids.binary_search(kernel).ok();
    let mut ties = Vec::new();
    for statement in statements {
        match *statement {
            Statement::Offset(at) => {
                let offset = &checked.constraints.offsets[at];
                let ends = number(&offset.from).zip(number(&offset.kernel));
                let way = Way::Offset(offset.columns, offset.rows);
                ties.extend(ends.map(|(from, to)| Tie { from, to, way }));
            }
            Statement::Cascade(id) => {
                let ranks = (0_i64..).zip(&checked.collectives[id].ranks);
                let ranks: Vec<(i64, usize)> =
                    ranks.filter_map(|(rank, kernel)| Some((rank, number(kernel)?))).collect();
                let tie = |pair: &[(i64, usize)]| {
                    let way = Way::Cascade(pair[1].0 - pair[0].0);
                    Tie { from: pair[0].1, to: pair[1].1, way }
                };
                ties.extend(ranks.windows(2).map(tie));
            }
            _ => {}
        }
    }
    let mut found = formations(grid, &ties);
    let tied: BTreeSet<usize> = found.iter().flat_map(|formation| &formation.members).copied().collect();
    found.extend((0..ids.len()).filter(|at| !tied.contains(at)).map(|at| Formation::single(grid, at)));
    found.sort_by_key(|formation| formation.members.first().copied());
    let piece = |formation: Formation| Piece {
        kernels: formation.members.iter().map(|&at| ids[at]).collect(),
        formation,
    };
    found.into_iter().map(piece).collect()
}
