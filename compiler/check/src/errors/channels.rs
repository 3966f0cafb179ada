//! Errors of shortages around a kernel or in the array: DMA channels, buffer descriptors and locks.

use aiec_collectives::Direction;
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::expanded::Expanded;
use aiec_ir::{KernelId, PortId};

use super::resources::needing;
use super::wiring::dma_reason;
use super::{and_more, count, fixes, labelled};

/// A shortage of one kernel: its demand, and the supply within its reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shortage {
    /// Channels, descriptors or locks needed.
    pub demand: u64,
    /// Channels, descriptors or locks of the modules within reach.
    pub supply: u64,
    /// Number of modules within reach of the kernel.
    pub modules: u64,
    /// The least number of modules that the demand fills, where some of it cannot be split. None
    /// when one indivisible part exceeds a whole module.
    pub filled: Option<u64>,
}

/// The name of the DMA channels of one direction, and the word for that direction.
fn channel(direction: Direction) -> (&'static str, &'static str) {
    match direction {
        Direction::In => ("S2MM channel", "inputs"),
        Direction::Out => ("MM2S channel", "outputs"),
    }
}

/// The windows of these kernels of one family need more DMA channels than the kernels reach.
/// `ports` of the first kernel need one in every placement.
pub(crate) fn dma_channels(
    design: &Expanded,
    kernels: &[KernelId],
    direction: Direction,
    shortage: Shortage,
    ports: &[PortId],
) -> Diagnostic {
    let (channel, windows) = channel(direction);
    let left_over = shortage.demand - ports.len() as u64;
    let why = match left_over {
        0 => format!("{windows} that cannot be shared memory"),
        n => format!(
            "{} that cannot be shared memory and {n} from more kernels than can share memory with it",
            ports.len()
        ),
    };
    let message = format!(
        "{} {} for {why}, but the {} it reaches have {}",
        needing(design, kernels),
        count(shortage.demand, channel),
        count(shortage.modules, "module"),
        shortage.supply
    );
    let help = format!("spread the {windows} over two kernels, or put several of them into one window");
    let labels = ports.iter().map(|&port| (design.ports[port].span, dma_reason(design, port)));
    let span = design.kernels[kernels[0]].span;
    let diagnostic = Diagnostic::new(&catalogue::DMA_CHANNELS, message, help);
    labelled(diagnostic.label(span, format!("reaches {}", count(shortage.supply, channel))), labels)
}

/// The windows of these kernels of one family need more buffer descriptors than the modules that
/// they reach have.
pub(crate) fn bds(design: &Expanded, kernels: &[KernelId], shortage: Shortage) -> Diagnostic {
    let message = format!(
        "{} {}, one for each buffer that a DMA fills or drains, but {}",
        needing(design, kernels),
        count(shortage.demand, "buffer descriptor"),
        reached(shortage)
    );
    let labels = design.ports_of(kernels[0]).map(|port| {
        let copies = u64::from(design.buffering_of(port).copies());
        (design.ports[port].span, format!("`{}` has {}", design.port_name(port), count(copies, "buffer")))
    });
    let help = "write `buffer single` behind some of its connections: one descriptor instead of two";
    let span = design.kernels[kernels[0]].span;
    let label = format!("reaches {}", count(shortage.supply, "buffer descriptor"));
    let diagnostic = labelled(Diagnostic::new(&catalogue::BDS, message, help).label(span, label), labels);
    fixes::single(diagnostic, design, windows_of(design, kernels))
}

/// The supply of the modules that a kernel reaches, and why it does not suffice even if it equals
/// the demand.
fn reached(shortage: Shortage) -> String {
    let mut text = format!("the {} it reaches have {}", count(shortage.modules, "module"), shortage.supply);
    if shortage.demand <= shortage.supply {
        text.push_str(&unsplit(shortage));
    }
    text
}

/// The reason why a supply as large as the demand does not suffice.
fn unsplit(shortage: Shortage) -> String {
    let each = shortage.supply.checked_div(shortage.modules).unwrap_or(0);
    let filled = match shortage.filled {
        Some(filled) => format!(", and these fill {}", count(filled, "module")),
        None => String::new(),
    };
    format!(", {each} each: those of one window that a DMA moves lie in one module{filled}")
}

