//! A design as text: the design file that a person would write for a graph.
//!
//! The text goes through the syntax tree of `aiec_dsl` and its printer. Sub-graphs are instances of
//! components.

mod classes;
mod components;
mod conditions;
mod kernels;
mod linear;
mod nesting;
mod ports;
mod repeat;
mod slices;
mod statements;
mod stretches;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{LISTED, SourceFile, SourceId, listed};
use aiec_dsl::ast::{Item, ItemKind, Program};
use aiec_ir::blocks::{Anchor, Block, BlockPlace, BuffersApart, Within};
use aiec_ir::constraints::{Axis, Constraints, Group};
use aiec_ir::design::{self, Design, Family, FarEnd, Instance, Node, Selection, is_code_name, is_identifier};
use aiec_ir::fifos::FifoMemory;
use aiec_ir::{Carries, ExternalFamilyId, FamilyId, IdVec, PortKind, Release, SubgraphId};

use crate::assumed::Notes;
use components::Components;
use kernels::{Tables, external};
use nesting::{Nesting, Scope};
use ports::PortNames;
use repeat::compressed;
use slices::joined;
use statements::{Form, Inside, Name, PartName, Position, Statement};
use tree::{NOWHERE, ident, item};

/// A graph as the text of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The text in canonical form.
    pub text: String,
    /// What the text leaves out, in words. They stand in its comments as well.
    pub left_out: Vec<String>,
}

/// Why the text is of a design with `ports own`: the first rule that it breaks otherwise.
#[derive(Clone, Copy, Debug)]
pub struct OwnPorts<'a> {
    /// The rule, in words.
    pub reason: &'a str,
    /// The graph object; empty if there are several.
    pub object: &'a str,
}

/// The text of a design. `origin` says in its first comment where the design comes from.
pub fn import(design: &Design, notes: &Notes, origin: &str, own: Option<OwnPorts<'_>>) -> Imported {
    let mut words = Words::of(design, own.is_some());
    let mut left_out: Vec<String> = notes.left_out.iter().map(|one| one.what.clone()).collect();
    left_out.extend(without_counterpart(design));
    let sections = sections(design, &mut words, own.as_ref().map(|own| own.object));
    let printed = sections.into_iter().filter(|items| !items.is_empty()).map(print);
    let comments = std::iter::once(format!("// {origin}\n"))
        .chain(own.map(|own| comment(&format!("`ports own`, because of this: {}", one_line(own.reason)))))
        .chain(left_out.iter().map(|what| format!("// Left out: {}.\n", one_line(what))));
    let names = tool_names(design, &words, own.is_some());
    let text = comments.collect::<String>() + &names + "\n" + &printed.collect::<Vec<_>>().join("\n");
    Imported { text: canonical(text), left_out }
}

/// The most loops in one another.
const DEEPEST_LOOPS: usize = 3;

/// Longest line of a comment.
const COLUMNS: usize = 100;

/// `text` as lines of comments.
fn comment(text: &str) -> String {
    let mut lines = vec!["//".to_owned()];
    for word in text.split_whitespace() {
        let is_full = lines.last().is_some_and(|line| line.len() + 1 + word.len() > COLUMNS);
        if is_full {
            lines.push("//".to_owned());
        }
        if let Some(line) = lines.last_mut() {
            *line += &format!(" {word}");
        }
    }
    lines.join("\n") + "\n"
}

/// Comments with the names that the vendor's tools have for inputs and outputs, such as in
/// `system.cfg`. Only a design with `ports own` has a word for them.
fn tool_names(design: &Design, words: &Words, is_own: bool) -> String {
    let mut text = String::new();
    for (id, end) in design.externals.enumerate() {
        let called = &words.externals[id];
        if is_own && kernels::called(&end.logical).is_some() {
            continue;
        }
        let is_usual =
            |(index, name): (u32, &String)| name.is_empty() || *name == kernels::usual(called, end, index);
        if (0..).zip(&end.logical).all(is_usual) {
            continue;
        }
        let mut line = format!("// In the graph `{called}` is");
        for name in &end.logical {
            let next = format!(" {},", one_line(name));
            if line.len() + next.len() > COLUMNS {
                text += &format!("{line}\n");
                "//  ".clone_into(&mut line);
            }
            line += &next;
        }
        text += &format!("{}.\n", line.trim_end_matches(','));
    }
    text
}

