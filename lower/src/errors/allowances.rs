//! Faults of `allow`.

use aiec_diag::catalogue::{self, Code};
use aiec_diag::{Diagnostic, Severity, Span, choice};

/// No diagnostic has the name behind `allow`.
pub fn no_such_warning(span: Span, word: &str) -> Diagnostic {
    let is_warning = |slug: &&str| catalogue::find(slug).is_some_and(|code| code.severity != Severity::Error);
    let named: Vec<&str> =
        catalogue::named(word).filter(|code| is_warning(&code.slug)).map(|code| code.slug).collect();
    let close = catalogue::close(word).filter(is_warning);
    let close = named.first().copied().or(close);
    let help = match close {
        Some(_) if named.len() > 1 => {
            format!("write {}", choice(named.iter().map(|slug| format!("`{slug}`"))))
        }
        Some(close) => format!("did you mean `{close}`?"),
        None => "`aiec explain` lists all diagnostics; the brackets of a message show its name".to_owned(),
    };
    Diagnostic::new(&catalogue::BAD_ALLOW, format!("there is no warning called `{word}`"), help)
        .label(span, "not the name of a warning")
        .suggesting(span, close.map(|close| format!("\"{close}\"")).as_deref())
}

/// The diagnostic behind `allow` is an error.
pub fn allowed_error(span: Span, code: &Code) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_ALLOW,
        format!("`{}` is an error, and only warnings can be allowed", code.slug),
        format!("remove the line; `aiec explain {}` says what to change in the design", code.slug),
    )
    .label(span, "the name of an error")
}

/// The reason behind `because` is empty.
pub fn no_reason(span: Span, code: &Code) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_ALLOW,
        format!("`{}` is allowed without a reason", code.slug),
        "say why the warning does not matter in this design, for those who read it later",
    )
    .label(span, "the reason is empty")
}
