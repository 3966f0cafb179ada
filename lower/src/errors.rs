//! Faults between the syntax tree and the expanded design: one constructor per fault.

use aiec_collectives::Operation;
use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_dsl::ast::{ConnectProperty, Expr, ExprKind, ExternalProperty};
use aiec_ir::design::{Endpoint, FarEnd};
use aiec_ir::expanded::{Port, SwitchKind};
use aiec_ir::release::Platform;
use aiec_ir::{Board, Carries, Design, Direction, Release};

mod components;

pub use components::*;

/// "did you mean", or `otherwise` when no name is close.
fn suggestion(close: Option<&str>, otherwise: impl Into<String>) -> String {
    close.map_or_else(|| otherwise.into(), |name| format!("did you mean `{name}`?"))
}

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

/// A property or item given twice.
pub fn duplicate_item(what: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&catalogue::DUPLICATE_ITEM, format!("`{what}` is given twice"), "remove one of the two")
        .label(again, "given again here")
        .label(first, "first given here")
}

/// Two properties that state one thing in different ways, each with its word.
pub fn one_of_two(what: &str, (again, second): (Span, &str), (span, first): (Span, &str)) -> Diagnostic {
    let message = format!("`{first}` and `{second}` both say {what}");
    Diagnostic::new(&catalogue::DUPLICATE_ITEM, message, "remove one of the two")
        .label(again, "said again here")
        .label(span, "first said here")
}

/// A required item is missing. `example` is a line to add.
pub fn missing_item(span: Span, owner: &str, what: &str, example: &str) -> Diagnostic {
    Diagnostic::new(&catalogue::MISSING_ITEM, format!("{owner} has no `{what}`"), format!("add {example}"))
        .label(span, format!("`{what}` is missing here"))
}

/// `total.cycles` is connected, yet the collective has no window for it.
pub fn cycles_undeclared(span: Span, collective: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::MISSING_ITEM,
        format!("`{collective}` does not report cycles, but `{collective}.cycles` is connected"),
        format!("add `cycles int64[N]`, one element for each call, to `{collective}`"),
    )
    .label(span, format!("`{collective}.cycles` is connected here"))
    .label(declared, "no `cycles` in this reduction")
}

/// A name that only a branch declares which is not taken.
pub fn not_taken(span: Span, name: &str, declared: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("`{name}` is declared in a branch that is not taken"),
        "put what uses it under the same condition, or declare it outside of `if`",
    )
    .label(span, "not declared in this design");
    match declared {
        Some(declared) => diagnostic.label(declared, "the condition around this declaration is 0"),
        None => diagnostic,
    }
}

/// A table where a number is needed.
pub fn whole_table(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is a table of constants, where a number is needed"),
        format!("take one of its numbers, such as `{name}[0]`, or their number, `len({name})`"),
    )
    .label(span, format!("`{name}` is a table of constants"))
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
        "name a text file relative to the design that holds whole numbers",
    )
    .label(span, "the table of this file")
}

/// A word in the file of a table that is no number.
pub fn bad_number(span: Span, word: &str, named: Span) -> Diagnostic {
    let word: String = word.chars().take(40).collect();
    Diagnostic::new(
        &catalogue::TABLE_FILE,
        format!("`{word}` is no whole number of 64 bits"),
        "the file of a table holds decimal numbers between blanks, commas or line ends",
    )
    .label(span, "not a number")
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

/// An assertion that does not hold. `found` is the condition's place and its values.
pub fn assertion(message: &str, (condition, found): (Span, &str)) -> Diagnostic {
    let message = message.replace(char::is_control, " ");
    let message = if message.trim().is_empty() { "an assertion does not hold".to_owned() } else { message };
    Diagnostic::new(
        &catalogue::ASSERTION,
        message,
        "the design demands this: change the constants that go in here, in the text or with `-D`",
    )
    .label(condition, found.to_owned())
}

/// Properties of the C++ of a family in a collective, whose class aiec writes.
pub fn code_of_ranks(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::CODE_OF_RANKS,
        format!("`{name}` takes part in a collective and has C++ of its own"),
        "leave out `function`, `header`, `template`, `arguments` and `init`, and give all instances one \
         `source`: the function finds its kernel with `comm.NAME.rank()`",
    )
    .label(span, "aiec writes the class of these kernels, which calls the function of this name")
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

/// `place` of an input or output.
pub fn place_of_external(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is an input or output: it lies in the interface row, and `place` puts kernels on cores"),
        "leave it to aiec, which takes a column near its kernels; a placement file (`--placement`) states column and channel",
    )
    .label(span, format!("`{name}` is an input or output"))
}

