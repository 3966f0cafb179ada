//! Errors of placement constraints.

use std::collections::BTreeSet;

use aiec_collectives::Direction;
use aiec_device::{Device, Grid, TileId};
use aiec_diag::{Code, Diagnostic, Span, catalogue, count, listed};

use super::cascade::{cascade_name, cascade_span};
use super::{MOST_NAMES, labelled, list, size};
use crate::statement::{NO_PINS, Stated, Statement};
use aiec_ir::constraints::{Aligned, Axis, Group, Offset};
use aiec_ir::expanded::{CascadeOrigin, Expanded, Place, PortRole};
use aiec_ir::{Alone, WHOLE_CORE};
use aiec_ir::{KernelId, PortId};

/// Two kernels that must share memory, or must not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    /// The kernel that the statement names first.
    pub a: KernelId,
    /// The kernel that the statement names second.
    pub b: KernelId,
    /// True if they must share memory, false if they must not.
    pub shares: bool,
}

impl Wish {
    /// True if tiles `a` and `b` are as the wish asks.
    pub fn holds(self, grid: &Grid, a: TileId, b: TileId) -> bool {
        (a == b || grid.partners(a).contains(&b)) == self.shares
    }
}

/// Two `place` constraints fix one kernel to different tiles.
pub(crate) fn two_tiles(design: &Expanded, first: &Place, second: &Place) -> Diagnostic {
    let kernel = &design.kernels[first.kernel].name;
    let tile = |place: &Place| format!("({}, {})", place.column, place.row);
    Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!("`{kernel}` is placed at {} and at {}", tile(first), tile(second)),
        "take one of the two constraints away",
    )
    .label(second.span, format!("`{kernel}` at {}", tile(second)))
    .label(first.span, format!("`{kernel}` at {} before", tile(first)))
}

/// `aligned` states one distance on an axis; the other constraints imply `made`.
pub(crate) fn two_alignments(design: &Expanded, aligned: &Aligned<KernelId>, made: i64) -> Diagnostic {
    let name = |kernel: KernelId| &design.kernels[kernel].name;
    let word = aligned.axis.word();
    Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!(
            "`{}` is placed {} {word} from `{}`, but other constraints put it {made} {word} from there",
            name(aligned.kernel),
            aligned.distance,
            name(aligned.from)
        ),
        format!("write {made} here, or take one of the other distances away"),
    )
    .label(aligned.span, "this distance contradicts the others")
}

/// Kernels at fixed distances on an axis, for which no column (row) satisfies all constraints.
pub(crate) fn no_line(design: &Expanded, kernels: &[KernelId], axis: Axis, spans: &[Span]) -> Diagnostic {
    let lines = axis.word();
    let diagnostic = Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!(
            "{} keep fixed distances in {lines}, and their other constraints leave 0 {lines} for all of them",
            list(design, kernels)
        ),
        "change one of the distances, or where one of the kernels is placed",
    );
    let labels = spans.iter().map(|&span| (span, format!("a distance in {lines}")));
    labelled(diagnostic, labels.chain(constraints_on(design, kernels)))
}

/// An `apart` names a kernel twice.
pub(crate) fn apart_from_itself(design: &Expanded, kernel: KernelId, span: Span) -> Diagnostic {
    let name = &design.kernels[kernel].name;
    Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!("`{name}` is to be apart from itself: the `apart` names it 2 times, and 1 is enough"),
        "name each kernel once; a slice such as `worker[1..]` leaves instances out",
    )
    .label(span, format!("names `{name}` twice"))
}

/// Two kernels of an `apart` by core run on one core.
pub(crate) fn on_one_core(
    design: &Expanded,
    a: KernelId,
    b: KernelId,
    group: &Group<KernelId>,
) -> Diagnostic {
    let (first, second) = (&design.kernels[a].name, &design.kernels[b].name);
    let help = match design.is_adf() {
        true => format!(
            "give `{second}` another core: kernels of different graph objects never share one (UG1079, \"Runtime \
             Ratio\"), nor do those of an `apart`"
        ),
        false => format!("take `{second}` out of the `apart`, or change where the two are placed"),
    };
    let diagnostic = Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!("`{first}` and `{second}` are to run on 2 cores, but other constraints put them on 1"),
        help,
    )
    .label(group.span, "no two on one core");
    labelled(diagnostic, constraints_on(design, &[a, b]))
}

