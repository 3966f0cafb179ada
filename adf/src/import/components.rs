//! Sub-graphs as components and instances. Those with equal bodies share a component; numbers in
//! which they differ are its constants.

use std::collections::{BTreeMap, BTreeSet};

use aiec_dsl::ast::{Block, Component, Dim, Expr, Ident, Instantiation, Item, ItemKind, Setting};
use aiec_ir::SubgraphId;
use aiec_ir::blocks::BuffersApart;
use aiec_ir::design::{Design, Family, Instance};
use aiec_ir::ways::Border;

use super::kernels::{Tables, index_names, kernel};
use super::linear::{Linear, even_steps};
use super::nesting::{Nesting, Scope};
use super::ports::PortNames;
use super::repeat::compressed;
use super::statements::{PartName, Statement};
use super::stretches::Stretch;
use super::tree::{NOWHERE, ident, item, name, number};
use super::{Words, buffers_apart, classes, free, print};
use crate::names::Member as Named;
use crate::ranges::ranges;

/// The numbers that constructors and templates take in one body.
#[derive(Clone, Debug, Default)]
pub(super) enum Numbers {
    /// They are written as they are.
    #[default]
    Own,
    /// A name stands for each of the values, which are collected.
    Collected(Vec<i64>),
    /// What stands for each of these values.
    Chosen(Vec<(i64, Expr)>),
}

impl Numbers {
    /// What is written for `value`.
    pub(super) fn written(&mut self, value: i64) -> Expr {
        match self {
            Self::Own => number(value),
            Self::Collected(values) => {
                let known = values.iter().position(|&one| one == value);
                let at = known.unwrap_or_else(|| {
                    values.push(value);
                    values.len() - 1
                });
                name(&format!("value{at}"))
            }
            Self::Chosen(all) => {
                let found = all.iter().find(|(one, _)| *one == value);
                found.map_or_else(|| number(value), |(_, written)| written.clone())
            }
        }
    }
}

/// The declarations of a scope that have instances: the names and the members.
type Declared = Vec<(PartName, Vec<SubgraphId>)>;

/// A sub-graph, and the numbers in its body.
type Member = (SubgraphId, Vec<i64>);

/// The component of a sub-graph, and the values of the component's constants.
#[derive(Clone, Debug)]
struct Made {
    component: String,
    /// Constants with their values.
    values: Vec<(String, i64)>,
}

/// The components of a design.
pub(super) struct Components<'d> {
    design: &'d Design,
    links: BTreeMap<Scope, Vec<Stretch<'d>>>,
    /// The ports of sub-graphs that connections pass.
    used: BTreeSet<Border>,
    apart: BTreeMap<Scope, Vec<&'d BuffersApart<(Instance, u32)>>>,
    made: BTreeMap<SubgraphId, Made>,
    /// The declarations, those of inner components first.
    pub items: Vec<Item>,
}

