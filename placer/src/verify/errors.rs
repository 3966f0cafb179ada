//! Diagnostics of the placement checker, one function for each fault.

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::{Code, Diagnostic, Span, catalogue};
use aiec_ir::constraints::{Aligned, Offset, Region, ShimPlace, ShimTie};
use aiec_ir::expanded::{Cascade, External, Owner, Place};
use aiec_ir::{Direction, ExternalId, KernelId, PortId};

use super::blocks::Broken;
use super::fifos::Reserved;
use super::ledger::Stored;
use crate::naming::{MOST_NAMES, named};
use crate::placement::ShimSpot;

/// Help for faults that mostly occur in placement files: `change` it there.
fn in_file(change: &str) -> String {
    format!("{change} in the placement file, or leave the file out and let aiec place the design")
}

/// A table of the placement differs in size from the design's.
pub(super) fn table_size(checked: &Checked, table: &str, has: usize, needs: usize) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PLACEMENT_MISSING,
        format!("the placement has places for {has} {table}, but the design has {needs}"),
        "use a placement that was made for this design",
    )
    .label(checked.name.span, format!("this design has {needs} {table}"))
}

/// A kernel is not on the array.
pub(super) fn kernel_outside(checked: &Checked, kernel: KernelId, tile: Tile) -> Diagnostic {
    let kernel = &checked.kernels[kernel];
    Diagnostic::new(
        &catalogue::PLACEMENT_OUTSIDE,
        format!("`{}` is placed at {tile}, which is not on the array", kernel.name),
        in_file("give the kernel a tile of the array, columns and core rows counted from 0,"),
    )
    .label(kernel.span, format!("`{}` is one of these", kernel.name))
}

/// Several kernels are on one tile, and one of them needs a core of its own.
pub(super) fn tile_shared(
    checked: &Checked,
    tile: Tile,
    kernels: &[KernelId],
    alone: KernelId,
) -> Diagnostic {
    let entry = &checked.kernels[alone];
    let why = match checked.runtime(alone) {
        None => "it has no `runtime` ratio",
        Some(_) => "it could wait for another one there for ever",
    };
    let help = match checked.runtime(alone) {
        None => in_file("give each of them a `runtime`, at most 1 in sum, or give it another tile"),
        Some(_) => in_file("give it another tile"),
    };
    let others = match kernels.len().saturating_sub(1) {
        1 => "is 1 other".to_owned(),
        others => format!("are {others} others"),
    };
    Diagnostic::new(
        &catalogue::TILE_SHARED,
        format!(
            "{} are placed at {tile}, but `{}` needs a core of its own: {why}",
            named(checked, kernels),
            entry.name
        ),
        help,
    )
    .label(entry.span, format!("`{}` is at {tile}, and so {others}", entry.name))
}

/// The demand on a resource of a core or a module, and its supply.
#[derive(Clone, Copy)]
pub(super) struct Charge {
    pub(super) resource: &'static str,
    pub(super) demand: u64,
    pub(super) supply: u64,
}

/// The kernels on a tile need more of a resource than its core has.
pub(super) fn core_overloaded(
    checked: &Checked,
    tile: Tile,
    kernels: &[KernelId],
    Charge { resource, demand, supply }: Charge,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::TILE_SHARED,
        format!(
            "{} are placed at {tile} and need {demand} {resource}, but the core has {supply}",
            named(checked, kernels)
        ),
        in_file("give one of them another tile"),
    );
    let labels = kernels.iter().take(MOST_NAMES).map(|&kernel| &checked.kernels[kernel]);
    labels.fold(diagnostic, |d, kernel| d.label(kernel.span, format!("`{}` is at {tile}", kernel.name)))
}

/// The kernels of a core have stacks at different positions.
pub(super) fn stacks_apart(checked: &Checked, first: KernelId, second: KernelId, tile: Tile) -> Diagnostic {
    let (first, second) = (&checked.kernels[first], &checked.kernels[second]);
    Diagnostic::new(
        &catalogue::STACKS_APART,
        format!(
            "`{}` and `{}` run on the core at {tile}, which has 1 area for stacks, but they have 2",
            first.name, second.name
        ),
        in_file("give both the same place for the stack"),
    )
    .label(second.span, format!("the stack of `{}` lies elsewhere", second.name))
}

