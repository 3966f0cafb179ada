//! Groups of kernels in fixed positions to each other, and the positions of each group on the
//! array.
//!
//! Takes the constraints of a design whose tiles lie on the array. Makes one [`Rigid`] for each
//! kernel that a constraint names, together with the kernels placed relative to it. Each group gets
//! the tiles that its first kernel can take, by the `place`, `region` and `keepout` of this group
//! alone.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Tile, TileId};

use super::context::Context;
use aiec_ir::KernelId;
use aiec_ir::constraints::Offset;
use aiec_ir::expanded::Place;

/// A kernel and its offset from the first kernel of its group, in columns and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub kernel: KernelId,
    pub columns: i64,
    pub rows: i64,
}

/// Kernels in fixed positions to each other: they move as one.
#[derive(Clone, Debug)]
pub(super) struct Rigid {
    /// The kernels; the first has offset 0.
    pub members: Vec<Member>,
    /// Tiles of the first kernel that put every member on an allowed tile.
    pub anchors: Vec<TileId>,
}

/// All groups, and the offsets that contradict others.
pub(super) struct Groups<'a> {
    pub groups: Vec<Rigid>,
    /// Group index and member of each kernel that is in a group.
    pub of: BTreeMap<KernelId, (usize, Member)>,
    /// Each offset that contradicts earlier ones, with the distance that those imply.
    pub contradictions: Vec<(&'a Offset<KernelId>, (i64, i64))>,
}

impl<'a> Groups<'a> {
    /// The groups of all kernels that `places` or the design's other constraints name. The tiles of
    /// `places` exist.
    pub fn new(context: &Context<'a>, places: &[(TileId, &Place)]) -> Self {
        let design = context.expanded;
        let mut groups = Self { groups: Vec::new(), of: BTreeMap::new(), contradictions: Vec::new() };
        let links = links(context);
        let named = places.iter().map(|(_, place)| place.kernel).chain(design.constraints.kernels().copied());
        let named: BTreeSet<KernelId> = named.collect();
        for kernel in named {
            if !groups.of.contains_key(&kernel) {
                groups.gather(kernel, &links);
            }
        }
        let allowed = Allowed::new(context, places);
        for group in &mut groups.groups {
            group.anchors = anchors(context, &allowed, &group.members);
        }
        groups
    }

    /// Collects the group of `first` by breadth-first search along the offsets.
    fn gather(&mut self, first: KernelId, links: &BTreeMap<KernelId, Vec<Link<'a>>>) {
        let at = self.groups.len();
        let start = Member { kernel: first, columns: 0, rows: 0 };
        let (mut members, mut next) = (vec![start], 0);
        self.of.insert(first, (at, start));
        while let Some(&member) = members.get(next) {
            next += 1;
            for link in links.get(&member.kernel).into_iter().flatten() {
                let (columns, rows) = (member.columns + link.columns, member.rows + link.rows);
                match self.of.get(&link.to) {
                    None => {
                        let found = Member { kernel: link.to, columns, rows };
                        self.of.insert(link.to, (at, found));
                        members.push(found);
                    }
                    // The search meets every offset from both ends; only the forward one reports
                    // it.
                    Some((_, known)) if link.forward && (known.columns, known.rows) != (columns, rows) => {
                        let made = (known.columns - member.columns, known.rows - member.rows);
                        self.contradictions.push((link.offset, made));
                    }
                    Some(_) => {}
                }
            }
        }
        self.groups.push(Rigid { members, anchors: Vec::new() });
    }

    /// The kernels of the group of `kernel`, in the order in which the search found them. Returns
    /// `kernel` alone if it has no group.
    pub fn members_with(&self, kernel: KernelId) -> Vec<KernelId> {
        let group = self.of.get(&kernel).and_then(|(group, _)| self.groups.get(*group));
        group.map_or(vec![kernel], |group| group.members.iter().map(|member| member.kernel).collect())
    }

    /// True if offsets within this group contradict each other, so that its positions mean nothing.
    pub fn is_contradictory(&self, group: usize) -> bool {
        let groups = self.contradictions.iter().filter_map(|(offset, _)| self.of.get(&offset.kernel));
        groups.into_iter().any(|(other, _)| *other == group)
    }

    /// The only tile of `kernel`. Returns None when its constraints leave several tiles, or no
    /// tile.
    pub fn only_tile(&self, context: &Context, kernel: KernelId) -> Option<TileId> {
        let (group, member) = self.of.get(&kernel)?;
        match self.groups[*group].anchors.as_slice() {
            [anchor] => moved(context, *anchor, member),
            _ => None,
        }
    }
}

