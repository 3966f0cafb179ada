//! Faults of collectives and their ranks.

use aiec_collectives::{ElementType, Operation, Rank, Shape, WindowType};
use aiec_diag::{Diagnostic, Span, Spanned, catalogue};
use aiec_dsl::ast::ConnectEnd;
use aiec_ir::Design;
use aiec_ir::design::{CYCLES_ELEMENT, Collective};

use super::quoted;

/// `total.cycles` is connected, yet the collective has no window for it.
pub fn cycles_undeclared(span: Span, declaration: &Collective, declared: Span) -> Diagnostic {
    let collective = &declaration.name;
    let diagnostic = Diagnostic::new(
        &catalogue::MISSING_ITEM,
        format!("`{collective}` does not report cycles, but `{collective}.cycles` is connected"),
        format!("add `cycles int64[N]`, one element for each call, to `{collective}`"),
    )
    .label(span, format!("`{collective}.cycles` is connected here"))
    .label(declared, "no `cycles` in this reduction");
    let text = format!("cycles {}[{}]", CYCLES_ELEMENT.name(), declaration.calls);
    match declaration.operation.row().has_data() {
        true => diagnostic.setting(None, declaration.data.span, &text),
        false => diagnostic,
    }
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

/// `async` at a port of a collective.
pub fn async_collective(end: &ConnectEnd, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` belongs to a reduction and takes no `async`"),
        "remove `async`: the generated code acquires and releases the windows of a reduction \
         where that is right",
    )
    .label(end.reference.span, "a port of a reduction, not one that the kernel declares")
    .removing(end.async_span(), "async")
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
    .removing(Span { start: end.end, ..span }, "windows")
}

/// The window of a reduction with other elements than its data.
pub fn window_element(window: &Spanned<WindowType>, data: &Spanned<WindowType>) -> Diagnostic {
    let (found, wanted) = (window.value.element.name(), data.value.element.name());
    let (elements, window, data) = (window.value.elements, window.span, data.span);
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the window holds {found}, but the data is {wanted}"),
        format!("write `window {wanted}[...]`: the data travels in pieces of its own type"),
    )
    .label(window, format!("windows of {found}"))
    .label(data, format!("data of {wanted}"))
    .replacing(window, format!("{wanted}[{elements}]"))
}

/// The window of cycle counts has another type than int64.
pub fn cycles_element(cycles: &Spanned<WindowType>) -> Diagnostic {
    let (span, found, wanted) = (cycles.span, cycles.value.element.name(), CYCLES_ELEMENT.name());
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("cycle counts are {wanted}, not {found}"),
        format!("write `cycles {wanted}[N]`, one element for each call"),
    )
    .label(span, format!("a window of {found}"))
    .replacing(span, format!("{wanted}[{}]", cycles.value.elements))
}

/// The window of cycle counts is shorter than the calls in one run.
pub fn cycles_too_short(span: Span, elements: u32, calls: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the window for cycle counts holds {elements}, but there are {calls} calls"),
        format!("write `cycles int64[{calls}]` or larger, or fewer `calls`"),
    )
    .label(span, format!("room for {elements} of {calls} counts"))
    .replacing(span, format!("int64[{calls}]"))
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
        format!("`{collective}` runs over a single kernel, so there is nobody to exchange data with"),
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
    .replacing(span, first)
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
    .removing(span, word)
}

/// A property of windows in the shape `stream`, or of streams in another one.
pub fn property_of_shape(span: Span, word: &str, shape: Span, streams: bool) -> Diagnostic {
    let (message, way) = match streams {
        true => (format!("`{word}` is about windows, and `shape stream` has none"), "or use another shape"),
        false => (format!("`{word}` is about streams, and this shape has none"), "or write `shape stream`"),
    };
    Diagnostic::new(&catalogue::STRAY_PROPERTY, message, format!("remove `{word}`, {way}"))
        .label(span, "means nothing here")
        .label(shape, "the shape")
        .removing(span, word)
}

/// A property of channels to any peer at a channel whose receivers the design names.
pub fn only_with_peers(span: Span, word: &str, channel: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        format!("`{word}` means nothing for the channel `{channel}`, whose ranks have one receiver each"),
        format!("remove `{word}`, or write `peers any` to let the kernels choose receivers"),
    )
    .label(span, "only a channel with `peers any` has it")
    .removing(span, word)
}

/// A property of channels whose receivers the design names at one to any peer.
pub fn not_with_peers(span: Span, word: &str, channel: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        format!(
            "`{word}` means nothing for the channel `{channel}`, which kernels open as often as they want"
        ),
        format!("remove `{word}`"),
    )
    .label(span, "a channel with `peers any` has none")
    .removing(span, word)
}

/// A largest message that is no whole number of words.
pub fn message_not_words(span: Span, bytes: u32) -> Diagnostic {
    let whole = u64::from(bytes).next_multiple_of(4);
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("packets carry words of 4 bytes, and {bytes} B is no whole number of them"),
        format!("write `max {whole} B`; a shorter message may have any number of bytes"),
    )
    .label(span, "the largest message")
    .replacing(span, format!("{whole} B"))
}

/// A mailbox whose receiver is left to the compiler.
pub fn receiver_left_open(span: Span, mailbox: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the compiler cannot choose the receiver of `{mailbox}`: its kernel calls `receive`"),
        "name the kernel that receives, such as `root server`",
    )
    .label(span, "no kernel")
}

/// A channel to any peer with fewer than two ranks beside its root.
pub fn nobody_to_carry_to(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_FEW_RANKS,
        format!("the channel `{name}` has fewer than two ranks beside its root, which carries their packets"),
        "add kernels to the group, or name the one receiver with `to` and leave `peers` and `root` out",
    )
    .label(span, "the group is this and the root")
}

/// The word of a tree or a hub without its number. `shape` is one with a number.
pub fn shape_without_number(span: Span, shape: Shape) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the shape `{}` has a number, and it is missing", shape.word()),
        format!("write `shape {shape}`"),
    )
    .label(span, "the number goes after this word")
    .replacing(span, shape.to_string())
}

/// An operation that cannot take a shape.
pub fn no_such_shape(span: Span, operation: Operation, word: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NO_SUCH_SHAPE,
        format!("{operation} has no shape `{word}`"),
        format!("use one of {}, or `auto`", quoted(known.iter().copied())),
    )
    .label(span, format!("`{word}` does not serve {operation}"))
    .replacing(span, "shape auto")
}

/// Adds the fix that gives `collective` the shape of this word.
pub fn in_shape(diagnostic: Diagnostic, collective: &Collective, word: &str) -> Diagnostic {
    let written = (collective.shape.span != collective.span).then_some(collective.shape.span);
    match written.is_some() || collective.operation.row().has_data() {
        true => diagnostic.setting(written, collective.data.span, &format!("shape {word}")),
        false => diagnostic,
    }
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

/// A collective whose shape does not fit what it combines.
#[derive(Clone, Copy, Debug)]
pub struct Combined<'a> {
    /// The name of the collective.
    pub collective: &'a str,
    /// What the ranks do together.
    pub operation: Operation,
    /// The place of its shape.
    pub span: Span,
}

/// An operator that is not commutative, in a shape that does not combine in rank order.
pub fn out_of_order(combined: Combined<'_>, shape: Shape, op: &Spanned<&str>) -> Diagnostic {
    let Combined { collective, operation, span } = combined;
    let ordered = operation.row().ordered;
    let way_out = match operation.row().algorithm(ordered).is_some_and(|algorithm| algorithm.power_of_two) {
        true => format!("take a power of two of ranks and write `shape {ordered}`, which keeps their order"),
        false => format!("write `shape {ordered}`, which keeps the order of ranks"),
    };
    Diagnostic::new(
        &catalogue::RANK_ORDER,
        format!("`{collective}` does not combine in rank order, but `{}` is `ordered`", op.value),
        format!("{way_out}, or declare the operator `commutative` if it is"),
    )
    .label(span, format!("`{shape}` mixes the ranks"))
    .label(op.span, format!("`{}` needs them in order", op.value))
}

/// Floats that would be combined as their packets come.
pub fn order_of_arrival(combined: Combined<'_>, element: Spanned<ElementType>) -> Diagnostic {
    let Combined { collective, operation, span } = combined;
    let shapes = quoted(operation.row().shapes_of_fixed_order().into_iter());
    Diagnostic::new(
        &catalogue::ORDER_OF_ARRIVAL,
        format!(
            "`{collective}` combines packets in the order of arrival, so with `{}` the \
             bits differ from run to run",
            element.value.name()
        ),
        format!("take a shape whose order is always the same ({shapes}), or make the elements integers"),
    )
    .label(span, "combines packets in the order of arrival")
    .label(element.span, "another order rounds sums differently")
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

/// A collective whose links cannot be streams, and why.
pub fn stream_shape(span: Span, collective: &str, why: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::STREAM_SHAPE,
        format!("`{collective}` cannot go over streams: {why}"),
        "use a shape with windows, such as `chain`",
    )
    .label(span, "in this shape")
}

/// A cascade that would have to lead to a rank before its last one.
pub fn cascade_root(span: Span, collective: &str, root: Span, rank: Rank, ranks: u32) -> Diagnostic {
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
pub fn same_partner(span: Span, collective: &str, first: Rank, second: Rank, to: Rank) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PARTNERS,
        format!("ranks {first} and {second} of `{collective}` both send to rank {to}"),
        "every rank receives from one other at most: use `shift`, or an expression with different values",
    )
    .label(span, format!("is {to} for both"))
}

/// A map that sends a rank's data to itself.
pub fn to_itself(span: Span, collective: &str, rank: Rank) -> Diagnostic {
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
    .replacing(span, "1")
}

/// Two blocks of a gather use one element of the root's array.
pub fn blocks_overlap(span: Span, collective: &str, first: Rank, second: Rank, element: u64) -> Diagnostic {
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
pub fn pieces(span: Span, num: u32, size: u32, data: &Spanned<WindowType>) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!(
            "{num} pieces of {size} elements are {}, not {}",
            u64::from(num) * u64::from(size),
            data.value.elements
        ),
        "`num` times `size` is the number of elements of `data`",
    )
    .label(span, format!("{num} pieces"))
    .label(data.span, format!("data of {} elements", data.value.elements))
}
