//! Errors of kernels that compete for the modules around few tiles or one core.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, catalogue, listed};

use super::{MOST_NAMES, count, labelled, list, size};
use aiec_collectives::Direction;
use aiec_ir::constraints::Offset;
use aiec_ir::expanded::Expanded;
use aiec_ir::{ConnectionId, KernelId};

/// A resource of a memory module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Bytes of memory.
    Bytes,
    /// Room for indivisible parts of memory, of which this number fits one module. A part larger
    /// than the next smaller fraction of a module counts one, a part larger than twice that
    /// fraction two, and so on.
    Pieces(u64),
    /// Locks of buffers.
    Locks,
    /// Descriptors of buffers that a DMA fills or drains.
    Descriptors,
    /// DMA channels of one direction, seen from the kernel.
    Channels(Direction),
}

/// The constraint that binds the kernels of a [`Crowd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bond {
    /// Each kernel has one tile.
    Tiles,
    /// Each kernel has a set of tiles.
    Regions,
    /// All kernels run on one core, wherever it is.
    Core,
}

/// A Hall violator: kernels bound to few tiles that together need more than the modules around them
/// have.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    /// The constraint that binds the kernels.
    pub bond: Bond,
    /// The resource that is short.
    pub resource: Resource,
    /// The kernels and the least that each needs, in their order.
    pub kernels: Vec<(KernelId, u64)>,
    /// Modules that any of the kernels reaches.
    pub modules: u64,
    /// Supply of one module.
    pub each: u64,
    /// FIFOs with stated places in these modules, and what each takes of a module.
    pub fifos: Vec<((ConnectionId, Span), u64)>,
}

/// The modules that these kernels reach have less than the kernels need together.
pub(crate) fn crowd(design: &Expanded, crowd: &Crowd, device: &Device) -> Diagnostic {
    let demand: u64 = crowd.kernels.iter().map(|(_, need)| need).sum();
    let kernels: Vec<KernelId> = crowd.kernels.iter().map(|&(kernel, _)| kernel).collect();
    let one = kernels.len() == 1;
    let bound = match crowd.bond {
        Bond::Tiles if one => " at its fixed tile",
        Bond::Tiles => " at their fixed tiles",
        Bond::Regions if one => ", where its `region` keeps it,",
        Bond::Regions => ", where `place` and `region` keep them,",
        Bond::Core => ", which run on one core,",
    };
    let around = if crowd.bond == Bond::Core { "in reach of any core" } else { "in reach from there" };
    let taken: u64 = crowd.fifos.iter().map(|(_, need)| need).sum();
    let fifos = match crowd.fifos.as_slice() {
        [] => String::new(),
        all => {
            let names = all.iter().map(|((id, _), _)| format!("`{}`", design.connection_name(*id)));
            format!(
                ", of which the {} with stated places ({}) {} {}",
                if all.len() == 1 { "FIFO" } else { "FIFOs" },
                listed(names, MOST_NAMES),
                if all.len() == 1 { "takes" } else { "take" },
                amount(device, crowd.resource, taken)
            )
        }
    };
    let message = format!(
        "{}{bound} {} {} in any placement, but the {} {around} {} {}, {} each{fifos}",
        list(design, &kernels),
        if one { "needs" } else { "need" },
        amount(device, crowd.resource, demand),
        count(crowd.modules, "memory module"),
        if crowd.modules == 1 { "has" } else { "have" },
        amount(device, crowd.resource, crowd.modules * crowd.each),
        if crowd.resource == Resource::Bytes { size(crowd.each) } else { crowd.each.to_string() },
    );
    let mut by_need = crowd.kernels.clone();
    by_need.sort_by_key(|&(kernel, need)| (std::cmp::Reverse(need), kernel));
    let largest = by_need.first().map_or("", |&(kernel, _)| design.kernels[kernel].name.as_str());
    let few = fewest(&by_need, demand.saturating_sub(crowd.modules * crowd.each));
    let help = match crowd.bond {
        Bond::Tiles if few == 1 => format!(
            "put `{largest}`, which needs the most, on a tile farther from the others and from the edges, or leave out its `place`"
        ),
        Bond::Tiles => format!(
            "put them on tiles farther from each other and from the edges, `{largest}` first, which needs the most, or \
             leave out the `place` of at least {few} of them"
        ),
        Bond::Regions if few == 1 => {
            format!("make the region larger, or leave out `{largest}`, which needs the most")
        }
        Bond::Regions => format!(
            "make the region larger, or leave out at least {few} of them, `{largest}` first, which needs the most"
        ),
        Bond::Core => format!("put `{largest}`, which needs the most, on a core of its own"),
    };
    let help = if crowd.fifos.is_empty() { help } else { format!("{help}, or place FIFOs elsewhere") };
    let places = crowd.fifos.iter().map(|&((_, span), need)| {
        (span, format!("this FIFO takes {}", amount(device, crowd.resource, need)))
    });
    // Several kernels may have one constraint. The label is that of the one which needs the most.
    let labels = by_need.iter().filter_map(|&(kernel, need)| {
        let name = &design.kernels[kernel].name;
        Some((
            binds(design, kernel)?,
            format!("`{name}` needs {} around here", amount(device, crowd.resource, need)),
        ))
    });
    labelled(Diagnostic::new(&catalogue::PLACE_CROWDED, message, help), labels.chain(places))
}

/// The least number of kernels, those with the greatest needs first, that need `excess` together.
fn fewest(by_need: &[(KernelId, u64)], excess: u64) -> usize {
    let sums = by_need.iter().scan(0, |sum, (_, need)| {
        *sum += need;
        Some(*sum)
    });
    1 + sums.take_while(|&sum| sum < excess).count().min(by_need.len().saturating_sub(1))
}

/// The constraint that binds `kernel`: its `place`, its `region`, or its offset from another
/// kernel.
fn binds(design: &Expanded, kernel: KernelId) -> Option<Span> {
    let constraints = &design.constraints;
    let place = design.places.iter().find(|place| place.kernel == kernel).map(|place| place.span);
    let region = || {
        let region = constraints.regions.iter().find(|region| region.kernels.contains(&kernel));
        region.map(|region| region.span)
    };
    let offset = || {
        let own = |offset: &&Offset<KernelId>| offset.kernel == kernel || offset.from == kernel;
        constraints.offsets.iter().find(own).map(|offset| offset.span)
    };
    place.or_else(region).or_else(offset)
}

fn amount(device: &Device, resource: Resource, n: u64) -> String {
    match resource {
        Resource::Bytes => format!("{} of memory", size(n)),
        Resource::Pieces(fit) => {
            let smaller = u64::from(device.memory.module_bytes) / (fit + 1);
            format!("room for {} of more than {}", count(n, "piece"), size(smaller))
        }
        Resource::Locks => count(n, "lock"),
        Resource::Descriptors => count(n, "buffer descriptor"),
        Resource::Channels(Direction::In) => count(n, "S2MM channel"),
        Resource::Channels(Direction::Out) => count(n, "MM2S channel"),
    }
}
