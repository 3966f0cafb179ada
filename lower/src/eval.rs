//! Expressions to numbers, and constants to values.
//!
//! All arithmetic is checked: a value that does not fit 64 bits is an error at the operator that
//! makes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use aiec_diag::{Diagnostic, Span};
use aiec_dsl::ast::{BinaryOp, Expr, ExprKind, Function, Ident};
use aiec_ir::{Comparison, Decimal, Formula, IdVec, ids};

use crate::errors;
use crate::lower::ENOUGH_ERRORS;
use crate::scalar::{scalar, table_of};

/// The numbers of a constant table.
pub type Table = Arc<[i64]>;

/// What an expression needs a name to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A value to calculate with.
    Number,
    /// A constant table.
    Table,
}

/// The meaning of a name in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// A number.
    Value(i64),
    /// A constant table.
    Table(Table),
    /// A number with a point.
    Decimal(Decimal),
    /// A constant table of numbers with a point.
    Decimals(Arc<[Decimal]>),
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
    /// A number with a point where only whole numbers are possible.
    Decimal(String, Span),
    /// A name that is not what is wanted.
    Unknown(String, Span, Wanted),
    /// An index outside a table.
    Outside {
        /// The place of the index.
        span: Span,
        /// The name of the table.
        table: String,
        /// The value of the index.
        index: i64,
        /// Number of entries of the table.
        length: usize,
    },
    /// A number with a point and more digits than aiec keeps.
    Digits(String, Span),
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
            Lookup::Decimal(_) => Err(Fault::Decimal(name.clone(), expr.span)),
            Lookup::Table(_) | Lookup::Decimals(_) | Lookup::Unknown => {
                Err(Fault::Unknown(name.clone(), expr.span, Wanted::Number))
            }
        },
        ExprKind::Decimal(text) => Err(Fault::Decimal(text.clone(), expr.span)),
        ExprKind::Not(inner) => Ok(i64::from(value(inner, lookup)? == 0)),
        ExprKind::Item(name, index) => {
            let numbers = table(name, lookup)?;
            let at = value(index, lookup)?;
            let number = usize::try_from(at).ok().and_then(|at| numbers.get(at)).copied();
            number.ok_or_else(|| outside(name, index, at, numbers.len()))
        }
        ExprKind::Len(name) => {
            let count = match lookup(&name.value) {
                Lookup::Decimals(all) => all.len(),
                _ => table(name, lookup)?.len(),
            };
            Ok(i64::try_from(count).unwrap_or(i64::MAX))
        }
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

/// The table called `name`.
pub fn table(name: &Ident, lookup: &impl Fn(&str) -> Lookup) -> Result<Table, Fault> {
    match lookup(&name.value) {
        Lookup::Table(table) => Ok(table),
        Lookup::Failed => Err(Fault::Reported),
        Lookup::Decimals(_) => Err(Fault::Decimal(name.value.clone(), name.span)),
        Lookup::Value(_) | Lookup::Decimal(_) | Lookup::Unknown => {
            Err(Fault::Unknown(name.value.clone(), name.span, Wanted::Table))
        }
    }
}

/// An index outside a table of `length` numbers.
pub fn outside(table: &Ident, index: &Expr, value: i64, length: usize) -> Fault {
    Fault::Outside { span: index.span, table: table.value.clone(), index: value, length }
}

/// The comparison that an operator makes, if it makes one.
const fn comparison(op: BinaryOp) -> Option<Comparison> {
    Some(match op {
        BinaryOp::Eq => Comparison::Equal,
        BinaryOp::Ne => Comparison::Different,
        BinaryOp::Lt => Comparison::Less,
        BinaryOp::Le => Comparison::AtMost,
        BinaryOp::Gt => Comparison::Greater,
        BinaryOp::Ge => Comparison::AtLeast,
        _ => return None,
    })
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
        BinaryOp::And => Some(a & b),
        BinaryOp::Xor => Some(a ^ b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            comparison(op).map(|comparison| i64::from(comparison.holds(a, b)))
        }
    };
    result.ok_or("overflow")
}

/// True if `expr` uses the number called `name`.
pub fn mentions(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Decimal(_) | ExprKind::Len(_) => false,
        ExprKind::Name(other) => other == name,
        ExprKind::Neg(inner) | ExprKind::Not(inner) | ExprKind::Item(_, inner) => mentions(inner, name),
        ExprKind::Binary(_, left, right) => mentions(left, name) || mentions(right, name),
        ExprKind::Call(_, arguments) => arguments.iter().any(|argument| mentions(argument, name)),
    }
}

