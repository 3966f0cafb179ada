//! Instances of components: each is lowered in a scope of its own, with its name in front of those
//! of its kernels.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Span, nearest};
use aiec_dsl::ast::{self, Component, Ident, Instantiation, ItemKind, Setting};
use aiec_ir::design::{Subgraph, UserPort, position};
use aiec_ir::{Design, SubgraphId, ids};

use crate::errors;
use crate::eval::{self, Constant, Definition, Value, Values};
use crate::lower::{Context, Sorted};
use crate::modules::{FileId, Known, OWN};
use crate::names::{BoundaryPorts, Scope, Symbol, Use};
use crate::wanted::not_wanted;

/// Most components around a kernel.
const MAX_DEPTH: usize = 16;

/// Where names are looked up: the design itself, or an instance of a component.
#[derive(Default)]
pub struct Level<'a> {
    /// The names that are declared there.
    pub scope: Scope,
    /// The values of its constants, by name.
    pub values: Values,
    /// Every name of the text, also those in branches that are not taken.
    pub written: Scope,
    /// Loop variables in force, innermost last.
    pub variables: Vec<(&'a Ident, i64)>,
    /// The file with the text.
    pub file: FileId,
    /// The instance. None when it is the design itself.
    pub subgraph: Option<SubgraphId>,
    /// The instance in the graph that the design describes. None when it is called alike.
    pub called: Option<String>,
}

ids! {
    /// A declaration of instances.
    pub GroupId;
}

/// A declared array of instances, or a single one.
pub struct Group {
    /// Its extents. Empty for a single instance.
    pub dims: Vec<u32>,
    /// The instances, row by row. Empty after a fault.
    pub members: Vec<SubgraphId>,
}

/// The inside of an instance that is complete.
pub struct Interior {
    /// The names that it declares.
    pub scope: Scope,
    /// Its ports; those of an array of ports are several.
    pub ports: Vec<UserPort>,
}

/// The constants of a file with their names, and the values.
#[derive(Clone, Default)]
pub struct FileConstants<'a> {
    names: Vec<&'a Ident>,
    values: Values,
}

impl<'a> Context<'a> {
    /// Lowers the instances of one declaration. After a fault in one of them, the others are left
    /// out, since they would give the same fault again.
    pub fn instances(&mut self, at: GroupId, written: &'a Instantiation, span: Span) {
        self.check_identifier(&written.name, Use::Parameter);
        self.check_called(written.called.as_ref());
        let Some(known) = self.component(&written.component) else { return };
        let component = known.component;
        if let Some(start) = self.chain.iter().position(|open| std::ptr::eq(*open, component)) {
            let names: Vec<&str> =
                self.chain[start..].iter().map(|component| component.name.value.as_str()).collect();
            let diagnostic = errors::recursive_component(written.component.span, &names);
            return self.report(diagnostic);
        }
        if self.chain.len() == MAX_DEPTH {
            return self.report(errors::too_deep(written.component.span, MAX_DEPTH));
        }
        if !self.settings_fit(written, component) {
            return;
        }
        let Some(dims) = self.instance_dims(written) else { return };
        let count: u32 = dims.iter().product();
        let before = self.diagnostics.len();
        for index in 0..count {
            let place = position(&dims, index);
            let id = self.instance(written, known, &place, span);
            self.groups[at].members.extend(id);
            if self.diagnostics.len() > before || self.stopped {
                self.found_within(before, &indexed(&written.name.value, &place), span);
                self.groups[at].members.clear();
                return;
            }
        }
        self.groups[at].dims = dims;
    }

    /// Adds the instance to its faults, which begin at `before`. Leaves out those that another
    /// instance has as well.
    fn found_within(&mut self, before: usize, name: &str, span: Span) {
        let faults = self.diagnostics.split_off(before);
        self.blamed.retain(|_, at| *at < before);
        self.unknown.retain(|_, at| *at < before);
        for fault in faults {
            let is_known = self
                .diagnostics
                .iter()
                .any(|known| known.message == fault.message && known.labels.starts_with(&fault.labels));
            if !is_known {
                self.report(errors::within_instance(fault, name, span));
            }
        }
    }

