//! Statements of the graph's constructor that create kernels, inputs and outputs.

use aiec_ir::design::{self, Body, Decimals, Endpoint};
use aiec_ir::expanded::{External, Owner};
use aiec_ir::{Direction, ElementType, ExternalId, FamilyId, KernelId, WHOLE_CORE};

use super::texts::quoted;
use super::{Context, kernels};
use crate::hierarchy::{Level, Place as NumberPlace};
use crate::lines::{filled_list, parameter_list};
use crate::roles::RoleId;
use crate::runs::{Block, Item, blocks, order, text};

/// Bandwidth requested for a GMIO whose design states none, in MB/s. The tools use it to balance
/// the NoC.
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

/// Statements that create the kernels of a class, inputs and outputs, and merges of packets.
pub(super) fn create_lines(context: &Context<'_>, level: Level) -> Vec<String> {
    let mut lines = Vec::new();
    let mut explained = false;
    for family in families_of(context, level) {
        let is_default = context.kernels_of(family).any(|kernel| context.design.runtime(kernel).is_none());
        if is_default && !std::mem::replace(&mut explained, true) {
            lines.extend(RUNTIME_RATIO_COMMENT.map(str::to_owned));
        }
        lines.extend(kernel_lines(create_kernels(context, family), configure_kernels(context, family)));
        lines.push(String::new());
    }
    if level.is_none() {
        lines.extend(text(create_externals(context)));
    }
    for (class, member, count) in context.packet_switches(level) {
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

/// The statements that create the kernels of a family, and those that configure them. They share a
/// loop only when there is one for each, over all kernels: a kernel that a loop configures may be
/// created by another.
fn kernel_lines(created: Vec<Block>, configured: Vec<Block>) -> Vec<String> {
    if let ([_], [_]) = (&created[..], &configured[..]) {
        return text([created, configured].concat());
    }
    [text(created), text(configured)].concat()
}

/// The families of a class.
pub(super) fn families_of<'a>(context: &'a Context<'_>, level: Level) -> impl Iterator<Item = FamilyId> + 'a {
    context.design.families.ids().filter(move |&family| context.names.graphs.levels.families[family] == level)
}

/// The shape of the statements that create the kernels of a class, without numbers.
pub(crate) type Shape = (Vec<Item<Creation>>, Vec<Item<Configuration>>);

/// The shape of the statements that create kernels, and the numbers that the kernels' constructors
/// take.
pub(crate) fn shape(context: &Context<'_>, level: Level) -> (Shape, Vec<(NumberPlace, i64)>) {
    let (mut creations, mut configurations, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for kernel in families_of(context, level).flat_map(|family| context.kernels_of(family)) {
        let mut item = creation_item(context, kernel);
        let dims = context.member_of(Owner::Kernel(kernel)).1.len();
        let own = item.indices.split_off(dims.min(item.indices.len()));
        numbers.extend(own.into_iter().enumerate().map(|(at, number)| ((kernel, at), number)));
        creations.push(item);
        configurations.push(configuration_item(context, kernel));
    }
    ((creations, configurations), numbers)
}

/// What the statements that create kernels depend on, besides their indices and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Creation {
    role: Option<RoleId>,
    /// For each number that the role's constructor takes, the parameter of the class in its place.
    named: Vec<Option<String>>,
    /// The user's code of a kernel outside of collectives.
    plain: Option<Plain>,
}

/// A function or class of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// Its name with the arguments of the template.
    name: String,
    source: String,
    header: Option<String>,
    init: Option<String>,
    /// The constructor's arguments. None when the kernel is a function.
    arguments: Option<Vec<Argument>>,
}

/// An argument of a constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Argument {
    /// Text that instances share.
    Fixed(String),
    /// The next of the item's numbers, converted to this type.
    Number(&'static str),
    /// A parameter of the class, an `int` that is converted to this type.
    Named(String, &'static str),
}

/// Creates the kernels of a family, role by role: stretches with regular ranks in loops.
fn create_kernels(context: &Context<'_>, family: FamilyId) -> Vec<Block> {
    let (_, items): (Vec<KernelId>, Vec<Item<Creation>>) = by_role(context, family).into_iter().unzip();
    let dims = context.design.families[family].dims.len();
    blocks(&items, |kind, indices| {
        let (element, numbers) = indices.split_at(dims.min(indices.len()));
        let kernel = context.kernel_at(family, element);
        match (kind.role, &kind.plain) {
            (Some(role), _) => create_object(context, &kernel, role, &kind.named, numbers),
            (None, plain) => plain.as_ref().map_or_else(Vec::new, |plain| plain.lines(&kernel, numbers)),
        }
    })
}

/// The kernels of a family, role by role, with what creates them.
fn by_role(context: &Context<'_>, family: FamilyId) -> Vec<(KernelId, Item<Creation>)> {
    let mut kernels: Vec<(KernelId, Item<Creation>)> =
        context.kernels_of(family).map(|kernel| (kernel, creation_item(context, kernel))).collect();
    kernels.sort_by_key(|(_, item)| item.kind.role);
    by_kind(kernels, |(_, item)| &item.kind)
}

/// All kernels in the order in which the graph creates them: those of its sub-graphs, which are
/// members, before those that its constructor makes.
pub(crate) fn creation_order(context: &Context<'_>) -> Vec<KernelId> {
    order_of(context, None)
}

fn order_of(context: &Context<'_>, level: Level) -> Vec<KernelId> {
    let groups = context.names.graphs.groups.iter().filter(|group| group.level == level);
    let members = groups.flat_map(|group| &group.instances);
    let inside = members.flat_map(|&instance| order_of(context, Some(instance)));
    let own = families_of(context, level).flat_map(|family| {
        let kernels = by_role(context, family);
        order(&create_kernels(context, family)).into_iter().map(move |at| kernels[at].0)
    });
    inside.chain(own).collect()
}

/// Items of equal kinds after each other, in the order of their first ones: loops hold one kind.
fn by_kind<T, K: PartialEq>(items: Vec<T>, kind_of: impl Fn(&T) -> &K) -> Vec<T> {
    let mut kinds: Vec<Vec<T>> = Vec::new();
    for item in items {
        match kinds.iter_mut().find(|kind| kind.first().is_some_and(|first| kind_of(first) == kind_of(&item)))
        {
            Some(kind) => kind.push(item),
            None => kinds.push(vec![item]),
        }
    }
    kinds.into_iter().flatten().collect()
}

/// A kernel by its role or code, with its indices and the numbers its constructor takes.
fn creation_item(context: &Context<'_>, kernel: KernelId) -> Item<Creation> {
    let role = context.roles.of_kernel[kernel];
    let instance = &context.design.kernels[kernel];
    let (_, mut indices) = context.member_of(Owner::Kernel(kernel));
    let Some(at) = role else {
        let (mut plain, numbers) = Plain::of(context, context.design.body(kernel));
        let numbers = numbers.into_iter().enumerate();
        let fixed = |(at, number)| match context.parameter_at((kernel, at)) {
            Some(name) => {
                plain.name_number(at, name);
                None
            }
            None => Some(number),
        };
        indices.extend(numbers.filter_map(fixed).collect::<Vec<i64>>());
        return Item { kind: Creation { role, named: Vec::new(), plain: Some(plain) }, indices };
    };
    let parameters = kernels::parameters(context, &context.roles.roles[at]);
    let name = |number| context.parameter_at((kernel, number)).map(str::to_owned);
    let named: Vec<Option<String>> = (0..parameters.len()).map(name).collect();
    let open = parameters.iter().zip(&named).filter(|(_, name)| name.is_none());
    indices.extend(open.map(|(parameter, _)| parameter.value(context, instance)));
    Item { kind: Creation { role, named, plain: None }, indices }
}

fn create_object(
    context: &Context<'_>,
    kernel: &str,
    role: RoleId,
    named: &[Option<String>],
    ranks: &[String],
) -> Vec<String> {
    let class = &context.names.roles[role];
    let unsigned = |rank: &String| {
        if rank.bytes().all(|b| b.is_ascii_digit()) { format!("{rank}u") } else { rank.clone() }
    };
    let mut ranks = ranks.iter();
    let argument = |name: &Option<String>| match name {
        Some(name) => format!("unsigned({name})"),
        None => ranks.next().map_or_else(String::new, unsigned),
    };
    let arguments: Vec<String> = named.iter().map(argument).collect();
    vec![
        format!("{kernel} = adf::kernel::create_object<{class}>({});", arguments.join(", ")),
        format!("adf::source({kernel}) = \"kernels/{class}.cc\";"),
        format!("adf::headers({kernel}) = {{\"kernels/{class}.h\"}};"),
    ]
}

impl Plain {
    /// The code of a body, and the numbers among its arguments.
    fn of(context: &Context<'_>, body: &Body) -> (Self, Vec<i64>) {
        let mut numbers = Vec::new();
        let arguments = body
            .arguments
            .as_ref()
            .map(|arguments| arguments.iter().map(|argument| Argument::of(argument, &mut numbers)).collect());
        let path = |path: &str| format!("kernels/{}", context.names.source(path));
        let plain = Self {
            name: code_name(body),
            source: path(&body.source.value),
            header: body.header.as_ref().map(|header| path(&header.value)),
            init: body.init.as_ref().map(|init| init.value.clone()),
            arguments,
        };
        (plain, numbers)
    }

    /// Puts the parameter `name` of the class in the place of number `at`.
    fn name_number(&mut self, at: usize, name: &str) {
        let number = |argument: &&mut Argument| matches!(argument, Argument::Number(_) | Argument::Named(..));
        let mut numbers = self.arguments.iter_mut().flatten().filter(number);
        if let Some(argument) = numbers.nth(at) {
            *argument = Argument::Named(name.to_owned(), argument.class());
        }
    }

    /// Within the class the function's name denotes its kernels, so function and class are named
    /// from the global namespace.
    fn lines(&self, kernel: &str, numbers: &[String]) -> Vec<String> {
        let Self { name, source, header, init, arguments } = self;
        let create = match arguments {
            None => format!("{kernel} = adf::kernel::create(::{name});"),
            Some(arguments) => {
                let mut numbers = numbers.iter();
                let texts: Vec<String> = arguments.iter().map(|one| one.text(&mut numbers)).collect();
                let call = format!("{kernel} = adf::kernel::create_object<::{name}>(");
                format!("{call}{});", parameter_list(&texts, 12 + call.len()))
            }
        };
        let mut lines = vec![create, format!("adf::source({kernel}) = {};", quoted(source))];
        lines.extend(
            header
                .iter()
                .filter(|_| arguments.is_some())
                .map(|header| format!("adf::headers({kernel}) = {{{}}};", quoted(header))),
        );
        lines.extend(
            init.iter().map(|init| format!("adf::initialization_function({kernel}) = {};", quoted(init))),
        );
        lines
    }
}

impl Argument {
    fn of(argument: &design::Argument, numbers: &mut Vec<i64>) -> Self {
        match argument {
            // The width of an `int`: loops count in one.
            design::Argument::Number { value, class } if i32::try_from(*value).is_ok() => {
                numbers.push(*value);
                Self::Number(class.map_or("int", ElementType::name))
            }
            design::Argument::Number { value, class: Some(class) } => {
                Self::Fixed(format!("{class}({})", number(*value)))
            }
            // Its suffix makes it a `long long`, and a cast to two words is no C++.
            design::Argument::Number { value, class: None } => Self::Fixed(number(*value)),
            design::Argument::Type(class) => Self::Fixed(class.name().to_owned()),
            design::Argument::Table { values, class } => {
                let texts: Vec<String> = values.iter().map(|value| number(*value)).collect();
                Self::Fixed(format!("std::vector<{class}>{{{}}}", filled_list(&texts, 12)))
            }
            design::Argument::Decimals(Decimals::One(value)) => Self::Fixed(value.literal()),
            design::Argument::Decimals(Decimals::Table(values)) => {
                let texts: Vec<String> = values.iter().map(|value| value.literal()).collect();
                Self::Fixed(format!("std::vector<float>{{{}}}", filled_list(&texts, 12)))
            }
        }
    }

    /// The type of a number.
    fn class(&self) -> &'static str {
        match self {
            Self::Number(class) | Self::Named(_, class) => class,
            Self::Fixed(_) => "int",
        }
    }

    /// The argument, with the next of `numbers` if it is one.
    fn text<'a>(&self, numbers: &mut impl Iterator<Item = &'a String>) -> String {
        match self {
            Self::Fixed(text) => text.clone(),
            Self::Named(name, class) if *class == "int" => name.clone(),
            Self::Named(name, class) => format!("{class}({name})"),
            Self::Number(class) => {
                let number = numbers.next().map_or("0", String::as_str);
                let literal = number.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
                if literal && *class == "int" { number.to_owned() } else { format!("{class}({number})") }
            }
        }
    }
}

