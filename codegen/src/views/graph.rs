//! `aie/graph.h`: the graph class, and before it the classes of its sub-graphs.

use aiec_diag::listed;
use aiec_ir::SubgraphId;
use aiec_ir::ways::Border;
use aiec_ir::{Carries, Direction};
use askama::Template;

use super::connect::{ConnectionKind, connect_lines};
use super::create::{self, create_lines, external_class, families_of};
use super::ways::Ways;
use super::{Context, parameters};
use crate::hierarchy::{ClassId, Hierarchy, Level};
use crate::lines::{counted, filled_list, parameter_list};
use crate::members::Member;
use crate::options::Locations;
use crate::runs::Item;

/// The fields of the template of `aie/graph.h`.
#[derive(Template)]
#[template(path = "graph.h.askama", escape = "none")]
pub(crate) struct GraphH<'a> {
    stamp: &'a str,
    design: &'a str,
    summary: String,
    has_strings: bool,
    has_vectors: bool,
    has_links: bool,
    is_placed: bool,
    /// The classes, each after those of its members. The last one is that of the design.
    classes: Vec<ClassView<'a>>,
}

/// A class of the graph.
struct ClassView<'a> {
    comment: String,
    name: &'a str,
    members: Vec<String>,
    /// The parameters of the constructor, and the initialisers of members that have some.
    parameters: String,
    initialisers: String,
    create: Vec<String>,
    connect: Vec<String>,
}

/// The graph class of the design.
pub(crate) fn graph_h<'a>(context: &'a Context<'a>) -> GraphH<'a> {
    let ways = Ways::of(context);
    let inner = context.hierarchy.classes.ids().filter_map(|id| sub_class(context, &ways, id));
    let classes: Vec<ClassView<'a>> = inner.chain([top_class(context, &ways)]).collect();
    let creates = |what: &str| classes.iter().flat_map(|class| &class.create).any(|line| line.contains(what));
    GraphH {
        stamp: &context.stamp,
        design: &context.design.name.value,
        summary: summary(context),
        has_strings: creates("std::to_string"),
        has_vectors: creates("std::vector"),
        has_links: has_links(context),
        is_placed: is_placed(context),
        classes,
    }
}

/// Which instances of components share a class.
pub(crate) fn hierarchy(context: &Context<'_>) -> Hierarchy {
    let ways = Ways::of(context);
    let shape = |id: SubgraphId, inside: &[(SubgraphId, ClassId)]| {
        let inside =
            inside.iter().map(|&(member, class)| (context.names.graphs.instances[member].clone(), class));
        ClassShape {
            component: &context.design.subgraphs[id].component,
            kernels: create::shape(context, Some(id)).0,
            connections: (ways.connections(Some(id)), ways.parameters(Some(id))),
            switches: context.packet_switches(Some(id)).map(|(class, ..)| class).collect(),
            inside: inside.collect(),
            // Classes with collectives are never equal: the kernels' classes differ, too.
            collective: context.design.subgraphs[id].collectives.first().map(|_| id),
        }
    };
    Hierarchy::joined(context.design, shape, |id| create::shape(context, Some(id)).1)
}

/// What the text of a class depends on, but for numbers.
#[derive(PartialEq)]
struct ClassShape<'a> {
    component: &'a str,
    kernels: create::Shape,
    connections: (&'a [Item<ConnectionKind>], &'a [Item<ConnectionKind>]),
    switches: Vec<String>,
    inside: Vec<(Member, ClassId)>,
    collective: Option<SubgraphId>,
}

fn top_class<'a>(context: &'a Context<'a>, ways: &Ways) -> ClassView<'a> {
    ClassView {
        comment: String::new(),
        name: &context.names.graph,
        members: members(context, ways, None),
        parameters: String::new(),
        initialisers: initialisers(context, None),
        create: create_lines(context, None),
        connect: connect_lines(context, ways, None),
    }
}

/// The class of an instance of a component.
fn sub_class<'a>(context: &'a Context<'a>, ways: &Ways, id: ClassId) -> Option<ClassView<'a>> {
    let first = *context.hierarchy.classes[id].instances.first()?;
    let level = Some(first);
    let parameters: Vec<String> =
        context.names.graphs.parameters[id].iter().map(|name| format!("int {name}")).collect();
    Some(ClassView {
        comment: comment(context, id),
        name: &context.names.graphs.classes[id],
        members: members(context, ways, level),
        parameters: parameter_list(&parameters, "    (".len() + context.names.graphs.classes[id].len()),
        initialisers: initialisers(context, level),
        create: create_lines(context, level),
        connect: connect_lines(context, ways, level),
    })
}

/// The component of a class, and the instances that have it where other classes look alike, such as
/// those of components with collectives.
fn comment(context: &Context<'_>, id: ClassId) -> String {
    let component = component(context, id);
    let classes = &context.hierarchy.classes;
    let is_only = classes.ids().all(|other| other == id || self::component(context, other) != component);
    if is_only {
        return format!("// {component}.");
    }
    let names = classes[id].instances.iter().map(|&instance| context.design.subgraphs[instance].name.clone());
    format!("// {component}: {}.", listed(names, 3))
}

