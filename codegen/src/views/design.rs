//! `aie/include/aiec/design.h`: the numbers of a design, for the sources of its kernels.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Span;
use aiec_ir::design::{Decimals, Family, UserPort};
use aiec_ir::{Expanded, PortKind, c_names};
use askama::Template;

use super::Context;
use crate::hierarchy::subgraphs;
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

/// Kernels with the ports whose elements in one run the design states.
struct KernelView {
    name: String,
    ports: Vec<PortView>,
    /// The declaration whose kernels alone have these numbers, with the component or design that
    /// declares it. None for all kernels of the name.
    of: Option<(Span, String)>,
}

/// The elements that pass through a port.
#[derive(Clone, PartialEq, Eq)]
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
    /// The constant, if that is not the name.
    of: Option<String>,
}

/// The constants in declaration order, and the kernels that have ports of their own.
pub(crate) fn design_h<'a>(context: &'a Context<'a>) -> DesignH<'a> {
    let design = context.design;
    DesignH {
        stamp: &context.stamp,
        design: &design.name.value,
        buffers: u8::from(design.port_kind == PortKind::Buffer),
        namespace: namespace(design),
        constants: constants(design),
        kernels: kernels(design),
    }
}

/// The kernels that have ports. A name stands for all kernels of that name, and has the numbers in
/// which they agree, since any of their sources may say it. A component's kernel has a longer name
/// as well, and so has one of the design with further numbers. A component's source serves all its
/// instances, so numbers in which these differ have no name.
fn kernels(design: &Expanded) -> Vec<KernelView> {
    let mut names: Vec<&str> = Vec::new();
    let mut called: BTreeMap<&str, Vec<(&Family, Vec<PortView>)>> = BTreeMap::new();
    for family in design.families.iter().filter(|family| !family.ports.is_empty()) {
        let all = called.entry(family.local()).or_default();
        if all.is_empty() {
            names.push(family.local());
        }
        all.push((family, ports(family)));
    }
    let components = components(design);
    let mut scope = taken(design);
    let mut found: Vec<KernelView> = Vec::new();
    for name in names {
        let all = called.remove(name).unwrap_or_default();
        let shared = agreed(all.iter().map(|(_, ports)| ports));
        let mut seen: BTreeSet<Span> = BTreeSet::new();
        let mut others: Vec<KernelView> = Vec::new();
        for (family, _) in all.iter().filter(|(family, _)| seen.insert(family.span)) {
            let own = all.iter().filter(|(other, _)| other.span == family.span);
            let ports = agreed(own.map(|(_, ports)| ports));
            let component = components.get(family.name.as_str()).copied();
            if component.is_some() || ports.iter().any(|port| !shared.contains(port)) {
                let around = component.unwrap_or(&design.name.value);
                let of = Some((family.span, around.to_owned()));
                others.push(KernelView { name: scope.fresh(&[format!("{around}_{name}")]), ports, of });
            }
        }
        found.push(KernelView { name: name.to_owned(), ports: shared, of: None });
        found.extend(others);
    }
    found.into_iter().filter(|kernel| !kernel.ports.is_empty()).collect()
}

/// The component of each family that one declares, by the family's name.
fn components(design: &Expanded) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    for (_, instance) in subgraphs(design) {
        let names = instance.families.iter().map(|&id| design.families[id].name.as_str());
        found.extend(names.map(|name| (name, instance.component.as_str())));
    }
    found
}

/// The ports of lists that no other list contradicts, in the order in which they come.
fn agreed<'a>(lists: impl Iterator<Item = &'a Vec<PortView>>) -> Vec<PortView> {
    let mut found: Vec<(&PortView, bool)> = Vec::new();
    for port in lists.flatten() {
        match found.iter_mut().find(|(known, _)| known.name == port.name) {
            Some((known, agrees)) => *agrees &= *known == port,
            None => found.push((port, true)),
        }
    }
    found.into_iter().filter(|(_, agrees)| *agrees).map(|(port, _)| port.clone()).collect()
}

/// A name of the design itself with the design's name in front.
fn prefixed(design: &Expanded, name: &str) -> String {
    format!("{}_{name}", design.name.value)
}

/// The names of kernels and constants.
fn taken(design: &Expanded) -> Scope {
    let constants = design.constants.iter().map(|(name, _)| name);
    let constants = constants.chain(design.tables.iter().map(|(name, _)| name));
    let constants = constants.chain(design.decimals.iter().map(|(name, _)| name)).cloned();
    Scope::with(constants.chain(design.families.iter().map(|family| family.local().to_owned())))
}

/// The name of the elements that pass through a port in one run, such as
/// `design::scale::x_elements`. Without one it is their number.
pub(super) fn elements_of(design: &Expanded, family: &Family, port: &UserPort, elements: u32) -> String {
    let name = port.identifier();
    let is_it = |kernel: &&KernelView| {
        let is_own = match &kernel.of {
            None => kernel.name == family.local(),
            Some((declared, _)) => *declared == family.span,
        };
        is_own && kernel.ports.iter().any(|one| (&one.name, one.elements) == (&name, elements))
    };
    // The longer name means the same in every design.
    match kernels(design).iter().filter(is_it).max_by_key(|kernel| kernel.of.is_some()) {
        Some(kernel) => format!("{}::{}::{name}_elements", namespace(design), kernel.name),
        None => elements.to_string(),
    }
}