impl<'d> Components<'d> {
    /// All components of a design.
    pub(super) fn of(design: &'d Design, words: &mut Words, tables: &mut Tables) -> Self {
        let mut components = Self {
            design,
            links: BTreeMap::new(),
            used: BTreeSet::new(),
            apart: BTreeMap::new(),
            made: BTreeMap::new(),
            items: Vec::new(),
        };
        for link in design.graph.edge_weights() {
            for (scope, stretch) in Stretch::all(design, &words.nesting, link) {
                components.used.extend(stretch.borders());
                components.links.entry(scope).or_default().push(stretch);
            }
        }
        for apart in &design.blocks.apart {
            let scope = words.nesting.common(apart.ports.iter().map(|(of, _)| words.nesting.home(of.family)));
            components.apart.entry(scope).or_default().push(apart);
        }
        let order = words.nesting.order.clone();
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            // Graphs whose sub-graphs all have components.
            let ready = rest.iter().take_while(|&&graph| components.is_ready(words, graph)).count().max(1);
            let (now, later) = rest.split_at(ready);
            let declared = now.iter().map(|&graph| (graph, components.declare(Some(graph), words)));
            let declared: BTreeMap<SubgraphId, Declared> = declared.collect();
            components.group(&declared, words, tables);
            rest = later;
        }
        components
    }

    /// True if the sub-graphs of `graph` have components.
    fn is_ready(&self, words: &Words, graph: SubgraphId) -> bool {
        words.nesting.children(Some(graph)).iter().all(|child| self.made.contains_key(child))
    }

    /// The connections of a scope.
    pub(super) fn connections(&self, scope: Scope, words: &Words) -> Vec<Statement> {
        let own = self.links.get(&scope).into_iter().flatten();
        // Connections to several ports inside share the way to the port of a sub-graph.
        let mut seen = BTreeSet::new();
        own.map(|stretch| stretch.statement(self.design, words, scope))
            .filter(|one| seen.insert((one.key.clone(), one.numbers.clone())))
            .collect()
    }

    /// The buffers of a scope that lie apart.
    pub(super) fn apart(&self, scope: Scope, words: &Words) -> Vec<Statement> {
        let own = self.apart.get(&scope).into_iter().flatten();
        own.map(|apart| buffers_apart(self.design, words, scope, apart)).collect()
    }

    /// Names and groups the sub-graphs of a scope.
    pub(super) fn declare(&self, scope: Scope, words: &mut Words) -> Declared {
        let alike = |members: &[SubgraphId], dims: &[u32]| self.are_array(members, dims);
        if scope.is_none() {
            return words
                .nesting
                .seat(self.design, scope, alike, |path| free(path, "instance", &mut words.taken));
        }
        let mut taken = BTreeSet::new();
        let declared =
            words.nesting.seat(self.design, scope, alike, |path| free(path, "instance", &mut taken));
        for family in self.design.families.ids().filter(|&id| words.nesting.home(id) == scope) {
            let local = Nesting::local(self.design, scope, &self.design.families[family].name);
            words.families[family] = free(local, "kernel", &mut taken);
        }
        if let Some(graph) = scope {
            let is_used = |port| self.used.contains(&(graph, u32::try_from(port).unwrap_or(u32::MAX)));
            let ports = &self.design.subgraphs[graph].ports;
            let names = PortNames::of_graph(ports, is_used, |path| free(path, "port", &mut taken));
            words.gates.insert(graph, names);
        }
        words.inner.extend(taken);
        declared
    }

    /// True if one declaration can have these sub-graphs as an array.
    fn are_array(&self, members: &[SubgraphId], dims: &[u32]) -> bool {
        let made: Option<Vec<&Made>> = members.iter().map(|graph| self.made.get(graph)).collect();
        let Some(made) = made else { return false };
        let [first, ..] = made.as_slice() else { return false };
        let alike = made.iter().all(|one| one.component == first.component);
        let affine = (0..first.values.len()).all(|at| steps(&made, at, dims).is_some());
        alike && affine
    }

    /// Gives graphs with equal bodies one component.
    fn group(&mut self, declared: &BTreeMap<SubgraphId, Declared>, words: &mut Words, tables: &mut Tables) {
        let mut groups: Vec<(String, Vec<Member>)> = Vec::new();
        for (&graph, own) in declared {
            tables.numbers = Numbers::Collected(Vec::new());
            let body = self.body(graph, own, words, tables);
            let text = print(vec![self.declaration(graph, "component", Vec::new(), body, words)]);
            let Numbers::Collected(values) = std::mem::take(&mut tables.numbers) else { continue };
            match groups.iter_mut().find(|(known, _)| *known == text) {
                Some((_, members)) => members.push((graph, values)),
                None => groups.push((text, vec![(graph, values)])),
            }
        }
        for (_, members) in groups {
            self.component(&members, declared, words, tables);
        }
    }

    /// Declares the component of these graphs.
    fn component(
        &mut self,
        members: &[Member],
        declared: &BTreeMap<SubgraphId, Declared>,
        words: &mut Words,
        tables: &mut Tables,
    ) {
        let [(first, values), ..] = members else { return };
        let class = |&graph: &SubgraphId| self.design.subgraphs[graph].component.as_str();
        let all = words.nesting.order.iter().map(class).collect();
        let component = words.component(&classes::named(members.iter().map(|(graph, _)| class(graph)), &all));
        let varies = |at: usize| members.iter().any(|(_, other)| other[at] != values[at]);
        let varying: Vec<usize> = (0..values.len()).filter(|&at| varies(at)).collect();
        let names: Vec<String> =
            varying.iter().map(|at| words.fresh(&format!("VALUE{at}"), "constant")).collect();
        for (graph, own) in members {
            let values = names.iter().cloned().zip(varying.iter().map(|&at| own[at])).collect();
            self.made.insert(*graph, Made { component: component.clone(), values });
        }
        let chosen = varying.iter().zip(&names).map(|(&at, called)| (values[at], name(called)));
        tables.numbers = Numbers::Chosen(chosen.collect());
        let items = self.body(*first, &declared[first], words, tables);
        tables.numbers = Numbers::Own;
        let constants = varying.iter().zip(&names);
        let constants =
            constants.map(|(&at, called)| Setting { name: ident(called), value: number(values[at]) });
        let declared = self.declaration(*first, &component, constants.collect(), items, words);
        self.items.push(declared);
    }

    /// The component of `graph`.
    fn declaration(
        &self,
        graph: SubgraphId,
        called: &str,
        constants: Vec<Setting>,
        items: Vec<Item>,
        words: &Words,
    ) -> Item {
        let ports = &self.design.subgraphs[graph].ports;
        let ports = words.gates.get(&graph).map_or_else(Vec::new, |names| names.declared(ports));
        let body = Block { items, span: NOWHERE };
        item(ItemKind::Component(Component { name: ident(called), constants, ports, body }))
    }

    /// The instances, kernels, connections and buffers apart of a scope.
    fn body(
        &self,
        graph: SubgraphId,
        declared: &[(PartName, Vec<SubgraphId>)],
        words: &Words,
        tables: &mut Tables,
    ) -> Vec<Item> {
        let (scope, variables) = (Some(graph), words.variables());
        let mut items = self.instances(declared, words, tables);
        items.extend(kernels(self.design, scope, words, tables));
        items.extend(compressed(&self.connections(scope, words), &variables));
        items.extend(compressed(&self.apart(scope, words), &variables));
        items
    }

    /// The name of sub-graphs in the graph. Returns None when it is that of their declaration.
    fn called(&self, part: &PartName, members: &[SubgraphId], words: &Words) -> Option<Ident> {
        let &first = members.first()?;
        let name = &self.design.subgraphs.get(first)?.name;
        let own = Nesting::local(self.design, words.nesting.parent(first), name);
        let stem = Named::of(own).stem;
        in_graph(if part.dims.is_empty() { own } else { &stem }, &part.name, words)
    }

    /// The instances of a scope.
    pub(super) fn instances(
        &self,
        declared: &[(PartName, Vec<SubgraphId>)],
        words: &Words,
        tables: &mut Tables,
    ) -> Vec<Item> {
        declared.iter().filter_map(|(part, members)| self.instance(part, members, words, tables)).collect()
    }

    fn instance(
        &self,
        part: &PartName,
        members: &[SubgraphId],
        words: &Words,
        tables: &mut Tables,
    ) -> Option<Item> {
        let made: Vec<&Made> = members.iter().map(|graph| self.made.get(graph)).collect::<Option<_>>()?;
        let first = *made.first()?;
        let variables = index_names(&|name| words.is_taken(name));
        let mut moving = vec![false; part.dims.len()];
        let mut constants = Vec::new();
        for (at, (called, value)) in first.values.iter().enumerate() {
            let steps = steps(&made, at, &part.dims)?;
            moving.iter_mut().zip(&steps).for_each(|(moves, &step)| *moves |= step != 0);
            let value = match steps.iter().all(|&step| step == 0) {
                true => tables.numbers.written(*value),
                false => Linear::new(*value, steps).written(&variables),
            };
            constants.push(Setting { name: ident(called), value });
        }
        let dim = |((&extent, moves), variable): ((&u32, bool), &String)| Dim {
            index: moves.then(|| ident(variable)),
            extent: number(extent.into()),
        };
        Some(item(ItemKind::Instance(Instantiation {
            name: ident(&part.name),
            dims: part.dims.iter().zip(moving).zip(&variables).map(dim).collect(),
            component: ident(&first.component),
            constants,
            called: self.called(part, members, words),
        })))
    }
}

