//! `aie/kernels.h` and the wrapper classes of roles.

use std::collections::BTreeSet;

use aiec_collectives::{Operation, Rank};
use aiec_ir::design::{Body, Family, UserPort, local_name, scoped};
use aiec_ir::expanded::{Cascade, CascadeOrigin, Expanded, Kernel, Membership, PortRole};
use aiec_ir::{Carries, CollectiveId, Direction, FamilyId, ParameterType, PortId, PortKind};
use askama::Template;

use super::{Context, is_async_in_family};
use super::{asserts, kept, library};
use crate::lines::parameter_list;
use crate::roles::{Duty, Part, Role, RoleId, collectives_of, membership};
use crate::scope::Scope;
use crate::signature;

/// The fields of the template of `aie/kernels.h`.
#[derive(Template)]
#[template(path = "kernels.h.askama", escape = "none")]
pub(crate) struct KernelsH<'a> {
    stamp: &'a str,
    design: &'a str,
    includes: Vec<String>,
    prototypes: Vec<String>,
    asserts: Vec<String>,
}

/// `aie/kernels/ROLE.h`
#[derive(Template)]
#[template(path = "role.h.askama", escape = "none")]
pub(crate) struct RoleH<'a> {
    stamp: &'a str,
    summary: String,
    class: &'a str,
    is_timed: bool,
    constructor: String,
    parameters: String,
    members: Vec<String>,
}

/// `aie/kernels/ROLE.cc`
#[derive(Template)]
#[template(path = "role.cc.askama", escape = "none")]
pub(crate) struct RoleCc<'a> {
    stamp: &'a str,
    summary: String,
    class: &'a str,
    header: &'a str,
    includes: Vec<&'static str>,
    orders: Vec<String>,
    source: &'a str,
    function: &'a str,
    parameters: String,
    communicator: Vec<String>,
    initialisers: String,
    call: String,
    after: Vec<String>,
}

/// Prototypes of plain kernels and headers of wrapped ones.
pub(crate) fn kernels_h<'a>(context: &'a Context<'a>) -> KernelsH<'a> {
    let families = context.design.families.ids();
    let plain = families.filter(|&family| context.roles.is_plain(family));
    KernelsH {
        stamp: &context.stamp,
        design: &context.design.name.value,
        includes: includes(context),
        prototypes: plain.flat_map(|family| prototypes(context, family)).collect::<Ordered>().0,
        asserts: asserts::asserts(context),
    }
}

/// A unit that needs every plain function with its prototype of `aie/kernels.h`.
#[derive(Template)]
#[template(path = "declared.cc.askama", escape = "none")]
pub(crate) struct Declared<'a> {
    stamp: &'a str,
    prototypes: Vec<String>,
    functions: Vec<&'a str>,
}

/// The functions of a family that no header declares, in order.
fn own_functions(family: &Family) -> Vec<&str> {
    let own = family.bodies.iter().filter(|body| body.header.is_none());
    let mut found: Vec<&str> = Vec::new();
    for body in own {
        if !found.contains(&body.function.as_str()) {
            found.push(&body.function);
        }
    }
    found
}

/// The unit that needs every plain function.
pub(crate) fn declared<'a>(context: &'a Context<'a>) -> Declared<'a> {
    let families = context.design.families.ids();
    let plain: Vec<FamilyId> = families.filter(|&family| context.roles.is_plain(family)).collect();
    Declared {
        stamp: &context.stamp,
        prototypes: plain.iter().flat_map(|&family| prototypes(context, family)).collect(),
        functions: plain.iter().flat_map(|&family| own_functions(&context.design.families[family])).collect(),
    }
}

/// Headers of wrappers, then the user's own headers of kernels.
fn includes(context: &Context<'_>) -> Vec<String> {
    let wrappers = context.names.roles.iter().map(|class| format!("kernels/{class}.h"));
    let bodies = context.design.families.iter().flat_map(|family| &family.bodies);
    let headers = bodies.filter_map(|body| body.header.as_ref());
    let headers = headers.map(|header| format!("kernels/{}", context.names.source(&header.value)));
    wrappers.chain(headers).collect::<Ordered>().0
}

/// Lines in the order of their first appearance.
struct Ordered(Vec<String>);

impl FromIterator<String> for Ordered {
    fn from_iter<I: IntoIterator<Item = String>>(lines: I) -> Self {
        let mut seen = BTreeSet::new();
        Self(lines.into_iter().filter(|line| seen.insert(line.clone())).collect())
    }
}