/// `async` where no kernel could acquire the window.
pub fn async_external(span: Span, name: &str, input: bool) -> Diagnostic {
    let kind = if input { "an input" } else { "an output" };
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is {kind} of the array and cannot be async"),
        "remove `async`: only a kernel acquires and releases windows itself, a PLIO or GMIO end \
         is never async (UG1079)",
    )
    .label(span, format!("{kind}, not a port of a kernel"))
}

/// `async` at a port of a collective.
pub fn async_collective(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` belongs to a reduction and takes no `async`"),
        "remove `async`: the generated code acquires and releases the windows of a reduction \
         where that is right",
    )
    .label(span, "a port of a reduction, not one that the kernel declares")
}

/// `windows` at a synchronous port.
pub fn windows_of_sync_port(span: Span, end: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WINDOWS_OF_RUN,
        format!("`{name}` is synchronous and passes one window in every run"),
        format!(
            "write `async {name}` and let the kernel acquire and release each window, or leave `windows` out"
        ),
    )
    .label(span, "the number of windows in one run")
    .label(end, "nothing in the kernel's code acquires windows here")
}

/// `windows` at an input or output.
pub fn windows_of_external(span: Span, end: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WINDOWS_OF_RUN,
        format!(
            "`{name}` lies outside the array: how many windows pass in one run is up to the \
             kernel at the other end"
        ),
        "write `windows` behind the kernel's end of the connection, as in `connect x -> async k.x \
         windows 80`",
    )
    .label(span, "the number of windows in one run")
    .label(end, "not a port of a kernel")
}

/// `windows` at a port of a collective.
pub fn windows_of_collective(span: Span, end: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WINDOWS_OF_RUN,
        format!(
            "how many windows `{name}` sends in one run follows from `data`, `window` and \
             `calls` of the collective"
        ),
        "leave `windows` out here; the consuming kernel may state it at its end",
    )
    .label(span, "the number of windows in one run")
    .label(end, "a port of a collective, not one that the kernel declares")
}

/// An input connected straight to an output.
pub fn no_kernel_between(from: Span, to: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        "an input is connected to an output without a kernel between them",
        "put a kernel between the two: only the ports of kernels say what window travels",
    )
    .label(from, "an input of the array")
    .label(to, "an output of the array")
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
}

/// A connection to a kernel or reduction that does not name a port.
pub fn port_needed(span: Span, owner: &str, ports: &[&str]) -> Diagnostic {
    let list: Vec<String> = ports.iter().map(|port| format!("`{owner}.{port}`")).collect();
    let help = match list.as_slice() {
        [] => format!("declare a port: `kernel {owner}(in x: window int32[1024])`, then connect `{owner}.x`"),
        list => format!("write {}", list.join(" or ")),
    };
    Diagnostic::new(&catalogue::UNKNOWN_PORT, format!("a connection to `{owner}` must say which port"), help)
        .label(span, "no port is named here")
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

/// A `place` of a kernel names a bank.
pub fn bank_of_kernel(span: Span, kernel: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        "`bank` means nothing for a kernel, which runs on a core".to_owned(),
        format!("name what lies in the bank, such as `place {kernel}.stack at (0, 0) bank 3`"),
    )
    .label(span, "means nothing here")
}

/// A `place` of buffers names a kernel instead of a tile.
pub fn block_at_kernel(span: Span, port: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_PORT,
        format!("`{port}` lies in memory, and is not placed relative to a kernel"),
        "write the tile of the memory module, such as `at (24, 0)` or `at (24, 0) bank 2`",
    )
    .label(span, "no port belongs here")
}

/// An `apart` of buffers names a kernel, too.
pub fn kernel_among_buffers(span: Span, kernel: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!(
            "`{kernel}` is a kernel, but the others are ports: an `apart` is about kernels or about buffers"
        ),
        format!("name a port, such as `{kernel}.x`, or write an `apart` of its own for kernels"),
    )
    .label(span, "names no port")
}

/// An `apart` names a stack.
pub fn stack_apart(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_PORT,
        "`apart` is about buffers, and a stack is none (`not_equal`, UG1079)".to_owned(),
        "write banks for the stack instead, such as `place k.stack at (24, 0) bank 3`",
    )
    .label(span, "no stack belongs here")
}

/// A connection that starts at an input or ends at an output.
pub fn wrong_direction(span: Span, end: &str, direction: Direction, declared: Span) -> Diagnostic {
    let (message, here) = match direction {
        Direction::In => {
            (format!("`{end}` only receives, so nothing can come from it"), "used as the source")
        }
        Direction::Out => {
            (format!("`{end}` only produces, so nothing can go to it"), "used as the destination")
        }
    };
    Diagnostic::new(
        &catalogue::WRONG_DIRECTION,
        message,
        "data goes along the arrow: `connect PRODUCER -> CONSUMER`",
    )
    .label(span, here)
    .label(
        declared,
        format!("declared as {} here", if direction == Direction::In { "receiving" } else { "producing" }),
    )
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
    let message = if from >= to {
        format!("the range {from}..{to} selects nothing")
    } else {
        format!("the range {from}..{to} lies outside `{name}`")
    };
    let help =
        format!("use a range within 0..{extent}; `..` alone selects all, and the end is not part of it");
    Diagnostic::new(&catalogue::INDEX_OUT_OF_RANGE, message, help)
        .label(span, format!("this is {from}..{to}"))
        .label(declared, format!("`{name}` has {extent} here, 0..{extent}"))
}

/// The wrong number of indices.
pub fn index_count(span: Span, name: &str, given: usize, dims: usize, declared: Span) -> Diagnostic {
    let help = match dims {
        0 => format!("write `{name}` without brackets: there is only one"),
        1 => format!("write `{name}[i]`, `{name}[a..b]`, or `{name}` for all of it"),
        _ => format!("write `{name}[row][column]`, `{name}[row][..]`, or `{name}` for all of it"),
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

/// Several instances where one is needed.
pub fn one_kernel_needed(span: Span, name: &str, selected: u64, purpose: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_COUNT,
        format!("{purpose} is one kernel, but this selects {selected}"),
        format!("name one of them, such as `{name}[0]`"),
    )
    .label(span, format!("this selects {selected} kernels"))
}

/// The two ends of a connection do not pair up.
pub fn slice_mismatch(from: (Span, u64), to: (Span, u64)) -> Diagnostic {
    let help = if to.1 == 1 {
        "give every producer a consumer of its own: a port receives from one producer only"
    } else {
        "select equally many on both sides, or a single producer to send the same to all"
    };
    Diagnostic::new(
        &catalogue::SLICE_MISMATCH,
        format!(
            "the connection goes from {} to {}",
            count_u64(from.1, "instance"),
            count_u64(to.1, "instance")
        ),
        help,
    )
    .label(from.0, format!("selects {}", count_u64(from.1, "instance")))
    .label(to.0, format!("selects {}", count_u64(to.1, "instance")))
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

/// The only name in an expression. Returns None when there is none, or several.
pub fn constant_of(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Neg(inner) => constant_of(inner),
        ExprKind::Binary(_, a, b) => match (constant_of(a), constant_of(b)) {
            (Some(a), Some(b)) => Some(a).filter(|a| *a == b),
            (a, b) => a.or(b),
        },
        _ => None,
    }
}

/// A word of another language, with the right one and the reason.
pub fn other_word(span: Span, what: &str, word: &str, right: &str, why: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("there is no {what} called `{word}`"),
        format!("write `{right}`: {why}"),
    )
    .label(span, format!("not a known {what}; `{right}` is"))
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
}

/// `ports buffer` in a release without buffers, or with other names for them.
pub fn buffers_of_release(span: Span, release: &Release) -> Diagnostic {
    let first = aiec_ir::release::RELEASES.iter().find(|release| release.buffers.value == Some(true));
    let newer =
        first.map_or_else(|| "a newer release".to_owned(), |first| format!("`vitis \"{first}\"` or newer"));
    Diagnostic::new(
        &catalogue::PORTS_OF_RELEASE,
        format!("Vitis {release} has no buffer ports"),
        format!("choose {newer}, or write `ports window`"),
    )
    .label(span, format!("not in {release}: {}", release.buffers.source))
}

