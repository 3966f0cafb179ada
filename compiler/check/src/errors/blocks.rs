//! Errors of constraints on memory.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, catalogue};

use aiec_ir::blocks::{Block, BlockPlace};
use aiec_ir::expanded::{Expanded, Place};
use aiec_ir::{KernelId, PortId};

use super::labelled;

type Placed = BlockPlace<KernelId, PortId>;

/// The name of a block as the design writes it.
pub(super) fn name(design: &Expanded, block: Block<KernelId, PortId>) -> String {
    match block {
        Block::Stack(kernel) => format!("{}.stack", design.kernels[kernel].name),
        Block::Buffers(port) => design.port_name(port),
    }
}

/// A constraint names a port without buffers.
pub(crate) fn no_buffers(design: &Expanded, port: PortId, span: Span) -> Diagnostic {
    let word = design.ports[port].carries.map_or("nothing", aiec_ir::Carries::word);
    let name = design.port_name(port);
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!("`{name}` carries a {word}, which takes 0 buffers in memory, and the constraint needs 1"),
        "name a port with a window or a parameter, or remove the constraint",
    )
    .label(span, format!("`{name}` has no buffers"))
    .label(design.ports[port].span, format!("carries a {word}"))
}

/// An `apart` names a port twice.
pub(crate) fn apart_from_itself(design: &Expanded, port: PortId, span: Span) -> Diagnostic {
    let name = design.port_name(port);
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!("`{name}` is to be apart from itself: the `apart` names it 2 times, and 1 is enough"),
        "name each port once; `place` with two banks parts the two buffers of one port",
    )
    .label(span, format!("names `{name}` twice"))
}

/// Two blocks are to share no bank, and their places are in one bank.
pub(crate) fn apart_in_one_bank(
    design: &Expanded,
    blocks: [Block<KernelId, PortId>; 2],
    ((column, row), bank): ((i64, i64), u32),
    span: Span,
) -> Diagnostic {
    let [a, b] = blocks.map(|block| design.block_name(block));
    let message = format!(
        "{a} and {b} are to share no bank, but both are placed in bank {bank} of the module at ({column}, {row})"
    );
    let diagnostic = Diagnostic::new(&catalogue::BLOCK_PLACE, message, "place one of them in another bank")
        .label(span, "to be apart");
    let places = design.blocks.places.iter().filter(|place| blocks.contains(&place.block));
    labelled(diagnostic, places.map(|place| (place.span, "in one bank".to_owned())))
}

/// A block is to lie on another tile than a kernel, and its place is on that tile.
pub(crate) fn not_elsewhere(design: &Expanded, kernel: KernelId, place: &Placed, span: Span) -> Diagnostic {
    let (block, core) = (design.block_name(place.block), &design.kernels[kernel].name);
    let message =
        format!("{block} is to lie on another tile than `{core}`, but is placed on the tile of `{core}`");
    let help = "place it on another tile, or leave one of the two statements out";
    let diagnostic = Diagnostic::new(&catalogue::BLOCK_PLACE, message, help);
    labelled(diagnostic.label(span, "on another tile"), [(place.span, "placed here".to_owned())])
}

/// The module lies outside the array.
pub(crate) fn outside(
    design: &Expanded,
    place: &Placed,
    (at, above): (i64, i64),
    device: &Device,
) -> Diagnostic {
    let (column, row) = (i64::from(device.columns) - 1, i64::from(device.rows) - 1);
    Diagnostic::new(
        &catalogue::PLACE_OUTSIDE,
        format!(
            "`{}` is placed at ({at}, {above}), but {} has no such tile",
            name(design, place.block),
            device.name
        ),
        format!("use a column from 0 to {column} and a core row from 0 to {row}"),
    )
    .label(place.span, format!("the array has {} columns and {} core rows", device.columns, device.rows))
}

/// The module has no bank of this number.
pub(crate) fn no_such_bank(design: &Expanded, place: &Placed, bank: u32, banks: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!(
            "`{}` is placed in bank {bank}, but a module has {banks} banks (AM009)",
            name(design, place.block)
        ),
        format!("write a bank from 0 to {}", banks.saturating_sub(1)),
    )
    .label(place.span, format!("there is no bank {bank}"))
}

/// A place has neither one spot nor one for each block.
pub(crate) fn spot_count(design: &Expanded, place: &Placed, blocks: u32) -> Diagnostic {
    let (name, spots) = (name(design, place.block), place.spots.len());
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!(
            "`{name}` has {blocks} of its blocks in memory, but the `place` states {spots} banks or offsets"
        ),
        format!("write one bank for all, or {blocks}"),
    )
    .label(place.span, format!("{spots} for {blocks}"))
}