/// What stands around the declaration of a function in namespaces, in the words of C++14.
pub(super) fn namespaces(function: &str) -> (String, String) {
    let all = scoped(function).0.split("::").filter(|space| !space.is_empty());
    let open: String = all.map(|space| format!("namespace {space} {{ ")).collect();
    let close = " }".repeat(open.matches('{').count());
    (open, close)
}

/// The functions of a family that no header declares, with the references that sources take.
fn prototypes(context: &Context<'_>, id: FamilyId) -> Vec<String> {
    let family = &context.design.families[id];
    let usual = own_parameters(context.design, id, family);
    let prototype = |body: &Body| {
        let ((open, close), name) = (namespaces(&body.function), scoped(&body.function).1);
        let source = context.sources.iter().find(|source| source.path == body.source.value);
        let written = source.and_then(|source| signature::with_references(&usual, &source.text, name));
        let start = format!("{open}void {name}(");
        format!("{start}{});{close}", parameter_list(written.as_ref().unwrap_or(&usual), start.len()))
    };
    family.bodies.iter().filter(|body| body.header.is_none()).map(prototype).collect::<Ordered>().0
}

/// The parameters of a kernel function for the kernel's own ports.
pub(super) fn own_parameters(design: &Expanded, id: FamilyId, family: &Family) -> Vec<String> {
    let parameter = |(number, port): (u32, &UserPort)| {
        let asynchronous = is_async_in_family(design, id, number);
        port_parameter(design, port.carries, port.direction, asynchronous, &port.identifier())
    };
    (0..).zip(&family.ports).map(parameter).collect()
}

/// The definition that the kernel's source must have: a function, or for a kernel in a collective a
/// template over the communicator type.
pub(crate) fn expected_signature(design: &Expanded, id: FamilyId, function: &str) -> String {
    let family = &design.families[id];
    let own = own_parameters(design, id, family);
    if collectives_of(design, id).is_empty() {
        format!("void {function}({})", own.join(", "))
    } else {
        let all: Vec<String> = std::iter::once("Comm &comm".to_owned()).chain(own).collect();
        format!("template <typename Comm> void {}({})", family.local(), all.join(", "))
    }
}

/// The parameter of a kernel's function for a port (UG1079, "Kernel Ports", "Run-Time Parameters").
/// A table is none.
pub(super) fn port_parameter(
    design: &Expanded,
    carries: Carries,
    direction: Direction,
    asynchronous: bool,
    name: &str,
) -> String {
    let way = if direction == Direction::In { "input" } else { "output" };
    match carries {
        Carries::Window { window, margin } => {
            let kind =
                parameter_type(design.port_kind, direction, window.element.name(), asynchronous, margin);
            format!("{kind}{name}")
        }
        Carries::Stream(flow) => format!("{way}_stream<{}> *{name}", flow.element),
        Carries::Packets(_) => format!("{way}_pktstream *{name}"),
        Carries::Cascade(lanes) => {
            let kind = if library::has_cascade_ports(design) { "cascade" } else { "stream" };
            format!("{way}_{kind}<{}> *{name}", lanes.name())
        }
        Carries::Parameter(ParameterType { element, elements }) => match (direction, elements) {
            (Direction::In, None) => format!("{element} {name}"),
            (Direction::In, Some(count)) => format!("const {element} (&{name})[{count}]"),
            (Direction::Out, None) => format!("{element} &{name}"),
            (Direction::Out, Some(count)) => format!("{element} (&{name})[{count}]"),
        },
        Carries::Table { .. } => String::new(),
    }
}

/// The type of a kernel's parameter for a window, up to the position of its name (UG1079, "Window
/// and Buffer Ports"). `margin` counts elements; a buffer has it in its type.
fn parameter_type(
    ports: PortKind,
    direction: Direction,
    element: &str,
    asynchronous: bool,
    margin: u32,
) -> String {
    let way = if direction == Direction::In { "input" } else { "output" };
    let asynchronous = if asynchronous { "async_" } else { "" };
    match ports {
        PortKind::Window => format!("{way}_window<{element}> *"),
        PortKind::Buffer if margin > 0 => format!(
            "adf::{way}_{asynchronous}buffer<{element}, adf::extents<adf::inherited_extent>, adf::margin<{margin}>> &"
        ),
        PortKind::Buffer => format!("adf::{way}_{asynchronous}buffer<{element}> &"),
    }
}