    /// The component called `name`, with its file.
    fn component(&mut self, name: &Ident) -> Option<Known<'a>> {
        let known = self.components.get(self.at.file)?;
        if let Some(&found) = known.get(name.value.as_str()) {
            return Some(found);
        }
        let close = nearest(&name.value, known.keys().copied());
        let declare = format!("declare it with `component {}`, or import the file that does", name.value);
        let diagnostic = errors::unknown_name(name.span, &name.value, "component", close, &declare);
        self.report(diagnostic);
        None
    }

    /// The extents of an array of instances, within the limit.
    fn instance_dims(&mut self, written: &Instantiation) -> Option<Vec<u32>> {
        self.distinct_indices(&written.dims);
        let values: Vec<Option<i64>> = written.dims.iter().map(|dim| self.extent(&dim.extent)).collect();
        let values: Vec<i64> = values.into_iter().collect::<Option<_>>()?;
        let limit = u128::from(Design::MAX_SUBGRAPHS);
        let total =
            values.iter().try_fold(1u128, |total, &value| total.checked_mul(value.unsigned_abs().into()));
        let total = total.unwrap_or(u128::MAX).saturating_add(self.subgraphs.len() as u128);
        if total > limit {
            self.report(errors::too_many_subgraphs(written.name.span, total, Design::MAX_SUBGRAPHS));
            self.stopped = true;
            return None;
        }
        values.into_iter().map(|value| u32::try_from(value).ok()).collect()
    }

    /// Returns false and reports constants that the component does not have, or that are set twice.
    fn settings_fit(&mut self, written: &Instantiation, component: &Component) -> bool {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let before = self.diagnostics.len();
        let names = || component.constants.iter().map(|constant| constant.name.value.as_str());
        for Setting { name, .. } in &written.constants {
            if !names().any(|known| known == name.value) {
                let close = nearest(&name.value, names());
                let known: Vec<&str> = names().collect();
                self.report(errors::unknown_setting(name, &component.name, &known, close));
            }
            if let Some(first) = seen.insert(&name.value, name.span) {
                self.report(errors::duplicate_name(&name.value, name.span, first));
            }
        }
        self.diagnostics.len() == before
    }

    /// Lowers the instance at `place`. Returns None when there is a fault.
    fn instance(
        &mut self,
        written: &'a Instantiation,
        known: Known<'a>,
        place: &[u32],
        span: Span,
    ) -> Option<SubgraphId> {
        let Known { file, component } = known;
        let outside = self.at.variables.len();
        let named = written.dims.iter().zip(place);
        self.at.variables.extend(named.filter_map(|(dim, &at)| Some((dim.index.as_ref()?, i64::from(at)))));
        let settings: Option<Vec<(&Ident, Value)>> =
            written.constants.iter().map(|set| Some((&set.name, self.setting_value(&set.value)?))).collect();
        self.at.variables.truncate(outside);
        let settings = settings?;
        let own = indexed(&written.name.value, place);
        let name = self.qualified(&own);
        let called = self.member(&own, written.called.as_ref().map(|name| indexed(&name.value, place)));
        let id = self.subgraphs.push(Subgraph {
            name,
            component: component.name.value.clone(),
            constants: Vec::new(),
            ports: Vec::new(),
            parent: self.at.subgraph,
            families: Vec::new(),
            collectives: Vec::new(),
            span,
            placed: None,
        });
        self.interiors.push(None);
        let before = self.diagnostics.len();
        let level = Level { called, ..self.level(id, file, component, &settings) };
        if self.diagnostics.len() > before {
            return None; // without its constants an instance has faults that follow
        }
        let outer = std::mem::replace(&mut self.at, level);
        self.chain.push(component);
        let ports = self.inside(id, component);
        self.chain.pop();
        let level = std::mem::replace(&mut self.at, outer);
        let interior = Interior { scope: level.scope, ports: ports? };
        self.interiors[id] = Some(interior);
        Some(id)
    }

    /// The value that an instance gives a constant of its component: the table of that name, or a
    /// number. An index of the instances hides no table, since names differ.
    fn setting_value(&mut self, value: &ast::Expr) -> Option<Value> {
        match Definition::of_setting(value, &self.at.values) {
            Definition::Known(table) => table,
            _ => self.scalar_value(value).map(Value::from),
        }
    }

    /// The name of something that the current level declares, with the instances around it.
    pub fn qualified(&self, name: &str) -> String {
        match self.at.subgraph.and_then(|id| self.subgraphs.get(id)) {
            Some(subgraph) => format!("{}.{name}", subgraph.name),
            None => name.to_owned(),
        }
    }

    /// The member of the graph that the current level declares as `name`, and its text as `called`.
    /// Returns None when the graph has the name of the design.
    pub fn member(&self, name: &str, called: Option<String>) -> Option<String> {
        let around = self.at.called.as_deref();
        if around.is_none() && called.is_none() {
            return None;
        }
        let of_level = self.at.subgraph.and_then(|id| self.subgraphs.get(id));
        let around = around.or_else(|| of_level.map(|subgraph| subgraph.name.as_str()));
        let own = called.unwrap_or_else(|| name.to_owned());
        Some(around.map_or_else(|| own.clone(), |around| format!("{around}.{own}")))
    }

    /// The names and constants of an instance: those of its file, and its own.
    pub fn level(
        &mut self,
        id: SubgraphId,
        file: FileId,
        component: &'a Component,
        settings: &[(&Ident, Value)],
    ) -> Level<'a> {
        let shared = self.file_constants(file);
        let mut constants = Vec::new();
        for name in &shared.names {
            let value = shared.values.get(&name.value).cloned().flatten();
            constants.push(Constant { name, definition: Definition::Known(value) });
        }
        for Setting { name, value } in &component.constants {
            let set = settings.iter().find(|(other, _)| other.value == name.value);
            let definition = match set {
                Some((_, value)) => Definition::Known(Some(value.clone())),
                None => Definition::of_setting(value, &shared.values),
            };
            constants.push(Constant { name, definition });
        }
        let own = constants.len();
        let mut locals = Vec::new();
        for item in &component.body.items {
            if let ItemKind::Const { name, value } = &item.kind {
                locals.push((name, value));
            }
        }
        let outer_file = std::mem::replace(&mut self.at.file, file);
        for (name, value) in locals {
            let definition = self.definition(name, value, &[]);
            constants.push(Constant { name, definition });
        }
        self.at.file = outer_file;
        let mut written = Scope::of(&component.body.items);
        let mut scope = Scope::default();
        for (at, constant) in constants.iter().enumerate() {
            let is_table = match &constant.definition {
                Definition::Table(_) => true,
                Definition::Known(value) => value.as_ref().is_some_and(Value::is_table),
                Definition::Number(_) => false,
            };
            let symbol = if is_table { Symbol::Table } else { Symbol::Constant };
            written.add(constant.name, symbol);
            // Those of the body are declared with its other names.
            if at < own
                && let Err(diagnostic) = scope.declare(constant.name, symbol)
            {
                self.report(diagnostic);
            }
        }
        let values = eval::constants(&constants, &mut self.diagnostics, &|name, span, wanted| {
            not_wanted(&written, name, span, wanted)
        });
        let settings = component.constants.iter().map(|constant| &constant.name.value);
        let number = |name: &String| match values.get(name) {
            Some(Some(Value::Number(number))) => Some((name.clone(), *number)),
            _ => None,
        };
        self.subgraphs[id].constants = settings.filter_map(number).collect();
        self.steps = self.steps.saturating_add(constants.len() as u64);
        Level { scope, values, written, variables: Vec::new(), file, subgraph: Some(id), called: None }
    }

    /// The constants of file `file`, computed once.
    fn file_constants(&mut self, file: FileId) -> FileConstants<'a> {
        if let Some(known) = self.file_constants.get(&file) {
            return known.clone();
        }
        let Some(items) =
            self.modules.and_then(|modules| modules.files.get(file)).map(|file| &file.program.items)
        else {
            return FileConstants::default();
        };
        let written: Vec<(&Ident, &ast::Constant)> = constant_items(items).collect();
        let overrides = if file == OWN { self.overrides } else { &[] };
        let outer = std::mem::replace(&mut self.at.file, file);
        let mut constants = Vec::new();
        for &(name, value) in &written {
            constants.push(Constant { name, definition: self.definition(name, value, overrides) });
        }
        self.at.file = outer;
        let scope = Scope::of(items);
        // Those of the design itself have been reported.
        let mut ignored = Vec::new();
        let diagnostics = if file == OWN { &mut ignored } else { &mut self.diagnostics };
        let values = eval::constants(&constants, diagnostics, &|name, span, wanted| {
            not_wanted(&scope, name, span, wanted)
        });
        let found = FileConstants { names: written.into_iter().map(|(name, _)| name).collect(), values };
        self.file_constants.insert(file, found.clone());
        found
    }

    /// The names of the design's constants that the file of an instance gives another value.
    pub fn ambiguous(&self) -> BTreeSet<String> {
        let others = self.file_constants.iter().filter(|(file, _)| **file != OWN);
        let named = others.flat_map(|(_, constants)| &constants.values);
        let differs = |name: &String, value: &Option<Value>| {
            self.at.values.get(name).is_some_and(|own| own.as_ref() != value.as_ref())
        };
        named.filter(|(name, value)| differs(name, value)).map(|(name, _)| name.clone()).collect()
    }

    /// Lowers the ports and the body of a component. Returns None when there is a fault that hides
    /// others.
    pub fn inside(&mut self, id: SubgraphId, component: &'a Component) -> Option<Vec<UserPort>> {
        let ports = self.component_ports(component);
        let chosen = self.chosen(&component.body.items)?;
        self.steps = self.steps.saturating_add(chosen.len() as u64);
        if self.steps > Self::MAX_STEPS {
            self.report(errors::too_many_subgraph_items(component.name.span, Self::MAX_STEPS));
            self.stopped = true;
            return None;
        }
        for item in &chosen {
            if let ItemKind::External(external) = &item.kind {
                self.report(errors::external_in_component(item.span, &external.name.value, external.input));
            }
        }
        let items = Sorted::of(chosen);
        let families = self.families.len()..self.families.len() + items.kernels.len();
        let collectives = self.collectives.len()..self.collectives.len() + items.collectives.len();
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.subgraphs[id].families = families.map(|at| aiec_ir::FamilyId(clip(at))).collect();
        self.subgraphs[id].collectives = collectives.map(|at| aiec_ir::CollectiveId(clip(at))).collect();
        let ports = self.declare_ports(component, ports);
        self.subgraphs[id].ports.clone_from(&ports);
        self.interiors[id] = Some(Interior { scope: Scope::default(), ports: ports.clone() });
        self.items(&items);
        Some(ports)
    }

    /// Declares the ports as names of the level.
    fn declare_ports(&mut self, component: &Component, ports: Vec<UserPort>) -> Vec<UserPort> {
        for port in &component.ports {
            let same = |declared: &&UserPort| declared.declared_name() == port.name.value;
            let first = ports.iter().position(|declared| same(&declared)).unwrap_or(0);
            let count = ports.iter().filter(same).count();
            let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let is_array = port.extent.is_some();
            let symbol = Symbol::Port(BoundaryPorts { first: clip(first), count: clip(count), is_array });
            if let Err(diagnostic) = self.at.scope.declare(&port.name, symbol) {
                self.report(diagnostic);
            }
        }
        ports
    }
}

/// The name of an element of an array, such as `left[2]`.
pub fn indexed(name: &str, place: &[u32]) -> String {
    place.iter().fold(name.to_owned(), |name, at| format!("{name}[{at}]"))
}

/// The constants among items.
pub fn constant_items(items: &[ast::Item]) -> impl Iterator<Item = (&Ident, &ast::Constant)> {
    items.iter().filter_map(|item| match &item.kind {
        ItemKind::Const { name, value } => Some((name, value)),
        _ => None,
    })
}