/// A release without a platform for the board, as a document states.
pub fn no_platform(span: Span, release: &Release, board: Board) -> Diagnostic {
    let has = |release: &&Release| matches!(release.platform(board).value, Some(Platform::Named(_)));
    let newest = aiec_ir::release::RELEASES.iter().rev().find(has);
    let other = newest
        .map_or_else(String::new, |newest| format!("choose `vitis \"{newest}\"`, the newest with one, or "));
    Diagnostic::new(
        &catalogue::NO_PLATFORM,
        format!("Vitis {release} has no platform for the {board}"),
        format!("{other}another `board`"),
    )
    .label(span, format!("none: {}", release.platform(board).source))
}

/// The window of a reduction with other elements than its data.
pub fn window_element(window: Span, found: &str, data: Span, wanted: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the window holds {found}, but the data is {wanted}"),
        format!("write `window {wanted}[...]`: the data travels in pieces of its own type"),
    )
    .label(window, format!("windows of {found}"))
    .label(data, format!("data of {wanted}"))
}

/// The window of cycle counts has another type than int64.
pub fn cycles_element(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("cycle counts are {wanted}, not {found}"),
        format!("write `cycles {wanted}[N]`, one element for each call"),
    )
    .label(span, format!("a window of {found}"))
}

/// The window of cycle counts is shorter than the calls in one run.
pub fn cycles_too_short(span: Span, elements: u32, calls: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the window for cycle counts holds {elements}, but there are {calls} calls"),
        format!("write `cycles int64[{calls}]` or larger, or fewer `calls`"),
    )
    .label(span, format!("room for {elements} of {calls} counts"))
}