/// Kernels on one core do not use one buffer.
pub(super) fn must_share(checked: &Checked, port: PortId) -> Diagnostic {
    let name = checked.port_name(port);
    Diagnostic::new(
        &catalogue::BUFFER_COUNT,
        format!(
            "`{name}` and its consumer are on one core, so both use 1 buffer, that of the consumer (UG1079)"
        ),
        in_file(&format!("write \"shared\" for `{name}` and one place for its consumer")),
    )
    .label(checked.ports[port].span, format!("`{name}` leads to a kernel on the same core"))
}

/// A statement of the design and the placement disagree: `message` says how.
fn disagree(statement: &str, message: String, span: Span, label: String) -> Diagnostic {
    let help = format!("change the `{statement}` or the placement file so that both agree");
    Diagnostic::new(&catalogue::CONSTRAINT_BROKEN, message, help).label(span, label)
}

/// A kernel is not at its offset from another.
pub(super) fn offset_broken(
    checked: &Checked,
    offset: &Offset<KernelId>,
    from: Tile,
    to: Tile,
) -> Diagnostic {
    let name = |kernel: KernelId| &checked.kernels[kernel].name;
    let (kernel, base, step) = (name(offset.kernel), name(offset.from), (offset.columns, offset.rows));
    let message =
        format!("`{kernel}` is placed at {to} and `{base}` at {from}, but the design says + {step:?}");
    disagree("place", message, offset.span, format!("this asks for + {step:?}"))
}

/// Two ranks do not follow each other along the cascade.
pub(super) fn cascade_broken(
    checked: &Checked,
    device: &Device,
    cascade: &Cascade,
    from: Tile,
    to: Tile,
) -> Diagnostic {
    let name = |kernel: KernelId| &checked.kernels[kernel].name;
    let leads = match device.cascade_targets(from).first() {
        Some(next) => format!("leads to {next}"),
        None => "ends there".to_owned(),
    };
    Diagnostic::new(
        &catalogue::CONSTRAINT_BROKEN,
        format!(
            "`{}` is placed at {from} and `{}` at {to}, but the cascade of {from} {leads} (AM009)",
            name(cascade.from),
            name(cascade.to)
        ),
        in_file("place the two kernels one after the other along the cascade"),
    )
    .label(cascade.span, "its kernels follow each other along the cascade")
}

/// A kernel is outside its region.
pub(super) fn region_broken(
    checked: &Checked,
    kernel: KernelId,
    tile: Tile,
    region: &Region<KernelId>,
) -> Diagnostic {
    let name = &checked.kernels[kernel].name;
    let areas = region.areas.iter().map(|area| format!("from {:?} to {:?}", area.from, area.to));
    let areas: Vec<String> = areas.collect();
    let message = format!("`{name}` is placed at {tile}, but its region goes {}", areas.join(", or "));
    disagree("region", message, region.span, format!("`{name}` is in this region"))
}

/// A kernel is off the column or row that follows from another kernel.
pub(super) fn aligned_broken(
    checked: &Checked,
    aligned: &Aligned<KernelId>,
    from: Tile,
    to: Tile,
) -> Diagnostic {
    let (kernel, other) = (&checked.kernels[aligned.kernel].name, &checked.kernels[aligned.from].name);
    let (distance, word) = (aligned.distance, aligned.axis.word());
    let message = format!(
        "`{kernel}` is placed at {to} and `{other}` at {from}, but the design says {distance} {word} from there"
    );
    disagree("place", message, aligned.span, format!("`{kernel}` is {distance} {word} from `{other}`"))
}