/// An offset seen from one of its ends.
struct Link<'a> {
    to: KernelId,
    columns: i64,
    rows: i64,
    forward: bool,
    offset: &'a Offset<KernelId>,
}

/// The offsets at each kernel. Offsets larger than the array are reported elsewhere and left out,
/// which also keeps sums small.
fn links<'a>(context: &Context<'a>) -> BTreeMap<KernelId, Vec<Link<'a>>> {
    let mut links: BTreeMap<KernelId, Vec<Link<'a>>> = BTreeMap::new();
    for offset in context.expanded.constraints.offsets.iter().filter(|offset| fits_array(context, offset)) {
        let (columns, rows) = (offset.columns, offset.rows);
        let forward = Link { to: offset.kernel, columns, rows, forward: true, offset };
        let backward = Link { to: offset.from, columns: -columns, rows: -rows, forward: false, offset };
        links.entry(offset.from).or_default().push(forward);
        links.entry(offset.kernel).or_default().push(backward);
    }
    links
}

/// True if two tiles of the array can have this offset.
pub(super) fn fits_array(context: &Context, offset: &Offset<KernelId>) -> bool {
    let device = context.device;
    offset.columns.unsigned_abs() < u64::from(device.columns)
        && offset.rows.unsigned_abs() < u64::from(device.rows)
}

/// The tile of `member` if its group's first kernel is on `anchor`. Returns None when the array has
/// no such tile.
pub(super) fn moved(context: &Context, anchor: TileId, member: &Member) -> Option<TileId> {
    let Tile { column, row } = context.grid.tile(anchor);
    context.tile(i64::from(column) + member.columns, i64::from(row) + member.rows)
}

/// Tiles that each kernel may take by its own constraints.
pub(super) struct Allowed {
    /// The tiles of kernels without a `place` or `region`: true for open tiles.
    open: Vec<bool>,
    /// The tiles of kernels with a `place` or `region`.
    narrowed: BTreeMap<KernelId, Vec<bool>>,
}

impl Allowed {
    pub fn new(context: &Context, places: &[(TileId, &Place)]) -> Self {
        let grid = &context.grid;
        let open: Vec<bool> = grid.ids().map(|tile| grid.is_open(tile)).collect();
        let mut narrowed: BTreeMap<KernelId, Vec<bool>> = BTreeMap::new();
        let mut narrow = |kernel: KernelId, keep: &dyn Fn(TileId) -> bool| {
            let tiles = narrowed.entry(kernel).or_insert_with(|| open.clone());
            tiles.iter_mut().zip(grid.ids()).for_each(|(allowed, tile)| *allowed &= keep(tile));
        };
        for &(tile, place) in places {
            narrow(place.kernel, &|other| other == tile);
        }
        for region in &context.expanded.constraints.regions {
            for &kernel in &region.kernels {
                narrow(kernel, &|tile| {
                    let Tile { column, row } = grid.tile(tile);
                    region.area.contains(column.into(), row.into())
                });
            }
        }
        Self { open, narrowed }
    }

    /// One entry per tile: true if `kernel` may be there.
    pub fn of(&self, kernel: KernelId) -> &[bool] {
        self.narrowed.get(&kernel).unwrap_or(&self.open)
    }

    /// One entry per tile: true if `kernel` may be there. Returns None when `kernel` may be on
    /// every open tile.
    pub fn narrowed(&self, kernel: KernelId) -> Option<&[bool]> {
        self.narrowed.get(&kernel).map(Vec::as_slice)
    }

    /// Kernels by the tiles that they may take, without the kernels that may take all open tiles.
    pub fn groups(&self) -> BTreeMap<&[bool], Vec<KernelId>> {
        let mut groups: BTreeMap<&[bool], Vec<KernelId>> = BTreeMap::new();
        for (&kernel, tiles) in &self.narrowed {
            groups.entry(tiles).or_default().push(kernel);
        }
        groups
    }
}

fn anchors(context: &Context, allowed: &Allowed, members: &[Member]) -> Vec<TileId> {
    let fits = |anchor: &TileId| {
        members.iter().all(|member| {
            moved(context, *anchor, member).is_some_and(|tile| allowed.of(member.kernel)[tile.index()])
        })
    };
    context.grid.ids().filter(fits).collect()
}
