//! The changes of a design that may shorten its time, ranked by the closed form, or by runs on a
//! perfect placement.

use aiec_collectives::Shape;
use aiec_event_model::{LegKind, Path};
use aiec_ir::design::{Collective, Endpoint, FarEnd, Instance};
use aiec_ir::expanded::PortRole;
use aiec_ir::{Buffering, Carries, CollectiveId, Design};
use aiec_placer::{Objective, Term};

use crate::options::Options;
use crate::pipeline::{self, Back, Front, Log};
use crate::variant::{Builder, SMALLEST, all_shapes, is_alone, numbers_of_windows, with_hubs};

/// Shapes, and sizes of windows, that are ranked for a collective: those that are expected to be
/// the fastest.
const CANDIDATES: usize = 2;
/// Changes of a collective that are built: the first of them.
const BUILT: usize = 4;
/// A variant is dense if it has more than N connections for each rank, or N times those of the
/// design. It is much harder to place, so it is built only if the closed form expects it to be
/// faster.
const DENSE: usize = 2;

/// A variant of a design.
pub(super) struct Change {
    /// The change in words of the language.
    pub(super) words: String,
    design: Design,
    /// Terms of the placement in the place of the usual ones.
    objective: Option<Objective>,
}

/// A variant of a collective, with the array cycles that are expected of it: of a call by the
/// closed form, or of a run. None when it has none.
type Ranked = (Option<i64>, Change);

impl Change {
    const fn of(words: String, design: Design) -> Self {
        Self { words, design, objective: None }
    }

    /// Array cycles of the variant. Returns None when it cannot be built.
    pub(super) fn cycles(&self, builder: &Builder<'_>) -> Option<f64> {
        let mut options: Options = builder.options.clone();
        options.place.objective = self.objective.unwrap_or(options.place.objective);
        builder.with(&options).build(&self.design)?.total()
    }
}

/// The changes worth building.
pub(super) fn of(
    builder: &Builder<'_>,
    design: &Design,
    front: &Front,
    back: &Back,
    path: &Path,
) -> Vec<Change> {
    let total = path.cycles.total();
    let mut changes: Vec<Change> = slowest(front, back)
        .map(|id| Subject { builder, design, front, id, total }.best())
        .unwrap_or_default();
    changes.extend(placement(builder, design, front));
    changes.extend(faster_kernel(design, front, path));
    changes.extend(double_buffers(design));
    changes.extend(wider_plio(design, front));
    changes.extend(larger_windows(design));
    changes
}

/// The collective whose calls take longest by the closed form.
fn slowest(front: &Front, back: &Back) -> Option<CollectiveId> {
    let times = front.checked.collectives.ids().zip(&back.estimate.collectives);
    times.max_by_key(|(_, estimate)| estimate.total_cycles).map(|(id, _)| id)
}

/// A collective to change.
struct Subject<'a> {
    builder: &'a Builder<'a>,
    design: &'a Design,
    front: &'a Front,
    id: CollectiveId,
    /// Array cycles of the design on its placement.
    total: f64,
}

