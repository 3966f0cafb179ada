//! Placement constraints besides those that put a kernel on a tile: relative offsets, regions,
//! `together`, `apart`, `keepout`.
//!
//! One entry per statement of the source. The kernels have type `K`: instances of families in a
//! [`Design`](crate::Design), kernels in an [`Expanded`](crate::Expanded). Nothing is checked here;
//! tiles may lie outside the array.
//!
//! The meaning of each, for the search and for its checker:
//!
//! * an [`Offset`]: the tile of `kernel` is that of `from`, moved (the vendor's
//!   `location<kernel>(b) = location<kernel>(a) + relative_offset(...)`, without an offset the same
//!   tile);
//! * a [`Region`]: the kernels run within the rectangle (the vendor's `bounding_box` and
//!   `area_group`); their buffers may lie in any module in their reach;
//! * `together`: every two of the kernels reach a common memory module; on one core they always do;
//! * `apart`: no two of the kernels reach a common module, so they share neither a core nor a
//!   module;
//! * a [`Keepout`]: no kernel runs there, and the modules there hold nothing. Nets may pass.

use aiec_diag::Span;

/// The constraints of a design, each list in source order.
#[derive(Clone, Debug)]
pub struct Constraints<K> {
    /// `place b at a + (columns, rows)`
    pub offsets: Vec<Offset<K>>,
    /// `region a, b in (column, row) to (column, row)`
    pub regions: Vec<Region<K>>,
    /// `together a, b`
    pub together: Vec<Group<K>>,
    /// `apart a, b`
    pub apart: Vec<Group<K>>,
    /// `keepout (column, row) to (column, row)`
    pub keepouts: Vec<Keepout>,
}

impl<K> Constraints<K> {
    /// True if the design has no such constraint.
    pub const fn is_empty(&self) -> bool {
        let Self { offsets, regions, together, apart, keepouts } = self;
        offsets.is_empty()
            && regions.is_empty()
            && together.is_empty()
            && apart.is_empty()
            && keepouts.is_empty()
    }
}

/// A kernel at a fixed offset from another.
#[derive(Clone, Copy, Debug)]
pub struct Offset<K> {
    /// The kernel that is placed.
    pub kernel: K,
    /// The kernel from which the offset counts.
    pub from: K,
    /// Columns to the east.
    pub columns: i64,
    /// Core rows to the north.
    pub rows: i64,
    /// Source location of the `place`.
    pub span: Span,
}

/// Kernels within a rectangle.
#[derive(Clone, Debug)]
pub struct Region<K> {
    /// The kernels, in the order written.
    pub kernels: Vec<K>,
    /// The rectangle.
    pub area: Area,
    /// Source location of the `region`.
    pub span: Span,
}

/// Kernels that share memory (`together`), or share none (`apart`).
#[derive(Clone, Debug)]
pub struct Group<K> {
    /// The kernels, in the order written.
    pub kernels: Vec<K>,
    /// Source location of the `together` or `apart`.
    pub span: Span,
}

/// Tiles left free: no kernel runs there.
#[derive(Clone, Copy, Debug)]
pub struct Keepout {
    /// The rectangle of tiles.
    pub area: Area,
    /// Source location of the `keepout`.
    pub span: Span,
}

/// A rectangle of tiles, corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The western column and the lower row.
    pub from: (i64, i64),
    /// The eastern column and the upper row.
    pub to: (i64, i64),
}

impl Area {
    /// The rectangle between two opposite corners, in either order.
    pub fn between(a: (i64, i64), b: (i64, i64)) -> Self {
        Self { from: (a.0.min(b.0), a.1.min(b.1)), to: (a.0.max(b.0), a.1.max(b.1)) }
    }

    /// True if the tile at `column` and `row` lies inside.
    pub const fn contains(self, column: i64, row: i64) -> bool {
        self.from.0 <= column && column <= self.to.0 && self.from.1 <= row && row <= self.to.1
    }
}

impl<K> Constraints<K> {
    /// The same constraints, with each kernel renamed by `name`.
    pub fn map<L>(&self, name: impl Fn(&K) -> L) -> Constraints<L> {
        let all = |kernels: &[K]| kernels.iter().map(&name).collect::<Vec<L>>();
        let groups = |groups: &[Group<K>]| {
            groups.iter().map(|g| Group { kernels: all(&g.kernels), span: g.span }).collect()
        };
        let offset = |o: &Offset<K>| Offset {
            kernel: name(&o.kernel),
            from: name(&o.from),
            columns: o.columns,
            rows: o.rows,
            span: o.span,
        };
        let region = |r: &Region<K>| Region { kernels: all(&r.kernels), area: r.area, span: r.span };
        Constraints {
            offsets: self.offsets.iter().map(offset).collect(),
            regions: self.regions.iter().map(region).collect(),
            together: groups(&self.together),
            apart: groups(&self.apart),
            keepouts: self.keepouts.clone(),
        }
    }

    /// The kernels of all constraints. A kernel occurs once per mention.
    pub fn kernels(&self) -> impl Iterator<Item = &K> {
        let groups = self.together.iter().chain(&self.apart).flat_map(|group| &group.kernels);
        let offsets = self.offsets.iter().flat_map(|offset| [&offset.kernel, &offset.from]);
        offsets.chain(self.regions.iter().flat_map(|region| &region.kernels)).chain(groups)
    }

    /// True if a keepout covers the tile at `column` and `row`.
    pub fn keeps_out(&self, column: i64, row: i64) -> bool {
        self.keepouts.iter().any(|keepout| keepout.area.contains(column, row))
    }
}

impl<K> Default for Constraints<K> {
    fn default() -> Self {
        Self {
            offsets: Vec::new(),
            regions: Vec::new(),
            together: Vec::new(),
            apart: Vec::new(),
            keepouts: Vec::new(),
        }
    }
}

impl<K> Group<K> {
    /// Every pair of the kernels, in lexicographic order of their positions.
    pub fn pairs(&self) -> impl Iterator<Item = (&K, &K)> {
        self.kernels.iter().enumerate().flat_map(|(at, a)| self.kernels[at + 1..].iter().map(move |b| (a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_has_its_corners_in_any_order() {
        let area = Area::between((3, 0), (1, 2));
        assert_eq!((area.from, area.to), ((1, 0), (3, 2)));
        assert!(area.contains(1, 2) && area.contains(3, 0) && !area.contains(0, 0) && !area.contains(2, 3));
    }

    #[test]
    fn a_group_of_three_has_three_pairs() {
        let span = Span::new(aiec_diag::SourceId(0), 0, 1);
        let group = Group { kernels: vec!['a', 'b', 'c'], span };
        let pairs: Vec<_> = group.pairs().map(|(a, b)| (*a, *b)).collect();
        assert_eq!(pairs, [('a', 'b'), ('a', 'c'), ('b', 'c')]);
    }
}
