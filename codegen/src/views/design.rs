//! `aie/include/aiec/design.h`: the numbers of a design, for the sources of its kernels.

use std::sync::Arc;

use aiec_ir::design::{Decimals, Family, UserPort};
use aiec_ir::{Expanded, PortKind, c_names};
use askama::Template;

use super::Context;
use crate::lines::filled_list;
use crate::scope::Scope;

/// Path of the header, relative to the project's folder.
pub(crate) const PATH: &str = "aie/include/aiec/design.h";

/// `aie/include/aiec/design.h`. It is C++14, since the graph's compiler may include it.
#[derive(Template)]
#[template(path = "design.h.askama", escape = "none")]
pub(crate) struct DesignH<'a> {
    stamp: &'a str,
    design: &'a str,
    buffers: u8,
    namespace: &'static str,
    constants: Vec<ConstantView>,
    kernels: Vec<KernelView>,
}

/// A kernel with the ports whose elements in one run the design states.
struct KernelView {
    name: String,
    ports: Vec<PortView>,
}

/// The elements that pass through a port.
#[derive(PartialEq, Eq)]
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
    DesignH {
        stamp: &context.stamp,
        design: &design.name.value,
        buffers: u8::from(design.port_kind == PortKind::Buffer),
        namespace: namespace(design),
        constants: constants(&design.constants, &design.tables, &design.decimals, design.families.iter()),
        kernels: kernels(design),
    }
}

/// The kernels that have ports, each declaration once. A component's source serves all its
/// instances, so numbers in which they differ have no name.
fn kernels(design: &Expanded) -> Vec<KernelView> {
    let mut declared: Vec<(&Family, KernelView)> = Vec::new();
    for family in design.families.iter().filter(|family| !family.ports.is_empty()) {
        let view = kernel(family);
        match declared.iter_mut().find(|(known, _)| known.span == family.span) {
            None => declared.push((family, view)),
            Some((_, known)) => known.ports.retain(|port| view.ports.contains(port)),
        }
    }
    let mut found: Vec<KernelView> = Vec::new();
    for (family, view) in declared {
        match found.iter().find(|known| known.name == view.name) {
            None => found.push(view),
            Some(known) if known.ports == view.ports => {}
            Some(_) => found.push(KernelView { name: family.identifier(), ..view }),
        }
    }
    found.into_iter().filter(|kernel| !kernel.ports.is_empty()).collect()
}

/// The name of the elements that pass through a port in one run, such as
/// `design::scale::x_elements`. Without one it is their number.
pub(super) fn elements_of(design: &Expanded, family: &Family, port: &UserPort, elements: u32) -> String {
    let (local, name) = (family.local(), port.identifier());
    let is_it = |kernel: &KernelView| {
        kernel.name == local && kernel.ports.iter().any(|one| (&one.name, one.elements) == (&name, elements))
    };
    match kernels(design).iter().any(is_it) {
        true => format!("{}::{local}::{name}_elements", namespace(design)),
        false => elements.to_string(),
    }
}

/// The namespace of the numbers. A kernel called `design` is a function beside it.
fn namespace(design: &Expanded) -> &'static str {
    let is_taken = design.families.iter().any(|family| family.local() == "design");
    if is_taken { "design_numbers" } else { "design" }
}

fn kernel(family: &Family) -> KernelView {
    let sized = |port: &UserPort| {
        let block = port.carries.per_run().or_else(|| port.carries.block())?;
        Some(PortView { name: port.identifier(), elements: block.elements, element: block.element.name() })
    };
    KernelView { name: family.local().to_owned(), ports: family.ports.iter().filter_map(sized).collect() }
}

/// Constants, then tables, with names that C++ allows: others get an underscore behind them.
fn constants<'a>(
    constants: &[(String, i64)],
    tables: &[(String, Arc<[i64]>)],
    decimals: &[(String, Decimals)],
    families: impl Iterator<Item = &'a Family>,
) -> Vec<ConstantView> {
    let plain = |name: &str| !cannot_be_named(name);
    let names = constants.iter().map(|(name, _)| name).chain(tables.iter().map(|(name, _)| name));
    let names = names.chain(decimals.iter().map(|(name, _)| name));
    let own = names.filter(|name| plain(name)).cloned();
    let mut scope = Scope::with(own.chain(families.map(|family| family.local().to_owned())));
    let mut named = |name: &str| {
        let trimmed = name.trim_matches('_').replace("__", "_");
        let wanted = [format!("{trimmed}_"), format!("{trimmed}_constant")];
        if plain(name) { name.to_owned() } else { scope.fresh(&wanted) }
    };
    let mut views: Vec<ConstantView> = Vec::new();
    for (name, value) in constants {
        views.push(ConstantView { class: class_of(&[*value]), name: named(name), value: text_of(*value) });
    }
    for (name, values) in tables {
        let texts: Vec<String> = values.iter().map(|value| text_of(*value)).collect();
        let name = format!("{}[{}]", named(name), values.len());
        let value = format!("{{{}}}", filled_list(&texts, 4));
        views.push(ConstantView { class: class_of(values), name, value });
    }
    for (name, values) in decimals {
        let (name, value) = match values {
            Decimals::One(value) => (named(name), value.literal()),
            Decimals::Table(values) => {
                let texts: Vec<String> = values.iter().map(|value| value.literal()).collect();
                (format!("{}[{}]", named(name), values.len()), format!("{{{}}}", filled_list(&texts, 4)))
            }
        };
        views.push(ConstantView { class: "float", name, value });
    }
    views
}

/// The type that holds all `values`.
fn class_of(values: &[i64]) -> &'static str {
    if values.iter().all(|&value| is_small(value)) { "int" } else { "long long" }
}

fn is_small(value: i64) -> bool {
    i32::try_from(value).is_ok_and(|value| value != i32::MIN)
}

fn text_of(value: i64) -> String {
    match value {
        i64::MIN => "-9223372036854775807LL - 1".to_owned(),
        value if is_small(value) => value.to_string(),
        value => format!("{value}LL"),
    }
}

/// True for words of C++, macros of the C library and names that C++ keeps for itself.
fn cannot_be_named(name: &str) -> bool {
    c_names::is_word(name) || c_names::is_macro(name) || name.starts_with('_') || name.contains("__")
}

#[cfg(test)]
mod tests {
    use super::{Decimals, constants};
    use aiec_ir::Decimal;

    fn named(list: &[(&str, i64)]) -> Vec<String> {
        let list: Vec<(String, i64)> = list.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        constants(&list, &[], &[], std::iter::empty())
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
    fn tables_are_arrays() {
        let tables = [("TAPS".to_owned(), [3, -9].into()), ("int".to_owned(), [1 << 40].into())];
        let decimal = |text| Decimal::parse(text).expect("a decimal");
        let decimals = [
            ("GAIN".to_owned(), Decimals::One(decimal("1.5"))),
            ("WEIGHTS".to_owned(), Decimals::Table([decimal("0.25"), decimal("1")].into())),
        ];
        let views = constants(&[], &tables, &decimals, std::iter::empty());
        let lines: Vec<String> =
            views.iter().map(|view| format!("{} {} = {}", view.class, view.name, view.value)).collect();
        assert_eq!(
            lines,
            [
                "int TAPS[2] = {3, -9}",
                "long long int_[1] = {1099511627776LL}",
                "float GAIN = 1.5f",
                "float WEIGHTS[2] = {0.25f, 1.0f}"
            ]
        );
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