/// `text` without breaks of lines, which would end a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn source(text: String) -> SourceFile {
    SourceFile { id: SourceId(0), name: String::new(), text }
}

fn print(items: Vec<Item>) -> String {
    aiec_dsl::print(&source(String::new()), &Program { items, span: NOWHERE, once: BTreeSet::new() })
}

/// As the formatter prints it.
fn canonical(text: String) -> String {
    let file = source(text);
    let program = aiec_dsl::parse(&file).into_parts().0;
    program.map_or_else(|| file.text.clone(), |program| aiec_dsl::print(&file, &program))
}

/// The names that the text gives.
struct Words {
    /// Those of families, each in its scope.
    families: IdVec<FamilyId, String>,
    externals: IdVec<ExternalFamilyId, String>,
    nesting: Nesting,
    /// Names of the design itself.
    taken: BTreeSet<String>,
    /// Names in components.
    inner: BTreeSet<String>,
    /// The ports of components, by the sub-graphs that they stand for.
    gates: BTreeMap<SubgraphId, PortNames>,
    /// True for a design with `ports own`, which has the graph's names as well.
    is_own: bool,
}

impl Words {
    fn of(design: &Design, is_own: bool) -> Self {
        let nesting = Nesting::of(design);
        let mut taken = BTreeSet::from([design_name(design)]);
        let family = |(id, family): (FamilyId, &Family)| match nesting.home(id) {
            None => free(&family.name, "kernel", &mut taken),
            Some(_) => String::new(),
        };
        let families = design.families.enumerate().map(family).collect();
        let externals =
            design.externals.iter().map(|external| free(&external.name, "port", &mut taken)).collect();
        Self { families, externals, nesting, taken, inner: BTreeSet::new(), gates: BTreeMap::new(), is_own }
    }

    fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name) || self.inner.contains(name) || !aiec_lower::is_name(name)
    }

    /// A name of the design itself that no component has either.
    fn fresh(&mut self, path: &str, kind: &str) -> String {
        let mut all = self.taken.union(&self.inner).cloned().collect();
        let name = free(path, kind, &mut all);
        self.taken.insert(name.clone());
        name
    }

    /// The name of a component called after `class`, with a number if another one has it.
    fn component(&mut self, class: &str) -> String {
        let plain = design::identifier(class);
        // `stage_2` would be an element of an array `stage`.
        let is_element = |name: &str| {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_');
            stem.is_some_and(|stem| self.inner.contains(stem) || self.families.iter().any(|own| own == stem))
        };
        let mut all =
            std::iter::once(plain.clone()).chain((2..100).map(|number| format!("{plain}_{number}")));
        let found = all.find(|name| !self.is_taken(name) && is_identifier(name) && !is_element(name));
        match found {
            Some(name) => {
                self.taken.insert(name.clone());
                name
            }
            None => self.fresh(class, "component"),
        }
    }

    /// The variables of loops, that of the outermost first.
    fn variables(&self) -> Vec<String> {
        let letters = ["i", "j", "k", "l", "m", "n", "at"].map(str::to_owned).into_iter();
        let numbered = (0..).map(|number: u64| format!("round{number}"));
        letters.chain(numbered).filter(|name| !self.is_taken(name)).take(DEEPEST_LOOPS).collect()
    }

    /// The parts and the indices of an instance, seen from a scope.
    fn instance(&self, design: &Design, scope: Scope, node: Node, index: u32) -> (Vec<PartName>, Vec<i64>) {
        let (mut parts, mut indices) = match node {
            Node::Family(id) => self.nesting.way(scope, id),
            Node::External(_) | Node::Collective(_) => (Vec::new(), Vec::new()),
        };
        let (name, dims) = match node {
            Node::Family(id) => (self.families[id].clone(), design.families[id].dims.clone()),
            Node::External(id) => (self.externals[id].clone(), design.externals[id].dims.clone()),
            Node::Collective(id) => (design.collectives[id].name.clone(), Vec::new()),
        };
        indices.extend(design::position(&dims, index).into_iter().map(i64::from));
        parts.push(PartName { name, dims });
        (parts, indices)
    }
}