/// The name that the graph gives a declaration of a design with `ports own`. Returns None when it
/// is `word`.
fn in_graph(own: &str, word: &str, words: &Words) -> Option<Ident> {
    (words.is_own && own != word).then(|| ident(own))
}

/// The steps of constant number `at` with each index of an array of these extents. Returns None
/// when they differ.
fn steps(made: &[&Made], at: usize, dims: &[u32]) -> Option<Vec<i64>> {
    let values: Option<Vec<i64>> = made.iter().map(|one| Some(one.values.get(at)?.1)).collect();
    even_steps(&values?, dims)
}

/// The names that the graph gives a family of a design with `ports own`: that of its array, or one
/// for each kernel. Empty when it is `word`.
fn members(design: &Design, scope: Scope, family: &Family, word: &str, words: &Words) -> Vec<Ident> {
    let names = (0..family.instances()).map(|index| family.instance_name(index));
    let called: Option<Vec<&String>> = names.map(|name| design.written.called.get(&name)).collect();
    match called.filter(|_| words.is_own) {
        Some(each) => {
            let local = each.into_iter().map(|name| Nesting::local(design, scope, name).to_owned());
            ranges(&local.collect::<Vec<_>>()).iter().map(|text| ident(text)).collect()
        }
        None => in_graph(Nesting::local(design, scope, &family.name), word, words).into_iter().collect(),
    }
}

/// The kernels of a scope.
pub(super) fn kernels(design: &Design, scope: Scope, words: &Words, tables: &mut Tables) -> Vec<Item> {
    let taken = |name: &str| words.is_taken(name);
    let own = design.families.enumerate().filter(|(id, _)| words.nesting.home(*id) == scope);
    own.map(|(id, family)| {
        let word = &words.families[id];
        kernel(family, (word, members(design, scope, family, word, words)), tables, &taken)
    })
    .collect()
}
