//! From the grammar's pairs to the syntax tree.
//!
//! The grammar guarantees which parts are there; a builder function gives `None` only if grammar
//! and builder disagree, which the tests of every construct rule out.

use std::sync::LazyLock;

use aiec_diag::{Diagnostic, SourceFile, Span, Spanned};
use pest::iterators::{Pair, Pairs};

use crate::ast::{
    Area, Argument, Assertion, At, BinaryOp, Block, Branch, Bytes, Choice, Collective, CollectiveProperty,
    Component, Connect, ConnectEnd, ConnectProperty, Constant, Dim, Endpoint, Expr, ExprKind, External,
    ExternalProperty, Flow, For, Function, Ident, Index, Instantiation, Item, ItemKind, Kernel,
    KernelProperty, Operator, Pair as TilePair, Part, Place, Port, PortDirection, PortType, Reference,
    Region, Setting, Shape, Size, Switch, Unit, Window,
};
use crate::errors;
use crate::parse::Rule;
use crate::scan::{Scan, span_of};

/// Most operators and further arguments in one expression, which bounds the depth of its tree.
pub const MAX_OPERATORS: usize = 256;

/// Most extents of a kernel family or of an array of instances.
const MAX_DIMENSIONS: usize = 3;

/// Builds the tree of one stretch of text.
pub struct Builder<'a> {
    file: &'a SourceFile,
    scan: &'a Scan,
    /// Byte at which the stretch begins.
    base: usize,
    /// Operators seen in the expression at hand.
    operators: usize,
    /// What the grammar accepts and the language does not.
    pub diagnostics: Vec<Diagnostic>,
}

type Node<'i> = Pair<'i, Rule>;

/// The inner pairs that carry meaning: all but keywords and punctuation.
struct Parts<'i>(Pairs<'i, Rule>);

impl<'i> Parts<'i> {
    fn of(node: Node<'i>) -> Self {
        Self(node.into_inner())
    }

    /// The next meaningful pair.
    fn any(&mut self) -> Option<Node<'i>> {
        self.0.find(|node| !is_token(node.as_rule()))
    }

    /// The next meaningful pair if it is of this rule.
    fn next(&mut self, rule: Rule) -> Option<Node<'i>> {
        while self.0.peek().is_some_and(|node| is_token(node.as_rule())) {
            self.0.next();
        }
        self.0.peek().filter(|node| node.as_rule() == rule)?;
        self.0.next()
    }
}

/// True for keywords (`kw_...`), symbols (`sym_...`) and the end of the text: they carry nothing
/// into the tree. The answer is taken from the rule's name once, so that a new rule needs no entry
/// here.
fn is_token(rule: Rule) -> bool {
    static TOKENS: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let is_token = |rule: &Rule| {
            let name = format!("{rule:?}");
            name == "EOI" || name.starts_with("kw_") || name.starts_with("sym_")
        };
        let mut tokens: Vec<Rule> = Rule::all_rules().iter().copied().filter(is_token).collect();
        tokens.sort_unstable();
        tokens
    });
    TOKENS.binary_search(&rule).is_ok()
}

/// True if `node` directly holds a token of this rule.
fn has(node: &Node<'_>, rule: Rule) -> bool {
    node.clone().into_inner().any(|part| part.as_rule() == rule)
}

impl<'a> Builder<'a> {
    /// A builder for the text of `file` from byte `base` on.
    pub const fn new(file: &'a SourceFile, scan: &'a Scan, base: usize) -> Self {
        Self { file, scan, base, operators: 0, diagnostics: Vec::new() }
    }

    /// The items of a `program`.
    pub fn items(&mut self, program: Pairs<'_, Rule>) -> Vec<Item> {
        let nodes = program.flat_map(Pair::into_inner).filter(|node| node.as_rule() == Rule::item);
        nodes.filter_map(|node| self.item(node)).collect()
    }

    /// The place of a pair, without the white space and comments that the grammar takes in where a
    /// rule ends with something optional.
    fn span(&self, node: &Node<'_>) -> Span {
        let (start, end) = (self.base + node.as_span().start(), self.base + node.as_span().end());
        let end = self.scan.before(end, 0).map_or(end, |token| token.range.end).max(start);
        span_of(self.file, start..end)
    }

