//! Errors of modules with stated contents.

use std::ops::Range;

use aiec_collectives::Direction;
use aiec_diag::{Code, Diagnostic, Span, catalogue, listed};
use aiec_ir::blocks::Block;
use aiec_ir::expanded::Expanded;
use aiec_ir::{ConnectionId, KernelId, PortId};

use super::blocks::name;
use super::{MOST_NAMES, count, labelled};

/// Something that the design puts into a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A stack, or a buffer of a port.
    Block(Block<KernelId, PortId>),
    /// A FIFO of a connection.
    Fifo(ConnectionId),
}

/// A resource of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Bytes of memory.
    Bytes,
    /// Buffer descriptors of its DMA.
    Descriptors,
    /// Channels of its DMA: `In` into memory.
    Channels(Direction),
}

impl Resource {
    pub(crate) const ALL: [Self; 4] =
        [Self::Bytes, Self::Descriptors, Self::Channels(Direction::In), Self::Channels(Direction::Out)];

    const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "byte",
            Self::Descriptors => "buffer descriptor",
            Self::Channels(Direction::In) => "S2MM channel",
            Self::Channels(Direction::Out) => "MM2S channel",
        }
    }
}

/// A module or bank whose stated contents need more than it has.
pub(crate) struct Full {
    /// Column and core row.
    pub module: (i64, i64),
    /// The bank. None when the whole module is meant.
    pub bank: Option<u32>,
    /// The resource that is short.
    pub resource: Resource,
    /// The contents with their needs and statements, in the order of the design. Buffers of one
    /// port follow each other.
    pub contents: Vec<(Content, u64, Span)>,
    /// Sum of the needs.
    pub demand: u64,
    /// What the module or bank has.
    pub supply: u64,
}

/// The contents that the design states for a module or bank do not fit it.
pub(crate) fn full(design: &Expanded, full: &Full) -> Diagnostic {
    let mut needs: Vec<(Content, u64, Span)> = Vec::new();
    for &(content, need, span) in &full.contents {
        match needs.iter_mut().find(|(known, ..)| *known == content) {
            Some((_, sum, _)) => *sum += need,
            None => needs.push((content, need, span)),
        }
    }
    let (column, row) = full.module;
    let bank = full.bank.map_or_else(String::new, |bank| format!("bank {bank} of "));
    let each = needs.iter().map(|(content, need, _)| format!("{} {need}", called(design, *content)));
    // Alignment may take more bytes.
    let least = if full.resource == Resource::Bytes { "at least " } else { "" };
    let message = format!(
        "{bank}the module at ({column}, {row}) has {}, and what the design puts there needs {least}{}: {}",
        count(full.supply, full.resource.name()),
        full.demand,
        listed(each, MOST_NAMES)
    );
    let has_fifo = needs.iter().any(|(content, ..)| matches!(content, Content::Fifo(_)));
    let labels = needs.iter().map(|&(content, need, span)| {
        (span, format!("{} needs {}", called(design, content), count(need, full.resource.name())))
    });
    labelled(Diagnostic::new(code(has_fifo), message, help(has_fifo)), labels.collect::<Vec<_>>())
}

/// A content with the place of its statement.
#[derive(Clone, Copy)]
pub(crate) struct Stated {
    /// What lies in the module.
    pub content: Content,
    /// What puts it into the module.
    pub span: Span,
}

/// A FIFO at bytes `range` of a module meets a stack or buffer at a stated offset.
pub(crate) fn meets(
    design: &Expanded,
    (column, row): (i64, i64),
    fifo: Stated,
    range: &Range<u64>,
    block: Stated,
) -> Diagnostic {
    let (fifo_name, block_name) = (called(design, fifo.content), called(design, block.content));
    let message = format!(
        "{fifo_name} takes bytes {} to {} of the module at ({column}, {row}), where {block_name} lies",
        range.start, range.end
    );
    Diagnostic::new(code(true), message, "choose offsets that lie apart, or another module for the FIFO")
        .label(fifo.span, "the FIFO lies here")
        .label(block.span, format!("{block_name} lies here"))
}

fn code(has_fifo: bool) -> &'static Code {
    if has_fifo { &catalogue::FIFO_PLACE } else { &catalogue::BLOCK_PLACE }
}

const fn help(has_fifo: bool) -> &'static str {
    match has_fifo {
        true => "give the FIFO a place in another module, or none: then the tools choose one",
        false => "state another module for some of them, or leave one of the places out",
    }
}

/// The name of a content in a sentence.
fn called(design: &Expanded, content: Content) -> String {
    match content {
        Content::Block(block) => format!("`{}`", name(design, block)),
        Content::Fifo(id) => format!("the FIFO of `{}`", design.connection_name(id)),
    }
}
