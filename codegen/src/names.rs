//! Every C++ identifier and every file name that the compiler invents.
//!
//! Takes a design and its roles, returns [`Names`]. Names that share a scope differ from each
//! other, from the user's names and from the names of the ADF library. A name is the obvious choice
//! if that is free; otherwise it gets a suffix.

use std::collections::{BTreeMap, BTreeSet};

pub use aiec_ir::c_names::INSTANCE;
use aiec_ir::design::{Endpoint, Family, UserPort, identifier};
use aiec_ir::expanded::SwitchKind;
use aiec_ir::expanded::{DataEnd, Expanded, External, HostParameter, Owner, PacketSwitch, PortRole};
use aiec_ir::{CollectiveId, Direction, ExternalId, FamilyId, IdVec, ParameterId, PortId, SwitchId};

use crate::hierarchy::{Hierarchy, Level, Levels};
use crate::members::{self, GraphNames};
use crate::options::UserSource;
use crate::roles::{Duty, Part, Role, RoleId, Roles};
use crate::scope::Scope;

/// Reserved names at namespace scope.
const GLOBAL: &[&str] =
    &["adf", "aie", "aiec", "collectives", "communicator", "design", "main", "std", "written", INSTANCE];

/// Reserved names in the graph class: the ADF graph's own, and those the templates use.
const MEMBERS: &[&str] =
    &["c", "end", "i", "init", "inputs", "net", "outputs", "r", "read", "resume", "run", "update", "wait"];

/// A declared input or output as a member of the graph class: one object, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalGroup {
    /// Identifier in the graph class.
    pub member: String,
    /// True if the member is an array, with one element per instance.
    pub array: bool,
    /// The instances that something is connected to, by index. The graph has no others.
    pub instances: Vec<ExternalId>,
}

/// Splits or merges of one degree as a member of the graph class: one object, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchGroup {
    /// Identifier in the graph class.
    pub member: String,
    /// The class of the ADF library, such as `adf::pktsplit<8>`.
    pub class: String,
    /// The class that has the member.
    pub(crate) level: Level,
    /// The splits or merges of each element, in order. The member is an array if there are several
    /// elements.
    pub switches: Vec<Vec<SwitchId>>,
}

/// A declared run-time parameter as a member of the graph class. Each port of a kernel has a port
/// of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterGroup {
    /// Identifier in the graph class.
    pub member: String,
    /// True if the member is an array, with one element for each target.
    pub array: bool,
    /// The ports of kernels, with the parameter that each is connected to.
    pub targets: Vec<(ParameterId, PortId)>,
}

impl ParameterGroup {
    /// The port of the graph for target `at`.
    pub fn port(&self, at: usize) -> String {
        if self.array { format!("{}[{at}]", self.member) } else { self.member.clone() }
    }
}

/// The names of one project.
#[derive(Clone, Debug)]
pub struct Names {
    /// The name of the graph class of the design.
    pub graph: String,
    /// The member of its class that holds each family's kernels: the family's name. Within the
    /// class it hides the function's name.
    pub families: IdVec<FamilyId, String>,
    /// Inputs and outputs, by declaration.
    pub externals: Vec<ExternalGroup>,
    /// Run-time parameters of the host, by declaration.
    pub parameters: Vec<ParameterGroup>,
    /// The PLIO or GMIO name of each input and output.
    pub logical: IdVec<ExternalId, String>,
    /// The variable that holds the data of each input and output in `main`.
    pub memory: IdVec<ExternalId, String>,
    /// The data file of each input and output, relative to the project.
    pub data: IdVec<ExternalId, String>,
    /// The golden data file of each output whose data is equal in every run, relative to the
    /// project.
    pub golden: BTreeMap<DataEnd, String>,
    /// The variable of the graph's constructor that lists the ranks of each collective.
    pub ranks: IdVec<CollectiveId, String>,
    /// The member of the graph class that merges packets, for each collective that merges any.
    pub merges: IdVec<CollectiveId, Option<String>>,
    /// The members for the splits and merges of the design.
    pub switches: Vec<SwitchGroup>,
    /// The classes of sub-graphs with their members.
    pub(crate) graphs: GraphNames,
    /// The wrapper class of each role, also the stem of its files.
    pub roles: IdVec<RoleId, String>,
    /// The struct of each collective in `namespace collectives`.
    pub collectives: IdVec<CollectiveId, String>,
    /// The header of the collectives, in the folder of the kernels.
    pub collectives_header: String,
    /// The paths of the user's sources in the project, by their paths in the design.
    sources: BTreeMap<String, String>,
    /// True if all user sources lie below `kernels/`, which then is not repeated.
    kernels_folder: bool,
}

