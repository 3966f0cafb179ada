//! Expressions.

use aiec_diag::Span;
use serde::Serialize;

use super::Ident;

/// An expression of numbers, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Expr {
    /// The kind of expression, with its operands.
    pub kind: ExprKind,
    /// Source location of the whole expression.
    #[serde(skip)]
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A number.
    Int(i64),
    /// A number with a point, as written.
    Decimal(String),
    /// A constant or loop variable.
    Name(String),
    /// `-e`
    Neg(Box<Expr>),
    /// `!e`: 1 if `e` is 0, else 0.
    Not(Box<Expr>),
    /// `a OP b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `min(a, b)` or `max(a, b)`
    Call(Function, Vec<Expr>),
    /// `TABLE[e]`
    Item(Ident, Box<Expr>),
    /// `len(TABLE)`
    Len(Ident),
}

/// The binary operators, by falling precedence: `* / %`, `+ -`, `<< >>`, `&`, `^`, `|`, and the
/// comparisons, which give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`, rounding towards zero.
    Div,
    /// `%`, with the sign of the left side.
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`, keeping the sign.
    Shr,
    /// `&`, bit by bit.
    And,
    /// `^`, bit by bit.
    Xor,
    /// `|`, bit by bit.
    Or,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// The functions of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    /// The smallest argument.
    Min,
    /// The largest argument.
    Max,
}

impl BinaryOp {
    /// Every operator, in the order of the enum.
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