/// The C++ type of the number that the graph gives for an argument that is no table.
pub(super) fn number_type(argument: &design::Argument) -> &'static str {
    match argument {
        design::Argument::Number { value, class } => {
            class.map_or(if i32::try_from(*value).is_ok() { "int" } else { "long long" }, ElementType::name)
        }
        design::Argument::Decimals(_) => "float",
        design::Argument::Type(class) => class.name(),
        design::Argument::Table { class, .. } => class.name(),
    }
}

/// The function or class of a body, with the arguments of its template.
pub fn code_name(body: &Body) -> String {
    let template: Vec<String> = body.template.iter().map(template_argument).collect();
    let list = if template.is_empty() { String::new() } else { format!("<{}>", template.join(", ")) };
    format!("{}{list}", body.function)
}

fn template_argument(argument: &design::Argument) -> String {
    match argument {
        design::Argument::Number { value, class: Some(class) } => format!("{class}({})", number(*value)),
        design::Argument::Number { value, class: None } => number(*value),
        // Tables and numbers with a point are no arguments of templates.
        design::Argument::Decimals(_) => "float".to_owned(),
        design::Argument::Type(class) => class.name().to_owned(),
        design::Argument::Table { class, .. } => class.name().to_owned(),
    }
}

/// A number as C++ has it.
pub(super) fn number(value: i64) -> String {
    match value {
        i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
        _ if i32::try_from(value).is_ok_and(|value| value != i32::MIN) => value.to_string(),
        _ => format!("{value}LL"),
    }
}