/// The component of a class with its constants, but for those that differ between instances.
fn component(context: &Context<'_>, id: ClassId) -> String {
    let all = &context.hierarchy.classes[id].instances;
    let Some(&first) = all.first() else { return String::new() };
    let subgraph = &context.design.subgraphs[first];
    let same = |(name, value): &&(String, i64)| {
        let has = |other: &SubgraphId| {
            context.design.subgraphs[*other].constants.iter().any(|(a, b)| (a, b) == (name, value))
        };
        all.iter().all(has)
    };
    let constants: Vec<String> =
        subgraph.constants.iter().filter(same).map(|(name, value)| format!("{name} = {value}")).collect();
    match constants.is_empty() {
        true => format!("The component {}", subgraph.component),
        false => format!("The component {} with {}", subgraph.component, constants.join(", ")),
    }
}

/// The arguments of the constructors of members that take some, as a list of initialisers.
fn initialisers(context: &Context<'_>, level: Level) -> String {
    let groups = context.names.graphs.groups.iter().filter(|group| group.level == level);
    let all: Vec<String> = groups
        .filter_map(|group| {
            let arguments: Vec<String> =
                group.instances.iter().map(|&id| arguments(context, level, id)).collect();
            let given = arguments.iter().any(|one| one != "{}");
            given.then(|| format!("{}{}", group.name, nested(&group.dims, &arguments)))
        })
        .collect();
    if all.is_empty() { String::new() } else { format!(" : {}", all.join(", ")) }
}

/// The arguments of the constructor of one instance, in braces.
fn arguments(context: &Context<'_>, level: Level, id: SubgraphId) -> String {
    let class = context.hierarchy.of[id];
    let name = |(at, value): (usize, i64)| {
        let outer = level.and_then(|owner| {
            let position = context.hierarchy.outer_parameter(context.design, owner, id, at)?;
            context.names.graphs.parameters[context.hierarchy.of[owner]].get(position).cloned()
        });
        outer.unwrap_or_else(|| value.to_string())
    };
    let values = context.hierarchy.arguments(id);
    debug_assert_eq!(values.len(), context.names.graphs.parameters[class].len(), "a name for each");
    let values: Vec<String> = values.into_iter().enumerate().map(name).collect();
    format!("{{{}}}", filled_list(&values, 9))
}

/// Elements of an array in braces, row by row.
fn nested(dims: &[u32], elements: &[String]) -> String {
    let Some((&rows, inner)) = dims.split_first() else { return elements.concat() };
    let size = (elements.len() / (rows as usize).max(1)).max(1);
    let rows: Vec<String> = elements.chunks(size).map(|row| nested(inner, row)).collect();
    format!("{{{}}}", filled_list(&rows, 8))
}

/// True if collectives are connected by the library's functions.
pub(super) fn has_links(context: &Context<'_>) -> bool {
    context.design.collectives.iter().any(|collective| collective.plan.has_wires())
}

/// True if the project has location constraints.
fn is_placed(context: &Context<'_>) -> bool {
    context.placed.is_some() && context.locations != Locations::None
}

fn summary(context: &Context<'_>) -> String {
    let kernels = counted(context.design.kernels.len(), "kernel");
    let connections = counted(context.design.connection_count(), "connection");
    let placed = if is_placed(context) { "placed on" } else { "for" };
    format!("{kernels} and {connections}, {placed} {}", context.device.name)
}

/// The members of a class: kernels, instances of components, then ports, inputs and outputs.
fn members(context: &Context<'_>, ways: &Ways, level: Level) -> Vec<String> {
    let families = families_of(context, level).map(|id| {
        let family = &context.design.families[id];
        format!("adf::kernel {}{};", context.names.families[id], extents(&family.dims))
    });
    let instances =
        context.names.graphs.groups.iter().filter(|group| group.level == level).filter_map(|group| {
            let class = &context.names.graphs.classes[context.hierarchy.of[*group.instances.first()?]];
            Some(format!("{class} {}{};", group.name, extents(&group.dims)))
        });
    let externals = context.names.externals.iter().filter(|_| level.is_none()).filter_map(|group| {
        let external = &context.design.externals[*group.instances.first()?];
        let extent = if group.array { format!("[{}]", group.instances.len()) } else { String::new() };
        Some(format!("adf::{} {}{extent};", external_class(external), group.member))
    });
    let switches = context.packet_switches(level).map(|(class, member, count)| {
        let extent = count.map_or_else(String::new, |count| format!("[{count}]"));
        format!("{class} {member}{extent};")
    });
    let parameters = parameters::members(context).filter(|_| level.is_none());
    let borders = level.map_or_else(Vec::new, |id| borders(context, ways, id));
    families.chain(instances).chain(externals).chain(borders).chain(parameters).chain(switches).collect()
}

fn extents(dims: &[u32]) -> String {
    dims.iter().map(|extent| format!("[{extent}]")).collect()
}

/// The ports of a class that connections pass.
fn borders(context: &Context<'_>, ways: &Ways, id: SubgraphId) -> Vec<String> {
    let all = &context.names.graphs.borders[id];
    let mut lines: Vec<String> = Vec::new();
    for &(_, at) in ways.borders.range((id, 0)..=(id, u32::MAX)) {
        let Some(member) = all.get(at as usize) else { continue };
        let count = all.iter().filter(|other| other.name == member.name).count();
        let extent = if member.indices.is_empty() { String::new() } else { format!("[{count}]") };
        let line = format!("adf::port<adf::{}> {}{extent};", way(context, (id, at)), member.name);
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines
}

/// The direction of a port of a class.
fn way(context: &Context<'_>, (id, at): Border) -> &'static str {
    let port = context.design.subgraphs[id].ports.get(at as usize);
    match port.map(|port| (port.direction, port.carries)) {
        Some((Direction::Out, Carries::Parameter(_))) => "inout",
        Some((Direction::Out, _)) => "output",
        Some((Direction::In, _)) | None => "input",
    }
}
