//! `aie/graph.h`: the graph class.

use std::collections::BTreeSet;

use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{External, Owner};
use aiec_ir::{Buffering, CollectiveId, ConnectionId, Direction, ExternalId, FamilyId, KernelId, PortId};
use askama::Template;

use super::place::{PINGPONG_ROW, PlacedFamily, SINGLE_ROW, external_places, placed_families, single_places};
use super::{Context, kernels};
use crate::lines::{counted, looped};
use crate::roles::membership;
use crate::runs::{Item, runs};

/// Burst length of GMIO in bytes, the shortest there is (UG1079, GMIO).
const GMIO_BURST: u32 = 64;
/// Bandwidth that GMIO asks for, in MB/s; the tools use it to balance the NoC.
const GMIO_BANDWIDTH: u32 = 1000;
/// Share of a core's time that a kernel may use. More than a half keeps kernels on tiles of their own (UG1079).
const RUNTIME_RATIO: &str = "0.9";

/// `aie/graph.h`
#[derive(Template)]
#[template(path = "graph.h.askama", escape = "none")]
pub(crate) struct GraphH<'a> {
    stamp: &'a str,
    design: &'a str,
    summary: String,
    class: &'a str,
    has_trees: bool,
    has_strings: bool,
    has_tables: bool,
    has_pingpong: bool,
    has_single: bool,
    members: Vec<String>,
    create: Vec<String>,
    connect: Vec<String>,
    placed_families: Vec<PlacedFamily<'a>>,
    place_single: Vec<String>,
    place_single_function: &'a str,
    place_io: Vec<String>,
    place_io_function: &'a str,
}

/// The graph class of the design.
pub(crate) fn graph_h<'a>(context: &'a Context<'a>) -> GraphH<'a> {
    let design = context.design;
    let placed_families = placed_families(context);
    let create = create_lines(context);
    let has_rows = |row_type: &str| {
        placed_families.iter().any(|family| family.tables.iter().any(|table| table.row_type == row_type))
    };
    GraphH {
        stamp: &context.stamp,
        design: &design.name.value,
        summary: summary(context),
        class: &context.names.graph,
        has_trees: !design.collectives.is_empty(),
        has_strings: create.iter().any(|line| line.contains("std::to_string")),
        has_tables: !placed_families.is_empty(),
        has_pingpong: has_rows(PINGPONG_ROW),
        has_single: has_rows(SINGLE_ROW),
        members: members(context),
        create,
        connect: connect_lines(context),
        placed_families,
        place_single: single_places(context),
        place_single_function: &context.names.place_kernels,
        place_io: external_places(context),
        place_io_function: &context.names.place_io,
    }
}

fn summary(context: &Context<'_>) -> String {
    let kernels = counted(context.design.kernels.len(), "kernel");
    let connections = counted(context.design.connections.len(), "connection");
    format!("{kernels} and {connections}, placed on {}", context.device.name)
}

fn members(context: &Context<'_>) -> Vec<String> {
    let families = context.design.families.enumerate().map(|(id, family)| {
        let member = &context.names.families[id];
        match family.dims.as_slice() {
            [] => format!("adf::kernel {member};"),
            [extent] => format!("adf::kernel {member}[{extent}];"),
            [rows, columns, ..] => {
                format!("adf::kernel {member}[{rows} * {columns}]; // row by row: {member}[{columns} * row + column]")
            }
        }
    });
    let externals = context.names.externals.iter().filter_map(|group| {
        let external = &context.design.externals[*group.instances.first()?];
        let extent = group.extent.map_or(String::new(), |extent| format!("[{extent}]"));
        Some(format!("adf::{} {}{extent};", external_class(external), group.member))
    });
    families.chain(externals).collect()
}

fn external_class(external: &External) -> &'static str {
    match (external.direction, &external.endpoint) {
        (Direction::Out, Endpoint::Plio { .. }) => "input_plio",
        (Direction::In, Endpoint::Plio { .. }) => "output_plio",
        (Direction::Out, Endpoint::Gmio { .. }) => "input_gmio",
        (Direction::In, Endpoint::Gmio { .. }) => "output_gmio",
    }
}

fn create_lines(context: &Context<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, _) in context.design.families.enumerate() {
        lines.extend(create_kernels(context, id));
        lines.extend(configure_kernels(context, id));
        lines.push(String::new());
    }
    lines.extend(create_externals(context));
    lines
}

