//! Tiles of instances: placement inside a component counts from the tile of the instance.
//!
//! [`Context::settle`] turns tiles as written into tiles of the array. The kernels of an instance
//! without a tile of its own stay together: each keeps its distance from the first one placed.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Diagnostic, Span, Spanned};
use aiec_dsl::ast::{self, At, Ident, Part, Reference};
use aiec_ir::constraints::{Area, Offset};
use aiec_ir::design::{Instance, Node};
use aiec_ir::{FamilyId, SubgraphId};

use crate::errors;
use crate::lower::Context;
use crate::names::Symbol;
use crate::selections::last_name;

/// Something with tiles as written at a level.
#[derive(Clone, Debug)]
pub struct Framed<T> {
    /// The instance whose tile the tiles count from. None when they are tiles of the array.
    pub frame: Option<SubgraphId>,
    /// What has the tiles.
    pub what: T,
}

/// A tile as written: the instance from whose tile it counts, columns and rows.
type StatedTile = (Option<SubgraphId>, i64, i64);

/// The tile of an instance as written.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    /// The instance from whose tile it counts. None when it is a tile of the array.
    base: Option<SubgraphId>,
    /// Columns to the east.
    columns: i64,
    /// Core rows to the north.
    rows: i64,
    /// The instance of the component whose text has the `place`. None in the design.
    level: Option<SubgraphId>,
    /// Source location of the `place`.
    span: Span,
}

/// A position: columns and rows from the tile of an instance that has none itself, or from tile
/// (0, 0) of the array.
#[derive(Clone, Copy, Debug)]
struct Position {
    root: Option<SubgraphId>,
    columns: i64,
    rows: i64,
}

impl Position {
    const fn moved(self, columns: i64, rows: i64) -> Self {
        Self {
            columns: self.columns.saturating_add(columns),
            rows: self.rows.saturating_add(rows),
            root: self.root,
        }
    }

    /// The tile at `column` and `row` from here.
    const fn tile(self, column: i64, row: i64) -> (i64, i64) {
        let moved = self.moved(column, row);
        (moved.columns, moved.rows)
    }
}

