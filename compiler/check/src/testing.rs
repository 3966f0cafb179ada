//! Helpers for the tests of all rule families.

use aiec_device::{Device, builtin};
use aiec_diag::{Outcome, RenderStyle, Sources, render};

use crate::{Checked, check};
use aiec_collectives::ElementType;
use aiec_ir::expanded::Expanded;
use aiec_ir::{Carries, Flow};
use aiec_test_support::{Builder, Reduce, int32, stream};

/// The built-in device `name`.
pub fn device(name: &str) -> Device {
    builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
}

/// The toy device: 6 columns x 4 rows.
pub fn toy() -> Device {
    device("toy")
}

/// A port of windows of this many 32-bit integers.
pub const fn window(elements: u32) -> Carries {
    Carries::window_of(int32(elements))
}

/// A port of streams of this many words in a firing.
pub const fn words(elements: u32) -> Carries {
    stream(Some(elements))
}

/// A port of packets of this many words in a firing.
pub const fn packets(elements: u32) -> Carries {
    Carries::Packets(Flow { element: ElementType::Int32, per_run: Some(elements) })
}

/// Makes all parameters of a design asynchronous, or all synchronous.
pub fn pass_parameters(design: &mut Expanded, asynchronous: bool) {
    let is_parameter = |carries: Option<Carries>| matches!(carries, Some(Carries::Parameter(_)));
    let all: Vec<_> = design.ports.ids().filter(|&id| is_parameter(design.ports[id].carries)).collect();
    all.into_iter().for_each(|id| design.ports[id].asynchronous = asynchronous);
}

/// The slugs found, in order. Asserts that every help is set and every label has text.
pub fn slugs(outcome: &Outcome<Checked>) -> Vec<&'static str> {
    for diagnostic in outcome.diagnostics() {
        assert!(!diagnostic.help.is_empty() && !diagnostic.labels.is_empty(), "{diagnostic:?}");
        assert!(diagnostic.labels.iter().all(|label| label.text.len() > 4), "{diagnostic:?}");
    }
    outcome.diagnostics().iter().map(|diagnostic| diagnostic.code.slug).collect()
}

/// The slugs that the checks find in a design for `device`.
pub fn slugs_on(builder: &Builder, device: &Device) -> Vec<&'static str> {
    slugs(&check(builder.expanded().expect("every name is declared"), device))
}

/// The slugs that the checks find in a design for the toy device.
pub fn slugs_on_toy(builder: &Builder) -> Vec<&'static str> {
    slugs_on(builder, &toy())
}

/// The diagnostics as the user sees them.
pub fn rendered(builder: &Builder, device: &Device) -> String {
    let mut sources = Sources::default();
    sources.add("test.dsl", builder.source());
    let outcome = check(builder.expanded().expect("every name is declared"), device);
    render(outcome.diagnostics(), &sources, RenderStyle::PLAIN)
}

/// Ends a chain of builder calls.
pub fn done(_: &mut Builder) {}

/// Four kernels `a` of a reduction, with constraints.
pub fn with_ranks(constrain: impl Fn(&mut Builder)) -> Builder {
    let mut builder = Builder::new("placed", "toy");
    builder.kernels("a", &[4], &[]).reduce(Reduce::over("total", &["a"], int32(4)));
    constrain(&mut builder);
    builder
}

/// The slugs that the checks find in [`with_ranks`].
pub fn slugs_with(constrain: impl Fn(&mut Builder)) -> Vec<&'static str> {
    slugs_on_toy(&with_ranks(constrain))
}

/// The slugs that the checks find where kernels of [`with_ranks`] are on these columns and rows.
pub fn placed(places: &[(&str, i64, i64)]) -> Vec<&'static str> {
    slugs_with(|builder| {
        places.iter().for_each(|&(kernel, column, row)| done(builder.place(kernel, column, row)));
    })
}