/// The wrapper class of a role, and its definition.
pub(crate) fn role<'a>(context: &'a Context<'a>, at: RoleId, role: &'a Role) -> (RoleH<'a>, RoleCc<'a>) {
    let class = context.names.roles[at].as_str();
    let wrapper = Wrapper::new(context, role);
    let family = &context.design.families[role.family];
    let header = RoleH {
        stamp: &context.stamp,
        summary: wrapper.summary(),
        class,
        is_timed: kept::timed(context.design, role).next().is_some(),
        constructor: wrapper.constructor(class),
        parameters: wrapper.parameters("    void run(".len()),
        members: wrapper.members(),
    };
    let source = RoleCc {
        stamp: &context.stamp,
        summary: wrapper.summary(),
        class,
        header: &context.names.collectives_header,
        includes: library_headers(context, role),
        orders: wrapper.orders(),
        source: context.names.source(&family.body(0).source.value),
        function: family.local(),
        parameters: wrapper.parameters("void ::run(".len() + class.len()),
        communicator: wrapper.communicator(),
        initialisers: wrapper.initialisers(),
        call: wrapper.call(),
        after: wrapper.after(),
    };
    (header, source)
}

/// The headers of the library that a role needs.
fn library_headers(context: &Context<'_>, role: &Role) -> Vec<&'static str> {
    let of = |duty: &Duty| {
        let collective = &context.design.collectives[duty.collective];
        (collective.operation(), (collective.plan.algorithm().header)(&collective.plan))
    };
    let used: BTreeSet<(Operation, &str)> = role.duties.iter().map(of).collect();
    let timed = role.duties.iter().any(|duty| duty.cycles).then_some("timed");
    used.into_iter().map(|(_, header)| header).chain(timed).collect()
}

/// A number that the constructor of a role takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Identifier of the constructor's parameter.
    pub name: String,
    collective: CollectiveId,
    /// The subtree whose windows are counted. None when those of the rank itself are.
    subtree: Option<u32>,
}

impl Parameter {
    /// The number of a kernel.
    pub(crate) fn value(&self, context: &Context<'_>, kernel: &Kernel) -> i64 {
        let Some(member) = membership(kernel, self.collective) else { return 0 };
        let Some(subtree) = self.subtree else { return i64::from(member.rank.0) };
        let below = context.classes[self.collective.index()].below(member.rank);
        below.get(subtree as usize).copied().map_or(0, i64::from)
    }
}

/// The parameters of a role's constructor: ranks, then for each gather and scatter the windows
/// below the kernel's rank.
pub(crate) fn parameters(context: &Context<'_>, role: &Role) -> Vec<Parameter> {
    let taking = || role.duties.iter().filter(|duty| duty.part != Part::Outside);
    let name_of = |duty: &Duty| local_name(&context.design.collectives[duty.collective].name);
    let mut found: Vec<Parameter> = match context.roles.has_one_rank(context.design, role.family) {
        true => taking()
            .take(1)
            .map(|duty| Parameter { name: "rank".to_owned(), collective: duty.collective, subtree: None })
            .collect(),
        false => taking()
            .map(|duty| Parameter {
                name: format!("{}_rank", name_of(duty)),
                collective: duty.collective,
                subtree: None,
            })
            .collect(),
    };
    let below = taking().flat_map(|duty| {
        (0..duty.numbers).map(move |at| Parameter {
            name: format!("{}_below{at}", name_of(duty)),
            collective: duty.collective,
            subtree: Some(at),
        })
    });
    found.extend(below);
    found
}

/// The common source of both files of a role.
struct Wrapper<'a> {
    context: &'a Context<'a>,
    role: &'a Role,
    /// A kernel with the role. All of them give equal files.
    kernel: Option<&'a Kernel>,
    /// Ports in the order of the parameters, with the parameters' names.
    ports: Vec<(PortId, String)>,
    /// Cascades, the last parameters, with their names.
    cascades: Vec<(Cascade, Direction, String)>,
    /// The constructor's parameters.
    parameters: Vec<Parameter>,
}

