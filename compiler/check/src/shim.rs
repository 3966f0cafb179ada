//! The interface row: widths and numbers of PLIO and GMIO ports, and the windows that go through
//! them.

mod names;
pub(super) mod places;
pub(super) mod south;
mod wires;

use aiec_device::Device;
use aiec_device::release::Board;
use aiec_diag::{Diagnostic, Spanned};

use super::context::{Context, grouped};
use crate::errors::shim::{self as errors, Demand, Supply};
use aiec_collectives::{Direction, WindowType};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::PortRole;
use aiec_ir::{ExternalId, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = widths(context);
    found.extend(frequencies(context));
    found.extend(bursts(context));
    // Programmable logic and host program of an ADF graph may pack data as they like.
    if !context.expanded.is_adf() {
        found.extend(elements(context));
        found.extend(words(context));
        found.extend(gmio_of_card(context));
    }
    found.extend(names::check(context));
    found.extend(places::check(context));
    for direction in [Direction::Out, Direction::In] {
        let demand = Demand::of(context, direction);
        let supply = Supply::of(context.device, direction);
        let short = capacity(context, &demand, &supply);
        let short = short.or_else(|| registers(context, &demand));
        found.extend(short.or_else(|| wires::check(context, &demand, &supply)));
    }
    found
}

/// PLIO ports with a width that the device does not offer.
fn widths(context: &Context) -> Vec<Diagnostic> {
    let legal = &context.device.shim.plio_widths;
    let externals = context.expanded.externals.enumerate();
    let faults = externals.filter_map(|(id, external)| match &external.endpoint {
        Endpoint::Plio { bits, .. } if !legal.contains(&bits.value) => {
            Some((external.family, (bits.clone(), id)))
        }
        _ => None,
    });
    let groups = grouped(faults);
    groups
        .values()
        .map(|ports| errors::plio_width(context.expanded, ports[0].1, &ports[0].0, legal))
        .collect()
}

/// PLIO ports with a clock that programmable logic cannot have beside the array. The vendor's tools
/// take a higher one: public graphs were compiled with 1280 and 10240 MHz (docs/foreign.md).
fn frequencies(context: &Context) -> Vec<Diagnostic> {
    let most = context.device.clock.highest_pl_khz().filter(|_| !context.expanded.is_adf());
    let Some(most) = most else { return Vec::new() };
    let faults =
        context.expanded.externals.enumerate().filter_map(|(id, external)| match &external.endpoint {
            Endpoint::Plio { frequency: Some(clock), .. } if clock.value > most => {
                Some((external.family, (clock.clone(), id)))
            }
            _ => None,
        });
    let groups = grouped(faults);
    let fault = |ports: &Vec<(Spanned<u32>, ExternalId)>| {
        errors::plio_frequency(context.expanded, ports[0].1, &ports[0].0, most, context.device)
    };
    groups.values().map(fault).collect()
}

/// GMIO ports with a burst that the device does not offer.
fn bursts(context: &Context) -> Vec<Diagnostic> {
    let legal = &context.device.shim.burst_bytes;
    let faults =
        context.expanded.externals.enumerate().filter_map(|(id, external)| match &external.endpoint {
            Endpoint::Gmio { burst: Some(burst), .. } if !legal.contains(&burst.value) => {
                Some((external.family, (burst.clone(), id)))
            }
            _ => None,
        });
    let groups = grouped(faults);
    let fault = |ports: &Vec<(Spanned<u32>, ExternalId)>| {
        errors::gmio_burst(context.expanded, ports[0].1, &ports[0].0, legal)
    };
    groups.values().map(fault).collect()
}

/// PLIO ports of a legal width with the window that goes through each.
fn streams<'a>(context: &'a Context<'a>) -> impl Iterator<Item = (ExternalId, u32, WindowType)> + 'a {
    let design = context.expanded;
    design.externals.enumerate().filter_map(|(id, external)| match &external.endpoint {
        Endpoint::Plio { bits, .. } if context.device.shim.plio_widths.contains(&bits.value) => {
            Some((id, bits.value, design.ports[external.port].carries?.per_run()?))
        }
        _ => None,
    })
}

/// GMIO needs a host that starts transfers and the graph. No document shows how on the server of a
/// VCK5000 (Xilinx/XRT#7010).
fn gmio_of_card(context: &Context) -> Option<Diagnostic> {
    let design = context.expanded;
    let externals = design.externals.enumerate();
    let gmio = externals.filter(|(_, external)| matches!(external.endpoint, Endpoint::Gmio { .. }));
    let gmio: Vec<ExternalId> = gmio.map(|(id, _)| id).collect();
    (design.board == Board::Vck5000 && !gmio.is_empty()).then(|| errors::gmio_of_card(design, &gmio))
}

