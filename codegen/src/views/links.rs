//! Statements of the graph's constructor that connect the ranks of a collective: a call of the
//! library's function for its shape (`library/aiec/connect.h`), with the ranks in the order that
//! the function takes.

use aiec_collectives::{Rank, Ways, Wire};
use aiec_ir::design::local_name;
use aiec_ir::expanded::Collective;
use aiec_ir::{Buffering, CollectiveId, Direction, FamilyId, KernelId, PortId, PortKind};

use super::connect::{connection_loops, connections};
use super::{Context, with_indices};
use crate::hierarchy::Level;
use crate::lines::counted;
use crate::runs::{Item, blocks, text};

/// The connections of all collectives. Consecutive collectives that differ only in the row or
/// column of their kernels share a loop.
pub(super) fn collective_lines(context: &Context<'_>, level: Level) -> Vec<String> {
    let sections: Vec<Section> = context
        .design
        .collectives
        .enumerate()
        .filter(|(id, _)| context.names.graphs.levels.collectives[*id] == level)
        .map(|(id, collective)| section(context, collective, id))
        .collect();
    let groups = sections.chunk_by(|a, b| a.index.is_some() && b.index.is_some() && a.same_calls(b));
    groups.flat_map(group_lines).collect()
}

/// The connections of one collective.
struct Section {
    name: String,
    /// The collective's name and shape, for the comment.
    what: String,
    /// Statements ahead of the calls, and after them.
    before: Vec<String>,
    after: Vec<String>,
    /// Calls that connect ranks, with `{}` for the index.
    calls: Vec<String>,
    /// The row or column of a matrix whose kernels are the ranks.
    index: Option<i64>,
}

impl Section {
    fn same_calls(&self, other: &Self) -> bool {
        let only_calls = |section: &Self| section.before.is_empty() && section.after.is_empty();
        only_calls(self) && only_calls(other) && (&self.what, &self.calls) == (&other.what, &other.calls)
    }
}

fn group_lines(group: &[Section]) -> Vec<String> {
    let [first, .., last] = group else {
        return group.iter().flat_map(|section| section_lines(section, &section.name)).collect();
    };
    let names: Vec<&str> = group.iter().map(|section| section.name.as_str()).collect();
    let names = if names.len() > 6 { format!("{} to {}", first.name, last.name) } else { names.join(", ") };
    let item = |section: &Section| Item { kind: (), indices: section.index.into_iter().collect() };
    let items: Vec<Item<()>> = group.iter().map(item).collect();
    let mut lines = vec![String::new(), format!("// {names}: each {}.", first.what)];
    lines.extend(text(blocks(&items, |(), index| with_index(&first.calls, &index.concat()))));
    lines
}

fn section_lines(section: &Section, name: &str) -> Vec<String> {
    let mut lines = vec![String::new(), format!("// {name}: {}.", section.what)];
    lines.extend(section.before.iter().cloned());
    lines.extend(with_index(
        &section.calls,
        &section.index.map_or_else(String::new, |index| index.to_string()),
    ));
    lines.extend(section.after.iter().cloned());
    lines
}

fn with_index(calls: &[String], index: &str) -> Vec<String> {
    calls.iter().map(|call| call.replace("{}", index)).collect()
}

fn section(context: &Context<'_>, collective: &Collective, id: CollectiveId) -> Section {
    let level = context.names.graphs.levels.collectives[id];
    let name = level.map_or(collective.name.as_str(), |_| local_name(&collective.name)).to_owned();
    let what = what(context, collective);
    let direct = !collective.plan.has_wires();
    let ranks = if direct { Vec::new() } else { ranks(context, collective, id) };
    let (before, list) = match direct {
        true => (connection_loops(context, &by_distance(context, id), level), List::default()),
        false => rank_list(context, id, &ranks),
    };
    let calls = calls(context, collective, id, &list.expression);
    let after = if direct { Vec::new() } else { single_buffers(context, collective, id) };
    Section { name, what, before, after, calls, index: list.index }
}

