//! Errors of cascades.

use aiec_collectives::Shape;
use aiec_device::{Device, Grid, Tile, TileId};
use std::collections::BTreeSet;

use aiec_diag::{Diagnostic, Span, catalogue, listed};

use super::places::placed_instances;
use super::{MOST_NAMES, and_more, fixes, labelled};
use aiec_ir::constraints::Group;
use aiec_ir::expanded::{Cascade, CascadeOrigin, Collective, Expanded};
use aiec_ir::{Carries, ConnectionId, KernelId};

/// The construct that made a cascade, as messages name it.
pub(crate) fn cascade_name(design: &Expanded, origin: CascadeOrigin) -> String {
    match origin {
        CascadeOrigin::Collective(id) => format!("`{}`", design.collectives[id].name),
        CascadeOrigin::Connection(id) => {
            let connection = &design.connections[id];
            format!("`{} -> {}`", design.port_name(connection.from), design.port_name(connection.to))
        }
    }
}

/// The source location of the construct that made a cascade.
pub(crate) fn cascade_span(design: &Expanded, origin: CascadeOrigin) -> Span {
    match origin {
        CascadeOrigin::Collective(id) => design.collectives[id].shape_span,
        CascadeOrigin::Connection(id) => design.connections[id].span,
    }
}

/// These cascades, all of one `connect`, carry vectors, which the release of Vitis does not know.
pub(crate) fn of_release(design: &Expanded, ids: &[ConnectionId]) -> Diagnostic {
    let wire = &design.connections[ids[0]];
    let (release, port) = (design.release, &design.ports[wire.from]);
    let element = port.carries.and_then(Carries::element).map_or("int32", |element| element.name());
    let message = format!(
        "the cascade {} carries vectors of {element}, but a cascade of Vitis {release} is a stream of accumulators ({})",
        and_more(&design.connection_name(ids[0]), ids.len()),
        release.cascade_ports.source,
    );
    let help = "write `vitis \"2023.2\"`, or pass accumulators such as `cascade acc48`";
    // On the command line, the release of the design counts for nothing.
    let line = design.written.vitis.filter(|_| design.written.release == Some(release));
    Diagnostic::new(&catalogue::CASCADE_OF_RELEASE, message, help)
        .label(wire.span, format!("vectors of {element}"))
        .label(port.span, format!("`{}` carries {element}", design.port_name(wire.from)))
        .fix("write `vitis \"2023.2\"`", line.map(|line| (line, "vitis \"2023.2\"")))
}

/// Two cascade streams begin, or end, at one kernel.
pub(crate) fn ends(design: &Expanded, first: &Cascade, second: &Cascade, into: bool) -> Diagnostic {
    let kernel = &design.kernels[if into { first.to } else { first.from }].name;
    let way = if into { "in" } else { "out" };
    let names = [first, second].map(|cascade| cascade_name(design, cascade.origin));
    let message = format!(
        "{} and {} each need a cascade {way} at `{kernel}`, but a core has 1 in and 1 out (AM009)",
        names[0], names[1]
    );
    let collective = |cascade: &&Cascade| matches!(cascade.origin, CascadeOrigin::Collective(_));
    let help = match [first, second].iter().any(collective) {
        true => "let one of them run over other kernels, or write `shape chain` for the collective",
        false => "let one of them be a stream, which may lead to several kernels",
    };
    let diagnostic = Diagnostic::new(&catalogue::CASCADE_ENDS, message, help)
        .label(first.span, format!("takes the cascade {way} of `{kernel}`"))
        .label(second.span, "asks for the same one");
    [second, first].into_iter().fold(diagnostic, |diagnostic, cascade| match cascade.origin {
        CascadeOrigin::Collective(id) => fixes::shape(diagnostic, &design.collectives[id], "chain"),
        CascadeOrigin::Connection(_) => diagnostic,
    })
}

/// A cascade joins two kernels of this `apart`.
pub(crate) fn apart(design: &Expanded, cascade: &Cascade, group: &Group<KernelId>) -> Diagnostic {
    let [from, to] = [cascade.from, cascade.to].map(|kernel| &design.kernels[kernel].name);
    let message = format!(
        "`{from}` and `{to}` are to be apart, but {} puts them on cores that follow each other along the cascade and \
         reach a common memory module (AM009)",
        cascade_name(design, cascade.origin)
    );
    let help = format!(
        "take `{from}` or `{to}` out of the `apart`, or write `apart {from}, {to} by core`; `apart` with two ports lets a \
         DMA move a window between them"
    );
    Diagnostic::new(&catalogue::PLACE_CONFLICT, message, help)
        .label(group.span, format!("`{from}` and `{to}` apart"))
        .label(cascade_span(design, cascade.origin), format!("`{to}` follows `{from}` along the cascade"))
}