/// PLIO ports narrower than an element. A word of the port, a line of its data file, holds whole
/// elements (UG1076, simulation data files).
fn elements(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = streams(context).filter(|&(_, bits, window)| window.element.bytes() * 8 > bits);
    let groups =
        grouped(faults.map(|(id, bits, window)| ((design.externals[id].family, window.element), (id, bits))));
    let groups = groups.iter();
    groups
        .map(|((_, element), ports)| {
            let ids: Vec<ExternalId> = ports.iter().map(|&(id, _)| id).collect();
            errors::plio_element(design, &ids, ports[0].1, *element, &context.device.shim.plio_widths)
        })
        .collect()
}

/// PLIO ports whose data are not a whole number of words.
fn words(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let (smallest, unit) = (context.device.memory.min_window, context.device.tile.word_bytes.max(1));
    // Windows that cannot exist and elements that do not fit are reported elsewhere.
    let sound = |window: WindowType| {
        window.bytes() >= u64::from(smallest) && window.bytes().is_multiple_of(u64::from(unit))
    };
    let fitting =
        streams(context).filter(|&(_, bits, window)| sound(window) && window.element.bytes() * 8 <= bits);
    let faults = fitting.filter_map(|(id, bits, window)| {
        let windows = windows(context, id)?;
        let bytes = u128::from(windows) * u128::from(window.bytes());
        let word = u128::from(bits / 8);
        (bytes % word != 0)
            .then(|| ((design.externals[id].family, windows, window.bytes(), bits), (id, window)))
    });
    let groups = grouped(faults);
    let groups = groups.iter();
    groups
        .map(|((_, windows, _, bits), ports)| {
            let ids: Vec<ExternalId> = ports.iter().map(|&(id, _)| id).collect();
            let stream = errors::Stream { windows: *windows, window: ports[0].1, bits: *bits };
            errors::plio_words(design, &ids, stream, &context.device.shim.plio_widths)
        })
        .collect()
}

/// Windows that go through an input or output in all runs. Returns None when the kernel's code
/// decides how many it takes or sends.
fn windows(context: &Context, external: ExternalId) -> Option<u64> {
    let design = context.expanded;
    let own = design.externals[external].port;
    let per_run = design.ports[own].connections.iter().find_map(|&connection| {
        let peer = &design.ports[context.peer(own, connection)];
        match peer.role {
            PortRole::Result(id) => {
                let collective = &design.collectives[id];
                Some(u64::from(collective.chunks()) * u64::from(collective.calls))
            }
            _ => (!peer.asynchronous).then_some(1),
        }
    });
    per_run.map(|windows| windows.saturating_mul(u64::from(design.iterations)))
}

impl Demand {
    fn of(context: &Context, direction: Direction) -> Self {
        let mut demand = Self { direction, gmio: Vec::new(), plio: Vec::new(), pairs: 0 };
        let design = context.expanded;
        let connected = |port: PortId| !design.ports[port].connections.is_empty();
        let externals = design.externals.enumerate();
        for (id, external) in externals.filter(|(_, e)| e.direction == direction && connected(e.port)) {
            match &external.endpoint {
                Endpoint::Gmio { .. } => demand.gmio.push(id),
                Endpoint::Plio { bits, .. } => {
                    demand.plio.push(id);
                    demand.pairs += usize::from(context.device.shim.channels_of(bits.value) == 2);
                }
            }
        }
        demand
    }
}

impl Supply {
    fn of(device: &Device, direction: Direction) -> Self {
        let shim = &device.shim;
        let (ports, channels, pairs) = match direction {
            Direction::Out => (shim.gmio_in_ports.len(), shim.plio_in_channels, shim.plio_in_pairs.len()),
            Direction::In => (shim.gmio_out_ports.len(), shim.plio_out_channels, shim.plio_out_pairs.len()),
        };
        let columns = usize::from(shim.plio_column_count());
        let apart = shim.noc_columns.iter().filter(|&&column| !shim.has_plio(column)).count();
        Self {
            gmio: shim.noc_columns.len() * ports,
            gmio_apart: apart * ports,
            channels: columns * channels as usize,
            pairs: columns * pairs,
        }
    }
}