/// A collective in words: `reduce over 63 ranks, tree arity 2, windows of int32[1024]`.
fn what(context: &Context<'_>, collective: &Collective) -> String {
    let (plan, window) = (&collective.plan, collective.window.value);
    let over = format!("{} over {}, {}", plan.operation, counted(collective.ranks.len(), "rank"), plan.shape);
    let ports = if context.design.port_kind.is_window() { "windows" } else { "buffers" };
    match plan.is_cascade() {
        true => over,
        false if plan.is_relay() => format!("{over}, packets of {}", window.element),
        false if plan.is_active() => {
            let ranks = counted(collective.ranks.len(), "rank");
            format!("active messages over {ranks}, requests of at most {} bytes", window.bytes())
        }
        false if plan.is_mailbox() => {
            let ranks = counted(collective.ranks.len(), "rank");
            format!("{} over {ranks}, messages of at most {} bytes", plan.operation, window.bytes())
        }
        false if plan.is_opened() => format!("{over}, streams of {}", window.element),
        false => format!("{over}, {ports} of {}[{}]", window.element, window.elements),
    }
}

/// Connections between pairs that the design names. Pairs of equal distance are consecutive, so
/// that loops cover them.
fn by_distance(context: &Context<'_>, id: CollectiveId) -> Vec<aiec_ir::ConnectionId> {
    let mut all = connections(context, id);
    if context.design.collectives[id].plan.goes_by_packets() {
        return all; // in the order of the ports of its merge and split
    }
    let place = |port| {
        let kernel = context.design.kernel_of(port).map(|kernel| &context.design.kernels[kernel]);
        kernel.map_or((None, 0), |kernel| (Some(kernel.family), i64::from(kernel.index)))
    };
    all.sort_by_cached_key(|&id| {
        let connection = &context.design.connections[id];
        let ((from, sender), (to, receiver)) = (place(connection.from), place(connection.to));
        (from, to, receiver - sender, sender)
    });
    all
}

/// A kernel with its first ports for a collective, as far as it has some.
struct Linked {
    kernel: KernelId,
    input: Option<u32>,
    output: Option<u32>,
}

/// The ranks in the order in which the function for the shape takes them.
fn ranks(context: &Context<'_>, collective: &Collective, id: CollectiveId) -> Vec<Linked> {
    let plan = &collective.plan;
    let kernels =
        plan.wired_order().into_iter().filter_map(|rank| Some((rank, *collective.ranks.get(rank.index())?)));
    let rank = |(number, kernel): (Rank, KernelId)| {
        let Some(member) = context.design.membership(kernel, id) else {
            return Linked { kernel, input: None, output: None };
        };
        let slot = |port: &PortId| context.design.ports[*port].slot;
        if !plan.is_cascade() {
            return Linked {
                kernel,
                input: member.inputs.first().map(slot),
                output: member.outputs.first().map(slot),
            };
        }
        // A cascade stream is the last port of its direction.
        let last = |ports: &[PortId]| u32::try_from(ports.len()).unwrap_or(u32::MAX);
        let instance = &context.design.kernels[kernel];
        Linked {
            kernel,
            input: (number.0 > 0).then(|| last(&instance.inputs)),
            output: (number.0 + 1 < plan.size).then(|| last(&instance.outputs)),
        }
    };
    kernels.map(rank).collect()
}

/// The expression for a list of ranks.
#[derive(Default)]
struct List {
    /// With `{}` for the index, if any.
    expression: String,
    /// The row or column of a matrix that the ranks are.
    index: Option<i64>,
}

/// Statements that declare the list of ranks, and the expression for it. No statements if the ranks
/// are kernels of an array with equal ports.
fn rank_list(context: &Context<'_>, id: CollectiveId, ranks: &[Linked]) -> (Vec<String>, List) {
    let level = context.names.graphs.levels.collectives[id];
    let side_by_side = uniform_ports(ranks).and_then(|ports| kernels_of_array(context, ranks, ports, level));
    match side_by_side {
        Some(list) => (Vec::new(), list),
        None => {
            let name = &context.names.ranks[id];
            (rank_table(context, name, ranks, level), List { expression: name.clone(), index: None })
        }
    }
}