    /// An `item`, `component_item`, `choice_item` or `loop_item`.
    fn item(&mut self, node: Node<'_>) -> Option<Item> {
        let inner = Parts::of(node).any()?;
        let span = self.span(&inner);
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner.clone());
        let kind = match rule {
            Rule::design => ItemKind::Design(self.ident(&mut parts)?),
            Rule::device => ItemKind::Device(self.ident(&mut parts)?),
            Rule::vitis => ItemKind::Vitis(self.string(&mut parts)?),
            Rule::board => ItemKind::Board(self.ident(&mut parts)?),
            Rule::iterations => ItemKind::Iterations(self.expr(&mut parts)?),
            Rule::ports => ItemKind::Ports(self.ident(&mut parts)?),
            Rule::constant => {
                ItemKind::Const { name: self.ident(&mut parts)?, value: self.constant(&mut parts)? }
            }
            Rule::import => ItemKind::Import(self.string(&mut parts)?),
            Rule::component => ItemKind::Component(self.component(parts)?),
            Rule::instance => ItemKind::Instance(self.instance(parts)?),
            Rule::kernel => ItemKind::Kernel(self.kernel(parts)?),
            Rule::collective => ItemKind::Collective(self.collective(parts)?),
            Rule::external => ItemKind::External(self.external(has(&inner, Rule::kw_input), parts)?),
            Rule::connect => ItemKind::Connect(self.connect(parts)?),
            Rule::place => ItemKind::Place(self.place(parts)?),
            Rule::region => ItemKind::Region(self.region(parts)?),
            Rule::together => ItemKind::Together(self.references(&mut parts)?),
            Rule::apart => ItemKind::Apart(self.references(&mut parts)?),
            Rule::keepout => ItemKind::KeepOut(self.area(&mut parts)?),
            Rule::for_loop => ItemKind::For(self.for_loop(parts)?),
            Rule::choice | Rule::loop_choice => ItemKind::If(self.choice(parts, Self::item)?),
            Rule::assert => ItemKind::Assert(Assertion {
                condition: self.expr(&mut parts)?,
                message: self.string(&mut parts)?,
            }),
            _ => return None,
        };
        Some(Item { kind, span })
    }

    fn constant(&mut self, parts: &mut Parts<'_>) -> Option<Constant> {
        if let Some(table) = parts.next(Rule::table) {
            let mut parts = Parts::of(table);
            let mut numbers = Vec::new();
            while let Some(number) = self.expr(&mut parts) {
                numbers.push(number);
            }
            return Some(Constant::Table(numbers));
        }
        if let Some(file) = parts.next(Rule::table_file) {
            return Some(Constant::File(self.string(&mut Parts::of(file))?));
        }
        Some(Constant::Number(self.expr(parts)?))
    }

    fn kernel(&mut self, mut parts: Parts<'_>) -> Option<Kernel> {
        let name = self.ident(&mut parts)?;
        let dims = self.dims(&mut parts, "a kernel family has at most three dimensions")?;
        let ports = self.ports(&mut parts)?;
        let properties = self.block(&mut parts, Self::spanned_property)?.items;
        Some(Kernel { name, dims, ports, properties })
    }

    /// The ports of a kernel or component; none without a list.
    fn ports(&mut self, parts: &mut Parts<'_>) -> Option<Vec<Port>> {
        let mut ports = Vec::new();
        if let Some(list) = parts.next(Rule::port_list) {
            let mut list = Parts::of(list);
            while let Some(port) = list.next(Rule::port) {
                ports.push(self.port(port)?);
            }
        }
        Some(ports)
    }

    fn component(&mut self, mut parts: Parts<'_>) -> Option<Component> {
        let name = self.ident(&mut parts)?;
        let constants = self.settings(&mut parts)?;
        let ports = self.ports(&mut parts)?;
        Some(Component { name, constants, ports, body: self.block(&mut parts, Self::item)? })
    }

    fn instance(&mut self, mut parts: Parts<'_>) -> Option<Instantiation> {
        let name = self.ident(&mut parts)?;
        let dims = self.dims(&mut parts, "an array of instances has at most three dimensions")?;
        let component = self.ident(&mut parts)?;
        Some(Instantiation { name, dims, component, constants: self.settings(&mut parts)? })
    }

    /// Constants in parentheses; none without them.
    fn settings(&mut self, parts: &mut Parts<'_>) -> Option<Vec<Setting>> {
        let mut settings = Vec::new();
        if let Some(list) = parts.next(Rule::settings) {
            let mut list = Parts::of(list);
            while let Some(setting) = list.next(Rule::setting) {
                let mut parts = Parts::of(setting);
                settings.push(Setting { name: self.ident(&mut parts)?, value: self.expr(&mut parts)? });
            }
        }
        Some(settings)
    }

    /// The extents of a family, with the names of its indices. `what` states their limit.
    fn dims(&mut self, parts: &mut Parts<'_>, what: &str) -> Option<Vec<Dim>> {
        let mut dims = Vec::new();
        while let Some(dim) = parts.next(Rule::dim) {
            if dims.len() == MAX_DIMENSIONS {
                self.diagnostics.push(errors::too_many_dimensions(self.span(&dim), what));
                continue;
            }
            let mut parts = Parts::of(dim);
            dims.push(Dim { index: self.ident(&mut parts), extent: self.expr(&mut parts)? });
        }
        Some(dims)
    }

    /// The extent of an input or output, if it has one.
    fn extents(&mut self, parts: &mut Parts<'_>) -> Option<Vec<Expr>> {
        let mut extents = Vec::new();
        while let Some(extent) = parts.next(Rule::extent) {
            if extents.len() == 1 {
                let what = "an input or output has at most one dimension";
                self.diagnostics.push(errors::too_many_dimensions(self.span(&extent), what));
                continue;
            }
            extents.push(self.expr(&mut Parts::of(extent))?);
        }
        Some(extents)
    }

    fn port(&mut self, node: Node<'_>) -> Option<Port> {
        let directions = [
            (Rule::kw_in, PortDirection::In),
            (Rule::kw_out, PortDirection::Out),
            (Rule::kw_inout, PortDirection::Inout),
        ];
        let direction = directions.into_iter().find(|(rule, _)| has(&node, *rule))?.1;
        let span = self.span(&node);
        let mut parts = Parts::of(node);
        let name = self.ident(&mut parts)?;
        let extent = match parts.next(Rule::dim) {
            Some(dim) => Some(self.expr(&mut Parts::of(dim))?),
            None => None,
        };
        Some(Port { direction, name, extent, carries: self.carries(parts.next(Rule::carries)?)?, span })
    }

    fn carries(&mut self, node: Node<'_>) -> Option<PortType> {
        let kind = node.clone().into_inner().next()?.as_rule();
        let stated = |rule, asynchronous| has(&node, rule).then_some(asynchronous);
        let asynchronous = stated(Rule::kw_async, true).or_else(|| stated(Rule::kw_sync, false));
        let mut parts = Parts::of(node);
        Some(match kind {
            Rule::kw_window => {
                let window = self.window(&mut parts)?;
                let margin = match parts.next(Rule::margin) {
                    Some(margin) => Some(self.size(&mut Parts::of(margin))?),
                    None => None,
                };
                PortType::Window { window, margin }
            }
            Rule::kw_stream => PortType::Stream(self.flow(&mut parts)?),
            Rule::kw_packets => PortType::Packets(self.flow(&mut parts)?),
            Rule::kw_cascade => PortType::Cascade(self.ident(&mut parts)?),
            _ => PortType::Parameter { values: self.flow(&mut parts)?, asynchronous },
        })
    }

    fn size(&mut self, parts: &mut Parts<'_>) -> Option<Size> {
        let amount = self.expr(parts)?;
        let unit = parts.next(Rule::unit).map(|unit| Spanned::new(unit_of(&unit), self.span(&unit)));
        Some(Size { amount, unit })
    }

    fn flow(&mut self, parts: &mut Parts<'_>) -> Option<Flow> {
        let node = parts.next(Rule::flow)?;
        let span = self.span(&node);
        let sized = has(&node, Rule::expr);
        let mut parts = Parts::of(node);
        let element = self.ident(&mut parts)?;
        let size = if sized { Some(self.size(&mut parts)?) } else { None };
        Some(Flow { element, size, span })
    }

    fn window(&mut self, parts: &mut Parts<'_>) -> Option<Window> {
        let node = parts.next(Rule::window_type)?;
        let span = self.span(&node);
        let mut parts = Parts::of(node);
        let (element, size) = (self.ident(&mut parts)?, self.expr(&mut parts)?);
        let unit = parts.next(Rule::unit).map(|unit| Spanned::new(unit_of(&unit), self.span(&unit)));
        Some(Window { element, size, unit, span })
    }

    fn bytes(&mut self, parts: &mut Parts<'_>) -> Option<Bytes> {
        let node = parts.next(Rule::bytes)?;
        let span = self.span(&node);
        let mut parts = Parts::of(node);
        let amount = self.expr(&mut parts)?;
        Some(Bytes { amount, unit: unit_of(&parts.next(Rule::unit)?), span })
    }

    fn kernel_property(&mut self, node: Node<'_>) -> Option<KernelProperty> {
        let inner = Parts::of(node).any()?;
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner);
        Some(match rule {
            Rule::source => KernelProperty::Source(self.string(&mut parts)?),
            Rule::stack => KernelProperty::Stack(self.bytes(&mut parts)?),
            Rule::heap => KernelProperty::Heap(self.bytes(&mut parts)?),
            Rule::runtime => {
                let node = parts.next(Rule::ratio)?;
                KernelProperty::Runtime(Spanned::new(node.as_str().to_owned(), self.span(&node)))
            }
            Rule::program => KernelProperty::Program(self.bytes(&mut parts)?),
            Rule::function => KernelProperty::Function(self.ident(&mut parts)?),
            Rule::header => KernelProperty::Header(self.string(&mut parts)?),
            Rule::init => KernelProperty::Init(self.string(&mut parts)?),
            Rule::template => KernelProperty::Template(self.arguments(&mut parts)?),
            Rule::arguments => KernelProperty::Arguments(self.arguments(&mut parts)?),
            Rule::kernel_choice => KernelProperty::If(self.choice(parts, Self::spanned_property)?),
            _ => return None,
        })
    }

    fn spanned_property(&mut self, node: Node<'_>) -> Option<Spanned<KernelProperty>> {
        let span = self.span(&node);
        Some(Spanned::new(self.kernel_property(node)?, span))
    }

    fn arguments(&mut self, parts: &mut Parts<'_>) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        while let Some(argument) = parts.next(Rule::argument) {
            let mut parts = Parts::of(argument);
            arguments.push(Argument { value: self.expr(&mut parts)?, class: self.ident(&mut parts) });
        }
        Some(arguments)
    }

    fn collective(&mut self, mut parts: Parts<'_>) -> Option<Collective> {
        let operation = parts.next(Rule::operation)?;
        let operation = Spanned::new(operation.as_str().to_owned(), self.span(&operation));
        let name = self.ident(&mut parts)?;
        let over = self.references(&mut parts)?;
        let mut body = Parts::of(parts.next(Rule::collective_body)?);
        let mut properties = Vec::new();
        while let Some(property) = body.next(Rule::collective_property) {
            let span = self.span(&property);
            properties.push(Spanned::new(self.collective_property(property)?, span));
        }
        Some(Collective { operation, name, over, properties })
    }

    fn collective_property(&mut self, node: Node<'_>) -> Option<CollectiveProperty> {
        use CollectiveProperty as P;
        let inner = Parts::of(node).any()?;
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner);
        Some(match rule {
            Rule::op => P::Op(self.operator(&mut parts)?),
            Rule::data => P::Data(self.window(&mut parts)?),
            Rule::window => P::Window(self.window(&mut parts)?),
            Rule::root => {
                let reference = parts.next(Rule::selection)?;
                P::Root(self.reference(reference)?)
            }
            Rule::shape => P::Shape(self.shape(&mut parts)?),
            Rule::buffer => P::Buffer(self.ident(&mut parts)?),
            Rule::calls => P::Calls(self.expr(&mut parts)?),
            Rule::cycles => P::Cycles(self.window(&mut parts)?),
            Rule::reference => P::Reference(self.expr(&mut parts)?),
            Rule::style => P::Style(self.ident(&mut parts)?),
            Rule::exclusive => P::Exclusive,
            Rule::shift => P::Shift(self.expr(&mut parts)?),
            Rule::to => P::To(self.expr(&mut parts)?),
            Rule::counts => P::Counts(self.expr(&mut parts)?),
            Rule::headed => P::Headed,
            Rule::base => P::Base(self.expr(&mut parts)?),
            Rule::size => P::Size(self.expr(&mut parts)?),
            Rule::num => P::Num(self.expr(&mut parts)?),
            Rule::stride => P::Stride(self.expr(&mut parts)?),
            _ => return None,
        })
    }

    fn operator(&mut self, parts: &mut Parts<'_>) -> Option<Operator> {
        let name = self.ident(parts)?;
        let from = match parts.next(Rule::user_op) {
            Some(user) => {
                let mut parts = Parts::of(user);
                Some((self.string(&mut parts)?, self.ident(&mut parts)?))
            }
            None => None,
        };
        Some(Operator { name, from })
    }

    fn shape(&mut self, parts: &mut Parts<'_>) -> Option<Shape> {
        if let Some(tree) = parts.next(Rule::tree) {
            return Some(Shape::Tree(self.expr(&mut Parts::of(tree))?));
        }
        if let Some(hub) = parts.next(Rule::hub) {
            return Some(Shape::Hub(self.expr(&mut Parts::of(hub))?));
        }
        if let Some(merge) = parts.next(Rule::merging) {
            return Some(Shape::Merge(self.ident(&mut Parts::of(merge))?));
        }
        Some(Shape::Word(self.ident(parts)?))
    }

    fn external(&mut self, input: bool, mut parts: Parts<'_>) -> Option<External> {
        let name = self.ident(&mut parts)?;
        let dims = self.extents(&mut parts)?;
        let node = parts.next(Rule::endpoint)?;
        let span = self.span(&node);
        let inner = Parts::of(node).any()?;
        let rule = inner.as_rule();
        let mut inner = Parts::of(inner);
        let endpoint = match rule {
            Rule::plio => Endpoint::Plio { width: self.expr(&mut inner)?, file: self.string(&mut inner)? },
            Rule::gmio => Endpoint::Gmio { file: self.string(&mut inner) },
            _ => Endpoint::Host { file: self.string(&mut inner) },
        };
        let mut properties = Vec::new();
        while let Some(property) = parts.next(Rule::external_property) {
            let span = self.span(&property);
            properties.push(Spanned::new(self.external_property(property)?, span));
        }
        Some(External { input, name, dims, endpoint: Spanned::new(endpoint, span), properties })
    }

    fn external_property(&mut self, node: Node<'_>) -> Option<ExternalProperty> {
        let inner = Parts::of(node).any()?;
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner);
        Some(match rule {
            Rule::initial => {
                let mut list = Parts::of(parts.next(Rule::values)?);
                let mut values = Vec::new();
                while let Some(value) = list.next(Rule::expr) {
                    values.push(self.whole_expr(value)?);
                }
                ExternalProperty::Initial(values)
            }
            Rule::frequency => {
                let node = parts.next(Rule::ratio)?;
                ExternalProperty::Frequency(Spanned::new(node.as_str().to_owned(), self.span(&node)))
            }
            Rule::burst => ExternalProperty::Burst(self.expr(&mut parts)?),
            Rule::bandwidth => ExternalProperty::Bandwidth(self.expr(&mut parts)?),
            Rule::golden => ExternalProperty::Golden(self.string(&mut parts)?),
            _ => return None,
        })
    }

    fn connect(&mut self, mut parts: Parts<'_>) -> Option<Connect> {
        let from = self.connect_end(parts.next(Rule::connect_end)?)?;
        let switch = parts.next(Rule::switch).and_then(|node| self.switch(node));
        let to = self.connect_end(parts.next(Rule::connect_end)?)?;
        let mut properties = Vec::new();
        while let Some(property) = parts.next(Rule::connect_property) {
            let span = self.span(&property);
            let inner = Parts::of(property).any()?;
            let is_buffer = inner.as_rule() == Rule::buffer;
            let mut inner = Parts::of(inner);
            let property = match is_buffer {
                true => ConnectProperty::Buffer(self.ident(&mut inner)?),
                false => ConnectProperty::Fifo(self.expr(&mut inner)?),
            };
            properties.push(Spanned::new(property, span));
        }
        Some(Connect { from, to, switch, properties })
    }

    fn switch(&self, node: Node<'_>) -> Option<Spanned<Switch>> {
        let span = self.span(&node);
        let inner = Parts::of(node).any()?;
        let switch = match inner.as_rule() {
            Rule::split => Switch::Split,
            _ if has(&inner, Rule::ordered) => Switch::OrderedMerge,
            _ => Switch::Merge,
        };
        Some(Spanned::new(switch, span))
    }

    fn connect_end(&mut self, node: Node<'_>) -> Option<ConnectEnd> {
        let asynchronous = has(&node, Rule::kw_async);
        let mut parts = Parts::of(node);
        let reference = self.reference(parts.next(Rule::selection)?)?;
        let windows = parts.next(Rule::windows).and_then(|node| self.expr(&mut Parts::of(node)));
        Some(ConnectEnd { asynchronous, reference, windows })
    }

    fn reference(&mut self, node: Node<'_>) -> Option<Reference> {
        let span = self.span(&node);
        let mut nodes = Parts::of(node);
        let mut parts = Vec::new();
        while let Some(part) = nodes.next(Rule::part) {
            parts.push(self.part(part)?);
        }
        Some(Reference { parts, span })
    }

    fn part(&mut self, node: Node<'_>) -> Option<Part> {
        let mut parts = Parts::of(node);
        let name = self.ident(&mut parts)?;
        let mut indices = Vec::new();
        while let Some(index) = parts.next(Rule::index) {
            indices.push(self.index(&index)?);
        }
        Some(Part { name, indices })
    }

    fn index(&mut self, node: &Node<'_>) -> Option<Index> {
        let (mut from, mut to, mut step, mut dots) = (None, None, None, None);
        for part in node.clone().into_inner() {
            match part.as_rule() {
                Rule::sym_dots => dots = Some(self.span(&part)),
                Rule::expr if dots.is_some() => to = Some(self.whole_expr(part)?),
                Rule::expr => from = Some(self.whole_expr(part)?),
                Rule::step => step = Some(self.expr(&mut Parts::of(part))?),
                _ => {}
            }
        }
        let Some(dots) = dots else { return from.map(Index::At) };
        let start = from.as_ref().map_or(dots, |expr| expr.span);
        let end = step.as_ref().or(to.as_ref()).map_or(dots, |expr| expr.span);
        Some(Index::Range { from, to, step, span: start.to(dots).to(end) })
    }

    fn place(&mut self, mut parts: Parts<'_>) -> Option<Place> {
        let reference = self.reference(parts.next(Rule::selection)?)?;
        if let Some(tile) = self.pair(&mut parts) {
            let mut banks = Vec::new();
            if let Some(list) = parts.next(Rule::bank) {
                let mut list = Parts::of(list);
                while let Some(bank) = list.next(Rule::expr) {
                    banks.push(self.whole_expr(bank)?);
                }
            }
            return Some(Place { reference, at: At::Tile(tile), banks });
        }
        let mut anchor = Parts::of(parts.next(Rule::anchor)?);
        let of = self.reference(anchor.next(Rule::selection)?)?;
        let at = At::Kernel { of, offset: self.pair(&mut anchor) };
        Some(Place { reference, at, banks: Vec::new() })
    }

    /// The next part, if it is a `(column, row)`.
    fn pair(&mut self, parts: &mut Parts<'_>) -> Option<TilePair> {
        let mut parts = Parts::of(parts.next(Rule::tile)?);
        Some(TilePair { column: self.expr(&mut parts)?, row: self.expr(&mut parts)? })
    }

    fn area(&mut self, parts: &mut Parts<'_>) -> Option<Area> {
        let mut parts = Parts::of(parts.next(Rule::area)?);
        Some(Area { from: self.pair(&mut parts)?, to: self.pair(&mut parts) })
    }

    fn region(&mut self, mut parts: Parts<'_>) -> Option<Region> {
        Some(Region { references: self.references(&mut parts)?, area: self.area(&mut parts)? })
    }

    /// The references that follow, one after the other.
    fn references(&mut self, parts: &mut Parts<'_>) -> Option<Vec<Reference>> {
        let mut references = Vec::new();
        while let Some(reference) = parts.next(Rule::selection) {
            references.push(self.reference(reference)?);
        }
        Some(references)
    }

    fn for_loop(&mut self, mut parts: Parts<'_>) -> Option<For> {
        let variable = self.ident(&mut parts)?;
        let (from, to) = (self.expr(&mut parts)?, self.expr(&mut parts)?);
        Some(For { variable, from, to, body: self.block(&mut parts, Self::item)?.items })
    }

    /// Branches, of which `item` builds the contents.
    fn choice<T>(
        &mut self,
        mut parts: Parts<'_>,
        item: fn(&mut Self, Node<'_>) -> Option<T>,
    ) -> Option<Choice<T>> {
        let mut branches = Vec::new();
        while let Some(condition) = self.expr(&mut parts) {
            branches.push(Branch { condition, block: self.block(&mut parts, item)? });
        }
        Some(Choice { branches, otherwise: self.block(&mut parts, item) })
    }

    /// The next part, if it is items in braces.
    fn block<T>(
        &mut self,
        parts: &mut Parts<'_>,
        item: fn(&mut Self, Node<'_>) -> Option<T>,
    ) -> Option<Block<T>> {
        let bodies = [Rule::for_body, Rule::choice_body, Rule::kernel_body, Rule::component_body];
        let node = bodies.into_iter().find_map(|rule| parts.next(rule))?;
        let span = self.span(&node);
        let nodes = node.into_inner().filter(|node| !is_token(node.as_rule()));
        let items = nodes.map(|node| item(self, node)).collect::<Option<Vec<_>>>()?;
        Some(Block { items, span })
    }

    fn ident(&self, parts: &mut Parts<'_>) -> Option<Ident> {
        let node = parts.next(Rule::ident)?;
        Some(Spanned::new(node.as_str().to_owned(), self.span(&node)))
    }

    /// A string without its quotes; the span includes them.
    fn string(&self, parts: &mut Parts<'_>) -> Option<Spanned<String>> {
        let node = parts.next(Rule::string)?;
        Some(Spanned::new(node.as_str().trim_matches('"').to_owned(), self.span(&node)))
    }

    /// The next part, an expression that is not part of another one.
    fn expr(&mut self, parts: &mut Parts<'_>) -> Option<Expr> {
        let node = parts.next(Rule::expr)?;
        self.whole_expr(node)
    }

    fn whole_expr(&mut self, node: Node<'_>) -> Option<Expr> {
        self.operators = 0;
        let span = self.span(&node);
        let expr = self.inner_expr(node);
        if self.operators > MAX_OPERATORS {
            self.diagnostics.push(errors::expression_too_long(span, MAX_OPERATORS));
            return Some(Expr { kind: ExprKind::Int(0), span });
        }
        expr
    }

    /// Counts one more operator. Returns None when there are too many, which stops the expression.
    fn count_operator(&mut self) -> Option<()> {
        self.operators += 1;
        (self.operators <= MAX_OPERATORS).then_some(())
    }

    /// An `expr`: operands and operators, combined by precedence.
    fn inner_expr(&mut self, node: Node<'_>) -> Option<Expr> {
        let mut parts = Parts::of(node);
        let mut operands = vec![self.operand(parts.any()?)?];
        let mut operators: Vec<BinaryOp> = Vec::new();
        while let Some(operator) = parts.next(Rule::operator) {
            self.count_operator()?;
            let sign = self.span(&operator);
            let operator = operator_of(operator.as_str())?;
            while let Some(last) = operators.last().filter(|last| last.precedence() >= operator.precedence())
            {
                if last.is_comparison() && operator.is_comparison() {
                    self.diagnostics.push(errors::chained_comparison(sign));
                }
                combine(&mut operands, &mut operators)?;
            }
            operators.push(operator);
            operands.push(self.operand(parts.any()?)?);
        }
        while !operators.is_empty() {
            combine(&mut operands, &mut operators)?;
        }
        operands.pop()
    }

    fn operand(&mut self, node: Node<'_>) -> Option<Expr> {
        let whole = self.span(&node);
        let mut signs = Vec::new();
        let mut primary = None;
        for part in node.into_inner() {
            if matches!(part.as_rule(), Rule::minus | Rule::not) {
                self.count_operator()?;
                signs.push((part.as_rule(), self.span(&part)));
            } else {
                primary = Some(part);
            }
        }
        let mut expr = self.primary(primary?)?;
        for (rule, sign) in signs.into_iter().rev() {
            let inner = Box::new(expr);
            let kind = if rule == Rule::minus { ExprKind::Neg(inner) } else { ExprKind::Not(inner) };
            expr = Expr { kind, span: Span { start: sign.start, ..whole } };
        }
        Some(expr)
    }

    fn primary(&mut self, node: Node<'_>) -> Option<Expr> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::number => ExprKind::Int(self.number(&node)),
            Rule::name => ExprKind::Name(node.as_str().to_owned()),
            Rule::call => self.call(node)?,
            Rule::len => ExprKind::Len(self.ident(&mut Parts::of(node))?),
            Rule::item_of => self.item_of(node)?,
            Rule::paren => return self.parenthesized(node, span),
            _ => return None,
        };
        Some(Expr { kind, span })
    }

    /// What stands in parentheses; its span includes them, but for numbers and names.
    fn parenthesized(&mut self, node: Node<'_>, span: Span) -> Option<Expr> {
        let inner = Parts::of(node).any()?;
        let expr = self.inner_expr(inner)?;
        match expr.kind {
            ExprKind::Int(_) | ExprKind::Name(_) => Some(expr),
            kind => Some(Expr { kind, span }),
        }
    }

    fn item_of(&mut self, node: Node<'_>) -> Option<ExprKind> {
        self.count_operator()?;
        let mut parts = Parts::of(node);
        let table = self.ident(&mut parts)?;
        let index = self.inner_expr(parts.next(Rule::expr)?)?;
        Some(ExprKind::Item(table, Box::new(index)))
    }

    fn call(&mut self, node: Node<'_>) -> Option<ExprKind> {
        let mut parts = Parts::of(node);
        let function = match parts.next(Rule::min_max)?.as_str() {
            "min" => Function::Min,
            _ => Function::Max,
        };
        let mut arguments = Vec::new();
        while let Some(argument) = parts.next(Rule::expr) {
            self.count_operator()?;
            arguments.push(self.inner_expr(argument)?);
        }
        Some(ExprKind::Call(function, arguments))
    }

    /// The value of a number, 0 with a diagnostic if it is too large.
    fn number(&mut self, node: &Node<'_>) -> i64 {
        number_value(node.as_str()).unwrap_or_else(|| {
            self.diagnostics.push(errors::number_too_large(self.span(node)));
            0
        })
    }
}