/// Two kernels run on one core and must not.
pub(super) fn core_shared(checked: &Checked, kernels: [KernelId; 2], tile: Tile, span: Span) -> Diagnostic {
    let [a, b] = kernels.map(|kernel| &checked.kernels[kernel].name);
    let message = format!("`{a}` and `{b}` are both placed at {tile}, but the design says `apart` by core");
    disagree("apart", message, span, format!("this wants `{a}` and `{b}` on two cores"))
}

/// An input or output is not in the column or channel that the design states.
pub(super) fn shim_broken(external: &External, spot: ShimSpot, place: &ShimPlace<ExternalId>) -> Diagnostic {
    let channel = place.channel.map_or_else(String::new, |channel| format!(" channel {channel}"));
    let message = format!(
        "`{}` is placed in column {} channel {}, but the design says {}{channel}",
        external.name,
        spot.column,
        spot.channel,
        place.columns()
    );
    disagree("place", message, place.span, format!("this asks for {}{channel}", place.columns()))
}

/// An input or output is not at its distance from a kernel.
pub(super) fn shim_untied(
    checked: &Checked,
    tie: &ShimTie<ExternalId, KernelId>,
    spot: ShimSpot,
    tile: Tile,
) -> Diagnostic {
    let (external, kernel) = (&checked.externals[tie.external].name, &checked.kernels[tie.kernel].name);
    let message = format!(
        "`{external}` is placed in column {} and `{kernel}` at {tile}, but the design says {} columns from there",
        spot.column, tie.columns
    );
    disagree("place", message, tie.span, format!("`{external}` follows `{kernel}`"))
}

/// Two kernels share memory and must not, or do not share memory and must.
pub(super) fn pair_broken(
    checked: &Checked,
    kernels: [KernelId; 2],
    [first, second]: [Tile; 2],
    span: Span,
    together: bool,
) -> Diagnostic {
    let [a, b] = kernels.map(|kernel| &checked.kernels[kernel].name);
    let (word, what) =
        if together { ("together", "no common memory module") } else { ("apart", "a common memory module") };
    let message = format!(
        "`{a}` is placed at {first} and `{b}` at {second}, where they reach {what}, but the design says `{word}`"
    );
    disagree(word, message, span, format!("this wants `{a}` and `{b}` {word}"))
}

/// A buffer or stack is not in its place, or two buffers are not apart.
pub(super) fn block_broken(broken: &Broken) -> Diagnostic {
    Diagnostic::new(
        &catalogue::CONSTRAINT_BROKEN,
        broken.what.clone(),
        "change the constraint or the placement file so that both agree",
    )
    .label(broken.span, "the placement breaks this")
}

/// A kernel, buffer or stack lies on a closed tile.
pub(super) fn kept_out(what: &str, tile: Tile, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::CONSTRAINT_BROKEN,
        format!("{what} is placed at {tile}, which must stay free"),
        in_file("give it another tile"),
    )
    .label(span, format!("{tile} is closed by this"))
}

/// A kernel is not on the tile of its `place`.
pub(super) fn constraint_broken(checked: &Checked, place: &Place, tile: Tile) -> Diagnostic {
    let name = &checked.kernels[place.kernel].name;
    let asked = (place.column, place.row);
    let message = format!("`{name}` is placed at {tile}, but the design says {asked:?}");
    disagree("place", message, place.span, format!("this asks for {asked:?}"))
}

/// A port is marked as sharing and cannot: an input, which always has its own buffers, or an output
/// with several consumers or one outside the array.
pub(super) fn cannot_share(checked: &Checked, port: PortId) -> Diagnostic {
    let (packets, merged) = (checked.is_stream(port), checked.is_merged(port));
    let (name, port) = (checked.port_name(port), &checked.ports[port]);
    let why = match (port.direction, port.connections.len()) {
        _ if packets => "it is a stream, which the core reads or writes word by word".to_owned(),
        _ if merged => "its windows leave as packets, which a DMA reads from buffers of its own".to_owned(),
        _ if matches!(port.owner, Owner::External(_)) => "it lies outside the array and has none".to_owned(),
        (Direction::In, _) => "an input always has its own, which its producer may write to".to_owned(),
        (Direction::Out, 1) => {
            "its consumer is outside the array, so a DMA reads buffers of its own".to_owned()
        }
        (Direction::Out, consumers) => {
            format!(
                "it has {consumers} consumers, and only an output with one consumer, a kernel, can write into its buffers"
            )
        }
    };
    Diagnostic::new(
        &catalogue::BUFFER_COUNT,
        format!("`{name}` is marked as shared, but {why}"),
        "give the port buffers of its own",
    )
    .label(port.span, format!("`{name}` needs buffers of its own"))
}

