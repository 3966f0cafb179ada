//! The names of all files: where each is declared and where it is used.
//!
//! Takes syntax trees, which may be of texts with errors; the source of a span is the number of its
//! file. The index is that of the language's scopes: a file, a component with its ports and
//! constants, a loop, and the indices of a family. A name that is declared nowhere has no symbol.

mod uses;

use std::collections::BTreeMap;

use aiec_diag::{SourceId, Span};
use aiec_dsl::ast::{Choice, Collective, Component, Dim, Ident, Item, ItemKind, Port, Program, Service};
use aiec_ir::{IdVec, ids};

pub use uses::flat;

ids! {
    /// A declared name.
    pub SymbolId;
}

/// The kinds of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The name of the design.
    Design,
    /// `const`
    Constant,
    /// A constant of a component.
    Setting,
    /// The variable of a loop.
    Variable,
    /// The name of an index of a family or of instances.
    Index,
    /// A kernel family.
    Kernel,
    /// A port of a kernel or a component.
    Port,
    /// `reduce` and the like.
    Collective,
    /// `input`
    Input,
    /// `output`
    Output,
    /// `component`
    Component,
    /// Instances of a component.
    Instance,
    /// `handler` of active messages.
    Handler,
    /// An argument of a handler.
    Argument,
    /// `buffer` of active messages.
    Buffer,
}

impl Kind {
    /// The kind in words of the language.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::Constant | Self::Setting => "const",
            Self::Variable => "loop variable",
            Self::Index => "index",
            Self::Kernel => "kernel",
            Self::Port => "port",
            Self::Collective => "collective",
            Self::Input => "input",
            Self::Output => "output",
            Self::Component => "component",
            Self::Instance => "instance",
            Self::Handler => "handler",
            Self::Argument => "argument",
            Self::Buffer => "buffer",
        }
    }
}

/// A name that a file declares, with its place.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name as it is declared.
    pub name: String,
    /// What the declaration makes.
    pub kind: Kind,
    /// The names in its declarations: several if branches of an `if` declare it.
    pub declared: Vec<Span>,
    /// The whole first declaration.
    pub whole: Span,
    /// The kernel, component, collective or handler that it belongs to.
    pub container: Option<SymbolId>,
    /// True if another declaration gives the same name a meaning in one expression, as indices of
    /// several families do in a collective.
    pub is_shared: bool,
}

/// All names of some files.
#[derive(Debug, Default)]
pub struct Names {
    /// The declared names, in order of files and declarations.
    pub symbols: IdVec<SymbolId, Symbol>,
    /// Every place of a name, declarations among them, in order.
    pub uses: Vec<(Span, SymbolId)>,
    /// What files declare.
    files: IdVec<SourceId, Scope>,
    /// What kernels, components, active messages and handlers have inside.
    inside: BTreeMap<SymbolId, Scope>,
    /// The named indices of kernels and instances.
    indices: BTreeMap<SymbolId, Scope>,
    /// The components that instances are of.
    components: BTreeMap<SymbolId, SymbolId>,
}

/// Names and what they mean.
type Scope = BTreeMap<String, SymbolId>;

/// Where something is declared: in a file, or in a component or another symbol with names inside.
#[derive(Clone, Copy)]
struct Level {
    file: SourceId,
    component: Option<SymbolId>,
}

impl Names {
    /// The names of `programs`. File `n` imports the files `imports[n]`.
    pub fn of(programs: &IdVec<SourceId, &Program>, imports: &IdVec<SourceId, Vec<SourceId>>) -> Self {
        let mut names = Self { files: IdVec::filled(Scope::new(), programs.len()), ..Self::default() };
        for (file, program) in programs.enumerate() {
            names.declare_all(&program.items, Level { file, component: None });
        }
        for (file, program) in programs.enumerate() {
            uses::record(&mut names, program, file, &imports[file]);
        }
        names.uses.sort_unstable();
        names.uses.dedup();
        names
    }