impl Names {
    /// Names everything in `design`. `sources` are the user's files.
    pub(crate) fn of(
        design: &Expanded,
        roles: &Roles,
        sources: &[UserSource],
        hierarchy: &Hierarchy,
    ) -> Self {
        let kernels_folder = sources.iter().all(|source| source.copy.starts_with("kernels/"));
        let copy =
            |source: &UserSource| (source.path.clone(), source_path(&source.copy, kernels_folder).to_owned());
        let sources: BTreeMap<String, String> = sources.iter().map(copy).collect();
        let mut files = Scope::with(sources.values().map(|path| stem(path)));
        let collectives_header = format!("{}.h", files.fresh(&["collectives".to_owned()]));

        let mut globals = globals(design);
        let graph = globals.fresh(&[design.name.value.clone(), format!("{}_graph", design.name.value)]);
        let mut classes = globals.clone();
        // Wrapper classes have files of their names beside the user's.
        files.into_names().for_each(|name| globals.take(name));
        let role_names = role_names(design, roles, &mut globals);

        let levels = Levels::of(design);
        let reserved = MEMBERS.iter().map(|&name| name.to_owned());
        let base = Scope::with(reserved.chain(role_names.iter().cloned()).chain([graph.clone()]));
        let mut scopes = members::Scopes::new(design, &base);
        let families = members::families(design, &levels, &mut scopes);
        let mut port = |name: &str| scopes.at(None).fresh(&[name.to_owned(), format!("{name}_port")]);
        let externals = external_groups(design, &mut port);
        let parameters = parameter_groups(design, &mut port);
        let mut ranks = |id| scopes.of_collective(design, &levels, id, "ranks");
        let ranks = design.collectives.ids().map(&mut ranks).collect();
        let merged = |id: CollectiveId| design.collectives[id].plan.is_merged();
        let mut merge = |id| merged(id).then(|| scopes.of_collective(design, &levels, id, "merge"));
        let merges = design.collectives.ids().map(&mut merge).collect();
        let switches = switch_groups(design, &mut |level, name| scopes.at(level).fresh(&[name]));
        role_names.iter().for_each(|name| classes.take(name.clone()));
        let graphs = GraphNames::of(design, levels, hierarchy, &mut scopes, &mut classes);
        Self {
            graphs,
            graph,
            families,
            externals,
            parameters,
            logical: identifiers(design, Scope::default()),
            memory: identifiers(design, Scope::with(GLOBAL.iter().copied())),
            data: design.externals.iter().map(data_path).collect(),
            golden: golden_paths(design),
            ranks,
            merges,
            switches,
            roles: role_names,
            collectives: collective_structs(design),
            collectives_header,
            sources,
            kernels_folder,
        }
    }

    /// The path of a user source in the project, relative to `aie/kernels/`.
    pub fn source<'a>(&'a self, path: &'a str) -> &'a str {
        self.sources.get(path).map_or_else(|| source_path(path, self.kernels_folder), String::as_str)
    }

    /// The C++ expression for an input or output within the graph class, such as `lanes[2]`.
    pub fn external(&self, external: ExternalId) -> String {
        match self.element_of(external).map(|(at, element)| (&self.externals[at], element)) {
            Some((ExternalGroup { member, array: true, .. }, element)) => format!("{member}[{element}]"),
            Some((ExternalGroup { member, .. }, _)) => member.clone(),
            None => String::new(),
        }
    }

