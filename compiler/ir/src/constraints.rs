//! Placement constraints besides those that put a kernel on a tile: relative offsets, alignments,
//! regions, `together`, `apart`, `keepout`, and the shim columns of inputs and outputs.
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
//! * an [`Aligned`]: the column (or the row) of `kernel` is that of `from`, moved; the other
//!   coordinate is free (the vendor's `relative_offset` with one coordinate);
//! * a [`Region`]: each kernel runs within one of the rectangles (the vendor's `bounding_box` and
//!   `area_group`); their buffers may lie in any module in their reach;
//! * `together`: every two of the kernels reach a common memory module; on one core they always do;
//! * `apart`: no two of the kernels reach a common module, so they share neither a core nor a
//!   module;
//! * `distinct`: no two of the kernels run on one core (the vendor's `not_equal` of kernels); they
//!   may share memory;
//! * a [`ShimPlace`]: the input or output lies in a column of the interface row, and takes a
//!   channel there if one is stated (the vendor's `location<PLIO>` and `location<GMIO>`);
//! * a [`ShimTie`]: its column is that of a kernel, or of another input or output, plus a number;
//! * a [`Keepout`]: no kernel runs there, and the modules there hold nothing. Nets may pass.

use aiec_diag::Span;

/// The constraints of a design, each list in source order.
#[derive(Clone, Debug)]
pub struct Constraints<K> {
    /// `place b at a + (columns, rows)`
    pub offsets: Vec<Offset<K>>,
    /// `place b at a + (columns, *)` and `place b at a + (*, rows)`
    pub aligned: Vec<Aligned<K>>,
    /// `region a, b in (column, row) to (column, row)`
    pub regions: Vec<Region<K>>,
    /// Kernels that share memory: `together a, b`.
    pub together: Vec<Group<K>>,
    /// Kernels that share no memory: `apart a, b`.
    pub apart: Vec<Group<K>>,
    /// `apart a, b by core`
    pub distinct: Vec<Group<K>>,
    /// `keepout (column, row) to (column, row)`
    pub keepouts: Vec<Keepout>,
}

impl<K> Constraints<K> {
    /// True if the design has no such constraint.
    pub const fn is_empty(&self) -> bool {
        let Self { offsets, aligned, regions, together, apart, distinct, keepouts } = self;
        offsets.is_empty()
            && aligned.is_empty()
            && distinct.is_empty()
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

/// A kernel in a column or a row that follows from the tile of another.
#[derive(Clone, Copy, Debug)]
pub struct Aligned<K> {
    /// The kernel that is placed.
    pub kernel: K,
    /// The kernel from which the distance counts.
    pub from: K,
    /// The coordinate that is stated.
    pub axis: Axis,
    /// Columns to the east, or core rows to the north.
    pub distance: i64,
    /// Source location of the `place`.
    pub span: Span,
}

/// A coordinate of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// Columns; rows are free.
    Column,
    /// Rows; columns are free.
    Row,
}

impl Axis {
    /// This coordinate of the tile at `column` and `row`.
    pub const fn of(self, (column, row): (i64, i64)) -> i64 {
        match self {
            Self::Column => column,
            Self::Row => row,
        }
    }

    /// The word in messages: `columns` or `rows`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Column => "columns",
            Self::Row => "rows",
        }
    }
}

/// An input or output in a column of the interface row, or in one of several (an area group with
/// tiles of that row). `E` names it: an instance of a declaration in a
/// [`Design`](crate::Design), an id in an [`Expanded`](crate::Expanded).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShimPlace<E> {
    /// The input or output.
    pub external: E,
    /// First and last column of each range as written, at least one.
    pub ranges: Vec<(i64, i64)>,
    /// The channel of a PLIO. None when the placer chooses, and for GMIO (UG1079: "Do not use
    /// GMIO channel constraints").
    pub channel: Option<u32>,
    /// Source location of the `place`.
    pub span: Span,
}

/// An input or output in a column that follows from that of something else, as a graph states it
/// (`location<PLIO>(p) = location<kernel>(k) + relative_offset(...)`). `F` names what it follows: a
/// kernel, or like `E` an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShimTie<E, F> {
    /// The input or output, named as that of a [`ShimPlace`].
    pub external: E,
    /// The kernel, input or output that it follows.
    pub from: F,
    /// Columns from there, to the east.
    pub columns: i64,
    /// Source location of the statement.
    pub span: Span,
}

