//! Diagnostics of the placement checker, one function for each fault that has a text of its own.

use aiec_check::{Checked, labelled, list, stated_buffers};
use aiec_device::Tile;
use aiec_diag::{Code, Diagnostic, Span, catalogue};
use aiec_ir::constraints::ShimTie;
use aiec_ir::expanded::{Cascade, External, Owner};
use aiec_ir::{Direction, ExternalId, KernelId, PortId};

use super::Case;
use super::ledger::{Reserved, Stored};
use crate::placement::ShimSpot;

/// Help for faults that mostly occur in placement files: `change` it there.
fn in_file(change: &str) -> String {
    format!("{change} in the placement file, or leave the file out and let aiec place the design")
}

/// The placement breaks the constraint at `span`: `what` has where something is, and what the
/// design says.
pub(super) fn constraint_broken(what: String, span: Span) -> Diagnostic {
    let help = "change the constraint or the placement file so that both agree";
    Diagnostic::new(&catalogue::CONSTRAINT_BROKEN, what, help).label(span, "the placement breaks this")
}

/// A resource of a core or a module, the demand on it, and its supply.
pub(super) type Charge = (&'static str, u64, u32);

/// A table of the placement differs in size from the design's.
pub(super) fn table_size(checked: &Checked, table: &str, has: usize, needs: usize) -> Diagnostic {
    let message = format!("the placement has places for {has} {table}, but the design has {needs}");
    let help = "use a placement that was made for this design";
    Diagnostic::new(&catalogue::PLACEMENT_MISSING, message, help)
        .label(checked.name.span, format!("this design has {needs} {table}"))
}

/// A kernel, buffer or stack lies on a closed tile.
pub(super) fn kept_out(what: &str, tile: Tile, span: Span) -> Diagnostic {
    let message = format!("{what} is placed at {tile}, which must stay free");
    Diagnostic::new(&catalogue::CONSTRAINT_BROKEN, message, in_file("give it another tile"))
        .label(span, format!("{tile} is closed by this"))
}

/// A PLIO or GMIO port has an impossible channel.
pub(super) fn shim_channel(external: &External, spot: ShimSpot, reason: &str) -> Diagnostic {
    let (name, ShimSpot { column, channel }) = (&external.name, spot);
    let message = format!("`{name}` is at column {column}, channel {channel}, but {reason}");
    let help = in_file("use a column and channel that can serve it");
    Diagnostic::new(&catalogue::SHIM_CHANNEL, message, help)
        .label(external.span, format!("`{name}` needs another channel"))
}

/// Faults of kernels.
impl Case<'_> {
    /// The tiles of two kernels, as the beginning of a message.
    pub(super) fn placed(&self, a: KernelId, b: KernelId) -> String {
        let [first, second] = [a, b].map(|kernel| self.name(kernel));
        format!("`{first}` is placed at {} and `{second}` at {}", self.tile(a), self.tile(b))
    }

    /// A kernel is not on the array.
    pub(super) fn kernel_outside(&self, kernel: KernelId) -> Diagnostic {
        let (name, tile) = (self.name(kernel), self.tile(kernel));
        let message = format!("`{name}` is placed at {tile}, which is not on the array");
        let help = in_file("give the kernel a tile of the array, columns and core rows counted from 0,");
        Diagnostic::new(&catalogue::PLACEMENT_OUTSIDE, message, help)
            .label(self.checked.kernels[kernel].span, format!("`{name}` is one of these"))
    }

    /// Several kernels are on one tile, and `alone` needs a core of its own.
    pub(super) fn tile_shared(&self, kernels: &[KernelId], alone: KernelId) -> Diagnostic {
        let (name, tile) = (self.name(alone), self.tile(alone));
        let (why, help) = match self.checked.runtime(alone) {
            None => (
                "it has no `runtime` ratio",
                "give each of them a `runtime`, at most 1 in sum, or give it another tile",
            ),
            Some(_) => ("it could wait for another one there for ever", "give it another tile"),
        };
        let others = match kernels.len().saturating_sub(1) {
            1 => "is 1 other".to_owned(),
            others => format!("are {others} others"),
        };
        let all = list(self.checked, kernels);
        let message = format!("{all} are placed at {tile}, but `{name}` needs a core of its own: {why}");
        Diagnostic::new(&catalogue::TILE_SHARED, message, in_file(help))
            .label(self.checked.kernels[alone].span, format!("`{name}` is at {tile}, and so {others}"))
    }

    /// The kernels on a tile need more of a resource than its core has.
    pub(super) fn core_overloaded(&self, tile: Tile, kernels: &[KernelId], charge: Charge) -> Diagnostic {
        let (all, (resource, demand, supply)) = (list(self.checked, kernels), charge);
        let message =
            format!("{all} are placed at {tile} and need {demand} {resource}, but the core has {supply}");
        let help = in_file("give one of them another tile");
        let kernels = kernels.iter().map(|&kernel| &self.checked.kernels[kernel]);
        let labels = kernels.map(|kernel| (kernel.span, format!("`{}` is at {tile}", kernel.name)));
        labelled(Diagnostic::new(&catalogue::TILE_SHARED, message, help), labels)
    }

    /// The kernels of a core have stacks at different positions.
    pub(super) fn stacks_apart(&self, first: KernelId, second: KernelId) -> Diagnostic {
        let (tile, [a, b]) = (self.tile(first), [first, second].map(|kernel| self.name(kernel)));
        let message = format!(
            "`{a}` and `{b}` run on the core at {tile}, which has 1 area for stacks, but they have 2"
        );
        let help = in_file("give both the same place for the stack");
        Diagnostic::new(&catalogue::STACKS_APART, message, help)
            .label(self.checked.kernels[second].span, format!("the stack of `{b}` lies elsewhere"))
    }
}