    /// The name at byte `offset` of a file, or that ends there.
    pub fn at(&self, file: SourceId, offset: usize) -> Option<(Span, SymbolId)> {
        let holds =
            |span: &Span| span.source == file && span.start as usize <= offset && offset <= span.end as usize;
        let mut found = self.uses.iter().filter(|(span, _)| holds(span));
        // The later of two names that touch begins here.
        found.next_back().copied()
    }

    /// The places of a symbol, in order.
    pub fn places(&self, symbol: SymbolId) -> impl Iterator<Item = Span> + '_ {
        self.uses.iter().filter(move |(_, other)| *other == symbol).map(|(span, _)| *span)
    }

    /// What can be named at a place in a file: the declarations of the component around it, or else
    /// of the file, with the component's constants and those of the file.
    pub fn visible(&self, file: SourceId, offset: usize) -> Vec<SymbolId> {
        let around = |symbol: &&SymbolId| {
            let Symbol { kind, whole, .. } = &self.symbols[**symbol];
            let (start, end) = (whole.start as usize, whole.end as usize);
            *kind == Kind::Component && start <= offset && offset <= end
        };
        let of_file = self.files.get(file);
        let component = of_file.and_then(|scope| scope.values().find(around)).copied();
        let inside = component.and_then(|component| self.inside.get(&component));
        let own = of_file.into_iter().flat_map(|scope| scope.values().copied());
        let is_known = |symbol: &SymbolId| inside.is_none() || self.symbols[*symbol].kind == Kind::Constant;
        own.filter(is_known).chain(inside.into_iter().flat_map(|scope| scope.values().copied())).collect()
    }

    /// The component of an instance.
    pub fn component_of(&self, instance: SymbolId) -> Option<SymbolId> {
        self.components.get(&instance).copied()
    }

    /// What a kernel, active messages, a component or instances of one have inside.
    pub fn members(&self, symbol: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let holder = self.component_of(symbol).unwrap_or(symbol);
        self.inside.get(&holder).into_iter().flat_map(|scope| scope.values().copied())
    }

    /// The named indices of a family or of instances.
    pub fn indices_of(&self, symbol: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        self.indices.get(&symbol).into_iter().flat_map(|scope| scope.values().copied())
    }

    /// The symbol that `path` leads to from a place: the first name is visible there, and each has
    /// the next one inside.
    pub fn resolve(&self, file: SourceId, offset: usize, path: &[String]) -> Option<SymbolId> {
        let (first, rest) = path.split_first()?;
        let named = |name: &String, symbol: &SymbolId| self.symbols[*symbol].name == *name;
        let first = self.visible(file, offset).into_iter().find(|symbol| named(first, symbol));
        rest.iter().try_fold(first?, |at, name| self.members(at).find(|symbol| named(name, symbol)))
    }

    fn scope(&mut self, level: Level) -> &mut Scope {
        match level.component {
            Some(component) => self.inside.entry(component).or_default(),
            None => &mut self.files[level.file],
        }
    }

    /// Makes a symbol, unless the level has the name already.
    fn declare(&mut self, level: Level, name: &Ident, kind: Kind, whole: Span) -> SymbolId {
        if let Some(&known) = self.scope(level).get(&name.value) {
            self.symbols[known].declared.push(name.span);
            self.uses.push((name.span, known));
            return known;
        }
        let symbol = self.add(name, kind, whole, level.component);
        self.scope(level).insert(name.value.clone(), symbol);
        symbol
    }

    fn add(&mut self, name: &Ident, kind: Kind, whole: Span, container: Option<SymbolId>) -> SymbolId {
        let (declared, name_text) = (vec![name.span], name.value.clone());
        let symbol = Symbol { name: name_text, kind, declared, whole, container, is_shared: false };
        let symbol = self.symbols.push(symbol);
        self.uses.push((name.span, symbol));
        symbol
    }

    fn declare_all(&mut self, items: &[Item], level: Level) {
        for item in items {
            self.declare_item(item, level);
        }
    }

    fn declare_item(&mut self, item: &Item, level: Level) {
        match &item.kind {
            ItemKind::Design(name) => {
                // The design's name is no name inside of it.
                self.add(name, Kind::Design, item.span, None);
            }
            ItemKind::Const { name, .. } => {
                self.declare(level, name, Kind::Constant, item.span);
            }
            ItemKind::Component(component) => self.declare_component(component, item.span, level),
            ItemKind::Instance(instance) => {
                let symbol = self.declare(level, &instance.name, Kind::Instance, item.span);
                self.declare_indices(symbol, &instance.dims);
            }
            ItemKind::Kernel(kernel) => {
                let symbol = self.declare(level, &kernel.name, Kind::Kernel, item.span);
                self.declare_indices(symbol, &kernel.dims);
                self.declare_ports(symbol, level.file, &kernel.ports);
            }
            ItemKind::Collective(collective) => {
                let symbol = self.declare(level, &collective.name, Kind::Collective, item.span);
                self.declare_services(symbol, level.file, collective);
            }
            ItemKind::External(external) => {
                let kind = if external.input { Kind::Input } else { Kind::Output };
                self.declare(level, &external.name, kind, item.span);
            }
            ItemKind::If(choice) => self.declare_choice(choice, level),
            ItemKind::Allow(_)
            | ItemKind::Device(_)
            | ItemKind::Vitis(_)
            | ItemKind::Board(_)
            | ItemKind::Iterations(_)
            | ItemKind::Ports(..)
            | ItemKind::Import(_)
            | ItemKind::Connect(_)
            | ItemKind::Place(_)
            | ItemKind::Region(_)
            | ItemKind::Together(_)
            | ItemKind::Apart(_)
            | ItemKind::KeepOut(_)
            | ItemKind::For(_)
            | ItemKind::Assert(_) => {}
        }
    }

    fn declare_component(&mut self, component: &Component, whole: Span, level: Level) {
        let symbol = self.declare(level, &component.name, Kind::Component, whole);
        let inside = Level { component: Some(symbol), ..level };
        for setting in &component.constants {
            self.declare(inside, &setting.name, Kind::Setting, setting.name.span.to(setting.value.span));
        }
        self.declare_ports(symbol, level.file, &component.ports);
        self.declare_all(&component.body.items, inside);
    }

    fn declare_ports(&mut self, holder: SymbolId, file: SourceId, ports: &[Port]) {
        for port in ports {
            self.declare(Level { file, component: Some(holder) }, &port.name, Kind::Port, port.span);
        }
    }

    fn declare_services(&mut self, holder: SymbolId, file: SourceId, collective: &Collective) {
        let inside = Level { file, component: Some(holder) };
        for service in &collective.services {
            match &service.value {
                Service::Handler(handler) => {
                    let symbol = self.declare(inside, &handler.name, Kind::Handler, service.span);
                    for (name, flow) in &handler.arguments {
                        let level = Level { file, component: Some(symbol) };
                        self.declare(level, name, Kind::Argument, name.span.to(flow.span));
                    }
                }
                Service::Buffer(name, _) => {
                    self.declare(inside, name, Kind::Buffer, service.span);
                }
            }
        }
    }

    fn declare_indices(&mut self, holder: SymbolId, dims: &[Dim]) {
        for name in dims.iter().filter_map(|dim| dim.index.as_ref()) {
            let symbol = self.add(name, Kind::Index, name.span, Some(holder));
            self.indices.entry(holder).or_default().insert(name.value.clone(), symbol);
        }
    }

    fn declare_choice(&mut self, choice: &Choice<Item>, level: Level) {
        for block in choice.branches.iter().map(|branch| &branch.block).chain(&choice.otherwise) {
            self.declare_all(&block.items, level);
        }
    }
}

#[cfg(test)]
mod tests;