impl Subject<'_> {
    fn collective(&self) -> &Collective {
        &self.design.collectives[self.id]
    }

    /// The shape of the design, or the one that was chosen.
    fn shape(&self) -> Shape {
        self.front.checked.collectives[self.id].plan.shape
    }

    /// A variant in which the collective is changed.
    fn change(&self, words: &str, change: impl FnOnce(&mut Collective)) -> Change {
        let mut design = self.design.clone();
        let collective = &mut design.collectives[self.id];
        collective.shape.value = Some(self.shape());
        change(collective);
        Change::of(format!("{}: {words}", collective.name), design)
    }

    /// The changes that are expected to help most, without those that help on no placement.
    fn best(&self) -> Vec<Change> {
        let now = self.expected(self.design);
        let mut changes = self.changes();
        changes.sort_by_key(|(cycles, _)| cycles.unwrap_or(i64::MAX));
        let is_built = |(cycles, change): &Ranked| {
            let is_faster = cycles.zip(now).is_some_and(|(cycles, now)| cycles < now);
            self.may_help(change, is_faster)
        };
        changes.into_iter().filter(is_built).take(BUILT).map(|(_, change)| change).collect()
    }

    /// True if some placement of a variant is faster than the design on its own, and the search for
    /// one is worth its time. Building a variant with faults finds them at once.
    fn may_help(&self, change: &Change, is_faster: bool) -> bool {
        let front = pipeline::front_of(&change.design, self.builder.options, &mut Log::default());
        let Some(front) = front else { return true };
        let links = self.front.checked.connections.len().max(self.collective().group.len());
        let is_sparse = front.checked.connections.len() <= links.saturating_mul(DENSE);
        let is_hopeless = self.builder.floor(&front).is_some_and(|floor| floor >= self.total);
        !is_hopeless && (is_faster || is_sparse)
    }

    fn changes(&self) -> Vec<Ranked> {
        let mut changes = self.shapes();
        changes.extend(self.roots());
        changes.extend(self.windows());
        if self.collective().details.scalar {
            let vector = self.change("style vector", |collective| collective.details.scalar = false);
            changes.push(self.ranked(vector));
        }
        changes
    }

    /// Cycles of a call in the shape of this variant, by the closed form.
    fn closed_form(&self, design: &Design) -> Option<i64> {
        let shape = design.collectives[self.id].shape.value.unwrap_or(self.shape());
        let all = all_shapes(design, self.builder.options, self.id);
        all.into_iter().find(|one| one.shape == shape)?.cycles.ok()
    }

    /// Cycles of a call by the closed form, if a run has one call alone. Otherwise those of a run
    /// on a perfect placement.
    fn expected(&self, design: &Design) -> Option<i64> {
        if is_alone(self.design, self.id) {
            return self.closed_form(design);
        }
        let front = pipeline::front_of(design, self.builder.options, &mut Log::default())?;
        #[expect(clippy::cast_possible_truncation, reason = "cycles of a run fit")]
        self.builder.floor(&front).map(|cycles| cycles.round() as i64)
    }

    fn ranked(&self, change: Change) -> Ranked {
        (self.expected(&change.design), change)
    }

    /// Other shapes, those first that are expected to be fast, and the shape over
    /// streams. The closed form has windows pass through shared memory, so it expects too much of
    /// them where they pass over nets.
    fn shapes(&self) -> Vec<Ranked> {
        if self.collective().operation.row().is_channel() {
            return Vec::new();
        }
        let all = all_shapes(self.design, self.builder.options, self.id);
        let all = match is_alone(self.design, self.id) {
            true => all,
            false => with_hubs(self.design, self.id, all),
        };
        let others = all.into_iter().filter(|one| one.cycles.is_ok() && one.shape != self.shape());
        let mut others: Vec<(Shape, Ranked)> =
            others.map(|one| (one.shape, self.ranked(self.shaped(one.shape, None)))).collect();
        others.sort_by_key(|(_, (cycles, _))| cycles.unwrap_or(i64::MAX));
        let tried = others.into_iter().enumerate();
        let tried = tried.filter(|(at, (shape, _))| *at < CANDIDATES || *shape == Shape::Stream);
        tried.map(|(_, (_, ranked))| ranked).collect()
    }

    fn shaped(&self, shape: Shape, root: Option<Instance>) -> Change {
        let at = root.map_or_else(String::new, |root| format!(", root {}", self.name(root)));
        // Only over streams can kernels take the data step by step.
        let call = if self.shape() == Shape::Stream { ", called with arrays" } else { "" };
        self.change(&format!("shape {shape}{at}{call}"), |collective| {
            collective.shape.value = Some(shape);
            collective.root = root.unwrap_or(collective.root);
        })
    }

    /// The last rank as the root, in the same shape and along the cascade, which ends there.
    fn roots(&self) -> Vec<Ranked> {
        let collective = self.collective();
        let place = |instance: Instance| (instance.family, instance.index);
        let last = collective.group.last().copied().filter(|&last| place(last) != place(collective.root));
        let Some(last) = last.filter(|_| collective.operation.row().names_root) else { return Vec::new() };
        let moved = self.change(&format!("root {}", self.name(last)), |collective| collective.root = last);
        let all = all_shapes(&moved.design, self.builder.options, self.id).into_iter();
        let cascade = all.filter(|one| one.cycles.is_ok() && one.shape == Shape::Cascade);
        let cascade: Vec<Ranked> =
            cascade.map(|one| self.ranked(self.shaped(one.shape, Some(last)))).collect();
        cascade.into_iter().chain([self.ranked(moved)]).collect()
    }

    /// Other sizes of windows, those first that the closed form expects to be fast.
    fn windows(&self) -> Vec<Ranked> {
        if self.shape() == Shape::Stream {
            return Vec::new();
        }
        let (data, now) = (self.collective().data.value, self.collective().window.value.elements);
        let sizes = numbers_of_windows().map(|parts| data.elements.div_ceil(parts));
        let sizes = sizes.filter(|&elements| {
            elements != now && u64::from(elements) * u64::from(data.element.bytes()) >= SMALLEST
        });
        let mut found: Vec<Ranked> = sizes
            .filter_map(|elements| {
                let window = aiec_ir::WindowType { elements, ..data };
                let change = self.change(&format!("window {window}"), |one| one.window.value = window);
                let ranked = self.ranked(change);
                ranked.0.is_some().then_some(ranked)
            })
            .collect();
        found.sort_by_key(|(cycles, _)| *cycles);
        found.truncate(CANDIDATES);
        found
    }

    fn name(&self, instance: Instance) -> String {
        self.design.families[instance.family].instance_name(instance.index)
    }
}