/// Offsets between two kernels differ, directly or through other kernels: the offsets of
/// `statements` contradict each other.
pub(crate) fn two_distances(
    design: &Expanded,
    offset: &Offset<KernelId>,
    made: (i64, i64),
    statements: &[Statement],
) -> Diagnostic {
    let name = |kernel: KernelId| &design.kernels[kernel].name;
    let offsets = &design.constraints.offsets;
    let others = statements.iter().filter_map(|statement| match statement {
        Statement::Offset(at) => offsets.get(*at).filter(|other| other.span != offset.span),
        _ => None,
    });
    let diagnostic = Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!(
            "`{}` is placed at `{}` + ({}, {}), but other offsets put it at + ({}, {})",
            name(offset.kernel),
            name(offset.from),
            offset.columns,
            offset.rows,
            made.0,
            made.1
        ),
        format!("write + ({}, {}) here, or take one of the offsets away", made.0, made.1),
    )
    .label(offset.span, "this offset contradicts the others");
    labelled(diagnostic, others.map(|other| (other.span, "one of the other offsets".to_owned())))
}

/// `statements`, of which none can be left out, give no tiles to `kernels`, of which none can be
/// left out either. The code is `check/place-conflict`, or `place/contradiction` after a search.
pub fn no_tiles(
    code: &'static Code,
    stated: Stated<'_>,
    device: &Device,
    kernels: &[KernelId],
    statements: &[Statement],
) -> Diagnostic {
    let (who, what) = (list(stated.design, kernels), stated.counted(statements));
    let closed = match device.keepout.len() {
        0 => String::new(),
        tiles => format!(" ({} leaves {tiles} tiles free)", device.name),
    };
    let leave = if statements.len() == 1 { "leaves" } else { "leave" };
    let array = &device.name;
    let message = match kernels.len() {
        0 | 1 => format!("{who} cannot be placed: {what} {leave} it none of the tiles of {array}{closed}"),
        2 => format!(
            "{who} cannot both be placed: {what} {leave} no tiles of {array} for the two at once{closed}"
        ),
        all => format!(
            "{who} cannot all be placed: {what} {leave} no tiles of {array} for all {all} at once, for {} at most{closed}",
            all - 1
        ),
    };
    let about: BTreeSet<KernelId> = kernels.iter().copied().collect();
    // Entries of the placement file come first: they are the newest.
    let (pinned, written): (Vec<Statement>, Vec<Statement>) =
        statements.iter().partition(|statement| matches!(statement, Statement::Pin(_)));
    let labels = pinned.iter().chain(&written).filter_map(|&statement| stated.label(statement, &about));
    let help = match (pinned.as_slice(), written.first()) {
        ([Statement::Pin(kernel), ..], other) => {
            let (name, file) = (&stated.design.kernels[*kernel].name, &stated.pins.file);
            match other.map(|other| other.keyword()) {
                Some(word) => {
                    format!("take `{name}` out of the placement file `{file}`, or change the `{word}`")
                }
                None => format!("give `{name}` another tile in the placement file `{file}`, or leave it out"),
            }
        }
        _ => ways_out(statements),
    };
    labelled(Diagnostic::new(code, message, help), labels)
}