/// Creates the kernels of a family: stretches of one role with regular ranks in loops.
fn create_kernels(context: &Context<'_>, family: FamilyId) -> Vec<String> {
    let items: Vec<Item<Option<usize>>> =
        context.kernels_of(family).map(|kernel| creation_item(context, kernel)).collect();
    let run_lines = runs(&items).into_iter().flat_map(|run| {
        let (bounds, indices) = run.to_loop(&items);
        let Some((index, ranks)) = indices.split_first() else { return Vec::new() };
        let kernel = context.kernel_at(family, index);
        let body = match items[run.first].kind {
            Some(role) => create_object(context, &kernel, role, ranks),
            None => create_function(context, &kernel, family),
        };
        looped(bounds, body)
    });
    run_lines.collect()
}

/// A kernel by its role, with its index and the ranks its constructor takes.
fn creation_item(context: &Context<'_>, kernel: KernelId) -> Item<Option<usize>> {
    let role = context.roles.of_kernel[kernel];
    let instance = &context.design.kernels[kernel];
    let ranks = role.map_or_else(Vec::new, |role| kernels::rank_parameters(context, &context.roles.roles[role]));
    let rank = |(collective, _): (CollectiveId, String)| {
        membership(instance, collective).map_or(0, |member| i64::from(member.rank))
    };
    let indices = std::iter::once(i64::from(instance.index)).chain(ranks.into_iter().map(rank)).collect();
    Item { kind: role, indices }
}

fn create_object(context: &Context<'_>, kernel: &str, role: usize, ranks: &[String]) -> Vec<String> {
    let class = &context.names.roles[role];
    let unsigned = |rank: &String| if rank.bytes().all(|b| b.is_ascii_digit()) { format!("{rank}u") } else { rank.clone() };
    let arguments: Vec<String> = ranks.iter().map(unsigned).collect();
    vec![
        format!("{kernel} = adf::kernel::create_object<{class}>({});", arguments.join(", ")),
        format!("adf::source({kernel}) = \"kernels/{class}.cc\";"),
        format!("adf::headers({kernel}) = {{\"kernels/{class}.h\"}};"),
    ]
}

fn create_function(context: &Context<'_>, kernel: &str, family: FamilyId) -> Vec<String> {
    let family = &context.design.families[family];
    let source = context.names.source(&family.source.value);
    vec![
        format!("{kernel} = adf::kernel::create({});", family.name),
        format!("adf::source({kernel}) = \"kernels/{source}\";"),
    ]
}

fn configure_kernels(context: &Context<'_>, family: FamilyId) -> Vec<String> {
    let count = context.kernels_of(family).count();
    let Some(first) = context.kernels_of(family).next() else { return Vec::new() };
    let memory = &context.device.memory;
    let (bounds, index) = if count > 1 { (Some((0, count as i64)), "i") } else { (None, "0") };
    let kernel = context.kernel_at(family, index);
    let body = vec![
        format!("adf::runtime<adf::ratio>({kernel}) = {RUNTIME_RATIO};"),
        format!("adf::stack_size({kernel}) = {};", context.design.stack_bytes(first, memory.default_stack)),
        format!("adf::heap_size({kernel}) = {};", context.design.heap_bytes(first, memory.default_heap)),
    ];
    looped(bounds, body)
}

/// Creates inputs and outputs: stretches of one declaration with numbered files in loops.
fn create_externals(context: &Context<'_>) -> Vec<String> {
    let used: Vec<ExternalId> = context.used_externals().map(|(id, _)| id).collect();
    let items: Vec<Item<(usize, Creation)>> = used.iter().map(|&id| external_item(context, id)).collect();
    let run_lines = runs(&items).into_iter().flat_map(|run| {
        let (bounds, indices) = run.to_loop(&items);
        let [index] = indices.as_slice() else { return Vec::new() };
        let (group, creation) = &items[run.first].kind;
        let group = &context.names.externals[*group];
        let member = if group.extent.is_some() { format!("{}[{index}]", group.member) } else { group.member.clone() };
        let number = if bounds.is_some() { Some(index.as_str()) } else { None };
        looped(bounds, vec![format!("{member} = {};", creation.text(number, index))])
    });
    run_lines.collect()
}

/// How an input or output is created, with `{}` for its index in the names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Creation {
    class: &'static str,
    name: String,
    /// The PLIO's width and file; none for GMIO.
    plio: Option<(u32, String)>,
}

impl Creation {
    /// The call of `create`. In a loop the names are put together from `variable`; else `index` is written into them.
    fn text(&self, variable: Option<&str>, index: &str) -> String {
        let string = |pattern: &str| numbered(pattern, variable, index);
        let name = string(&self.name);
        match &self.plio {
            Some((bits, file)) => format!("adf::{}::create({name}, adf::plio_{bits}_bits, {})", self.class, string(file)),
            None => format!("adf::{}::create({name}, {GMIO_BURST}, {GMIO_BANDWIDTH})", self.class),
        }
    }
}