/// These connections of one `connect` are cascades, and state a FIFO.
pub(crate) fn fifo(design: &Expanded, span: Span, ids: &[ConnectionId], device: &Device) -> Diagnostic {
    let name = and_more(&design.connection_name(ids[0]), ids.len());
    let help = "leave `fifo` out; kernels that run further apart need a stream instead of the cascade";
    let words = design.connections[ids[0]].fifo.as_ref().map_or(0, |fifo| fifo.value);
    let message = format!(
        "{name} asks for a FIFO of {words} words, but is a cascade: it passes no switch and no memory, and has {} entries at \
         each end (AM009)",
        device.core.cascade_fifo
    );
    let diagnostic = Diagnostic::new(&catalogue::CASCADE_FIFO, message, help)
        .label(span, "belongs to streams")
        .label(design.connections[ids[0]].span, "leads from core to core alone");
    fixes::no_fifo(diagnostic, design, ids)
}

/// Two fixed tiles, and the tiles that follow the first along the cascade.
pub(crate) struct Way {
    /// The tile of the first kernel.
    pub start: TileId,
    /// The tile of the last kernel.
    pub end: TileId,
    /// The tile where the last kernel belongs. None when it is behind the end of the cascade.
    pub follows: Option<TileId>,
    /// The tile after the first. None when the cascade ends at the first tile.
    pub next: Option<TileId>,
}

/// The last kernel of `steps` is fixed to a tile that the cascade from the first does not reach
/// there.
pub(crate) fn misplaced(design: &Expanded, grid: &Grid, steps: &[&Cascade], way: &Way) -> Diagnostic {
    let (first, last) = (steps[0].from, steps[steps.len() - 1].to);
    let name = |kernel: KernelId| &design.kernels[kernel].name;
    let text = |tile: TileId| {
        let tile = grid.tile(tile);
        format!("({}, {})", tile.column, tile.row)
    };
    let (start, next) = (grid.tile(way.start), way.next.map(|tile| grid.tile(tile)));
    let row = start.row;
    let runs = match next {
        Some(next) if next.row != row => {
            format!("leads from {} on to {}", text(way.start), way.next.map(text).unwrap_or_default())
        }
        Some(next) if next.column < start.column => format!("runs west in row {row}"),
        Some(_) => format!("runs east in row {row}"),
        None => format!("ends at {}", text(way.start)),
    };
    let follows = match steps.len() {
        1 => "the next core".to_owned(),
        more => format!("{more} steps"),
    };
    let (place, move_it) = match way.follows {
        Some(tile) => {
            (format!("belongs at {}", text(tile)), format!("write `place {} at {}`", name(last), text(tile)))
        }
        None => (
            "has no tile there".to_owned(),
            format!("place `{}` on an earlier tile of the cascade", name(first)),
        ),
    };
    let help = other_row(design, grid, steps, way).unwrap_or(move_it);
    let message = format!(
        "`{}` is {follows} behind `{}` along the cascade, which {runs} (AM009): it {place}, not at {}",
        name(last),
        name(first),
        text(way.end)
    );
    let places = design.places.iter().filter(|place| [first, last].contains(&place.kernel));
    let places = places.map(|place| {
        (place.span, format!("`{}` is at ({}, {})", name(place.kernel), place.column, place.row))
    });
    let places: Vec<_> = places.chain(placed_instances(design, &[first, last])).collect();
    let diagnostic = Diagnostic::new(&catalogue::PLACE_CONFLICT, message, help);
    labelled(labelled(diagnostic, places), self::steps(steps))
}