/// Replaces the last two operands and the last operator by their combination.
fn combine(operands: &mut Vec<Expr>, operators: &mut Vec<BinaryOp>) -> Option<()> {
    let (right, left) = (operands.pop()?, operands.pop()?);
    let span = left.span.to(right.span);
    let kind = ExprKind::Binary(operators.pop()?, Box::new(left), Box::new(right));
    operands.push(Expr { kind, span });
    Some(())
}

fn unit_of(node: &Node<'_>) -> Unit {
    match node.as_str() {
        "KiB" => Unit::KiB,
        "MiB" => Unit::MiB,
        _ => Unit::Byte,
    }
}

/// The value of a number as written, if it is one and fits.
pub fn number_value(text: &str) -> Option<i64> {
    let digits = text.replace('_', "");
    match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

fn operator_of(text: &str) -> Option<BinaryOp> {
    BinaryOp::ALL.into_iter().find(|operator| operator.symbol() == text)
}

impl BinaryOp {
    /// Every operator.
    pub const ALL: [Self; 16] = [
        Self::Mul,
        Self::Div,
        Self::Rem,
        Self::Add,
        Self::Sub,
        Self::Shl,
        Self::Shr,
        Self::And,
        Self::Xor,
        Self::Or,
        Self::Eq,
        Self::Ne,
        Self::Lt,
        Self::Le,
        Self::Gt,
        Self::Ge,
    ];

    /// The operator as written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::And => "&",
            Self::Xor => "^",
            Self::Or => "|",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// True for the operators that give 0 or 1. They do not group: `a < b < c` is refused.
    pub const fn is_comparison(self) -> bool {
        self.precedence() == 1
    }

    /// How tightly it binds: larger is tighter, equal groups from the left.
    pub const fn precedence(self) -> u8 {
        match self {
            Self::Mul | Self::Div | Self::Rem => 7,
            Self::Add | Self::Sub => 6,
            Self::Shl | Self::Shr => 5,
            Self::And => 4,
            Self::Xor => 3,
            Self::Or => 2,
            Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge => 1,
        }
    }
}