fn design_name(design: &Design) -> String {
    let name = &design.name.value;
    if aiec_lower::is_name(name) && is_identifier(name) {
        name.clone()
    } else {
        format!("{}_graph", design::identifier(name))
    }
}

/// A name for `path` that the language allows and nothing else has.
fn free(path: &str, kind: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        design::identifier(path).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let plain = plain.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    // What is added below: the kind, two underscores and a number.
    let room = aiec_lower::LONGEST_NAME.saturating_sub(kind.len() + 10);
    let end = plain[plain.len().saturating_sub(room)..].trim_start_matches('_');
    let plain = if end.is_empty() { "unnamed" } else { end };
    let candidates = [plain.to_owned(), format!("{plain}_{kind}")].into_iter();
    let numbered = (2u64..).map(|number| format!("{kind}_{plain}_{number}"));
    let mut all = candidates.chain(numbered).take(taken.len() + 3);
    let found = all.find(|name| aiec_lower::is_name(name) && is_identifier(name) && !taken.contains(name));
    let found = found.unwrap_or_else(|| plain.to_owned());
    taken.insert(found.clone());
    found
}

/// The members of the graph that a family stands for.
fn graph_names(design: &Design, family: &Family) -> Vec<String> {
    let names = (0..family.instances()).map(|index| family.instance_name(index));
    let called: Option<Vec<String>> = names.map(|name| design.written.called.get(&name).cloned()).collect();
    called.unwrap_or_else(|| vec![family.name.clone()])
}

/// Equal properties of several kernels in one sentence: `PROPERTY of A, B and 3 more`.
fn together(properties: Vec<(String, String)>) -> impl Iterator<Item = String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (property, name) in properties {
        match groups.iter_mut().find(|(known, _)| *known == property) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => groups.push((property, vec![name])),
        }
    }
    groups.into_iter().map(|(property, names)| format!("{property} of {}", listed(names, LISTED)))
}

/// Properties of kernels for which the language has no words.
fn kernels_without_counterpart(design: &Design) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    for family in design.families.iter() {
        let names: Vec<String> =
            graph_names(design, family).into_iter().map(|name| format!("`{name}`")).collect();
        let mut add = |property: String| {
            found.extend(names.iter().map(|name| (property.clone(), name.clone())));
        };
        for body in &family.bodies {
            if !is_code_name(&body.function) {
                add(format!("the C++ name `{}`", body.function));
            }
            // The language states no templates of them.
            if let Some(init) = body.init.as_ref().filter(|init| !is_code_name(&init.value)) {
                add(format!("the initialization function `{}`", init.value));
            }
        }
    }
    for family in design.families.iter() {
        // A design has the tables of constructors, too.
        let arguments = family.bodies.iter().map(|body| body.tables().count()).min().unwrap_or(0);
        let tables = family.ports.iter().filter_map(|port| match port.carries {
            Carries::Table { bytes } => Some((&port.name, bytes)),
            _ => None,
        });
        for (port, bytes) in tables.skip(arguments) {
            let names = graph_names(design, family).into_iter().map(|name| format!("`{name}`"));
            let property = format!("the memory of the table `{port}` ({bytes} bytes)");
            found.extend(names.map(|name| (property.clone(), name)));
        }
    }
    together(found)
}

