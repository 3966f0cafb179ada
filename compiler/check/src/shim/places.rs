//! Stated columns of the interface row: each exists and serves its input or output, and the
//! channels of a column suffice for all that are placed there.
//!
//! A PLIO channel is a South port of the shim switch, and a GMIO takes the South port of its DMA
//! channel (AM009, interface chapter; port tables of aie-rt). Whether the inputs and outputs of a
//! column have an assignment is decided by a complete search over its few ports.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_diag::Diagnostic;

use crate::context::{Context, grouped};
use crate::errors::shims as errors;
use aiec_collectives::Direction;
use aiec_ir::constraints::{ShimPlace, ShimTie};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{Expanded, External};
use aiec_ir::{ExternalId, KernelId};

/// A channel, and the South ports that it takes.
pub type Channel = (u32, Vec<u32>);

/// The channels of a column that could serve `external`: those of its kind, in order of preference.
/// `stated` leaves one of them.
pub fn channels_for(device: &Device, external: &External, stated: Option<u32>) -> Vec<Channel> {
    let shim = &device.shim;
    let inwards = external.direction == Direction::Out;
    let dma = if inwards { &shim.gmio_in_ports } else { &shim.gmio_out_ports };
    let mut all: Vec<Channel> = match &external.endpoint {
        Endpoint::Gmio { .. } => (0..).zip(dma.iter().map(|&port| vec![port])).collect(),
        Endpoint::Plio { bits, .. } if shim.channels_of(bits.value) == 2 => {
            let pairs = if inwards { &shim.plio_in_pairs } else { &shim.plio_out_pairs };
            pairs.iter().map(|pair| (pair[0], pair.to_vec())).collect()
        }
        Endpoint::Plio { .. } => {
            let count = if inwards { shim.plio_in_channels } else { shim.plio_out_channels };
            (0..count).map(|channel| (channel, vec![channel])).collect()
        }
    };
    // Ports of the DMA serve GMIO too, and some inputs have no register.
    let lacks = |port: &u32| inwards && shim.slow_inputs.contains(port);
    all.sort_by_key(|(channel, ports)| {
        (ports.iter().any(lacks), ports.iter().filter(|port| dma.contains(port)).count(), *channel)
    });
    all.retain(|(channel, _)| stated.is_none_or(|stated| stated == *channel));
    all
}

/// True if `column` serves the kind of an input or output.
fn serves(device: &Device, endpoint: &Endpoint, column: u16) -> bool {
    match endpoint {
        Endpoint::Plio { .. } => device.shim.has_plio(column),
        Endpoint::Gmio { .. } => device.shim.noc_columns.contains(&column),
    }
}

/// The columns in which an input or output may lie, from west to east: those that serve its kind
/// and that all its places allow, and from which those [linked] to it lie in such columns too.
pub fn columns_for(design: &Expanded, device: &Device, id: ExternalId) -> Vec<u16> {
    let own = |id: ExternalId| {
        let stated: Vec<_> = design.shims.iter().filter(|place| place.external == id).collect();
        let all =
            (0..device.columns).filter(|&column| serves(device, &design.externals[id].endpoint, column));
        all.filter(|&column| stated.iter().all(|place| place.allows(column))).collect::<Vec<u16>>()
    };
    let mut columns = own(id);
    for (other, distance) in linked(design, id).into_iter().filter(|&(other, _)| other != id) {
        let others = own(other);
        let is_one = |column: u16| u16::try_from(distance.saturating_add(column.into())).ok();
        columns.retain(|&column| is_one(column).is_some_and(|at| others.binary_search(&at).is_ok()));
    }
    columns
}

/// The inputs and outputs whose columns follow from that of `id` or give it, each with the columns
/// from `id`, to the east. `id` itself is among them.
pub fn linked(design: &Expanded, id: ExternalId) -> BTreeMap<ExternalId, i64> {
    let mut found = BTreeMap::from([(id, 0)]);
    let mut open = vec![(id, 0_i64)];
    while let Some((at, distance)) = open.pop() {
        for link in &design.shim_links {
            let (other, step) = match at {
                at if at == link.from => (link.external, link.columns),
                at if at == link.external => (link.from, link.columns.saturating_neg()),
                _ => continue,
            };
            let distance = distance.saturating_add(step);
            if let Entry::Vacant(entry) = found.entry(other) {
                entry.insert(distance);
                open.push((other, distance));
            }
        }
    }
    found
}