/// Suggestions for resolving the conflict, one for each kind of statement.
fn ways_out(statements: &[Statement]) -> String {
    let mut ways: Vec<&str> = Vec::new();
    for statement in statements {
        let way = match statement {
            Statement::Place(_) => "move a kernel that `place` puts on a tile",
            Statement::Offset(_) | Statement::Aligned(_) => {
                "change a distance that `place` sets between kernels"
            }
            Statement::Cascade(CascadeOrigin::Collective(_)) => "give the collective another `shape`",
            Statement::Cascade(CascadeOrigin::Connection(_)) => {
                "place its kernels one after the other along the cascade, or connect them by a stream"
            }
            Statement::Region(_) => "make a `region` larger",
            Statement::Together(_) => "take a kernel out of a `together`",
            Statement::Apart(_) | Statement::Distinct(_) => "take a kernel out of an `apart`",
            Statement::Keepout(_) => "let a `keepout` close fewer tiles",
            Statement::Pin(_) => continue,
        };
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    match ways.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{}, or {last}", rest.join(", ")),
        _ => ways.concat(),
    }
}

/// The source locations of the `place`, `region` and offsets of these kernels.
pub fn constraints_on(design: &Expanded, kernels: &[KernelId]) -> Vec<(Span, String)> {
    let stated = Stated { design, pins: &NO_PINS };
    let about: BTreeSet<KernelId> = kernels.iter().copied().collect();
    let ours = |statement: &Statement| match statement {
        Statement::Place(_) | Statement::Offset(_) | Statement::Aligned(_) => {
            stated.kernels(*statement).iter().all(|kernel| about.contains(kernel))
        }
        Statement::Region(_) => stated.kernels(*statement).iter().any(|kernel| about.contains(kernel)),
        _ => false,
    };
    let mut all: Vec<Statement> = stated.all().into_iter().filter(ours).collect();
    let rank = |statement: &Statement| match statement {
        Statement::Place(_) => 0,
        Statement::Region(_) => 1,
        _ => 2,
    };
    all.sort_by_key(rank);
    let labels = all.into_iter().filter_map(|statement| stated.label(statement, &about));
    labels.chain(placed_instances(design, kernels)).collect()
}

/// Labels at the `place` of the instances of components in which these kernels lie.
pub(super) fn placed_instances(design: &Expanded, kernels: &[KernelId]) -> Vec<(Span, String)> {
    let instances = placed_around(design, kernels).into_iter();
    instances.map(|(span, names)| (span, is_placed(&names))).collect()
}

/// The `place` of the instances of components in which these kernels lie, each with their names.
fn placed_around(design: &Expanded, kernels: &[KernelId]) -> Vec<(Span, Vec<String>)> {
    let mut found: Vec<(Span, Vec<String>)> = Vec::new();
    let around = kernels.iter().flat_map(|&kernel| design.instances_around(kernel));
    for (span, name) in around.filter_map(|instance| Some((instance.placed?, &instance.name))) {
        match found.iter_mut().find(|(place, _)| *place == span) {
            Some((_, names)) if names.contains(name) => {}
            Some((_, names)) => names.push(name.clone()),
            None => found.push((span, vec![name.clone()])),
        }
    }
    found
}

/// Such as "`a[0]` and `a[1]` are placed here".
fn is_placed(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb} placed here", listed(names.iter().map(|name| format!("`{name}`")), MOST_NAMES))
}

/// The two kernels of `wish`, which are among `kernels`, must or must not share memory, and
/// `statements` put them where they cannot.
pub(crate) fn pair(
    stated: Stated<'_>,
    kernels: &BTreeSet<KernelId>,
    wish: Wish,
    group: &Group<KernelId>,
    statements: &[Statement],
) -> Diagnostic {
    let kernel = |kernel: KernelId| &stated.design.kernels[kernel].name;
    let (first, second) = (kernel(wish.a), kernel(wish.b));
    let (word, problem) = if wish.shares {
        (
            "together",
            "but wherever their other constraints put them, their cores reach no common memory module",
        )
    } else {
        ("apart", "but wherever their other constraints put them, their cores reach a common memory module")
    };
    let help = format!("take `{second}` out of the `{word}`, or change where the two are placed");
    let message = format!("`{first}` and `{second}` are to be {word}, {problem}");
    let diagnostic = Diagnostic::new(&catalogue::PLACE_CONFLICT, message, help)
        .label(group.span, format!("`{first}` and `{second}` {word}"));
    labelled(diagnostic, statements.iter().filter_map(|&statement| stated.label(statement, kernels)))
}

