//! Errors of shortages: tiles, windows and memory.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, catalogue};

use super::{count, fixes, kernels as names, labelled, size};
use aiec_collectives::{Buffering, WindowType};
use aiec_collectives::{Plan, Rank, Shape, Ways, legal};
use aiec_ir::expanded::{Collective, Expanded, Membership, PortRole};
use aiec_ir::{Carries, CollectiveId, FamilyId, KernelId, PortId};

/// Demand and supply of one kernel within its reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Need {
    /// Bytes of all its buffers.
    pub windows: u64,
    /// Bytes of stack, heap and sync area.
    pub system: u64,
    /// The least number of modules that its indivisible buffers and its stack fill.
    pub modules: u64,
    /// Modules that the kernel reaches.
    pub reach: u64,
}

/// The bytes that the windows of one declaration need at a kernel.
pub(crate) struct Ask {
    /// The kernel's ports with these windows, at least one.
    pub ports: Vec<PortId>,
    /// Bytes of all their buffers.
    pub bytes: u64,
}

/// There are more kernels than tiles.
pub(crate) fn too_many_kernels(design: &Expanded, cores: u64, tiles: usize) -> Diagnostic {
    let message = format!(
        "the design has {} kernels{}, but {} has {tiles} tiles to place them on and a tile runs one kernel, or several whose \
         `runtime` sums to at most 1",
        design.kernels.len(),
        if cores == design.kernels.len() as u64 {
            String::new()
        } else {
            format!(", which take at least {cores} cores")
        },
        design.device.value
    );
    let mut families: Vec<_> = design.families.iter().collect();
    families.sort_by_key(|family| std::cmp::Reverse(family.instances()));
    let labels = families.iter().map(|family| {
        (family.span, format!("`{}` is {}", family.name, count(family.instances().into(), "kernel")))
    });
    let largest = families.first().map_or("", |family| family.name.as_str());
    let help = format!(
        "make the family `{largest}` smaller, or give kernels that need less than their core's time a ratio: `runtime 0.4`"
    );
    labelled(Diagnostic::new(&catalogue::TOO_MANY_KERNELS, message, help), labels)
}

/// These kernels of one family have more than `limit` windows, each the same number.
pub(crate) fn too_many_windows(
    design: &Expanded,
    kernels: &[KernelId],
    limit: u32,
    device: &Device,
) -> Diagnostic {
    let source = if is_of_the_thesis(limit) {
        format!("the tools accept {limit} per kernel, as the thesis found (4.2)")
    } else {
        format!("the device file allows {limit} per kernel")
    };
    let kernel = &design.kernels[kernels[0]];
    let windows = |ports: &[PortId]| ports.iter().filter(|&&port| design.has_buffers(port)).count();
    let (inputs, outputs) = (windows(&kernel.inputs), windows(&kernel.outputs));
    let (have, each) = if kernels.len() == 1 { ("has", "") } else { ("have", " each") };
    let message = format!(
        "{} {have} {} windows{each} ({inputs} in, {outputs} out), but {source}",
        names(design, kernels),
        inputs + outputs
    );
    let other = fewer_links(design, kernels[0], limit, device);
    let help = other.as_ref().map_or_else(
        || "combine windows, or split the kernel in two".to_owned(),
        |(collective, shape, why)| format!("write `shape {shape}` in `{}`: {why}", collective.name),
    );
    let help = format!(
        "{help}; tools that accept more: change `windows_per_kernel` in a device file of your own (`--device`)"
    );
    let parts = kernel.memberships.iter().map(|membership| {
        let collective = &design.collectives[membership.collective];
        let windows = windows(&membership.inputs) + member_outputs(membership);
        (collective.shape_span, format!("`{}` asks for {windows} of them", collective.name))
    });
    let diagnostic = Diagnostic::new(&catalogue::TOO_MANY_WINDOWS, message, help);
    let own = design.families[kernel.family].ports.len();
    let declared = (own > 0).then(|| (kernel.span, format!("declares {own} of them")));
    let diagnostic = labelled(diagnostic, declared.into_iter().chain(parts));
    match other {
        Some((collective, shape, _)) => fixes::shape(diagnostic, collective, &shape),
        None => diagnostic,
    }
}

