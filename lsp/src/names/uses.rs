//! The places where names are used: a walk over the trees with the scope at each place.

use aiec_diag::{SourceId, Span};
use aiec_dsl::ast::{
    Area, Argument, At, Choice, Collective, CollectiveProperty, Component, Connect, ConnectEnd,
    ConnectProperty, Constant, Dim, Endpoint, Expr, ExprKind, External, ExternalProperty, Fifo, FifoAt, Flow,
    Index, Instantiation, Item, ItemKind, Kernel, KernelProperty, Pair, Place, Port, PortType, Program,
    Reference, Service, Setting, Shape, Target, Window, Within,
};

use super::{Kind, Level, Names, SymbolId};

/// All items, and those inside of them.
pub fn flat(items: &[Item]) -> Vec<&Item> {
    let mut all = Vec::new();
    for item in items {
        all.push(item);
        match &item.kind {
            ItemKind::Component(component) => all.extend(flat(&component.body.items)),
            ItemKind::For(inner) => all.extend(flat(&inner.body)),
            ItemKind::If(choice) => {
                let blocks = choice.branches.iter().map(|branch| &branch.block).chain(&choice.otherwise);
                all.extend(blocks.flat_map(|block| flat(&block.items)));
            }
            _ => {}
        }
    }
    all
}

/// Records the uses of a file, whose declarations are known.
pub fn record(names: &mut Names, program: &Program, file: SourceId, imports: &[SourceId]) {
    let level = Level { file, component: None };
    let mut recorder = Recorder { names, imports, level, variables: Vec::new() };
    // Which component instances are of must be known before anything names what they have inside.
    for item in flat(&program.items) {
        if let ItemKind::Component(component) = &item.kind {
            recorder.inside(component, |recorder| recorder.instances(&component.body.items));
        }
    }
    recorder.instances(&program.items);
    recorder.items(&program.items);
}

struct Recorder<'a> {
    names: &'a mut Names,
    imports: &'a [SourceId],
    level: Level,
    /// Loop variables and indices, the innermost last.
    variables: Vec<(String, SymbolId)>,
}