/// The names of numbers that sources of `family` may miss in the header, since another kernel or
/// file has the plain name with other numbers. A sentence for each name in `words`.
pub fn longer_names(design: &Expanded, family: &Family, words: &str) -> Vec<String> {
    let space = namespace(design);
    let is_named =
        |name: &str| words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name);
    let kernels = kernels(design).into_iter().filter_map(|kernel| {
        let (declared, around) = kernel.of?;
        let says =
            format!("`{space}::{}` has the numbers of `{}` in `{around}` alone", kernel.name, family.local());
        (declared == family.span && is_named(family.local())).then_some(says)
    });
    let constants = constants(design).into_iter().filter_map(|constant| {
        let of = constant.of.filter(|name| is_named(name))?;
        let name = constant.name.split('[').next().unwrap_or_default();
        Some(format!("`{space}::{name}` is `{of}` of the design, of which imported files have another"))
    });
    kernels.chain(constants).collect()
}

/// The namespace of the numbers. A kernel called `design` is a function beside it.
fn namespace(design: &Expanded) -> &'static str {
    let is_taken = design.families.iter().any(|family| family.local() == "design");
    if is_taken { "design_numbers" } else { "design" }
}

fn ports(family: &Family) -> Vec<PortView> {
    let sized = |port: &UserPort| {
        let block = port.carries.per_run().or_else(|| port.carries.block())?;
        Some(PortView { name: port.identifier(), elements: block.elements, element: block.element.name() })
    };
    family.ports.iter().filter_map(sized).collect()
}

/// Constants, then tables. Names that C++ does not allow get an underscore behind them, and names
/// with which imported files mean something else the design's name in front.
fn constants(design: &Expanded) -> Vec<ConstantView> {
    let mut scope = taken(design);
    let mut named = |name: &str| {
        if design.ambiguous.contains(name) {
            return (scope.fresh(&[prefixed(design, name)]), Some(name.to_owned()));
        }
        if !cannot_be_named(name) {
            return (name.to_owned(), None);
        }
        let trimmed = name.trim_matches('_').replace("__", "_");
        (scope.fresh(&[format!("{trimmed}_"), format!("{trimmed}_constant")]), None)
    };
    let mut views: Vec<ConstantView> = Vec::new();
    for (name, value) in &design.constants {
        let (name, of) = named(name);
        views.push(ConstantView { class: class_of(&[*value]), name, value: text_of(*value), of });
    }
    for (name, values) in &design.tables {
        let texts: Vec<String> = values.iter().map(|value| text_of(*value)).collect();
        let (name, of) = named(name);
        let name = format!("{name}[{}]", values.len());
        let value = format!("{{{}}}", filled_list(&texts, 4));
        views.push(ConstantView { class: class_of(values), name, value, of });
    }
    for (name, values) in &design.decimals {
        let (name, of) = named(name);
        let (name, value) = match values {
            Decimals::One(value) => (name, value.literal()),
            Decimals::Table(values) => {
                let texts: Vec<String> = values.iter().map(|value| value.literal()).collect();
                (format!("{name}[{}]", values.len()), format!("{{{}}}", filled_list(&texts, 4)))
            }
        };
        views.push(ConstantView { class: "float", name, value, of });
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
    use aiec_ir::{Decimal, Expanded};
    use aiec_test_support::Builder;

    fn design() -> Expanded {
        Builder::new("d", "toy").kernels("k", &[], &[]).expanded().expect("declared")
    }

    fn lines(design: &Expanded) -> Vec<String> {
        constants(design).iter().map(|one| format!("{} {} = {}", one.class, one.name, one.value)).collect()
    }

    fn named(list: &[(&str, i64)]) -> Vec<String> {
        let constants = list.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        lines(&Expanded { constants, ..design() })
    }

    #[test]
    fn names_that_an_imported_file_gives_another_value_get_the_designs_name() {
        let constants = vec![("LEN".to_owned(), 7), ("N".to_owned(), 2)];
        let ambiguous = ["LEN".to_owned()].into();
        assert_eq!(lines(&Expanded { constants, ambiguous, ..design() }), ["int d_LEN = 7", "int N = 2"]);
    }

    #[test]
    fn constants_are_as_wide_as_they_must_be() {
        assert_eq!(named(&[("N", 63), ("LOW", -5)]), ["int N = 63", "int LOW = -5"]);
        assert_eq!(named(&[("BIG", 1 << 40)]), ["long long BIG = 1099511627776LL"]);
        assert_eq!(named(&[("LEAST", i64::MIN)]), ["long long LEAST = -9223372036854775807LL - 1"]);
    }

    #[test]
    fn tables_are_arrays() {
        let tables = vec![("TAPS".to_owned(), [3, -9].into()), ("int".to_owned(), [1 << 40].into())];
        let decimal = |text| Decimal::parse(text).expect("a decimal");
        let decimals = vec![
            ("GAIN".to_owned(), Decimals::One(decimal("1.5"))),
            ("WEIGHTS".to_owned(), Decimals::Table([decimal("0.25"), decimal("1")].into())),
        ];
        assert_eq!(
            lines(&Expanded { tables, decimals, ..design() }),
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