/// A C++ string expression for `pattern` with the index in place of `{}`.
fn numbered(pattern: &str, variable: Option<&str>, index: &str) -> String {
    let (Some(variable), Some((before, after))) = (variable, pattern.split_once("{}")) else {
        return format!("\"{}\"", pattern.replace("{}", index));
    };
    let tail = if after.is_empty() { String::new() } else { format!(" + {}", numbered(after, Some(variable), index)) };
    format!("\"{before}\" + std::to_string({variable}){tail}")
}

fn external_item(context: &Context<'_>, id: ExternalId) -> Item<(usize, Creation)> {
    let external = &context.design.externals[id];
    let (group, at) = context.names.group_of(id);
    let array = group.is_some_and(|group| group.extent.is_some());
    let pattern = |text: &str, ending: &str| if array { with_hole(text, external.index, ending) } else { text.to_owned() };
    let plio = match &external.endpoint {
        Endpoint::Plio { bits, .. } => Some((bits.value, pattern(&context.names.data[id], "."))),
        Endpoint::Gmio { .. } => None,
    };
    let creation = Creation { class: external_class(external), name: pattern(&context.names.logical[id], ""), plio };
    Item { kind: (at, creation), indices: vec![i64::from(external.index)] }
}

/// `text` with `{}` for the last occurrence of `number` before `ending`, if it has one.
fn with_hole(text: &str, number: u32, ending: &str) -> String {
    let wanted = format!("{number}{ending}");
    match text.rfind(&wanted) {
        Some(at) if !text.contains("{}") => format!("{}{{}}{ending}{}", &text[..at], &text[at + wanted.len()..]),
        _ => text.to_owned(),
    }
}

fn connect_lines(context: &Context<'_>) -> Vec<String> {
    let user: Vec<ConnectionId> =
        context.design.connections.enumerate().filter(|(_, c)| c.collective.is_none()).map(|(id, _)| id).collect();
    let mut lines = Vec::new();
    if !user.is_empty() {
        lines.extend([String::new(), "// Connections of the design.".to_owned()]);
        lines.extend(user_connections(context, &user));
    }
    for id in context.design.collectives.ids() {
        lines.push(String::new());
        lines.extend(tree_lines(context, id));
    }
    lines
}

/// What two connections of one loop have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ConnectionKind {
    bytes: u64,
    from: EndKind,
    to: EndKind,
}

/// One end of a connection without its index.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EndKind {
    /// The member of the graph class, and whether it is an array.
    member: (String, bool),
    direction: Direction,
    slot: u32,
    asynchronous: bool,
    /// True if `single_buffer` is to be said here.
    single: bool,
}

impl EndKind {
    fn port(&self, index: &str) -> String {
        let (member, array) = &self.member;
        let index = if *array { format!("[{index}]") } else { String::new() };
        format!("{member}{index}.{}[{}]", self.direction, self.slot)
    }

    fn end(&self, index: &str) -> String {
        let port = self.port(index);
        if self.asynchronous { format!("adf::async({port})") } else { port }
    }
}

fn user_connections(context: &Context<'_>, connections: &[ConnectionId]) -> Vec<String> {
    let items: Vec<Item<ConnectionKind>> = connections.iter().map(|&id| connection_item(context, id)).collect();
    let run_lines = runs(&items).into_iter().flat_map(|run| {
        let (bounds, indices) = run.to_loop(&items);
        let [from, to] = indices.as_slice() else { return Vec::new() };
        looped(bounds, connection_lines(&items[run.first].kind, from, to))
    });
    run_lines.collect()
}

fn connection_lines(kind: &ConnectionKind, from: &str, to: &str) -> Vec<String> {
    let ConnectionKind { bytes, from: source, to: sink } = kind;
    let mut lines = vec![format!("adf::connect<adf::window<{bytes}>>({}, {});", source.end(from), sink.end(to))];
    let ends = [(source, from), (sink, to)];
    let single = ends.into_iter().filter(|(end, _)| end.single);
    lines.extend(single.map(|(end, index)| format!("adf::single_buffer({});", end.port(index))));
    lines
}

fn connection_item(context: &Context<'_>, id: ConnectionId) -> Item<ConnectionKind> {
    let connection = &context.design.connections[id];
    let windows = [connection.from, connection.to].map(|port| context.design.ports[port].window);
    let bytes = windows.into_iter().flatten().next().map_or(0, aiec_ir::WindowType::bytes);
    let (from, from_index) = end(context, connection.from, id);
    let (to, to_index) = end(context, connection.to, id);
    Item { kind: ConnectionKind { bytes, from, to }, indices: vec![from_index, to_index] }
}