/// Ports beyond the supply. A GMIO port in a column with PLIO takes one of its channels, and with
/// it a pair.
fn capacity(context: &Context, demand: &Demand, supply: &Supply) -> Option<Diagnostic> {
    let design = context.expanded;
    if demand.gmio.len() > supply.gmio {
        return Some(errors::gmio_capacity(design, demand, supply));
    }
    let taken = demand.gmio.len().saturating_sub(supply.gmio_apart);
    let channels = supply.channels.saturating_sub(taken);
    (demand.channels() > channels || demand.pairs > supply.pairs)
        .then(|| errors::plio_capacity(design, demand, supply, taken))
}

/// Wide PLIO inputs beyond the pairs of channels that both have a register, if the release counts
/// these (aiecompiler's AIE-PRE-MAPPER-11). At the default clock of the programmable logic every
/// PLIO is registered; a stated clock may be slow enough to need no register (UG1076). An ADF graph
/// without a stated release may be for an older one, so it is not judged.
fn registers(context: &Context, demand: &Demand) -> Option<Diagnostic> {
    let (design, device) = (context.expanded, context.device);
    let registered = |id: &ExternalId| match &design.externals[*id].endpoint {
        Endpoint::Plio { bits, frequency, .. } => {
            let clock = frequency.as_ref().map(|khz| khz.value);
            device.shim.channels_of(bits.value) == 2 && device.clock.registers_at(clock)
        }
        Endpoint::Gmio { .. } => false,
    };
    let wide: Vec<ExternalId> = demand.plio.iter().copied().filter(registered).collect();
    let is_known = !design.is_adf() || design.written.release.is_some();
    let counts = is_known && design.release.counts_wide_plio.value == Some(true);
    let supply = device.interface_totals().registered_plio_pairs as usize;
    (counts && demand.direction == Direction::Out && wide.len() > supply)
        .then(|| errors::plio_registers(design, device, &wide, supply))
}

#[cfg(test)]
mod tests {
    use crate::testing::{device, rendered, slugs_on, slugs_on_toy, toy};
    use aiec_collectives::{Direction, ElementType, WindowType};
    use aiec_device::Release;
    use aiec_diag::Spanned;
    use aiec_ir::design::Endpoint;
    use aiec_ir::design::Language;
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    /// `plio` PLIO ports of `bits` and `gmio` GMIO ports of one direction, each with its own
    /// kernel.
    pub(super) fn design(direction: Direction, plio: u32, bits: u32, gmio: u32) -> Builder {
        let mut builder = Builder::new("ports", "xcvc1902");
        builder.plio("p", &[plio], direction, bits).externals("g", &[gmio], direction, Endpoint::GMIO);
        let port = match direction {
            Direction::Out => input("x", int32(4)),
            Direction::In => output("x", int32(4)),
        };
        builder.kernels("a", &[plio], &[port]).kernels("b", &[gmio], &[port]);
        let pairs = (0..plio).map(|i| (format!("p[{i}]"), format!("a[{i}].x")));
        for (outside, kernel) in pairs.chain((0..gmio).map(|i| (format!("g[{i}]"), format!("b[{i}].x")))) {
            match direction {
                Direction::Out => builder.connect(&outside, &kernel),
                Direction::In => builder.connect(&kernel, &outside),
            };
        }
        builder
    }

