//! The amounts that kernels passed through their ports in a run. Takes the counts of a kernel.
//! Returns elements of streams, and windows that the kernel locks itself, of each firing, at ports
//! whose design states none.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_ir::{Carries, KernelId, PortId};
use aiec_timing::{KernelCounts, PortCounts};

/// The amounts of a firing at the open ports of a kernel, by their names. A port whose firings
/// differ so that their mean is no whole number has none.
pub(super) fn of_firing(checked: &Checked, kernel: KernelId, counts: &KernelCounts) -> BTreeMap<String, u32> {
    let amount = |(index, port): (usize, &PortCounts)| {
        let slot = counts.ports[..index].iter().filter(|before| before.way == port.way).count();
        let id = port_at(checked, kernel, &port.way, slot).filter(|&id| checked.is_open(id))?;
        let passed = whole(port.passed, unit(checked, id)?.checked_mul(counts.firings)?)?;
        Some((checked.port_name(id), passed))
    };
    counts.ports.iter().enumerate().filter_map(amount).collect()
}

/// The port of the design for a port of the program.
fn port_at(checked: &Checked, kernel: KernelId, way: &str, slot: usize) -> Option<PortId> {
    let kernel = &checked.kernels[kernel];
    let ports = match way {
        "in" => &kernel.inputs,
        "inout" => &kernel.inouts,
        _ => &kernel.outputs,
    };
    ports.iter().copied().find(|&port| checked.ports[port].slot as usize == slot)
}

/// What one element, or window, adds to the count of a port: its bytes, or 1.
fn unit(checked: &Checked, port: PortId) -> Option<u64> {
    match checked.ports[port].carries? {
        Carries::Stream(flow) | Carries::Packets(flow) => Some(flow.element.bytes().into()),
        _ => Some(1),
    }
}

/// The quotient, if it is whole and not 0.
fn whole(total: u64, each: u64) -> Option<u32> {
    let quotient = total.checked_div(each).filter(|quotient| quotient * each == total && *quotient > 0)?;
    u32::try_from(quotient).ok()
}