/// `expr` as a formula over the `variables`; every other name is looked up.
pub fn formula(
    expr: &Expr,
    variables: &BTreeMap<String, Formula>,
    lookup: &impl Fn(&str) -> Lookup,
) -> Result<Formula, Fault> {
    let boxed = |expr: &Expr| formula(expr, variables, lookup).map(Box::new);
    Ok(match &expr.kind {
        ExprKind::Name(name) => match variables.get(name.as_str()) {
            Some(variable) => variable.clone(),
            None => Formula::Int(value(expr, lookup)?),
        },
        ExprKind::Int(_) | ExprKind::Decimal(_) | ExprKind::Len(_) => Formula::Int(value(expr, lookup)?),
        ExprKind::Not(inner) => Formula::Not(boxed(inner)?),
        ExprKind::Item(name, index) => {
            let values = table(name, lookup)?;
            Formula::Item { table: name.value.clone(), values, index: boxed(index)? }
        }
        ExprKind::Neg(inner) => Formula::Neg(boxed(inner)?),
        ExprKind::Binary(op, left, right) => binary_formula(*op, boxed(left)?, boxed(right)?),
        ExprKind::Call(function, arguments) => {
            let arguments: Vec<Formula> =
                arguments.iter().map(|a| formula(a, variables, lookup)).collect::<Result<_, _>>()?;
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
        BinaryOp::And => Formula::And(a, b),
        BinaryOp::Xor => Formula::Xor(a, b),
        BinaryOp::Or => Formula::Or(a, b),
        BinaryOp::Eq => Formula::Compare(Comparison::Equal, a, b),
        BinaryOp::Ne => Formula::Compare(Comparison::Different, a, b),
        BinaryOp::Lt => Formula::Compare(Comparison::Less, a, b),
        BinaryOp::Le => Formula::Compare(Comparison::AtMost, a, b),
        BinaryOp::Gt => Formula::Compare(Comparison::Greater, a, b),
        BinaryOp::Ge => Formula::Compare(Comparison::AtLeast, a, b),
    }
}

/// The value of a constant before it is computed.
pub enum Definition<'a> {
    /// An expression, still to be computed.
    Number(&'a Expr),
    /// The numbers of a table.
    Table(&'a [Expr]),
    /// The value is known: it was replaced, or comes from a file. None when the value is an error.
    Known(Option<Value>),
}

impl<'a> Definition<'a> {
    /// The definition of a constant of a component: the table of `values` that `value` names alone,
    /// or a number.
    pub fn of_setting(value: &'a Expr, values: &Values) -> Self {
        let ExprKind::Name(name) = &value.kind else { return Self::Number(value) };
        match values.get(name).cloned().flatten().filter(Value::is_table) {
            Some(table) => Self::Known(Some(table)),
            None => Self::Number(value),
        }
    }
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// Numbers in a row.
    Table(Table),
    /// A number with a point.
    Decimal(Decimal),
    /// Numbers in a row, of which one has a point.
    Decimals(Arc<[Decimal]>),
}

impl Value {
    /// True for numbers in a row.
    pub const fn is_table(&self) -> bool {
        matches!(self, Self::Table(_) | Self::Decimals(_))
    }
}

/// A constant as declared.
pub struct Constant<'a> {
    /// The word that expressions use.
    pub name: &'a Ident,
    /// What gives the constant its value.
    pub definition: Definition<'a>,
}

/// Values by name. None when the value of the constant is an error.
pub type Values = BTreeMap<String, Option<Value>>;

/// The values of all constants, which may refer to each other in any order but not in cycles.
///
/// `unknown` makes the diagnostic for a name that is no constant. Works without recursion over
/// constants, however long their chains are.
pub fn constants<'a>(
    constants: &'a [Constant<'a>],
    diagnostics: &'a mut Vec<Diagnostic>,
    unknown: &'a impl Fn(&str, Span, Wanted) -> Diagnostic,
) -> Values {
    let constants: IdVec<ConstantId, &Constant<'_>> = constants.iter().collect();
    let index: BTreeMap<&str, ConstantId> =
        constants.enumerate().rev().map(|(id, constant)| (constant.name.value.as_str(), id)).collect();
    let ids = constants.ids();
    let state = IdVec::filled(State::New, constants.len());
    let mut solver = Solver { constants, index, state, values: Values::new(), diagnostics, unknown };
    for start in ids {
        solver.solve(start);
    }
    solver.values
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

ids! {
    /// One of the constants that are evaluated together.
    ConstantId;
}

/// A constant with the ones that it needs and that are still to be evaluated, the next one last.
struct Pending {
    constant: ConstantId,
    needs: Vec<ConstantId>,
}

/// Evaluates the constants in depth-first order, each after those it needs.
struct Solver<'a, U> {
    constants: IdVec<ConstantId, &'a Constant<'a>>,
    index: BTreeMap<&'a str, ConstantId>,
    state: IdVec<ConstantId, State>,
    values: Values,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Makes the diagnostic for a name that is no constant.
    unknown: &'a U,
}

