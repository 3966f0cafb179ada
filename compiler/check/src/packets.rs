//! Streams: how many packets merge into one, and how many streams a core has ports for.

use std::collections::BTreeSet;

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::packets as errors;
use aiec_collectives::Direction;
use aiec_ir::expanded::PacketSwitch;
use aiec_ir::{KernelId, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let most = context.device.most_merged_streams();
    let collectives = context.expanded.collectives.iter();
    let merges = collectives.filter_map(|c| Some((c, c.plan.merged_streams()?)));
    let release = context.expanded.release;
    let mut found: Vec<Diagnostic> = merges
        .filter_map(|(merge, streams)| {
            if streams > most {
                return Some(errors::merged_streams(merge, streams, most, context.device));
            }
            let taken = release.merge_inputs.value.filter(|&taken| streams > taken)?;
            Some(errors::merge_of_release(merge, streams, taken, release))
        })
        .collect();
    found.extend(switches(context, most));
    found.extend(core_streams(context));
    found
}

/// Limits the branches of the user's splits and merges, once for each `connect`.
fn switches(context: &Context, most: u32) -> Vec<Diagnostic> {
    let (design, release) = (context.expanded, context.expanded.release);
    let fault = |switch: &PacketSwitch| {
        let ways = switch.ways();
        if ways > most {
            return Some((switch.span, errors::ways(design, switch, ways, most, context.device)));
        }
        let taken = release.merge_inputs.value.filter(|&taken| ways > taken)?;
        Some((switch.span, errors::ways_of_release(design, switch, ways, taken)))
    };
    let mut seen = BTreeSet::new();
    let mut faults = design.switches.iter().filter_map(fault).collect::<Vec<_>>();
    faults.retain(|(span, _)| seen.insert(*span));
    faults.into_iter().map(|(_, fault)| fault).collect()
}

