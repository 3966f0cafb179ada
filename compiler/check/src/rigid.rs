//! Groups of kernels in fixed positions to each other, and the positions of each group on the
//! array.
//!
//! Takes statements about the tiles of kernels, without cascades. Each group gets the tiles that
//! its first kernel can take, by the `place`, `region` and `keepout` of this group alone.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;

use super::context::Context;
use crate::errors::places::Wish;
use crate::formation::{moved, tied};
use crate::statement::{Allowed, Statement};
use aiec_ir::constraints::Offset;
use aiec_ir::{IdVec, KernelId};

/// Kernels in fixed positions to each other: they move as one.
#[derive(Clone, Debug)]
pub(super) struct Rigid {
    pub members: Vec<KernelId>,
    /// Columns and rows of each member from the first.
    positions: Vec<(i64, i64)>,
    /// Tiles of the first kernel that put every member on an allowed tile.
    pub anchors: Vec<TileId>,
}

aiec_ir::ids! {
    /// Kernels in fixed positions to each other.
    pub(super) GroupId;
}

/// All groups, and the offsets that contradict others.
pub(super) struct Groups<'a> {
    pub groups: IdVec<GroupId, Rigid>,
    /// Of each kernel in a group, the group and the index of the kernel in it.
    pub of: BTreeMap<KernelId, (GroupId, usize)>,
    /// Each offset that contradicts others, with the distance that those imply.
    pub contradictions: Vec<(&'a Offset<KernelId>, (i64, i64))>,
}

impl<'a> Groups<'a> {
    /// The groups of `kernels` by the offsets among `statements`, and the tiles that `statements`
    /// leave them.
    pub fn new(context: &Context<'a>, kernels: &BTreeSet<KernelId>, statements: &[Statement]) -> Self {
        let tied = tied(kernels.iter().copied(), &context.stated().ties(statements, kernels));
        let group = |tied: crate::formation::Tied<KernelId>| {
            let positions = tied.positions();
            Rigid { members: tied.members, positions, anchors: Vec::new() }
        };
        let allowed = allowed(context, statements);
        let anchored = |group: Rigid| Rigid { anchors: group.anchors(context, &allowed), ..group };
        let groups: IdVec<GroupId, Rigid> = tied.into_iter().map(group).map(anchored).collect();
        let of = groups.enumerate().flat_map(|(at, group)| {
            group.members.iter().enumerate().map(move |(number, &kernel)| (kernel, (at, number)))
        });
        let of = of.collect();
        let mut groups = Self { groups, of, contradictions: Vec::new() };
        groups.contradictions = groups.contradictions(context, statements);
        groups
    }

    fn contradictions(
        &self,
        context: &Context<'a>,
        statements: &[Statement],
    ) -> Vec<(&'a Offset<KernelId>, (i64, i64))> {
        let offsets = statements.iter().filter_map(|statement| match *statement {
            Statement::Offset(at) => context.expanded.constraints.offsets.get(at),
            _ => None,
        });
        let made = |offset: &'a Offset<KernelId>| {
            let (from, to) = self.position(offset.from).zip(self.position(offset.kernel))?;
            Some((offset, (to.0 - from.0, to.1 - from.1)))
        };
        offsets.filter_map(made).filter(|(o, made)| (o.columns, o.rows) != *made).collect()
    }

    /// Columns and rows of `kernel` from the first kernel of its group.
    pub fn position(&self, kernel: KernelId) -> Option<(i64, i64)> {
        let &(group, number) = self.of.get(&kernel)?;
        Some(self.groups[group].positions[number])
    }

    /// The kernels of the group of `kernel`. Returns `kernel` alone if it has no group.
    pub fn members_with(&self, kernel: KernelId) -> BTreeSet<KernelId> {
        match self.of.get(&kernel) {
            Some(&(group, _)) => self.groups[group].members.iter().copied().collect(),
            None => BTreeSet::from([kernel]),
        }
    }

    /// True if offsets within this group contradict each other, so that its positions mean nothing.
    pub fn is_contradictory(&self, group: GroupId) -> bool {
        let groups = self.contradictions.iter().filter_map(|(offset, _)| self.of.get(&offset.kernel));
        groups.into_iter().any(|&(other, _)| other == group)
    }

    /// The tiles that are left for `kernel`. Returns None when it is in no group.
    pub fn tiles(&self, context: &Context, kernel: KernelId) -> Option<Vec<TileId>> {
        let &(group, number) = self.of.get(&kernel)?;
        let group = &self.groups[group];
        Some(group.anchors.iter().filter_map(|&anchor| group.tile(context, anchor, number)).collect())
    }

    /// The only tile of `kernel`. Returns None when its constraints leave several tiles, or no
    /// tile.
    pub fn only_tile(&self, context: &Context, kernel: KernelId) -> Option<TileId> {
        let &(group, number) = self.of.get(&kernel)?;
        match self.groups[group].anchors.as_slice() {
            &[anchor] => self.groups[group].tile(context, anchor, number),
            _ => None,
        }
    }

    /// The group of both kernels of `wish`, with its anchors on which the two stand as it asks.
    /// Returns None when they are in different groups.
    pub fn holding(&self, context: &Context, wish: Wish) -> Option<(GroupId, Vec<TileId>)> {
        let (&(at, a), &(other, b)) = self.of.get(&wish.a).zip(self.of.get(&wish.b))?;
        let group = &self.groups[at];
        let holds = |&anchor: &TileId| {
            let tiles = group.tile(context, anchor, a).zip(group.tile(context, anchor, b));
            tiles.is_some_and(|(a, b)| wish.holds(&context.grid, a, b))
        };
        (at == other).then(|| (at, group.anchors.iter().copied().filter(holds).collect()))
    }
}

impl Rigid {
    fn anchors(&self, context: &Context, allowed: &Allowed) -> Vec<TileId> {
        let may = |anchor: TileId, number: usize| {
            let tile = self.tile(context, anchor, number);
            tile.is_some_and(|tile| allowed.of(self.members[number])[tile.index()])
        };
        let fits = |&anchor: &TileId| (0..self.members.len()).all(|number| may(anchor, number));
        context.grid.ids().filter(fits).collect()
    }

    /// The tile of a member if the first kernel is on `anchor`. Returns None when it is outside the
    /// array.
    fn tile(&self, context: &Context, anchor: TileId, number: usize) -> Option<TileId> {
        let (columns, rows) = self.positions[number];
        moved(&context.grid, anchor, columns, rows)
    }
}

/// Tiles that `statements` leave to each kernel by itself.
pub(super) fn allowed(context: &Context, statements: &[Statement]) -> Allowed {
    let (grid, stated) = (&context.grid, context.stated());
    let open = grid.ids().map(|tile| !stated.closes(context.device, statements, grid.tile(tile)));
    stated.allowed(grid, open.collect(), statements)
}
