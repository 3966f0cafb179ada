//! Kernel families, inputs and outputs as declarations.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;
use std::sync::Arc;

use aiec_dsl::ast::{
    self, Branch, Choice, Constant, Dim, Endpoint, Expr, ExternalProperty, Flow, ItemKind, KernelProperty,
    PortDirection, PortType, Size, Window,
};
use aiec_dsl::ast::{Block, Item};
use aiec_ir::design::{
    self, Argument, Body, Decimals, Design, ExternalFamily, Family, FarEnd, UserPort, is_code_name,
};
use aiec_ir::{Carries, Decimal, Direction, WHOLE_CORE};

use super::components::Numbers;
use super::conditions::Condition;
use super::ports::PortNames;
use super::statements::PartName;
use super::tree::{NOWHERE, at, bytes, decimal, ident, item, name, number};
use crate::names;
use crate::ranges::ranges;
use aiec_diag::Spanned;

/// Tables of numbers that constructors take, by their content.
#[derive(Default)]
pub(super) struct Tables {
    names: BTreeMap<Arc<[Decimal]>, String>,
    /// The declarations of the tables, `const NAME = [...]`.
    pub items: Vec<Item>,
    /// What stands for numbers outside tables.
    pub numbers: Numbers,
}

impl Tables {
    /// The constant that holds `values`, a new one if there is none.
    fn constant(&mut self, values: &Arc<[Decimal]>, taken: &dyn Fn(&str) -> bool) -> String {
        if let Some(name) = self.names.get(values) {
            return name.clone();
        }
        let numbers = (self.names.len()..).map(|number| format!("numbers{number}"));
        let name = numbers.into_iter().find(|name| !taken(name)).unwrap_or_default();
        let value = Constant::Table(values.iter().map(|&value| decimal(value)).collect());
        self.items.push(item(ItemKind::Const { name: ident(&name), value }));
        self.names.insert(Arc::clone(values), name.clone());
        name
    }
}

/// The name of a port in a design: `in0` for `in[0]`, which is a word of the language.
pub(super) fn port_name(port: &str) -> String {
    port.replace(['[', ']'], "")
}

/// A family with this name, and with those of the members in the graph if they differ.
pub(super) fn kernel(
    family: &Family,
    (called, members): (&str, Vec<ast::Ident>),
    tables: &mut Tables,
    taken: &dyn Fn(&str) -> bool,
) -> Item {
    let all: Vec<Vec<KernelProperty>> =
        family.bodies.iter().map(|body| properties(body, called, tables, taken)).collect();
    let variables = index_names(taken);
    let varies = all.len() > 1;
    let dim = |(at, extent): (usize, &u32)| Dim {
        index: variables.get(at).filter(|_| varies).map(|name| ident(name)),
        extent: number((*extent).into()),
    };
    let properties = if varies { chosen(&all, &family.dims, &variables) } else { all.concat() };
    item(ItemKind::Kernel(ast::Kernel {
        name: ident(called),
        dims: family.dims.iter().enumerate().map(dim).collect(),
        ports: PortNames::of_kernel(family, called).declared(&family.ports),
        called: members,
        properties: properties.into_iter().map(at).collect(),
        body: NOWHERE,
    }))
}

/// The names of the indices of an array.
pub(super) fn index_names(taken: &dyn Fn(&str) -> bool) -> [String; 3] {
    ["i", "j", "k"].map(|name| if taken(name) { format!("{name}_") } else { name.to_owned() })
}