/// Limits the streams into and out of a core to its stream ports (AM009: two each on AIE; UG1079,
/// 77-4280 and 77-4281 of the vendor's compiler).
fn core_streams(context: &Context) -> Vec<Diagnostic> {
    let (design, tile) = (context.expanded, &context.device.tile);
    let mut found = Vec::new();
    for (direction, supply) in [(Direction::In, tile.streams_in), (Direction::Out, tile.streams_out)] {
        let streams = |kernel: KernelId| -> Vec<PortId> {
            context.ports(kernel, direction).iter().copied().filter(|&port| design.is_stream(port)).collect()
        };
        let kernels = design.kernels.ids().map(|kernel| (kernel, streams(kernel)));
        let short = kernels.filter(|(_, ports)| ports.len() > supply as usize);
        let groups = grouped(
            short.map(|(kernel, ports)| ((design.kernels[kernel].family, ports.len()), (kernel, ports))),
        );
        let groups = groups.values();
        found.extend(groups.map(|kernels| errors::core_streams(design, kernels, direction, supply)));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::{device, rendered, slugs_on, slugs_on_toy, toy};
    use aiec_collectives::{Operation, Shape};

    use super::Direction;
    use aiec_test_support::{Builder, Reduce, input, int32};

    fn merged(name: &str, group: &[&str]) -> Reduce {
        Reduce::over(name, group, int32(4)).operation(Operation::Barrier, Shape::Merge)
    }

    /// A barrier over `ranks` ranks.
    fn barrier(ranks: u32) -> Builder {
        let mut builder = Builder::new("merge", "xcvc1902");
        builder.kernels("w", &[ranks], &[]).reduce(merged("done", &["w"]));
        builder
    }

    #[test]
    fn a_merge_takes_none_of_the_windows_of_the_root() {
        let flat = |ranks| {
            let mut builder = Builder::new("flat", "xcvc1902");
            let shape = Reduce::over("done", &["w"], int32(4)).operation(Operation::Barrier, Shape::Flat);
            builder.kernels("w", &[ranks], &[]).reduce(shape);
            slugs_on(&builder, &device("xcvc1902"))
        };
        assert_eq!(flat(14), [""; 0]);
        assert_eq!(flat(16), ["check/too-many-windows"], "15 in and 1 out, 14 are allowed (thesis 4.2)");
        assert_eq!(slugs_on(&barrier(16), &device("xcvc1902")), [""; 0]);
    }

    #[test]
    fn a_merge_takes_one_channel_of_each_sender_and_neither_channel_nor_lock_of_the_root() {
        let expanded = barrier(16).expanded().unwrap();
        let demand = crate::demand(&expanded, &device("xcvc1902"));
        let (root, other) = (&demand.kernels[aiec_ir::KernelId(0)], &demand.kernels[aiec_ir::KernelId(1)]);
        assert_eq!((root.s2mm, root.mm2s, root.locks, root.bds, root.window_bytes), (0, 1, 2, 2, 32));
        assert_eq!((other.s2mm, other.mm2s, other.locks, other.bds, other.window_bytes), (1, 1, 4, 4, 64));
        assert_eq!(demand.design.nets, 16);
    }

    #[test]
    fn a_reduce_over_a_merge_takes_a_signal_of_16_bytes_at_each_rank_whatever_its_windows_are() {
        let mut builder = Builder::new("merge", "xcvc1902");
        let total = Reduce::over("total", &["w"], int32(256)).operation(Operation::Reduce, Shape::Merge);
        builder.kernels("w", &[16], &[]).reduce(total);
        let demand = crate::demand(&builder.expanded().unwrap(), &device("xcvc1902"));
        let (root, other) = (&demand.kernels[aiec_ir::KernelId(0)], &demand.kernels[aiec_ir::KernelId(1)]);
        assert_eq!((root.s2mm, root.mm2s, root.window_bytes), (0, 1, 2 * 16));
        assert_eq!((other.s2mm, other.mm2s, other.window_bytes), (1, 1, 2 * 1024 + 2 * 16));
    }

    #[test]
    fn a_single_sender_far_away_takes_no_channel_at_the_root_either() {
        // The corner tile reaches two modules with four S2MM channels. The inputs take all four.
        let (mut builder, names) = (Builder::new("pair", "toy"), ["a", "b", "c", "d"]);
        builder.plio("i", &[4], Direction::Out, 64).kernels("far", &[], &[]).place("far", 5, 3);
        builder.kernels("root", &[], &names.map(|name| input(name, int32(4)))).place("root", 0, 0);
        for (at, name) in names.iter().enumerate() {
            builder.connect(&format!("i[{at}]"), &format!("root.{name}"));
        }
        builder.reduce(merged("done", &["root", "far"]));
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    #[test]
    fn a_merge_joins_as_many_streams_as_packets_have_numbers() {
        let vc1902 = device("xcvc1902");
        assert_eq!(slugs_on(&barrier(33), &vc1902), [""; 0], "32 streams, 5 bits (AM009)");
        assert_eq!(slugs_on(&barrier(34), &vc1902), ["check/merged-streams"]);
        let text = rendered(&barrier(34), &vc1902);
        assert!(text.contains("merges the packets of 33 ranks") && text.contains("at most 32"), "{text}");
        let mut old = vc1902;
        old.tools.slave_nets = Some(4);
        assert_eq!(slugs_on(&barrier(5), &old), [""; 0]);
        assert_eq!(slugs_on(&barrier(6), &old), ["check/merged-streams"], "as the tools of 2022.2 have it");
    }

    #[test]
    fn a_release_takes_as_many_streams_as_its_guide_says() {
        let vc1902 = device("xcvc1902");
        let of = |release: &str, ranks: u32| {
            let mut builder = Builder::new("merge", "xcvc1902");
            builder.release(aiec_device::Release::named(release).unwrap());
            builder.kernels("w", &[ranks], &[]).reduce(merged("done", &["w"]));
            slugs_on(&builder, &vc1902)
        };
        for old in ["2022.1", "2022.2", "2023.1"] {
            assert_eq!(of(old, 5), [""; 0], "4 streams");
            assert_eq!(of(old, 6), ["check/merge-of-release"], "{old}");
        }
        for new in ["2023.2", "2025.2", "2026.1"] {
            assert_eq!(of(new, 33), [""; 0], "32 streams");
            assert_eq!(of(new, 34), ["check/merged-streams"], "{new}");
        }
    }

    #[test]
    fn a_core_has_two_ports_for_streams_into_it() {
        let merges = |count| {
            let mut builder = Builder::new("merges", "toy");
            builder.kernels("w", &[4], &[]);
            for name in ["a", "b", "c"].iter().take(count) {
                builder.reduce(merged(name, &["w"]));
            }
            builder
        };
        assert_eq!(slugs_on_toy(&merges(2)), [""; 0]);
        assert_eq!(slugs_on_toy(&merges(3)), ["check/core-streams"]);
        let text = rendered(&merges(3), &toy());
        assert!(text.contains("needs 3 ports for streams") && text.contains("a core has 2"), "{text}");
    }
}