/// A tree gives a rank more children than the windows beside the one to its parent.
pub(crate) fn tree_arity(collective: &Collective, arity: u32, limit: u32) -> Diagnostic {
    let most = limit.saturating_sub(1);
    let ranks = collective.ranks.len();
    let diagnostic = Diagnostic::new(
        &catalogue::TREE_ARITY,
        format!(
            "`{}` asks for {arity} children at each rank, but a kernel has {limit} windows, one of them for its parent",
            collective.name
        ),
        format!("`tree arity {most}` is the widest tree; over {ranks} ranks, `flat` has no rank between root and leaves"),
    )
    .label(collective.shape_span, format!("{most} at most"));
    fixes::shape(diagnostic, collective, &format!("tree arity {most}"))
}

/// True if `limit` is the number of the thesis, which its device file states.
fn is_of_the_thesis(limit: u32) -> bool {
    let device = aiec_device::builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0);
    device.is_some_and(|device| device.memory.windows_per_kernel == Some(limit))
}

/// Output windows of a kernel's part in a collective.
fn member_outputs(membership: &Membership) -> usize {
    membership.outputs.len() + [membership.result, membership.cycles].iter().flatten().count()
}

/// A shape with fewer links at one rank, for the collective with the most links at the kernel, and
/// the reason. Returns None when no shape keeps to `limit` windows.
fn fewer_links<'a>(
    design: &'a Expanded,
    kernel: KernelId,
    limit: u32,
    device: &Device,
) -> Option<(&'a Collective, String, &'static str)> {
    let ports = |member: &&Membership| member.inputs.len() + member.outputs.len();
    let widest = design.kernels[kernel].memberships.iter().max_by_key(ports)?;
    let collective = &design.collectives[widest.collective];
    let merged = Plan { shape: Shape::Merge, ..collective.plan.clone() };
    if collective.plan.shape == Shape::Flat
        && legal(&merged, collective.combining()).is_ok()
        && collective.plan.size - 1 <= device.most_merged_streams()
        && design.release.merge_inputs.value.is_none_or(|most| collective.plan.size - 1 <= most)
    {
        let why = "its input is one stream of packets instead of windows";
        return Some((collective, "flat merge".to_owned(), why));
    }
    let others = |rank, member: &Membership| {
        design.ports_of(rank).count() - member.inputs.len() - member_outputs(member)
    };
    (limit as usize).checked_sub(others(kernel, widest))?;
    let is_legal = |shape: Shape| {
        let plan = Plan { shape, ..collective.plan.clone() };
        collective.plan.shape != shape && legal(&plan, collective.combining()).is_ok()
    };
    let has_tree = collective.plan.has_tree();
    if !has_tree && is_legal(Shape::Ring) {
        let why = "every kernel then has two windows for it";
        return Some((collective, "ring".to_owned(), why));
    }
    if !has_tree && !is_legal(Shape::Tree(2)) {
        return None;
    }
    // An interior node has a link to its parent for each way that data goes; the root may have a
    // result and cycle counts. One arity serves all ranks, which may have other ports.
    let ways = if collective.plan.row().ways == Ways::Both { 2 } else { 1 };
    let most = |&rank: &KernelId| {
        let member = design.membership(rank, widest.collective)?;
        let above = (member_outputs(member) - member.outputs.len()).max(ways);
        let free = (limit as usize).checked_sub(others(rank, member) + above)?;
        Some(free / ways).filter(|&arity| arity > 0)
    };
    let arity = collective.ranks.iter().map(most).min()??;
    let why = match has_tree {
        true => "the tree gets deeper and each kernel has fewer children",
        false => "each kernel then has links to its parent and children alone",
    };
    Some((collective, format!("tree arity {arity}"), why))
}

