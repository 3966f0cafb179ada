//! The checks before placement.
//!
//! [`check`] takes a design and a device. It returns every fault of the design at once or, when
//! there is none, a [`Checked`]. Each rule family is a module. Each fault is reported once, at its
//! cause: a kernel whose window fits no module gets no second message about its memory, and equal
//! faults of many instances are one diagnostic.
//!
//! The resource rules are lower bounds: no placement satisfies a design that they reject. Whether a
//! placement exists for a design that they accept is the placer's question. All capacities come
//! from the device.

mod aligned;
mod amounts;
mod blocks;
mod cascade;
mod channels;
mod checked;
mod conflict;
mod context;
mod cuts;
mod cycles;
mod demand;
mod errors;
mod fifos;
mod flow;
pub mod formation;
mod hangs;
mod kernels;
mod kinds;
mod least;
mod levels;
mod memory;
mod orders;
mod outside;
mod packets;
mod packing;
mod parameters;
mod pinned;
mod places;
mod progress;
pub mod prove;
mod rates;
mod results;
mod rigid;
mod scattered;
mod shim;
mod stated;
pub mod statement;
mod watch;
mod windows;
mod wiring;

#[cfg(test)]
mod testing;

use std::collections::BTreeSet;

use aiec_device::Device;
use aiec_diag::{Code, Diagnostic, Outcome, Span, catalogue};
use aiec_ir::allowances::settle;
use aiec_ir::{Expanded, KernelId};
pub use checked::Checked;
use context::Context;
pub use cuts::{Line, LineLoad, line_loads};
pub use demand::{Demand, DesignDemand, KernelDemand, demand};
pub use errors::fixes::stated_buffers;
pub use errors::places::{constraints_on, no_tiles};
pub use errors::{labelled, list};
pub use fifos::chosen_faults;
pub use hangs::open_packets;
pub use least::{least, least_by};
pub use levels::TreeMemory;
pub use memory::filled_modules;
pub use orders::{Ahead, InStep, OpenOrder, Past, Ring};
pub use shim::places::{
    Channel, Columns, add_linked, channels_for, columns_for, linked, share_columns, stated_columns,
    tie_serves,
};
pub use shim::south::south_ports;
pub use watch::{Alone, Progress, Watch};

/// The diagnostics about waits between kernels. The vendor's compiler looks for none of these
/// faults, so it takes a graph that waits for ever. No later stage depends on them.
pub static ALLOWABLE: [&Code; 4] =
    [&catalogue::SYNC_CYCLE, &catalogue::STREAM_HANG, &catalogue::MAY_HANG, &catalogue::CORE_WAIT];

/// Checks `expanded` against `device`, the device that the design names.
///
/// # Errors
/// Every fault, each with a slug of the section "Before placement" of the catalogue.
pub fn check(expanded: Expanded, device: &Device) -> Outcome<Checked> {
    check_allowing(expanded, device, &[])
}

/// Like [`check`], without the diagnostics of `allowed`. Those outside [`ALLOWABLE`] are given all
/// the same.
///
/// # Errors
/// As those of [`check`].
pub fn check_allowing(expanded: Expanded, device: &Device, allowed: &[&Code]) -> Outcome<Checked> {
    // A graph names no device.
    let place = (!expanded.is_adf()).then_some(expanded.device.span);
    if let Some(fault) = unsupported(device, place) {
        return Outcome::error(fault);
    }
    let found = faults(&expanded, device, allowed);
    Outcome::new(Checked::new(expanded), found)
}

/// The open orders of a design on this device: rings, pairs, cascades, cores, each in the order of
/// their kernels, then streams past cascades, then connections of kernels in step.
pub fn open_orders(design: &Expanded, device: &Device) -> Vec<OpenOrder> {
    let context = Context::new(design, device);
    let mut found = orders::of_kernels(&context, &hangs::runs_ahead(&context));
    found.extend(orders::past(&context));
    let more = hangs::in_step(&context).into_iter().filter(|way| !orders::has_line(design, &found, way));
    let more: Vec<_> = more.map(OpenOrder::InStep).collect();
    found.extend(more);
    found
}

/// The kernels of each core on which constraints put several: `place` and regions that leave one
/// tile, and offsets of no columns and rows. A core that the placer chooses to share is none.
pub fn shared_cores(design: &Expanded, device: &Device) -> Vec<Vec<KernelId>> {
    places::shared_cores(&Context::new(design, device))
}

/// `check/unsupported-device` for a device that aiec does not target, and None for one that it
/// does. `place` is where the design names it.
pub fn unsupported(device: &Device, place: Option<Span>) -> Option<Diagnostic> {
    (!device.supported).then(|| errors::unsupported_device(device, place))
}