/// Two kernels are in a `together` and in an `apart`.
pub(crate) fn together_and_apart(
    design: &Expanded,
    a: KernelId,
    b: KernelId,
    together: &Group<KernelId>,
    apart: &Group<KernelId>,
) -> Diagnostic {
    let (first, second) = (&design.kernels[a].name, &design.kernels[b].name);
    let itself = [a, b].iter().all(|kernel| together.kernels.contains(kernel));
    let how = if itself { "" } else { " by kernels on the same cores" };
    let diagnostic = Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!(
            "`{first}` and `{second}` are to be apart, where their cores reach 0 common memory modules, and{how} together, where they \
             reach at least 1"
        ),
        format!("take `{second}` out of the `apart` or out of the `together`"),
    )
    .label(apart.span, format!("`{first}` and `{second}` apart"))
    .label(together.span, format!("together{how}"));
    if itself { diagnostic } else { labelled(diagnostic, constraints_on(design, &[a, b])) }
}

/// A `together` has more kernels than there are cores that pairwise reach common modules.
pub(crate) fn too_many_together(
    design: &Expanded,
    group: &Group<KernelId>,
    cores: u64,
    most: u64,
) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!(
            "{} take {cores} cores of which every two are to reach a common memory module, but on {} at most {most} do",
            super::kernels(design, &group.kernels),
            design.device.value
        ),
        format!("name at most {most} kernels: those that exchange the most data"),
    )
    .label(group.span, format!("{} kernels together", group.kernels.len()))
}

/// An `apart` has more kernels than fit: `most` fit. With `Some` number of tiles, other constraints
/// keep the kernels on these; with None the whole array is open.
pub(crate) fn too_many_apart(
    design: &Expanded,
    group: &Group<KernelId>,
    kernels: &[KernelId],
    most: u64,
    tiles: Option<usize>,
) -> Diagnostic {
    let room = match tiles {
        Some(tiles) => format!("may only be on {tiles} tiles, which have"),
        None => format!("are on {}, which has", design.device.value),
    };
    let help = match tiles {
        Some(_) => {
            "make their region larger, or name fewer kernels: each takes all modules in its core's reach away from the others"
        }
        None => "name fewer kernels: each takes all modules in its core's reach away from the others",
    };
    let diagnostic = Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!(
            "{} are {} kernels that are to share no memory with each other and {room} room for at most {most}",
            super::kernels(design, kernels),
            kernels.len(),
        ),
        help,
    )
    .label(group.span, format!("{} kernels apart", group.kernels.len()));
    if tiles.is_none() { diagnostic } else { labelled(diagnostic, constraints_on(design, kernels)) }
}

/// The kernels confined to these tiles need more cores.
pub(crate) fn region_too_small(
    design: &Expanded,
    kernels: &[KernelId],
    demand: u64,
    supply: u64,
) -> Diagnostic {
    let who = super::kernels(design, kernels);
    let more = count(demand - supply, "tile");
    let alone = design.alone();
    // A ratio helps no kernel that needs a core of its own for another reason.
    let others = if kernels.iter().any(|&kernel| alone[kernel] == Some(Alone::NoRuntime)) {
        ", or give small kernels a `runtime` ratio"
    } else if kernels.iter().any(|&kernel| alone[kernel].is_none()) {
        ", or give kernels smaller `runtime` ratios"
    } else {
        ", or keep fewer kernels in it"
    };
    let diagnostic = Diagnostic::new(
        &catalogue::REGION_TOO_SMALL,
        format!("{who} need at least {demand} tiles, but their regions leave {supply}"),
        format!("make the region larger by {more}{others}"),
    );
    labelled(diagnostic, constraints_on(design, kernels))
}