/// Stack, heap and sync area of these kernels of one family do not fit a module.
pub(crate) fn system_memory(design: &Expanded, kernels: &[KernelId], device: &Device) -> Diagnostic {
    let (kernel, memory) = (kernels[0], &device.memory);
    let family = &design.families[design.kernels[kernel].family];
    let (stack, heap) = (design.stack_bytes(kernel, memory.default_stack), design.heap_bytes(kernel, memory));
    let all = u64::from(stack) + u64::from(heap) + u64::from(memory.sync_bytes);
    let message = format!(
        "stack ({}), heap ({}) and sync area ({}) of {} take {}, but they lie in one memory module, which has {}",
        size(stack.into()),
        size(heap.into()),
        size(memory.sync_bytes.into()),
        names(design, kernels),
        size(all),
        size(memory.module_bytes.into())
    );
    let (larger, other, word) = if stack >= heap { (stack, heap, "stack") } else { (heap, stack, "heap") };
    let rest = memory.module_bytes.saturating_sub(other).saturating_sub(memory.sync_bytes);
    let help = if rest > 0 && rest < larger {
        format!("write `{word} {rest} B` or less; data that does not fit can be worked on in parts")
    } else {
        "make both smaller; data that does not fit can be worked on in parts".to_owned()
    };
    let body = design.body(kernel);
    let declared = [(&body.stack, "stack"), (&body.heap, "heap")];
    let labels = declared.into_iter().filter_map(|(bytes, word)| {
        bytes.as_ref().map(|bytes| (bytes.span, format!("{} of {word}", size(bytes.value.into()))))
    });
    let labels: Vec<_> =
        labels.chain([(family.span, format!("all three belong to `{}`", family.name))]).collect();
    let diagnostic = labelled(Diagnostic::new(&catalogue::SYSTEM_MEMORY, message, help), labels);
    let now = if word == "stack" { &body.stack } else { &body.heap };
    match rest > 0 && rest < larger {
        true => fixes::memory(diagnostic, body, word, now.as_ref(), &format!("{rest} B")),
        false => diagnostic,
    }
}

/// The contributions of these kernels of one family to `collective` fit neither their stacks nor
/// their heaps. `window` is the largest window in bytes, if the data is larger and goes in one.
pub(crate) fn data_exceeds_stack(
    design: &Expanded,
    collective: &Collective,
    kernels: &[KernelId],
    window: Option<u64>,
    device: &Device,
) -> Diagnostic {
    let (kernel, memory, data) = (kernels[0], &device.memory, collective.data.value);
    let rank = Rank::at(collective.ranks.iter().position(|&rank| rank == kernel).unwrap_or(0));
    let (bytes, (read, written)) = (collective.array_bytes(rank), collective.array_elements(rank));
    let family = &design.families[design.kernels[kernel].family];
    let (stack, heap) = (design.stack_bytes(kernel, memory.default_stack), design.heap_bytes(kernel, memory));
    let (has, its) = if kernels.len() == 1 { ("has", "its C++") } else { ("have", "their C++") };
    let (name, element) = (&collective.name, data.element);
    let arrays = match (read, written) {
        (0, only) | (only, 0) => format!("the data of `{name}`, {element}[{only}], is an array of"),
        _ => format!(
            "the data of `{name}`, {element}[{read}] to send and {element}[{written}] to receive, is two arrays of"
        ),
    };
    let message = format!(
        "{} {} in {its}, but {} {has} {} of stack and {} of heap",
        arrays,
        size(bytes),
        names(design, kernels),
        size(stack.into()),
        size(heap.into())
    );
    let vendor = "aiecompiler would say: [aiecompiler 77-22645] Stack size requirement ... exceeds the allotted stack size";
    let wanted = larger_stack(bytes, heap, device);
    let help = format!("{}\n{vendor}", stack_help(family.name.as_str(), data, wanted, heap, window, device));
    let body = design.body(kernel);
    let declared = [(&body.stack, "stack"), (&body.heap, "heap")];
    let declared = declared.into_iter().filter_map(|(bytes, word)| {
        bytes.as_ref().map(|bytes| (bytes.span, format!("{} of {word}", size(bytes.value.into()))))
    });
    let labels: Vec<_> = declared
        .chain([(family.span, format!("{} for variables", size(u64::from(stack) + u64::from(heap))))])
        .collect();
    let diagnostic = Diagnostic::new(&catalogue::DATA_EXCEEDS_STACK, message, help);
    let diagnostic =
        labelled(diagnostic.label(collective.data.span, format!("{data} is {}", size(data.bytes()))), labels);
    match wanted {
        Some(stack) => fixes::memory(diagnostic, body, "stack", body.stack.as_ref(), &size(stack)),
        None => diagnostic,
    }
}