/// Inputs and outputs in columns, each with its channel if it states one.
pub type Columns = BTreeMap<ExternalId, (i64, Option<u32>)>;

/// The inputs and outputs whose places state one column.
pub fn stated_columns(design: &Expanded) -> Columns {
    let mut stated = Columns::new();
    for place in &design.shims {
        let Some(column) = place.column() else { continue };
        let known = stated.entry(place.external).or_insert((column, None));
        known.1 = known.1.or(place.channel);
    }
    stated
}

/// Adds the columns of inputs and outputs that are [linked] to those in `columns`.
pub fn add_linked(design: &Expanded, columns: &mut Columns) {
    for (id, (column, _)) in columns.clone() {
        for (other, distance) in linked(design, id) {
            columns.entry(other).or_insert((column.saturating_add(distance), None));
        }
    }
}

/// A channel for each input and output: the column and the channel. `is_free` tells whether all of
/// some South ports of a column are free in a direction. Returns the first input or output of a
/// column that cannot serve its own.
pub fn share_columns(
    design: &Expanded,
    device: &Device,
    wanted: &Columns,
    is_free: impl Fn(Direction, u16, &[u32]) -> bool,
) -> Result<Vec<(ExternalId, u16, u32)>, ExternalId> {
    type Wishes = (Vec<ExternalId>, Vec<Vec<Channel>>);
    let mut columns: BTreeMap<(Direction, u16), Wishes> = BTreeMap::new();
    for (&id, &(column, channel)) in wanted {
        let column = u16::try_from(column).map_err(|_| id)?;
        let external = &design.externals[id];
        let (ids, wishes) = columns.entry((external.direction, column)).or_default();
        ids.push(id);
        let mut wish = channels_for(device, external, channel);
        wish.retain(|(_, ports)| is_free(external.direction, column, ports));
        wishes.push(wish);
    }
    let mut found = Vec::new();
    for ((_, column), (ids, wishes)) in columns {
        let chosen = share_column(&wishes).ok_or(ids[0])?;
        found.extend(ids.into_iter().zip(chosen).map(|(id, channel)| (id, column, channel)));
    }
    Ok(found)
}

/// A channel for each of the inputs or outputs of one direction in one column, given the channels
/// that could serve each. Returns None when there is no assignment.
fn share_column(wishes: &[Vec<Channel>]) -> Option<Vec<u32>> {
    let ports: usize =
        wishes.iter().flatten().flat_map(|(_, ports)| ports).max().map_or(0, |&p| p as usize + 1);
    let needed: usize = wishes.iter().map(|wish| wish.first().map_or(1, |(_, ports)| ports.len())).sum();
    if needed > ports {
        return None;
    }
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by_key(|&at| (wishes[at].len(), at));
    let (mut taken, mut chosen) = (vec![false; ports], vec![0; wishes.len()]);
    assign(wishes, &order, &mut taken, &mut chosen).then_some(chosen)
}

fn assign(wishes: &[Vec<Channel>], order: &[usize], taken: &mut [bool], chosen: &mut [u32]) -> bool {
    let Some((&first, rest)) = order.split_first() else { return true };
    for (channel, ports) in &wishes[first] {
        if ports.iter().any(|&port| taken[port as usize]) {
            continue;
        }
        ports.iter().for_each(|&port| taken[port as usize] = true);
        chosen[first] = *channel;
        if assign(wishes, rest, taken, chosen) {
            return true;
        }
        ports.iter().for_each(|&port| taken[port as usize] = false);
    }
    false
}

/// Faults of single places, then columns that cannot hold all that is placed in them.
pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let mut found = single(context);
    found.extend(twice(context));
    if found.is_empty() {
        found.extend(unlinked(context));
    }
    if found.is_empty() {
        found.extend(design.shim_ties.iter().filter_map(|tie| untied(context, tie)));
    }
    if found.is_empty() {
        found.extend(crowded(context));
    }
    found
}

/// What is wrong with one place by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Outside,
    WrongColumn,
    NoSuchChannel,
}

/// The faults of single places. Instances of one declaration that one statement places alike share
/// theirs.
fn single(context: &Context) -> Vec<Diagnostic> {
    let (design, device) = (context.expanded, context.device);
    let faults = design.shims.iter().filter_map(|place| {
        let family = design.externals[place.external].family;
        Some(((place.span, family, fault(context, place)?, place.columns(), place.channel), place))
    });
    let groups = grouped(faults);
    let said = groups.into_iter().map(|((_, _, fault, _, _), places)| {
        let all = errors::Alike::new(design, &places);
        match fault {
            Fault::Outside => errors::outside(&all, device),
            Fault::WrongColumn => errors::wrong_column(&all, device),
            Fault::NoSuchChannel => errors::no_such_channel(&all, &channels_for(device, all.external, None)),
        }
    });
    said.collect()
}

