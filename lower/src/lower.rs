//! The driver of lowering: sorts the items, declares the names, then lowers kind by kind.
//!
//! Continues after errors where possible. It marks unresolved items, so that one mistake is
//! reported once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aiec_diag::nearest;
use aiec_diag::{Code, Diagnostic, Outcome, Span, Spanned, catalogue};
use aiec_dsl::ast::{self, Expr, Ident, Item, ItemKind, Program};
use aiec_ir::allowances;
use aiec_ir::blocks::BlockPlace;
use aiec_ir::constraints::{Keepout, Region, ShimPlace};
use aiec_ir::design::{Allowance, Decimals, local_name};
use aiec_ir::design::{Collective, ExternalFamily, Family, Instance, Link, Node, Place, Subgraph};
use aiec_ir::{
    Blocks, CollectiveId, Constraints, Design, ExternalFamilyId, FamilyId, Formula, Id, IdVec, SubgraphId,
};
use petgraph::graph::DiGraph;

use crate::Options;
use crate::components::{FileConstants, Group, GroupId, Interior, Level, constant_items};
use crate::errors::{self, Excess};
use crate::eval::{self, Constant, Definition, Lookup, Value};
use crate::frames::{Anchor, Framed};
use crate::loops;
use crate::modules::{Components, FileId, Modules, Texts};
use crate::names::{Scope, Symbol, Use, identifier_problem};
use crate::scalar::{Scalar, scalar};
use crate::tables;
use crate::target::{OWN, Target};
use crate::validate::validate_design;
use crate::wanted::not_wanted;
use crate::wires::Wire;

/// Limit on reported errors. More do not help, and the search for similar names takes time.
pub const ENOUGH_ERRORS: usize = 200;

/// The warnings of lowering, for each of which it can tell whether a design has it.
static WARNINGS: [&Code; 2] = [&catalogue::EMPTY_LOOP, &catalogue::IDLE_VARIABLE];

/// Most iterations: `graph.run` takes an `int`.
const MOST_ITERATIONS: u32 = i32::MAX.unsigned_abs();

/// Resolves a tree to a design.
pub fn lower(program: &Program, options: &Options) -> Outcome<Design> {
    let (modules, mut diagnostics) = Modules::load(program, options);
    let (components, doubles) = modules.components();
    diagnostics.extend(doubles);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Outcome::from_parts(None, diagnostics);
    }
    let mut context =
        Context { modules: Some(&modules), components, tables: Some(&options.tables), ..Context::default() };
    context.overrides = &options.overrides;
    context.given_device = options.device.as_deref();
    context.constants(&program.items, options);
    let Some(chosen) = context.chosen(&program.items) else {
        return Outcome::from_parts(None, context.diagnostics);
    };
    let items = Sorted::of(chosen);
    context.is_own = items.is_own();
    let first = program.items.first().map_or(program.span, |item| item.span);
    match &options.alone {
        Some(alone) => context.alone(&items, alone, first),
        None => {
            context.header(&items, first);
            context.items(&items);
        }
    }
    context.check_identifiers();
    context.tiles_without_use();
    context.settle_fifos();
    context.compose();
    context.settle();
    if !context.diagnostics.iter().any(Diagnostic::is_error) {
        let files = modules.files.iter();
        context.diagnostics.extend(files.flat_map(|file| loops::warnings(&file.program.items)));
    }
    context.finish(&items, options)
}

/// The words of a `ports` line: the kind, and the graph object behind `own`.
type PortsLine<'a> = (&'a Ident, Option<&'a Spanned<String>>);

