//! Diagnostics of proofs by counting (`place/infeasible`).

use crate::{Checked, labelled, list};
use aiec_device::Grid;
use aiec_diag::{Diagnostic, catalogue, listed};
use aiec_ir::{Direction, KernelId};

use crate::prove::channels::{FewTiles, Shortfall};
use crate::prove::contradiction;
use crate::prove::crowd::{Need, Surroundings};
use crate::prove::stacks::Excess;
use crate::statement::Pins;

/// More windows meet around a kernel than the DMA channels there can carry.
pub(crate) fn crowded(checked: &Checked, kernel: KernelId, around: &Surroundings, need: &Need) -> Diagnostic {
    let kernel = &checked.kernels[kernel];
    let Surroundings { channels, channels_around: supply, .. } = around;
    let Need { windows, near, received, channels: demand } = need;
    let message = format!(
        "`{}` receives {windows} windows, of which at most {channels} by DMA; so at least {near} of the kernels that send them \
         share memory with it, and these receive {received} windows themselves: together they need at least {demand} DMA \
         channels from stream to memory, but all modules around have {supply}",
        kernel.name
    );
    let trees = kernel.memberships.iter().map(|m| &checked.collectives[m.collective]);
    let help = "give the kernel fewer inputs: a tree of smaller arity";
    let diagnostic = Diagnostic::new(&catalogue::INFEASIBLE, message, help)
        .label(kernel.span, format!("`{}` receives {windows} windows", kernel.name));
    trees.fold(diagnostic, |d, tree| {
        let most = tree.plan.port_counts().into_iter().map(|(ins, _)| ins).max().unwrap_or(0);
        d.label(tree.shape_span, format!("up to {most} of them come from this collective"))
    })
}

/// Large buffers do not fit the modules, by themselves or beside stacks.
pub(crate) fn no_room_for_buffers(checked: &Checked, excess: &Excess) -> Diagnostic {
    let Excess { bytes, buffers: [count, room], modules, holds, stack, by_dma, .. } = excess;
    let stacks_matter = holds.first().is_some_and(|most| most * modules > *room);
    let mut message = format!(
        "there are at least {count} buffers of {bytes} bytes or more, and room for {room} in {modules} modules: a module holds {} of them",
        holds.first().unwrap_or(&0)
    );
    if stacks_matter {
        let kernels = checked.kernels.len();
        let most = holds.len() - 1;
        let beside = listed((1..=most).map(|stacks| stacks.to_string()), usize::MAX);
        let held = listed(holds[1..].iter().map(u64::to_string), usize::MAX);
        message += &format!(
            ", and beside {beside} {} {held}; and {kernels} kernels have stacks of {stack} bytes or more, each in a module that its core reaches",
            if most == 1 { "stack" } else { "stacks" }
        );
    }
    if *by_dma > 0 {
        let many = if *by_dma == 1 { "connection goes" } else { "connections go" };
        message += &format!(
            "; {by_dma} {many} by DMA at least, with buffers at both ends (bound: {})",
            excess.bound.name()
        );
    }
    let smaller = excess.fitting.map_or_else(String::new, |fitting| {
        format!(" (this count finds room for all if no buffer is larger than {fitting} bytes)")
    });
    let stacks = if stacks_matter { "stacks and heaps smaller, " } else { "" };
    let help =
        format!("make windows smaller{smaller}; or make some single-buffered, {stacks}or kernels fewer");
    let window = &checked.ports[excess.port];
    Diagnostic::new(&catalogue::INFEASIBLE, message, help)
        .label(window.span, format!("the buffers of `{}` are among them", window.name))
}

/// A kernel needs more DMA channels than it reaches, on every tile that the constraints allow.
pub(crate) fn no_channels(checked: &Checked, grid: &Grid, pins: &Pins, short: &Shortfall) -> Diagnostic {
    let kernel = &checked.kernels[short.kernel];
    let (name, Shortfall { windows, demand, supply, .. }) = (&kernel.name, short);
    let (does, ends, way) = match short.direction {
        Direction::In => ("receives", "send to it", "from stream to memory"),
        Direction::Out => ("sends", "receive from it", "from memory to stream"),
    };
    let far = list(checked, &short.far.iter().copied().collect::<Vec<_>>());
    let message = format!(
        "`{name}` {does} {windows} windows, and wherever the constraints let it be, they take more DMA channels {way} than the modules \
         in its reach have: at {}, which is the best there is, {demand} for {supply}, since {far} cannot share memory with it there",
        grid.tile(short.tile),
    );
    let help = format!(
        "change constraints so that more of the kernels that {ends} share memory with `{name}`, or give it fewer windows"
    );
    let diagnostic = Diagnostic::new(&catalogue::INFEASIBLE, message, help)
        .label(kernel.span, format!("`{name}` {does} {windows} windows"));
    let mut kernels = short.far.clone();
    kernels.insert(short.kernel);
    labelled(diagnostic, contradiction::labels(checked, pins, &kernels))
}

/// Kernels with cores of their own have too few suitable tiles together.
pub(crate) fn few_tiles(checked: &Checked, grid: &Grid, pins: &Pins, few: &FewTiles) -> Diagnostic {
    let FewTiles { kernels, tiles } = few;
    let who = list(checked, kernels);
    let need =
        if kernels.len() == 1 { "needs 1 core".to_owned() } else { format!("need {} cores", kernels.len()) };
    let array = &checked.device.value;
    let have = match tiles.as_slice() {
        [] => format!("no tile of `{array}` has"),
        [one] => format!("only the tile {} of `{array}` has", grid.tile(*one)),
        some => format!("only {} tiles of `{array}` have", some.len()),
    };
    let message = format!(
        "{who} {need}, but {have} the resources that each of them needs by itself: on the other tiles the constraints \
         exclude them, the modules in reach are too small for their buffers and stacks, or these have fewer DMA \
         channels than windows by DMA"
    );
    let help = "give these kernels fewer or smaller windows or less stack, or change constraints so that they may use more tiles, away from \
                the edges and from closed tiles";
    let diagnostic = Diagnostic::new(&catalogue::INFEASIBLE, message, help);
    let own = kernels.iter().map(|&kernel| &checked.kernels[kernel]);
    let own = own.map(|kernel| (kernel.span, format!("`{}` is one of these", kernel.name)));
    let labels = own.chain(contradiction::labels(checked, pins, &kernels.iter().copied().collect()));
    labelled(diagnostic, labels)
}
