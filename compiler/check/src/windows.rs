//! Types and sizes of windows: both ends of a connection agree, and every window can exist.

use std::collections::BTreeSet;

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span};

use super::context::{Context, Declaration, grouped};
use super::memory::exceeding;
use crate::errors::windows::{self as errors, Declared, Large, Size};
use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{Carries, CollectiveId, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = mismatches(context);
    found.extend(declared(context));
    found.extend(streams(context));
    found.extend(too_large(context));
    found.extend(collectives(context));
    found
}

/// Connections whose ends carry different windows. Windows of different sizes at ports that the
/// design declares are no fault: kernels run at different rates, and the readers of an input only
/// have to take equal amounts ([`super::rates`]). At a split or merge they are one, since a packet
/// is one window. The ends of an ADF graph only have to agree on bytes.
fn mismatches(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let (from, to) = (design.ports[connection.from].window()?, design.ports[connection.to].window()?);
        let ends = (context.declaration(connection.from), context.declaration(connection.to));
        // If both ends are declared, their declarations disagree and give one diagnostic. An input
        // or output has the window of another connection.
        let apart = (ends.0.is_none() || ends.1.is_none()).then_some(connection.span);
        let key = (ends, apart, (from.element, from.elements), (to.element, to.elements));
        let user = |port: PortId| matches!(design.ports[port].role, PortRole::User(_) | PortRole::External);
        let multirate = user(connection.from) && user(connection.to) && from.element == to.element;
        let multirate = multirate && connection.switch.is_none() || design.is_adf();
        (from != to && !multirate).then_some((key, id))
    });
    let groups = grouped(faults);
    groups.values().map(|connections| errors::mismatch(design, connections)).collect()
}

/// Declared windows that are too small, or not a whole number of words.
fn declared(context: &Context) -> Vec<Diagnostic> {
    let smallest = u64::from(context.device.memory.min_window);
    let word = u64::from(context.device.tile.word_bytes).max(1);
    let faults = declared_windows(context.expanded).filter_map(|declared| match declared.window.bytes() {
        bytes if bytes < smallest => Some(errors::too_small(&declared, smallest)),
        bytes if bytes % word != 0 => Some(errors::not_words(&declared, word)),
        _ => None,
    });
    faults.collect()
}

/// Notes about declared windows whose bytes are no multiple of the alignment of buffers: that is
/// the width of a vector load.
pub(super) fn notes(design: &Expanded, device: &Device) -> Vec<Diagnostic> {
    let vector = u64::from(device.memory.buffer_alignment).max(1);
    let odd = declared_windows(design).filter(|declared| declared.window.bytes() % vector != 0);
    odd.map(|declared| errors::odd_window(&declared, vector)).collect()
}

/// The windows of ports and collectives as they are declared.
fn declared_windows(design: &Expanded) -> impl Iterator<Item = Declared> {
    let ports = design.families.iter().flat_map(|family| {
        family.ports.iter().filter_map(|port| Some((port, port.carries.window()?))).map(
            move |(port, window)| Declared {
                name: format!("`{}.{}`", family.name, port.name),
                window,
                span: port.span,
                size: port.written.elements.map(Size::Number),
            },
        )
    });
    let in_windows = design.collectives.iter().filter(|collective| !collective.plan.is_opened());
    let collectives = in_windows.flat_map(|collective| {
        // The library chooses the windows of barriers and clocks.
        let window = (format!("collective `{}`", collective.name), &collective.window);
        let window = collective.plan.row().has_data().then_some(window);
        let cycles = collective.cycles.as_ref();
        let cycles = cycles.map(|cycles| (format!("`{}.cycles`", collective.name), cycles));
        [window, cycles].into_iter().flatten().map(|(name, window)| Declared {
            name,
            window: window.value,
            span: window.span,
            // Without `window` it is the data, which kernels count on.
            size: (window.span != collective.data.span).then_some(Size::Type(window.span)),
        })
    });
    ports.chain(collectives)
}

