//! `aie/kernels/collectives.h`: the constants of each collective for the kernels.

use std::collections::BTreeSet;

use aiec_collectives::{Layout, Relay};
use aiec_ir::expanded::Collective;
use aiec_ir::{CollectiveId, Operator, ReduceOp};
use askama::Template;

use super::Context;

/// `aie/kernels/collectives.h`
#[derive(Template)]
#[template(path = "collectives.h.askama", escape = "none")]
pub(crate) struct CollectivesH<'a> {
    stamp: &'a str,
    design: &'a str,
    includes: Vec<String>,
    collectives: Vec<CollectiveView<'a>>,
}

struct CollectiveView<'a> {
    summary: String,
    class: &'a str,
    op: String,
    element: &'static str,
    constants: Vec<String>,
    members: Vec<String>,
}

/// The collectives' sizes and operators.
pub(crate) fn collectives_h<'a>(context: &'a Context<'a>) -> CollectivesH<'a> {
    let ids = context.design.collectives.ids();
    CollectivesH {
        stamp: &context.stamp,
        design: &context.design.name.value,
        includes: headers(context),
        collectives: ids.map(|id| collective_view(context, id)).collect(),
    }
}

/// The headers that the structs need, each once: that of active messages, whose types stand in
/// them, and the user's with operators.
fn headers(context: &Context<'_>) -> Vec<String> {
    let is_active = context.design.collectives.iter().any(|collective| collective.plan.is_active());
    let library = is_active.then(|| "aiec/active.h".to_owned());
    let ops = context.design.collectives.iter().filter_map(|collective| collective.op.as_ref());
    let headers: BTreeSet<&str> = ops
        .filter_map(|op| match &op.value {
            Operator::User { header, .. } => Some(context.names.source(header)),
            Operator::Builtin(_) => None,
        })
        .collect();
    library.into_iter().chain(headers.into_iter().map(str::to_owned)).collect()
}

/// The C++ type of an operator.
fn operator_type(op: &Operator) -> String {
    match op {
        Operator::User { name, .. } => format!("::{name}"),
        Operator::Builtin(op @ (ReduceOp::And | ReduceOp::Or | ReduceOp::Xor)) => format!("aiec::bit_{op}"),
        Operator::Builtin(op) => format!("aiec::{op}"),
    }
}

fn collective_view<'a>(context: &'a Context<'a>, id: CollectiveId) -> CollectiveView<'a> {
    let collective = &context.design.collectives[id];
    let data = collective.data.value;
    let combined = collective.op.as_ref().map_or_else(String::new, |op| format!(" ({})", op.value));
    let what = format!("{}{combined} of {data}", collective.operation());
    let what =
        if !collective.plan.row().has_data() { collective.operation().noun().to_owned() } else { what };
    let messages = collective.plan.row().takes_messages;
    let opened = collective.plan.is_opened();
    CollectiveView {
        summary: match collective.plan.is_cascade() {
            _ if collective.plan.is_active() => {
                let handlers = super::handlers::in_words(collective);
                format!("active messages over {} ranks: {handlers}.", collective.ranks.len())
            }
            _ if messages => {
                let (ranks, bytes) = (collective.ranks.len(), data.bytes());
                format!("mailbox over {ranks} ranks, messages of at most {bytes} bytes.")
            }
            _ if opened => format!("{what} over {} ranks, over streams.", collective.ranks.len()),
            true => format!("{what} over {} ranks along the cascade.", collective.ranks.len()),
            false => format!(
                "{what} over {} ranks ({}), in windows of {}.",
                collective.ranks.len(),
                collective.plan.shape,
                collective.window.value
            ),
        },
        class: &context.names.collectives[id],
        op: collective.op.as_ref().map_or_else(|| "void".to_owned(), |op| operator_type(&op.value)),
        element: data.element.name(),
        members: match collective.plan.is_active() {
            true => super::handlers::members(collective),
            false => Vec::new(),
        },
        constants: match collective.plan.row().is_channel() {
            true if messages => mailbox_constants(collective),
            true => channel_constants(collective),
            false => constants(context, id),
        },
    }
}