/// What the text has no words for.
fn without_counterpart(design: &Design) -> Vec<String> {
    let mut found: Vec<String> = kernels_without_counterpart(design).collect();
    let places = design.blocks.places.iter().filter(|place| !has_form(design, place));
    found.extend(places.map(|place| format!("the place of {}", block_name(design, &place.block))));
    found.extend(design.blocks.ties.iter().map(|tie| {
        let from = match &tie.from {
            Anchor::Core(kernel) => {
                format!("`{}`", design.families[kernel.family].instance_name(kernel.index))
            }
            Anchor::Block(block) => block_name(design, block),
        };
        match (block_name(design, &tie.block), tie.distance) {
            (block, Some(_)) => format!("that the place of {block} follows from that of {from}"),
            (block, None) => format!("that {block} lie in another module than that of {from}"),
        }
    }));
    let one_bank = design.blocks.one_bank.iter().filter(|both| both.blocks[0] != both.blocks[1]);
    found.extend(one_bank.map(|both| {
        let [a, b] = both.blocks.map(|block| block_name(design, &block));
        format!("that {a} and {b} lie in one bank")
    }));
    found.extend(design.blocks.no_bank.iter().map(|both| {
        let [a, b] = both.blocks.map(|block| block_name(design, &block));
        format!("that {a} and {b} share no bank")
    }));
    let kinds = design.graph.edge_weights().filter_map(|link| Some((link, link.fifo_memory?)));
    found.extend(kinds.map(|(link, memory)| {
        let holds = match memory {
            FifoMemory::Module => "lies in memory",
            FifoMemory::Switches => "lies in stream switches",
        };
        let words = link.fifo.as_ref().map_or(0, |words| words.value);
        format!("that the FIFO of {words} words to {} {holds}", ends_name(design, &link.to))
    }));
    let external = |(family, index)| design.externals[family].instance_name(index);
    let kernel = |of: &Instance| design.families[of.family].instance_name(of.index);
    let ties = design.shim_ties.iter().map(|tie| (external(tie.external), kernel(&tie.from)));
    let links = design.shim_links.iter().map(|link| (external(link.external), external(link.from)));
    let follows = |(name, of)| format!("that the column of `{name}` follows from that of `{of}`");
    found.extend(ties.chain(links).map(follows));
    let ranges = design.shims.iter().filter(|place| place.column().is_none());
    found.extend(ranges.map(|place| {
        let (family, index) = place.external;
        let name = design.externals[family].instance_name(index);
        format!("that `{name}` lies in {} of the interface row", place.columns())
    }));
    let ends = design.graph.edge_weights().flat_map(|link| link.from.iter().chain(&link.to));
    let words = ends.filter_map(|end| end.fifo.as_ref());
    found.extend(
        words.map(|words| format!("a FIFO of {} words at one branch of a split or merge", words.value)),
    );
    found
}

/// The items of the text, in groups with empty lines between them.
fn sections(design: &Design, words: &mut Words, object: Option<&str>) -> Vec<Vec<Item>> {
    let is_own = object.is_some();
    let mut head = vec![
        item(ItemKind::Design(ident(&design_name(design)))),
        item(ItemKind::Device(ident(&design.device.value))),
    ];
    if is_own {
        head.push(item(ItemKind::Ports(ident("own"), object.filter(|object| !object.is_empty()).map(ident))));
    } else if design.port_kind != PortKind::of(Release::standard()) {
        head.push(item(ItemKind::Ports(ident(design.port_kind.name()), None)));
    }
    let mut tables = Tables::default();
    let mut components = Components::of(design, words, &mut tables);
    let declared = components.declare(None, words);
    let mut kernels = components.instances(&declared, words, &mut tables);
    kernels.extend(components::kernels(design, None, words, &mut tables));
    let for_tools = object.map(|object| kernels::tool_names(design, object)).unwrap_or_default();
    let ends = design.externals.enumerate().zip((0..).map(|at| for_tools.get(at).map(Vec::as_slice)));
    let ends = ends.map(|((id, end), names)| external(end, &words.externals[id], names));
    let links = components.connections(None, words);
    let places = placements(design, words, &components);
    let declarations = std::mem::take(&mut components.items);
    let mut all = vec![head, tables.items];
    all.extend(declarations.into_iter().map(|component| vec![component]));
    let variables = words.variables();
    all.extend([kernels, ends.collect(), compressed(&links, &variables), compressed(&places, &variables)]);
    all
}

/// True for an end at the host.
fn is_host(design: &Design, end: &Selection) -> bool {
    match end.node {
        Node::External(id) => matches!(design.externals[id].end, FarEnd::Host(_)),
        Node::Family(_) | Node::Collective(_) => false,
    }
}