/// The ports of kernels that carry windows.
fn windows_of(design: &Expanded, kernels: &[KernelId]) -> Vec<PortId> {
    let ports = kernels.iter().flat_map(|&kernel| design.ports_of(kernel));
    ports.filter(|&port| design.ports[port].window().is_some()).collect()
}

/// What has a lock at a kernel: buffers, and the selector words of parameters.
fn locked(design: &Expanded, kernel: KernelId) -> &'static str {
    match selects(design, kernel) {
        true => "buffer of its ports and each selector of a parameter",
        false => "buffer of its windows",
    }
}

/// True if some port of the kernel has a selector word.
fn selects(design: &Expanded, kernel: KernelId) -> bool {
    design.ports_of(kernel).any(|port| design.selectors_of(port) > 0)
}

/// The windows of these kernels of one family need more locks than the modules that they reach
/// have.
pub(crate) fn locks(design: &Expanded, kernels: &[KernelId], shortage: Shortage) -> Diagnostic {
    let message = format!(
        "{} {}, one for each {}, but {}",
        needing(design, kernels),
        count(shortage.demand, "lock"),
        locked(design, kernels[0]),
        reached(shortage)
    );
    let ports = design.ports_of(kernels[0]).filter(|&port| design.has_buffers(port)).map(|port| {
        let copies = u64::from(design.buffering_of(port).copies() + design.selectors_of(port));
        (design.ports[port].span, format!("`{}` needs {}", design.port_name(port), count(copies, "lock")))
    });
    let help = match selects(design, kernels[0]) {
        true => "pass several parameters as one array, which takes three locks as one value does",
        false => "write `buffer single` behind some of its connections: one lock instead of two",
    };
    let diagnostic = Diagnostic::new(&catalogue::LOCKS, message, help);
    let span = design.kernels[kernels[0]].span;
    let diagnostic =
        labelled(diagnostic.label(span, format!("reaches {}", count(shortage.supply, "lock"))), ports);
    fixes::single(diagnostic, design, windows_of(design, kernels))
}

/// All `ports`, which need a DMA in every placement, need more channels than the array has.
pub(crate) fn total_channels(
    design: &Expanded,
    direction: Direction,
    shortage: Shortage,
    ports: &[PortId],
) -> Diagnostic {
    let (channel, windows) = channel(direction);
    let message = format!(
        "all kernels together need {} for {windows} that cannot be shared memory, but {} has {}",
        count(shortage.demand, channel),
        design.device.value,
        shortage.supply
    );
    let labels = ports.iter().map(|&port| (design.ports[port].span, dma_reason(design, port)));
    let help = "replace broadcasts and inputs or outputs of many kernels by chains or trees, whose windows can be shared memory";
    labelled(Diagnostic::new(&catalogue::DMA_CHANNELS, message, help), labels)
}

/// All `ports`, which need a DMA in every placement, need more buffer descriptors than the array
/// has.
pub(crate) fn total_bds(design: &Expanded, shortage: Shortage, ports: &[PortId]) -> Diagnostic {
    let message = format!(
        "all windows that a DMA moves in any placement need {}, but {} has {}{}",
        count(shortage.demand, "buffer descriptor"),
        design.device.value,
        shortage.supply,
        if shortage.demand <= shortage.supply { unsplit(shortage) } else { String::new() }
    );
    let labels = ports.iter().map(|&port| (design.ports[port].span, dma_reason(design, port)));
    let help = "write `buffer single` behind these connections, or replace broadcasts by chains or trees";
    let windows = ports.iter().copied().filter(|&port| design.ports[port].window().is_some());
    fixes::single(labelled(Diagnostic::new(&catalogue::BDS, message, help), labels), design, windows)
}

/// All windows together need more locks than the array has.
pub(crate) fn total_locks(design: &Expanded, shortage: Shortage) -> Diagnostic {
    let message = format!(
        "all windows together need {}, but {} has {}{}",
        count(shortage.demand, "lock"),
        design.device.value,
        shortage.supply,
        if shortage.demand <= shortage.supply { unsplit(shortage) } else { String::new() }
    );
    let labels = design.families.iter().map(|family| {
        let name = and_more(&family.instance_name(0), family.instances() as usize);
        (family.span, format!("windows of {name}"))
    });
    let help = "write `buffer single` behind connections: one lock instead of two";
    labelled(Diagnostic::new(&catalogue::LOCKS, message, help), labels)
}