impl Recorder<'_> {
    fn uses(&mut self, span: Span, symbol: SymbolId) {
        self.names.uses.push((span, symbol));
    }

    /// Runs `walk` inside of a component.
    fn inside(&mut self, component: &Component, walk: impl FnOnce(&mut Self)) {
        let outer = self.level;
        let symbol = self.names.files[outer.file].get(&component.name.value).copied();
        self.level = Level { component: symbol, ..outer };
        walk(self);
        self.level = outer;
    }

    /// Runs `walk` where these variables are known.
    fn with(&mut self, symbols: Vec<SymbolId>, walk: impl FnOnce(&mut Self)) {
        let outer = self.variables.len();
        self.variables.extend(symbols.into_iter().map(|at| (self.names.symbols[at].name.clone(), at)));
        walk(self);
        self.variables.truncate(outer);
    }

    fn component(&self, name: &str) -> Option<SymbolId> {
        let files = std::iter::once(&self.level.file).chain(self.imports);
        let named = files.filter_map(|file| self.names.files[*file].get(name).copied());
        named.into_iter().find(|symbol| self.names.symbols[*symbol].kind == Kind::Component)
    }

    /// What a name of a design means here.
    fn named(&mut self, name: &str) -> Option<SymbolId> {
        let level = self.level;
        self.names.scope(level).get(name).copied()
    }

    /// What a name in an expression means here.
    fn value(&mut self, name: &str) -> Option<SymbolId> {
        let variable =
            self.variables.iter().rev().find(|(known, _)| known == name).map(|(_, symbol)| *symbol);
        let is_constant = |names: &Names, symbol: &SymbolId| {
            matches!(names.symbols[*symbol].kind, Kind::Constant | Kind::Setting)
        };
        let local = self.named(name).filter(|symbol| is_constant(self.names, symbol));
        let of_file = self.names.files[self.level.file].get(name).copied();
        variable.or(local).or(of_file.filter(|symbol| is_constant(self.names, symbol)))
    }

    /// Finds the components of all instances at a level.
    fn instances(&mut self, items: &[Item]) {
        for item in flat(items) {
            let ItemKind::Instance(instance) = &item.kind else { continue };
            if let (Some(symbol), Some(component)) =
                (self.named(&instance.name.value), self.component(&instance.component.value))
            {
                self.names.components.insert(symbol, component);
            }
        }
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Iterations(expr) => self.expr(expr),
            ItemKind::Const { value: Constant::Number(expr), .. } => self.expr(expr),
            ItemKind::Const { value: Constant::Table(numbers), .. } => self.exprs(numbers),
            ItemKind::Component(component) => self.inside(component, |recorder| {
                recorder.exprs(component.constants.iter().map(|setting| &setting.value));
                recorder.ports(&component.ports);
                recorder.items(&component.body.items);
            }),
            ItemKind::Instance(instance) => self.instance(instance),
            ItemKind::Kernel(kernel) => self.kernel(kernel),
            ItemKind::Collective(collective) => self.collective(collective),
            ItemKind::External(external) => self.external(external),
            ItemKind::Connect(connect) => self.connect(connect),
            ItemKind::Place(place) => self.place(place),
            ItemKind::Region(region) => {
                self.references(&region.references);
                region.areas.iter().for_each(|area| self.area(area));
            }
            ItemKind::Together(references) => self.references(references),
            ItemKind::Apart(apart) => self.references(&apart.references),
            ItemKind::KeepOut(area) => self.area(area),
            ItemKind::For(inner) => {
                self.exprs([&inner.from, &inner.to]);
                let variable = self.names.add(&inner.variable, Kind::Variable, item.span, None);
                self.with(vec![variable], |recorder| recorder.items(&inner.body));
            }
            ItemKind::If(choice) => self.choice(choice, Self::item),
            ItemKind::Assert(assertion) => self.expr(&assertion.condition),
            ItemKind::Design(_)
            | ItemKind::Allow(_)
            | ItemKind::Device(_)
            | ItemKind::Vitis(_)
            | ItemKind::Board(_)
            | ItemKind::Ports(..)
            | ItemKind::Import(_)
            | ItemKind::Const { value: Constant::File(_), .. } => {}
        }
    }

    fn choice<T>(&mut self, choice: &Choice<T>, walk: fn(&mut Self, &T)) {
        for branch in &choice.branches {
            self.expr(&branch.condition);
            branch.block.items.iter().for_each(|item| walk(self, item));
        }
        choice.otherwise.iter().flat_map(|block| &block.items).for_each(|item| walk(self, item));
    }

    fn instance(&mut self, instance: &Instantiation) {
        self.dims(&instance.dims);
        let component = self.component(&instance.component.value);
        if let Some(component) = component {
            self.uses(instance.component.span, component);
        }
        for Setting { name, .. } in &instance.constants {
            let inside = component.and_then(|component| self.names.inside.get(&component));
            if let Some(symbol) = inside.and_then(|scope| scope.get(&name.value)).copied() {
                self.uses(name.span, symbol);
            }
        }
        let indices = self.indices(&instance.name.value);
        self.with(indices, |recorder| {
            recorder.exprs(instance.constants.iter().map(|setting| &setting.value));
        });
    }

    fn indices(&mut self, family: &str) -> Vec<SymbolId> {
        let symbol = self.named(family);
        symbol.map_or_else(Vec::new, |symbol| self.names.indices_of(symbol).collect())
    }

    fn dims(&mut self, dims: &[Dim]) {
        self.exprs(dims.iter().map(|dim| &dim.extent));
    }

    fn kernel(&mut self, kernel: &Kernel) {
        self.dims(&kernel.dims);
        self.ports(&kernel.ports);
        let indices = self.indices(&kernel.name.value);
        self.with(indices, |recorder| {
            kernel.properties.iter().for_each(|property| recorder.kernel_property(&property.value));
        });
    }

    fn kernel_property(&mut self, property: &KernelProperty) {
        match property {
            KernelProperty::Stack(bytes) | KernelProperty::Heap(bytes) | KernelProperty::Program(bytes) => {
                self.expr(&bytes.amount);
            }
            KernelProperty::Repetitions(expr) | KernelProperty::Cycles(expr) => self.expr(expr),
            KernelProperty::Template(arguments) | KernelProperty::Arguments(arguments) => {
                self.exprs(arguments.iter().map(|Argument { value, .. }| value));
            }
            KernelProperty::If(choice) => {
                self.choice(choice, |recorder, property| recorder.kernel_property(&property.value));
            }
            KernelProperty::Source(_)
            | KernelProperty::Runtime(_)
            | KernelProperty::Function(_)
            | KernelProperty::Header(_)
            | KernelProperty::Init(_) => {}
        }
    }

    fn ports(&mut self, ports: &[Port]) {
        for port in ports {
            self.exprs(&port.extent);
            match &port.carries {
                PortType::Window { window, margin } => {
                    self.window(window);
                    self.exprs(margin.iter().map(|size| &size.amount));
                }
                PortType::Stream(flow) | PortType::Packets(flow) => self.flow(flow),
                PortType::Parameter { values, .. } => self.flow(values),
                PortType::Cascade(_) => {}
            }
        }
    }

    fn window(&mut self, window: &Window) {
        self.expr(&window.size);
    }

    fn flow(&mut self, flow: &Flow) {
        self.exprs(flow.size.iter().map(|size| &size.amount));
    }

    fn collective(&mut self, collective: &Collective) {
        self.references(&collective.over);
        collective.on.iter().for_each(|owner| self.reference(owner));
        for service in &collective.services {
            match &service.value {
                Service::Handler(handler) => {
                    let arguments = handler.arguments.iter().map(|(_, flow)| flow);
                    arguments.chain(&handler.result).for_each(|flow| self.flow(flow));
                }
                Service::Buffer(_, window) => self.window(window),
            }
        }
        let mut indices: Vec<SymbolId> = Vec::new();
        for family in collective.over.iter().filter_map(|reference| reference.parts.first()) {
            for index in self.indices(&family.name.value) {
                let is_same =
                    |known: &SymbolId| self.names.symbols[*known].name == self.names.symbols[index].name;
                let others: Vec<SymbolId> = indices.iter().copied().filter(is_same).collect();
                for shared in others.into_iter().filter(|other| *other != index) {
                    self.names.symbols[shared].is_shared = true;
                    self.names.symbols[index].is_shared = true;
                }
                indices.push(index);
            }
        }
        self.with(indices, |recorder| {
            collective.properties.iter().for_each(|property| recorder.collective_property(&property.value));
        });
    }

    fn collective_property(&mut self, property: &CollectiveProperty) {
        match property {
            CollectiveProperty::Data(window)
            | CollectiveProperty::Window(Some(window))
            | CollectiveProperty::Cycles(window) => self.window(window),
            CollectiveProperty::Root(reference) => self.reference(reference),
            CollectiveProperty::Shape(Shape::Tree(expr) | Shape::Hub(expr))
            | CollectiveProperty::Calls(expr)
            | CollectiveProperty::Reference(expr)
            | CollectiveProperty::Shift(expr)
            | CollectiveProperty::To(Target::Rank(expr))
            | CollectiveProperty::Packet(expr)
            | CollectiveProperty::Depth(expr)
            | CollectiveProperty::Counts(expr)
            | CollectiveProperty::Base(expr)
            | CollectiveProperty::Size(expr)
            | CollectiveProperty::Num(expr)
            | CollectiveProperty::Stride(expr) => self.expr(expr),
            CollectiveProperty::Max(bytes) => self.expr(&bytes.amount),
            CollectiveProperty::To(Target::At(indices)) => self.exprs(indices),
            CollectiveProperty::Op(_)
            | CollectiveProperty::Window(None)
            | CollectiveProperty::Shape(Shape::Word(_) | Shape::Merge(_))
            | CollectiveProperty::Buffer(_)
            | CollectiveProperty::Style(_)
            | CollectiveProperty::Peers(_)
            | CollectiveProperty::Exclusive
            | CollectiveProperty::Headed => {}
        }
    }

    fn external(&mut self, external: &External) {
        self.exprs(&external.dims);
        if let Endpoint::Plio { width, .. } = &external.endpoint.value {
            self.expr(width);
        }
        for property in &external.properties {
            match &property.value {
                ExternalProperty::Initial(values) => self.exprs(values),
                ExternalProperty::Burst(expr) | ExternalProperty::Bandwidth(expr) => self.expr(expr),
                ExternalProperty::Frequency(_)
                | ExternalProperty::Golden(_)
                | ExternalProperty::Called(_) => {}
            }
        }
    }

    fn connect(&mut self, connect: &Connect) {
        for ConnectEnd { reference, windows, .. } in connect.from.iter().chain(&connect.to) {
            self.reference(reference);
            self.exprs(windows);
        }
        self.exprs(&connect.first);
        for property in &connect.properties {
            if let ConnectProperty::Fifo(fifo) = &property.value {
                self.fifo(fifo);
            }
        }
    }

    fn fifo(&mut self, fifo: &Fifo) {
        self.expr(&fifo.words);
        for place in &fifo.places {
            match &place.at {
                FifoAt::Memory(tile, expr) | FifoAt::Switch(tile, expr) => {
                    self.tile(tile);
                    self.expr(expr);
                }
                FifoAt::Shim(column, number) => self.exprs([column, number]),
            }
        }
    }

    fn place(&mut self, place: &Place) {
        self.reference(&place.reference);
        match &place.at {
            At::Tile(tile) => self.tile(tile),
            At::Memory(spots) => {
                for spot in spots {
                    self.tile(&spot.tile);
                    match &spot.within {
                        Within::Banks(exprs) | Within::Offsets(exprs) => self.exprs(exprs),
                        Within::Module => {}
                    }
                }
            }
            At::Offsets(exprs) => self.exprs(exprs),
            At::Shim(shim) => self.exprs(std::iter::once(&shim.column).chain(&shim.channel)),
            At::Kernel { of, offset } => {
                self.reference(of);
                self.exprs(offset.iter().flat_map(|offset| offset.columns.iter().chain(&offset.rows)));
            }
        }
    }

    fn area(&mut self, area: &Area) {
        self.tile(&area.from);
        area.to.iter().for_each(|tile| self.tile(tile));
    }

    fn tile(&mut self, tile: &Pair) {
        self.exprs([&tile.column, &tile.row]);
    }

    fn references(&mut self, references: &[Reference]) {
        references.iter().for_each(|reference| self.reference(reference));
    }

    fn reference(&mut self, reference: &Reference) {
        let mut symbol = None;
        for (at, part) in reference.parts.iter().enumerate() {
            symbol = match symbol {
                None if at == 0 => self.named(&part.name.value),
                None => None,
                Some(holder) => self
                    .names
                    .members(holder)
                    .find(|member| self.names.symbols[*member].name == part.name.value),
            };
            if let Some(symbol) = symbol {
                self.uses(part.name.span, symbol);
            }
            for index in &part.indices {
                match index {
                    Index::At(expr) => self.expr(expr),
                    Index::Range { from, to, step, .. } => self.exprs(from.iter().chain(to).chain(step)),
                }
            }
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        let (name, span) = match &expr.kind {
            ExprKind::Name(name) => (name, expr.span),
            ExprKind::Len(name) => (&name.value, name.span),
            ExprKind::Item(name, index) => {
                self.expr(index);
                (&name.value, name.span)
            }
            ExprKind::Neg(inner) | ExprKind::Not(inner) => return self.expr(inner),
            ExprKind::Binary(_, left, right) => return self.exprs([&**left, &**right]),
            ExprKind::Call(_, arguments) => return self.exprs(arguments),
            ExprKind::Int(_) | ExprKind::Decimal(_) => return,
        };
        if let Some(symbol) = self.value(name) {
            self.uses(span, symbol);
        }
    }
}