/// Ratio, stack and heap as the constructor states them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Configuration {
    ratio: f64,
    stack: u32,
    heap: u32,
    /// Firings in an iteration of the graph. The tools derive them from synchronous blocks alone; a
    /// stated count has precedence (UG1079, "Other Constraints").
    runs: u32,
}

fn configuration_item(context: &Context<'_>, kernel: KernelId) -> Item<Configuration> {
    let memory = &context.device.memory;
    let declared = context.design.runtime(kernel).map(|ratio| f64::from(ratio) / f64::from(WHOLE_CORE));
    let kind = Configuration {
        ratio: declared.unwrap_or(RUNTIME_RATIO),
        stack: context.design.stack_bytes(kernel, memory.default_stack),
        heap: context.design.heap_bytes(kernel, memory),
        runs: context.design.kernels[kernel].repetitions,
    };
    Item { kind, indices: context.member_of(Owner::Kernel(kernel)).1 }
}

fn configure_kernels(context: &Context<'_>, family: FamilyId) -> Vec<Block> {
    let kernels = context.kernels_of(family);
    let items =
        by_kind(kernels.map(|kernel| configuration_item(context, kernel)).collect(), |item| &item.kind);
    blocks(&items, |Configuration { ratio, stack, heap, runs }, indices| {
        let kernel = context.kernel_at(family, indices);
        let count = (*runs > 1).then(|| format!("adf::repetition_count({kernel}) = {runs};"));
        let settings = [
            format!("adf::runtime<adf::ratio>({kernel}) = {ratio};"),
            format!("adf::stack_size({kernel}) = {stack};"),
            format!("adf::heap_size({kernel}) = {heap};"),
        ];
        settings.into_iter().chain(count).collect()
    })
}