fn end(context: &Context<'_>, id: PortId, connection: ConnectionId) -> (EndKind, i64) {
    let port = &context.design.ports[id];
    let (member, index) = match port.owner {
        Owner::Kernel(kernel) => {
            let kernel = &context.design.kernels[kernel];
            let family = kernel.family;
            ((context.names.families[family].clone(), context.is_array(family)), kernel.index)
        }
        Owner::External(external) => {
            let (group, _) = context.names.group_of(external);
            let member = group.map(|group| (group.member.clone(), group.extent.is_some())).unwrap_or_default();
            (member, context.design.externals[external].index)
        }
    };
    let is_kernel = matches!(port.owner, Owner::Kernel(_));
    let first = port.connections.first() == Some(&connection);
    let single = is_kernel && first && context.is_single(id);
    let asynchronous = is_kernel && port.asynchronous;
    let kind = EndKind { member, direction: port.direction, slot: port.slot, asynchronous, single };
    (kind, i64::from(index))
}

/// The nodes of a collective's tree, and the call that connects them.
fn tree_lines(context: &Context<'_>, id: CollectiveId) -> Vec<String> {
    let collective = &context.design.collectives[id];
    let array = &context.names.trees[id];
    let items = tree_items(context, id);
    let mut lines = vec![
        format!("// The tree of {}: {}, the root first.", collective.name, counted(collective.tree.len(), "kernel")),
        format!("aiec::tree_node {array}[{}];", collective.tree.len()),
    ];
    for run in runs(&items) {
        let (bounds, indices) = run.to_loop(&items);
        let [node, kernel] = indices.as_slice() else { continue };
        let (family, first_in, out) = items[run.first].kind;
        let kernel = context.kernel_at(family, kernel);
        lines.extend(looped(bounds, vec![format!("{array}[{node}] = {{&{kernel}, {first_in}, {out}}};")]));
    }
    let single = if collective.buffering == Buffering::Single { ", aiec::buffers::single" } else { "" };
    let bytes = collective.window.value.bytes();
    lines.push(format!("aiec::connect_tree<{bytes}>({array}, {}{single});", collective.arity.value));
    lines
}

/// Each node by family and ports, with its position in the tree and its kernel's index.
///
/// The root has no port towards a parent and leaves have none from children; they take those of the others of their family, so
/// that one loop serves all.
fn tree_items(context: &Context<'_>, id: CollectiveId) -> Vec<Item<(FamilyId, u32, u32)>> {
    let tree = &context.design.collectives[id].tree;
    let ports: Vec<(FamilyId, Option<u32>, Option<u32>)> = tree.iter().map(|&kernel| tree_ports(context, id, kernel)).collect();
    let distinct = |family: FamilyId, pick: fn(&(FamilyId, Option<u32>, Option<u32>)) -> Option<u32>| {
        let used: BTreeSet<u32> = ports.iter().filter(|node| node.0 == family).filter_map(pick).collect();
        used.first().copied().unwrap_or(0)
    };
    let item = |(position, (node, &kernel)): (usize, (&(FamilyId, Option<u32>, Option<u32>), &KernelId))| {
        let family = node.0;
        let first_in = node.1.unwrap_or_else(|| distinct(family, |node| node.1));
        let out = node.2.unwrap_or_else(|| distinct(family, |node| node.2));
        let index = i64::from(context.design.kernels[kernel].index);
        Item { kind: (family, first_in, out), indices: vec![i64::try_from(position).unwrap_or(i64::MAX), index] }
    };
    ports.iter().zip(tree).enumerate().map(item).collect()
}

/// The first input port and the output port that a tree uses of a kernel, where it uses any.
fn tree_ports(context: &Context<'_>, id: CollectiveId, kernel: KernelId) -> (FamilyId, Option<u32>, Option<u32>) {
    let kernel = &context.design.kernels[kernel];
    let slot = |port: PortId| context.design.ports[port].slot;
    let member = membership(kernel, id);
    let first_in = member.and_then(|member| member.children.first()).map(|&port| slot(port));
    let out = member.and_then(|member| member.parent).map(slot);
    (kernel.family, first_in, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_files_have_one_hole() {
        assert_eq!(with_hole("data/in_12.txt", 12, "."), "data/in_{}.txt");
        assert_eq!(with_hole("lanes_3", 3, ""), "lanes_{}");
        assert_eq!(with_hole("data/all.txt", 3, "."), "data/all.txt");
    }

    #[test]
    fn names_in_a_loop_are_put_together() {
        assert_eq!(numbered("data/in_{}.txt", Some("i"), "i"), "\"data/in_\" + std::to_string(i) + \".txt\"");
        assert_eq!(numbered("lanes_{}", Some("i - 2"), "i - 2"), "\"lanes_\" + std::to_string(i - 2)");
        assert_eq!(numbered("lanes_{}", None, "4"), "\"lanes_4\"");
    }
}
