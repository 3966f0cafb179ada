//! Makes a design of the description that constructors gave.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Diagnostic, Outcome, Span, Spanned};
use aiec_ir::design::{Body, Family, Instance, Language, Node, Subgraph, UserPort, Written, WrittenType};
use aiec_ir::{Board, Carries, Design, Direction, FamilyId, IdVec, PortKind, Release, SubgraphId};
use petgraph::graph::DiGraph;

use crate::assumed::Notes;
use crate::bodies::body;
use crate::called::{Called, calls};
use crate::carries::Touching;
use crate::controls::{CONTROL, controls, without_controls};
use crate::description::{Description, External, GraphIndex, Kernel, KernelIndex, PortIndex, PortType, Site};
use crate::ends::{Ends, ends};
use crate::errors;
use crate::gates::{Known, gates};
use crate::links::{Ports, links};
use crate::logic::{Array, array};
use crate::names::{self, Member, Names, families};
use crate::nested::flat;
use crate::numbered::numbered;
use crate::places::{Extent, places};
use crate::regrouped::regrouped;
use crate::through::{shared, through};
use crate::wires::wires;

/// What the command line adds to a graph.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// A source location in the graph's file, for what has no statement of its own.
    pub file: Span,
    /// The name of the array that the graph is for.
    pub device: &'a str,
    /// The extent of that array.
    pub array: Extent,
    /// The release of Vitis.
    pub release: &'static Release,
    /// The release that the command line states.
    pub stated: Option<&'static Release>,
    /// What the project is built for.
    pub board: Board,
    /// Bytes of stack of kernels without a `stack_size`. None when the device's default holds.
    pub stack: Option<u32>,
    /// Bytes of heap of kernels without a `heap_size`. None when the device's default holds.
    pub heap: Option<u32>,
    /// The device's bytes of stack and of heap, for what the notes say.
    pub usual: (u32, u32),
    /// The header that declares a class or template, if it is known.
    pub header: &'a dyn Fn(&Kernel) -> Option<String>,
    /// True if functions have that header as well, and not only classes and templates.
    pub of_functions: bool,
    /// True if the design is to become text. A design with arrays of numbered members is then
    /// wanted, too, and what no text can say is left out.
    pub as_text: bool,
}

/// A graph as a design.
#[derive(Clone, Debug)]
pub struct Adopted {
    /// The graph in the form that `lower` returns.
    pub design: Design,
    /// The same with members such as `k0`, `k1` and `k2` as elements of arrays. None when there are
    /// no such members, or nobody asked.
    pub arrays: Option<Design>,
    /// What was assumed, and what the design does not hold.
    pub notes: Notes,
    /// The name of the global graph object, with which hierarchical names begin. Empty where the
    /// names of members have it: in files with several such objects.
    pub object: String,
    /// Names of kernels, inputs and outputs that are no members of the object.
    pub loose: BTreeSet<String>,
    /// Names of the ports of kernels in programmable logic, which no constraint has.
    pub of_logic: BTreeSet<String>,
    /// Names of kernels, inputs, outputs and tables (`k.param[0]`) for which no name in a
    /// constraints file is known, each with the reason.
    pub unnamed: BTreeMap<String, &'static str>,
    /// The members that are tables, by the port of their first reader, such as `k.param[0]`.
    pub tables: BTreeMap<String, String>,
    /// Graph objects that are the only one of their class; empty if there is one object.
    pub objects: BTreeSet<String>,
    /// Names of members that the class of the object cannot reach, each with the reason.
    pub hidden: BTreeMap<String, String>,
    /// Names of tuples, such as `lanes`, whose elements have names such as `lanes[3]`.
    pub tuples: BTreeSet<String>,
    /// Statements to which calls led, with these calls.
    pub calls: Vec<Called>,
}

/// Makes the design of a graph. It has a family for each array of like kernels, and the members'
/// paths as names.
///
/// # Errors
/// Constructs without a form in a design on which later answers depend, and graphs beyond the
/// limits of a design.
pub fn design(description: &Description, settings: &Settings<'_>) -> Outcome<Adopted> {
    let (description, left_out) = match settings.as_text {
        true => without_controls(description, settings.file),
        false => (Cow::Borrowed(description), Vec::new()),
    };
    match adopted(&description, settings) {
        Ok(mut one) => {
            one.notes.left_out.extend(left_out);
            let renamed = settings.as_text.then(|| numbered(&description)).flatten();
            one.arrays = renamed.and_then(|renamed| Some(adopted(&renamed, settings).ok()?.design));
            Outcome::ok(one)
        }
        Err(diagnostic) => Outcome::error(diagnostic),
    }
}