/// The beginning of a way out for kernels of several instances of components: they may have been
/// placed over each other by mistake.
fn other_tiles(design: &Expanded, kernels: &[KernelId]) -> &'static str {
    let inner = kernels.iter().filter_map(|&kernel| design.instances_around(kernel).next());
    let inner: BTreeSet<&str> = inner.map(|instance| instance.name.as_str()).collect();
    if inner.len() > 1 { "place one of these instances on other tiles, or " } else { "" }
}

/// One of the kernels on a core must have the core for itself.
pub(crate) fn not_shared(
    design: &Expanded,
    kernels: &[KernelId],
    kernel: KernelId,
    why: Alone,
) -> Diagnostic {
    let name = &design.kernels[kernel].name;
    let family = &design.families[design.kernels[kernel].family];
    let (reason, span, help) = match why {
        Alone::NoRuntime => (
            "it has no `runtime` ratio".to_owned(),
            family.span,
            format!(
                "{}say how much of the core's time `{}` needs, such as `runtime 0.4`",
                other_tiles(design, kernels),
                family.name
            ),
        ),
        Alone::Asynchronous(port) => (
            format!(
                "it locks the windows of `{}` itself and could wait for a kernel on its core for ever",
                design.port_name(port)
            ),
            design.ports[port].span,
            "give it a tile of its own, or make the port synchronous".to_owned(),
        ),
        Alone::SeveralWindows(collective) => (
            format!(
                "`{}` sends several windows in one run, so it could wait for a kernel on its core for ever",
                design.collectives[collective].name
            ),
            design.collectives[collective].span,
            "give it a tile of its own, or let the collective send its data in one window and one call"
                .to_owned(),
        ),
        Alone::Stream(port) => (
            format!("it waits at the stream `{}` for a kernel on its core", design.port_name(port)),
            design.ports[port].span,
            match design.ports[port].role {
                PortRole::Channel(_) => "give it a tile of its own".to_owned(),
                PortRole::Packets(_) => {
                    "give it a tile of its own, or its collective another `shape`".to_owned()
                }
                _ => "give it a tile of its own, or let the two pass a window".to_owned(),
            },
        ),
        Alone::Cascade(origin) => (
            format!("{} makes it wait on the cascade for other cores", cascade_name(design, origin)),
            cascade_span(design, origin),
            "give it a tile of its own".to_owned(),
        ),
        Alone::Cycle => (
            "its data comes back to it, so it could wait for a kernel on its core for ever".to_owned(),
            family.span,
            "give it a tile of its own".to_owned(),
        ),
    };
    let message =
        format!("{} are put on one core, but `{name}` needs one of its own: {reason}", list(design, kernels));
    let diagnostic = Diagnostic::new(&catalogue::CORE_OVERLOAD, message, help)
        .label(span, format!("`{name}` needs a core of its own"));
    labelled(diagnostic, constraints_on(design, kernels))
}

/// The statement of a design that accepts two such kernels.
const ALLOWED: &str =
    "allow \"check/core-wait\" because \"it locks no more windows in a run than there are buffers\"";

/// A kernel locks windows that it passes to or gets from another one on its core.
pub(crate) fn core_wait(design: &Expanded, kernels: &[KernelId], port: PortId) -> Diagnostic {
    let name = design.port_name(port);
    let diagnostic = Diagnostic::new(
        &catalogue::CORE_WAIT,
        format!(
            "{} are put on one core, and the windows of `{name}`, which its kernel locks itself, pass between them: kernels of a core run in turn, so it could wait for ever for one that runs after it",
            list(design, kernels)
        ),
        "give one of them a tile of its own, or make the port synchronous; if it locks no more windows in a run than there are buffers, allow it in the design with that reason, or by `--allow check/core-wait`; a simulation finds out",
    )
    .label(design.ports[port].span, format!("`{name}` locks its windows"));
    let constraints = constraints_on(design, kernels);
    let allowed = constraints.first().map(|(span, _)| (span.before(), format!("{ALLOWED}\n")));
    labelled(diagnostic, constraints).fix("write `allow \"check/core-wait\"`", allowed)
}