/// Constraints on kernels, inputs and outputs that the placement breaks.
impl Case<'_> {
    /// Two ranks do not follow each other along the cascade.
    pub(super) fn cascade_broken(&self, cascade: &Cascade) -> Diagnostic {
        let (both, from) = (self.placed(cascade.from, cascade.to), self.tile(cascade.from));
        let leads = match self.device.cascade_targets(from).first() {
            Some(next) => format!("leads to {next}"),
            None => "ends there".to_owned(),
        };
        let message = format!("{both}, but the cascade of {from} {leads} (AM009)");
        let help = in_file("place the two kernels one after the other along the cascade");
        Diagnostic::new(&catalogue::CONSTRAINT_BROKEN, message, help)
            .label(cascade.span, "its kernels follow each other along the cascade")
    }

    /// An input or output is not at its distance from what it follows, which lies `at` a column.
    pub(super) fn shim_untied<F>(
        &self,
        tie: &ShimTie<ExternalId, F>,
        at: u16,
        from: &str,
    ) -> Option<Diagnostic> {
        let (name, column) =
            (&self.checked.externals[tie.external].name, self.placement.shims[tie.external].column);
        let what = format!("`{name}` is placed in column {column} and {from}, but the design says");
        let message = format!("{what} {} columns from there", tie.columns);
        (tie.column(at) != i64::from(column)).then(|| constraint_broken(message, tie.span))
    }

    /// Two ports take the same South port of the shim switch.
    pub(super) fn shim_conflict(&self, id: ExternalId, other: ExternalId, port: u32) -> Diagnostic {
        let [this, other] = [id, other].map(|id| &self.checked.externals[id]);
        let column = self.placement.shims[id].column;
        let message =
            format!("`{}` and `{}` both take South port {port} of column {column}", this.name, other.name);
        let help = in_file("give one of the two another channel or column");
        Diagnostic::new(&catalogue::SHIM_CONFLICT, message, help)
            .label(this.span, format!("`{}` takes South port {port}", this.name))
            .label(other.span, format!("`{}` takes it too", other.name))
    }
}

