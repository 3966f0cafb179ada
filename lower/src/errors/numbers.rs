//! Faults of constants, tables, indices and sizes.

use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_dsl::ast::{Expr, ExprKind};
use aiec_ir::{Decimal, Design};

use super::count;

/// A table where a number is needed.
pub fn whole_table(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is a table of constants, where a number is needed"),
        format!("take one of its numbers, such as `{name}[0]`, or their number, `len({name})`"),
    )
    .label(span, format!("`{name}` is a table of constants"))
}

/// A number with a point where a whole number is needed. `text` is the number or its name.
pub fn decimal(span: Span, text: &str) -> Diagnostic {
    let whole = Decimal::parse(text).and_then(Decimal::whole).filter(|_| text.contains(['e', 'E']));
    if let Some(whole) = whole {
        return Diagnostic::new(
            &catalogue::WRONG_KIND,
            format!("`{text}` is a number of type float, where a whole number is needed"),
            format!("write `{whole}`: a whole number has no exponent"),
        )
        .label(span, "no whole number")
        .replacing(span, whole.to_string());
    }
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{text}` has digits behind the point, where a whole number is needed"),
        "such numbers are arguments of kernel classes and initial values, of type float and without \
         arithmetic; elsewhere scale them, as in `1 << 14` for 0.5 in Q15",
    )
    .label(span, "no whole number")
}

/// The limits of a number with a point.
fn most_digits() -> String {
    let (digits, places) = (Decimal::MOST_DIGITS, Decimal::MOST_PLACES);
    format!("a number with a point or an exponent has at most {digits} digits, and {places} behind its point")
}

/// A number with a point that has too many digits.
pub fn digits(span: Span, text: &str) -> Diagnostic {
    let text: String = text.chars().take(40).collect();
    Diagnostic::new(&catalogue::BAD_VALUE, format!("`{text}` has too many digits"), most_digits())
        .label(span, "out of the range of a `float`, or with more digits than it holds")
}

/// A number with a point for a type of whole numbers.
pub fn decimal_as(span: Span, class: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("a number with digits behind the point is no {class}"),
        "leave out `as`, or write `as float`; for another type write a whole number",
    )
    .label(span, "of type float")
    .replacing(span, "float")
}

/// `-D` for a table.
pub fn define_of_table(name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_DEFINE,
        format!("-D {name}: `{name}` is a table of constants, not a number"),
        "change the table in the design or its file",
    )
}

/// An index outside a constant table.
pub fn outside_table(span: Span, table: &str, index: i64, length: usize) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_OUT_OF_RANGE,
        format!("`{table}` has {length} numbers, and none at index {index}"),
        format!("use an index from 0 to {}", length.saturating_sub(1)),
    )
    .label(span, format!("this is {index}"))
}

/// A file of a table that cannot be used; `reason` says why.
pub fn unread_table(span: Span, path: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TABLE_FILE,
        format!("the table in \"{path}\" cannot be read: {reason}"),
        "name a text file relative to the design that holds numbers",
    )
    .label(span, "the table of this file")
}

/// A word in the file of a table that is no number.
pub fn bad_number(span: Span, word: &str, named: Span) -> Diagnostic {
    let is_whole = !word.contains(['.', 'e', 'E']);
    let (message, help) = match (Decimal::is_number(word), is_whole) {
        (false, _) => (
            "is no number of this language",
            "the file of a table holds numbers such as `-3`, `0.25` or `1e-3` between blanks, commas or line ends".to_owned(),
        ),
        (true, true) => ("does not fit 64 bits", "a whole number lies between -2^63 and 2^63 - 1".to_owned()),
        (true, false) => ("has too many digits", most_digits()),
    };
    let label = if Decimal::is_number(word) { "out of range" } else { "not a number" };
    let word: String = word.chars().take(40).collect();
    Diagnostic::new(&catalogue::TABLE_FILE, format!("`{word}` {message}"), help)
        .label(span, label)
        .label(named, "the table of this file")
}

/// A table with too many numbers.
pub fn long_table(span: Span, count: usize) -> Diagnostic {
    let most = Design::MAX_TABLE;
    let count = if count > most + 1 { format!("{count}") } else { format!("more than {most}") };
    Diagnostic::new(
        &catalogue::TABLE_FILE,
        format!("a table has {count} numbers"),
        format!("a table has at most {most} numbers; send more data through an input"),
    )
    .label(span, "the table is too long")
}

/// An assertion that does not hold. `found` are the values of its condition.
pub fn assertion(message: &str, condition: Span, found: &str) -> Diagnostic {
    let message = message.replace(char::is_control, " ");
    let message = if message.trim().is_empty() { "an assertion does not hold".to_owned() } else { message };
    Diagnostic::new(
        &catalogue::ASSERTION,
        message,
        "the design demands this: change the constants that go in here, in the text or with `-D`",
    )
    .label(condition, found.to_owned())
}

/// An index outside `0..extent`.
pub fn index_out_of_range(span: Span, name: &str, value: i64, extent: u32, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_OUT_OF_RANGE,
        format!("index {value} lies outside `{name}`"),
        format!("use an index from 0 to {}", extent.saturating_sub(1)),
    )
    .label(span, format!("this is {value}"))
    .label(declared, format!("`{name}` has {extent} here, 0 to {}", extent.saturating_sub(1)))
}

/// A range that is empty or leaves its family.
pub fn bad_range(span: Span, name: &str, from: i64, to: i64, extent: u32, declared: Span) -> Diagnostic {
    let within = format!("use a range within 0..{extent}");
    let (message, help) = if from >= to {
        let message = format!("the range {from}..{to} selects nothing");
        (
            message,
            format!("{within}, or put the statement into `if CONDITION {{ ... }}`, which leaves it out"),
        )
    } else {
        let message = format!("the range {from}..{to} lies outside `{name}`");
        (message, format!("{within}; `..` alone selects all, and the end is not part of it"))
    };
    Diagnostic::new(&catalogue::INDEX_OUT_OF_RANGE, message, help)
        .label(span, format!("this is {from}..{to}"))
        .label(declared, format!("`{name}` has {extent} here, 0..{extent}"))
}

/// The wrong number of indices.
pub fn index_count(span: Span, name: &str, given: usize, dims: usize, declared: Span) -> Diagnostic {
    let help = match dims {
        0 => format!("write `{name}` without brackets: there is only one"),
        1 => format!("write `{name}[i]`, `{name}[a..b]`, or `{name}` for all of it"),
        2 => format!("write `{name}[row][column]`, `{name}[row][..]`, or `{name}` for all of it"),
        _ => format!("write `{name}[i][j][k]`, `{name}[i][..][..]`, or `{name}` for all of it"),
    };
    let message = format!(
        "`{name}` is used with {}, but has {}",
        count(given, "index", "indices"),
        count(dims, "dimension", "dimensions")
    );
    Diagnostic::new(&catalogue::INDEX_COUNT, message, help)
        .label(span, format!("{} here", count(given, "index", "indices")))
        .label(declared, format!("declared with {}", count(dims, "dimension", "dimensions")))
}

/// Overflow, division by zero or a bad shift, as `what` names it.
pub fn arithmetic(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::ARITHMETIC,
        format!("{what} in an expression"),
        "values are whole numbers of 64 bits; check the constants that go in here",
    )
    .label(span, format!("{what} here"))
}

/// A constant that needs its own value. `chain` leads from the constant back to itself.
pub fn cyclic_constant(span: Span, chain: &[&str]) -> Diagnostic {
    let path = chain.join("` -> `");
    Diagnostic::new(
        &catalogue::CYCLIC_CONSTANT,
        format!("constants are defined by each other: `{path}`"),
        format!("give `{}` a value of its own", chain.first().copied().unwrap_or_default()),
    )
    .label(span, "this value depends on itself")
}

/// A number outside its range.
#[derive(Clone, Copy, Debug)]
pub struct Excess<'a> {
    /// Source location of the number.
    pub span: Span,
    /// Its meaning, as in `the arity of the tree`.
    pub what: &'a str,
    /// The number.
    pub value: i128,
    /// The smallest allowed number.
    pub least: i64,
    /// The largest allowed number.
    pub most: i64,
}

impl Excess<'_> {
    fn limit(&self) -> String {
        if self.value < i128::from(self.least) {
            format!("at least {}", self.least)
        } else {
            format!("at most {}", self.most)
        }
    }
}

/// A number outside its range.
pub fn out_of_range(excess: &Excess<'_>) -> Diagnostic {
    let Excess { span, what, value, .. } = excess;
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("{what} is {value}"),
        format!("use a value of {}", excess.limit()),
    )
    .label(*span, format!("this is {value}"))
}

/// Adds a place to `first`, a fault of the constant `name`: a further number that follows from the
/// constant is outside its range.
pub fn also_out_of_range(first: &mut Diagnostic, name: &str, excess: &Excess<'_>) {
    let Excess { span, what, value, .. } = excess;
    let text = format!("`{name}` also decides that {what} is {value}: {} is allowed", excess.limit());
    first.labels.push(aiec_diag::Label { span: *span, text });
    first.help = format!("correct the value of `{name}`; the labels state the limit at each place");
}

/// The names in an expression, in the order of the text, without those in an index of a table.
pub fn names_of(expr: &Expr) -> Vec<&str> {
    match &expr.kind {
        ExprKind::Name(name) => vec![name],
        ExprKind::Neg(inner) => names_of(inner),
        ExprKind::Binary(_, a, b) => [names_of(a), names_of(b)].concat(),
        _ => Vec::new(),
    }
}

/// A size in bytes that is not a whole number of elements.
pub fn bad_size(span: Span, bytes: i128, element: &str, element_bytes: u32) -> Diagnostic {
    let whole = (bytes / i128::from(element_bytes)).max(1) * i128::from(element_bytes);
    Diagnostic::new(
        &catalogue::BAD_SIZE,
        format!("{bytes} bytes are not a whole number of {element} elements of {element_bytes} bytes"),
        format!("write `{whole} B`, or the number of elements without a unit"),
    )
    .label(span, format!("a size of {bytes} B"))
    .replacing(span, format!("{whole} B"))
}

/// A runtime ratio outside 0.001 to 1.
pub fn bad_ratio(span: Span, text: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!(
            "the runtime ratio is {text}, but a kernel takes from 0.001 to 1 of its core's \
             time, in steps of 0.001"
        ),
        "give the share of the core's cycles that the kernel needs, such as `runtime 0.4`",
    )
    .label(span, "no share of a core's time")
}