    fn ports(direction: Direction, plio: u32, bits: u32, gmio: u32) -> Vec<&'static str> {
        slugs_on(&design(direction, plio, bits, gmio), &device("xcvc1902"))
    }

    /// The slugs on a VC1902 with enough wires between interface row and array that only channels
    /// can run out.
    fn channels(direction: Direction, plio: u32, gmio: u32) -> Vec<&'static str> {
        let mut wide = device("xcvc1902");
        (wide.switch.shim.masters.north, wide.switch.shim.slaves.north) = (9, 9);
        slugs_on(&design(direction, plio, 64, gmio), &wide)
    }

    #[test]
    fn stated_clocks_are_those_of_programmable_logic_and_slow_ones_need_no_register() {
        let found = |ports: u32, khz: u32| {
            let at = |value| Spanned { value, span: aiec_diag::Span::new(aiec_diag::SourceId(0), 0, 0) };
            let mut builder = Builder::new("ports", "xcvc1902");
            let end = Endpoint::Plio { bits: at(128), file: "p_{}.txt".into(), frequency: Some(at(khz)) };
            builder.externals("p", &[ports], Direction::Out, end).kernels(
                "a",
                &[ports],
                &[input("x", int32(4))],
            );
            (0..ports).for_each(|i| _ = builder.connect(&format!("p[{i}]"), &format!("a[{i}].x")));
            slugs_on(&builder, &device("xcvc1902"))
        };
        assert_eq!(found(1, 650_000), [""; 0], "half the clock of the fastest grade");
        assert_eq!(found(1, 650_001), ["check/plio-frequency"]);
        assert_eq!(found(79, 156_250), [""; 0], "an eighth of the array's clock");
        assert_eq!(found(79, 156_251), ["check/plio-registers"]);
    }

    #[test]
    fn bursts_are_those_of_the_device() {
        let found = |bytes: u32| {
            let at = Spanned { value: bytes, span: aiec_diag::Span::new(aiec_diag::SourceId(0), 0, 0) };
            let mut builder = Builder::new("ports", "toy");
            let end = Endpoint::Gmio { file: None, burst: Some(at), bandwidth: None };
            builder.externals("g", &[], Direction::Out, end).kernels("a", &[], &[input("x", int32(4))]);
            slugs_on_toy(builder.connect("g", "a.x"))
        };
        for (bytes, slugs) in
            [(64, &[][..]), (256, &[]), (100, &["check/gmio-burst"]), (512, &["check/gmio-burst"])]
        {
            assert_eq!(found(bytes), slugs, "{bytes}");
        }
    }

    #[test]
    fn the_vc1902_has_312_plio_channels_in_and_234_out() {
        assert_eq!(channels(Direction::Out, 312, 0), [""; 0]);
        assert_eq!(channels(Direction::Out, 313, 0), ["check/plio-capacity"]);
        assert_eq!(channels(Direction::In, 234, 0), [""; 0]);
        assert_eq!(channels(Direction::In, 235, 0), ["check/plio-capacity"]);
    }

    #[test]
    fn a_128_bit_plio_takes_two_channels() {
        assert_eq!(ports(Direction::In, 117, 128, 0), [""; 0]);
        assert_eq!(ports(Direction::In, 118, 128, 0), ["check/plio-capacity"]);
    }

    // [AIE-PRE-MAPPER-11] of Vitis 2023.2 (Xilinx/mlir-aie#1902).
    #[test]
    fn from_2023_2_on_the_vc1902_takes_78_registered_inputs_of_128_bits() {
        let vc1902 = device("xcvc1902");
        let found = |release: &'static Release, direction, plio, bits, device| {
            slugs_on(design(direction, plio, bits, 0).release(release), device)
        };
        let releases: Vec<_> = Release::names().filter_map(Release::named).collect();
        for &release in &releases {
            let counts = !["2022.1", "2022.2", "2023.1"].contains(&release.name);
            let more: &[&str] = if counts { &["check/plio-registers"] } else { &[] };
            assert_eq!(found(release, Direction::Out, 78, 128, &vc1902), [""; 0], "{release}");
            assert_eq!(found(release, Direction::Out, 79, 128, &vc1902), more, "{release}");
            assert_eq!(found(release, Direction::Out, 156, 64, &vc1902), [""; 0], "{release}");
            assert_eq!(found(release, Direction::In, 79, 128, &vc1902), [""; 0], "{release}");
        }
        let mut slow = vc1902.clone();
        slow.clock.pl_divisor = slow.clock.pl_register_divisor;
        let newest = releases[releases.len() - 1];
        assert_eq!(found(newest, Direction::Out, 79, 128, &slow), [""; 0], "no registers at this clock");
        let text = rendered(design(Direction::Out, 79, 128, 0).release(newest), &vc1902);
        assert!(text.contains("AIE-PRE-MAPPER-11") && text.contains("capacity 78"), "{text}");
    }

    #[test]
    fn a_graph_is_judged_by_a_release_that_somebody_stated() {
        let found = |stated: Option<&'static Release>| -> Vec<&'static str> {
            let mut graph = design(Direction::Out, 79, 128, 0).expanded().unwrap();
            graph.language = Language::Adf;
            graph.written.release = stated;
            let outcome = crate::check(graph, &device("xcvc1902"));
            outcome.diagnostics().iter().map(|fault| fault.code.slug).collect()
        };
        assert_eq!(found(None), [""; 0]);
        assert_eq!(found(Some(Release::standard())), ["check/plio-registers"]);
    }

    /// KastnerRG/particle_transformer_aie was compiled for hardware with 1280 MHz by Vitis 2024.1.
    #[test]
    fn a_graph_may_state_a_clock_that_no_logic_has() {
        let at = |value| Spanned { value, span: aiec_diag::Span::new(aiec_diag::SourceId(0), 0, 0) };
        let mut builder = Builder::new("fast", "xcvc1902");
        let end = Endpoint::Plio { bits: at(128), file: "p.txt".into(), frequency: Some(at(1_280_000)) };
        builder.externals("p", &[1], Direction::Out, end).kernels("a", &[1], &[input("x", int32(4))]);
        builder.connect("p[0]", "a[0].x");
        let mut design = builder.expanded().unwrap();
        assert!(crate::check(design.clone(), &device("xcvc1902")).into_parts().0.is_none());
        design.language = Language::Adf;
        assert!(crate::check(design, &device("xcvc1902")).into_parts().0.is_some());
    }

    #[test]
    fn the_vc1902_has_32_gmio_ports_each_way() {
        assert_eq!(ports(Direction::Out, 0, 64, 32), [""; 0]);
        assert_eq!(ports(Direction::Out, 0, 64, 33), ["check/gmio-capacity"]);
        assert_eq!(ports(Direction::In, 0, 64, 33), ["check/gmio-capacity"]);
    }

    #[test]
    fn a_gmio_port_takes_the_plio_channel_of_its_number() {
        // Columns 2, 3, 46 and 47 have NoC but no PLIO: 8 GMIO ports cost no PLIO channel.
        assert_eq!(channels(Direction::Out, 312, 8), [""; 0]);
        assert_eq!(channels(Direction::Out, 312, 9), ["check/plio-capacity"]);
    }

    #[test]
    fn a_plio_has_a_width_the_device_offers() {
        assert_eq!(ports(Direction::Out, 2, 32, 0), [""; 0]);
        assert_eq!(ports(Direction::Out, 2, 48, 0), ["check/plio-width"]);
    }

    #[test]
    fn what_is_not_connected_takes_no_channel() {
        let mut builder = Builder::new("ports", "xcvc1902");
        builder.plio("p", &[400], Direction::Out, 64).externals("g", &[40], Direction::Out, Endpoint::GMIO);
        assert_eq!(slugs_on(&builder, &device("xcvc1902")), ["check/unused-external"; 2]);
    }

    /// A kernel that takes `window` from a PLIO port of `bits` in each of `iterations` runs.
    fn stream(window: WindowType, bits: u32, iterations: u32, end: &str) -> Builder {
        let mut builder = Builder::new("stream", "toy");
        builder.iterations(iterations).plio_input("i", bits).kernels("a", &[], &[input("x", window)]);
        builder.connect("i", end);
        builder
    }

    #[test]
    fn a_plio_word_holds_at_least_one_element() {
        let sent = |element, bits| {
            let window = WindowType { element, elements: 16 };
            slugs_on_toy(&stream(window, bits, 1, "a.x"))
        };
        for wide in [ElementType::Int64, ElementType::Cint32, ElementType::Cfloat] {
            assert_eq!(sent(wide, 32), ["check/plio-element"], "{wide}");
            assert_eq!(sent(wide, 64), [""; 0], "{wide}");
        }
        assert_eq!(sent(ElementType::Cint16, 32), [""; 0], "a pair of 16 bits");
        let window = WindowType { element: ElementType::Int64, elements: 16 };
        let text = rendered(&stream(window, 32, 1, "a.x"), &toy());
        assert!(text.contains("64 bits") && text.contains("`plio(64, ...)`"), "{text}");
    }

    #[test]
    fn what_goes_through_a_plio_is_a_whole_number_of_its_words() {
        assert_eq!(slugs_on_toy(&stream(int32(5), 128, 1, "a.x")), ["check/plio-words"]);
        assert_eq!(slugs_on_toy(&stream(int32(5), 128, 4, "a.x")), [""; 0], "80 bytes are 5 words");
        assert_eq!(slugs_on_toy(&stream(int32(5), 64, 2, "a.x")), [""; 0]);
        assert_eq!(slugs_on_toy(&stream(int32(5), 32, 1, "a.x")), [""; 0]);
        assert_eq!(
            slugs_on_toy(&stream(int32(5), 128, 1, "async a.x")),
            [""; 0],
            "takes as many as it likes"
        );
        let text = rendered(&stream(int32(5), 128, 1, "a.x"), &toy());
        assert!(
            text.contains("20 bytes") && text.contains("16 bytes") && text.contains("int32[8]"),
            "{text}"
        );
        assert!(text.contains("`plio(32, ...)`"), "{text}");
    }

    #[test]
    fn a_result_goes_through_a_plio_once_for_every_window_of_every_call() {
        let result = |calls| {
            let mut builder = Builder::new("result", "toy");
            builder.kernels("w", &[3], &[]).plio_output("o", 128);
            builder.reduce(Reduce::over("total", &["w"], int32(6)).data(int32(18)).calls(calls));
            slugs_on_toy(builder.connect("total.result", "o"))
        };
        assert_eq!(result(1), ["check/plio-words"], "3 windows of 24 bytes");
        assert_eq!(result(2), [""; 0]);
    }
}