impl<U: Fn(&str, Span, Wanted) -> Diagnostic> Solver<'_, U> {
    fn solve(&mut self, start: ConstantId) {
        let mut stack: Vec<Pending> = Vec::new();
        self.enter(start, &mut stack);
        while let Some(Pending { constant, needs }) = stack.last_mut() {
            let constant = *constant;
            match needs.pop() {
                Some(need) if self.state[need] == State::Open => {
                    let cycle = self.cycle(&stack, need);
                    self.diagnostics.push(cycle);
                    self.values.insert(self.constants[need].name.value.clone(), None);
                }
                Some(need) => self.enter(need, &mut stack),
                None => {
                    self.finish(constant);
                    stack.pop();
                }
            }
        }
    }

    fn enter(&mut self, constant: ConstantId, stack: &mut Vec<Pending>) {
        if self.state[constant] != State::New {
            return;
        }
        self.state[constant] = State::Open;
        let mut needs = Vec::new();
        match &self.constants[constant].definition {
            Definition::Number(expr) => self.needs(expr, &mut needs),
            Definition::Table(numbers) => numbers.iter().for_each(|expr| self.needs(expr, &mut needs)),
            Definition::Known(_) => {}
        }
        needs.reverse();
        stack.push(Pending { constant, needs });
    }

    /// The constants that `expr` names, in its order.
    fn needs(&self, expr: &Expr, found: &mut Vec<ConstantId>) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Decimal(_) => {}
            ExprKind::Name(name) => found.extend(self.index.get(name.as_str())),
            ExprKind::Neg(inner) | ExprKind::Not(inner) => self.needs(inner, found),
            ExprKind::Len(name) => found.extend(self.index.get(name.value.as_str())),
            ExprKind::Item(name, index) => {
                found.extend(self.index.get(name.value.as_str()));
                self.needs(index, found);
            }
            ExprKind::Binary(_, left, right) => {
                self.needs(left, found);
                self.needs(right, found);
            }
            ExprKind::Call(_, arguments) => arguments.iter().for_each(|argument| self.needs(argument, found)),
        }
    }

    fn cycle(&self, stack: &[Pending], need: ConstantId) -> Diagnostic {
        /// More constants of a circle do not fit a message.
        const MOST_NAMED: usize = 8;
        let name = |at: ConstantId| self.constants[at].name.value.as_str();
        let first = stack.iter().position(|pending| pending.constant == need).unwrap_or(0);
        let mut chain: Vec<&str> =
            stack[first..].iter().take(MOST_NAMED).map(|pending| name(pending.constant)).collect();
        if stack.len() - first > chain.len() {
            chain.push("...");
        }
        chain.push(name(need));
        errors::cyclic_constant(self.constants[need].name.span, &chain)
    }

    fn finish(&mut self, id: ConstantId) {
        self.state[id] = State::Done;
        let constant = self.constants[id];
        if self.values.contains_key(&constant.name.value) {
            return; // part of a cycle, or declared twice
        }
        if self.diagnostics.len() >= ENOUGH_ERRORS {
            self.values.insert(constant.name.value.clone(), None);
            return;
        }
        let known = |name: &str| lookup(&self.values, name);
        let result = match &constant.definition {
            Definition::Known(known) => known.clone().ok_or(Fault::Reported),
            Definition::Number(expr) => scalar(expr, &known).map(Value::from),
            Definition::Table(numbers) => {
                let numbers = numbers.iter().map(|number| scalar(number, &known));
                numbers.collect::<Result<Vec<_>, _>>().map(|numbers| table_of(&numbers))
            }
        };
        let found = result.map_err(|fault| self.diagnostics.extend(fault.diagnostic(self.unknown))).ok();
        self.values.insert(constant.name.value.clone(), found);
    }
}

/// The constant called `name` among `values`.
pub fn lookup(values: &Values, name: &str) -> Lookup {
    match values.get(name) {
        Some(Some(Value::Number(number))) => Lookup::Value(*number),
        Some(Some(Value::Table(table))) => Lookup::Table(Arc::clone(table)),
        Some(Some(Value::Decimal(number))) => Lookup::Decimal(*number),
        Some(Some(Value::Decimals(all))) => Lookup::Decimals(Arc::clone(all)),
        Some(None) => Lookup::Failed,
        None => Lookup::Unknown,
    }
}

impl Fault {
    /// The diagnostic, unless it was already reported.
    pub fn diagnostic(self, unknown: &impl Fn(&str, Span, Wanted) -> Diagnostic) -> Option<Diagnostic> {
        match self {
            Self::Reported => None,
            Self::Decimal(text, span) => Some(errors::decimal(span, &text)),
            Self::Unknown(name, span, wanted) => Some(unknown(&name, span, wanted)),
            Self::Outside { span, table, index, length } => {
                Some(errors::outside_table(span, &table, index, length))
            }
            Self::Digits(text, span) => Some(errors::digits(span, &text)),
            Self::Arithmetic(what, span) => Some(errors::arithmetic(span, what)),
        }
    }
}