/// A port has the wrong number of buffers.
pub(super) fn buffer_count(checked: &Checked, port: PortId, has: usize, needs: usize) -> Diagnostic {
    let name = checked.port_name(port);
    let selector = if checked.selectors_of(port) > 0 { ", the last for its selector word" } else { "" };
    Diagnostic::new(
        &catalogue::BUFFER_COUNT,
        format!("`{name}` needs {needs} buffers, but has {has}"),
        in_file(&format!("list {needs} places for `{name}`{selector}")),
    )
    .label(checked.ports[port].span, format!("`{name}` needs {needs} buffers"))
}

/// The buffers of a port with DMA, or of a parameter of the host, lie in two modules.
pub(super) fn dma_split(checked: &Checked, port: PortId, first: Tile, second: Tile) -> Diagnostic {
    let name = checked.port_name(port);
    let (reason, help, label) = if checked.stays_in_one_module(port) {
        let reason = "no document shows a parameter of the host in two modules";
        (reason, "put both buffers and the selector word into the same module", "is a parameter of the host")
    } else {
        let reason = "one DMA channel serves them and only one module";
        (reason, "put both buffers into the same module", "goes through DMA")
    };
    let message = format!("the buffers of `{name}` lie at {first} and {second}, but {reason}");
    Diagnostic::new(&catalogue::DMA_SPLIT, message, help)
        .label(checked.ports[port].span, format!("`{name}` {label}"))
}

/// A buffer or stack is not on the array.
pub(super) fn spot_outside(checked: &Checked, stored: &Stored) -> Diagnostic {
    let name = stored.name(checked);
    Diagnostic::new(
        &catalogue::PLACEMENT_OUTSIDE,
        format!("{name} lies at {}, which is not on the array", stored.spot.tile),
        in_file("name a module of the array, columns and core rows counted from 0,"),
    )
    .label(stored.span(checked), format!("{name} has no module there"))
}

/// The offset of a buffer or stack is misaligned.
pub(super) fn misaligned(checked: &Checked, stored: &Stored, alignment: u32) -> Diagnostic {
    let (name, offset) = (stored.name(checked), stored.spot.offset);
    Diagnostic::new(
        &catalogue::BUFFER_MISALIGNED,
        format!("{name} starts at offset {offset}, which is not a multiple of {alignment}"),
        format!("use offset {} or another multiple of {alignment}", offset - offset % alignment.max(1)),
    )
    .label(stored.span(checked), format!("{name} is at offset {offset}"))
}

/// A buffer or stack ends beyond its module.
pub(super) fn beyond_module(checked: &Checked, stored: &Stored, size: u32) -> Diagnostic {
    let name = stored.name(checked);
    Diagnostic::new(
        &catalogue::BUFFER_OUTSIDE,
        format!(
            "{name} ends at byte {} of the module at {}, which has {size}",
            stored.end(),
            stored.spot.tile
        ),
        in_file(&format!("use an offset of at most {}", u64::from(size).saturating_sub(stored.bytes))),
    )
    .label(stored.span(checked), format!("{name} takes {} bytes", stored.bytes))
}