impl<'a> Wrapper<'a> {
    fn new(context: &'a Context<'a>, role: &'a Role) -> Self {
        let kernel = role.kernels.first().map(|&kernel| &context.design.kernels[kernel]);
        let parameters = parameters(context, role);
        let family = &context.design.families[role.family];
        let mut scope = Scope::with(["aiec", "collectives", "comm", "communicator"]);
        scope.take(family.local());
        parameters.iter().for_each(|parameter| scope.take(format!("{}_", parameter.name)));
        kept::names(context.design, role).for_each(|name| scope.take(name));
        let ordered = kernel.map_or_else(Vec::new, |kernel| ordered_ports(context, kernel));
        let named = |port: PortId| {
            let name = &context.design.ports[port].identifier();
            (port, scope.fresh(&[name.clone(), format!("{name}_window")]))
        };
        let ports = ordered.into_iter().map(named).collect();
        let (into, out) =
            role.kernels.first().map_or((None, None), |&kernel| context.design.cascades_of(kernel));
        let ends = [(into, Direction::In), (out, Direction::Out)];
        let cascades = ends.into_iter().filter_map(|(cascade, direction)| {
            let cascade = cascade?;
            // That of a connection is a port of the user.
            let CascadeOrigin::Collective(id) = cascade.origin else { return None };
            let name = format!("{}_cascade_{direction}", local_name(&context.design.collectives[id].name));
            Some((*cascade, direction, scope.fresh(&[name.clone(), format!("{name}put")])))
        });
        let cascades = cascades.collect();
        Self { context, role, kernel, ports, cascades, parameters }
    }

    fn summary(&self) -> String {
        let duty = |duty: &Duty| {
            let name = &self.context.design.collectives[duty.collective].name;
            let (inputs, outputs) = (duty.inputs, duty.outputs);
            let cascade = self.context.design.collectives[duty.collective].plan.is_cascade();
            match duty.part {
                Part::Outside => format!("outside {name}"),
                Part::Root if cascade => format!("the root of {name}, at the end of its cascade"),
                Part::Root if self.context.design.collectives[duty.collective].plan.is_merged() => {
                    format!("the root of {name}, which takes packets ({outputs} out)")
                }
                Part::Leaf if cascade => format!("the first rank of {name} along the cascade"),
                _ if cascade => format!("a rank of {name} along the cascade"),
                Part::Leaf => format!("a leaf of {name}"),
                Part::Member => format!("a member of {name} ({inputs} in, {outputs} out)"),
                part => format!("{} of {name} ({inputs} in, {outputs} out)", with_article(part)),
            }
        };
        let duties: Vec<String> = self.role.duties.iter().map(duty).collect();
        let family = self.role.shown(self.context.design);
        format!("Kernel {} as {}.", self.context.design.families[family].name, duties.join(" and "))
    }

    fn constructor(&self, class: &str) -> String {
        if self.parameters.is_empty() {
            return String::new();
        }
        let names = || self.parameters.iter().map(|parameter| &parameter.name);
        let parameters: Vec<String> = names().map(|name| format!("unsigned {name}")).collect();
        let members: Vec<String> = names().map(|name| format!("{name}_({name})")).collect();
        let explicit = if parameters.len() == 1 { "explicit " } else { "" };
        format!("{explicit}{class}({}) : {} {{}}", parameters.join(", "), members.join(", "))
    }

    fn parameters(&self, indent: usize) -> String {
        let parameter = |(port, name): &(PortId, String)| {
            let port = &self.context.design.ports[*port];
            let asynchronous = match port.role {
                PortRole::User(number) => is_async_in_family(self.context.design, self.role.family, number),
                _ => port.asynchronous,
            };
            let Some(carries) = port.carries else { return String::new() };
            let restrict =
                if carries.window().is_some() { format!("__restrict {name}") } else { name.clone() };
            port_parameter(self.context.design, carries, port.direction, asynchronous, &restrict)
        };
        let cascade = |(cascade, direction, name): &(Cascade, Direction, String)| {
            let carried = match cascade.origin {
                CascadeOrigin::Collective(id) => {
                    self.context.design.collectives[id].data.value.element.carrier()
                }
                CascadeOrigin::Connection(_) => None,
            };
            let way = if *direction == Direction::In { "input" } else { "output" };
            let tag = carried.map_or("acc80", |carrier| carrier.tag);
            let kind = if library::has_cascade_ports(self.context.design) { "cascade" } else { "stream" };
            format!("{way}_{kind}<{tag}> *{name}")
        };
        let cascades = self.cascades.iter().map(cascade);
        parameter_list(&self.ports.iter().map(parameter).chain(cascades).collect::<Vec<_>>(), indent)
    }

