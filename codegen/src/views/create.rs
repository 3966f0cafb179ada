//! Statements of the graph's constructor that create kernels, inputs and outputs.

use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{External, Owner};
use aiec_ir::{Direction, ExternalId, FamilyId, KernelId, WHOLE_CORE};

use super::texts::quoted;
use super::{Context, kernels};
use crate::lines::parameter_list;
use crate::runs::{Block, Item, blocks, text};

/// Bandwidth requested for GMIO, in MB/s. The tools use it to balance the NoC.
const GMIO_BANDWIDTH: u32 = 1000;
/// Runtime ratio of a kernel for which the design gives none. A ratio above one half keeps kernels
/// on separate tiles (UG1079, "Runtime Ratio").
const RUNTIME_RATIO: f64 = 0.9;
/// The constructor's comment on the ratio.
const RUNTIME_RATIO_COMMENT: [&str; 2] = [
    "// Kernels share a core only if their runtime ratios add up to less than 1 (UG1079, \"Runtime Ratio\").",
    "// 0.9 gives each kernel a separate core; it is not measured.",
];

/// The ADF class of an input or output.
pub(super) fn external_class(external: &External) -> &'static str {
    match (external.direction, &external.endpoint) {
        (Direction::Out, Endpoint::Plio { .. }) => "input_plio",
        (Direction::In, Endpoint::Plio { .. }) => "output_plio",
        (Direction::Out, Endpoint::Gmio { .. }) => "input_gmio",
        (Direction::In, Endpoint::Gmio { .. }) => "output_gmio",
    }
}

/// Statements that create kernels, inputs and outputs, and merges of packets.
pub(super) fn create_lines(context: &Context<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut explained = false;
    for family in context.design.families.ids() {
        let is_default =
            context.kernels_of(family).next().is_some_and(|first| context.design.runtime(first).is_none());
        if is_default && !std::mem::replace(&mut explained, true) {
            lines.extend(RUNTIME_RATIO_COMMENT.map(str::to_owned));
        }
        let mut kernels = create_kernels(context, family);
        kernels.extend(configure_kernels(context, family));
        lines.extend(text(kernels));
        lines.push(String::new());
    }
    lines.extend(text(create_externals(context)));
    for (class, member, count) in context.packet_switches() {
        let element = |indices: &[String]| {
            let index: String = indices.iter().map(|index| format!("[{index}]")).collect();
            vec![format!("{member}{index} = {class}::create();")]
        };
        let indices = (0..count.unwrap_or(1)).map(|at| count.and_then(|_| i64::try_from(at).ok()));
        let items: Vec<Item<()>> =
            indices.map(|index| Item { kind: (), indices: index.into_iter().collect() }).collect();
        lines.extend(text(blocks(&items, |(), indices| element(indices))));
    }
    lines
}

/// Creates the kernels of a family, role by role: stretches with regular ranks in loops.
fn create_kernels(context: &Context<'_>, family: FamilyId) -> Vec<Block> {
    let mut items: Vec<Item<Option<usize>>> =
        context.kernels_of(family).map(|kernel| creation_item(context, kernel)).collect();
    items.sort_by_key(|item| item.kind);
    let dims = context.design.families[family].dims.len();
    blocks(&items, |role, indices| {
        let (element, numbers) = indices.split_at(dims.min(indices.len()));
        let kernel = context.kernel_at(family, element);
        match role {
            Some(role) => create_object(context, &kernel, *role, numbers),
            None => create_function(context, &kernel, family),
        }
    })
}

/// A kernel by its role, with its indices and the numbers its constructor takes.
fn creation_item(context: &Context<'_>, kernel: KernelId) -> Item<Option<usize>> {
    let role = context.roles.of_kernel[kernel];
    let instance = &context.design.kernels[kernel];
    let parameters =
        role.map_or_else(Vec::new, |role| kernels::parameters(context, &context.roles.roles[role]));
    let (_, mut indices) = context.member_of(Owner::Kernel(kernel));
    indices.extend(parameters.into_iter().map(|parameter| parameter.value(context, instance)));
    Item { kind: role, indices }
}

fn create_object(context: &Context<'_>, kernel: &str, role: usize, ranks: &[String]) -> Vec<String> {
    let class = &context.names.roles[role];
    let unsigned = |rank: &String| {
        if rank.bytes().all(|b| b.is_ascii_digit()) { format!("{rank}u") } else { rank.clone() }
    };
    let arguments: Vec<String> = ranks.iter().map(unsigned).collect();
    vec![
        format!("{kernel} = adf::kernel::create_object<{class}>({});", arguments.join(", ")),
        format!("adf::source({kernel}) = \"kernels/{class}.cc\";"),
        format!("adf::headers({kernel}) = {{\"kernels/{class}.h\"}};"),
    ]
}

/// Within the class the function's name denotes its kernels, so the function is named from the
/// global namespace.
fn create_function(context: &Context<'_>, kernel: &str, family: FamilyId) -> Vec<String> {
    let family = &context.design.families[family];
    let source = context.names.source(&family.source.value);
    vec![
        format!("{kernel} = adf::kernel::create(::{});", family.name),
        format!("adf::source({kernel}) = {};", quoted(&format!("kernels/{source}"))),
    ]
}