/// A size in bytes that is not a whole number of elements.
pub fn bad_size(span: Span, bytes: i128, element: &str, element_bytes: u32) -> Diagnostic {
    let whole = (bytes / i128::from(element_bytes)).max(1) * i128::from(element_bytes);
    Diagnostic::new(
        &catalogue::BAD_SIZE,
        format!("{bytes} bytes are not a whole number of {element} elements of {element_bytes} bytes"),
        format!("write `{element}[{whole} B]`, or the number of elements without a unit"),
    )
    .label(span, format!("a size of {bytes} B"))
}

/// More instances than any array holds.
pub fn too_many_instances(span: Span, total: u128) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!(
            "the design has {total} kernels, inputs and outputs up to here; the limit is {}",
            Design::MAX_INSTANCES
        ),
        "use smaller extents: an AI Engine array has a few hundred tiles",
    )
    .label(span, format!("this brings the number to {total}"))
}

/// More ports than there could be connections for.
pub fn too_many_ports(span: Span, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the kernels of the design have more than {limit} ports"),
        "use smaller extents or fewer ports",
    )
    .label(span, format!("port number {} is declared here", limit + 1))
}

/// More connections than a design may have.
pub fn too_many_connections(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the design has more than {} connections", Design::MAX_CONNECTIONS),
        "connect fewer instances: an AI Engine array has a few hundred tiles",
    )
    .label(span, format!("connection number {} is made here", Design::MAX_CONNECTIONS + 1))
}

/// A group that lists more kernels than a design may have.
pub fn group_too_large(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the group lists more than {} kernels", Design::MAX_INSTANCES),
        "list every kernel once",
    )
    .label(span, format!("kernel number {} of the group", Design::MAX_INSTANCES + 1))
}

/// A loop that runs too often.
pub fn loop_too_long(span: Span, from: i64, to: i64, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the loops of the design make more than {limit} connections and placements"),
        "shorten the range, or connect whole slices: `connect a[0..8].y -> b[0..8].x`",
    )
    .label(span, format!("from {from} up to {to}"))
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
pub fn identifier_collision(identifier: &str, this: (&str, Span), other: (&str, Span)) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_IDENTIFIER,
        format!("`{}` and `{}` would both be called `{identifier}` in the generated C++", this.0, other.0),
        "rename one of the two",
    )
    .label(this.1, format!("`{}` becomes `{identifier}`", this.0))
    .label(other.1, format!("`{}` needs the same name", other.0))
}