/// The memory of a channel to any peer or of active messages for packets, a variable of the emitted
/// wrapper or of the library, does not fit the stacks of these kernels of one family.
pub(crate) fn packet_memory(
    design: &Expanded,
    channel: &Collective,
    kernels: &[KernelId],
    device: &Device,
) -> Diagnostic {
    let (kernel, memory, name) = (kernels[0], &device.memory, &channel.name);
    let rank = Rank::at(channel.ranks.iter().position(|&rank| rank == kernel).unwrap_or(0));
    let bytes = channel.array_bytes(rank);
    let stack = design.stack_bytes(kernel, memory.default_stack);
    let has = if kernels.len() == 1 { "has" } else { "have" };
    let message = format!(
        "`{name}` takes {} for packets on the stack, but {} {has} {} of stack",
        size(bytes),
        names(design, kernels),
        size(stack.into())
    );
    let wanted = larger_stack(bytes, design.heap_bytes(kernel, memory), device);
    let family = &design.families[design.kernels[kernel].family].name;
    let larger = wanted.map(|stack| format!("write `stack {} KiB` in `{family}`, or ", stack / 1024));
    let (smaller, label) = match channel.plan.relay {
        Some(relay) => {
            let (depth, packet) = (relay.depth, relay.packet);
            let label = format!("room for {depth} words that come early and packets of {packet}");
            (format!("give `{name}` a smaller `depth` or `packet`"), label)
        }
        None => {
            let label = format!("room for an array of {} elements", channel.plan.handled_elements());
            (format!("give the handlers of `{name}` smaller arrays"), label)
        }
    };
    let help = format!("{}{smaller}", larger.unwrap_or_default());
    let diagnostic =
        Diagnostic::new(&catalogue::DATA_EXCEEDS_STACK, message, help).label(channel.span, label);
    match wanted {
        Some(stack) => {
            let body = design.body(kernel);
            fixes::memory(diagnostic, body, "stack", body.stack.as_ref(), &size(stack))
        }
        None => diagnostic,
    }
}

/// The buffers of active messages take more memory than the owner reaches, in bytes.
pub(crate) fn served_buffers(active: &Collective, owner: &str, reach: u64) -> Diagnostic {
    let (name, bytes) = (&active.name, active.plan.services.buffer_bytes());
    Diagnostic::new(
        &catalogue::DATA_EXCEEDS_STACK,
        format!(
            "the buffers of `{name}` take {}, but `{owner}` reaches {} of memory",
            size(bytes),
            size(reach)
        ),
        "declare smaller buffers, or spread them over several owners",
    )
    .label(active.span, "buffers of the owner")
}

/// A mailbox has messages that do not fit the memory which `kernel` reaches.
pub(crate) fn long_message(mailbox: &Collective, kernel: &str, reach: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::DATA_EXCEEDS_STACK,
        format!(
            "a message of `{}` has up to {}, but `{kernel}` reaches {} of memory",
            mailbox.name,
            size(mailbox.data.value.bytes()),
            size(reach)
        ),
        "write a smaller `max`, and send the data as several messages",
    )
    .label(mailbox.data.span, "`max` of the mailbox")
}

/// Bytes of one module beside the heap and the sync area.
fn beside_heap(heap: u32, device: &Device) -> u64 {
    let memory = &device.memory;
    u64::from(memory.module_bytes).saturating_sub(u64::from(heap)).saturating_sub(memory.sync_bytes.into())
}

/// Bytes of a stack that holds arrays of `bytes` and the default stack, in whole KiB. Returns None
/// when no module has room for it.
fn larger_stack(bytes: u64, heap: u32, device: &Device) -> Option<u64> {
    let stack = (bytes + u64::from(device.memory.default_stack)).next_multiple_of(1024);
    Some(stack).filter(|&stack| stack <= beside_heap(heap, device))
}

/// The help: a stack of `wanted` bytes, or less data if no module has room for it. `window` is the
/// largest window in bytes, if the data is larger.
fn stack_help(
    family: &str,
    data: WindowType,
    wanted: Option<u64>,
    heap: u32,
    window: Option<u64>,
    device: &Device,
) -> String {
    let memory = &device.memory;
    let element = data.element;
    let windows = window.map_or_else(String::new, |most| {
        let most = most / u64::from(element.bytes());
        format!(", in windows of `window {element}[{most}]` or less")
    });
    if let Some(stack) = wanted {
        return format!("write `stack {} KiB` in `{family}`{windows}", stack / 1024);
    }
    let room = beside_heap(heap, device).saturating_sub(u64::from(memory.default_stack));
    format!(
        "contribute {element}[{}] or less at a time{windows}: stack, heap and sync area share a memory module of {}",
        room / u64::from(element.bytes()),
        size(memory.module_bytes.into())
    )
}