    /// The member for a split or merge, and its index if the member is an array.
    pub fn switch(&self, switch: SwitchId) -> (&str, Option<usize>) {
        let position = |group: &SwitchGroup| group.switches.iter().position(|all| all.contains(&switch));
        let found = self.switches.iter().find_map(|group| Some((group, position(group)?)));
        found.map_or(("", None), |(group, at)| {
            (group.member.as_str(), (group.switches.len() > 1).then_some(at))
        })
    }

    /// The position of an input's or output's group among the groups, and its own position in the
    /// group's array. Returns None when nothing is connected to it.
    pub fn element_of(&self, external: ExternalId) -> Option<(usize, usize)> {
        let element = |group: &ExternalGroup| group.instances.iter().position(|&id| id == external);
        self.externals.iter().enumerate().find_map(|(at, group)| Some((at, element(group)?)))
    }
}

/// The names of the user at namespace scope, and those that templates use there.
fn globals(design: &Expanded) -> Scope {
    let mut globals = Scope::with(GLOBAL.iter().copied());
    design.families.iter().map(Family::identifier).for_each(|name| globals.take(name));
    let bodies = design.families.iter().flat_map(|family| &family.bodies);
    bodies.for_each(|body| globals.take(outermost(&body.function)));
    let parameters = design.parameters.iter().map(|parameter| base(&parameter.name));
    let bases = design.externals.iter().map(|external| base(&external.name)).chain(parameters);
    bases.for_each(|name| globals.take(name));
    globals
}

/// The name of a function or class at file scope: the first of the namespaces around it, if any.
pub(crate) fn outermost(function: &str) -> String {
    function.split("::").next().unwrap_or(function).to_owned()
}

fn source_path(path: &str, strip: bool) -> &str {
    if strip { path.strip_prefix("kernels/").unwrap_or(path) } else { path }
}

/// A path without its extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The declared name of an input or output, without an index.
fn base(name: &str) -> String {
    name.split('[').next().unwrap_or(name).to_owned()
}