/// Stated amounts of streams, packets and channels that are not a whole number of words. An ADF
/// graph states none.
fn streams(context: &Context) -> Vec<Diagnostic> {
    let word = u64::from(context.device.tile.word_bytes).max(1);
    let ports = context.expanded.families.iter().flat_map(|family| {
        family.ports.iter().map(move |port| (format!("`{}.{}`", family.name, port.name), port))
    });
    let stated = ports.filter_map(|(name, port)| match port.carries {
        Carries::Stream(_) | Carries::Packets(_) => Some((name, port.carries.per_run()?, port)),
        _ => None,
    });
    let stated = stated.map(|(name, window, port)| {
        let size = port.written.elements.map(Size::Number);
        (port.carries.word(), Declared { name, window, span: port.span, size })
    });
    let channels = context.expanded.collectives.iter().filter(|one| one.plan.is_opened());
    let opened = channels.map(|one| {
        let (name, data) = (format!("`{}`", one.name), &one.data);
        ("data", Declared { name, window: data.value, span: data.span, size: None })
    });
    let odd = stated.chain(opened).filter(|(_, declared)| declared.window.bytes() % word != 0);
    odd.map(|(what, declared)| errors::odd_amount(&declared, what, word)).collect()
}

/// Buffers that do not fit a module; both buffers of a pair count where one DMA fills both.
fn too_large(context: &Context) -> Vec<Diagnostic> {
    let kernels = context.expanded.kernels.ids();
    let ports = kernels.flat_map(|kernel| context.expanded.ports_of(kernel));
    let exceeding: BTreeSet<CollectiveId> = exceeding(context).map(|(_, id, _)| id).collect();
    let faults = ports.filter_map(|port| {
        let declaration = context.declaration(port)?;
        // The message about the data has this limit, too.
        let is_said = match declaration {
            Declaration::Window(id) => is_default(context, id) && exceeding.contains(&id),
            _ => false,
        };
        (!is_said && context.indivisible_bytes(port) > context.module_bytes()).then_some((declaration, port))
    });
    let groups = grouped(faults);
    // Blocks of one type have one cause as a rule, such as a constant, and the least limit holds
    // for all.
    let alike = grouped(groups.into_values().flat_map(|ports| {
        let of_types = grouped(ports.into_iter().map(|port| {
            let block = context.expanded.block(port).map(|block| (block.element, block.elements));
            let is_parameter = matches!(context.expanded.ports[port].carries, Some(Carries::Parameter(_)));
            ((block, is_parameter), port)
        }));
        of_types.into_iter().collect::<Vec<_>>()
    }));
    alike.values().filter_map(|declarations| large(context, declarations)).collect()
}

/// True for a collective without a `window`: its data goes in one.
fn is_default(context: &Context, id: CollectiveId) -> bool {
    let collective = &context.expanded.collectives[id];
    collective.window.span == collective.data.span
}

/// The largest window in bytes of a collective without a `window`, if its data is larger.
pub(super) fn most_of_default(context: &Context, id: CollectiveId) -> Option<u64> {
    let of_it = |port: &PortId| context.declaration(*port) == Some(Declaration::Window(id));
    let ports = context.expanded.ports.ids().filter(of_it);
    let large = ports.filter(|&port| context.indivisible_bytes(port) > context.module_bytes());
    let limits = large.map(|port| {
        let buffers =
            context.indivisible_bytes(port) / context.stored_bytes(&context.expanded.ports[port]).max(1);
        most_bytes(context, port, buffers)
    });
    limits.min().filter(|_| is_default(context, id))
}

/// The port with the largest indivisible part, the first of equals.
fn worst(context: &Context, ports: &[PortId]) -> Option<PortId> {
    ports.iter().copied().rev().max_by_key(|&port| context.indivisible_bytes(port))
}

/// The fault of ports with blocks of one type, those of each declaration together.
fn large(context: &Context, declarations: &[Vec<PortId>]) -> Option<Diagnostic> {
    let design = context.expanded;
    let large = |ports: &Vec<PortId>| {
        let port = worst(context, ports)?;
        Some(Large { port, number: ports.len(), span: declared_at(context, port) })
    };
    let all: Vec<Large> = declarations.iter().filter_map(large).collect();
    let of_worst = worst(context, &all.iter().map(|one| one.port).collect::<Vec<_>>())?;
    let bytes = context.indivisible_bytes(of_worst);
    let buffers = bytes / context.stored_bytes(&design.ports[of_worst]).max(1);
    let room = [context.module_bytes(), most_bytes(context, of_worst, buffers)];
    Some(errors::too_large(design, of_worst, &all, buffers, bytes, room))
}

