//! Expressions to numbers, and constants to values.
//!
//! All arithmetic is checked: a value that does not fit 64 bits is an error at the operator that
//! makes it.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, Span};
use aiec_dsl::ast::{BinaryOp, Expr, ExprKind, Function, Ident};
use aiec_ir::Formula;

use crate::errors;
use crate::lower::ENOUGH_ERRORS;

/// The meaning of a name in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// A number.
    Value(i64),
    /// A name whose value is an error that was already reported.
    Failed,
    /// Not a number, or nothing at all.
    Unknown,
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Reported where it arose.
    Reported,
    /// A name that is no number.
    Unknown(String, Span),
    /// The arithmetic went wrong.
    Arithmetic(&'static str, Span),
}

/// The value of `expr`, with names looked up by `lookup`.
pub fn value(expr: &Expr, lookup: &impl Fn(&str) -> Lookup) -> Result<i64, Fault> {
    match &expr.kind {
        ExprKind::Int(number) => Ok(*number),
        ExprKind::Name(name) => match lookup(name) {
            Lookup::Value(number) => Ok(number),
            Lookup::Failed => Err(Fault::Reported),
            Lookup::Unknown => Err(Fault::Unknown(name.clone(), expr.span)),
        },
        ExprKind::Neg(inner) => {
            value(inner, lookup)?.checked_neg().ok_or(Fault::Arithmetic("overflow", expr.span))
        }
        ExprKind::Binary(op, left, right) => {
            let (a, b) = (value(left, lookup)?, value(right, lookup)?);
            apply(*op, a, b).map_err(|what| Fault::Arithmetic(what, expr.span))
        }
        ExprKind::Call(function, arguments) => {
            let values: Vec<i64> = arguments.iter().map(|a| value(a, lookup)).collect::<Result<_, _>>()?;
            let chosen = match function {
                Function::Min => values.into_iter().min(),
                Function::Max => values.into_iter().max(),
            };
            chosen.ok_or(Fault::Arithmetic("a function without arguments", expr.span))
        }
    }
}

fn apply(op: BinaryOp, a: i64, b: i64) -> Result<i64, &'static str> {
    let shift =
        || u32::try_from(b).ok().filter(|&bits| bits < 64).ok_or("a shift by less than 0 or more than 63");
    let result = match op {
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err("division by zero"),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Shl => {
            1i128.checked_shl(shift()?).and_then(|f| i64::try_from(i128::from(a).checked_mul(f)?).ok())
        }
        BinaryOp::Shr => Some(a >> shift()?),
    };
    result.ok_or("overflow")
}

/// `expr` as a formula over `rank`, `i` and `call`; every other name is looked up.
pub fn formula(expr: &Expr, lookup: &impl Fn(&str) -> Lookup) -> Result<Formula, Fault> {
    let boxed = |expr: &Expr| formula(expr, lookup).map(Box::new);
    Ok(match &expr.kind {
        ExprKind::Name(name) if name == "rank" => Formula::Rank,
        ExprKind::Name(name) if name == "i" => Formula::Element,
        ExprKind::Name(name) if name == "call" => Formula::Call,
        ExprKind::Int(_) | ExprKind::Name(_) => Formula::Int(value(expr, lookup)?),
        ExprKind::Neg(inner) => Formula::Neg(boxed(inner)?),
        ExprKind::Binary(op, left, right) => binary_formula(*op, boxed(left)?, boxed(right)?),
        ExprKind::Call(function, arguments) => {
            let arguments: Vec<Formula> =
                arguments.iter().map(|a| formula(a, lookup)).collect::<Result<_, _>>()?;
            let combine = |a: Formula, b: Formula| match function {
                Function::Min => Formula::Min(Box::new(a), Box::new(b)),
                Function::Max => Formula::Max(Box::new(a), Box::new(b)),
            };
            let combined = arguments.into_iter().reduce(combine);
            combined.ok_or(Fault::Arithmetic("a function without arguments", expr.span))?
        }
    })
}

fn binary_formula(op: BinaryOp, a: Box<Formula>, b: Box<Formula>) -> Formula {
    match op {
        BinaryOp::Mul => Formula::Mul(a, b),
        BinaryOp::Div => Formula::Div(a, b),
        BinaryOp::Rem => Formula::Rem(a, b),
        BinaryOp::Add => Formula::Add(a, b),
        BinaryOp::Sub => Formula::Sub(a, b),
        BinaryOp::Shl => Formula::Shl(a, b),
        BinaryOp::Shr => Formula::Shr(a, b),
    }
}

/// A constant as declared.
pub struct Constant<'a> {
    /// Its name.
    pub name: &'a Ident,
    /// Its value in the design.
    pub expr: &'a Expr,
    /// The value that replaces it.
    pub replaced: Option<i64>,
}

/// Values by name. None for a constant whose value is an error.
pub type Values = BTreeMap<String, Option<i64>>;

