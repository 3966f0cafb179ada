//! Faults of names and words: unknown, given twice, or of another kind.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue};

use super::{quoted, suggestion};

/// `-D` names no constant.
pub fn unknown_define(name: &str, close: Option<&str>, known: &[&str]) -> Diagnostic {
    let list = match known {
        [] => "the design declares no constant; add `const NAME = VALUE` to it".to_owned(),
        _ => format!("its constants are {}", quoted(known.iter().take(10).copied())),
    };
    Diagnostic::new(
        &catalogue::BAD_DEFINE,
        format!("-D {name}: the design has no constant called `{name}`"),
        suggestion(close, list),
    )
}

/// A name that nothing declares. `what` is the kind looked for, such as `a kernel`.
pub fn unknown_name(span: Span, name: &str, what: &str, close: Option<&str>, declare: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("there is no {what} called `{name}`"),
        suggestion(close, declare),
    )
    .label(span, "not declared in this design")
    .suggesting(span, close)
}

/// A name declared twice.
pub fn duplicate_name(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::DUPLICATE_NAME,
        format!("`{name}` is declared twice"),
        "rename one of the two",
    )
    .label(again, "declared again here")
    .label(first, "first declared here")
}

/// Two kernels are the same member of the graph that the design describes.
pub fn duplicate_member(member: &str, again: Span, first: Span) -> Diagnostic {
    let message = format!("two kernels are `{member}` of the graph");
    Diagnostic::new(&catalogue::DUPLICATE_NAME, message, "give each kernel a name of its own behind `called`")
        .label(again, "named again here")
        .label(first, "first named here")
}

/// A property or item given twice.
pub fn duplicate_item(what: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&catalogue::DUPLICATE_ITEM, format!("`{what}` is given twice"), "remove one of the two")
        .label(again, "given again here")
        .label(first, "first given here")
        .fix(format!("remove the second `{what}`"), [(again, "")])
        .fix(format!("remove the first `{what}`"), [(first, "")])
}

/// Adds the value that a loop variable has where a fault was found.
pub fn in_round(fault: &mut Diagnostic, variable: &Spanned<String>, value: i64) {
    let text = format!("`{}` is {value}", variable.value);
    fault.labels.push(aiec_diag::Label { span: variable.span, text });
}

/// Two properties that state one thing in different ways, each given by its word.
pub fn one_of_two(what: &str, second: &Spanned<&str>, first: &Spanned<&str>) -> Diagnostic {
    let message = format!("`{}` and `{}` both say {what}", first.value, second.value);
    Diagnostic::new(&catalogue::DUPLICATE_ITEM, message, "remove one of the two")
        .label(second.span, "said again here")
        .label(first.span, "first said here")
        .removing(second.span, second.value)
        .removing(first.span, first.value)
}

/// A required item is missing. `example` is a line to add.
pub fn missing_item(span: Span, owner: &str, what: &str, example: &str) -> Diagnostic {
    Diagnostic::new(&catalogue::MISSING_ITEM, format!("{owner} has no `{what}`"), format!("add {example}"))
        .label(span, format!("`{what}` is missing here"))
}

/// The design has neither kernels nor instances. `component` is one that it declares.
pub fn no_kernel(span: Span, component: Option<&str>) -> Diagnostic {
    let (what, example) = match component {
        Some(name) => ("instance", format!("one of a component: `instance one of {name}`")),
        None => ("kernel", "a kernel: `kernel worker[4] { source \"kernels/worker.cc\" }`".to_owned()),
    };
    missing_item(span, "the design", what, &example)
}

/// A name that only a branch declares which is not taken.
pub fn not_taken(span: Span, name: &str, declared: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("`{name}` is declared in a branch that is not taken"),
        "put what uses it under the same condition, or declare it outside of `if`",
    )
    .label(span, "not declared in this design");
    diagnostic.label_at(declared, "the condition around this declaration is 0")
}

/// A name in a formula of a collective that is also an index of kernels.
pub fn ambiguous_index(span: Span, name: &str, index: Span) -> Diagnostic {
    let meaning = match name {
        "rank" => "the rank in the group",
        "i" => "the element of the data",
        _ => "the number of the call",
    };
    Diagnostic::new(
        &catalogue::DUPLICATE_NAME,
        format!("`{name}` has two meanings: {meaning}, and an index of a kernel family"),
        format!("give the index another name than `{name}`"),
    )
    .label(span, format!("`{name}` is used here"))
    .label(index, format!("an index is called `{name}` here"))
}