/// The items by kind, each in source order.
#[derive(Default)]
pub struct Sorted<'a> {
    pub designs: Vec<(&'a Ident, Span)>,
    pub devices: Vec<(&'a Ident, Span)>,
    pub releases: Vec<(&'a Spanned<String>, Span)>,
    pub boards: Vec<(&'a Ident, Span)>,
    iterations: Vec<(&'a Expr, Span)>,
    pub port_kinds: Vec<(PortsLine<'a>, Span)>,
    constants: Vec<&'a Ident>,
    components: Vec<&'a ast::Component>,
    pub kernels: Vec<(&'a ast::Kernel, Span)>,
    pub collectives: Vec<(&'a ast::Collective, Span)>,
    instances: Vec<(&'a ast::Instantiation, Span)>,
    externals: Vec<(&'a ast::External, Span)>,
    allowances: Vec<(&'a ast::Allow, Span)>,
    statements: Vec<&'a Item>,
}

impl<'a> Sorted<'a> {
    /// True for a design with `ports own`.
    pub fn is_own(&self) -> bool {
        self.port_kinds.first().is_some_and(|((word, _), _)| word.value == OWN)
    }

    /// The items by their kinds, in the order of the text.
    pub fn of(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let mut sorted = Self::default();
        for item in items {
            match &item.kind {
                ItemKind::Design(name) => sorted.designs.push((name, item.span)),
                ItemKind::Device(name) => sorted.devices.push((name, item.span)),
                ItemKind::Vitis(name) => sorted.releases.push((name, item.span)),
                ItemKind::Board(name) => sorted.boards.push((name, item.span)),
                ItemKind::Iterations(count) => sorted.iterations.push((count, item.span)),
                ItemKind::Ports(kind, object) => sorted.port_kinds.push(((kind, object.as_ref()), item.span)),
                ItemKind::Const { name, .. } => sorted.constants.push(name),
                // Modules have been read.
                ItemKind::Import(_) => {}
                ItemKind::Component(component) => sorted.components.push(component),
                ItemKind::Instance(instance) => sorted.instances.push((instance, item.span)),
                ItemKind::Kernel(kernel) => sorted.kernels.push((kernel, item.span)),
                ItemKind::Collective(collective) => sorted.collectives.push((collective, item.span)),
                ItemKind::Allow(allow) => sorted.allowances.push((allow, item.span)),
                ItemKind::External(external) => sorted.externals.push((external, item.span)),
                ItemKind::Connect(_)
                | ItemKind::Place(_)
                | ItemKind::Region(_)
                | ItemKind::Together(_)
                | ItemKind::Apart(_)
                | ItemKind::KeepOut(_)
                | ItemKind::If(_)
                | ItemKind::Assert(_)
                | ItemKind::For(_) => sorted.statements.push(item),
            }
        }
        sorted
    }
}

/// The design as far as it is known.
#[derive(Default)]
pub struct Context<'a> {
    pub diagnostics: Vec<Diagnostic>,
    /// The fault for which each constant was blamed first, as an index of `diagnostics`: all
    /// numbers out of range that follow from one constant are one fault.
    pub blamed: BTreeMap<String, usize>,
    /// The fault for each name of a file that no constant has, as an index of `diagnostics`.
    pub unknown: BTreeMap<(FileId, String), usize>,
    /// True for a design with `ports own`: its files and functions belong to another project.
    pub is_own: bool,
    /// Where names are looked up at present.
    pub at: Level<'a>,
    pub modules: Option<&'a Modules<'a>>,
    /// The components that each file can use.
    pub components: IdVec<FileId, Components<'a>>,
    /// The texts of constant tables.
    pub tables: Option<&'a Texts>,
    /// Values of constants from the command line.
    pub overrides: &'a [(String, Scalar)],
    /// The device from the command line.
    pub given_device: Option<&'a str>,
    /// The constants of each file, as far as they were needed.
    pub file_constants: BTreeMap<FileId, FileConstants<'a>>,
    /// The components whose instances are being lowered, outermost first.
    pub chain: Vec<&'a ast::Component>,
    pub groups: IdVec<GroupId, Group>,
    pub subgraphs: IdVec<SubgraphId, Subgraph>,
    /// The inside of each instance. None while it is lowered, and after a fault.
    pub interiors: IdVec<SubgraphId, Option<Interior>>,
    /// The tiles that a `place` gives to instances.
    pub anchors: BTreeMap<SubgraphId, Anchor>,
    /// The declaration of each family. None when no text has one.
    pub kernels: IdVec<FamilyId, Option<&'a ast::Kernel>>,
    /// `rank` and the names of indices in the expressions of the collective at hand.
    pub of_ranks: BTreeMap<String, Formula>,
    /// The names of all indices of the kernels in the collective at hand.
    pub indices_of_ranks: Vec<&'a Ident>,
    /// The names of the indices of the kernel whose ports are at hand.
    pub indices_of_ports: Vec<&'a str>,
    pub name: Option<Spanned<String>>,
    /// The device, if no line of the design names it.
    pub device: Option<Spanned<String>>,
    pub families: IdVec<FamilyId, Family>,
    /// The members of the graph that a design with `ports own` describes, by the kernels' names,
    /// where the two differ.
    pub called: BTreeMap<String, String>,
    /// The names of kernels in that graph, each with the place that gives it.
    pub members: BTreeMap<String, Span>,
    pub externals: IdVec<ExternalFamilyId, ExternalFamily>,
    /// Each collective. None when it is not lowered yet, or cannot be.
    pub collectives: IdVec<CollectiveId, Option<Collective>>,
    /// Declarations of collectives, including those that could not be lowered.
    pub collective_spans: Vec<Span>,
    /// Nodes with invalid extents, already reported. Their uses give no further errors.
    pub failed: BTreeSet<Node>,
    /// Declarations of arrays of ports whose number is a fault, already reported. Their uses give
    /// no further errors.
    pub uncounted: BTreeSet<Span>,
    /// True while the ends of a connection are looked at: computed ranges may select nothing.
    pub may_be_empty: bool,
    /// Declarations of ports whose type has a fault, which is reported.
    pub untyped: BTreeSet<Span>,
    /// Tiles as written: those of an instance count from its own tile.
    pub places: Vec<Framed<Place>>,
    pub regions: Vec<Framed<Region<Instance>>>,
    pub keepouts: Vec<Framed<Keepout>>,
    pub constraints: Constraints<Instance>,
    /// Tiles as written, like `places`.
    pub block_places: Vec<Framed<BlockPlace<Instance, (Instance, u32)>>>,
    pub blocks: Blocks<Instance, (Instance, u32)>,
    /// Columns as written, like `places`.
    pub shim_places: Vec<Framed<ShimPlace<(ExternalFamilyId, u32)>>>,
    pub shims: Vec<ShimPlace<(ExternalFamilyId, u32)>>,
    /// Connections, also those that end at ports of components.
    pub wires: Vec<Wire>,
    pub links: Vec<Link>,
    /// Instances of all declarations so far; a limit bounds them.
    pub instances: u64,
    /// Ports of kernel instances so far.
    pub ports: u64,
    /// Point-to-point connections so far.
    pub connections: u64,
    /// Kernels and areas that constraints have named so far.
    pub named: u64,
    /// Pairs of kernels in `together` and `apart` so far.
    pub pairs: u64,
    /// Statements that loops have expanded to so far.
    pub steps: u64,
    /// True after a limit was exceeded: no further statement is looked at.
    pub stopped: bool,
}

impl<'a> Context<'a> {
    /// Adds a diagnostic to those of the design.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// True when the limit on errors is reached. The rest is then skipped.
    pub fn is_enough(&self) -> bool {
        self.diagnostics.len() >= ENOUGH_ERRORS
    }

    /// Lowers the declarations and statements of a level.
    pub fn items(&mut self, items: &Sorted<'a>) {
        let first_group = self.groups.len();
        let first_collective = self.collectives.len();
        self.declare(items);
        self.each(&items.kernels, |context, (kernel, span)| {
            context.family(kernel, head(*span, &kernel.name))
        });
        self.each(&items.externals, |context, (external, span)| context.external(external, *span));
        let instances: Vec<_> = (first_group..).zip(&items.instances).collect();
        self.each(&instances, |context, (at, (instance, span))| {
            context.instances(GroupId::from_index(*at), instance, *span);
        });
        let collectives: Vec<_> = (first_collective..).zip(&items.collectives).collect();
        self.each(&collectives, |context, (at, (collective, span))| {
            let id = CollectiveId(u32::try_from(*at).unwrap_or(u32::MAX));
            context.collective(id, collective, head(*span, &collective.name));
        });
        self.each(&items.statements, |context, statement| context.statement(statement));
    }

    /// Lowers `items` one after the other, until the limit on errors.
    fn each<T>(&mut self, items: &[T], mut lower: impl FnMut(&mut Self, &T)) {
        for item in items {
            if self.is_enough() {
                return;
            }
            lower(self, item);
        }
    }

    /// `design`, `device`, `vitis`, `board`, `iterations` and `ports`: each at most once, the first
    /// two exactly once.
    fn header(&mut self, items: &Sorted<'a>, first: Span) {
        // The first word's first letter: a byte order mark may stand before it.
        let start = Span { end: first.start.saturating_add(1), ..first };
        self.at_most_once("design", &items.designs);
        self.at_most_once("device", &items.devices);
        self.at_most_once("vitis", &items.releases);
        self.at_most_once("board", &items.boards);
        self.at_most_once("iterations", &items.iterations);
        self.at_most_once("ports", &items.port_kinds);
        if items.designs.is_empty() && !items.components.is_empty() {
            return self.report(errors::only_components(start));
        }
        match items.designs.first() {
            None => self.report(errors::missing_item(
                start,
                "the file",
                "design",
                "`design NAME` as the first line",
            )),
            Some((name, _)) => {
                self.check_identifier(name, Use::Function);
                self.name = Some((*name).clone());
            }
        }
        if items.devices.is_empty() {
            let example = "the device of your board, such as `device xcvc1902` for the VCK190";
            let fault = errors::missing_item(start, "the design", "device", example);
            let behind = items.designs.first().map_or(start.before(), |(_, span)| span.behind());
            self.report(fault.fix("add `device xcvc1902`", [(behind, "\ndevice xcvc1902\n")]));
        }
        if items.kernels.is_empty() && items.instances.is_empty() {
            let component = items.components.first().map(|component| component.name.value.as_str());
            self.report(errors::no_kernel(start, component));
        }
    }

    fn at_most_once<T>(&mut self, what: &str, items: &[(T, Span)]) {
        if let [(_, first), more @ ..] = items {
            for (_, again) in more {
                self.report(errors::duplicate_item(what, *again, *first));
            }
        }
    }

    /// Declares every name, so that it can be used before its declaration.
    fn declare(&mut self, items: &Sorted<'a>) {
        let mut names: Vec<(&Ident, Symbol)> = Vec::new();
        let constant = |name: &str| match self.at.values.get(name) {
            Some(Some(value)) if value.is_table() => Symbol::Table,
            _ => Symbol::Constant,
        };
        names.extend(items.constants.iter().map(|name| (*name, constant(&name.value))));
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        for (index, (kernel, _)) in (clip(self.families.len())..).zip(&items.kernels) {
            names.push((&kernel.name, Symbol::Node(Node::Family(FamilyId(index)))));
        }
        for (index, (external, _)) in (clip(self.externals.len())..).zip(&items.externals) {
            names.push((&external.name, Symbol::Node(Node::External(ExternalFamilyId(index)))));
        }
        for (collective, span) in &items.collectives {
            self.collective_spans.push(head(*span, &collective.name));
            let id = self.collectives.push(None);
            names.push((&collective.name, Symbol::Node(Node::Collective(id))));
        }
        for (instance, _) in &items.instances {
            let group = self.groups.push(Group { dims: Vec::new(), members: Vec::new() });
            names.push((&instance.name, Symbol::Group(group)));
        }
        names.sort_by_key(|(name, _)| name.span);
        for (name, symbol) in names {
            if let Err(diagnostic) = self.at.scope.declare(name, symbol) {
                self.report(diagnostic);
            }
        }
    }

    /// The values of all constants, which conditions depend on.
    pub fn constants(&mut self, items: &'a [Item], options: &Options) {
        self.at.written = Scope::of(items);
        let written: Vec<(&Ident, &ast::Constant)> = constant_items(items).collect();
        let known: Vec<&str> = written.iter().map(|(name, _)| name.value.as_str()).collect();
        for (name, _) in options.overrides.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            let close = nearest(name, known.iter().copied());
            self.report(errors::unknown_define(name, close, &known));
        }
        let mut constants = Vec::new();
        for (name, value) in written {
            let definition = self.definition(name, value, &options.overrides);
            constants.push(Constant { name, definition });
        }
        let written = &self.at.written;
        self.at.values = eval::constants(&constants, &mut self.diagnostics, &|name, span, wanted| {
            not_wanted(written, name, span, wanted)
        });
    }

    /// The value of a constant as written, in a file or on the command line.
    pub fn definition(
        &mut self,
        name: &Ident,
        value: &'a ast::Constant,
        overrides: &[(String, Scalar)],
    ) -> Definition<'a> {
        let replaced = overrides.iter().rev().find(|(other, _)| *other == name.value);
        let known = match (value, replaced) {
            (ast::Constant::Number(number), None) => return Definition::Number(number),
            (ast::Constant::Number(_), Some((_, value))) => Ok(Value::from(*value)),
            (_, Some(_)) => Err(errors::define_of_table(&name.value)),
            (ast::Constant::Table(numbers), None) => {
                if numbers.len() <= Design::MAX_TABLE {
                    return Definition::Table(numbers);
                }
                Err(errors::long_table(name.span, numbers.len()))
            }
            (ast::Constant::File(path), None) => self.table(path),
        };
        Definition::Known(known.map_err(|diagnostic| self.report(diagnostic)).ok())
    }

    /// The numbers of a table's file, which a file of components names from its own folder.
    fn table(&self, path: &Spanned<String>) -> Result<Value, Diagnostic> {
        let folder = self.modules.and_then(|modules| modules.files.get(self.at.file));
        let name = aiec_dsl::beside(folder.map_or("", |file| &file.folder), &path.value);
        tables::table(path, &name, self.tables)
    }

    /// Checks that `name` is a C++ identifier that is free to use.
    pub fn check_identifier(&mut self, name: &Ident, used: Use) {
        let is_other = self.is_own && matches!(used, Use::Function | Use::Scoped);
        if let Some(reason) = identifier_problem(&name.value, used).filter(|_| !is_other) {
            self.report(errors::bad_identifier(name.span, &name.value, reason));
        }
    }

    /// The value of `expr`; without one, the reason was reported.
    pub fn value(&mut self, expr: &Expr) -> Option<i64> {
        let result = eval::value(expr, &|name| self.lookup(name));
        result.map_err(|fault| self.fault(fault)).ok()
    }

    /// The value of `expr`, which may have digits behind the point.
    pub fn scalar_value(&mut self, expr: &Expr) -> Option<Scalar> {
        let result = scalar(expr, &|name| self.lookup(name));
        result.map_err(|fault| self.fault(fault)).ok()
    }

    /// The value of `expr` within `least..=u32::MAX`; `what` names it.
    pub fn number(&mut self, expr: &Expr, what: &str, least: i64) -> Option<u32> {
        self.number_within(expr, what, least, u32::MAX)
    }

    /// The value of `expr` within `least..=most`; `what` names it.
    pub fn number_within(&mut self, expr: &Expr, what: &str, least: i64, most: u32) -> Option<u32> {
        let value = self.value(expr)?;
        match u32::try_from(value) {
            Ok(number) if value >= least && number <= most => Some(number),
            _ => {
                self.out_of_range(
                    expr,
                    Excess { span: expr.span, what, value: value.into(), least, most: most.into() },
                );
                None
            }
        }
    }

    /// The loop variable or constant called `name`.
    pub fn lookup(&self, name: &str) -> Lookup {
        match self.at.variables.iter().rev().find(|(variable, _)| variable.value == name) {
            Some((_, value)) => Lookup::Value(*value),
            None => eval::lookup(&self.at.values, name),
        }
    }

    /// Counts instances of the declaration at `span`. Returns false above the limit.
    pub fn count_instances(&mut self, count: u128, span: Span) -> bool {
        let total = u128::from(self.instances) + count;
        let limit = u128::from(Design::MAX_INSTANCES);
        if total > limit {
            // Only the first excess is reported.
            if self.instances <= Design::MAX_INSTANCES {
                self.report(errors::too_many_instances(span, total));
            }
            self.instances = Design::MAX_INSTANCES + 1;
            self.stopped = true;
            return false;
        }
        self.instances = u64::try_from(total).unwrap_or(u64::MAX);
        true
    }

    /// Counts connections made by the construct at `span`. Returns false above the limit, which is
    /// reported once.
    pub fn count_connections(&mut self, count: u64, span: Span) -> bool {
        self.connections = self.connections.saturating_add(count);
        if self.connections <= Design::MAX_CONNECTIONS {
            return true;
        }
        if !self.stopped {
            self.report(errors::too_many_connections(span));
        }
        self.stopped = true;
        false
    }

    /// Puts the parts together.
    fn finish(mut self, items: &Sorted<'a>, options: &Options) -> Outcome<Design> {
        let iterations = items.iterations.first().map_or(Some(1), |(count, _)| {
            self.number_within(count, "the number of iterations", 1, MOST_ITERATIONS)
        });
        let target = self.target(items, options);
        let allowances = self.allowances(&items.allowances, options.alone.is_none());
        self.distinct_members();
        let design = self.assemble(items, iterations, target, allowances, options.alone.is_some());
        debug_assert!(
            self.diagnostics.iter().any(Diagnostic::is_error) || design.is_some(),
            "something is missing"
        );
        if design.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error) {
            self.report(bug("a design could not be lowered, and nothing says why"));
        }
        let allowances = design.as_ref().map_or(&[][..], |design| &design.allowances);
        let found = allowances::settle(allowances, self.diagnostics, &WARNINGS);
        let outcome = Outcome::from_parts(design, found);
        debug_assert_eq!(outcome.value().map_or(Ok(()), validate_design), Ok(()));
        outcome
    }

    /// Reports collectives of one kernel with the same name within their components: the name is
    /// that of a member of `comm`. Each pair of declarations is reported once.
    fn distinct_members(&mut self) {
        let mut members: BTreeMap<(FamilyId, &str), &Collective> = BTreeMap::new();
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for collective in self.collectives.iter().flatten() {
            let families: BTreeSet<FamilyId> = collective.group.iter().map(|rank| rank.family).collect();
            for family in families {
                let first = *members.entry((family, local_name(&collective.name))).or_insert(collective);
                if first.name != collective.name && seen.insert((first.span, collective.span)) {
                    let kernel = self.families.get(family).map_or("?", |family| family.name.as_str());
                    found.push(errors::same_member(kernel, first, collective));
                }
            }
        }
        self.diagnostics.append(&mut found);
    }

    fn assemble(
        &mut self,
        items: &Sorted<'a>,
        iterations: Option<u32>,
        target: Option<Target>,
        allowances: Option<Vec<Allowance>>,
        is_component: bool,
    ) -> Option<Design> {
        let collectives: Option<Vec<Collective>> =
            std::mem::take(&mut self.collectives).iter().cloned().collect();
        let (mut constants, mut tables, mut decimals) = (Vec::new(), Vec::new(), Vec::new());
        for name in items.constants.iter().map(|name| &name.value) {
            match self.at.values.get(name) {
                Some(Some(Value::Number(number))) => constants.push((name.clone(), *number)),
                Some(Some(Value::Table(table))) => tables.push((name.clone(), Arc::clone(table))),
                Some(Some(Value::Decimal(one))) => decimals.push((name.clone(), Decimals::One(*one))),
                Some(Some(Value::Decimals(all))) => {
                    decimals.push((name.clone(), Decimals::Table(Arc::clone(all))));
                }
                Some(None) | None => {}
            }
        }
        let Target { release, board, written, port_kind, language } = target?;
        let mut design = Design {
            name: self.name.take()?,
            device: self.device.take().or_else(|| items.devices.first().map(|(name, _)| (*name).clone()))?,
            release,
            board,
            written,
            language,
            is_component,
            iterations: iterations?,
            port_kind,
            constants,
            tables,
            decimals,
            ambiguous: self.ambiguous(),
            families: std::mem::take(&mut self.families),
            externals: std::mem::take(&mut self.externals),
            collectives: collectives?.into_iter().collect(),
            places: std::mem::take(&mut self.places).into_iter().map(|place| place.what).collect(),
            constraints: std::mem::take(&mut self.constraints),
            blocks: std::mem::take(&mut self.blocks),
            shims: std::mem::take(&mut self.shims),
            shim_ties: Vec::new(),
            shim_links: Vec::new(),
            subgraphs: std::mem::take(&mut self.subgraphs),
            allowances: allowances?,
            graph: DiGraph::new(),
        };
        design.connect(std::mem::take(&mut self.links));
        Some(design)
    }
}

/// A fault of aiec itself.
pub fn bug(what: &str) -> Diagnostic {
    Diagnostic::new(&catalogue::BUG, what, "please report this together with the design")
}

/// The first words of a declaration, such as `kernel worker`: the part that messages underline.
pub fn head(declaration: Span, name: &Ident) -> Span {
    Span { end: name.span.end, ..declaration }
}