/// The largest block in bytes of which `buffers` buffers fit a module. The search for a placement
/// keeps both buffers of a parameter and its selector word in one module.
fn most_bytes(context: &Context, port: PortId, buffers: u64) -> u64 {
    let design = context.expanded;
    if !matches!(design.ports[port].carries, Some(Carries::Parameter(_))) {
        return context.module_bytes() / buffers.max(1);
    }
    let memory = &context.device.memory;
    let unit = u64::from(memory.buffer_rounding.max(memory.buffer_alignment)).max(1);
    let left = context.module_bytes().saturating_sub(context.expanded.selector_bytes(port, context.device));
    left / context.copies(port).max(1) / unit * unit
}

/// The source location that declares the block of a port.
fn declared_at(context: &Context, port: PortId) -> Span {
    let design = context.expanded;
    match context.declaration(port) {
        Some(Declaration::Window(id)) => design.collectives[id].window.span,
        Some(Declaration::Cycles(id)) => {
            design.collectives[id].cycles.as_ref().map_or(design.ports[port].span, |cycles| cycles.span)
        }
        // A graph states the size in `connect`, not where it creates the kernel.
        _ => match design.ports[port].connections.first() {
            Some(&connection) if design.is_adf() => design.connections[connection].span,
            _ => design.ports[port].span,
        },
    }
}