/// The properties that all instances have, then those of some under conditions. Properties that
/// differ by other instances have conditions of their own where that takes fewer lines.
fn chosen(all: &[Vec<KernelProperty>], dims: &[u32], variables: &[String]) -> Vec<KernelProperty> {
    let is_common = |property: &KernelProperty| all.iter().all(|one| one.contains(property));
    let others = |one: &Vec<KernelProperty>| one.iter().filter(|own| !is_common(own)).cloned().collect();
    let different: Vec<Vec<KernelProperty>> = all.iter().map(others).collect();
    let mut apart: Vec<Vec<Kind>> = Vec::new();
    let mut seen = Vec::new();
    for property in different.iter().flatten().map(discriminant) {
        if seen.contains(&property) {
            continue;
        }
        seen.push(property);
        let of = |one: &Vec<KernelProperty>| {
            one.iter().filter(|own| discriminant(*own) == property).cloned().collect::<Vec<_>>()
        };
        let own = kinds(&different.iter().map(of).collect::<Vec<_>>());
        let instances: Vec<Vec<u32>> = own.iter().map(|(_, instances)| instances.clone()).collect();
        let same = apart.iter_mut().find(|known| known.iter().map(|(_, of)| of).eq(&instances));
        match same {
            Some(known) => known.iter_mut().zip(own).for_each(|((all, _), (more, _))| all.extend(more)),
            None => apart.push(own),
        }
    }
    let together = kinds(&different);
    let lines = |kinds: &Vec<Kind>| 1 + kinds.iter().map(|(own, _)| 1 + own.len()).sum::<usize>();
    let is_apart = apart.iter().map(lines).sum::<usize>() < lines(&together);
    let choices = if is_apart { apart } else { vec![together] };
    let common = all[0].iter().filter(|property| is_common(property)).cloned();
    let choices = choices.into_iter().filter_map(|kinds| choice(kinds, dims, variables));
    common.chain(choices.map(KernelProperty::If)).collect()
}

/// Properties, and the instances that have them.
type Kind = (Vec<KernelProperty>, Vec<u32>);

/// The instances by their properties.
fn kinds(all: &[Vec<KernelProperty>]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (index, own) in (0..).zip(all) {
        match kinds.iter_mut().find(|(kind, _)| kind == own) {
            Some((_, indices)) => indices.push(index),
            None => kinds.push((own.clone(), vec![index])),
        }
    }
    kinds
}

/// Most comparisons of a condition. The language has at most 256 operators in an expression.
const MOST_COMPARISONS: usize = 64;

/// Instances of a branch of a longer condition: at most three comparisons each.
const PART: usize = 20;

/// A branch for each of these kinds. Returns None when there is one kind.
fn choice(
    mut kinds: Vec<Kind>,
    dims: &[u32],
    variables: &[String],
) -> Option<Choice<Spanned<KernelProperty>>> {
    let block = |properties: &[KernelProperty]| Block {
        items: properties.iter().cloned().map(at).collect(),
        span: NOWHERE,
    };
    let count: usize = kinds.iter().map(|(_, indices)| indices.len()).sum();
    // Short conditions stand first. The last kind has none, and no branch if it has no properties.
    kinds.sort_by_cached_key(|(own, indices)| {
        let others: Vec<u32> = (0..).take(count).filter(|index| !indices.contains(index)).collect();
        (own.is_empty(), Condition::of(indices, &others, dims).cost(), indices.len())
    });
    let mut branches = Vec::new();
    let mut rest = kinds.as_slice();
    while let [(kind, indices), later @ ..] = rest
        && !later.is_empty()
    {
        // Instances of earlier branches do not matter.
        let others: Vec<u32> = later.iter().flat_map(|(_, indices)| indices.iter().copied()).collect();
        let whole = Condition::of(indices, &others, dims);
        let parts: Vec<Condition> = match whole.cost() {
            0..=MOST_COMPARISONS => vec![whole],
            _ => indices.chunks(PART).map(|part| Condition::of(part, &others, dims)).collect(),
        };
        let branch = |part: &Condition| Branch { condition: part.written(variables), block: block(kind) };
        branches.extend(parts.iter().map(branch));
        rest = later;
    }
    let otherwise = rest.first().filter(|(kind, _)| !kind.is_empty()).map(|(kind, _)| block(kind));
    (!branches.is_empty()).then_some(Choice { branches, otherwise })
}