/// A placement in which the ways of collectives, or of all windows, come before all other terms. A
/// collective along the cascade or over streams has no way that a placement could shorten.
fn placement(builder: &Builder<'_>, design: &Design, front: &Front) -> Option<Change> {
    let has_ways = front
        .checked
        .ports
        .iter()
        .any(|port| matches!(port.role, PortRole::Link(_)) && port.window().is_some());
    let first = match has_ways {
        true => Term::Path,
        false if design.collectives.is_empty() => Term::Wire,
        false => return None,
    };
    let rest = Term::ALL.into_iter().filter(|&term| term != first);
    let terms: Vec<Term> = std::iter::once(first).chain(rest).collect();
    let objective = Objective::new(&terms)?;
    let given = builder.search.placing.placement.as_ref();
    let names: Vec<&str> = terms.iter().map(|term| term.name()).collect();
    let (words, objective) = match given {
        Some(file) => (format!("placement: by the search, without {}", file.display()), None),
        None => (format!("placement: --objective {}", names.join(",")), Some(objective)),
    };
    Some(Change { words, design: design.clone(), objective })
}

/// Half the cycles for the kernel whose stated cycles take the largest part of the path.
fn faster_kernel(design: &Design, front: &Front, path: &Path) -> Option<Change> {
    let kernels = path.legs.iter().filter(|leg| leg.kind == LegKind::Kernel);
    let stated = kernels.filter_map(|leg| {
        let (id, kernel) = front.checked.kernels.enumerate().find(|(_, kernel)| kernel.name == leg.name)?;
        let cycles = front.checked.body(id).cycles.as_ref()?.value;
        Some((leg.cycles.compute, cycles, kernel.family))
    });
    let (_, cycles, family) =
        stated.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|&(_, cycles, _)| cycles > 1)?;
    let mut faster = design.clone();
    for body in &mut faster.families[family].bodies {
        body.cycles.iter_mut().for_each(|cycles| cycles.value /= 2);
    }
    let name = &design.families[family].name;
    Some(Change::of(format!("{name}: cycles {} in the place of {cycles}", cycles / 2), faster))
}

/// Two buffers wherever the design says `single`.
fn double_buffers(design: &Design) -> Option<Change> {
    let single = |&buffering: &Buffering| buffering == Buffering::Single;
    let links = design.graph.edge_weights().map(|link| &link.buffering);
    if !links.chain(design.collectives.iter().map(|one| &one.buffering)).any(single) {
        return None;
    }
    let mut double = design.clone();
    double.graph.edge_weights_mut().for_each(|link| link.buffering = Buffering::Pingpong);
    for id in design.collectives.ids() {
        double.collectives[id].buffering = Buffering::Pingpong;
    }
    Some(Change::of("buffer pingpong wherever the design says single".to_owned(), double))
}

/// The widest ports to the programmable logic that the device has.
fn wider_plio(design: &Design, front: &Front) -> Option<Change> {
    let widest = front.device.shim.plio_widths.iter().copied().max()?;
    let mut wider = design.clone();
    let mut names = Vec::new();
    for id in design.externals.ids() {
        let external = &mut wider.externals[id];
        if let FarEnd::Array(Endpoint::Plio { bits, .. }) = &mut external.end
            && bits.value < widest
        {
            bits.value = widest;
            names.push(external.name.clone());
        }
    }
    (!names.is_empty()).then(|| Change::of(format!("{}: plio of {widest} bits", names.join(", ")), wider))
}

/// Windows of twice the size and half the iterations, for a design whose kernels move nothing but
/// windows. A kernel then takes twice its cycles.
fn larger_windows(design: &Design) -> Option<Change> {
    let mut larger = design.clone();
    if larger.iterations % 2 == 1 || !larger.collectives.is_empty() {
        return None;
    }
    larger.iterations /= 2;
    for id in design.families.ids() {
        let family = &mut larger.families[id];
        for port in &mut family.ports {
            let Carries::Window { window, margin: 0 } = &mut port.carries else { return None };
            window.elements = window.elements.checked_mul(2)?;
        }
        for cycles in family.bodies.iter_mut().flat_map(|body| &mut body.cycles) {
            cycles.value = cycles.value.checked_mul(2)?;
        }
    }
    let words = "windows of twice the size, in half the iterations; a kernel takes twice its cycles";
    Some(Change::of(words.to_owned(), larger))
}