impl Context<'_> {
    /// True if a reference names instances of a component, not kernels.
    pub fn names_instance(&self, reference: &Reference) -> bool {
        self.behind_instances(reference).is_empty()
    }

    /// True if a reference names an input or output.
    pub fn names_external(&self, reference: &Reference) -> bool {
        let name = reference.parts.first().filter(|_| reference.parts.len() == 1);
        let symbol = name.and_then(|part| self.symbol(self.at.subgraph, &part.name.value));
        matches!(symbol, Some(Symbol::Node(Node::External(_))))
    }

    /// What a reference without a port names.
    pub fn placed(&self, reference: &Reference) -> errors::Placed {
        let behind = self.behind_instances(reference);
        if behind.is_empty() {
            errors::Placed::Instance
        } else if self.names_external(reference) {
            errors::Placed::External
        } else if behind.len() < reference.parts.len() && !self.is_kernel_within(reference) {
            errors::Placed::PortOfInstance
        } else {
            errors::Placed::Kernel
        }
    }

    /// True if the last name of a reference through instances is a kernel of the innermost one.
    pub fn is_kernel_within(&self, reference: &Reference) -> bool {
        let mut level = self.at.subgraph;
        for part in &reference.parts {
            match self.symbol(level, &part.name.value) {
                Some(Symbol::Group(group)) => {
                    level = self.groups.get(group).and_then(|group| group.members.first()).copied();
                }
                symbol => return matches!(symbol, Some(Symbol::Node(Node::Family(_)))),
            }
        }
        false
    }

    /// The name behind that of a kernel, input or output, where a reference has one.
    pub fn port_of<'r>(&self, reference: &'r Reference) -> Option<&'r Ident> {
        self.behind_instances(reference).get(1).map(|part| &part.name)
    }

    /// The parts of a reference behind the instances of components that it leads into. Empty when
    /// an instance has a fault, which was reported.
    fn behind_instances<'r>(&self, reference: &'r Reference) -> &'r [Part] {
        let mut level = self.at.subgraph;
        for (at, part) in reference.parts.iter().enumerate() {
            let Some(Symbol::Group(group)) = self.symbol(level, &part.name.value) else {
                return &reference.parts[at..];
            };
            let first = self.groups.get(group).and_then(|group| group.members.first());
            let Some(&first) = first else { return &[] };
            level = Some(first);
        }
        &[]
    }

    /// `place INSTANCE at (column, row)` or `place INSTANCE at INSTANCE + (columns, rows)`: one
    /// instance, or as many by as many.
    pub fn anchor(&mut self, place: &ast::Place, span: Span) {
        let (placed, bases, offset) = match &place.at {
            At::Tile(tile) => {
                let Some(placed) = self.one_instance(&place.reference) else { return };
                (vec![placed], vec![self.at.subgraph], self.pair(tile))
            }
            At::Memory(_) | At::Offsets(_) | At::Shim(_) => return, // reported
            At::Kernel { of, offset } => {
                if !self.names_instance(of) {
                    return self.report(errors::instance_by_kernel(of.span, last_name(of)));
                }
                let (placed, bases) = (self.instances_of(&place.reference), self.instances_of(of));
                let (Some(placed), Some(bases)) = (placed, bases) else { return };
                if placed.len() != bases.len() {
                    let [left, right] = [(placed.len(), place.reference.span), (bases.len(), of.span)]
                        .map(|(count, span)| Spanned::new(count as u64, span));
                    return self.report(errors::place_mismatch("instance", left, right));
                }
                let bases = bases.into_iter().map(Some).collect();
                (placed, bases, self.whole_distance(offset.as_ref(), span))
            }
        };
        let Some((columns, rows)) = offset else { return };
        if !self.count_named(placed.len() as u64, span) {
            return;
        }
        for (placed, base) in placed.into_iter().zip(bases) {
            let level = self.at.subgraph;
            if let Some(first) = self.anchors.insert(placed, Anchor { base, columns, rows, level, span }) {
                let fault = self.placed_twice(placed, first, span);
                return self.report(fault);
            }
            self.subgraphs[placed].placed = Some(span);
        }
    }

    /// The fault of an instance with a tile that `first` gives already.
    fn placed_twice(&self, placed: SubgraphId, first: Anchor, again: Span) -> Diagnostic {
        let around = first.level.filter(|_| first.level != self.at.subgraph);
        match (around.and_then(|id| self.subgraphs.get(id)), self.subgraphs.get(placed)) {
            (Some(around), Some(placed)) => errors::placed_inside(placed, around, again, first.span),
            _ => errors::duplicate_item("place", again, first.span),
        }
    }

    /// The distance between two instances, which has both numbers.
    fn whole_distance(&mut self, offset: Option<&ast::Distance>, span: Span) -> Option<(i64, i64)> {
        let Some(offset) = offset else { return Some((0, 0)) };
        match self.distance(offset)? {
            (Some(columns), Some(rows)) => Some((columns, rows)),
            _ => {
                self.report(errors::open_distance(span));
                None
            }
        }
    }

    /// The families of these instances and of all instances in them.
    pub fn families_within(&self, instances: &[SubgraphId]) -> Vec<FamilyId> {
        let mut inside: BTreeSet<SubgraphId> = instances.iter().copied().collect();
        let mut families = Vec::new();
        // An instance comes after the one it lies in.
        for (id, subgraph) in self.subgraphs.enumerate() {
            if subgraph.parent.is_some_and(|parent| inside.contains(&parent)) {
                inside.insert(id);
            }
            if inside.contains(&id) {
                families.extend(&subgraph.families);
            }
        }
        families
    }

    /// The instances of components that a reference names.
    pub fn instances_of(&mut self, reference: &Reference) -> Option<Vec<SubgraphId>> {
        let mut levels = vec![self.at.subgraph];
        for part in &reference.parts {
            let mut next = Vec::new();
            for &level in &levels {
                next.extend(self.members(level, part)?.into_iter().map(Some));
            }
            levels = next;
        }
        Some(levels.into_iter().flatten().collect())
    }

    /// The one instance of a component that a reference names.
    fn one_instance(&mut self, reference: &Reference) -> Option<SubgraphId> {
        let instances = self.instances_of(reference)?;
        if let [one] = instances.as_slice() {
            return Some(*one);
        }
        let count = instances.len() as u64;
        self.report(errors::one_instance_needed(reference.span, last_name(reference), count));
        None
    }

    /// Gives a tile to each instance that needs one and that nothing places: its tiles lie in the
    /// middle of an array of this many columns, from an even row on, as low as they can.
    pub fn place_freely(&mut self, array: Option<(i64, i64)>) {
        let (columns, rows) = array.unwrap_or_default();
        let (needing, all) = self.stated_tiles();
        let needing: BTreeSet<SubgraphId> =
            needing.into_iter().filter_map(|frame| self.position(frame)?.root).collect();
        for root in needing {
            let mut own: Vec<(i64, i64)> = Vec::new();
            for &(frame, column, row) in &all {
                let at = self.position(frame).filter(|at| at.root == Some(root));
                own.extend(at.map(|at| at.tile(column, row)));
            }
            let range = |coordinates: Vec<i64>| {
                coordinates.iter().min().copied().zip(coordinates.iter().max().copied()).unwrap_or_default()
            };
            let (west, east) = range(own.iter().map(|(column, _)| *column).collect());
            let (south, north) = range(own.iter().map(|(_, row)| *row).collect());
            let spare = columns.saturating_sub(east.saturating_sub(west)).saturating_sub(1).max(0);
            let low = south.saturating_neg();
            let even = low.saturating_add(low.rem_euclid(2));
            let fits = north.saturating_add(even) < rows;
            let anchor = Anchor {
                base: None,
                columns: (spare / 2).saturating_sub(west),
                rows: if fits { even } else { low },
                level: None,
                span: self.subgraphs[root].span,
            };
            self.anchors.insert(root, anchor);
        }
    }

    /// The instances from whose tiles something counts that cannot do without one, and all tiles
    /// as written, each with its instance.
    fn stated_tiles(&self) -> (Vec<Option<SubgraphId>>, Vec<StatedTile>) {
        let mut found: Vec<StatedTile> = Vec::new();
        for place in &self.block_places {
            let tiles = place.what.spots.iter().filter_map(|spot| spot.module);
            found.extend(tiles.map(|(column, row)| (place.frame, column, row)));
        }
        let regions = self.regions.iter().flat_map(|one| one.what.areas.iter().map(|area| (one.frame, area)));
        let areas = regions.chain(self.keepouts.iter().map(|one| (one.frame, &one.what.area)));
        found.extend(
            areas.flat_map(|(frame, area)| [area.from, area.to].map(|(column, row)| (frame, column, row))),
        );
        for fifo in self.wires.iter().filter_map(|wire| wire.fifo.as_ref()) {
            found.extend(fifo.places.iter().map(|at| (fifo.frame, at.column, at.row.unwrap_or(0))));
        }
        let needing = found.iter().map(|(frame, ..)| *frame).collect();
        found.extend(self.places.iter().map(|place| (place.frame, place.what.column, place.what.row)));
        (needing, found)
    }

    /// Reports tiles of instances from which nothing counts, once for each component. A tile inside
    /// another instance of the component may depend on its constants. A statement with a fault is
    /// left out, and a tile may count from nothing for that. [`Self::settle`],
    /// [`Self::settle_fifos`] and [`Self::compose`] come later, since they take the tiles as
    /// written away.
    pub fn tiles_without_use(&mut self) {
        if self.anchors.is_empty() || self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let tiles = self.stated_tiles().1.into_iter().map(|(frame, ..)| frame);
        let frames: BTreeSet<Option<SubgraphId>> =
            tiles.chain(self.shim_places.iter().map(|place| place.frame)).collect();
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for mut at in frames {
            // Instances may be placed by each other in a circle.
            for _ in 0..=self.anchors.len() {
                let Some(id) = at else { break };
                used.extend(self.subgraphs.get(id).map(|instance| instance.component.as_str()));
                at = self.anchors.get(&id).and_then(|anchor| anchor.base);
            }
        }
        let mut faults: Vec<Diagnostic> = Vec::new();
        for (&id, anchor) in &self.anchors {
            let Some(instance) = self.subgraphs.get(id) else { continue };
            if used.insert(&instance.component) {
                faults.push(errors::idle_anchor(anchor.span, instance));
            }
        }
        faults.into_iter().for_each(|fault| self.report(fault));
    }

    /// Moves all tiles to where the instances lie.
    pub fn settle(&mut self) {
        let (places, regions, keepouts) = (
            std::mem::take(&mut self.places),
            std::mem::take(&mut self.regions),
            std::mem::take(&mut self.keepouts),
        );
        let mut firsts: BTreeMap<SubgraphId, (Instance, i64, i64)> = BTreeMap::new();
        for mut place in places {
            let Some(at) = self.position(place.frame) else { return };
            let what = &mut place.what;
            let at = at.moved(what.column, what.row);
            let Some(root) = at.root else {
                (what.column, what.row) = (at.columns, at.rows);
                self.places.push(place);
                continue;
            };
            match firsts.get(&root) {
                None => drop(firsts.insert(root, (what.instance, at.columns, at.rows))),
                Some(&(from, column, row)) => self.constraints.offsets.push(Offset {
                    kernel: what.instance,
                    from,
                    columns: at.columns.saturating_sub(column),
                    rows: at.rows.saturating_sub(row),
                    span: what.span,
                }),
            }
        }
        for place in std::mem::take(&mut self.block_places) {
            let mut what = place.what;
            let has_tile = what.spots.iter().any(|spot| spot.module.is_some());
            let frame = place.frame.filter(|_| has_tile);
            let Some(at) = self.anchored(frame, what.span, "place") else { return };
            for spot in &mut what.spots {
                spot.module = spot.module.map(|(column, row)| at.tile(column, row));
            }
            self.blocks.places.push(what);
        }
        for place in std::mem::take(&mut self.shim_places) {
            let mut what = place.what;
            let Some(at) = self.anchored(place.frame, what.span, "place") else { return };
            for (first, last) in &mut what.ranges {
                (*first, *last) = (at.tile(*first, 0).0, at.tile(*last, 0).0);
            }
            self.shims.push(what);
        }
        for region in regions {
            let mut what = region.what;
            for area in &mut what.areas {
                let Some(moved) = self.moved_area(region.frame, *area, what.span, "region") else { return };
                *area = moved;
            }
            self.constraints.regions.push(what);
        }
        for keepout in keepouts {
            let mut what = keepout.what;
            let Some(area) = self.moved_area(keepout.frame, what.area, what.span, "keepout") else { return };
            what.area = area;
            self.constraints.keepouts.push(what);
        }
    }

    /// Moves the places of FIFOs to where the instances lie. Reports each place once, though
    /// several instances may have no tile.
    pub fn settle_fifos(&mut self) {
        let mut wires = std::mem::take(&mut self.wires);
        let mut reported: BTreeSet<Span> = BTreeSet::new();
        for fifo in wires.iter_mut().filter_map(|wire| wire.fifo.as_mut()) {
            for place in &mut fifo.places {
                if reported.contains(&place.span) {
                    break;
                }
                let Some(at) = self.anchored(fifo.frame, place.span, "fifo") else {
                    reported.insert(place.span);
                    break;
                };
                let (column, row) = at.tile(place.column, place.row.unwrap_or(0));
                (place.column, place.row) = (column, place.row.map(|_| row));
            }
        }
        self.wires = wires;
    }

    /// The tile of an instance, which must have one.
    fn anchored(&mut self, frame: Option<SubgraphId>, span: Span, what: &str) -> Option<Position> {
        let at = self.position(frame)?;
        // After a fault in an instance nothing places it.
        let is_left_out = |root: SubgraphId| !self.groups.iter().any(|group| group.members.contains(&root));
        if at.root.is_some_and(is_left_out) {
            return None;
        }
        if let Some(root) = at.root.and_then(|root| self.subgraphs.get(root)) {
            let diagnostic = errors::no_anchor(span, what, &root.name, root.span);
            self.report(diagnostic);
            return None;
        }
        Some(at)
    }

    /// A rectangle where its instance lies.
    fn moved_area(&mut self, frame: Option<SubgraphId>, area: Area, span: Span, what: &str) -> Option<Area> {
        let at = self.anchored(frame, span, what)?;
        Some(Area { from: at.tile(area.from.0, area.from.1), to: at.tile(area.to.0, area.to.1) })
    }

    /// The position of an instance's tile. Returns None when instances are placed by each other in
    /// a circle.
    fn position(&mut self, frame: Option<SubgraphId>) -> Option<Position> {
        let (mut at, mut columns, mut rows) = (frame, 0i64, 0i64);
        for _ in 0..=self.anchors.len() {
            let Some(anchor) = at.and_then(|id| self.anchors.get(&id)) else {
                return Some(Position { root: at, columns, rows });
            };
            columns = columns.saturating_add(anchor.columns);
            rows = rows.saturating_add(anchor.rows);
            at = anchor.base;
        }
        let anchor = at.and_then(|id| Some((self.anchors.get(&id)?, self.subgraphs.get(id)?)))?;
        let diagnostic = errors::anchor_circle(anchor.0.span, &anchor.1.name);
        self.report(diagnostic);
        None
    }
}