fn fault(context: &Context, place: &ShimPlace<ExternalId>) -> Option<Fault> {
    let (design, device) = (context.expanded, context.device);
    let external = &design.externals[place.external];
    if !(0..device.columns).any(|column| place.allows(column)) {
        return Some(Fault::Outside);
    }
    let serves = |column| serves(device, &external.endpoint, column);
    if !(0..device.columns).any(|column| place.allows(column) && serves(column)) {
        return Some(Fault::WrongColumn);
    }
    let all = channels_for(device, external, None);
    let stated = place.channel?;
    let known = all.iter().any(|(channel, _)| *channel == stated);
    (!known).then_some(Fault::NoSuchChannel)
}

/// True if an input or output may lie in the column that a kernel in `column` gives it.
pub fn tie_serves(
    design: &Expanded,
    device: &Device,
    tie: &ShimTie<ExternalId, KernelId>,
    column: u16,
) -> bool {
    u16::try_from(tie.column(column)).is_ok_and(|at| columns_for(design, device, tie.external).contains(&at))
}

/// A distance from a kernel that leads to no column for the input or output, wherever the kernel
/// is.
fn untied(context: &Context, tie: &ShimTie<ExternalId, KernelId>) -> Option<Diagnostic> {
    let (design, device) = (context.expanded, context.device);
    let serves = |column| tie_serves(design, device, tie, column);
    (!(0..device.columns).any(serves)).then(|| errors::tied_outside(design, tie, device))
}

/// Inputs and outputs that follow each other: two different distances between two of them, or no
/// column for one that leaves the others one. One fault for all that follow each other.
fn unlinked(context: &Context) -> Vec<Diagnostic> {
    let (design, device) = (context.expanded, context.device);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for link in &design.shim_links {
        let group = linked(design, link.external);
        if !group.keys().all(|&external| seen.insert(external)) {
            continue;
        }
        let between = |link: &ShimTie<ExternalId, ExternalId>| {
            group.get(&link.external).zip(group.get(&link.from)).map(|(own, from)| own.saturating_sub(*from))
        };
        let differs = design.shim_links.iter().find_map(|link| {
            between(link).filter(|&columns| columns != link.columns).map(|columns| (link, columns))
        });
        if let Some((link, columns)) = differs {
            found.push(errors::two_distances(design, link, columns));
        } else if columns_for(design, device, link.external).is_empty() {
            found.push(errors::linked_outside(design, link, group.len(), device));
        }
    }
    found
}

/// Inputs and outputs whose places have no column in common, or two channels.
fn twice(context: &Context) -> Vec<Diagnostic> {
    let mut earlier: BTreeMap<ExternalId, Vec<&ShimPlace<ExternalId>>> = BTreeMap::new();
    let design = context.expanded;
    let mut found = Vec::new();
    for place in &design.shims {
        let before = earlier.entry(place.external).or_default();
        let differs =
            |other: &&&ShimPlace<ExternalId>| other.channel.zip(place.channel).is_some_and(|(a, b)| a != b);
        let all_allow = |column| place.allows(column) && before.iter().all(|other| other.allows(column));
        let meet = (0..context.device.columns).any(all_allow);
        if let Some(other) = before.iter().find(differs).or_else(|| before.first().filter(|_| !meet)) {
            let family = design.externals[place.external].family;
            let columns = [other, place].map(|one| (one.span, one.columns(), one.channel));
            found.push(((columns, family), (*other, place)));
        }
        before.push(place);
    }
    let groups = grouped(found).into_values();
    let said = groups.map(|pairs| {
        let places: Vec<&ShimPlace<ExternalId>> = pairs.iter().map(|(_, place)| *place).collect();
        errors::two_columns(&errors::Alike::new(design, &places), pairs[0].0)
    });
    said.collect()
}