    /// The communicator's member for every collective of the family, and the rank if all
    /// collectives share one.
    fn communicator(&self) -> Vec<String> {
        let design = self.context.design;
        let names: Vec<&str> = self
            .role
            .duties
            .iter()
            .map(|duty| local_name(&design.collectives[duty.collective].name))
            .collect();
        let member = |(duty, name): (&Duty, &&str)| format!("{} {name};", self.class_of(duty));
        let mut members: Vec<String> = self.role.duties.iter().zip(&names).map(member).collect();
        let shadowed = names.iter().any(|name| matches!(*name, "rank" | "size"));
        if let (true, false, Some(first)) =
            (self.context.roles.has_one_rank(design, self.role.family), shadowed, names.first())
        {
            members.push(String::new());
            members.push(format!("unsigned rank() const {{ return {first}.rank(); }}"));
            members.push(format!("unsigned size() const {{ return {first}.size(); }}"));
        }
        members
    }

    fn class_of(&self, duty: &Duty) -> String {
        let collective = format!("collectives::{}", self.context.names.collectives[duty.collective]);
        let Some(class) = &duty.class else {
            let plan = &self.context.design.collectives[duty.collective].plan;
            return format!("aiec::{}<{collective}>", plan.algorithm().outside);
        };
        let order = class.order.as_ref().map(|_| self.order_name(duty));
        let arguments: Vec<String> =
            std::iter::once(collective).chain(class.arguments.iter().cloned()).chain(order).collect();
        let name = format!("aiec::{}<{}>", class.name, arguments.join(", "));
        match self.context.design.collectives[duty.collective].cycles.as_ref().filter(|_| duty.cycles) {
            Some(cycles) => format!("aiec::timed<{name}, {}>", cycles.value.elements),
            None => name,
        }
    }

    fn order_name(&self, duty: &Duty) -> String {
        format!("{}_order", local_name(&self.context.design.collectives[duty.collective].name))
    }

    /// For each gather and scatter whose root has this role: the ranks whose blocks pass each port.
    fn orders(&self) -> Vec<String> {
        let orders =
            self.role.duties.iter().filter_map(|duty| Some((duty, duty.class.as_ref()?.order.as_ref()?)));
        orders
            .flat_map(|(duty, order)| {
                let ranks: Vec<String> = order.iter().flatten().map(Rank::to_string).collect();
                let ends = order.iter().scan(0, |end, ranks| {
                    *end += ranks.len();
                    Some(*end)
                });
                let firsts: Vec<String> = std::iter::once(0).chain(ends).map(|at| at.to_string()).collect();
                [
                    format!("struct {} {{", self.order_name(duty)),
                    format!("    static constexpr unsigned short ranks[] = {{{}}};", ranks.join(", ")),
                    format!("    static constexpr unsigned short first[] = {{{}}};", firsts.join(", ")),
                    "};".to_owned(),
                    String::new(),
                ]
            })
            .collect()
    }

    fn initialisers(&self) -> String {
        let parts: Vec<String> = self.role.duties.iter().map(|duty| self.initialiser(duty)).collect();
        parts.join(", ")
    }

    fn initialiser(&self, duty: &Duty) -> String {
        let member = self.kernel.and_then(|kernel| membership(kernel, duty.collective));
        let Some(member) = member else { return "{}".to_owned() };
        let list = |ports: &mut dyn Iterator<Item = PortId>| {
            format!("{{{}}}", ports.map(|port| self.handle(port)).collect::<Vec<_>>().join(", "))
        };
        if self.context.design.collectives[duty.collective].plan.is_cascade() {
            return self.cascade_initialiser(duty, member);
        }
        let packets = member.inputs.first().filter(|&&port| self.context.design.joins_packets(port));
        let inputs =
            packets.map_or_else(|| list(&mut member.inputs.iter().copied()), |&port| self.handle(port));
        let mut arguments = vec![
            self.rank_of(duty.collective),
            inputs,
            list(&mut member.outputs.iter().copied().chain(member.result)),
        ];
        let below: Vec<String> = self
            .parameters
            .iter()
            .filter(|parameter| parameter.collective == duty.collective && parameter.subtree.is_some())
            .map(|parameter| format!("{}_", parameter.name))
            .collect();
        let takes_numbers = duty.class.as_ref().is_some_and(|class| class.passes_blocks);
        arguments.extend(takes_numbers.then(|| format!("{{{}}}", below.join(", "))));
        arguments.extend(kept::offset(self.context.design, duty));
        let all = format!("{{{}}}", arguments.join(", "));
        match member.cycles {
            Some(cycles) => format!("{{{}, {all}}}", self.handle(cycles)),
            None => all,
        }
    }