/// A path that the generated project cannot hold.
pub fn bad_path(span: Span, path: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("`{path}` cannot be used as a path: {reason}"),
        "write a path relative to the design, with `/` between its parts, such as \"data/in.txt\"",
    )
    .label(span, reason.to_owned())
}

/// A data file at a path that the generated project uses itself.
pub fn taken_path(span: Span, path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("`{path}` cannot be used as a path: the generated project has files of its own there"),
        "choose another place, such as \"data/in.txt\"",
    )
    .label(span, "the project's own files would be overwritten")
}

/// More bytes than a simulation or the host can handle go through an input or output.
pub fn too_much_data(
    span: Span,
    name: &str,
    iterations: u32,
    windows: u64,
    window: (String, u64),
) -> Diagnostic {
    let (window, bytes) = window;
    let total = u128::from(windows) * u128::from(bytes) * u128::from(iterations);
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!(
            "{total} bytes go through `{name}`: {iterations} iterations of {windows} x {window}; \
             an input or output moves less than 4 GiB"
        ),
        "use fewer `iterations`, `calls` or `windows`, or less data",
    )
    .label(span, format!("{total} bytes"))
}

/// Several outputs would write one file.
pub fn shared_output_file(span: Span, path: &str, first: Span) -> Diagnostic {
    let help = "give every output a file of its own; in a family, `{}` in the name stands for the index";
    Diagnostic::new(&catalogue::BAD_VALUE, format!("several outputs write the file `{path}`"), help)
        .label(span, format!("this one writes `{path}`"))
        .label(first, "and so does this one")
}

/// An output would write the file with the data of an input.
pub fn overwritten_input_file(span: Span, path: &str, input: Span) -> Diagnostic {
    let help = "give the output a file of its own";
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("an output writes the file `{path}`, the data of an input"),
        help,
    )
    .label(span, format!("this overwrites `{path}`"))
    .label(input, format!("this reads `{path}`"))
}

/// A kernel is listed twice in a group.
pub fn duplicate_rank(collective: &str, kernel: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::DUPLICATE_RANK,
        format!("`{kernel}` appears twice in the group of `{collective}`"),
        "list every kernel once: a kernel has one rank",
    )
    .label(again, format!("`{kernel}` is listed again"))
    .label(first, format!("`{kernel}` is listed here first"))
}

/// A group of one.
pub fn too_few_ranks(span: Span, collective: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_FEW_RANKS,
        format!("`{collective}` runs over a single kernel, so there is nothing to combine"),
        "name more kernels after `over`, or remove the collective",
    )
    .label(span, "a group of one")
}

/// The root does not take part.
pub fn root_not_in_group(
    span: Span,
    collective: &str,
    root: &str,
    first: &str,
    declared: Span,
) -> Diagnostic {
    Diagnostic::new(
        &catalogue::ROOT_NOT_IN_GROUP,
        format!("`{root}` is the root of `{collective}`, but not one of its ranks"),
        format!("choose a root within the group, such as `{first}`, or add `{root}` after `over`"),
    )
    .label(span, format!("`{root}` takes no part"))
    .label(declared, "the group is named here")
}

/// Names in backquotes, separated by commas.
fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// `no index`, `1 index`, `2 indices`.
fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

fn count_u64(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// `place` with different numbers of kernels on both sides.
pub fn place_mismatch(placed: (Span, u64), anchors: (Span, u64)) -> Diagnostic {
    let (left, right) = (count_u64(placed.1, "kernel"), count_u64(anchors.1, "kernel"));
    Diagnostic::new(
        &catalogue::SLICE_MISMATCH,
        format!("{left} cannot be placed relative to {right}"),
        "select equally many on both sides: they are taken one by one, in order",
    )
    .label(placed.0, format!("selects {left}"))
    .label(anchors.0, format!("selects {right}"))
}

/// A `together` or `apart` of one kernel.
pub fn lonely_group(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_COUNT,
        "`together` and `apart` need at least 2 kernels, but this names 1",
        "name another kernel, or remove the constraint",
    )
    .label(span, "this names 1 kernel")
}

