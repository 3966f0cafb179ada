//! `aie/kernels.h`, the wrapper classes of roles, and what kernels know of their collectives.

use aiec_ir::design::UserPort;
use aiec_ir::expanded::{Kernel, PortRole};
use aiec_ir::{CollectiveId, Direction, FamilyId, PortId};
use askama::Template;

use super::Context;
use crate::lines::parameter_list;
use crate::names::Scope;
use crate::roles::{Duty, Part, Role, membership};

/// `aie/kernels.h`
#[derive(Template)]
#[template(path = "kernels.h.askama", escape = "none")]
pub(crate) struct KernelsH<'a> {
    stamp: &'a str,
    design: &'a str,
    includes: Vec<String>,
    prototypes: Vec<String>,
}

/// `aie/kernels/collectives.h`
#[derive(Template)]
#[template(path = "collectives.h.askama", escape = "none")]
pub(crate) struct CollectivesH<'a> {
    stamp: &'a str,
    design: &'a str,
    collectives: Vec<CollectiveView<'a>>,
}

struct CollectiveView<'a> {
    summary: String,
    class: &'a str,
    spelling: &'a str,
    op: &'static str,
    element: &'static str,
    ranks: usize,
    data: u32,
    window: u32,
    chunks: u32,
    cycles: u32,
}

/// `aie/kernels/ROLE.h`
#[derive(Template)]
#[template(path = "role.h.askama", escape = "none")]
pub(crate) struct RoleH<'a> {
    stamp: &'a str,
    summary: String,
    class: &'a str,
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
        includes: context.names.roles.iter().map(|class| format!("kernels/{class}.h")).collect(),
        prototypes: plain.map(|family| prototype(context, family)).collect(),
    }
}

fn prototype(context: &Context<'_>, family: FamilyId) -> String {
    let family = &context.design.families[family];
    let parameter = |port: &UserPort| {
        format!("{}{}", window_pointer(port.direction, port.window.element.name()), port.name)
    };
    let parameters: Vec<String> = family.ports.iter().map(parameter).collect();
    format!("void {}({});", family.name, parameter_list(&parameters, "void (".len() + family.name.len()))
}

fn window_pointer(direction: Direction, element: &str) -> String {
    let kind = if direction == Direction::In { "input_window" } else { "output_window" };
    format!("{kind}<{element}> *")
}

/// The collectives' sizes and operators.
pub(crate) fn collectives_h<'a>(context: &'a Context<'a>) -> CollectivesH<'a> {
    let ids = context.design.collectives.ids();
    CollectivesH {
        stamp: &context.stamp,
        design: &context.design.name.value,
        collectives: ids.map(|id| collective_view(context, id)).collect(),
    }
}

fn collective_view<'a>(context: &'a Context<'a>, id: CollectiveId) -> CollectiveView<'a> {
    let collective = &context.design.collectives[id];
    let (data, window) = (collective.data.value, collective.window.value);
    let connected = collective.ranks.iter().chain([&collective.root.value]).any(|&kernel| {
        membership(&context.design.kernels[kernel], id).is_some_and(|member| member.cycles.is_some())
    });
    let cycles = collective.cycles.as_ref().filter(|_| connected).map_or(0, |cycles| cycles.value.elements);
    CollectiveView {
        summary: format!(
            "Reduction ({}) of {data} over {} ranks, in windows of {window}.",
            collective.op.value,
            collective.ranks.len()
        ),
        class: &context.names.collectives[id],
        spelling: &collective.name,
        op: collective.op.value.name(),
        element: data.element.name(),
        ranks: collective.ranks.len(),
        data: data.elements,
        window: window.elements,
        chunks: collective.chunks(),
        cycles,
    }
}