    /// Rank, the cascades in and out, and the window of the result if there is one.
    fn cascade_initialiser(&self, duty: &Duty, member: &Membership) -> String {
        let end = |wanted: Direction| {
            let ours = |(cascade, direction, _): &&(Cascade, Direction, String)| {
                cascade.origin == CascadeOrigin::Collective(duty.collective) && *direction == wanted
            };
            self.cascades.iter().find(ours).map_or("nullptr", |(_, _, name)| name).to_owned()
        };
        let result = member.result.map(|port| format!("{{{}}}", self.handle(port)));
        let ends = [self.rank_of(duty.collective), end(Direction::In), end(Direction::Out)];
        let all = format!("{{{}}}", ends.into_iter().chain(result).collect::<Vec<_>>().join(", "));
        member.cycles.map_or_else(|| all.clone(), |cycles| format!("{{{}, {all}}}", self.handle(cycles)))
    }

    /// The argument that the library's classes take for a port: a pointer.
    fn handle(&self, port: PortId) -> String {
        let name = self.ports.iter().find(|(id, _)| *id == port).map_or("nullptr", |(_, name)| name);
        match self.context.design.port_kind {
            PortKind::Buffer if self.context.design.has_buffers(port) => format!("&{name}"),
            PortKind::Window | PortKind::Buffer => name.to_owned(),
        }
    }

    fn rank_of(&self, collective: CollectiveId) -> String {
        let mut ranks = self.parameters.iter().filter(|parameter| parameter.subtree.is_none());
        let own = ranks.clone().find(|parameter| parameter.collective == collective);
        own.or_else(|| ranks.next())
            .map_or_else(|| "0".to_owned(), |parameter| format!("{}_", parameter.name))
    }

    fn call(&self) -> String {
        let is_user = |port: &PortId| matches!(self.context.design.ports[*port].role, PortRole::User(_));
        let user = self.ports.iter().filter(|(port, _)| is_user(port)).map(|(_, name)| name.as_str());
        let arguments: Vec<&str> = std::iter::once("comm").chain(user).collect();
        format!("{}({});", self.context.design.families[self.role.family].local(), arguments.join(", "))
    }

    fn after(&self) -> Vec<String> {
        let leave = self.role.duties.iter().filter_map(|duty| duty.leave(self.context.design));
        let finish = |(name, member)| format!("comm.{name}.finish({member});");
        leave.chain(kept::timed(self.context.design, self.role).map(finish)).collect()
    }

    /// What the class keeps from firing to firing: its numbers, and the state of collectives.
    fn members(&self) -> Vec<String> {
        let numbers = self.parameters.iter().map(|parameter| format!("unsigned {}_;", parameter.name));
        numbers.chain(kept::declarations(self.context.design, self.role)).collect()
    }
}

fn with_article(part: Part) -> &'static str {
    match part {
        Part::Root => "the root",
        Part::Interior => "an interior node",
        Part::Leaf => "a leaf",
        Part::Member => "a member",
        Part::Outside => "nothing",
    }
}

/// User ports in declaration order, then for each collective: ports from other ranks, to other
/// ranks, for the result, for cycles.
///
/// Within one direction this is the order of slots, as the tools count parameters.
fn ordered_ports(context: &Context<'_>, kernel: &Kernel) -> Vec<PortId> {
    let user_number = |port: PortId| match context.design.ports[port].role {
        PortRole::User(number) => Some(number),
        _ => None,
    };
    let all = kernel.inputs.iter().chain(&kernel.outputs).chain(&kernel.inouts).copied();
    let mut user: Vec<PortId> = all.filter(|&port| user_number(port).is_some()).collect();
    user.sort_by_key(|&port| user_number(port));
    for member in &kernel.memberships {
        user.extend(member.inputs.iter().chain(&member.outputs));
        user.extend([member.result, member.cycles].into_iter().flatten());
    }
    user
}