fn properties(
    body: &Body,
    called: &str,
    tables: &mut Tables,
    taken: &dyn Fn(&str) -> bool,
) -> Vec<KernelProperty> {
    let size = |size: &Option<Spanned<u32>>| size.as_ref().map(|size| bytes(size.value));
    let mut found = vec![KernelProperty::Source(ident(&body.source.value))];
    if body.function != called && is_code_name(&body.function) {
        found.push(KernelProperty::Function(ident(&body.function)));
    }
    found.extend(body.header.as_ref().map(|header| KernelProperty::Header(ident(&header.value))));
    if !body.template.is_empty() {
        let list = body.template.iter().map(|argument| argument_of(argument, tables, taken)).collect();
        found.push(KernelProperty::Template(list));
    }
    if let Some(arguments) = &body.arguments {
        let list = arguments.iter().map(|argument| argument_of(argument, tables, taken)).collect();
        found.push(KernelProperty::Arguments(list));
    }
    let init = body.init.as_ref().filter(|init| is_code_name(&init.value));
    found.extend(init.map(|init| KernelProperty::Init(ident(&init.value))));
    found.extend(size(&body.stack).map(KernelProperty::Stack));
    found.extend(size(&body.heap).map(KernelProperty::Heap));
    let runtime = body.runtime.as_ref().map(|ratio| at(thousandths(ratio.value, WHOLE_CORE)));
    found.extend(runtime.map(KernelProperty::Runtime));
    found.extend(size(&body.program).map(KernelProperty::Program));
    let repetitions = body.repetitions.as_ref().map(|times| number(times.value.into()));
    found.extend(repetitions.map(KernelProperty::Repetitions));
    found
}

fn argument_of(argument: &Argument, tables: &mut Tables, taken: &dyn Fn(&str) -> bool) -> ast::Argument {
    match argument {
        Argument::Type(class) => ast::Argument { value: name(class.name()), class: None },
        Argument::Number { value, class } => ast::Argument {
            value: tables.numbers.written(*value),
            class: class.map(|class| ident(class.name())),
        },
        Argument::Table { values, class } => {
            let values = values.iter().copied().map(Decimal::from).collect();
            let table = tables.constant(&values, taken);
            let class = (class.name() != "int32").then(|| ident(class.name()));
            ast::Argument { value: name(&table), class }
        }
        Argument::Decimals(Decimals::One(value)) => ast::Argument { value: decimal(*value), class: None },
        Argument::Decimals(Decimals::Table(values)) => {
            ast::Argument { value: name(&tables.constant(values, taken)), class: None }
        }
    }
}

/// `value / of` as a decimal of at most three places.
fn thousandths(value: u32, of: u32) -> String {
    let (whole, rest) = (value / of, value % of);
    let text = format!("{whole}.{rest:03}");
    let text = text.trim_end_matches('0');
    text.strip_suffix('.').unwrap_or(text).to_owned()
}

/// The declaration of a port, or of an array of ports. Returns None when the port is a table, which
/// the language does not have.
pub(super) fn port(port: &UserPort, called: &PartName) -> Option<ast::Port> {
    let direction = match (port.direction, port.carries) {
        (Direction::Out, Carries::Parameter(_)) => PortDirection::Inout,
        (Direction::Out, _) => PortDirection::Out,
        (Direction::In, _) => PortDirection::In,
    };
    let elements = |count: u32| Size { amount: number(count.into()), unit: None };
    let flow = |flow: aiec_ir::Flow| Flow {
        element: ident(flow.element.name()),
        size: flow.per_run.map(elements),
        span: NOWHERE,
    };
    let carries = match port.carries {
        Carries::Window { window, margin } => PortType::Window {
            window: Window {
                element: ident(window.element.name()),
                size: number(window.elements.into()),
                unit: None,
                span: NOWHERE,
            },
            margin: (margin > 0).then(|| elements(margin)),
        },
        Carries::Stream(of) => PortType::Stream(flow(of)),
        Carries::Packets(of) => PortType::Packets(flow(of)),
        Carries::Cascade(lanes) => PortType::Cascade(ident(lanes.name())),
        Carries::Parameter(parameter) => {
            let values = aiec_ir::Flow { element: parameter.element, per_run: parameter.elements };
            let asynchronous = port.says_how.then_some(port.asynchronous);
            PortType::Parameter { values: flow(values), asynchronous }
        }
        Carries::Table { .. } => return None,
    };
    let extent = called.dims.first().map(|&count| number(count.into()));
    Some(ast::Port { direction, name: ident(&called.name), extent, carries, span: NOWHERE })
}

