//! The text of expressions, references and types.

use aiec_diag::Span;

use super::Printer;
use crate::ast::Window;
use crate::ast::{
    BinaryOp, Bytes, Constant, Dim, Expr, ExprKind, Function, Ident, Index, Part, Reference, Setting,
};
use crate::tree::number_value;

/// Indented lines with as many of `items` as fit, each with a comma behind it.
pub(super) fn filled(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from("   ");
    for item in items {
        if line.len() + item.len() + 2 > super::WIDTH && line.trim() != "" {
            lines.push(std::mem::replace(&mut line, String::from("   ")));
        }
        line.push_str(&format!(" {item},"));
    }
    lines.push(line);
    lines
}

/// `"NAME"` for each name.
pub(super) fn quoted(names: &[Ident]) -> Vec<String> {
    names.iter().map(|name| format!("\"{}\"", name.value)).collect()
}

/// The names behind `called` of kernels, on lines of their own if they need several.
pub(super) fn called(names: &[Ident]) -> String {
    let quoted = quoted(names);
    let flat = format!(" called {}", quoted.join(", "));
    match quoted.len() {
        0 => String::new(),
        1 => flat,
        _ if super::fits(&format!("kernel{flat}")) => flat,
        _ => format!(" called\n{}", filled(quoted.into_iter()).join("\n").trim_end_matches(',')),
    }
}

/// ` called "NAME"`, or nothing.
pub(super) fn member(called: &Option<Ident>) -> String {
    called.as_ref().map_or_else(String::new, |name| format!(" called \"{}\"", name.value))
}