/// The kernels on a core need more than all of its time.
pub(crate) fn core_time(design: &Expanded, kernels: &[KernelId], demand: u64) -> Diagnostic {
    let message = format!(
        "{} are put on one core and ask for {} of its time, but a core has 1",
        list(design, kernels),
        ratio(demand)
    );
    let ask = |&kernel: &KernelId| {
        let family = &design.families[design.kernels[kernel].family];
        let runtime = design.body(kernel).runtime.as_ref()?;
        Some((runtime.span, format!("{} for `{}`", ratio(runtime.value.into()), family.name)))
    };
    let labels: Vec<_> = kernels.iter().filter_map(ask).chain(constraints_on(design, kernels)).collect();
    let help = "give one of them another tile, or make a ratio smaller if the kernel needs less";
    labelled(Diagnostic::new(&catalogue::CORE_OVERLOAD, message, help), labels)
}

/// The kernels on a core, or one kernel, need more program memory than a core has.
pub(crate) fn core_program(design: &Expanded, kernels: &[KernelId], demand: u64, supply: u32) -> Diagnostic {
    let (take, help) = match kernels {
        [_] => ("takes", "divide its work between two kernels, or state the bytes that the linker reports"),
        _ => ("are put on one core and take", "give one of them another tile"),
    };
    let message = format!(
        "{} {take} {} of program memory, but a core has {}",
        list(design, kernels),
        size(demand),
        size(supply.into())
    );
    let ask = |&kernel: &KernelId| {
        let family = &design.families[design.kernels[kernel].family];
        let program = design.body(kernel).program.as_ref()?;
        Some((program.span, format!("{} for `{}`", size(program.value.into()), family.name)))
    };
    let places = constraints_on(design, kernels).into_iter().filter(|_| kernels.len() > 1);
    let labels: Vec<_> = kernels.iter().filter_map(ask).chain(places).collect();
    labelled(Diagnostic::new(&catalogue::CORE_OVERLOAD, message, help), labels)
}

/// The kernels on a core need more ports for streams than it has: into it, or with `way` 1 out of
/// it. `amounts` are demand and supply.
pub(crate) fn core_ports(
    design: &Expanded,
    kernels: &[KernelId],
    way: usize,
    amounts: [u32; 2],
) -> Diagnostic {
    let (into, direction) = [("into", Direction::In), ("out of", Direction::Out)][way];
    let [demand, supply] = amounts;
    let message = format!(
        "{} are put on one core and need {demand} ports for streams {into} it, but a core has {supply} (AM009)",
        list(design, kernels)
    );
    let ports = kernels.iter().flat_map(|&kernel| design.ports_of(kernel));
    let streams = ports.filter(|&port| design.is_stream(port) && design.ports[port].direction == direction);
    let ask =
        streams.map(|port| (design.ports[port].span, format!("`{}` takes one", design.port_name(port))));
    let labels: Vec<_> = ask.chain(constraints_on(design, kernels)).collect();
    let help = "give one of them another tile, or let it pass windows, which the tile's DMA moves";
    labelled(Diagnostic::new(&catalogue::CORE_OVERLOAD, message, help), labels)
}

/// The stacks and heaps of the kernels on a core do not fit one module.
pub(crate) fn core_system(
    design: &Expanded,
    kernels: &[KernelId],
    demand: u64,
    device: &Device,
) -> Diagnostic {
    let message = format!(
        "{} are put on one core, whose stacks, heaps and sync area take at least {}, but they lie in one memory module, which has {}",
        list(design, kernels),
        size(demand),
        size(device.memory.module_bytes.into())
    );
    let help = "give one of them another tile, or less stack or heap";
    labelled(Diagnostic::new(&catalogue::CORE_OVERLOAD, message, help), constraints_on(design, kernels))
}

/// A number of thousandths as a ratio: `0.4`.
fn ratio(thousandths: u64) -> String {
    format!("{}", thousandths as f64 / f64::from(WHOLE_CORE))
}