fn configure_kernels(context: &Context<'_>, family: FamilyId) -> Vec<Block> {
    let Some(first) = context.kernels_of(family).next() else { return Vec::new() };
    let memory = &context.device.memory;
    let declared = context.design.runtime(first).map(|ratio| f64::from(ratio) / f64::from(WHOLE_CORE));
    let ratio = declared.unwrap_or(RUNTIME_RATIO);
    let stack = context.design.stack_bytes(first, memory.default_stack);
    let heap = context.design.heap_bytes(first, memory.default_heap);
    let indices = |kernel| context.member_of(Owner::Kernel(kernel)).1;
    let items: Vec<Item<()>> =
        context.kernels_of(family).map(|kernel| Item { kind: (), indices: indices(kernel) }).collect();
    blocks(&items, |(), indices| {
        let kernel = context.kernel_at(family, indices);
        vec![
            format!("adf::runtime<adf::ratio>({kernel}) = {ratio};"),
            format!("adf::stack_size({kernel}) = {stack};"),
            format!("adf::heap_size({kernel}) = {heap};"),
        ]
    })
}

/// Creates inputs and outputs: stretches of one declaration with numbered files in loops.
fn create_externals(context: &Context<'_>) -> Vec<Block> {
    let used = context.used_externals();
    let items: Vec<Item<(usize, Creation)>> = used.filter_map(|(id, _)| external_item(context, id)).collect();
    blocks(&items, |(group, creation), indices| {
        let [element, index] = indices else { return Vec::new() };
        let group = &context.names.externals[*group];
        let member = if group.array { format!("{}[{element}]", group.member) } else { group.member.clone() };
        let variable = index.bytes().any(|b| !b.is_ascii_digit()).then_some(index.as_str());
        let call = format!("{member} = adf::{}::create(", creation.class);
        let indent = if variable.is_some() { 12 } else { 8 };
        let arguments = parameter_list(&creation.arguments(variable, index), indent + call.len());
        vec![format!("{call}{arguments});")]
    })
}

/// The statement that creates an input or output, with `{}` for its index in the names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Creation {
    class: &'static str,
    name: String,
    /// The outside end: PLIO or GMIO.
    end: End,
}

/// The outside end of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    /// PLIO with width in bits and file.
    Plio(u32, String),
    /// GMIO with burst length in bytes.
    Gmio(u32),
}

impl Creation {
    /// The arguments of `create`. In a loop, names are built from `variable`; otherwise `index` is
    /// written into them.
    fn arguments(&self, variable: Option<&str>, index: &str) -> Vec<String> {
        let string = |pattern: &str| numbered(pattern, variable, index);
        let name = string(&self.name);
        match &self.end {
            End::Plio(bits, file) => vec![name, format!("adf::plio_{bits}_bits"), string(file)],
            End::Gmio(burst) => vec![name, burst.to_string(), GMIO_BANDWIDTH.to_string()],
        }
    }
}

/// A C++ string expression for `pattern` with the index in place of `{}`.
fn numbered(pattern: &str, variable: Option<&str>, index: &str) -> String {
    let (Some(variable), Some((before, after))) = (variable, pattern.split_once("{}")) else {
        return quoted(&pattern.replace("{}", index));
    };
    let tail = if after.is_empty() {
        String::new()
    } else {
        format!(" + {}", numbered(after, Some(variable), index))
    };
    format!("{} + std::to_string({variable}){tail}", quoted(before))
}

/// How the constructor creates an input or output, with its position in its array and its index in
/// the design. The two differ if an instance before it is unconnected.
fn external_item(context: &Context<'_>, id: ExternalId) -> Option<Item<(usize, Creation)>> {
    let external = &context.design.externals[id];
    let (at, element) = context.names.element_of(id)?;
    let array = context.names.externals[at].array;
    let pattern = |text: &str, ending: &str| {
        if array { with_hole(text, external.index, ending) } else { text.to_owned() }
    };
    let end = match &external.endpoint {
        Endpoint::Plio { bits, .. } => End::Plio(bits.value, pattern(&context.names.data[id], ".")),
        Endpoint::Gmio { .. } => End::Gmio(context.device.shim.shortest_burst()),
    };
    let creation =
        Creation { class: external_class(external), name: pattern(&context.names.logical[id], ""), end };
    let element = i64::try_from(element).unwrap_or(i64::MAX);
    Some(Item { kind: (at, creation), indices: vec![element, i64::from(external.index)] })
}

/// `text` with `{}` for the last occurrence of `number` before `ending`, if it has one.
fn with_hole(text: &str, number: u32, ending: &str) -> String {
    let wanted = format!("{number}{ending}");
    match text.rfind(&wanted) {
        Some(at) if !text.contains("{}") => {
            format!("{}{{}}{ending}{}", &text[..at], &text[at + wanted.len()..])
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_files_have_one_hole() {
        assert_eq!(with_hole("data/in_12.txt", 12, "."), "data/in_{}.txt");
        assert_eq!(with_hole("lanes_3", 3, ""), "lanes_{}");
        assert_eq!(with_hole("data/all.txt", 3, "."), "data/all.txt");
    }

    #[test]
    fn names_in_a_loop_are_put_together() {
        assert_eq!(numbered("data/in_{}.txt", Some("i"), "i"), "\"data/in_\" + std::to_string(i) + \".txt\"");
        assert_eq!(numbered("lanes_{}", Some("i - 2"), "i - 2"), "\"lanes_\" + std::to_string(i - 2)");
        assert_eq!(numbered("lanes_{}", None, "4"), "\"lanes_4\"");
    }
}
