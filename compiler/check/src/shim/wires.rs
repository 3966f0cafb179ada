//! Wires between the interface row and the array: each net of a PLIO or GMIO port takes one, in
//! every placement.
//!
//! A lower bound for one direction. PLIO ports lie in the columns with PLIO, and so do the GMIO
//! ports that do not fit the NoC columns without PLIO. Their nets go up or down in these columns or
//! sideways out of them. All nets of the interface row go up or down somewhere.

use std::collections::BTreeSet;

use aiec_diag::Diagnostic;

use crate::context::Context;
use crate::errors::shim::{self as errors, Crossing, Demand, Supply};
use aiec_collectives::Direction;
use aiec_ir::expanded::Owner;
use aiec_ir::{ExternalId, PortId};

/// Reports nets of one direction beyond the wires of a cut.
pub(super) fn check(context: &Context, demand: &Demand, supply: &Supply) -> Option<Diagnostic> {
    let crossings = [around_plio(context, demand, supply), whole_row(context, demand)];
    let short = crossings.into_iter().find(|crossing| crossing.demand > crossing.supply)?;
    Some(errors::plio_wires(context.expanded, demand, &short, context.device))
}

/// The cut around the columns with PLIO.
fn around_plio(context: &Context, demand: &Demand, supply: &Supply) -> Crossing {
    let (device, cuts) = (context.device, context.device.cuts());
    let (vertical, all) = match demand.direction {
        Direction::Out => (cuts.pl_up, cuts.pl_leave),
        Direction::In => (cuts.pl_down, cuts.pl_enter),
    };
    let [plio, gmio] = nets(context, demand);
    let gmio = gmio.saturating_sub(supply.gmio_apart as u64);
    Crossing {
        demand: plio + gmio,
        gmio,
        supply: all.into(),
        sideways: all.saturating_sub(vertical).into(),
        columns: device.shim.plio_column_count().into(),
    }
}

/// The cut between the interface row and the lowest row of cores.
fn whole_row(context: &Context, demand: &Demand) -> Crossing {
    let switch = &context.device.switch.shim;
    let wires = if demand.direction == Direction::Out { switch.masters.north } else { switch.slaves.north };
    let columns = u64::from(context.device.columns);
    let [plio, gmio] = nets(context, demand);
    Crossing { demand: plio + gmio, gmio, supply: columns * u64::from(wires), sideways: 0, columns }
}

/// The number of nets with a PLIO port, and of nets with GMIO ports only. All connections that
/// leave one port are one net. So are all that merge at one port: their packets may meet anywhere
/// in the array, and share a wire from there.
fn nets(context: &Context, demand: &Demand) -> [u64; 2] {
    let sources = |ports: &[ExternalId]| -> BTreeSet<PortId> {
        ports.iter().flat_map(|&port| crossing_sources(context, port)).collect()
    };
    let plio = sources(&demand.plio);
    let gmio = sources(&demand.gmio).difference(&plio).count();
    [plio.len() as u64, gmio as u64]
}

/// The ports that name the nets of this input or output to or from kernels: the sender, or the port
/// where packets merge.
fn crossing_sources<'a>(context: &'a Context<'a>, external: ExternalId) -> impl Iterator<Item = PortId> + 'a {
    let design = context.expanded;
    let own = design.externals[external].port;
    let of_kernel = move |&&id: &&_| matches!(design.ports[context.peer(own, id)].owner, Owner::Kernel(_));
    design.ports[own]
        .connections
        .iter()
        .filter(of_kernel)
        .map(move |&id| if design.joins_packets(own) { own } else { design.connections[id].from })
}

#[cfg(test)]
mod tests {
    use crate::shim::tests::design;
    use crate::testing::{device, rendered, slugs_on};
    use aiec_collectives::Direction;
    use aiec_test_support::{Builder, int32, output};

    fn found(direction: Direction, plio: u32, gmio: u32) -> Vec<&'static str> {
        slugs_on(&design(direction, plio, 64, gmio), &device("xcvc1902"))
    }

    #[test]
    fn six_wires_up_and_four_down_in_each_pl_column_and_four_at_either_end_carry_all_plio() {
        assert_eq!(found(Direction::Out, 39 * 6 + 8, 0), [""; 0]);
        assert_eq!(found(Direction::Out, 39 * 6 + 9, 0), ["check/plio-wires"]);
        assert_eq!(found(Direction::In, 39 * 4 + 8, 0), [""; 0]);
        assert_eq!(found(Direction::In, 39 * 4 + 9, 0), ["check/plio-wires"]);
    }

    #[test]
    fn gmio_in_pl_columns_takes_the_same_wires() {
        // Columns 2, 3, 46 and 47 have NoC but no PLIO: 8 GMIO outputs need none of these wires.
        assert_eq!(found(Direction::In, 164, 8), [""; 0]);
        assert_eq!(found(Direction::In, 164, 9), ["check/plio-wires"]);
    }

    #[test]
    fn a_window_that_leaves_through_several_ports_is_one_net() {
        let twice = |n: u32| {
            let mut builder = Builder::new("twice", "xcvc1902");
            builder.kernels("a", &[n], &[output("y", int32(4))]).plio("p", &[2 * n], Direction::In, 32);
            for i in 0..2 * n {
                builder.connect(&format!("a[{}].y", i / 2), &format!("p[{i}]"));
            }
            slugs_on(&builder, &device("xcvc1902"))
        };
        assert_eq!(twice(117), [""; 0], "234 channels, 117 nets");
    }

    #[test]
    fn packets_that_merge_leave_the_array_as_one_net() {
        let merged = |outputs: u32| {
            let mut builder = Builder::new("merged", "xcvc1902");
            builder.kernels("a", &[4 * outputs], &[output("y", int32(4))]);
            builder.plio("p", &[outputs], Direction::In, 64);
            for at in 0..outputs {
                let branches: Vec<String> = (4 * at..4 * at + 4).map(|rank| format!("a[{rank}].y")).collect();
                let branches: Vec<&str> = branches.iter().map(String::as_str).collect();
                builder.merge(&branches, &format!("p[{at}]"));
            }
            slugs_on(&builder, &device("xcvc1902"))
        };
        assert_eq!(merged(60), [""; 0], "240 streams, 60 nets");
    }

    #[test]
    fn a_device_without_columns_beside_those_with_plio_has_only_wires_up_and_down() {
        let mut full = device("xcvc1902");
        full.shim.pl_columns = Some(aiec_device::PlColumns { first: 0, last: 49 });
        let outputs = |plio| slugs_on(&design(Direction::In, plio, 64, 0), &full);
        assert_eq!(outputs(200), [""; 0]);
        assert_eq!(outputs(201), ["check/plio-wires"]);
    }

    #[test]
    fn the_wires_are_named_with_demand_and_supply() {
        let text = rendered(&design(Direction::In, 160, 64, 20), &device("xcvc1902"));
        for part in [
            "172 nets",
            "160 of PLIO and 12 of GMIO",
            "xcvc1902 has 164",
            "4 wires down in each of 39 columns",
            "8 sideways",
            "AIE-PRE-MAPPER-6",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