/// An offset is no multiple of the alignment. A block at offset `most` still fits its module.
pub(crate) fn misaligned(
    design: &Expanded,
    place: &Placed,
    offset: u32,
    alignment: u32,
    most: u64,
) -> Diagnostic {
    let step = u64::from(alignment.max(1));
    let down = u64::from(offset) / step * step;
    let help = match most / step * step {
        most if down >= most => format!("write {most}"),
        _ => format!("write {down} or {}", down + step),
    };
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!(
            "`{}` is placed at offset {offset}, but blocks begin at multiples of {alignment} bytes",
            name(design, place.block)
        ),
        help,
    )
    .label(place.span, format!("{} bytes behind such a multiple", u64::from(offset) - down))
}

/// A block at its offset ends behind its module.
pub(crate) fn beyond_module(
    design: &Expanded,
    place: &Placed,
    offset: u32,
    bytes: u64,
    device: &Device,
) -> Diagnostic {
    let module = u64::from(device.memory.module_bytes);
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!(
            "`{}` takes {bytes} bytes and is placed at offset {offset}, but a module has {module} bytes",
            name(design, place.block)
        ),
        format!("write an offset of at most {}", module.saturating_sub(bytes)),
    )
    .label(place.span, format!("ends at byte {}", u64::from(offset) + bytes))
}

/// Buffers that a DMA serves have places in two modules.
pub(crate) fn dma_in_two_modules(design: &Expanded, place: &Placed) -> Diagnostic {
    let name = name(design, place.block);
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!(
            "a DMA serves both buffers of `{name}`, and they are placed in {} modules, but a DMA serves 1 \
             (AM009)",
            place.modules().len()
        ),
        "place both in one module; only buffers that two kernels share may lie in two",
    )
    .label(place.span, "in two modules")
}

/// A block at a stated offset.
pub(crate) struct AtOffset<'a> {
    /// What states it.
    pub place: &'a Placed,
    /// Bytes from the start of the module.
    pub offset: u64,
}

/// Two blocks at stated offsets overlap.
pub(crate) fn overlap(
    design: &Expanded,
    (column, row): (i64, i64),
    first: &AtOffset<'_>,
    second: &AtOffset<'_>,
) -> Diagnostic {
    let (one, other) = (name(design, first.place.block), name(design, second.place.block));
    let (start, after) = (first.offset, second.offset);
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!(
            "`{one}` at offset {start} and `{other}` at offset {after} of the module at ({column}, {row}) \
             overlap"
        ),
        "move one of the two behind the end of the other",
    )
    .label(second.place.span, format!("`{other}` begins inside `{one}`"))
    .label(first.place.span, format!("`{one}`"))
}

/// The module stays free.
pub(crate) fn closed(design: &Expanded, place: &Placed, (column, row): (i64, i64)) -> Diagnostic {
    let name = name(design, place.block);
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!("`{name}` is placed at ({column}, {row}), which a `keepout` or the device file closes"),
        "choose another module, or make the `keepout` smaller",
    )
    .label(place.span, "this module stays free")
}

/// The kernel has a place whose core does not reach the module.
pub(crate) fn out_of_reach(
    design: &Expanded,
    place: &Placed,
    (column, row): (i64, i64),
    core: &Place,
) -> Diagnostic {
    let (block, kernel) = (name(design, place.block), &design.kernels[core.kernel].name);
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!(
            "`{block}` is placed at ({column}, {row}), which the core of `{kernel}` at ({}, {}) does not reach (AM009)",
            core.column, core.row
        ),
        "a core reaches its own module, those north and south, and the one west in even rows or east in odd ones",
    )
    .label(place.span, "out of reach")
    .label(core.span, format!("`{kernel}` is placed here"))
}

/// A block has two places.
pub(crate) fn two_places(design: &Expanded, first: &Placed, second: &Placed) -> Diagnostic {
    let at = |place: &Placed| {
        let spots: Vec<String> = place.spots.iter().map(ToString::to_string).collect();
        spots.join(", ")
    };
    Diagnostic::new(
        &catalogue::BLOCK_PLACE,
        format!("`{}` is placed at {} and at {}", name(design, first.block), at(first), at(second)),
        "take one of the two constraints away",
    )
    .label(first.span, "one place")
    .label(second.span, "another place")
}