fn external_groups(design: &Expanded, member: &mut dyn FnMut(&str) -> String) -> Vec<ExternalGroup> {
    let mut groups: Vec<(aiec_ir::ExternalFamilyId, ExternalGroup)> = Vec::new();
    for (id, external) in design.externals.enumerate() {
        let used = (!design.ports[external.port].connections.is_empty()).then_some(id);
        match groups.last_mut() {
            Some((family, group)) if *family == external.family => group.instances.extend(used),
            _ => {
                let array = external.name.contains('[');
                let member = member(&base(&external.name));
                groups.push((
                    external.family,
                    ExternalGroup { member, array, instances: used.into_iter().collect() },
                ));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// What splits or merges of one member share: class, trunk, kind and degree.
type SwitchKey = (Level, String, SwitchKind, u32);

/// The splits and merges, each with the later splits of its port and class whose ids go on from
/// others: these have branches of the same `pktsplit`.
fn elements(design: &Expanded) -> Vec<Vec<SwitchId>> {
    let mut found: Vec<Vec<SwitchId>> = Vec::new();
    for (id, switch) in design.switches.enumerate().filter(|(_, switch)| switch.first == 0) {
        let is_first = !found.iter().flatten().any(|&other| is_beside(design, other, switch));
        let further = design.switches.enumerate().filter(|(_, other)| other.first > 0 && is_first);
        let further = further.filter(|(other, _)| is_beside(design, *other, switch));
        found.push(std::iter::once(id).chain(further.map(|(other, _)| other)).collect());
    }
    found
}

/// True for a split at the port of `switch`, in the same class.
fn is_beside(design: &Expanded, other: SwitchId, switch: &PacketSwitch) -> bool {
    let other = &design.switches[other];
    other.kind == SwitchKind::Split && (other.trunk, other.way.level) == (switch.trunk, switch.way.level)
}

/// The members for splits and merges: an array for those of one degree whose trunks are instances
/// of one declaration.
fn switch_groups(design: &Expanded, member: &mut dyn FnMut(Level, String) -> String) -> Vec<SwitchGroup> {
    let mut groups: Vec<(SwitchKey, Vec<Vec<SwitchId>>)> = Vec::new();
    for element in elements(design) {
        let Some(&first) = element.first() else { continue };
        let switch = &design.switches[first];
        let ways = element.iter().map(|&id| design.switches[id].ways()).max().unwrap_or(0);
        let port = &design.ports[switch.trunk];
        let level = switch.way.level;
        let border = switch.way.borders.iter().find(|(id, _)| Some(*id) == level);
        let border = border.and_then(|&(id, at)| design.subgraphs[id].ports.get(at as usize));
        let trunk = match port.owner {
            _ if border.is_some() => border.map_or_else(String::new, UserPort::identifier),
            Owner::External(external) => base(&design.externals[external].name),
            Owner::Kernel(kernel) => {
                let family = &design.families[design.kernels[kernel].family];
                let is_inside = level.is_some();
                let family = if is_inside { family.local().to_owned() } else { family.identifier() };
                format!("{family}_{}", port.identifier())
            }
        };
        let key = (level, trunk, switch.kind, ways);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, elements)) => elements.push(element),
            None => groups.push((key, vec![element])),
        }
    }
    let group = |((level, trunk, kind, ways), switches): (SwitchKey, Vec<Vec<SwitchId>>)| {
        let member = member(level, format!("{trunk}_{}", kind.word()));
        SwitchGroup { member, level, class: format!("adf::{}<{ways}>", kind.class()), switches }
    };
    groups.into_iter().map(group).collect()
}

/// The members for run-time parameters, one for each declaration.
fn parameter_groups(design: &Expanded, member: &mut dyn FnMut(&str) -> String) -> Vec<ParameterGroup> {
    let mut groups: Vec<(aiec_ir::ExternalFamilyId, ParameterGroup)> = Vec::new();
    for (id, parameter) in design.parameters.enumerate() {
        let targets = parameter.ports.iter().map(|&port| (id, port));
        match groups.last_mut() {
            Some((family, group)) if *family == parameter.family => group.targets.extend(targets),
            _ => {
                let array = parameter.name.contains('[');
                let member = member(&base(&parameter.name));
                groups.push((parameter.family, ParameterGroup { member, array, targets: targets.collect() }));
            }
        }
    }
    for (_, group) in &mut groups {
        group.array |= group.targets.len() > 1;
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn identifiers(design: &Expanded, mut scope: Scope) -> IdVec<ExternalId, String> {
    design.externals.iter().map(|external| scope.fresh(std::slice::from_ref(&external.identifier))).collect()
}

/// Struct names in `namespace collectives`, which differ from the members of those structs.
fn collective_structs(design: &Expanded) -> IdVec<CollectiveId, String> {
    let mut scope = Scope::with([
        "chunks_per_call",
        "commutative",
        "count",
        "counts",
        "cycles_elements",
        "data_elements",
        "element_type",
        "exclusive",
        "first",
        "firsts",
        "op_type",
        "part_elements",
        "rank_count",
        "root",
        "run_elements",
        "spelling",
        "stride_elements",
        "vectorised",
        "window_elements",
        "windows",
        "aiec",
    ]);
    let name = |name: String| scope.fresh(&[name.clone(), format!("{name}_collective")]);
    design.collectives.iter().map(|collective| identifier(&collective.name)).map(name).collect()
}

fn role_names(design: &Expanded, roles: &Roles, globals: &mut Scope) -> IdVec<RoleId, String> {
    let all = |ports: Ports| -> IdVec<RoleId, String> {
        roles.roles.iter().map(|role| role_name(design, role, ports)).collect()
    };
    let told = [Ports::Untold, Ports::Inputs, Ports::Both].map(all);
    let alone = |names: &IdVec<RoleId, String>, at: RoleId| {
        names.iter().filter(|&name| *name == names[at]).count() == 1
    };
    let shortest = |at: RoleId| {
        let names = told.iter().find(|names| alone(names, at)).unwrap_or(&told[2]);
        globals.fresh(&[names[at].clone()])
    };
    roles.roles.ids().map(shortest).collect()
}

/// The part of a role's name that describes its ports.
#[derive(Clone, Copy)]
enum Ports {
    Untold,
    Inputs,
    Both,
}

/// `worker_leaf`, or in designs with several collectives `worker_total_leaf_peak_root`. Leaves out
/// the collectives that the kernels are not ranks of, and does not repeat the instance of a
/// component: `bank_2_worker_total_leaf`.
fn role_name(design: &Expanded, role: &Role, ports: Ports) -> String {
    let instance = design.families[role.family].instance();
    let is_shared = role.kernels.iter().any(|&kernel| design.kernels[kernel].family != role.family);
    let family = &design.families[role.family];
    let family = if is_shared { family.local().to_owned() } else { family.identifier() };
    let within = |name: &str| match name.rsplit_once('.') {
        Some((around, local)) if Some(around) == instance => local.to_owned(),
        _ => identifier(name),
    };
    let inside: Vec<&Duty> = role.duties.iter().filter(|duty| duty.part != Part::Outside).collect();
    if inside.is_empty() {
        return format!("{family}_outside");
    }
    inside.into_iter().fold(family, |mut name, duty| {
        if role.duties.len() > 1 {
            name = format!("{name}_{}", within(&design.collectives[duty.collective].name));
        }
        let ports = match ports {
            Ports::Inputs if duty.inputs > 0 => format!("_{}", duty.inputs),
            Ports::Untold | Ports::Inputs => String::new(),
            Ports::Both => format!("_in{}_out{}", duty.inputs, duty.outputs),
        };
        format!("{name}_{}{ports}", duty.part.name())
    })
}

/// The data file of an input or output, as the design names it. A file without a name, or with a
/// path outside the design's folder, goes to `data/`.
pub(crate) fn data_path(external: &External) -> String {
    let ending = if external.direction == Direction::Out { "txt" } else { "out.txt" };
    let invented = || format!("data/{}.{ending}", external.identifier);
    match &external.endpoint {
        Endpoint::Plio { file, .. } | Endpoint::Gmio { file: Some(file), .. } => {
            inside(file).unwrap_or_else(invented)
        }
        Endpoint::Gmio { file: None, .. } => invented(),
    }
}

/// The data file of a parameter of the host, as the design names it or invented from its name.
pub(crate) fn parameter_path(parameter: &HostParameter) -> String {
    let ending = if parameter.direction == Direction::Out { "txt" } else { "out.txt" };
    let named = parameter.values.file.as_deref().and_then(inside);
    named.unwrap_or_else(|| format!("data/{}.{ending}", parameter.identifier))
}

/// The data file of an input, output or parameter.
pub(crate) fn data_end_path(design: &Expanded, end: DataEnd) -> String {
    match end {
        DataEnd::External(id) => data_path(&design.externals[id]),
        DataEnd::Parameter(id) => parameter_path(&design.parameters[id]),
    }
}

/// The golden data files of outputs, below `data/golden/`. Outputs of cycle counts have none, nor
/// have those of merged packets, which come in any order.
pub(crate) fn golden_paths(design: &Expanded) -> BTreeMap<DataEnd, String> {
    let mut taken = BTreeSet::new();
    let counts = |end: DataEnd| {
        let mut writers = design.data_peers(end).into_iter();
        writers.any(|port| matches!(design.ports[port].role, PortRole::Cycles(_)))
    };
    let mut path = |end: DataEnd| {
        let whole = data_end_path(design, end);
        let short = whole.strip_prefix("data/").unwrap_or(&whole);
        let free = if taken.contains(short) { whole.as_str() } else { short };
        taken.insert(free.to_owned());
        (end, format!("data/golden/{free}"))
    };
    let merged = |end: DataEnd| match end {
        DataEnd::External(id) => design.joins_packets(design.externals[id].port),
        DataEnd::Parameter(_) => false,
    };
    design.data_ends(Direction::In).filter(|&end| !counts(end) && !merged(end)).map(&mut path).collect()
}

/// `path` if it stays within the project's folder.
fn inside(path: &str) -> Option<String> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let harmless = |c: char| !c.is_control() && !matches!(c, '"' | '\\');
    (path.split('/').all(plain) && path.chars().all(harmless)).then(|| path.to_owned())
}

#[cfg(test)]
mod tests;