/// Columns with more inputs, or outputs, than their channels serve.
fn crowded(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let mut columns: BTreeMap<(i64, Direction), Vec<ShimPlace<ExternalId>>> = BTreeMap::new();
    let is_one = |place: &ShimPlace<ExternalId>, of| place.external == of && place.column().is_some();
    for (external, (column, channel)) in stated_columns(design) {
        let Some(place) = design.shims.iter().find(|place| is_one(place, external)) else { continue };
        let place = ShimPlace::at(external, column, channel, place.span);
        columns.entry((column, design.externals[external].direction)).or_default().push(place);
    }
    let is_short = |places: &&Vec<ShimPlace<ExternalId>>| {
        let wish = |place: &ShimPlace<ExternalId>| {
            channels_for(context.device, &design.externals[place.external], place.channel)
        };
        share_column(&places.iter().map(wish).collect::<Vec<_>>()).is_none()
    };
    columns.values().filter(is_short).map(|places| errors::crowded(design, places, context.device)).collect()
}

#[cfg(test)]
mod tests {
    use aiec_collectives::Direction;
    use aiec_ir::design::Endpoint;
    use aiec_test_support::{Builder, input, int32};

    use crate::testing::{device, rendered, slugs_on};

    /// `count` PLIO inputs `p` of `bits` and a GMIO input `g`.
    fn inputs(count: u32, bits: u32) -> Builder {
        let mut builder = Builder::new("ports", "xcvc1902");
        builder.plio("p", &[count], Direction::Out, bits).externals(
            "g",
            &[2],
            Direction::Out,
            Endpoint::GMIO,
        );
        builder.kernels("a", &[count], &[input("x", int32(4))]).kernels("b", &[2], &[input("x", int32(4))]);
        (0..count).for_each(|i| _ = builder.connect(&format!("p[{i}]"), &format!("a[{i}].x")));
        builder.connect("g[0]", "b[0].x").connect("g[1]", "b[1].x");
        builder
    }