impl Printer<'_> {
    pub(super) fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int(value) => self.number(*value, expr.span),
            ExprKind::Decimal(text) => text.clone(),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Neg(inner) => self.signed('-', inner),
            ExprKind::Not(inner) => self.signed('!', inner),
            ExprKind::Binary(op, left, right) => {
                let groups = !op.is_comparison();
                let left = self
                    .operand(left, |inner| inner < op.precedence() || !groups && inner == op.precedence());
                let right = self.operand(right, |inner| inner <= op.precedence());
                format!("{left} {} {right}", op.symbol())
            }
            ExprKind::Call(function, arguments) => {
                let name = match function {
                    Function::Min => "min",
                    Function::Max => "max",
                };
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("{name}({})", arguments.join(", "))
            }
            ExprKind::Item(table, index) => format!("{}[{}]", table.value, self.expr(index)),
            ExprKind::Len(table) => format!("len({})", table.value),
        }
    }

    /// A sign and its operand.
    fn signed(&self, sign: char, inner: &Expr) -> String {
        match inner.kind {
            ExprKind::Binary(..) => format!("{sign}({})", self.expr(inner)),
            _ => format!("{sign}{}", self.expr(inner)),
        }
    }

    /// An operand, in parentheses if it is a binary expression whose precedence needs them.
    fn operand(&self, expr: &Expr, parenthesize: impl Fn(u8) -> bool) -> String {
        let precedence = match &expr.kind {
            ExprKind::Binary(op, ..) => Some(BinaryOp::precedence(*op)),
            _ => None,
        };
        match precedence {
            Some(inner) if parenthesize(inner) => format!("({})", self.expr(expr)),
            _ => self.expr(expr),
        }
    }

    /// A number in its source spelling (hexadecimal, with separators), or in decimal if it has no
    /// source.
    fn number(&self, value: i64, span: Span) -> String {
        let written = self.text.get(span.start as usize..span.end as usize);
        match written.filter(|text| number_value(text) == Some(value)) {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        }
    }

    pub(super) fn dims(&self, dims: &[Dim]) -> String {
        let name =
            |dim: &Dim| dim.index.as_ref().map_or_else(String::new, |name| format!("{}: ", name.value));
        dims.iter().map(|dim| format!("[{}{}]", name(dim), self.expr(&dim.extent))).collect()
    }

    pub(super) fn extents(&self, extents: &[Expr]) -> String {
        extents.iter().map(|extent| format!("[{}]", self.expr(extent))).collect()
    }

    /// A constant's line; a table that is too long for one is broken between its numbers.
    pub(super) fn constant(&self, name: &str, value: &Constant) -> String {
        let numbers = match value {
            Constant::Number(number) => return format!("const {name} = {}", self.expr(number)),
            Constant::File(file) => return format!("const {name} = from \"{}\"", file.value),
            Constant::Table(numbers) => numbers.iter().map(|number| self.expr(number)),
        };
        let numbers: Vec<String> = numbers.collect();
        let flat = format!("const {name} = [{}]", numbers.join(", "));
        if super::fits(&flat) {
            return flat;
        }
        let mut lines = vec![format!("const {name} = [")];
        lines.extend(filled(numbers.into_iter()));
        lines.push("]".to_owned());
        lines.join("\n")
    }

    /// A constant table with comments: its rows as they are written, each with the comment behind
    /// it.
    pub(super) fn table(&mut self, name: &Ident, numbers: &[Expr], span: Span) {
        let bracket = self.find("[", name.span.end as usize);
        self.open(span, bracket, &format!("const {} = [", name.value));
        let mut rest = numbers;
        while !rest.is_empty() {
            let goes_on = |two: &&[Expr]| !self.breaks(two[0].span.end as usize, two[1].span.start as usize);
            let count = 1 + rest.windows(2).take_while(goes_on).count();
            let (row, others) = rest.split_at(count);
            let lines = filled(row.iter().map(|number| self.expr(number)));
            let lines: Vec<&str> = lines.iter().map(|line| line.trim_start()).collect();
            let text = self.lines(&lines.join("\n"));
            self.line(Span { start: row[0].span.start, end: row[count - 1].span.end, ..span }, &text);
            rest = others;
        }
        let end = span.end as usize;
        self.comments_until(end.saturating_sub(1));
        self.indent -= 1;
        self.write("]");
        self.trail(end);
    }

    /// True if a line ends or a comment stands between two numbers of a table.
    fn breaks(&self, from: usize, to: usize) -> bool {
        self.text.get(from..to).is_some_and(|gap| gap.contains(['\n', '/']))
    }

    pub(super) fn window(&self, window: &Window) -> String {
        let unit = window.unit.as_ref().map_or_else(String::new, |unit| format!(" {}", unit.value.name()));
        format!("{}[{}{unit}]", window.element.value, self.expr(&window.size))
    }

    pub(super) fn bytes(&self, bytes: &Bytes) -> String {
        format!("{} {}", self.expr(&bytes.amount), bytes.unit.name())
    }

    pub(super) fn reference(&self, reference: &Reference) -> String {
        let part = |part: &Part| {
            let indices: String = part.indices.iter().map(|index| self.index(index)).collect();
            format!("{}{indices}", part.name.value)
        };
        reference.parts.iter().map(part).collect::<Vec<_>>().join(".")
    }

    /// Constants of a component or of its instances, in parentheses; nothing if there are none.
    pub(super) fn settings(&self, settings: &[Setting]) -> String {
        let setting = |setting: &Setting| format!("{} = {}", setting.name.value, self.expr(&setting.value));
        let all: Vec<String> = settings.iter().map(setting).collect();
        if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
    }

    /// A step; one that starts with a minus has parentheses, since `step` could be a constant.
    fn step(&self, step: &Expr) -> String {
        let text = self.expr(step);
        if text.starts_with('-') { format!("({text})") } else { text }
    }

    fn index(&self, index: &Index) -> String {
        let side = |expr: &Option<Expr>| expr.as_ref().map_or_else(String::new, |expr| self.expr(expr));
        match index {
            Index::At(expr) => format!("[{}]", self.expr(expr)),
            Index::Range { from, to, step, .. } => {
                let step =
                    step.as_ref().map_or_else(String::new, |step| format!(" step {}", self.step(step)));
                format!("[{}..{}{step}]", side(from), side(to))
            }
        }
    }
}