/// The groups of the design have too many pairs.
pub fn too_many_pairs(span: Span, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("`together` and `apart` make more than {limit} pairs of kernels"),
        "name fewer kernels: every two of a group are a pair",
    )
    .label(span, format!("pair number {} is made here", limit.saturating_add(1)))
}

/// The constraints of the design name too many kernels.
pub fn too_many_constraints(span: Span, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("placement constraints name more than {limit} kernels"),
        "name each kernel in few constraints: an AI Engine array has a few hundred tiles",
    )
    .label(span, format!("number {} is named here", limit.saturating_add(1)))
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

/// A property that an operation has no use for.
pub fn stray_property(span: Span, word: &str, operation: Operation, kind: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        format!("`{word}` means nothing for {operation}"),
        format!("remove `{word}`, or use an operation that has it"),
    )
    .label(span, format!("{operation} has no `{word}`"))
    .label(kind, format!("declared as {operation} here"))
}

/// An operation that cannot take a shape.
pub fn no_such_shape(span: Span, operation: Operation, word: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NO_SUCH_SHAPE,
        format!("{operation} has no shape `{word}`"),
        format!("use one of {}, or `auto`", quoted(known.iter().copied())),
    )
    .label(span, format!("`{word}` does not serve {operation}"))
}

/// Recursive halving of a number of ranks that cannot be halved.
pub fn not_a_power_of_two(span: Span, collective: &str, ranks: u32) -> Diagnostic {
    let below = 1_u32 << ranks.checked_ilog2().unwrap_or(0);
    Diagnostic::new(
        &catalogue::POWER_OF_TWO,
        format!(
            "`{collective}` halves its blocks in every round, but has {ranks} ranks, which is no power of two"
        ),
        format!("write `shape ring`, or use {below} or {} ranks", below.saturating_mul(2)),
    )
    .label(span, format!("a butterfly over {ranks} ranks"))
}

/// An operator that is not commutative, in a shape that does not combine in rank order.
pub fn out_of_order(
    span: Span,
    (collective, operation): (&str, Operation),
    shape: &str,
    (op_span, op): (Span, &str),
) -> Diagnostic {
    let ordered = operation.row().ordered;
    let way_out = match operation.row().algorithm(ordered).is_some_and(|algorithm| algorithm.power_of_two) {
        true => format!("take a power of two of ranks and write `shape {ordered}`, which keeps their order"),
        false => format!("write `shape {ordered}`, which keeps the order of ranks"),
    };
    Diagnostic::new(
        &catalogue::RANK_ORDER,
        format!("`{collective}` does not combine in rank order, but `{op}` is `ordered`"),
        format!("{way_out}, or declare the operator `commutative` if it is"),
    )
    .label(span, format!("`{shape}` mixes the ranks"))
    .label(op_span, format!("`{op}` needs them in order"))
}

/// Floats that would be combined as their packets come.
pub fn order_of_arrival(
    span: Span,
    (collective, operation): (&str, Operation),
    (data, element): (Span, &str),
) -> Diagnostic {
    let shapes = quoted(operation.row().shapes_of_fixed_order().into_iter());
    Diagnostic::new(
        &catalogue::ORDER_OF_ARRIVAL,
        format!(
            "`{collective}` combines packets in the order of arrival, so with `{element}` the \
             bits differ from run to run"
        ),
        format!("take a shape whose order is always the same ({shapes}), or make the elements integers"),
    )
    .label(span, "combines packets in the order of arrival")
    .label(data, "another order rounds sums differently")
}

/// Headers among the packets of several ranks.
pub fn headed_merge(span: Span, collective: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::HEADED_MERGE,
        format!("`{collective}` is `headed`, but its blocks would come as packets of one stream"),
        "write `shape flat` or `shape chain`, or state the `counts` in the design instead of `headed`",
    )
    .label(span, "has no place for headers")
}

