//! Faults of placement constraints.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue, count};

/// What stands on a core.
pub const KERNEL: &str = "a kernel";

/// What `shim` places.
pub const EXTERNAL: &str = "an input or output";

/// `place` of an input or output on a tile or by a kernel.
pub fn place_of_external(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is an input or output: it lies in the interface row and not on a core"),
        format!("write its column, such as `place {name} at shim 6`, and for a PLIO `channel 2`"),
    )
    .label(span, format!("`{name}` is an input or output"))
}

/// `shim` for a run-time parameter of the host.
pub fn shim_of_parameter(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        "a parameter of the host takes no column: the processor writes it over the memory-mapped bus",
        "place the buffers of the kernel's port instead, such as `place k.gain at (24, 0) bank 1`",
    )
    .label(span, "a parameter of the host")
}

/// `shim` for a kernel, an instance or a port. `name` is the reference without its port.
pub fn shim_of_other(span: Span, name: &str, placed: Placed, in_component: bool) -> Diagnostic {
    let (what, help) = match (placed, in_component) {
        (Placed::Kernel, true) => (
            KERNEL,
            format!("write a tile that counts from that of the instance, such as `place {name} at (0, 0)`"),
        ),
        (Placed::Kernel, false) => (KERNEL, format!("write a tile, such as `place {name} at (24, 0)`")),
        (_, true) => (
            "no input or output",
            "place the input or output that leads to the component, beside the instance: `place INPUT at shim 6`"
                .to_owned(),
        ),
        (_, false) => (
            "no input or output",
            "place the input or output that is connected to the instance: `place INPUT at shim 6`".to_owned(),
        ),
    };
    let message = "inputs and outputs alone have a column of the interface row";
    let message =
        if in_component { format!("{message}, and a component has none") } else { message.to_owned() };
    Diagnostic::new(&catalogue::WRONG_KIND, message, help).label(span, what)
}

/// A `place` of a GMIO states a `channel`, which only PLIO have.
pub fn channel_of_gmio(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        "`channel` means nothing for a GMIO: the tools choose its channel of the shim DMA (UG1079)",
        "leave it out: `place g at shim 6`",
    )
    .label(span, "means nothing here")
}

/// `place b at a + (*, *)`
pub fn no_distance(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_COUNT,
        "this `place` states 0 of the 2 numbers of a distance, so that any tile will do",
        "state columns or rows, such as `+ (1, *)`, or remove the constraint",
    )
    .label(span, "columns and rows are open")
}

/// A distance between instances of components with a `*`.
pub fn open_distance(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_COUNT,
        "the tile of an instance needs both numbers of a distance, but this `place` states 1",
        "state columns and rows, such as `+ (0, 1)`; kernels may have one number",
    )
    .label(span, "columns or rows are open")
}

/// What a `place` without a port names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// Code on one core, without memory of its own.
    Kernel,
    /// An instance of a component.
    Instance,
    /// A port of an instance, or a name that its component does not declare.
    PortOfInstance,
    /// An input or output.
    External,
}

/// A `place` of what lies in no memory names a bank or an offset. `name` is its last name.
pub fn memory_of_other(span: Span, name: &str, placed: Placed) -> Diagnostic {
    let (what, why, help) = match placed {
        Placed::Kernel => (
            KERNEL,
            "a kernel, which runs on one core",
            format!("name what lies in memory, such as `place {name}.stack at (0, 0) bank 3`"),
        ),
        Placed::Instance => (
            "an instance",
            "an instance of a component, which has several kernels and buffers",
            format!("name a port of a kernel inside, such as `place {name}.KERNEL.PORT at (24, 0) bank 1`"),
        ),
        Placed::PortOfInstance => (
            "no kernel",
            "a port of an instance: the kernels inside have the buffers",
            format!(
                "name the port of a kernel inside, such as `place INSTANCE.KERNEL.{name} at (24, 0) bank 1`"
            ),
        ),
        Placed::External => (
            "an input or output",
            "an input or output, which has no memory in the array",
            "name the port of the kernel that it leads to, such as `place k.x at (24, 0) bank 1`".to_owned(),
        ),
    };
    let message = format!("banks, offsets and several tiles mean nothing for {why}");
    Diagnostic::new(&catalogue::STRAY_PROPERTY, message, help).label(span, what)
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

/// `place` with different numbers of kernels on both sides.
pub fn place_mismatch(what: &str, placed: Spanned<u64>, anchors: Spanned<u64>) -> Diagnostic {
    let (left, right) = (count(placed.value, what), count(anchors.value, what));
    Diagnostic::new(
        &catalogue::SLICE_MISMATCH,
        format!("{left} cannot be placed relative to {right}"),
        "select equally many on both sides: they are taken one by one, in order",
    )
    .label(placed.span, format!("selects {left}"))
    .label(anchors.span, format!("selects {right}"))
}

/// A `together` or `apart` of one kernel.
pub fn lonely_group(what: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_COUNT,
        format!("`together` and `apart` need at least 2 {what}s, but this names 1"),
        format!("name another {what}, or remove the constraint"),
    )
    .label(span, format!("this names 1 {what}"))
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
