//! Faults of active messages.

use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_ir::ElementType;

/// The owner of active messages is also a client.
pub fn owner_among_clients(client: Span, server: &str, owner: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::DUPLICATE_RANK,
        format!("the owner of `{server}` is also one of its clients, so it would wait for itself"),
        "leave the owner out of the clients: its kernel calls its own functions without messages",
    )
    .label(client, "the owner is listed here")
    .label(owner, "the owner is named here")
}

/// An argument, a result or an element of a buffer that is no word of a packet.
pub fn not_a_word(span: Span, element: ElementType) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("packets carry words of 4 bytes, and `{element}` is none"),
        "use `int32`, `uint32` or `float`; pack others into these",
    )
    .label(span, "no number of 32 bits")
}

/// An array with arguments behind it.
pub fn array_not_last(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the array `{name}` is not the last argument of its handler"),
        format!("put `{name}` last: the packet ends with the array, whose length the client chooses"),
    )
    .label(span, "an array with arguments behind it")
}

/// A handler whose result is an array.
pub fn array_as_result(span: Span, handler: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("the result of `{handler}` is an array, but a reply has one number"),
        "declare `buffer NAME: TYPE[SIZE]`, from which clients get elements, or return one `int32`, `uint32` or `float`",
    )
    .label(span, "an array")
}
