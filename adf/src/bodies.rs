//! The C++ and the memory of kernels.

use std::sync::Arc;

use aiec_collectives::ElementType;
use aiec_diag::{Span, Spanned};
use aiec_ir::design::{Argument, Body, Decimals};
use aiec_ir::{CascadeType, Decimal, WHOLE_CORE};

use crate::assumed::Notes;
use crate::description::{Kernel, Site};
use crate::design::Settings;
use crate::names::bare;

/// The body of a kernel called `name`. Notes what had to be assumed.
pub(crate) fn body(kernel: &Kernel, name: &str, settings: &Settings<'_>, notes: &mut Notes) -> Body {
    let span = kernel.site.as_ref().map_or(settings.file, |site| site.span);
    let source = if kernel.source.is_empty() {
        notes.assume("a source called after the function", name);
        format!("{}.cc", bare(&kernel.function))
    } else {
        kernel.source.clone()
    };
    let at =
        |value: u32, site: &Option<Site>| Spanned::new(value, site.as_ref().map_or(span, |site| site.span));
    let bytes = |stated: Option<u64>, usual: Option<u32>, site: &Option<Site>| {
        let stated = stated.map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX));
        stated.or(usual).map(|bytes| at(bytes, site))
    };
    let sites = &kernel.sites;
    note(kernel, name, settings, notes);
    let times = kernel.repetitions.map(|times| u32::try_from(times).unwrap_or(u32::MAX).max(1));
    let source_at = sites.source.as_ref().map_or(span, |site| site.span);
    let mut body = Body {
        init: kernel.init.clone().map(|init| Spanned::new(init, span)),
        stack: bytes(kernel.stack, settings.stack, &sites.stack),
        heap: bytes(kernel.heap, settings.heap, &sites.heap),
        runtime: kernel.runtime.map(|ratio| at(thousandths(ratio), &sites.runtime)),
        repetitions: times.map(|times| at(times, &sites.repetitions)),
        ..Body::of(kernel.function.clone(), Spanned::new(source, source_at))
    };
    code(kernel, settings, span, &mut body);
    body
}

fn note(kernel: &Kernel, name: &str, settings: &Settings<'_>, notes: &mut Notes) {
    if kernel.runtime.is_none() {
        notes.assume("a core of its own", name);
    }
    if kernel.stack.is_none() {
        notes.assume(&format!("a stack of {} bytes", settings.stack.unwrap_or(settings.usual.0)), name);
    }
    if kernel.heap.is_none() {
        notes.assume(&format!("a heap of {} bytes", settings.heap.unwrap_or(settings.usual.1)), name);
    }
}

/// A ratio in 1/1000, rounded down: ratios whose sum is 1, such as three thirds, share a core.
pub(crate) fn thousandths(ratio: f64) -> u32 {
    // A decimal of single precision may lie just below its thousandths.
    let scaled = (ratio * f64::from(WHOLE_CORE) + 1e-3).floor();
    if scaled >= 1.0 { (scaled as u32).min(WHOLE_CORE) } else { 1 }
}

/// Header, arguments of the template and of the constructor. Where a design has no word for one of
/// them, all are in the name of the function.
fn code(kernel: &Kernel, settings: &Settings<'_>, span: Span, body: &mut Body) {
    let header = kernel.headers.first().cloned();
    let needs = kernel.is_class || !kernel.template.is_empty();
    let found = header.or_else(|| (settings.header)(kernel).filter(|_| needs || settings.of_functions));
    let header = found.or_else(|| needs.then(|| body.source.value.clone()));
    let template: Option<Vec<Argument>> = kernel.template.iter().map(|text| argument(text)).collect();
    let whole = match kernel.template.as_slice() {
        [] => kernel.function.clone(),
        list => format!("{}<{}>", kernel.function, list.join(", ")),
    };
    body.header = header.map(|header| Spanned::new(header, span));
    match template {
        Some(template) => body.template = template,
        None => body.function = whole,
    }
    if kernel.is_class {
        let arguments = kernel.arguments.as_deref().and_then(constructed_all);
        if arguments.is_none() {
            body.function.push_str("(...)");
        }
        body.arguments = Some(arguments.unwrap_or_default());
    }
}

/// An argument of a template: a type or a whole number.
fn argument(text: &str) -> Option<Argument> {
    let text = text.trim();
    let class = element(text).map(CascadeType::Vector).or_else(|| CascadeType::from_name(text));
    class.map(Argument::Type).or_else(|| number(text))
}