/// The wrapper class of a role, and its definition.
pub(crate) fn role<'a>(context: &'a Context<'a>, at: usize, role: &'a Role) -> (RoleH<'a>, RoleCc<'a>) {
    let class = context.names.roles[at].as_str();
    let wrapper = Wrapper::new(context, role);
    let family = &context.design.families[role.family];
    let header = RoleH {
        stamp: &context.stamp,
        summary: wrapper.summary(),
        class,
        constructor: wrapper.constructor(class),
        parameters: wrapper.parameters("    void run(".len()),
        members: wrapper.ranks.iter().map(|rank| format!("unsigned {rank}_;")).collect(),
    };
    let source = RoleCc {
        stamp: &context.stamp,
        summary: wrapper.summary(),
        class,
        header: &context.names.collectives_header,
        source: context.names.source(&family.source.value),
        function: &family.name,
        parameters: wrapper.parameters("void ::run(".len() + class.len()),
        communicator: wrapper.communicator(),
        initialisers: wrapper.initialisers(),
        call: wrapper.call(),
        after: wrapper.after(),
    };
    (header, source)
}

/// The rank parameters of a role's constructor, each with the collective it is taken from.
pub(crate) fn rank_parameters(context: &Context<'_>, role: &Role) -> Vec<(CollectiveId, String)> {
    let mut taking = role.duties.iter().filter(|duty| duty.part != Part::Outside);
    if context.roles.has_one_rank(context.design, role.family) {
        return taking.next().map(|duty| (duty.collective, "rank".to_owned())).into_iter().collect();
    }
    taking
        .map(|duty| (duty.collective, format!("{}_rank", context.design.collectives[duty.collective].name)))
        .collect()
}

/// What both files of a role are made from.
struct Wrapper<'a> {
    context: &'a Context<'a>,
    role: &'a Role,
    /// A kernel that has the role; all of them look the same from here.
    kernel: Option<&'a Kernel>,
    /// Ports in the order of the parameters, with the parameters' names.
    ports: Vec<(PortId, String)>,
    /// The names of the rank parameters.
    ranks: Vec<String>,
}

impl<'a> Wrapper<'a> {
    fn new(context: &'a Context<'a>, role: &'a Role) -> Self {
        let kernel = role.kernels.first().map(|&kernel| &context.design.kernels[kernel]);
        let ranks: Vec<String> = rank_parameters(context, role).into_iter().map(|(_, name)| name).collect();
        let family = &context.design.families[role.family];
        let mut scope = Scope::with(["aiec", "collectives", "comm", "communicator"]);
        scope.take(family.name.clone());
        ranks.iter().for_each(|rank| scope.take(format!("{rank}_")));
        let ordered = kernel.map_or_else(Vec::new, |kernel| ordered_ports(context, kernel));
        let named = |port: PortId| {
            let name = &context.design.ports[port].name;
            (port, scope.fresh(&[name.clone(), format!("{name}_window")]))
        };
        Self { context, role, kernel, ports: ordered.into_iter().map(named).collect(), ranks }
    }

    fn summary(&self) -> String {
        let duty = |duty: &Duty| {
            let name = &self.context.design.collectives[duty.collective].name;
            match (duty.part, duty.children) {
                (Part::Outside, _) => format!("outside {name}"),
                (Part::Leaf, _) => format!("a leaf of {name}"),
                (part, 1) => format!("{} of {name} with 1 child", with_article(part)),
                (part, children) => format!("{} of {name} with {children} children", with_article(part)),
            }
        };
        let duties: Vec<String> = self.role.duties.iter().map(duty).collect();
        format!("Kernel {} as {}.", self.context.design.families[self.role.family].name, duties.join(" and "))
    }

    fn constructor(&self, class: &str) -> String {
        if self.ranks.is_empty() {
            return String::new();
        }
        let parameters: Vec<String> = self.ranks.iter().map(|rank| format!("unsigned {rank}")).collect();
        let members: Vec<String> = self.ranks.iter().map(|rank| format!("{rank}_({rank})")).collect();
        let explicit = if self.ranks.len() == 1 { "explicit " } else { "" };
        format!("{explicit}{class}({}) : {} {{}}", parameters.join(", "), members.join(", "))
    }