fn adopted(description: &Description, settings: &Settings<'_>) -> Result<Adopted, Diagnostic> {
    within_limits(description, settings.file)?;
    let mut names = Names::of(description);
    let mut notes = Notes::default();
    let stated = wires(description);
    let description = &*flat(description, &stated);
    let stated = wires(description);
    for span in shared(description, &stated, settings.file) {
        notes.leave_out("that the streams of a merge which a split takes apart share wires".to_owned(), span);
    }
    let Array { wires, externals: all } = array(description, through(description, stated));
    let mut kernels = Kernels::default();
    kernels.adopt(description, &Touching::of(description, &wires), &mut names, settings, &mut notes);
    let Ends { families: externals, of: ends } =
        ends(description, &all, &wires, &mut names, (settings.file, settings.as_text), &mut notes);
    let mut of = kernels.ports;
    of.extend(ends.into_iter().map(|(port, (node, index))| (port, (node, index, 0))));
    // Objects of one class are instances of one component.
    let has_objects = settings.as_text && names.object().is_empty();
    let mut subgraphs = subgraphs(description, &names, &kernels.instances, (settings.file, has_objects));
    let known =
        Known { description, names: &names, of: &of, families: &kernels.families, file: settings.file };
    let ways = gates(&known, &wires, &mut subgraphs);
    let ports = Ports { description, of, families: &kernels.families, ways: &ways, file: settings.file };
    let links = links(&ports, &wires, &mut notes)?;
    crate::tables::note(description, &kernels.families, &kernels.instances, settings.file, &mut notes);
    let tables = crate::tables::members(description, &names, &kernels.families, &kernels.instances);
    let constrained = places(&ports, &wires, &kernels.instances, settings.array, &mut notes);
    let mut design = Design {
        name: name(description, settings.file),
        device: Spanned::new(settings.device.to_owned(), settings.file),
        release: settings.release,
        board: settings.board,
        written: Written { release: settings.stated, called: kernels.called, ..Written::default() },
        language: Language::Adf,
        is_component: false,
        iterations: 1,
        port_kind: port_kind(description),
        constants: Vec::new(),
        tables: Vec::new(),
        decimals: Vec::new(),
        ambiguous: Default::default(),
        families: kernels.families,
        externals,
        collectives: IdVec::new(),
        places: constrained.places,
        constraints: constrained.constraints,
        blocks: constrained.blocks,
        shims: constrained.shims,
        shim_ties: constrained.shim_ties,
        shim_links: constrained.shim_links,
        subgraphs,
        allowances: Vec::new(),
        graph: DiGraph::new(),
    };
    design.connect(links);
    notes.left_out.sort_by_key(|one| one.span);
    let (object, calls) = (names::object(description), calls(description));
    let Nameless { loose, of_logic, mut unnamed } = nameless(description, &all);
    unnamed.extend(crate::tables::unregistered(description, &design.families, &kernels.instances));
    unnamed.extend(controls(description, &design.families, &kernels.instances));
    let objects = objects(description);
    let hidden = description.hidden.iter();
    let hidden = hidden.map(|(path, reason)| (names.local(path), reason.clone())).collect();
    Ok(Adopted {
        object,
        loose,
        of_logic,
        unnamed,
        objects,
        tables,
        hidden,
        tuples: description.tuples.iter().map(|path| names.local(path)).collect(),
        design,
        arrays: None,
        notes,
        calls,
    })
}