    fn found(builder: &Builder) -> Vec<&'static str> {
        slugs_on(builder, &device("xcvc1902"))
    }

    #[test]
    fn plio_are_in_columns_with_programmable_logic_and_gmio_in_those_of_the_noc() {
        let place = |external: &str, column, channel| {
            let mut builder = inputs(1, 64);
            found(builder.shim(external, column, channel))
        };
        assert_eq!(place("p[0]", 6, Some(7)), [""; 0]);
        assert_eq!(place("p[0]", 44, None), [""; 0]);
        assert_eq!(place("p[0]", 5, None), ["check/shim-place"]);
        assert_eq!(place("p[0]", 6, Some(8)), ["check/shim-place"]);
        assert_eq!(place("p[0]", 50, None), ["check/place-outside"]);
        assert_eq!(place("g[0]", 2, None), [""; 0]);
        assert_eq!(place("g[0]", 8, None), ["check/shim-place"]);
        let mut wide = inputs(1, 128);
        assert_eq!(found(wide.clone().shim("p[0]", 6, Some(2))), [""; 0]);
        let text = rendered(wide.shim("p[0]", 6, Some(3)), &device("xcvc1902"));
        assert!(text.contains("PLIO of 128 bits") && text.contains("0, 2, 4"), "{text}");
    }

    #[test]
    fn one_of_several_columns_serves_and_two_ranges_meet() {
        let within = |external: &str, column, last| {
            let mut builder = inputs(1, 64);
            found(builder.shim_range(external, column, last))
        };
        assert_eq!(within("p[0]", 0, 6), [""; 0]);
        assert_eq!(within("p[0]", 0, 5), ["check/shim-place"]);
        assert_eq!(within("p[0]", 44, 60), [""; 0]);
        assert_eq!(within("p[0]", 50, 60), ["check/place-outside"]);
        assert_eq!(within("g[0]", 7, 13), [""; 0]);
        assert_eq!(within("g[0]", 8, 9), ["check/shim-place"]);
        let mut both = inputs(1, 64);
        assert_eq!(found(both.shim_range("p[0]", 7, 13).shim("p[0]", 13, None)), [""; 0]);
        let mut apart = inputs(1, 64);
        let text = rendered(apart.shim_range("p[0]", 7, 13).shim("p[0]", 14, None), &device("xcvc1902"));
        assert!(text.contains("`p[0]` is placed in columns 7 to 13 and in column 14"), "{text}");
        let several = |ranges: &[(i64, i64)]| {
            let mut builder = inputs(1, 64);
            found(builder.shim_ranges("p[0]", &[(0, 5), (12, 12), (20, 22)]).shim_ranges("p[0]", ranges))
        };
        assert_eq!(several(&[(6, 11), (13, 19), (22, 30)]), [""; 0]);
        assert_eq!(several(&[(6, 11), (13, 19)]), ["check/shim-place"]);
        let mut outside = inputs(1, 64);
        let text = rendered(outside.shim_ranges("p[0]", &[(2, 3), (5, 5)]), &device("xcvc1902"));
        assert!(text.contains("`p[0]` is a PLIO in columns 2 to 3 or 5"), "{text}");
    }

    /// The PLIO of xcvc1902 lie in columns 6 to 44, and its cores in columns 0 to 49.
    #[test]
    fn some_kernel_gives_a_port_that_follows_it_a_column() {
        let tied = |columns| {
            let mut builder = inputs(1, 64);
            found(builder.shim_tie("p[0]", "a[0]", columns))
        };
        assert_eq!([tied(0), tied(44), tied(-43)], [[""; 0]; 3]);
        assert_eq!([tied(45), tied(-44), tied(i64::MAX)], [["check/shim-place"]; 3]);
        let mut both = inputs(1, 64);
        assert_eq!(found(both.shim_tie("p[0]", "a[0]", -40).shim("p[0]", 9, None)), [""; 0]);
        let mut apart = inputs(1, 64);
        let text = rendered(apart.shim_tie("p[0]", "a[0]", -42).shim("p[0]", 9, None), &device("xcvc1902"));
        assert!(text.contains("`p[0]` is placed -42 columns from `a[0]`"), "{text}");
    }

    #[test]
    fn inputs_and_outputs_that_follow_each_other_find_columns_for_all() {
        let linked = |columns: &[i64]| {
            let mut builder = inputs(3, 64);
            for (at, &columns) in columns.iter().enumerate() {
                builder.shim_tie(&format!("p[{}]", (at + 1) % 3), &format!("p[{at}]"), columns);
            }
            builder
        };
        assert_eq!(found(&linked(&[38])), [""; 0]);
        assert_eq!(found(&linked(&[39])), ["check/shim-place"]);
        assert_eq!(found(&linked(&[20, 18, -38])), [""; 0]);
        let text = rendered(&linked(&[20, 19]), &device("xcvc1902"));
        assert!(text.contains("3 that follow each other"), "{text}");
        let text = rendered(&linked(&[2, 3, -4]), &device("xcvc1902"));
        let said = "`p[0]` is placed -4 columns from `p[2]`, but other distances put it -5";
        assert!(text.contains(said), "{text}");
        assert_eq!(found(linked(&[2]).shim("p[0]", 6, None).shim("p[1]", 8, None)), [""; 0]);
        assert_eq!(found(linked(&[2]).shim("p[0]", 6, None).shim("p[1]", 9, None)), ["check/shim-place"]);
        // The core of a kernel two columns from an output at the end of the row.
        assert_eq!(found(linked(&[38]).shim_tie("p[0]", "a[0]", -42)), [""; 0]);
        assert_eq!(found(linked(&[38]).shim_tie("p[0]", "a[0]", -44)), ["check/shim-place"]);
    }

    #[test]
    fn one_channel_serves_one_port() {
        let mut builder = inputs(2, 64);
        builder.shim("p[0]", 6, Some(3)).shim("p[1]", 6, Some(4));
        assert_eq!(found(&builder), [""; 0]);
        let mut twice = inputs(2, 64);
        let text = rendered(twice.shim("p[0]", 6, Some(3)).shim("p[1]", 6, Some(3)), &device("xcvc1902"));
        assert!(text.contains("`p[0]` and `p[1]`") && text.contains("column 6"), "{text}");
        let mut moved = inputs(2, 64);
        assert_eq!(found(moved.shim("p[0]", 6, Some(3)).shim("p[0]", 7, None)), ["check/shim-place"]);
    }

    #[test]
    fn gmio_take_the_ports_of_their_dma() {
        let mut builder = inputs(6, 64);
        (0..6).for_each(|i| _ = builder.shim(&format!("p[{i}]"), 6, None));
        builder.shim("g[0]", 6, None).shim("g[1]", 6, None);
        assert_eq!(found(&builder), [""; 0], "six PLIO and two DMA channels");
        builder.shim("p[0]", 6, Some(7));
        assert_eq!(found(&builder), ["check/shim-place"], "South 7 belongs to one of the GMIO");
    }

    #[test]
    fn wide_ports_take_pairs() {
        let mut builder = inputs(4, 128);
        (0..4).for_each(|i| _ = builder.shim(&format!("p[{i}]"), 10, None));
        assert_eq!(found(&builder), [""; 0]);
        builder.shim("g[0]", 10, None);
        assert_eq!(found(&builder), ["check/shim-place"]);
    }
}