/// The numbers of the ports by which all ranks of a list that have them are linked. 0 if no rank
/// has one.
#[derive(Clone, Copy)]
struct FirstPorts {
    input: u32,
    output: u32,
}

/// The first ports, if they are equal for all ranks that have ports.
fn uniform_ports(ranks: &[Linked]) -> Option<FirstPorts> {
    let uniform = |ports: Vec<u32>| {
        let first = ports.first().copied().unwrap_or(0);
        ports.iter().all(|&port| port == first).then_some(first)
    };
    Some(FirstPorts {
        input: uniform(ranks.iter().filter_map(|rank| rank.input).collect())?,
        output: uniform(ranks.iter().filter_map(|rank| rank.output).collect())?,
    })
}

/// The expression for ranks that are the kernels of an array, or of one of its rows or columns, in
/// order.
fn kernels_of_array(
    context: &Context<'_>,
    ranks: &[Linked],
    first_ports: FirstPorts,
    level: Level,
) -> Option<List> {
    let FirstPorts { input, output } = first_ports;
    let first = &context.design.kernels[ranks.first()?.kernel];
    let last = &context.design.kernels[ranks.last()?.kernel];
    let member = context.family(first.family, level);
    let in_steps_of = |step: u32| {
        (0..).zip(ranks).all(|(at, rank)| {
            let kernel = &context.design.kernels[rank.kernel];
            kernel.family == first.family && kernel.index == first.index + at * step
        })
    };
    let from = |start: String, at: u32| if at == 0 { start } else { format!("&{start}[{at}]") };
    let with_ports = |kernels: String| match (input, output) {
        (0, 0) => kernels,
        _ => format!("aiec::with_ports({kernels}, {input}, {output})"),
    };
    let list = |expression: String, index: Option<u32>| List { expression, index: index.map(i64::from) };
    match context.design.families[first.family].dims.as_slice() {
        [_] if in_steps_of(1) => Some(list(with_ports(from(member.clone(), first.index)), None)),
        [_, columns] if in_steps_of(1) && first.index / columns == last.index / columns => {
            let row = from(format!("{member}[{{}}]"), first.index % columns);
            Some(list(with_ports(row), Some(first.index / columns)))
        }
        [_, columns] if in_steps_of(*columns) => {
            let rows = from(member.clone(), first.index / columns);
            let column = format!("aiec::column({rows}, {{}}, {input}, {output})");
            Some(list(column, Some(first.index % columns)))
        }
        _ => None,
    }
}

/// The list of ranks, filled by loops where it is regular.
fn rank_table(context: &Context<'_>, name: &str, ranks: &[Linked], level: Level) -> Vec<String> {
    let families: Vec<FamilyId> =
        ranks.iter().map(|rank| context.design.kernels[rank.kernel].family).collect();
    let filled = |ports: Vec<Option<u32>>| filled(&families, &ports);
    let inputs = filled(ranks.iter().map(|rank| rank.input).collect());
    let outputs = filled(ranks.iter().map(|rank| rank.output).collect());
    let item = |((at, rank), (input, output)): ((i64, &Linked), (u32, u32))| {
        let kernel = context.kernel_place(rank.kernel, level);
        let mut indices = vec![at, i64::from(input), i64::from(output)];
        indices.extend(kernel.indices);
        Item { kind: kernel.pattern, indices }
    };
    let items: Vec<Item<String>> = (0..).zip(ranks).zip(inputs.into_iter().zip(outputs)).map(item).collect();
    let statement = |kernel: &String, indices: &[String]| {
        let [at, input, output, element @ ..] = indices else { return Vec::new() };
        let kernel = with_indices(kernel, element);
        vec![format!("{name}[{at}] = {{&{kernel}, {input}, {output}}};")]
    };
    let mut lines = vec![format!(
        "aiec::rank {name}[{}]; // kernel, its first input and first output port for this",
        ranks.len()
    )];
    lines.extend(text(blocks(&items, statement)));
    lines
}