/// Faults of ports, buffers, stacks and modules.
impl Case<'_> {
    /// Kernels on one core do not use one buffer.
    pub(super) fn must_share(&self, port: PortId) -> Diagnostic {
        let name = self.checked.port_name(port);
        let message = format!(
            "`{name}` and its consumer are on one core, so both use 1 buffer, that of the consumer (UG1079)"
        );
        let help = in_file(&format!("write \"shared\" for `{name}` and one place for its consumer"));
        Diagnostic::new(&catalogue::BUFFER_COUNT, message, help)
            .label(self.checked.ports[port].span, format!("`{name}` leads to a kernel on the same core"))
    }

    /// A port is marked as sharing and cannot: an input, which always has its own buffers, or an
    /// output with several consumers or one outside the array.
    pub(super) fn cannot_share(&self, id: PortId) -> Diagnostic {
        let (name, port) = (self.checked.port_name(id), &self.checked.ports[id]);
        let why = match (port.direction, port.connections.len()) {
            _ if self.checked.is_stream(id) => "it is a stream, which the core reads or writes word by word",
            _ if self.checked.is_merged(id) => {
                "its windows leave as packets, which a DMA reads from buffers of its own"
            }
            _ if matches!(port.owner, Owner::External(_)) => "it lies outside the array and has none",
            (Direction::In, _) => "an input always has its own, which its producer may write to",
            (Direction::Out, 1) => "its consumer is outside the array, so a DMA reads buffers of its own",
            (Direction::Out, consumers) => &format!(
                "it has {consumers} consumers, and only an output with one consumer, a kernel, can write into its buffers"
            ),
        };
        let message = format!("`{name}` is marked as shared, but {why}");
        Diagnostic::new(&catalogue::BUFFER_COUNT, message, "give the port buffers of its own")
            .label(port.span, format!("`{name}` needs buffers of its own"))
    }

    /// A port has the wrong number of buffers.
    pub(super) fn buffer_count(&self, port: PortId, has: usize, needs: usize) -> Diagnostic {
        let name = self.checked.port_name(port);
        let has_selector = self.checked.selectors_of(port) > 0;
        let selector = if has_selector { ", the last for its selector word" } else { "" };
        let message = format!("`{name}` needs {needs} buffers, but has {has}");
        let change = stated_buffers(self.checked, port, (needs, has)).filter(|_| !has_selector);
        let (change, labels) = change.unwrap_or_default();
        let help = in_file(&format!("{change}list {needs} places for `{name}`{selector}"));
        let diagnostic = Diagnostic::new(&catalogue::BUFFER_COUNT, message, help)
            .label(self.checked.ports[port].span, format!("`{name}` needs {needs} buffers"));
        labelled(diagnostic, labels)
    }

    /// The buffers of a port with DMA, or of a parameter of the host, lie in two modules.
    pub(super) fn dma_split(&self, port: PortId, first: Tile, second: Tile) -> Diagnostic {
        let name = self.checked.port_name(port);
        let (reason, help, label) = match self.checked.stays_in_one_module(port) {
            true => (
                "no document shows a parameter of the host in two modules",
                "put both buffers and the selector word into the same module",
                "is a parameter of the host",
            ),
            false => (
                "one DMA channel serves them and only one module",
                "put both buffers into the same module",
                "goes through DMA",
            ),
        };
        let message = format!("the buffers of `{name}` lie at {first} and {second}, but {reason}");
        Diagnostic::new(&catalogue::DMA_SPLIT, message, help)
            .label(self.checked.ports[port].span, format!("`{name}` {label}"))
    }

    /// A buffer or stack is not on the array.
    pub(super) fn spot_outside(&self, stored: &Stored) -> Diagnostic {
        let (name, tile) = (stored.name(self.checked), stored.spot.tile);
        let message = format!("{name} lies at {tile}, which is not on the array");
        let help = in_file("name a module of the array, columns and core rows counted from 0,");
        Diagnostic::new(&catalogue::PLACEMENT_OUTSIDE, message, help)
            .label(stored.span(self.checked), format!("{name} has no module there"))
    }

    /// The offset of a buffer or stack is misaligned.
    pub(super) fn misaligned(&self, stored: &Stored) -> Diagnostic {
        let (name, offset) = (stored.name(self.checked), stored.spot.offset);
        let alignment = self.device.memory.buffer_alignment;
        let message = format!("{name} starts at offset {offset}, which is not a multiple of {alignment}");
        let below = offset - offset % alignment.max(1);
        let help = format!("use offset {below} or another multiple of {alignment}");
        Diagnostic::new(&catalogue::BUFFER_MISALIGNED, message, help)
            .label(stored.span(self.checked), format!("{name} is at offset {offset}"))
    }

    /// A buffer or stack ends beyond its module.
    pub(super) fn beyond_module(&self, stored: &Stored) -> Diagnostic {
        let (name, end, tile) = (stored.name(self.checked), stored.end(), stored.spot.tile);
        let size = self.device.memory.module_bytes;
        let message = format!("{name} ends at byte {end} of the module at {tile}, which has {size}");
        let most = u64::from(size).saturating_sub(stored.bytes);
        let help = in_file(&format!("use an offset of at most {most}"));
        Diagnostic::new(&catalogue::BUFFER_OUTSIDE, message, help)
            .label(stored.span(self.checked), format!("{name} takes {} bytes", stored.bytes))
    }

    /// A core does not reach the module of its stack or buffer.
    pub(super) fn unreachable(&self, stored: &Stored, kernel: KernelId) -> Diagnostic {
        let (name, module) = (stored.name(self.checked), stored.spot.tile);
        let (kernel, tile) = (self.name(kernel), self.tile(kernel));
        let reach = self.grid.id(tile).map_or(&[][..], |core| self.grid.reach(core));
        let reach: Vec<String> = reach.iter().map(|&module| self.grid.tile(module).to_string()).collect();
        let message = format!(
            "{name} lies in the module at {module}, which the core of `{kernel}` at {tile} does not reach"
        );
        let help = format!("use one of the modules that it reaches: {}", reach.join(", "));
        Diagnostic::new(&catalogue::UNREACHABLE_BUFFER, message, help)
            .label(stored.span(self.checked), format!("{name} is used by `{kernel}`"))
    }

    /// Two blocks overlap in a module.
    pub(super) fn overlap(&self, first: &Stored, second: &Stored) -> Diagnostic {
        let [a, b] = [first, second].map(|stored| stored.name(self.checked));
        let (end, module, start) = (first.end(), first.spot.tile, second.spot.offset);
        let message =
            format!("{a} ends at byte {end} of the module at {module}, but {b} starts at byte {start}");
        let help = in_file(&format!("use an offset of at least {end} for {b}"));
        Diagnostic::new(&catalogue::BUFFER_OVERLAP, message, help)
            .label(second.span(self.checked), format!("{b} takes {} bytes", second.bytes))
            .label(first.span(self.checked), format!("{a} takes {} bytes", first.bytes))
    }

    /// A FIFO with a stated place overlaps a stack or buffer.
    pub(super) fn fifo_overlap(&self, stored: &Stored, fifo: &Reserved) -> Diagnostic {
        let (name, tile) = (stored.name(self.checked), fifo.spot.tile);
        let (start, end) = (fifo.spot.offset, fifo.end());
        let message =
            format!("a FIFO takes bytes {start} to {end} of the module at {tile}, where {name} lies");
        let help = format!("move {name}, or give the FIFO another place");
        Diagnostic::new(&catalogue::BUFFER_OVERLAP, message, help)
            .label(fifo.span, "the FIFO lies here")
            .label(stored.span(self.checked), format!("{name} begins at byte {}", stored.spot.offset))
    }

    /// A module has too little of a resource for its buffers.
    pub(super) fn overcharged(&self, module: Tile, code: &'static Code, charge: Charge) -> Diagnostic {
        let (resource, demand, supply) = charge;
        let here = self.ledger.iter().filter(|stored| stored.spot.tile == module);
        let mut ports: Vec<PortId> = here.filter_map(|stored| stored.port).collect();
        ports.dedup();
        let name = |&port: &PortId| format!("`{}`", self.checked.port_name(port));
        let names = ports.iter().map(name).collect::<Vec<_>>().join(", ");
        let (held, help) = match ports.last().map(name) {
            Some(last) => (
                format!("the buffers of {names}"),
                format!("put the buffers of {last} into another module than {module} that its core reaches"),
            ),
            None => ("FIFOs alone".to_owned(), format!("put FIFOs into other modules than {module}")),
        };
        let message =
            format!("the module at {module} needs {demand} {resource}, but has {supply}: it holds {held}");
        let help = in_file(&help);
        let label =
            |port: &PortId| (self.checked.ports[*port].span, format!("{} has buffers there", name(port)));
        labelled(Diagnostic::new(code, message, help), ports.iter().map(label))
    }
}
