//! Diagnostics for the C++ sources of kernels: one constructor per fault.

use aiec_diag::{Diagnostic, LISTED, Span, Spanned, catalogue, count, listed, nearest};
use aiec_host_run::errors::OF_FLOATS;
use aiec_host_run::inspect::Arrays;
use aiec_ir::design::{Argument, Body, Decimals, Family, local_name, scoped};
use aiec_ir::expanded::{Collective, Kernel};

use super::headers::{Declared, Registered};
use super::said::Given;

mod copies;
mod undefined;

pub(super) use copies::{Copies, Definition, clash, helper, kernel_in_wrappers, shared_definition};
pub(super) use undefined::{Uninitialized, initialization, undefined_member};

/// Why no function in a source is the kernel's.
pub(super) enum Unfit<'a> {
    /// One of that name has other parameters.
    Parameters(Span),
    /// One of that name states the extents of its buffers, which only a header of its own declares.
    Extents(Span),
    /// The function is static, so that the graph cannot call it.
    Static(Span),
    /// The function has the name that C gives it, which has no parameters.
    OfC(Span),
    /// The source names the function here, but its object has none.
    Hidden(Span),
    /// The function returns a value.
    Returns(Span),
    /// One of that name has other parameters, and the macro that selects them is not defined at
    /// this place.
    Switch(Span),
    /// None has that name. With the nearest name, if one is close.
    Name(Option<(&'a str, Span)>),
    /// A function template has that name, and no header declares it. With its head.
    Template(&'a str, Option<Span>),
    /// None has that name, or the parameters are others: the call of a wrapper fits none. With the
    /// compiler's words.
    Call(Option<Span>, &'a str),
}

/// The source of `family` defines no function with the signature `expected`.
pub(super) fn function(family: &Family, body: &Body, expected: &str, unfit: &Unfit<'_>) -> Diagnostic {
    let (name, source) = (&family.name, &body.source.value);
    let mut help = format!("define `{expected}` in `{source}`, or change the declaration of `{name}`");
    if let Some(header) = &body.header {
        help = format!("define `{expected}` in `{source}`, and declare the same in `{}`", header.value);
    }
    let (what, place) = match unfit {
        Unfit::Parameters(span) => ("defines a function of this name with other parameters", Some(*span)),
        Unfit::Extents(span) => {
            let path = source.rsplit_once('.').map_or(source.as_str(), |(stem, _)| stem);
            help = format!(
                "declare the function as it is in `{path}.h` and write `header \"{path}.h\"` in `{name}`, or leave `extents` \
                 out: the graph states the sizes"
            );
            ("defines one with explicit `extents`, which no header declares", Some(*span))
        }
        Unfit::Static(span) => {
            help = format!("remove `static`, so that the graph finds `{expected}`");
            ("defines it static, which hides it from the graph", Some(*span))
        }
        Unfit::OfC(span) => {
            help = format!("leave out `extern \"C\"`, so that the graph finds `{expected}`");
            ("defines it as a function of C", Some(*span))
        }
        Unfit::Hidden(span) => {
            help = format!(
                "{help}: a function that is `inline`, has parameters of type `auto` or lies in a namespace without name is \
                 none that the graph can call"
            );
            ("defines none of this name for the graph", Some(*span))
        }
        Unfit::Returns(span) => {
            help = format!("write `{expected}`: a kernel returns nothing (UG1079, \"Kernel Programming\")");
            ("defines it with a value to return", Some(*span))
        }
        Unfit::Switch(span) => {
            help = format!(
                "write `#include <aiec/design.h>` at the top of `{source}`: it defines the macro as 1"
            );
            ("asks for `AIEC_BUFFER_PORTS`, which is not defined there", Some(*span))
        }
        Unfit::Name(Some((near, span))) => {
            help = format!(
                "did you mean `{near}`? Then write `function {near}` in `{name}`, where the design names `{}`; otherwise \
                 {help}",
                body.function
            );
            ("has no function of this name", Some(*span))
        }
        Unfit::Name(None) => ("has no function of this name", None),
        Unfit::Template(head, span) => {
            let path = source.rsplit_once('.').map_or(source.as_str(), |(stem, _)| stem);
            help = format!(
                "declare the template in `{path}.h`, and write `header \"{path}.h\"` and `template (...)` in `{name}`, \
                 with a type or number for each parameter of `{head}`; otherwise {help}"
            );
            ("has only a function template of this name", *span)
        }
        Unfit::Call(span, _) => ("has none that the call of aiec's wrapper fits", *span),
    };
    let words = match unfit {
        Unfit::Call(_, words) => format!(": {words}"),
        _ => String::new(),
    };
    let message = format!("kernel `{name}` needs `{expected}`, but `{source}` {what}{words}");
    let diagnostic = whole(Diagnostic::new(&catalogue::KERNEL_FUNCTION, message, help), expected);
    let diagnostic = match place {
        Some(span) if matches!(unfit, Unfit::Switch(_)) => {
            diagnostic.label(span, "a macro that is not defined counts as 0")
        }
        Some(span) => diagnostic.label(span, "this function is not what the design declares"),
        None => diagnostic,
    };
    diagnostic.label(body.source.span, format!("the source of `{name}` is named here"))
}

/// Adds the `expected` signature to the help of a diagnostic that quotes it cropped, with a line
/// for each parameter.
fn whole(mut diagnostic: Diagnostic, expected: &str) -> Diagnostic {
    if !diagnostic.message.contains(expected) {
        diagnostic.help += &format!("\nThe whole signature:\n{}", lines(expected));
    }
    diagnostic
}

/// A signature with a line for each parameter.
fn lines(signature: &str) -> String {
    let mut depth = 0_i32;
    let mut text = String::new();
    for c in signature.chars() {
        let closes = ")>]".contains(c);
        depth += i32::from("(<[".contains(c)) - i32::from(closes);
        match (c, depth) {
            (' ', 1) if text.ends_with("\n    ") => {}
            (',' | '(', 1) => text += &format!("{c}\n    "),
            _ => text.push(c),
        }
    }
    text
}

/// The function that a class registers has other parameters than `expected`, `CLASS::NAME(...)`.
/// `place` is its declaration.
pub(super) fn member(family: &Family, body: &Body, expected: &str, place: Option<Span>) -> Diagnostic {
    let (name, header) = (&family.name, body.header.as_ref().unwrap_or(&body.source));
    let (with, or) = match body.template.as_slice() {
        [] => (String::new(), ""),
        _ => (format!(" with `template {}`", listed_arguments(&body.template)), ", or its `template`"),
    };
    let message = format!(
        "kernel `{name}` needs `void {expected}`, but `{}` declares other parameters{with}",
        header.value
    );
    let help =
        format!("change the function to `void {expected}`, or the ports of `{name}` in the design{or}");
    let diagnostic = Diagnostic::new(&catalogue::KERNEL_FUNCTION, message, help);
    let diagnostic = whole(diagnostic, &format!("void {expected}"));
    let diagnostic = diagnostic.label_at(place, "this function is not what the design declares");
    diagnostic.label(header.span, format!("the header of `{name}` is named here"))
}

/// The function `expected`, `void CLASS::NAME(...)`, that a class registers is no member that a
/// graph can call. `why` says what it is instead, and `place` is its declaration.
pub(super) fn member_form(
    family: &Family,
    body: &Body,
    expected: &str,
    why: &str,
    place: Option<Span>,
) -> Diagnostic {
    let (name, header) = (&family.name, body.header.as_ref().unwrap_or(&body.source));
    let message = format!("kernel `{name}` needs `{expected}`, but the function in `{}` {why}", header.value);
    let help = format!("change the function to `{expected}` (UG1079, \"C++ Kernel Class Support\")");
    let diagnostic = whole(Diagnostic::new(&catalogue::KERNEL_FUNCTION, message, help), expected);
    let diagnostic = diagnostic.label_at(place, "this function is no kernel");
    diagnostic.label(header.span, format!("the header of `{name}` is named here"))
}

/// Arguments as a design has them, with their parentheses.
fn listed_arguments(arguments: &[Argument]) -> String {
    let all: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    format!("({})", all.join(", "))
}

/// Why the graph cannot create a kernel.
pub(super) enum Uncreated<'a> {
    /// The header declares a class, and the design states no `arguments`.
    IsClass(&'a Declared),
    /// The header declares a function, and the design states `arguments`.
    IsFunction,
    /// The template takes other arguments.
    Template(&'a Declared),
    /// A parameter of the template cannot be its argument.
    Argument(&'a Declared),
    /// The class has other constructors.
    Constructor(&'a Declared),
    /// The header declares neither a function nor a class of this name. With those of the kind that
    /// it declares.
    Missing(Vec<String>),
    /// The compiler's words.
    Said(&'a str),
}

/// The graph cannot create the kernels of `family` with the statement `created`. `place` is what
/// the header declares, or a place of the user's that the compiler names.
pub(super) fn creation(
    family: &Family,
    body: &Body,
    created: &str,
    place: Option<Span>,
    why: &Uncreated<'_>,
) -> Diagnostic {
    let (name, header) = (&family.name, body.header.as_ref().unwrap_or(&body.source));
    let (file, code) = (&header.value, &body.function);
    let (message, help, label) = match why {
        Uncreated::IsClass(class) => (
            format!("kernel `{name}` has no `arguments`, so `{code}` is a function, but `{file}` declares a class"),
            format!(
                "write `arguments (...)` with what its constructor takes; `{file}` declares {}",
                constructors(class)
            ),
            "this is a class",
        ),
        Uncreated::IsFunction => (
            format!("kernel `{name}` has `arguments`, so `{code}` is a class, but `{file}` declares a function"),
            format!("leave out `arguments`, or declare the class `{code}` in `{file}`"),
            "this is a function",
        ),
        Uncreated::Template(declared) => template(family, body, file, declared),
        Uncreated::Argument(declared) => (
            format!(
                "kernel `{name}` has `template {}`, but a parameter of the `{}` in `{file}` cannot be its argument",
                listed_arguments(&body.template),
                declared.head().unwrap_or_default()
            ),
            "change the number: it must fit the type of its parameter, and no number stands for an `enum`".to_owned(),
            "this template has no such instance",
        ),
        Uncreated::Constructor(class) => (
            format!(
                "kernel `{name}` is constructed with {}, but `{file}` declares {}",
                given(body.arguments.as_deref().unwrap_or_default()),
                constructors(class)
            ),
            "write in `arguments` what the constructor takes: a table of N numbers for `T (&)[N]`, a number else"
                .to_owned(),
            "this class has no such constructor",
        ),
        Uncreated::Missing(known) => missing(family, body, file, known),
        Uncreated::Said(words) => (
            format!("the graph cannot create kernel `{name}` with `{created}`: {words}"),
            unknown_help(family, body, file),
            "the compiler names this place",
        ),
    };
    let diagnostic = Diagnostic::new(&catalogue::KERNEL_FUNCTION, message, help);
    let diagnostic = diagnostic.label_at(place, label);
    diagnostic.label(header.span, format!("the header of `{name}` is named here"))
}

/// The constructor of the class of `family`, at `place` in its header, takes other tables or
/// numbers than the `arguments` that are `given`. `class` is None when the header does not show it.
pub(super) fn constructor(
    family: &Family,
    body: &Body,
    given: Given<'_>,
    class: Option<&Declared>,
    place: Option<Span>,
) -> Diagnostic {
    let (name, header) = (&family.name, body.header.as_ref().unwrap_or(&body.source));
    let all = self::given(body.arguments.as_deref().unwrap_or_default());
    let takes = class.map_or_else(|| "a constructor".to_owned(), constructors);
    let (with, of, help, label) = match given {
        Given::Lengths => {
            let (template, or) = match body.template.as_slice() {
                [] => (String::new(), ""),
                all => (
                    format!(" with `template {}`", listed_arguments(all)),
                    ", or write its length in `template`, as in `template (len(TABLE))`",
                ),
            };
            (
                all,
                format!("another number of values{template}"),
                format!("give the table as many numbers as the array has{or}"),
                "an array of this class has another length",
            )
        }
        Given::Types(wanted) => (
            all,
            "elements of another type".to_owned(),
            format!(
                "declare `{wanted}`, or convert the table to the type of the array: `TABLE as int16` for `int16 (&)[N]`"
            ),
            "an array of this class has elements of another type",
        ),
        Given::Numbers(numbers) => (
            format!("the {} {numbers}", if numbers.contains(' ') { "numbers" } else { "number" }),
            "other numbers".to_owned(),
            format!(
                "declare the parameter with a type that has the number, such as `{}`, or change the number in `arguments`",
                type_for(numbers)
            ),
            "a parameter of this class cannot hold the number",
        ),
    };
    let message = format!(
        "kernel `{name}` is constructed with {with}, but `{}` declares {takes} for {of}",
        header.value
    );
    let diagnostic = Diagnostic::new(&catalogue::KERNEL_FUNCTION, message, help).label_at(place, label);
    diagnostic.label(header.span, format!("the header of `{name}` is named here"))
}

/// The class of `family` does not register all `tables` that its constructor takes. `place` is the
/// function that registers.
pub(super) fn unregistered(
    family: &Family,
    body: &Body,
    tables: usize,
    found: &Registered,
    place: Option<Span>,
) -> Diagnostic {
    let (name, header) = (&family.name, body.header.as_ref().unwrap_or(&body.source));
    let registers = match found.parameters {
        0 => "registers none".to_owned(),
        some => format!("registers only {some}"),
    };
    let message = format!(
        "kernel `{name}` is constructed with {}, but the class `{}` in `{}` {registers}, so the graph has no `param[{}]` \
         to place",
        count(tables as u64, "table"),
        body.function,
        header.value,
        found.parameters
    );
    let add = |member: &String| format!("`REGISTER_PARAMETER({member});`");
    let help = match found.others.as_slice() {
        [] => "let a member refer to each table, such as `int32 (&taps)[4];`, and write `REGISTER_PARAMETER(taps);` in \
               `registerKernelClass`"
            .to_owned(),
        all => format!("write {} in `registerKernelClass`", listed(all.iter().map(add), LISTED)),
    };
    let help = format!("{help} (UG1079, \"C++ Kernel Class Support\")");
    let diagnostic = Diagnostic::new(&catalogue::KERNEL_FUNCTION, message, help);
    let diagnostic = diagnostic.label_at(place, "this registers no member for a table");
    diagnostic.label(header.span, format!("the header of `{name}` is named here"))
}

/// The words for a name that the header does not declare. `known` are those of the same kind that
/// it does.
fn missing(family: &Family, body: &Body, file: &str, known: &[String]) -> (String, String, &'static str) {
    let (name, code) = (&family.name, &body.function);
    let what = if body.arguments.is_some() { "class" } else { "function" };
    let other = format!("declare a {what} `{code}` in `{file}`");
    let close = nearest(scoped(code).1, known.iter().map(|known| scoped(known).1));
    let near = known.iter().find(|known| close == Some(scoped(known).1));
    let help = match (near, known) {
        (Some(near), _) => {
            format!("did you mean `{near}`? Then write `function {near}` in `{name}`; otherwise {other}")
        }
        (None, []) => other,
        (None, [only]) => {
            format!("`{file}` declares `{only}`: write `function {only}` in `{name}`, or {other}")
        }
        (None, known) => {
            let all = listed(known.iter().map(|known| format!("`{known}`")), LISTED);
            format!("`{file}` declares {all}: name one with `function` in `{name}`, or {other}")
        }
    };
    (
        format!("kernel `{name}` runs `{code}`, but `{file}` declares no {what} of this name"),
        help,
        "the header declares nothing of this name",
    )
}

/// The words for a template that takes other arguments.
fn template(family: &Family, body: &Body, file: &str, declared: &Declared) -> (String, String, &'static str) {
    let (name, code) = (&family.name, &body.function);
    let has = match body.template.as_slice() {
        [] => "has no `template`".to_owned(),
        all => format!("has `template {}`", listed_arguments(all)),
    };
    match declared.head() {
        Some(head) => (
            format!("kernel `{name}` {has}, but `{code}` in `{file}` is a `{head}`"),
            "write in `template` a type for each `typename` or `class`, and a number for each other parameter".into(),
            "this template takes other arguments",
        ),
        None => (
            format!("kernel `{name}` {has}, but `{code}` in `{file}` is no template"),
            format!("leave out `template`, or make `{code}` a template"),
            "this is no template",
        ),
    }
}

/// The constructors that a class declares.
fn constructors(class: &Declared) -> String {
    match class.constructors.as_slice() {
        [] => "no constructor".to_owned(),
        all => listed(all.iter().map(|one| format!("`{one}`")), LISTED),
    }
}

/// What these arguments of a constructor are in C++.
fn given(arguments: &[Argument]) -> String {
    let one = |argument: &Argument| match argument {
        Argument::Table { values, class } => format!("a table of {} `{class}`", values.len()),
        Argument::Decimals(Decimals::Table(values)) => format!("a table of {} `float`", values.len()),
        Argument::Decimals(Decimals::One(_)) => "a `float`".to_owned(),
        Argument::Number { class: Some(class), .. } => format!("a number as `{class}`"),
        Argument::Number { class: None, .. } | Argument::Type(_) => "an `int`".to_owned(),
    };
    let all: Vec<String> = arguments.iter().map(one).collect();
    if all.is_empty() { "nothing".to_owned() } else { format!("({})", all.join(", ")) }
}

/// A type that has the largest of these numbers, such as `5000000000 and -1`, or `0.5`.
fn type_for(numbers: &str) -> &'static str {
    let whole = |number: &str| number.parse::<i64>().ok();
    if numbers.split(" and ").any(|number| whole(number).is_none()) {
        return "float";
    }
    let all = || numbers.split(" and ").filter_map(whole);
    let fits = |least: i64, most: i64| all().all(|number| (least..=most).contains(&number));
    if fits(i32::MIN.into(), i32::MAX.into()) {
        "int"
    } else if fits(0, u32::MAX.into()) {
        "unsigned"
    } else {
        "long long"
    }
}

/// A remedy where only the compiler knows the reason.
fn unknown_help(family: &Family, body: &Body, file: &str) -> String {
    let name = &family.name;
    match body.arguments {
        Some(_) => format!(
            "give the class in `{file}` a constructor with these parameters and a `static void registerKernelClass()`, \
             or change `template` and `arguments` of `{name}`"
        ),
        None => format!("declare such a function in `{file}`, or change `template` of `{name}`"),
    }
}

/// The graph of the project does not compile at `statement` of its file `file`, with the headers
/// of the design. `header` is one of them.
pub(super) fn emitted(file: &str, statement: &str, words: &str, header: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        &catalogue::KERNEL_COMPILE,
        format!("with the headers of the kernels `{file}` of the project does not compile at `{statement}`: {words}"),
        "look for a macro or a declaration of that name in the headers; `aiec check --no-cxx` checks the design alone",
    )
    .label(header.span, "a header is named here")
}

/// The same fault where the class of the design or component `name`, which is a `what`, has the
/// name of a type of the user's.
pub(super) fn class_of_project(mut fault: Diagnostic, what: &str, name: &str) -> Diagnostic {
    fault.help = format!(
        "the {what} `{name}` becomes the class `{name}` in `aie/graph.h`: rename it, or the type in your headers; {}",
        fault.help
    );
    fault
}

/// The first error of a compiler.
pub(super) struct Complaint<'a> {
    /// Its place in a file of the user's, as shown and as a span.
    pub place: Option<(&'a str, Span)>,
    /// The words of the compiler behind `error:`.
    pub words: &'a str,
    /// The declarations that were compared with a call and do not fit.
    pub candidates: Vec<String>,
}

/// The source of `family` does not compile.
pub(super) fn compile(family: &Family, body: &Body, complaint: &Complaint<'_>) -> Diagnostic {
    let Complaint { place, words, candidates } = complaint;
    let at = place.map_or_else(|| format!("`{}`", body.source.value), |(place, _)| format!("`{place}`"));
    let correct = match candidates.as_slice() {
        _ if words.contains("bfloat16") => OF_FLOATS.to_owned(),
        [] => "correct the source".to_owned(),
        all => {
            let shown = listed(all.iter().map(|one| format!("`{one}`")), LISTED);
            format!("the functions of this name are {shown}")
        }
    };
    let diagnostic = Diagnostic::new(
        &catalogue::KERNEL_COMPILE,
        format!("the C++ of kernel `{}` does not compile at {at}: {words}", family.name),
        format!("{correct}; `aiec check --no-cxx` checks the design alone"),
    );
    let diagnostic =
        diagnostic.label_at(place.map(|(_, span)| span), format!("the compiler stops here: {words}"));
    diagnostic.label(body.source.span, format!("the source of `{}` is named here", family.name))
}

/// The source of the owner of active messages never serves, and `client` sends requests.
pub(super) fn never_serves(
    collective: &Collective,
    owner: &Kernel,
    source: &str,
    client: &Kernel,
) -> Diagnostic {
    let (name, kernel) = (&collective.name, &owner.name);
    Diagnostic::new(
        &catalogue::NEVER_SERVES,
        format!(
            "`{kernel}` owns `{name}`, but `{source}` and what it includes call neither `serve` nor `serve_one`: nobody takes \
             the requests of `{}`, and a client that waits for a reply waits for ever",
            client.name
        ),
        format!(
            "call `comm.{}.serve(handlers)` in `{kernel}`; it returns when all clients have returned",
            local_name(name)
        ),
    )
    .label(owner.span, format!("`{kernel}` never serves"))
    .label(client.span, format!("`{}` sends requests", client.name))
}

/// The arrays in the functions of `family` need more than its stack of `bytes`.
pub(super) fn stack(
    family: &Family,
    body: &Body,
    arrays: &Arrays,
    bytes: u32,
    place: Option<Span>,
) -> Diagnostic {
    let (name, declared) = (&family.name, body.stack.as_ref());
    let whose = if declared.is_some() { "" } else { " (the device's default)" };
    let diagnostic = Diagnostic::new(
        &catalogue::KERNEL_STACK,
        format!(
            "the arrays in the functions of kernel `{name}` take {} B, and its stack has {bytes} B{whose}; the largest is \
             `{}` with {} B",
            arrays.bytes, arrays.largest, arrays.largest_bytes
        ),
        format!(
            "write `stack {} B` or more in `{name}`, or make arrays `static`; other variables take stack, too",
            arrays.bytes
        ),
    );
    let diagnostic = diagnostic.label_at(place, format!("`{}` is declared here", arrays.largest));
    let diagnostic =
        diagnostic.label(declared.map_or(family.span, |stack| stack.span), format!("a stack of {bytes} B"));
    let edit = match declared {
        Some(stack) => (stack.span, format!("{} B", arrays.bytes)),
        None => (body.source.span.behind(), format!("  stack {} B", arrays.bytes)),
    };
    diagnostic.fix(format!("write `stack {} B`", arrays.bytes), [edit])
}

#[cfg(test)]
mod tests {
    use super::{lines, type_for};

    #[test]
    fn the_type_that_is_named_holds_all_numbers() {
        assert_eq!(type_for("70000 and -1"), "int");
        assert_eq!(type_for("4294967295"), "unsigned");
        assert_eq!(type_for("4294967295 and -1"), "long long");
        assert_eq!(type_for("5000000000"), "long long");
    }

    #[test]
    fn each_parameter_has_a_line() {
        let signature = "void f(adf::buffer<int16, adf::extents<1>> &x, const int8 (&y)[2])";
        let wanted = "void f(\n    adf::buffer<int16, adf::extents<1>> &x,\n    const int8 (&y)[2])";
        assert_eq!(lines(signature), wanted);
        let template = "template <typename Comm> void f(Comm &comm, int8 y)";
        assert_eq!(lines(template), "template <typename Comm> void f(\n    Comm &comm,\n    int8 y)");
    }
}