/// The values of all constants, which may refer to each other in any order but not in cycles.
///
/// `unknown` makes the diagnostic for a name that is no constant. Works without recursion over
/// constants, however long their chains are.
pub fn constants(
    constants: &[Constant<'_>],
    diagnostics: &mut Vec<Diagnostic>,
    unknown: &impl Fn(&str, Span) -> Diagnostic,
) -> Values {
    let index: BTreeMap<&str, usize> =
        constants.iter().enumerate().rev().map(|(at, constant)| (constant.name.value.as_str(), at)).collect();
    let mut solver =
        Solver { constants, index, state: vec![State::New; constants.len()], values: Values::new() };
    for start in 0..constants.len() {
        solver.solve(start, diagnostics, unknown);
    }
    solver.values
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Evaluates the constants in depth-first order, each after those it needs.
struct Solver<'a> {
    constants: &'a [Constant<'a>],
    index: BTreeMap<&'a str, usize>,
    state: Vec<State>,
    values: Values,
}

impl<'a> Solver<'a> {
    fn solve(
        &mut self,
        start: usize,
        diagnostics: &mut Vec<Diagnostic>,
        unknown: &impl Fn(&str, Span) -> Diagnostic,
    ) {
        let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
        self.enter(start, &mut stack);
        while let Some((node, needs)) = stack.last_mut() {
            let node = *node;
            match needs.pop() {
                Some(need) if self.state[need] == State::Open => {
                    diagnostics.push(self.cycle(&stack, need));
                    self.values.insert(self.constants[need].name.value.clone(), None);
                }
                Some(need) => self.enter(need, &mut stack),
                None => {
                    self.finish(node, diagnostics, unknown);
                    stack.pop();
                }
            }
        }
    }

    fn enter(&mut self, node: usize, stack: &mut Vec<(usize, Vec<usize>)>) {
        if self.state[node] != State::New {
            return;
        }
        self.state[node] = State::Open;
        let mut needs = Vec::new();
        if self.constants[node].replaced.is_none() {
            self.needs(self.constants[node].expr, &mut needs);
        }
        needs.reverse();
        stack.push((node, needs));
    }

    /// The constants that `expr` names, in its order.
    fn needs(&self, expr: &Expr, found: &mut Vec<usize>) {
        match &expr.kind {
            ExprKind::Int(_) => {}
            ExprKind::Name(name) => found.extend(self.index.get(name.as_str())),
            ExprKind::Neg(inner) => self.needs(inner, found),
            ExprKind::Binary(_, left, right) => {
                self.needs(left, found);
                self.needs(right, found);
            }
            ExprKind::Call(_, arguments) => arguments.iter().for_each(|argument| self.needs(argument, found)),
        }
    }

    fn cycle(&self, stack: &[(usize, Vec<usize>)], need: usize) -> Diagnostic {
        let name = |at: usize| self.constants[at].name.value.as_str();
        let first = stack.iter().position(|(node, _)| *node == need).unwrap_or(0);
        let mut chain: Vec<&str> = stack[first..].iter().take(8).map(|(node, _)| name(*node)).collect();
        if stack.len() - first > chain.len() {
            chain.push("...");
        }
        chain.push(name(need));
        errors::cyclic_constant(self.constants[need].name.span, &chain)
    }

    fn finish(
        &mut self,
        node: usize,
        diagnostics: &mut Vec<Diagnostic>,
        unknown: &impl Fn(&str, Span) -> Diagnostic,
    ) {
        self.state[node] = State::Done;
        let constant = &self.constants[node];
        if self.values.contains_key(&constant.name.value) {
            return; // part of a cycle, or declared twice
        }
        if diagnostics.len() >= ENOUGH_ERRORS {
            self.values.insert(constant.name.value.clone(), None);
            return;
        }
        let result = match constant.replaced {
            Some(number) => Ok(number),
            None => value(constant.expr, &|name| lookup(&self.values, name)),
        };
        let number = match result {
            Ok(number) => Some(number),
            Err(fault) => {
                diagnostics.extend(fault.diagnostic(unknown));
                None
            }
        };
        self.values.insert(constant.name.value.clone(), number);
    }
}

/// The constant called `name` among `values`.
pub fn lookup(values: &Values, name: &str) -> Lookup {
    match values.get(name) {
        Some(Some(number)) => Lookup::Value(*number),
        Some(None) => Lookup::Failed,
        None => Lookup::Unknown,
    }
}

impl Fault {
    /// The diagnostic, unless it was already reported.
    pub fn diagnostic(self, unknown: &impl Fn(&str, Span) -> Diagnostic) -> Option<Diagnostic> {
        match self {
            Self::Reported => None,
            Self::Unknown(name, span) => Some(unknown(&name, span)),
            Self::Arithmetic(what, span) => Some(errors::arithmetic(span, what)),
        }
    }
}
