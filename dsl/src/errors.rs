//! Faults of the text: one constructor per fault.

use aiec_diag::{Diagnostic, Span, catalogue};

/// A remedy of a syntax error: what to write, and the edit that does so, if there is one.
pub struct Advice {
    /// The construct's syntax, or the right word.
    pub help: String,
    /// A place and its new text. An empty text removes what stands there.
    pub edit: Option<(Span, String)>,
}

impl From<String> for Advice {
    fn from(help: String) -> Self {
        Self { help, edit: None }
    }
}

/// The text at `span` is not what the grammar expects. `expected` and `found` are phrases.
pub fn unexpected(span: Span, expected: &str, found: &str, advice: Advice) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&catalogue::SYNTAX, format!("expected {expected}, found {found}"), advice.help)
            .label(span, format!("{found}, where {expected} should be"));
    match advice.edit {
        Some((span, text)) if text.is_empty() => diagnostic.removing(span, found.trim_matches('`')),
        Some((span, text)) => diagnostic.replacing(span, text),
        None => diagnostic,
    }
}

/// A rule of the grammar for which the syntax tree has no form.
pub fn unknown_rule(span: Span, rule: &str) -> Diagnostic {
    let what = format!("the syntax tree has no form for `{rule}` of the grammar");
    Diagnostic::new(&catalogue::BUG, what, "please report this together with the design")
        .label(span, "this is left out")
}

/// A size of memory without a unit. `word` is the property, `amount` the size as written.
pub fn no_unit(span: Span, word: &str, amount: &str) -> Diagnostic {
    let kib = amount.parse::<u64>().ok().filter(|bytes| *bytes > 0 && bytes % 1024 == 0);
    let or = kib.map_or_else(String::new, |bytes| format!(" or `{word} {} KiB`", bytes / 1024));
    let diagnostic = Diagnostic::new(
        &catalogue::SYNTAX,
        format!("expected a unit behind `{word} {amount}`"),
        format!("write `{word} {amount} B`{or}: a size of memory has a unit, which is B, KiB or MiB"),
    )
    .label(span, "this size has no unit (`B`, `KiB`, `MiB`)");
    let bytes = diagnostic.fix(format!("write `{word} {amount} B`"), [(span.behind(), " B")]);
    match kib {
        Some(bytes_of_kib) => bytes.replacing(span, format!("{} KiB", bytes_of_kib / 1024)),
        None => bytes,
    }
}

/// The name of a diagnostic without quotes.
pub fn unquoted_name(span: Span, name: &str) -> Diagnostic {
    let slug = catalogue::one_named(name).map_or(name, |code| code.slug);
    Diagnostic::new(
        &catalogue::SYNTAX,
        format!("expected the name of a diagnostic in quotes, found `{name}`"),
        format!("write `allow \"{slug}\" because \"...\"` with the reason"),
    )
    .label(span, "this name has no quotes")
    .replacing(span, format!("\"{slug}\""))
}

/// A number with an exponent, such as `1e3`.
pub fn exponent(span: Span, number: &str) -> Diagnostic {
    let plain = without_exponent(number);
    let write = plain.as_ref().map_or_else(String::new, |plain| format!(": write `{plain}`"));
    let diagnostic = Diagnostic::new(
        &catalogue::SYNTAX,
        format!("expected a number, found `{number}` with an exponent"),
        format!("a number has all its digits here and no exponent{write}"),
    )
    .label(span, "`e` is no part of a number");
    diagnostic.suggesting(span, plain.as_deref())
}

/// The digits of a number with an exponent. Returns None when they are too many to read.
fn without_exponent(number: &str) -> Option<String> {
    let (mantissa, power) = number.split_once(['e', 'E'])?;
    let power: i32 = power.parse().ok().filter(|power: &i32| power.abs() <= 18)?;
    let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{behind}");
    let point = i32::try_from(whole.len()).ok()? + power;
    let length = i32::try_from(digits.len()).ok()?;
    // Zeros to the left of the digits and to their right, so that the point stands between two.
    let (left, right) = ((1 - point).max(0), (point - length).max(0));
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let all = format!("{}{digits}{}", zeros(left), zeros(right));
    let (whole, behind) = all.split_at(usize::try_from(point + left).ok()?);
    let whole = whole.trim_start_matches('0');
    let behind = behind.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if behind.is_empty() { whole.to_owned() } else { format!("{whole}.{behind}") })
}

/// No item begins with the word at `span`. `instead` is what this language says for it, if
/// anything, and `word` the word for it, if that is all.
pub fn no_such_item(span: Span, found: &str, instead: Option<String>, word: Option<&str>) -> Diagnostic {
    let words = || format!("a declaration begins with one of {}", crate::ITEM_WORDS.join(", "));
    let diagnostic = Diagnostic::new(
        &catalogue::SYNTAX,
        format!("no declaration begins with {found}"),
        instead.unwrap_or_else(words),
    )
    .label(span, format!("{found}, where a declaration such as `kernel` or `connect` should be"));
    diagnostic.suggesting(span, word)
}

/// The file holds no item at all.
pub fn empty(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SYNTAX,
        "the file holds no design",
        "start with `design NAME` and `device xcvc1902`, then declare kernels",
    )
    .label(span, "nothing but white space and comments")
}

/// A `/*` without its `*/`. `file` is the span of the whole text.
pub fn unterminated_comment(span: Span, file: Span) -> Diagnostic {
    Diagnostic::new(&catalogue::SYNTAX, "a comment is never closed", "close it with `*/`")
        .label(span, "the comment starts here")
        .fix("close the comment at the end of the file", [(file.behind(), "*/\n")])
}

/// A `"` without its partner on the line.
pub fn unterminated_string(span: Span) -> Diagnostic {
    Diagnostic::new(&catalogue::SYNTAX, "a string is never closed", "close it with `\"` on the same line")
        .label(span, "the string starts here")
        .fix("close the string at the end of the line", [(span.behind(), "\"")])
}

/// More than `limit` brackets around one place.
pub fn nesting_too_deep(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NESTING_TOO_DEEP,
        format!("brackets are nested more than {limit} deep"),
        "give inner expressions a name with `const`, or close a bracket that was left open",
    )
    .label(span, format!("the bracket number {} that is open here", limit + 1))
}

/// More than `limit` operators in one expression.
pub fn expression_too_long(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NESTING_TOO_DEEP,
        format!("an expression has more than {limit} operators"),
        "split it: give parts of it a name with `const`",
    )
    .label(span, format!("more than {limit} operators and arguments in this expression"))
}

/// A number that does not fit 64 bits with a sign.
pub fn number_too_large(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NUMBER_TOO_LARGE,
        "a number does not fit 64 bits",
        format!("the largest number is {}", i64::MAX),
    )
    .label(span, "larger than 9223372036854775807")
}

/// More dimensions than a family can have; `what` says how many it can have.
pub fn too_many_dimensions(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&catalogue::SYNTAX, what, "drop the extent, or multiply it into another one")
        .label(span, "one dimension too many")
}

/// `a < b < c`, which would compare 0 or 1 with `c`.
pub fn chained_comparison(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SYNTAX,
        "two comparisons follow each other",
        "a comparison gives 0 or 1: write `(a < b) & (b < c)` for both, or put one in parentheses",
    )
    .label(span, "this one would compare the result of the first")
}