impl<E, F> ShimTie<E, F> {
    /// The column that something in `column` gives. May lie outside the array.
    pub fn column(&self, column: u16) -> i64 {
        self.columns.saturating_add(i64::from(column))
    }
}

impl<E> ShimPlace<E> {
    /// A place in one column.
    pub fn at(external: E, column: i64, channel: Option<u32>, span: Span) -> Self {
        Self { external, ranges: vec![(column, column)], channel, span }
    }

    /// The column, if it states one. Returns None when it states several.
    pub fn column(&self) -> Option<i64> {
        match self.ranges.as_slice() {
            &[(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// True if it allows `column`.
    pub fn allows(&self, column: u16) -> bool {
        self.ranges.iter().any(|&(first, last)| (first..=last).contains(&i64::from(column)))
    }

    /// Columns between the nearest stated one and `column`.
    pub fn distance(&self, column: u16) -> i64 {
        let column = i64::from(column);
        let away = |&(first, last): &(i64, i64)| {
            let before = first.saturating_sub(column);
            before.max(column.saturating_sub(last)).max(0)
        };
        self.ranges.iter().map(away).min().unwrap_or(0)
    }

    /// The columns in words.
    pub fn columns(&self) -> String {
        if let Some(column) = self.column() {
            return format!("column {column}");
        }
        let range = |&(first, last): &(i64, i64)| match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
        };
        format!("columns {}", self.ranges.iter().map(range).collect::<Vec<_>>().join(" or "))
    }
}

/// A `region`: kernels that stay within rectangles.
#[derive(Clone, Debug)]
pub struct Region<K> {
    /// The kernels, in the order written.
    pub kernels: Vec<K>,
    /// The rectangles, at least one. A kernel may be in any of them.
    pub areas: Vec<Area>,
    /// Source location of the `region`.
    pub span: Span,
}

/// Kernels that share memory (`together`), share none (`apart`), or share no core (`distinct`).
#[derive(Clone, Debug)]
pub struct Group<K> {
    /// The kernels, in the order written.
    pub kernels: Vec<K>,
    /// Source location of the `together` or `apart`.
    pub span: Span,
}

impl<K> Region<K> {
    /// True if the tile at `column` and `row` lies in one of the rectangles.
    pub fn contains(&self, column: i64, row: i64) -> bool {
        self.areas.iter().any(|area| area.contains(column, row))
    }
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
        let aligned = |a: &Aligned<K>| {
            let Aligned { axis, distance, span, .. } = *a;
            Aligned { kernel: name(&a.kernel), from: name(&a.from), axis, distance, span }
        };
        let region =
            |r: &Region<K>| Region { kernels: all(&r.kernels), areas: r.areas.clone(), span: r.span };
        Constraints {
            offsets: self.offsets.iter().map(offset).collect(),
            aligned: self.aligned.iter().map(aligned).collect(),
            regions: self.regions.iter().map(region).collect(),
            together: groups(&self.together),
            apart: groups(&self.apart),
            distinct: groups(&self.distinct),
            keepouts: self.keepouts.clone(),
        }
    }

    /// The kernels of all constraints. A kernel occurs once per mention.
    pub fn kernels(&self) -> impl Iterator<Item = &K> {
        let groups = self.together.iter().chain(&self.apart).chain(&self.distinct);
        let groups = groups.flat_map(|group| &group.kernels);
        let offsets = self.offsets.iter().flat_map(|offset| [&offset.kernel, &offset.from]);
        let aligned = self.aligned.iter().flat_map(|aligned| [&aligned.kernel, &aligned.from]);
        offsets.chain(aligned).chain(self.regions.iter().flat_map(|region| &region.kernels)).chain(groups)
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
            aligned: Vec::new(),
            regions: Vec::new(),
            together: Vec::new(),
            apart: Vec::new(),
            distinct: Vec::new(),
            keepouts: Vec::new(),
        }
    }
}

impl<K> Group<K> {
    /// Every pair of the kernels, in lexicographic order of their positions.
    pub fn pairs(&self) -> impl Iterator<Item = (&K, &K)> {
        pairs(&self.kernels)
    }
}

/// Every pair of the items, in lexicographic order of their positions.
pub(crate) fn pairs<T>(items: &[T]) -> impl Iterator<Item = (&T, &T)> {
    items.iter().enumerate().flat_map(|(at, a)| items[at + 1..].iter().map(move |b| (a, b)))
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