/// The arguments of a constructor. Returns None when a design has no word for one of them.
pub(crate) fn constructed_all(texts: &[String]) -> Option<Vec<Argument>> {
    texts.iter().map(|text| constructed(text)).collect()
}

/// An argument of a constructor: a number, or a list of them in braces.
fn constructed(text: &str) -> Option<Argument> {
    let text = text.trim();
    let Some((class, list)) = text.strip_suffix('}').and_then(|text| text.split_once('{')) else {
        return number(text).or_else(|| fraction(text).map(Decimals::One).map(Argument::Decimals));
    };
    let inner = class.split_once('<').map_or(class, |(_, inner)| inner);
    let inner = inner.split([',', '>']).next().unwrap_or(inner).trim();
    let class = if inner.is_empty() { ElementType::Int32 } else { element(inner)? };
    let parts = || list.split(',').map(str::trim);
    let Some(values) = parts().map(whole).collect::<Option<Vec<i64>>>() else {
        let values = parts().map(fraction).collect::<Option<_>>().filter(|_| class == ElementType::Float)?;
        return Some(Argument::Decimals(Decimals::Table(values)));
    };
    Some(Argument::Table { values: Arc::from(values), class })
}

/// A number that may have digits behind the point.
fn fraction(text: &str) -> Option<Decimal> {
    Decimal::parse(text.strip_suffix('f').unwrap_or(text))
}

fn number(text: &str) -> Option<Argument> {
    let value = match text {
        "true" => 1,
        "false" => 0,
        _ => whole(text)?,
    };
    Some(Argument::Number { value, class: None })
}

/// A whole number of C++, such as `-3` or `64u`.
fn whole(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let (sign, digits) = digits.strip_prefix('-').map_or((1, digits), |digits| (-1, digits));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?,
    };
    Some(sign * value)
}

/// An element type by its name in ADF or in C++.
pub(crate) fn element(text: &str) -> Option<ElementType> {
    let short = text.strip_prefix("std::").unwrap_or(text);
    let short = short.strip_suffix("_t").unwrap_or(short);
    let named = match short {
        "signed char" => "int8",
        "unsigned char" => "uint8",
        "short" | "short int" => "int16",
        "unsigned short" | "short unsigned int" => "uint16",
        "int" => "int32",
        "unsigned" | "unsigned int" => "uint32",
        "long" | "long int" | "long long" | "long long int" => "int64",
        "unsigned long" | "long unsigned int" | "unsigned long long" | "long long unsigned int" => "uint64",
        other => other,
    };
    ElementType::from_name(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_types_numbers_and_lists() {
        let number = |value| Some(Argument::Number { value, class: None });
        assert_eq!(argument("int"), Some(Argument::Type(CascadeType::Vector(ElementType::Int32))));
        assert_eq!(argument("acc48").map(|class| class.to_string()), Some("acc48".to_owned()));
        assert_eq!(argument("cint16"), Some(Argument::Type(CascadeType::Vector(ElementType::Cint16))));
        assert_eq!(
            (argument("128u"), argument("-0x10"), argument("false")),
            (number(128), number(-16), number(0))
        );
        assert_eq!((argument("Mode::fast"), argument("2.5f"), argument("-")), (None, None, None));
        let table = |class| Some(Argument::Table { values: Arc::from(vec![900, -400]), class });
        assert_eq!(constructed("{900, -400}"), table(ElementType::Int32));
        assert_eq!(constructed("std::vector<short>{900, -400}"), table(ElementType::Int16));
        assert_eq!(constructed("std::vector<double>{1}"), None);
        assert_eq!(constructed("{}"), None);
    }

    #[test]
    fn ratios_are_thousandths_of_a_core() {
        assert_eq!([0.9, 0.3, 1.0, 0.0, 7.0].map(thousandths), [900, 300, 1000, 1, 1000]);
        for parts in 1..=1000_u32 {
            let all = [f64::from(1.0 / parts as f32), 1.0 / f64::from(parts)];
            assert!(all.iter().all(|&part| parts * thousandths(part) <= WHOLE_CORE), "{parts} parts");
        }
        let singles = [0.4_f32, 0.6, 0.9, 0.1].map(|ratio| thousandths(f64::from(ratio)));
        assert_eq!(singles, [400, 600, 900, 100]);
    }
}