    fn parameters(&self, indent: usize) -> String {
        let parameter = |(port, name): &(PortId, String)| {
            let port = &self.context.design.ports[*port];
            let element = port.window.map_or("int32", |window| window.element.name());
            format!("{}__restrict {name}", window_pointer(port.direction, element))
        };
        parameter_list(&self.ports.iter().map(parameter).collect::<Vec<_>>(), indent)
    }

    /// The member of the communicator for every collective of the family, and the rank if there is one for all.
    fn communicator(&self) -> Vec<String> {
        let design = self.context.design;
        let names: Vec<&str> =
            self.role.duties.iter().map(|duty| design.collectives[duty.collective].name.as_str()).collect();
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
        match duty.part {
            Part::Root => format!(
                "aiec::reduce_root<{collective}, {}, {}, {}>",
                duty.children, duty.result, duty.cycles
            ),
            Part::Interior => format!("aiec::reduce_interior<{collective}, {}>", duty.children),
            Part::Leaf => format!("aiec::reduce_leaf<{collective}>"),
            Part::Outside => format!("aiec::reduce_outside<{collective}>"),
        }
    }

    fn initialisers(&self) -> String {
        let parts: Vec<String> = self.role.duties.iter().map(|duty| self.initialiser(duty)).collect();
        parts.join(", ")
    }

    fn initialiser(&self, duty: &Duty) -> String {
        let member = self.kernel.and_then(|kernel| membership(kernel, duty.collective));
        let Some(member) = member else { return "{}".to_owned() };
        let name = |port: Option<PortId>| port.map_or("nullptr", |port| self.name(port)).to_owned();
        let children: Vec<&str> = member.children.iter().map(|&port| self.name(port)).collect();
        let children = format!("{{{}}}", children.join(", "));
        let rank = self.rank_of(duty.collective);
        let arguments = match duty.part {
            Part::Root => vec![rank, children, name(member.result), name(member.cycles)],
            Part::Interior => vec![rank, children, name(member.parent)],
            Part::Leaf => vec![rank, name(member.parent)],
            Part::Outside => Vec::new(),
        };
        format!("{{{}}}", arguments.join(", "))
    }

    fn name(&self, port: PortId) -> &str {
        self.ports.iter().find(|(id, _)| *id == port).map_or("nullptr", |(_, name)| name)
    }

    fn rank_of(&self, collective: CollectiveId) -> String {
        match self.ranks.as_slice() {
            [only] => format!("{only}_"),
            _ => format!("{}_rank_", self.context.design.collectives[collective].name),
        }
    }

    fn call(&self) -> String {
        let is_user = |port: &PortId| matches!(self.context.design.ports[*port].role, PortRole::User(_));
        let user = self.ports.iter().filter(|(port, _)| is_user(port)).map(|(_, name)| name.as_str());
        let arguments: Vec<&str> = std::iter::once("comm").chain(user).collect();
        format!("{}({});", self.context.design.families[self.role.family].name, arguments.join(", "))
    }

    fn after(&self) -> Vec<String> {
        let with_cycles = self.role.duties.iter().filter(|duty| duty.cycles);
        with_cycles
            .map(|duty| format!("comm.{}.finish();", self.context.design.collectives[duty.collective].name))
            .collect()
    }
}

fn with_article(part: Part) -> &'static str {
    match part {
        Part::Root => "the root",
        Part::Interior => "an interior node",
        Part::Leaf => "a leaf",
        Part::Outside => "nothing",
    }
}

/// User ports in declaration order, then those of every collective: children, parent, result, cycles.
///
/// Within one direction this is the order of slots, as the tools count parameters.
fn ordered_ports(context: &Context<'_>, kernel: &Kernel) -> Vec<PortId> {
    let user_number = |port: PortId| match context.design.ports[port].role {
        PortRole::User(number) => Some(number),
        _ => None,
    };
    let all = kernel.inputs.iter().chain(&kernel.outputs).copied();
    let mut user: Vec<PortId> = all.filter(|&port| user_number(port).is_some()).collect();
    user.sort_by_key(|&port| user_number(port));
    for member in &kernel.memberships {
        user.extend(&member.children);
        user.extend([member.parent, member.result, member.cycles].into_iter().flatten());
    }
    user
}