/// A cascade that would have to lead to a rank before its last one.
pub fn cascade_root(span: Span, collective: &str, root: Span, (rank, ranks): (u32, u32)) -> Diagnostic {
    let last = ranks.saturating_sub(1);
    Diagnostic::new(
        &catalogue::CASCADE_ROOT,
        format!(
            "the root of `{collective}` is rank {rank}, but the cascade leads from rank 0 to \
             rank {last}, which alone gets the result"
        ),
        "make the root the last kernel of the group, leave `root` out, or write `shape chain`",
    )
    .label(root, format!("rank {rank} of {ranks}"))
    .label(span, "the cascade leads one way")
}

/// More steps than the stages can handle.
pub fn too_many_steps(span: Span, collective: &str, steps: u64, most: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_STEPS,
        format!("the ranks of `{collective}` do up to {steps} steps for every window, more than {most}"),
        "use fewer ranks, or a shape that sends less, such as `butterfly`",
    )
    .label(span, "this shape needs them")
}

/// A formula over ranks that has no value, or one out of range.
pub fn bad_counts(span: Span, collective: &str, fault: Option<(u32, i64)>, most: u32) -> Diagnostic {
    let message = match fault {
        Some((rank, value)) => {
            format!("for rank {rank} of `{collective}` this is {value}, not between 0 and {most}")
        }
        None => format!("for a rank of `{collective}` this has no value: it overflows or divides by zero"),
    };
    Diagnostic::new(&catalogue::BAD_COUNTS, message, "use an expression in `rank` that fits every rank")
        .label(span, "evaluated for every rank")
}

/// Two ranks send to one.
pub fn same_partner(span: Span, collective: &str, (first, second): (u32, u32), to: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PARTNERS,
        format!("ranks {first} and {second} of `{collective}` both send to rank {to}"),
        "every rank receives from one other at most: use `shift`, or an expression with different values",
    )
    .label(span, format!("is {to} for both"))
}

/// A map that sends a rank's data to itself.
pub fn to_itself(span: Span, collective: &str, rank: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PARTNERS,
        format!("rank {rank} of `{collective}` would send to itself"),
        "give it a number that is no rank, such as -1, and let its kernel copy the data",
    )
    .label(span, format!("is {rank} for rank {rank}"))
}

/// A map whose values are all outside the ranks.
pub fn to_nobody(span: Span, collective: &str, ranks: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PARTNERS,
        format!(
            "no rank of `{collective}` sends to another: none of the numbers is one of its {ranks} ranks"
        ),
        format!("give one rank at least a number from 0 to {}", ranks.saturating_sub(1)),
    )
    .label(span, "is no rank for any rank")
}

/// A shift by a multiple of the ranks.
pub fn all_to_themselves(span: Span, collective: &str, ranks: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PARTNERS,
        format!(
            "every rank of `{collective}` would send to itself: the shift is a multiple of its {ranks} ranks"
        ),
        format!("shift by 1 to {}, or use `copy` loops in the kernel", ranks.saturating_sub(1)),
    )
    .label(span, "shifts round to the same rank")
}

/// Two blocks of a gather use one element of the root's array.
pub fn blocks_overlap(span: Span, collective: &str, (first, second): (u32, u32), element: u64) -> Diagnostic {
    let message = if first == second {
        format!(
            "rank {first} of `{collective}` sends two of its elements to element {element} of the \
             root's array"
        )
    } else {
        format!(
            "ranks {first} and {second} of `{collective}` both send to element {element} of the root's array"
        )
    };
    Diagnostic::new(
        &catalogue::BLOCKS_OVERLAP,
        message,
        "let `base`, `size` and `stride` keep the blocks apart",
    )
    .label(span, "blocks start here")
}

/// Pieces that do not make up the data.
pub fn pieces(span: Span, (num, size): (u32, u32), data: Span, elements: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("{num} pieces of {size} elements are {}, not {elements}", u64::from(num) * u64::from(size)),
        "`num` times `size` is the number of elements of `data`",
    )
    .label(span, format!("{num} pieces"))
    .label(data, format!("data of {elements} elements"))
}

/// `inout` at a port that carries no parameter.
pub fn inout_port(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("`{name}` is `inout`, but carries no parameter"),
        format!("write `in {name}` or `out {name}`; only a parameter goes both ways: `inout {name}: parameter int32`"),
    )
    .label(span, "windows, streams and cascades have one direction")
}