/// [`Adopted::objects`]. An element of an array shares its class.
fn objects(description: &Description) -> BTreeSet<String> {
    let globals: Vec<_> = description.graphs.iter().filter(|graph| graph.parent.is_none()).collect();
    let is_only =
        |class: &str| globals.iter().filter(|graph| graph.class == class).count() == 1 && globals.len() > 1;
    let named = globals.iter().filter(|graph| is_only(&graph.class));
    let paths = named.filter_map(|graph| graph.path.clone());
    paths.filter(|path| path.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')).collect()
}

/// Names that a class cannot spell.
struct Nameless {
    /// Kernels in variables of constructors, inputs and outputs beside the graph, and `of_logic`.
    loose: BTreeSet<String>,
    /// Ports of kernels in programmable logic.
    of_logic: BTreeSet<String>,
    /// What no constraints file can name, with the reason.
    unnamed: BTreeMap<String, &'static str>,
}

fn nameless(description: &Description, externals: &[External]) -> Nameless {
    let mut names = Names::of(description);
    let kernels = description.kernels.iter().zip(names::kernels(description, &mut names));
    let kernels = kernels.filter(|(kernel, _)| kernel.path.is_none());
    let mut loose: BTreeSet<String> = kernels.map(|(_, member)| member.name()).collect();
    let mut of_logic = BTreeSet::new();
    let no_member = "it is no member of a graph, and no document tells its name";
    let mut unnamed: BTreeMap<String, &'static str> =
        loose.iter().map(|name| (name.clone(), no_member)).collect();
    for external in externals {
        let name = crate::ends::member(external, &mut names).name();
        if external.is_of_logic {
            of_logic.insert(name.clone());
        } else if crate::ends::tool_name(external).is_none() {
            unnamed.insert(name.clone(), "the graph gives it no name, and no document tells the tools'");
        }
        if external.is_of_logic || external.path.is_none() {
            loose.insert(name);
        }
    }
    Nameless { loose, of_logic, unnamed }
}

fn within_limits(description: &Description, file: Span) -> Result<(), Diagnostic> {
    let instances = description.kernels.len() + description.externals.len();
    let counts = [
        ("kernels, inputs and outputs", instances, Design::MAX_INSTANCES),
        ("connections", description.connections.len(), Design::MAX_CONNECTIONS),
        ("graphs", description.graphs.len(), Design::MAX_SUBGRAPHS),
    ];
    let beyond = counts.into_iter().find(|&(_, count, most)| count as u64 > most);
    beyond.map_or(Ok(()), |(what, count, most)| Err(errors::too_large(file, what, count, most)))
}

/// The name of the design: the class of the global object, or the names of several objects.
fn name(description: &Description, file: Span) -> Spanned<String> {
    let globals = || description.graphs.iter().filter(|graph| graph.parent.is_none());
    let global = globals().next();
    let mut stems: Vec<String> =
        globals().filter_map(|graph| Some(Member::of(graph.path.as_deref()?).stem)).collect();
    stems.dedup();
    let name = match stems.as_slice() {
        [first, second] => format!("{first}_and_{second}"),
        [first, _, ..] => format!("{first}_and_others"),
        _ => names::bare(global.map_or("", |graph| &graph.class)).to_owned(),
    };
    let span = global.and_then(|graph| graph.site.as_ref()).map_or(file, |site| site.span);
    Spanned::new(if name.is_empty() { "graph".to_owned() } else { name }, span)
}

/// Windows if any kernel has one, else buffers.
fn port_kind(description: &Description) -> PortKind {
    let is_window = |carries: &PortType| matches!(carries, PortType::Block { is_buffer: false, .. });
    if description.ports.iter().any(|port| is_window(&port.carries)) {
        PortKind::Window
    } else {
        PortKind::Buffer
    }
}

/// Kernels as families.
#[derive(Default)]
struct Kernels {
    families: IdVec<FamilyId, Family>,
    /// The instance of each kernel of the description.
    instances: Vec<Instance>,
    ports: BTreeMap<PortIndex, (Node, u32, u32)>,
    /// Members by the names of kernels, where the two differ.
    called: BTreeMap<String, String>,
}

impl Kernels {
    fn adopt(
        &mut self,
        description: &Description,
        touching: &Touching<'_>,
        names: &mut Names,
        settings: &Settings<'_>,
        notes: &mut Notes,
    ) {
        let all = &description.kernels;
        let members: Vec<Member> = names::kernels(description, names);
        let span = |kernel: &Kernel| span_of(kernel.site.as_ref(), settings.file);
        let lists: Vec<Vec<UserPort>> = all
            .iter()
            .zip(&members)
            .zip((0..).map(KernelIndex))
            .map(|((kernel, member), at)| {
                let mut ports = user_ports(kernel, &member.name(), touching, span(kernel), notes);
                ports.extend(crate::tables::ports(description, at, span(kernel)));
                ports
            })
            .collect();
        let alike = |of: &[usize]| {
            let first = of.first().map(|&at| (&lists[at], all[at].graph));
            of.iter().all(|&at| {
                first.is_some_and(|(ports, graph)| graph == all[at].graph && same(ports, &lists[at]))
            })
        };
        let unknown = Instance { family: FamilyId(0), index: 0, span: settings.file };
        self.instances = vec![unknown; all.len()];
        let mut found = families(&members, alike);
        if settings.as_text {
            let externals = description.externals.iter().map(|one| one.path.as_deref());
            let ports = description.ports.iter().map(|one| one.path.as_deref());
            let graphs = description.graphs.iter().map(|one| one.path.as_deref());
            let paths = externals.chain(ports).chain(graphs).flatten();
            let taken = paths.map(|path| Member::of(&names.local(path)).stem).collect();
            found = regrouped(found, (&members, all), taken, |a, b| same(&lists[a], &lists[b]));
        }
        for family in found {
            let mut bodies: Vec<Body> = family
                .members
                .iter()
                .map(|&at| body(&all[at], &members[at].name(), settings, notes))
                .collect();
            if bodies.windows(2).all(|two| equal(&two[0], &two[1])) {
                bodies.truncate(1);
            }
            let first = family.members[0];
            let (ports, span) = (lists[first].clone(), span(&all[first]));
            let id = self.families.push(Family { name: family.name, dims: family.dims, ports, bodies, span });
            for (index, &at) in (0..).zip(&family.members) {
                let (own, name) = (members[at].name(), self.families[id].instance_name(index));
                if own != name {
                    self.called.insert(name, own);
                }
                self.instances[at] =
                    Instance { family: id, index, span: span_of(all[at].site.as_ref(), settings.file) };
                let numbers = (0..).zip(&all[at].ports);
                self.ports.extend(numbers.map(|(number, &port)| (port, (Node::Family(id), index, number))));
            }
        }
    }
}

fn span_of(site: Option<&Site>, file: Span) -> Span {
    site.map_or(file, |site| site.span)
}

fn user_ports(
    kernel: &Kernel,
    name: &str,
    touching: &Touching<'_>,
    span: Span,
    notes: &mut Notes,
) -> Vec<UserPort> {
    let user_port = |&index: &PortIndex| {
        let port = touching.port(index);
        let word = match (port.is_inout, port.direction) {
            (true, _) => "inout",
            (false, Direction::In) => "in",
            (false, Direction::Out) => "out",
        };
        let own = if port.is_control { CONTROL.to_owned() } else { format!("{word}[{}]", port.index) };
        let carries = touching.carries(index, &format!("{name}.{own}"), notes);
        let is_parameter = matches!(carries, Carries::Parameter(_));
        // A kernel waits for none of the values that it gives back (UG1079, "Runtime Parameter
        // Support Summary").
        let keeps = if port.direction == Direction::Out { !port.is_sync } else { port.is_async };
        UserPort {
            name: own,
            direction: port.direction,
            carries,
            asynchronous: is_parameter && keeps,
            says_how: is_parameter && (port.is_sync || port.is_async),
            written: WrittenType::default(),
            span,
        }
    };
    kernel.ports.iter().map(user_port).collect()
}

/// True if two lists of ports are one declaration.
fn same(a: &[UserPort], b: &[UserPort]) -> bool {
    let key = |port: &UserPort| (port.name.clone(), port.direction, port.carries, port.asynchronous);
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| key(a) == key(b))
}