/// The refused design for a picture of its fault: all kernels have a stated place, and a line with
/// too few wires between them is the only error. Returns None for any other design.
pub fn overfull(expanded: Expanded, device: &Device, allowed: &[&Code]) -> Option<Checked> {
    let placed: BTreeSet<_> = expanded.places.iter().map(|place| place.kernel).collect();
    if !device.supported || placed.len() != expanded.kernels.len() {
        return None;
    }
    let mut errors = faults(&expanded, device, allowed).into_iter().filter(Diagnostic::is_error).peekable();
    let is_overfull = errors.peek().is_some() && errors.all(|error| error.code == &catalogue::LINE_WIRES);
    is_overfull.then(|| Checked::new(expanded))
}

/// The diagnostics of all checks, without those of `allowed`.
fn faults(expanded: &Expanded, device: &Device, allowed: &[&Code]) -> Vec<Diagnostic> {
    let context = Context::new(expanded, device);
    let families = [
        windows::check(&context),
        kinds::check(&context),
        wiring::check(&context),
        cascade::check(&context),
        packets::check(&context),
        parameters::check(&context),
        rates::check(&context),
        cycles::check(&context),
        capacities(expanded, device, &context),
        shim::check(&context),
        places::check(&context),
        blocks::check(&context),
        fifos::places(&context),
    ];
    let all: Vec<Diagnostic> = families.into_iter().flatten().collect();
    let is_crowded = kernels::overcrowded(&context);
    // A split that begins at too high a number has a branch of that number.
    let gaps: BTreeSet<_> =
        all.iter().filter(|one| one.code == &catalogue::BRANCH_GAP).map(Diagnostic::span).collect();
    let follows = |found: &Diagnostic| {
        is_crowded && OF_NUMBERS.contains(&found.code)
            || found.code == &catalogue::MERGED_STREAMS && gaps.contains(&found.span())
    };
    let is_allowed = |found: &Diagnostic| {
        let is_it = |code: &&Code| code.slug == found.code.slug;
        allowed.iter().any(is_it) && ALLOWABLE.iter().any(is_it)
    };
    let mut found: Vec<_> = all.into_iter().filter(|one| !is_allowed(one) && !follows(one)).collect();
    if !found.iter().any(Diagnostic::is_error) {
        found.extend(fifos::check(&context));
        found.extend(progress::check(&context).into_iter().filter(|one| !is_allowed(one)));
        if !found.iter().any(Diagnostic::is_error) {
            found.extend(hangs::check(&context).into_iter().filter(|one| !is_allowed(one)));
        }
        found.extend(stated::check(&context));
        found.extend(pinned::check(&context));
        found.extend(results::check(&context));
        let overfull = cuts::overfull(&context);
        found.extend(
            overfull.map(|line| errors::cuts::overfull_line(context.expanded, &line, context.device)),
        );
    }
    settle(&expanded.allowances, found, &WARNINGS)
}

/// Notes about what is legal in a checked design and only slow, without those that it allows.
pub fn notes(design: &Expanded, device: &Device) -> Vec<Diagnostic> {
    settle(&design.allowances, windows::notes(design, device), &[])
}

/// The warnings of [`check`], for each of which it can tell whether a design has it.
static WARNINGS: [&Code; 5] = [
    &catalogue::PARAMETER_READERS,
    &catalogue::PARAMETER_OF_CARD,
    &catalogue::GMIO_OF_CARD,
    &catalogue::MAY_HANG,
    &catalogue::NO_WAY_OUT,
];

/// Faults that grow with the number of instances. Beside more kernels than tiles they say the same
/// about the constant that is too large, with limits that it meets later.
static OF_NUMBERS: [&Code; 7] = [
    &catalogue::WINDOW_TOO_LARGE,
    &catalogue::CASCADE_LENGTH,
    &catalogue::TOO_MANY_WINDOWS,
    &catalogue::MERGED_STREAMS,
    &catalogue::PLIO_CAPACITY,
    &catalogue::GMIO_CAPACITY,
    &catalogue::PLACE_OUTSIDE,
];

/// Demands above the capacity of the array. A second run without keepouts finds the faults that
/// only keepouts cause; their messages name the keepouts.
fn capacities(expanded: &Expanded, device: &Device, context: &Context) -> Vec<Diagnostic> {
    let all = |context: &Context| {
        let mut found = kernels::check(context);
        // Without a single open tile, only the number of kernels is reported.
        if context.grid.open_tiles() > 0 {
            found.extend(memory::check(context));
            found.extend(channels::check(context));
        }
        found
    };
    let found = all(context);
    let closed = context.grid.len() - context.grid.open_tiles();
    if found.is_empty() || closed == 0 {
        return found;
    }
    let (mut unbounded, mut whole) = (expanded.clone(), device.clone());
    unbounded.constraints.keepouts.clear();
    whole.keepout.clear();
    let anyway = all(&Context::new(&unbounded, &whole));
    let place = |d: &Diagnostic| (d.code.slug, d.labels.first().map(|label| label.span));
    let blame = |d: Diagnostic| match anyway.iter().any(|other| place(other) == place(&d)) {
        true => d,
        false => errors::kept_out(d, expanded, device, closed, context.grid.len()),
    };
    found.into_iter().map(blame).collect()
}