/// The constants that `channel.h` uses, one declaration a line.
fn channel_constants(collective: &Collective) -> Vec<String> {
    let elements = collective.data.value.elements;
    let mut lines = vec![
        format!("static constexpr const char *spelling = \"{}\";", collective.name),
        format!("static constexpr unsigned rank_count = {};", collective.ranks.len()),
        format!("static constexpr unsigned data_elements = {elements}; // that one opening moves at most"),
    ];
    if let Some(Relay { packet, depth }) = collective.plan.relay {
        lines.extend([
            format!("static constexpr unsigned root = {}; // carries packets", collective.plan.root),
            format!("static constexpr unsigned packet_words = {packet}; // behind the header"),
            format!("static constexpr unsigned depth_words = {depth}; // for packets that come early"),
        ]);
    }
    lines
}

/// The constants that `mailbox.h` and `active.h` use.
fn mailbox_constants(collective: &Collective) -> Vec<String> {
    let data = collective.data.value;
    let serves = if collective.plan.is_active() { "serves" } else { "receives" };
    vec![
        format!("static constexpr const char *spelling = \"{}\";", collective.name),
        format!("static constexpr unsigned rank_count = {};", collective.ranks.len()),
        format!("static constexpr unsigned root = {}; // {serves}", collective.plan.root),
        format!(
            "static constexpr unsigned data_elements = {}; // words of a message, at most",
            data.elements
        ),
    ]
}

/// The constants of a collective that the library uses, one declaration a line.
fn constants(context: &Context<'_>, id: CollectiveId) -> Vec<String> {
    let collective = &context.design.collectives[id];
    let (data, plan) = (collective.data.value, &collective.plan);
    let number =
        |name: &str, value: u64, note: &str| format!("static constexpr unsigned {name} = {value};{note}");
    let flag = |name: &str, value: bool| format!("static constexpr bool {name} = {value};");
    let mut lines = vec![
        format!("static constexpr const char *spelling = \"{}\";", collective.name),
        number("rank_count", collective.ranks.len() as u64, ""),
        number("root", plan.root.0.into(), ""),
        number("data_elements", data.elements.into(), " // of a block, what one rank has"),
        number("window_elements", collective.window.value.elements.into(), " // that travel at once"),
        number("chunks_per_call", collective.chunks().into(), " // windows of a block"),
        flag("commutative", collective.op.as_ref().is_none_or(|op| op.value.is_commutative())),
        flag("exclusive", plan.exclusive),
        flag("vectorised", !collective.scalar),
    ];
    lines.extend(plan.is_opened().then(|| flag("over_streams", true)));
    if plan.algorithm().parts {
        let part = Collective::part_elements(data, plan.size);
        lines.push(number("part_elements", part.into(), " // of what each rank combines"));
    }
    if let Some(layout) = &collective.layout {
        lines.extend(layout_lines(layout, data.elements));
    }
    lines
}

/// Positions of the blocks of a gather or scatter in the root's array: a formula if the blocks are
/// equal and consecutive, otherwise a table.
fn layout_lines(layout: &Layout, elements: u32) -> Vec<String> {
    let function = |name: &str, body: &str| {
        format!("static constexpr unsigned {name}(unsigned rank) {{ return {body}; }}")
    };
    let table = |name: &str, values: &[u32]| {
        let values: Vec<String> = values.iter().map(u32::to_string).collect();
        format!("static constexpr unsigned {name}[] = {{{}}};", values.join(", "))
    };
    let (uniform, steps) =
        (layout.is_uniform(), layout.firsts.windows(2).all(|w| w[1].wrapping_sub(w[0]) == elements));
    let regular = uniform && steps && layout.firsts.first() == Some(&0);
    let mut lines = vec![
        format!(
            "static constexpr unsigned run_elements = {}; // side by side, 0 for all of a block",
            layout.run
        ),
        format!("static constexpr unsigned stride_elements = {};", layout.stride),
    ];
    if layout.counts.windows(2).all(|pair| pair[0] == pair[1]) {
        lines.push("static constexpr unsigned count(unsigned) { return data_elements; }".to_owned());
    } else {
        lines.push(table("counts", &layout.counts));
        lines.push(function("count", "counts[rank]"));
    }
    if regular {
        lines.push(function("first", "rank * data_elements"));
    } else {
        lines.push(table("firsts", &layout.firsts));
        lines.push(function("first", "firsts[rank]"));
    }
    lines.push(function("windows", "(count(rank) + window_elements - 1) / window_elements"));
    lines
}