/// True if two bodies differ only in source locations.
fn equal(a: &Body, b: &Body) -> bool {
    let value = |number: &Option<Spanned<u32>>| number.as_ref().map(|number| number.value);
    let text = |text: &Option<Spanned<String>>| text.as_ref().map(|text| text.value.clone());
    let numbers = |body: &Body| {
        [&body.stack, &body.heap, &body.runtime, &body.program, &body.repetitions, &body.cycles].map(value)
    };
    let texts = |body: &Body| [&body.header, &body.init].map(text);
    let code = |body: &Body| (body.function.clone(), body.source.value.clone());
    numbers(a) == numbers(b)
        && texts(a) == texts(b)
        && code(a) == code(b)
        && (&a.template, &a.arguments) == (&b.template, &b.arguments)
}

/// The graphs that are members of others, by the paths of their members. With `has_objects`, the
/// objects of graphs are among them.
fn subgraphs(
    description: &Description,
    names: &Names,
    instances: &[Instance],
    (file, has_objects): (Span, bool),
) -> IdVec<SubgraphId, Subgraph> {
    let mut found: IdVec<SubgraphId, Subgraph> = IdVec::new();
    let mut ids: BTreeMap<GraphIndex, SubgraphId> = BTreeMap::new();
    for (at, graph) in (0..).map(GraphIndex).zip(&description.graphs) {
        let Some(path) = graph.path.as_ref().filter(|_| has_objects || graph.parent.is_some()) else {
            continue;
        };
        let mut families: Vec<FamilyId> = description
            .kernels
            .iter()
            .zip(instances)
            .filter(|(kernel, _)| kernel.graph == Some(at))
            .map(|(_, instance)| instance.family)
            .collect();
        families.sort_unstable();
        families.dedup();
        let id = found.push(Subgraph {
            name: names.local(path),
            component: graph.class.clone(),
            constants: Vec::new(),
            ports: Vec::new(),
            parent: graph.parent.and_then(|parent| ids.get(&parent).copied()),
            families,
            collectives: Vec::new(),
            span: span_of(graph.site.as_ref(), file),
            placed: None,
        });
        ids.insert(at, id);
    }
    found
}