/// The windows and stacks of these kernels of one family do not fit the modules that they reach.
/// All need the same.
pub(crate) fn kernel_memory(
    design: &Expanded,
    kernels: &[KernelId],
    need: Need,
    asks: &[Ask],
    device: &Device,
) -> Diagnostic {
    let (all, supply) = (need.windows + need.system, need.reach * u64::from(device.memory.module_bytes));
    let reach = format!("the {} it reaches", count(need.reach, "memory module"));
    let mut message = format!(
        "{} {}: {} of window buffers and {} of stack, heap and sync area; {reach} have {}",
        needing(design, kernels),
        size(all),
        size(need.windows),
        size(need.system),
        size(supply)
    );
    if all <= supply {
        message.push_str(&format!(
            ", but a buffer lies in one module and these fill at least {}",
            count(need.modules, "module")
        ));
    }
    let vendor = "aiecompiler would say: [aiecompiler 77-5387] The total memory used by node ... exceeds the per-core memory limit";
    let help = format!("{}\n{vendor}", smaller(design, asks, all.saturating_sub(supply)));
    let span = design.kernels[kernels[0]].span;
    let diagnostic = Diagnostic::new(&catalogue::KERNEL_MEMORY, message, help);
    let asking = asks.iter().map(|ask| (ask_span(design, ask), asked(design, ask)));
    let diagnostic = labelled(
        diagnostic.label(span, format!("{} of stack, heap and sync area", size(need.system))),
        asking,
    );
    smaller_fix(diagnostic, design, asks, all.saturating_sub(supply))
}

/// Adds the fix of [`smaller`].
fn smaller_fix(diagnostic: Diagnostic, design: &Expanded, asks: &[Ask], excess: u64) -> Diagnostic {
    let Some(ask) = asks.first() else { return diagnostic };
    let shorter = of_collective(design, ask)
        .and_then(|collective| Some((collective, shorter_window(collective, ask, excess)?)));
    match shorter {
        Some((collective, window)) => fixes::window(diagnostic, collective, &window.to_string()),
        None => fixes::single(diagnostic, design, ask.ports.iter().copied()),
    }
}

/// The collective whose windows a kernel needs.
fn of_collective<'a>(design: &'a Expanded, ask: &Ask) -> Option<&'a Collective> {
    match design.ports[ask.ports[0]].role {
        PortRole::Link(id) | PortRole::Packets(id) | PortRole::Result(id) => Some(&design.collectives[id]),
        _ => None,
    }
}

/// The text for one ask: the declaring construct, the number of its windows and their size.
fn asked(design: &Expanded, ask: &Ask) -> String {
    let first = &design.ports[ask.ports[0]];
    let copies = u64::from(design.buffering_of(ask.ports[0]).copies());
    let window = first.carries.and_then(Carries::block).map_or(0, WindowType::bytes);
    let buffers = count(copies * ask.ports.len() as u64, "buffer");
    format!("{} for {buffers} of {}", size(ask.bytes), size(window))
}

/// Source location of the declaration of an ask's windows.
fn ask_span(design: &Expanded, ask: &Ask) -> Span {
    let port = &design.ports[ask.ports[0]];
    match port.role {
        PortRole::Link(id) | PortRole::Packets(id) | PortRole::Result(id) => {
            design.collectives[id].window.span
        }
        PortRole::Cycles(id) => {
            design.collectives[id].cycles.as_ref().map_or(port.span, |cycles| cycles.span)
        }
        PortRole::User(_) | PortRole::External | PortRole::Channel(_) => port.span,
    }
}

/// The help: how to save `excess` bytes at the largest ask.
fn smaller(design: &Expanded, asks: &[Ask], excess: u64) -> String {
    let Some(ask) = asks.first() else { return "make stack or heap smaller".to_owned() };
    let name = design.port_name(ask.ports[0]);
    match of_collective(design, ask).map(|collective| (collective, shorter_window(collective, ask, excess))) {
        Some((collective, Some(window))) => {
            format!("write `window {window}` in `{}`; its data then travels in more windows", collective.name)
        }
        Some((collective, None)) => format!("write `buffer single` in `{}`", collective.name),
        None if design.buffering_of(ask.ports[0]) == Buffering::Pingpong => {
            format!("write `buffer single` behind the connection of `{name}`, or make its window smaller")
        }
        None if design.is_table(ask.ports[0]) => format!("make the table `{name}` smaller"),
        None => format!("make the window of `{name}` smaller and send the data in parts"),
    }
}