/// A margin at a port that is no input.
pub fn margin_of_output(span: Span, name: &str, port: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("the output `{name}` has a margin"),
        "write the margin at the input of the kernel that reads the window",
    )
    .label(span, "a margin repeats elements that were read before")
    .label(port, "this port only writes")
}

/// `async` in a connection whose port carries no window.
pub fn async_port(span: Span, name: &str, carries: Carries, declared: Span) -> Diagnostic {
    let help = match carries {
        Carries::Parameter(_) => {
            format!("write `async` in the declaration of `{name}`: `parameter int32 async`")
        }
        Carries::Cascade(_) => {
            "leave `async` out: the kernel moves one vector of the cascade whenever it wants".to_owned()
        }
        _ => "leave `async` out: the kernel reads and writes the stream whenever it wants".to_owned(),
    };
    Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("`{name}` carries a {} and takes no `async` in a connection", carries.word()),
        help,
    )
    .label(span, "only windows are acquired and released")
    .label(declared, "declared here")
}

/// A connection between parameters has buffers or a FIFO.
pub fn parameter_property(span: Span, property: &ConnectProperty, from: Span) -> Diagnostic {
    let (word, what) = match property {
        ConnectProperty::Buffer(_) => ("buffer", "windows"),
        ConnectProperty::Fifo(_) => ("fifo", "streams"),
    };
    Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("a connection between parameters takes no `{word}`"),
        format!("remove it; it belongs to connections that carry {what}"),
    )
    .label(span, "means nothing for a value")
    .label(from, "a parameter")
}

/// A split with several producers, or a merge with several consumers.
pub fn switch_ends(span: Span, kind: SwitchKind, from: (Span, u64), to: (Span, u64)) -> Diagnostic {
    let (message, help) = match kind {
        SwitchKind::Split => (
            format!("a split has one producer, but this selects {}", from.1),
            "write one `connect ... -> split ...` for each producer",
        ),
        SwitchKind::Merge | SwitchKind::OrderedMerge => (
            format!("a merge has one consumer, but this selects {}", to.1),
            "write one `connect ... -> merge ...` for each consumer",
        ),
    };
    Diagnostic::new(&catalogue::SLICE_MISMATCH, message, help)
        .label(span, "said here")
        .label(from.0, format!("{} here", from.1))
        .label(to.0, format!("{} here", to.1))
}

/// The clock of a PLIO port is no positive number of MHz with at most three decimals.
pub fn bad_frequency(span: Span, written: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("`{written}` is no clock frequency in MHz"),
        "write a positive number with at most three decimals, such as `frequency 312.5`",
    )
    .label(span, "cannot be read")
}

/// A property that means nothing for this kind of input or output.
pub fn stray_external_property(
    span: Span,
    property: &ExternalProperty,
    far: &FarEnd,
    end: Span,
) -> Diagnostic {
    let (word, owner) = match property {
        ExternalProperty::Initial(_) => ("initial", "`host`"),
        ExternalProperty::Frequency(_) => ("frequency", "`plio`"),
        ExternalProperty::Burst(_) => ("burst", "`gmio`"),
        ExternalProperty::Bandwidth(_) => ("bandwidth", "`gmio`"),
        ExternalProperty::Golden(_) => ("golden", "an `output`"),
    };
    let found = match far {
        FarEnd::Array(Endpoint::Plio { .. }) => "PLIO",
        FarEnd::Array(Endpoint::Gmio { .. }) => "GMIO",
        FarEnd::Host(_) => "the host",
    };
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        format!("`{word}` means nothing for {found}"),
        format!("remove it; it belongs to {owner}"),
    )
    .label(span, "means nothing here")
    .label(end, "the endpoint")
}

/// A parameter of the host is connected to a port that carries none.
pub fn no_parameter(span: Span, parameter: &str, port: &Port, declared: Span) -> Diagnostic {
    let found = port.carries.map_or("nothing", Carries::word);
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{parameter}` is a parameter of the host, but `{}` carries a {found}", port.name),
        format!("declare the port as `{}: parameter int32`, or `{parameter}` as `plio` or `gmio`", port.name),
    )
    .label(span, "connected here")
    .label(port.span, format!("carries a {found}"))
    .label(declared, "a parameter of the host")
}