/// The names that files of constraints have for the inputs and outputs of a graph, empty ones where
/// they are unknown. Several of one name are told apart by their members.
pub(super) fn tool_names(design: &Design, object: &str) -> Vec<Vec<String>> {
    let mut taken = BTreeSet::new();
    let mut of = |external: &ExternalFamily, index: u32| {
        let given = external.logical.get(index as usize).cloned();
        let name = given.unwrap_or_else(|| usual(&design::identifier(&external.name), external, index));
        let is_own = name.is_empty() || taken.insert(name.clone());
        if is_own { name } else { names::hierarchical(object, &external.instance_name(index)) }
    };
    let all = design.externals.iter();
    all.map(|external| (0..external.instances()).map(|index| of(external, index)).collect()).collect()
}

/// The name that an input or output has without another one for the tools.
pub(super) fn usual(name: &str, external: &ExternalFamily, index: u32) -> String {
    if external.dims.is_empty() { name.to_owned() } else { format!("{name}_{index}") }
}

/// The names of the instances as a design states them: one with `{}` if they differ in their
/// numbers alone, or ranges where they grow by equal steps, or one empty name if none is known.
/// Returns None when no string of the language can hold one.
pub(super) fn called(names: &[String]) -> Option<Vec<String>> {
    let is_string = |name: &String| {
        !name.contains(['"', '{', '}'])
            && !name.chars().any(|c| c.is_control() || c.is_whitespace() && c != ' ')
    };
    if !names.iter().all(is_string) {
        return None;
    }
    if names.iter().all(String::is_empty) {
        return Some(vec![String::new()]);
    }
    let stem = names[0].strip_suffix('0').filter(|_| names.len() > 1);
    let numbered =
        stem.filter(|stem| names.iter().enumerate().all(|(at, name)| *name == format!("{stem}{at}")));
    Some(numbered.map_or_else(|| ranges(names), |stem| vec![format!("{stem}{{}}")]))
}

/// An input or output with this name, and with those that the tools have for it.
pub(super) fn external(external: &ExternalFamily, name: &str, for_tools: Option<&[String]>) -> Item {
    let mut properties = Vec::new();
    let endpoint = match &external.end {
        FarEnd::Array(design::Endpoint::Plio { bits, file, frequency }) => {
            let clock = frequency.as_ref().map(|khz| at(thousandths(khz.value, 1000)));
            properties.extend(clock.map(ExternalProperty::Frequency));
            Endpoint::Plio { width: number(bits.value.into()), file: ident(file) }
        }
        FarEnd::Array(design::Endpoint::Gmio { file, burst, bandwidth }) => {
            let value = |value: &Option<Spanned<u32>>| value.as_ref().map(|one| number(one.value.into()));
            properties.extend(value(burst).map(ExternalProperty::Burst));
            properties.extend(value(bandwidth).map(ExternalProperty::Bandwidth));
            Endpoint::Gmio { file: file.as_deref().map(ident) }
        }
        FarEnd::Host(values) => {
            let initial: Vec<Expr> = values.initial.iter().map(|&value| decimal(value)).collect();
            if !initial.is_empty() {
                properties.push(ExternalProperty::Initial(initial));
            }
            Endpoint::Host { file: values.file.as_deref().map(ident) }
        }
    };
    let is_array = matches!(external.end, FarEnd::Array(_));
    let own = for_tools.filter(|names| {
        let is_usual = |(index, own): (u32, &String)| *own == usual(name, external, index);
        is_array && (!external.logical.iter().all(String::is_empty) || !(0..).zip(*names).all(is_usual))
    });
    if let Some(names) = own.and_then(called) {
        properties.push(ExternalProperty::Called(names.iter().map(|name| ident(name)).collect()));
    }
    item(ItemKind::External(ast::External {
        input: external.direction == Direction::Out,
        name: ident(name),
        dims: external.dims.iter().map(|&extent| number(extent.into())).collect(),
        endpoint: at(endpoint),
        properties: properties.into_iter().map(at).collect(),
    }))
}