/// The window of a collective, halved until the ask has saved `excess` bytes.
fn shorter_window(collective: &Collective, ask: &Ask, excess: u64) -> Option<WindowType> {
    let mut window = collective.window.value;
    let mut bytes = ask.bytes;
    loop {
        if !window.elements.is_multiple_of(2) || window.bytes() < 64 {
            return None;
        }
        window.elements /= 2;
        bytes /= 2;
        if ask.bytes - bytes >= excess.max(1) {
            return Some(window);
        }
    }
}

/// The deepest perfect tree that total memory allows (thesis 4.6.3, equation 4.9).
pub(crate) struct TreeBound {
    /// The collective whose tree is deeper.
    pub collective: CollectiveId,
    /// The most levels of a perfect tree of kernels like those of the collective.
    pub levels: u32,
    /// Kernels of that perfect tree.
    pub kernels: u64,
}

/// The memory that all kernels together need, and the tiles that are open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TotalNeed {
    /// Cores that the kernels need.
    pub cores: u64,
    /// Bytes of window buffers.
    pub windows: u64,
    /// Bytes of stacks, heaps and sync areas.
    pub system: u64,
    /// The least number of modules that the indivisible parts fill.
    pub modules: u64,
    /// Open tiles, each with one module.
    pub tiles: u64,
}

/// All kernels together need more memory than the array has, by the sum of bytes or by bin packing
/// over the open tiles. `families` holds the bytes of each family, the largest first.
pub(crate) fn total_memory(
    design: &Expanded,
    need: TotalNeed,
    families: &[(FamilyId, u64)],
    tree: Option<TreeBound>,
    device: &Device,
) -> Diagnostic {
    let TotalNeed { cores, windows, system, modules, tiles } = need;
    let bytes = windows + system;
    let module = u64::from(device.memory.module_bytes);
    let message = format!(
        "all kernels together need {}, {}: {} of window buffers and {} of stacks, heaps and sync areas; {} has {tiles} tiles with {}{}",
        size(bytes),
        filling(bytes, modules, tiles, module),
        size(windows),
        size(system),
        device.name,
        size(tiles * module),
        kernels_like_these(cores, bytes, tiles * module),
    );
    let help = if bytes <= tiles * module {
        "make buffers smaller, or give kernels less stack and heap, so that several of them fit one module"
    } else if windows >= system {
        "make windows smaller, or write `buffer single` where throughput allows"
    } else {
        "give kernels less stack and heap, or use fewer kernels"
    };
    let help = match &tree {
        Some(TreeBound { levels, kernels, .. }) => format!(
            "{help}; a perfect tree of such kernels has at most {levels} levels, {kernels} kernels (thesis 4.6.3, equation 4.9)"
        ),
        None => help.to_owned(),
    };
    let families = families.iter().map(|&(family, bytes)| {
        let family = &design.families[family];
        (family.span, format!("`{}` asks for {}", family.name, size(bytes)))
    });
    let trees = tree.iter().map(|bound| {
        let collective = &design.collectives[bound.collective];
        (collective.span, format!("this tree has {}", count(collective.depth().into(), "level")))
    });
    labelled(Diagnostic::new(&catalogue::TOTAL_MEMORY, message, help), families.chain(trees))
}

/// The number of modules that these bytes fill: by their sum, or as indivisible parts.
fn filling(bytes: u64, modules: u64, tiles: u64, module: u64) -> String {
    if bytes > tiles * module {
        return format!("as much as {} tiles have", bytes.div_ceil(module));
    }
    format!("in pieces that cannot be cut and fill at least {}", count(modules, "module"))
}

/// The number of kernels of average need for which `supply` bytes suffice, if they do not suffice
/// for the `bytes` of all kernels on `cores` cores.
fn kernels_like_these(cores: u64, bytes: u64, supply: u64) -> String {
    if bytes <= supply {
        return String::new();
    }
    // Supply is less than demand, so the quotient is less than the number of kernels and the
    // product fits.
    let most = supply.saturating_mul(cores) / bytes.max(1);
    format!(", enough for {most} kernels like these on average")
}

/// `a needs`, or `a and 2 more each need`.
pub(super) fn needing(design: &Expanded, kernels: &[KernelId]) -> String {
    let verb = if kernels.len() == 1 { "needs" } else { "each need" };
    format!("{} {verb}", names(design, kernels))
}