/// Numbers for missing ports: the number of a neighbour in the same family, so that the list stays
/// regular, or 0.
fn filled(families: &[FamilyId], ports: &[Option<u32>]) -> Vec<u32> {
    let near = |at: usize| {
        let same = |other: &usize| families[*other] == families[at];
        let before = (0..at).rev().take_while(same).find_map(|other| ports[other]);
        before.or_else(|| (at..ports.len()).take_while(same).find_map(|other| ports[other]))
    };
    (0..ports.len()).map(|at| ports[at].or_else(|| near(at)).unwrap_or(0)).collect()
}

/// The rank whose windows stand for those of all ranks.
const FIRST: Rank = Rank(0);

/// The calls that connect `list`.
fn calls(context: &Context<'_>, collective: &Collective, id: CollectiveId, list: &str) -> Vec<String> {
    let plan = &collective.plan;
    let call = |function: &str, ahead: Option<&str>, after: Vec<String>, rank: Rank| {
        let window = collective.link_window(rank, Direction::Out);
        let element = match context.design.port_kind {
            PortKind::Window => String::new(),
            PortKind::Buffer => format!(", {}", window.element),
        };
        let mut arguments: Vec<String> = ahead.into_iter().map(str::to_owned).collect();
        arguments.extend([list.to_owned(), plan.size.to_string()]);
        arguments.extend(after);
        format!("aiec::connect_{function}<{}{element}>({});", window.bytes(), arguments.join(", "))
    };
    let single = (collective.buffering == Buffering::Single).then(|| "aiec::single_buffers".to_owned());
    let wire = |wire: Wire| match wire {
        Wire::Plain(function) => call(function, None, single.iter().cloned().collect(), FIRST),
        Wire::Multicast => call("multicast", None, single.iter().cloned().collect(), plan.root),
        Wire::Rooted { function, number, ways } => {
            let number = number.map(|number| number.to_string());
            let way = (ways != Ways::Up || single.is_some()).then(|| way(ways).to_owned());
            call(function, None, number.into_iter().chain(way).chain(single.clone()).collect(), FIRST)
        }
        Wire::Merge => {
            let sender = Rank(u32::from(plan.root == FIRST));
            let merge = context.names.merges[id].as_deref();
            let when = if collective.sends_once { "aiec::once" } else { "aiec::any_time" };
            let when = (collective.sends_once || single.is_some()).then(|| when.to_owned());
            call("merge", merge, when.into_iter().chain(single.clone()).collect(), sender)
        }
        Wire::Cascade => format!("aiec::connect_cascade({list}, {});", plan.size),
    };
    (plan.algorithm().wires)(plan).into_iter().map(wire).collect()
}

/// The name of `ways` in `aiec/connect.h`.
const fn way(ways: Ways) -> &'static str {
    match ways {
        Ways::Up => "aiec::up",
        Ways::Down => "aiec::down",
        Ways::Both => "aiec::up_and_down",
    }
}

/// Ports that have one buffer where the collective has two: their kernels share a core.
fn single_buffers(context: &Context<'_>, collective: &Collective, id: CollectiveId) -> Vec<String> {
    if collective.buffering == Buffering::Single {
        return Vec::new();
    }
    let members = collective.ranks.iter().filter_map(|&kernel| context.design.membership(kernel, id));
    let ports = members.flat_map(|member| member.inputs.iter().chain(&member.outputs).copied());
    let single = ports.filter(|&port| context.design.has_buffers(port) && context.is_single(port));
    let level = context.names.graphs.levels.collectives[id];
    let item = |port: PortId| {
        let owner = context.design.ports[port].owner;
        let place = context.seen(context.port_place(port), context.level_of(owner), level);
        Item { kind: place.pattern, indices: place.indices }
    };
    let items: Vec<Item<String>> = single.map(item).collect();
    text(blocks(&items, |pattern, indices| {
        vec![format!("adf::single_buffer({});", with_indices(pattern, indices))]
    }))
}