#[cfg(test)]
mod tests {
    use super::testing::{device, slugs_on, slugs_on_toy, toy};
    use aiec_collectives::{Direction, ElementType, WindowType};
    use aiec_ir::{Accumulator, Carries, CascadeType};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    #[test]
    fn a_sound_design_passes_and_keeps_its_kernels() {
        let mut builder = Builder::new("reduce7", "toy");
        builder.kernels("worker", &[7], &[]).gmio_output("sum");
        builder.reduce(Reduce::over("total", &["worker"], int32(64))).connect("total.result", "sum");
        let outcome = super::check(builder.expanded().unwrap(), &toy());
        assert_eq!(outcome.value().map(|checked| checked.kernels.len()), Some(7));
        assert!(outcome.diagnostics().is_empty(), "{:?}", outcome.diagnostics());
    }

    #[test]
    fn a_shortage_that_comes_of_tiles_left_free_says_so() {
        let mut builder = Builder::new("reduce7", "toy");
        builder.kernels("worker", &[7], &[]).gmio_output("sum");
        builder.reduce(Reduce::over("total", &["worker"], int32(64))).connect("total.result", "sum");
        for (east, slug, tiles) in [
            (5, "check/too-many-kernels", "24 of the 24 tiles"),
            (4, "check/too-many-kernels", "20 of the 24"),
        ] {
            let mut builder = builder.clone();
            builder.keepout((0, 0), (east, 3));
            assert_eq!(slugs_on_toy(&builder), [slug]);
            let text = super::testing::rendered(&builder, &toy());
            assert!(text.contains(tiles) && text.contains("keepout (0, 0)"), "{text}");
        }
    }

    #[test]
    fn a_family_that_is_too_large_for_the_array_is_one_fault() {
        let acc = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
        let mut chain = Builder::new("chain", "toy");
        let (first, last) = ([(Direction::Out, "c", acc)], [(Direction::In, "c", acc)]);
        chain.carrying("s", &[], &first).carrying("e", &[], &last);
        chain.carrying("k", &[40], &[(Direction::In, "c", acc), (Direction::Out, "d", acc)]);
        chain.connect("s.c", "k[0].c").connect("k[39].d", "e.c");
        (0..39).for_each(|k| _ = chain.connect(&format!("k[{k}].d"), &format!("k[{}].c", k + 1)));
        assert_eq!(slugs_on_toy(&chain), ["check/too-many-kernels"]);
        let mut large = Builder::new("large", "toy");
        large.kernels("w", &[40], &[input("x", int32(16)), output("y", int32(20_000))]);
        large.gmio_input("i").gmio_output("o").connect("i", "w[0].x");
        assert!(!slugs_on_toy(&large).contains(&"check/window-too-large"), "{:?}", slugs_on_toy(&large));
    }

    #[test]
    fn everything_is_found_at_once_in_the_order_of_the_design() {
        let mut builder = Builder::new("faults", "toy");
        let float = WindowType { element: ElementType::Float, elements: 4 };
        let half = WindowType { element: ElementType::Int16, elements: 1 };
        builder.kernels("a", &[2], &[output("y", half)]).kernels("b", &[], &[input("x", float)]);
        builder.connect("a[0].y", "b.x").place("b", 9, 9);
        let expected = [
            "check/unconnected-port",
            "check/window-too-small",
            "check/type-mismatch",
            "check/place-outside",
        ];
        assert_eq!(slugs_on_toy(&builder), expected);
    }

    #[test]
    fn an_unsupported_device_is_the_only_fault() {
        let mut later = toy();
        later.supported = false;
        let mut builder = Builder::new("faults", "toy");
        builder.kernels("a", &[2], &[output("y", int32(3))]);
        assert_eq!(slugs_on(&builder, &later), ["check/unsupported-device"]);
    }

    #[test]
    fn the_largest_designs_are_checked_quickly() {
        // A star over as many kernels as a design may have, and that many kernels in rings of two.
        let mut star = Builder::new("star", "xcvc1902");
        star.kernels("w", &[16_384], &[]).reduce(Reduce::over("t", &["w"], int32(4)).arity(16_383));
        let vc1902 = device("xcvc1902");
        assert_eq!(slugs_on(&star, &vc1902), ["check/too-many-kernels"]);
        let mut rings = Builder::new("rings", "xcvc1902");
        rings.kernels("k", &[16_384], &[input("x", int32(4)), output("y", int32(4))]);
        for i in (0..16_384).step_by(2) {
            rings.connect(&format!("k[{i}].y"), &format!("k[{}].x", i + 1));
            rings.connect(&format!("k[{}].y", i + 1), &format!("k[{i}].x"));
        }
        assert_eq!(slugs_on(&rings, &vc1902).len(), 8192 + 1);
    }
}
