//! From the grammar's pairs to the syntax tree.
//!
//! The grammar guarantees which parts are there. A builder function gives `None` only if grammar
//! and builder disagree, and reports a rule that it does not know as a fault of aiec.

mod expr;
mod kernel;
mod places;
mod wires;

use std::sync::LazyLock;

use aiec_diag::{Diagnostic, SourceFile, Span, Spanned};
use pest::iterators::{Pair, Pairs};

use crate::ast::{
    Allow, Assertion, Block, Branch, Choice, Component, Constant, Dim, Expr, For, Ident, Instantiation, Item,
    ItemKind, Pair as TilePair, Reference, Setting,
};
use crate::errors;
use crate::grammar::Rule;
use crate::scan::Scan;

pub use expr::number_value;

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
        self.file.span_at(start..end)
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
            Rule::ports => {
                let kind = self.ident(&mut parts)?;
                let object = parts.next(Rule::graph_object);
                let object = object.and_then(|node| self.string(&mut Parts::of(node)));
                ItemKind::Ports(kind, object)
            }
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
            Rule::apart => ItemKind::Apart(self.apart(&inner, parts)?),
            Rule::keepout => ItemKind::KeepOut(self.area(&mut parts)?),
            Rule::for_loop => ItemKind::For(self.for_loop(parts)?),
            Rule::choice | Rule::loop_choice => ItemKind::If(self.choice(parts, Self::item)?),
            Rule::allow => {
                ItemKind::Allow(Allow { slug: self.string(&mut parts)?, reason: self.string(&mut parts)? })
            }
            Rule::assert => ItemKind::Assert(Assertion {
                condition: self.expr(&mut parts)?,
                message: self.string(&mut parts)?,
            }),
            _ => return self.unknown(rule, span),
        };
        Some(Item { kind, span })
    }

    /// Reports a rule of the grammar for which the tree has no form.
    fn unknown<T>(&mut self, rule: Rule, span: Span) -> Option<T> {
        self.diagnostics.push(errors::unknown_rule(span, &format!("{rule:?}")));
        None
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
        let constants = self.settings(&mut parts)?;
        Some(Instantiation { name, dims, component, constants, called: self.member(&mut parts) })
    }

    /// The names behind `called`, in order.
    fn names(&self, mut parts: Parts<'_>) -> Vec<Ident> {
        std::iter::from_fn(|| self.string(&mut parts)).collect()
    }

    /// The name behind `called`.
    fn member(&self, parts: &mut Parts<'_>) -> Option<Ident> {
        self.string(&mut Parts::of(parts.next(Rule::member)?))
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
}

#[cfg(test)]
mod tests {
    use aiec_diag::{Sources, catalogue};
    use pest::Parser;

    use super::Builder;
    use crate::grammar::{Grammar, Rule};
    use crate::scan::scan;

    /// `dim` stands for a rule that the grammar got and the tree did not.
    #[test]
    fn a_rule_without_a_form_in_the_tree_is_reported() {
        let mut sources = Sources::default();
        let id = sources.add("d.dsl", "[4]");
        let file = sources.get(id).expect("added");
        let scan = scan(file).expect("a scan");
        let dim = Grammar::parse(Rule::dim, &file.text).expect("an extent").next().expect("one");
        let mut builder = Builder::new(file, &scan, 0);
        assert_eq!(builder.item(dim), None);
        let [fault] = builder.diagnostics.as_slice() else { panic!("{:?}", builder.diagnostics) };
        assert_eq!(fault.code, &catalogue::BUG);
        assert_eq!(fault.message, "the syntax tree has no form for `expr` of the grammar");
    }
}