/// Creates inputs and outputs: stretches of one declaration with numbered files in loops.
fn create_externals(context: &Context<'_>) -> Vec<Block> {
    let used = context.used_externals();
    let items: Vec<Item<(usize, Opening)>> = used.filter_map(|one| external_item(context, one.id)).collect();
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
struct Opening {
    class: &'static str,
    name: String,
    /// The outside end: PLIO or GMIO.
    end: End,
}

/// The outside end of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    /// PLIO with width in bits, file, and clock in kHz if the design states one.
    Plio(u32, String, Option<u32>),
    /// GMIO with burst length in bytes and bandwidth in MB/s.
    Gmio(u32, u32),
}

impl Opening {
    /// The arguments of `create`. In a loop, names are built from `variable`; otherwise `index` is
    /// written into them.
    fn arguments(&self, variable: Option<&str>, index: &str) -> Vec<String> {
        let string = |pattern: &str| numbered(pattern, variable, index);
        let name = string(&self.name);
        match &self.end {
            End::Plio(bits, file, clock) => {
                let clock = clock.map(|khz| format!("{:?}", f64::from(khz) / 1000.0));
                [name, format!("adf::plio_{bits}_bits"), string(file)].into_iter().chain(clock).collect()
            }
            End::Gmio(burst, bandwidth) => vec![name, burst.to_string(), bandwidth.to_string()],
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
fn external_item(context: &Context<'_>, id: ExternalId) -> Option<Item<(usize, Opening)>> {
    let external = &context.design.externals[id];
    let (at, element) = context.names.element_of(id)?;
    let array = context.names.externals[at].array;
    let pattern = |text: &str, ending: &str| {
        if array { with_hole(text, external.index, ending) } else { text.to_owned() }
    };
    let end = match &external.endpoint {
        Endpoint::Plio { bits, frequency, .. } => {
            let clock = frequency.as_ref().map(|khz| khz.value);
            End::Plio(bits.value, pattern(&context.names.data[id], "."), clock)
        }
        Endpoint::Gmio { burst, bandwidth, .. } => End::Gmio(
            burst.as_ref().map_or(context.device.shim.shortest_burst(), |bytes| bytes.value),
            bandwidth.as_ref().map_or(GMIO_BANDWIDTH, |rate| rate.value),
        ),
    };
    let creation =
        Opening { class: external_class(external), name: pattern(&context.names.logical[id], ""), end };
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
    fn a_wide_number_is_an_argument_without_a_cast() {
        let text = |class| {
            let number = design::Argument::Number { value: 1 << 32, class };
            Argument::of(&number, &mut Vec::new()).text(&mut [].iter())
        };
        assert_eq!(text(None), "4294967296LL", "`long long(1)` is no C++");
        assert_eq!(text(Some(ElementType::Int64)), "int64(4294967296LL)");
    }

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