/// A name of the wrong kind: `name` is `kind`, where `wanted` is needed.
pub fn wrong_kind(span: Span, name: &str, kind: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is {kind}, where {wanted} is needed"),
        format!("name {wanted} here"),
    )
    .label(span, format!("`{name}` is {kind}"))
}

/// An argument of a class is converted to the complex type `name`.
pub fn complex_argument(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is a complex type, where a type of numbers is needed"),
        "give the class a table of both parts, real and imaginary in turn, and pair them in its constructor",
    )
    .label(span, format!("`{name}` is a complex type"))
}

/// No port of that name. `ports` are the ports that fit here.
pub fn unknown_port(span: Span, owner: &str, port: &str, ports: &[&str], close: Option<&str>) -> Diagnostic {
    let list = match ports {
        [] => format!(
            "`{owner}` has no port that fits here; declare one: `kernel {owner}(in x: window int32[1024])`"
        ),
        _ => format!("the ports that fit here are {}", quoted(ports.iter().copied())),
    };
    let message = format!("`{owner}` has no port called `{port}`");
    Diagnostic::new(&catalogue::UNKNOWN_PORT, message, suggestion(close, list))
        .label(span, format!("`{owner}` has no `{port}`"))
        .suggesting(span, close)
}

/// A connection to a kernel or reduction that does not name a port.
pub fn port_needed(span: Span, owner: &str, ports: &[&str]) -> Diagnostic {
    let list: Vec<String> = ports.iter().map(|port| format!("`{owner}.{port}`")).collect();
    let help = match list.as_slice() {
        [] => format!("declare a port: `kernel {owner}(in x: window int32[1024])`, then connect `{owner}.x`"),
        list => format!("write {}", list.join(" or ")),
    };
    let message = format!("a connection to `{owner}` must say which port");
    let diagnostic =
        Diagnostic::new(&catalogue::UNKNOWN_PORT, message, help).label(span, "no port is named here");
    let name = |diagnostic: Diagnostic, port: &&str| {
        diagnostic.fix(format!("write `{owner}.{port}`"), [(span.behind(), format!(".{port}"))])
    };
    ports.iter().fold(diagnostic, name)
}

/// A reference names a port, but none is allowed here.
pub fn no_port_here(span: Span, owner: &str, kind: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_PORT,
        format!("`{owner}` is {kind}, and a port cannot be named here"),
        "leave out the port and its dot",
    )
    .label(span, "no port belongs here")
}

/// A word of another language, with the right one and the reason.
pub fn other_word(span: Span, what: &str, word: &str, right: &str, why: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("there is no {what} called `{word}`"),
        format!("write `{right}`: {why}"),
    )
    .label(span, format!("not a known {what}; `{right}` is"))
    .replacing(span, right)
}

/// A word that is not allowed here.
pub fn unknown_word(span: Span, what: &str, word: &str, words: &[&str], close: Option<&str>) -> Diagnostic {
    let list = format!("use one of {}", quoted(words.iter().copied()));
    Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("there is no {what} called `{word}`"),
        suggestion(close, list),
    )
    .label(span, format!("not a known {what}"))
    .suggesting(span, close)
}

/// An accumulator type where an element type is needed.
pub fn accumulator(span: Span, word: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("`{word}` is no element type: accumulators pass over cascades alone"),
        format!("write `cascade {word}`, or an element type such as `int32`"),
    )
    .label(span, "the type of an accumulator")
}

/// The index of a kernel in the type or the number of its ports.
pub fn index_in_port(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!(
            "the index `{name}` has no value in the ports of its kernel: all instances have the same ports"
        ),
        "use a constant, or declare a kernel for each kind of ports",
    )
    .label(span, format!("`{name}` differs from instance to instance"))
}

/// A name that the generated C++ cannot use.
pub fn bad_identifier(span: Span, name: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_IDENTIFIER,
        format!("`{name}` cannot be a name in the generated C++: {reason}"),
        format!("choose another name, such as `my_{}`", name.trim_matches('_').replace("__", "_")),
    )
    .label(span, reason.to_owned())
}

/// Two items would get one C++ identifier.
pub fn identifier_collision(identifier: &str, this: &Spanned<&str>, other: &Spanned<&str>) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_IDENTIFIER,
        format!(
            "`{}` and `{}` would both be called `{identifier}` in the generated C++",
            this.value, other.value
        ),
        "rename one of the two",
    )
    .label(this.span, format!("`{}` becomes `{identifier}`", this.value))
    .label(other.span, format!("`{}` needs the same name", other.value))
}
