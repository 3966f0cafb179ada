//! `aie/include/aiec/design.h`: the numbers of a design, for the sources of its kernels.

use aiec_ir::design::{Family, UserPort};
use aiec_ir::{PortKind, c_names};
use askama::Template;

use super::Context;
use crate::names::Scope;

/// Path of the header, relative to the project's folder.
pub(crate) const PATH: &str = "aie/include/aiec/design.h";

/// `aie/include/aiec/design.h`. C++14, since the graph's compiler may see it.
#[derive(Template)]
#[template(path = "design.h.askama", escape = "none")]
pub(crate) struct DesignH<'a> {
    stamp: &'a str,
    design: &'a str,
    buffers: u8,
    namespace: &'static str,
    constants: Vec<ConstantView>,
    kernels: Vec<KernelView<'a>>,
}

/// A kernel with the ports whose elements in one run the design states.
struct KernelView<'a> {
    name: &'a str,
    ports: Vec<PortView>,
}

/// The elements that pass through a port.
struct PortView {
    name: String,
    elements: u32,
    element: &'static str,
}

/// A constant as C++ has it.
struct ConstantView {
    class: &'static str,
    name: String,
    value: String,
}

/// The constants in declaration order, and the kernels that have ports of their own.
pub(crate) fn design_h<'a>(context: &'a Context<'a>) -> DesignH<'a> {
    let design = context.design;
    let is_taken = design.families.iter().any(|family| family.name == "design");
    DesignH {
        stamp: &context.stamp,
        design: &design.name.value,
        buffers: u8::from(design.port_kind == PortKind::Buffer),
        // A kernel of this name is a function beside the namespace.
        namespace: if is_taken { "design_numbers" } else { "design" },
        constants: constants(&design.constants, design.families.iter()),
        kernels: design.families.iter().map(kernel).filter(|kernel| !kernel.ports.is_empty()).collect(),
    }
}

fn kernel(family: &Family) -> KernelView<'_> {
    let sized = |port: &UserPort| {
        let block = port.carries.per_run().or_else(|| port.carries.block())?;
        Some(PortView { name: port.identifier(), elements: block.elements, element: block.element.name() })
    };
    KernelView { name: &family.name, ports: family.ports.iter().filter_map(sized).collect() }
}

/// Constants with names that C++ allows: others get an underscore behind them.
fn constants<'a>(
    constants: &[(String, i64)],
    families: impl Iterator<Item = &'a Family>,
) -> Vec<ConstantView> {
    let plain = |name: &str| !cannot_be_named(name);
    let own = constants.iter().map(|(name, _)| name.clone()).filter(|name| plain(name));
    let mut scope = Scope::with(own.chain(families.map(|family| family.name.clone())));
    let view = |(name, value): &(String, i64)| {
        let trimmed = name.trim_matches('_').replace("__", "_");
        let wanted = [format!("{trimmed}_"), format!("{trimmed}_constant")];
        let name = if plain(name) { name.clone() } else { scope.fresh(&wanted) };
        let is_small = i32::try_from(*value).is_ok_and(|value| value != i32::MIN);
        let value = match *value {
            i64::MIN => "-9223372036854775807LL - 1".to_owned(),
            value if is_small => value.to_string(),
            value => format!("{value}LL"),
        };
        ConstantView { class: if is_small { "int" } else { "long long" }, name, value }
    };
    constants.iter().map(view).collect()
}

/// True for words of C++, macros of the C library and names that C++ keeps for itself.
fn cannot_be_named(name: &str) -> bool {
    c_names::is_word(name) || c_names::is_macro(name) || name.starts_with('_') || name.contains("__")
}

#[cfg(test)]
mod tests {
    use super::constants;

    fn named(list: &[(&str, i64)]) -> Vec<String> {
        let list: Vec<(String, i64)> = list.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        constants(&list, std::iter::empty())
            .iter()
            .map(|c| format!("{} {} = {}", c.class, c.name, c.value))
            .collect()
    }

    #[test]
    fn constants_are_as_wide_as_they_must_be() {
        assert_eq!(named(&[("N", 63), ("LOW", -5)]), ["int N = 63", "int LOW = -5"]);
        assert_eq!(named(&[("BIG", 1 << 40)]), ["long long BIG = 1099511627776LL"]);
        assert_eq!(named(&[("LEAST", i64::MIN)]), ["long long LEAST = -9223372036854775807LL - 1"]);
    }

    #[test]
    fn names_that_cpp_keeps_for_itself_get_an_underscore() {
        assert_eq!(
            named(&[("int", 1), ("NAN", 2), ("_x", 3), ("a__b", 4)]),
            ["int int_ = 1", "int NAN_ = 2", "int x_ = 3", "int a_b_ = 4"]
        );
        assert_eq!(named(&[("int_", 1), ("int", 2)]), ["int int_ = 1", "int int_constant = 2"]);
    }
}