/// How a placed instance of a component with both kernels moves by one row, if the cascade then
/// leads from one to the other. Returns None when it does not, or no such instance is around both.
fn other_row(design: &Expanded, grid: &Grid, steps: &[&Cascade], way: &Way) -> Option<String> {
    let (first, last) = (steps[0].from, steps[steps.len() - 1].to);
    let mut around = design.instances_around(first).filter(|instance| instance.placed.is_some());
    let instance = around.find(|one| design.instances_around(last).any(|other| other.name == one.name))?;
    let (start, end) = (grid.tile(way.start), grid.tile(way.end));
    let moved = |tile: Tile, by: i64| grid.at(tile.column.into(), i64::from(tile.row) + by);
    let leads = |by: i64| {
        let follows = grid.along_cascade(moved(start, by)?, i64::try_from(steps.len()).ok()?)?;
        (Some(follows) == moved(end, by)).then_some(i64::from(start.row) + by)
    };
    let row = [-1, 1].into_iter().find_map(leads)?;
    Some(format!(
        "the kernels of `{name}` keep their distances: place `{name}` one row higher or lower, so that `{}` is in an \
         {} row, where the cascade runs the other way",
        design.kernels[first].name,
        if row % 2 == 0 { "even" } else { "odd" },
        name = instance.name,
    ))
}

/// A cascade has more ranks than open cores that follow each other along the cascade.
pub(crate) fn too_long(
    design: &Expanded,
    collective: &Collective,
    longest: usize,
    device: &Device,
) -> Diagnostic {
    let (name, ranks) = (&collective.name, collective.ranks.len());
    let message = format!(
        "the {ranks} ranks of `{name}` need {ranks} cores that follow each other along the cascade, but {} has at most {longest} \
         that are not left free",
        device.name
    );
    let diagnostic = Diagnostic::new(
        &catalogue::CASCADE_LENGTH,
        message,
        "use fewer ranks, leave fewer tiles free, or write `shape chain`",
    )
    .label(collective.shape_span, format!("a cascade over {ranks} cores"));
    let chains = collective.plan.row().algorithm(Shape::Chain).is_some();
    let diagnostic = if chains { diagnostic.replacing(collective.shape_span, "chain") } else { diagnostic };
    let keepouts = design.constraints.keepouts.iter();
    labelled(diagnostic, keepouts.map(|keepout| (keepout.span, "these tiles are left free".to_owned())))
}

/// Kernels that connections chain along the cascade are more than open cores that follow each
/// other.
pub(crate) fn long_chain(
    design: &Expanded,
    chain: &[&Cascade],
    longest: usize,
    device: &Device,
) -> Diagnostic {
    let cores = chain.len() + 1;
    let name = |kernel| &design.kernels[kernel].name;
    let ends = chain.first().zip(chain.last()).map(|(first, last)| (name(first.from), name(last.to)));
    let ends = ends.map_or_else(String::new, |(first, last)| format!(" from `{first}` to `{last}`"));
    let message = format!(
        "the cascade{ends} needs {cores} cores that follow each other, but {} has at most {longest} that are not left free",
        device.name
    );
    let help = "shorten the chain, leave fewer tiles free, or connect two of the kernels by a stream";
    let diagnostic = labelled(Diagnostic::new(&catalogue::CASCADE_LENGTH, message, help), steps(chain));
    let keepouts = design.constraints.keepouts.iter();
    labelled(diagnostic, keepouts.map(|keepout| (keepout.span, "these tiles are left free".to_owned())))
}

/// A cascade returns to its first kernel.
pub(crate) fn cycle(design: &Expanded, chain: &[&Cascade]) -> Diagnostic {
    let names: Vec<String> =
        chain.iter().map(|cascade| format!("`{}`", design.kernels[cascade.from].name)).collect();
    let message = format!(
        "the cascade over {} returns to its start, but it leads one way along the array (AM009)",
        listed(&names, MOST_NAMES)
    );
    let help = "send the way back over a stream or a window";
    labelled(Diagnostic::new(&catalogue::CASCADE_LENGTH, message, help), steps(chain))
}

/// The constructs that make a chain, each once.
fn steps(chain: &[&Cascade]) -> impl Iterator<Item = (Span, String)> {
    let spans: BTreeSet<Span> = chain.iter().map(|cascade| cascade.span).collect();
    spans.into_iter().map(|span| (span, "a step of the cascade".to_owned()))
}

/// No vector type has elements of this type.
pub(crate) fn element(collective: &Collective) -> Diagnostic {
    let (name, element) = (&collective.name, collective.data.value.element.name());
    let diagnostic = Diagnostic::new(
        &catalogue::CASCADE_TYPE,
        format!(
            "`{name}` reduces {element}, of which there are no vectors; the cascade carries nothing else"
        ),
        "use signed elements of at most 32 bits, or write `shape chain`",
    )
    .label(collective.data.span, format!("{element} does not travel on the cascade"))
    .label(collective.shape_span, "the cascade carries vectors");
    fixes::shape(diagnostic, collective, "chain")
}