/// The words and the indices of a port of an instance, seen from a scope.
fn named(
    design: &Design,
    words: &Words,
    scope: Scope,
    node: Node,
    index: u32,
    port: u32,
) -> (Name, Vec<i64>) {
    let (parts, mut indices) = words.instance(design, scope, node, index);
    let port = match node {
        Node::Family(id) => PortNames::of_kernel(&design.families[id], &words.families[id]).get(port),
        Node::External(_) | Node::Collective(_) => None,
    };
    let (port, own) = port.map_or((None, Vec::new()), |(port, own)| (Some(port), own));
    indices.extend(own);
    (Name { parts, port, ranges: Vec::new() }, indices)
}

/// The words and the indices of a kernel, or of its stack.
fn instance(design: &Design, words: &Words, of: Instance, port: Option<&str>) -> (Name, Vec<i64>) {
    let (name, indices) = named(design, words, None, Node::Family(of.family), of.index, u32::MAX);
    let port = port.map(|port| PartName { name: port.to_owned(), dims: Vec::new() });
    (Name { port, ..name }, indices)
}

/// Buffers apart, seen from a scope.
fn buffers_apart(
    design: &Design,
    words: &Words,
    scope: Scope,
    apart: &BuffersApart<(Instance, u32)>,
) -> Statement {
    let names = apart
        .ports
        .iter()
        .map(|&(of, port)| named(design, words, scope, Node::Family(of.family), of.index, port));
    let (names, numbers): (Vec<Name>, Vec<Vec<i64>>) = names.unzip();
    Statement::new(Form::Apart { names, by_core: false }, numbers.concat())
}

fn placements(design: &Design, words: &Words, components: &Components<'_>) -> Vec<Statement> {
    let mut found = kernel_places(design, words);
    let constraints = &design.constraints;
    for region in &constraints.regions {
        let (names, numbers) = instances(design, words, &region.kernels);
        let corners = region.areas.iter().flat_map(|area| [area.from.0, area.from.1, area.to.0, area.to.1]);
        let form = Form::Region { names, areas: region.areas.len() };
        found.push(Statement::new(form, numbers.into_iter().chain(corners).collect()));
    }
    for keepout in &constraints.keepouts {
        let area = keepout.area;
        let corners = vec![area.from.0, area.from.1, area.to.0, area.to.1];
        found.push(Statement::new(Form::Keepout, corners));
    }
    for (group, by_core) in constraints.apart.iter().map(|group| (group, false)).chain(by_core(constraints)) {
        let (names, numbers) = instances(design, words, &group.kernels);
        found.push(Statement::new(Form::Apart { names, by_core }, numbers));
    }
    found.extend(memory_places(design, words));
    found.extend(components.apart(None, words));
    for (place, column) in design.shims.iter().filter_map(|place| Some((place, place.column()?))) {
        let (family, index) = place.external;
        let (of, indices) = named(design, words, None, Node::External(family), index, 0);
        let channel = place.channel.map(i64::from);
        let numbers = indices.into_iter().chain([column]).chain(channel).collect();
        found.push(Statement::new(Form::Shim { of, has_channel: channel.is_some() }, numbers));
    }
    found
}

fn by_core(constraints: &Constraints<Instance>) -> impl Iterator<Item = (&Group<Instance>, bool)> {
    constraints.distinct.iter().map(|group| (group, true))
}

/// The words and the indices of several kernels. Neighbours in one family are a range.
fn instances(design: &Design, words: &Words, of: &[Instance]) -> (Vec<Name>, Vec<i64>) {
    let all = of.iter().map(|&of| instance(design, words, of, None));
    let all = joined(all, |a: &Name, b| a.parts == b.parts);
    let each = all.into_iter().map(|one| (Name { ranges: one.ranges, ..one.of }, one.numbers));
    let (names, numbers): (Vec<Name>, Vec<Vec<i64>>) = each.unzip();
    (names, numbers.concat())
}