/// A core does not reach the module of its stack or buffer.
pub(super) fn unreachable(
    checked: &Checked,
    stored: &Stored,
    kernel: KernelId,
    tile: Tile,
    reach: &[Tile],
) -> Diagnostic {
    let (name, kernel) = (stored.name(checked), &checked.kernels[kernel]);
    let modules: Vec<String> = reach.iter().map(Tile::to_string).collect();
    Diagnostic::new(
        &catalogue::UNREACHABLE_BUFFER,
        format!(
            "{name} lies in the module at {}, which the core of `{}` at {tile} does not reach",
            stored.spot.tile, kernel.name
        ),
        format!("use one of the modules that it reaches: {}", modules.join(", ")),
    )
    .label(stored.span(checked), format!("{name} is used by `{}`", kernel.name))
}

/// The fault of two blocks that overlap in a module.
pub(super) fn overlap(checked: &Checked, first: &Stored, second: &Stored) -> Diagnostic {
    let (a, b) = (first.name(checked), second.name(checked));
    Diagnostic::new(
        &catalogue::BUFFER_OVERLAP,
        format!(
            "{a} ends at byte {} of the module at {}, but {b} starts at byte {}",
            first.end(),
            first.spot.tile,
            second.spot.offset
        ),
        in_file(&format!("use an offset of at least {} for {b}", first.end())),
    )
    .label(second.span(checked), format!("{b} takes {} bytes", second.bytes))
    .label(first.span(checked), format!("{a} takes {} bytes", first.bytes))
}

/// A FIFO with a stated place overlaps a stack or buffer.
pub(super) fn fifo_overlap(checked: &Checked, stored: &Stored, fifo: &Reserved) -> Diagnostic {
    let (name, tile, start) = (stored.name(checked), fifo.spot.tile, fifo.spot.offset);
    let end = fifo.end();
    Diagnostic::new(
        &catalogue::BUFFER_OVERLAP,
        format!("a FIFO takes bytes {start} to {end} of the module at {tile}, where {name} lies"),
        format!("move {name}, or give the FIFO another place"),
    )
    .label(fifo.span, "the FIFO lies here")
    .label(stored.span(checked), format!("{name} begins at byte {}", stored.spot.offset))
}

/// A module has too little of a resource for its buffers.
pub(super) fn overcharged(
    checked: &Checked,
    module: Tile,
    ledger: &[Stored],
    code: &'static Code,
    Charge { resource, demand, supply }: Charge,
) -> Diagnostic {
    let mut ports: Vec<PortId> =
        ledger.iter().filter(|stored| stored.spot.tile == module).filter_map(|stored| stored.port).collect();
    ports.dedup();
    let names: Vec<String> = ports.iter().map(|&port| format!("`{}`", checked.port_name(port))).collect();
    let diagnostic = Diagnostic::new(
        code,
        format!(
            "the module at {module} needs {demand} {resource}, but has {supply}: it holds the buffers of {}",
            names.join(", ")
        ),
        in_file(&format!(
            "put the buffers of {} into another module than {module} that its core reaches",
            names.last().map_or("a port", String::as_str)
        )),
    );
    let labels =
        ports.iter().take(MOST_NAMES).map(|&port| (checked.ports[port].span, checked.port_name(port)));
    labels.fold(diagnostic, |d, (span, name)| d.label(span, format!("`{name}` has buffers there")))
}

/// A PLIO or GMIO port has an impossible channel.
pub(super) fn shim_channel(external: &External, spot: ShimSpot, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SHIM_CHANNEL,
        format!("`{}` is at column {}, channel {}, but {reason}", external.name, spot.column, spot.channel),
        in_file("use a column and channel that can serve it"),
    )
    .label(external.span, format!("`{}` needs another channel", external.name))
}

/// Two ports take the same South port of the shim switch.
pub(super) fn shim_conflict(
    checked: &Checked,
    id: ExternalId,
    other: ExternalId,
    column: u16,
    port: u32,
) -> Diagnostic {
    let (this, other) = (&checked.externals[id], &checked.externals[other]);
    Diagnostic::new(
        &catalogue::SHIM_CONFLICT,
        format!("`{}` and `{}` both take South port {port} of column {column}", this.name, other.name),
        in_file("give one of the two another channel or column"),
    )
    .label(this.span, format!("`{}` takes South port {port}", this.name))
    .label(other.span, format!("`{}` takes it too", other.name))
}