/// A result that leaves through a port must fill whole windows, and the operator must have a
/// meaning for its elements. Between ranks the last window of a block may be padded.
fn collectives(context: &Context) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, collective) in context.expanded.collectives.enumerate() {
        let root = context.expanded.membership(collective.root.value, id);
        let leaves = root.is_some_and(|root| root.result.is_some());
        if leaves && collective.data.value.elements % collective.window.value.elements.max(1) != 0 {
            found.push(errors::chunk_tail(collective));
        }
        let op = collective.op.as_ref();
        found.extend(
            op.filter(|op| !op.value.applies_to(collective.data.value.element))
                .map(|op| errors::op_type(collective, op)),
        );
        let element = collective.data.value.element;
        let is_channel = collective.plan.row().is_channel();
        if collective.plan.is_relay() && !element.is_word() {
            found.push(errors::packet_type(collective));
        } else if is_channel && !element.moves_singly() && element.carrier().is_none() {
            found.push(errors::channel_type(collective));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_collectives::{Buffering, Direction, ElementType, ReduceOp, WindowType};
    use aiec_ir::{Carries, Flow, ParameterType};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    fn pipe(from: WindowType, to: WindowType) -> Builder {
        let mut builder = Builder::new("pipe", "toy");
        builder.kernels("a", &[], &[output("y", from)]).kernels("b", &[], &[input("x", to)]);
        builder.connect("a.y", "b.x");
        builder
    }

    const fn window(element: ElementType, elements: u32) -> WindowType {
        WindowType { element, elements }
    }

    #[test]
    fn both_ends_carry_the_same_elements_and_as_many() {
        assert_eq!(slugs_on_toy(&pipe(int32(4), int32(4))), [""; 0]);
        assert_eq!(slugs_on_toy(&pipe(int32(4), window(ElementType::Float, 4))), ["check/type-mismatch"]);
        assert_eq!(slugs_on_toy(&pipe(int32(4), int32(8))), [""; 0], "`a` runs twice");
    }

    /// A packet ends with TLAST, and the next window begins with the next packet.
    #[test]
    fn a_window_behind_a_merge_or_split_is_one_packet() {
        let merged = |elements| {
            let mut builder = Builder::new("merge", "toy");
            builder.kernels("a", &[2], &[input("x", int32(8)), output("y", int32(8))]);
            builder.kernels("b", &[], &[input("x", int32(elements)), output("y", int32(8))]);
            builder.plio("i", &[2], Direction::Out, 32).plio_output("o", 32).connect("b.y", "o");
            builder.connect("i[0]", "a[0].x").connect("i[1]", "a[1].x");
            builder.merge(&["a[0].y", "a[1].y"], "b.x");
            slugs_on_toy(&builder).contains(&"check/size-mismatch")
        };
        assert!(!merged(8) && merged(16) && merged(4));
    }

    #[test]
    fn declarations_that_disagree_are_one_diagnostic_however_often_they_meet() {
        let mut builder = Builder::new("lanes", "toy");
        let float = window(ElementType::Float, 4);
        builder.kernels("a", &[2], &[output("y", int32(4))]).kernels("b", &[2], &[input("x", float)]);
        builder.connect("a[0].y", "b[0].x").connect("a[1].y", "b[1].x");
        assert_eq!(slugs_on_toy(&builder), ["check/type-mismatch"]);
        assert!(rendered(&builder, &toy()).contains("`a[0].y -> b[0].x` and 1 more"));
    }

    #[test]
    fn the_readers_of_an_input_have_one_type_of_elements_and_windows_of_their_own() {
        let readers = |of_b: WindowType| {
            let mut builder = Builder::new("broadcast", "toy");
            builder.plio_input("s", 64).kernels("a", &[], &[input("x", int32(4))]);
            builder.kernels("b", &[], &[input("x", of_b)]).connect("s", "async a.x windows 2");
            builder.connect("s", "b.x");
            builder
        };
        assert_eq!(slugs_on_toy(&readers(int32(8))), [""; 0]);
        let other = readers(window(ElementType::Float, 8));
        assert_eq!(slugs_on_toy(&other), ["check/type-mismatch"]);
        assert!(rendered(&other, &toy()).contains("`s` carries int32[4] because of this connection"));
    }

    #[test]
    fn readers_of_an_input_with_other_windows_take_as_many_bytes() {
        let read = |of_b: &str| {
            let mut builder = Builder::new("rates", "toy");
            builder.gmio_input("s").kernels("a", &[], &[input("x", int32(64))]);
            builder.kernels("b", &[], &[input("x", int32(16))]).connect("s", "a.x").connect("s", of_b);
            builder
        };
        assert_eq!(slugs_on_toy(&read("async b.x windows 4")), [""; 0]);
        assert_eq!(slugs_on_toy(&read("b.x")), ["check/windows-disagree"]);
        let text = rendered(&read("b.x"), &toy()).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("`a.x` takes 256 B") && text.contains("`b.x` takes 64 B"), "{text}");
        assert!(text.contains("write `repetitions 4` in `b`"), "{text}");
    }

    #[test]
    fn the_limit_of_a_parameter_counts_both_buffers_and_the_selector_word() {
        let mut builder = pipe(int32(4), int32(4));
        let array = |elements| ParameterType { element: ElementType::Int32, elements: Some(elements) };
        builder.carrying("k", &[], &[(Direction::In, "c", Carries::Parameter(array(9000)))]);
        builder.carrying("s", &[], &[(Direction::Out, "c", Carries::Parameter(array(9000)))]);
        builder.connect("s.c", "k.c");
        let text = rendered(&builder, &toy());
        assert!(text.contains("use at most int32[4096], several parameters, or a window"), "{text}");
    }

    #[test]
    fn the_smallest_window_has_one_word() {
        let half = window(ElementType::Int16, 1);
        assert_eq!(slugs_on_toy(&pipe(half, half)), ["check/window-too-small"; 2]);
        assert_eq!(slugs_on_toy(&pipe(int32(1), int32(1))), [""; 0]);
        assert_eq!(slugs_on_toy(&pipe(int32(3), int32(3))), [""; 0]);
    }

    #[test]
    fn a_window_is_a_whole_number_of_32_bit_words() {
        let odd = window(ElementType::Int16, 9);
        assert_eq!(slugs_on_toy(&pipe(odd, odd)), ["check/window-not-words"; 2]);
    }

    #[test]
    fn a_buffer_fits_one_memory_module() {
        assert_eq!(slugs_on_toy(&pipe(int32(8192), int32(8192))), [""; 0]);
        assert_eq!(slugs_on_toy(&pipe(int32(8196), int32(8196))), ["check/window-too-large"]);
    }

    #[test]
    fn a_window_and_its_margin_are_told_apart() {
        let mut builder = pipe(int32(4096), int32(4096));
        let carries = Carries::Window { window: int32(4000), margin: 5000 };
        builder.carrying("c", &[], &[(Direction::In, "x", carries)]).gmio_input("i").connect("i", "c.x");
        let text = rendered(&builder, &toy());
        assert!(text.contains("int32[4000] and its margin of 5000 are 36000 bytes"), "{text}");
        assert!(text.contains("use at most int32[4096] for window and margin together"), "{text}");
    }

    #[test]
    fn windows_of_one_type_are_one_fault_with_the_least_limit() {
        let mut builder = pipe(int32(8196), int32(8196));
        builder.kernels("c", &[], &[output("y", int32(8196))]).gmio_output("o").connect("c.y", "o");
        let mut design = builder.expanded().unwrap();
        design.constants = vec![("N".into(), 8196), ("M".into(), 8)];
        let outcome = crate::check(design, &toy());
        let [fault] = outcome.diagnostics() else { panic!("{:?}", outcome.diagnostics()) };
        assert!(fault.message.contains("`c.y` takes"), "{}", fault.message);
        assert!(fault.message.ends_with("`a.y` and `b.x` are too large, too"), "{}", fault.message);
        let help = "use at most int32[4096] and send the data in parts; `const N` is 8196";
        assert!(fault.help.ends_with(help), "{}", fault.help);
        assert_eq!(fault.labels.len(), 3, "every place has a label");
    }

    #[test]
    fn the_amount_of_a_stream_is_a_whole_number_of_words() {
        let passing = |carries: Carries| {
            let mut builder = Builder::new("odd", "toy");
            builder.carrying("a", &[], &[(Direction::Out, "y", carries)]);
            builder.carrying("b", &[], &[(Direction::In, "x", carries)]).connect("a.y", "b.x");
            builder
        };
        let halves = |elements| Flow { element: ElementType::Int16, per_run: Some(elements) };
        let odd = passing(Carries::Stream(halves(3)));
        assert_eq!(slugs_on_toy(&odd), ["check/window-not-words"; 2]);
        let text = rendered(&odd, &toy());
        assert!(text.contains("passes 6 bytes in a run") && text.contains("stream int16[4]"), "{text}");
        assert_eq!(slugs_on_toy(&passing(Carries::Packets(halves(5)))), ["check/window-not-words"; 2]);
        assert_eq!(slugs_on_toy(&passing(Carries::Stream(halves(4)))), [""; 0]);
    }

    #[test]
    fn a_dma_serves_one_module_so_both_of_its_buffers_lie_there() {
        let output_of = |elements, buffering| {
            let mut builder = Builder::new("out", "toy");
            builder.kernels("a", &[], &[output("y", int32(elements))]).gmio_output("sum");
            builder.connect_with("a.y", "sum", buffering);
            slugs_on_toy(&builder)
        };
        assert_eq!(output_of(4096, Buffering::Pingpong), [""; 0]);
        assert_eq!(output_of(4100, Buffering::Pingpong), ["check/window-too-large"]);
        assert_eq!(output_of(4100, Buffering::Single), [""; 0]);
    }

    #[test]
    fn a_result_that_leaves_fills_whole_windows() {
        let chunked = |data| {
            let mut builder = Builder::new("reduce3", "toy");
            builder.kernels("worker", &[3], &[]).gmio_output("sum").connect("total.result", "sum");
            builder.reduce(Reduce::over("total", &["worker"], int32(64)).data(int32(data)));
            slugs_on_toy(&builder)
        };
        assert_eq!(chunked(256), [""; 0]);
        assert_eq!(chunked(200), ["check/chunk-tail"]);
        assert_eq!(chunked(32), ["check/chunk-tail"]);
    }

    #[test]
    fn complex_numbers_have_no_smallest() {
        let reduced = |op| {
            let mut builder = Builder::new("reduce3", "toy");
            let complex = window(ElementType::Cint16, 64);
            builder.kernels("worker", &[3], &[]).reduce(Reduce::over("total", &["worker"], complex).op(op));
            slugs_on_toy(&builder)
        };
        assert_eq!(reduced(ReduceOp::Prod), [""; 0]);
        assert_eq!(reduced(ReduceOp::Min), ["check/op-type"]);
    }
}