/// Tiles of kernels, and distances between them.
fn kernel_places(design: &Design, words: &Words) -> Vec<Statement> {
    let mut found = Vec::new();
    for place in &design.places {
        let (of, numbers) = instance(design, words, place.instance, None);
        found.push(Statement::new(Form::Tile(of), [numbers, vec![place.column, place.row]].concat()));
    }
    let mut relative = |kernel: Instance, other: Instance, stated, distance: Vec<i64>| {
        let (of, indices) = instance(design, words, kernel, None);
        let (from, others) = instance(design, words, other, None);
        let numbers = [indices, others, distance].concat();
        found.push(Statement::new(Form::Offset { of, from, stated }, numbers));
    };
    for offset in &design.constraints.offsets {
        let distance = vec![offset.columns, offset.rows];
        match (offset.columns, offset.rows) {
            (0, 0) => relative(offset.kernel, offset.from, None, Vec::new()),
            _ => relative(offset.kernel, offset.from, Some((true, true)), distance),
        }
    }
    for aligned in &design.constraints.aligned {
        let stated = (aligned.axis == Axis::Column, aligned.axis == Axis::Row);
        relative(aligned.kernel, aligned.from, Some(stated), vec![aligned.distance]);
    }
    found
}

/// True for the place of a block that the language can state. It has neither tables nor distances
/// of blocks from kernels.
fn has_form(design: &Design, place: &BlockPlace<Instance, (Instance, u32)>) -> bool {
    let is_table = match place.block {
        Block::Stack(_) => false,
        Block::Buffers((of, port)) => {
            let port = design.families[of.family].ports.get(port as usize);
            port.is_some_and(|port| matches!(port.carries, Carries::Table { .. }))
        }
    };
    !is_table && place.beside.is_none()
}

/// The first of some ends in words.
fn ends_name(design: &Design, ends: &[Selection]) -> String {
    let name = |end: &Selection| {
        let index = *end.instances.first()?;
        Some(match end.node {
            Node::Family(family) => {
                let (family, port) = (&design.families[family], *end.ports.first()?);
                format!("`{}.{}`", family.instance_name(index), family.ports.get(port as usize)?.name)
            }
            Node::External(external) => format!("`{}`", design.externals[external].instance_name(index)),
            Node::Collective(_) => return None,
        })
    };
    ends.first().and_then(name).unwrap_or_else(|| "a port".to_owned())
}

/// The block of a place in words.
fn block_name(design: &Design, block: &Block<Instance, (Instance, u32)>) -> String {
    let of = |of: &Instance| design.families[of.family].instance_name(of.index);
    match block {
        Block::Stack(kernel) => format!("the stack of `{}`", of(kernel)),
        Block::Buffers((kernel, port)) => {
            let name =
                design.families[kernel.family].ports.get(*port as usize).map_or("?", |port| &port.name);
            format!("the buffers of `{}.{name}`", of(kernel))
        }
    }
}

/// Places of buffers and stacks.
fn memory_places(design: &Design, words: &Words) -> Vec<Statement> {
    let mut found = Vec::new();
    let of_port =
        |(of, port): (Instance, u32)| named(design, words, None, Node::Family(of.family), of.index, port);
    for place in design.blocks.places.iter().filter(|place| has_form(design, place)) {
        let (of, mut numbers) = match place.block {
            Block::Stack(of) => instance(design, words, of, Some("stack")),
            Block::Buffers(port) => of_port(port),
        };
        let mut spots = Vec::new();
        for spot in &place.spots {
            numbers.extend(spot.module.iter().flat_map(|&(column, row)| [column, row]));
            let (within, number) = match spot.within {
                Within::Module => (Inside::Anywhere, None),
                Within::Bank(bank) => (Inside::Bank, Some(bank)),
                Within::Offset(offset) => (Inside::Offset, Some(offset)),
            };
            numbers.extend(number.map(i64::from));
            spots.push(Position { has_module: spot.module.is_some(), within });
        }
        found.push(Statement::new(Form::Memory { of, spots }, numbers));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_gets_a_name_of_its_own_that_the_language_allows() {
        let deep = |last: &str| format!("{}{last}", "others.".repeat(60));
        let paths = ["_", "_", "k", "k", "kernel", "link", "3d.fir", "x__y_", &deep("k[0]"), &deep("k[1]")];
        let mut taken = BTreeSet::new();
        for path in paths {
            let name = free(path, "kernel", &mut taken);
            assert!(aiec_lower::is_name(&name) && is_identifier(&name), "{path}: {name}");
        }
        assert_eq!(taken.len(), paths.len());
        assert!(taken.iter().any(|name| name.ends_with("others_k_1")), "the end of a path tells most");
    }
}
