//! Constraints on tiles that the array does not have.
//!
//! All tiles of one statement, as in a loop, are one fault. Those of each instance of a component
//! are a fault of their own, whose message names the instance; the caller joins them.

use aiec_diag::Diagnostic;

use super::aligned;
use super::context::{Context, grouped};
use crate::errors::outside::{self as errors, Distance, Stated};
use aiec_ir::KernelId;
use aiec_ir::constraints::Axis;
use aiec_ir::expanded::Place;

/// Places, regions, keepouts and distances that do not fit the array.
pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = places(context);
    found.extend(areas(context));
    found.extend(distances(context));
    found
}

/// The instance of a component that holds a kernel.
fn instance<'a>(context: &Context<'a>, kernel: KernelId) -> Option<&'a str> {
    context.expanded.families[context.expanded.kernels[kernel].family].instance()
}

fn places(context: &Context) -> Vec<Diagnostic> {
    let all = context.expanded.places.iter();
    let outside = all.filter(|place| context.tile(place.column, place.row).is_none());
    let statements = grouped(outside.map(|place| ((place.span, instance(context, place.kernel)), place)));
    let fault = |places: &Vec<&Place>| errors::outside(context.expanded, places, context.device);
    statements.values().map(fault).collect()
}

fn areas(context: &Context) -> Vec<Diagnostic> {
    let constraints = &context.expanded.constraints;
    let regions = constraints.regions.iter().flat_map(|region| {
        let kernel = region.kernels.first().copied();
        region.areas.iter().map(move |&area| Stated { area, word: "region", kernel, span: region.span })
    });
    let keepouts = constraints.keepouts.iter();
    let keepouts = keepouts.map(|keepout| Stated {
        area: keepout.area,
        word: "keepout",
        kernel: None,
        span: keepout.span,
    });
    let outside = regions.chain(keepouts).filter(|stated| {
        let inside = |(column, row)| context.tile(column, row).is_some();
        !inside(stated.area.from) || !inside(stated.area.to)
    });
    let owner = |stated: &Stated| stated.kernel.and_then(|kernel| instance(context, kernel));
    let statements = grouped(outside.map(|stated| ((stated.span, owner(&stated)), stated)));
    let statements = statements.values();
    statements.map(|areas| errors::areas(context.expanded, areas, context.device)).collect()
}

/// Offsets and alignments that are longer than the array.
fn distances(context: &Context) -> Vec<Diagnostic> {
    let (constraints, device) = (&context.expanded.constraints, context.device);
    let far = constraints.offsets.iter().filter(|offset| !context.fits_array(offset));
    let far = far.map(|offset| {
        let distance = Distance { columns: Some(offset.columns), rows: Some(offset.rows) };
        errors::too_far(context.expanded, offset.kernel, offset.from, distance, offset.span, device)
    });
    let wide = constraints.aligned.iter().filter(|aligned| !aligned::fits_array(context, aligned));
    let wide = wide.map(|aligned| {
        let distance = match aligned.axis {
            Axis::Column => Distance { columns: Some(aligned.distance), rows: None },
            Axis::Row => Distance { columns: None, rows: Some(aligned.distance) },
        };
        errors::too_far(context.expanded, aligned.kernel, aligned.from, distance, aligned.span, device)
    });
    far.chain(wide).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{done, placed, slugs_with, toy, with_ranks};
    use aiec_test_support::Builder;

    #[test]
    fn a_place_lies_on_the_array() {
        assert_eq!(placed(&[("a[0]", 5, 3), ("a[1]", 0, 0)]), [""; 0]);
        assert_eq!(placed(&[("a[0]", 6, 0)]), ["check/place-outside"]);
        assert_eq!(placed(&[("a[0]", 0, 4)]), ["check/place-outside"]);
        assert_eq!(placed(&[("a[0]", -1, 0)]), ["check/place-outside"]);
        assert_eq!(placed(&[("a[0]", 1 << 40, 0)]), ["check/place-outside"]);
    }

    #[test]
    fn tiles_of_one_statement_outside_the_array_are_one_fault() {
        let tiles = [("a[0]", 6), ("a[1]", 7), ("a[2]", 5), ("a[3]", 8)];
        let builder =
            with_ranks(|b| tiles.iter().for_each(|&(kernel, column)| done(b.place(kernel, column, 0))));
        let mut design = builder.expanded().expect("every name is declared");
        let span = design.places[0].span;
        design.places.iter_mut().for_each(|place| place.span = span);
        let outcome = crate::check(design, &toy());
        let messages: Vec<&str> = outcome.diagnostics().iter().map(|fault| fault.message.as_str()).collect();
        let one =
            "`a[0]` is placed at (6, 0), but toy has no such tile; the statement names 2 more of this kind";
        assert_eq!(messages, [one]);
    }

    #[test]
    fn regions_keepouts_and_offsets_lie_on_the_array() {
        assert_eq!(slugs_with(|b| done(b.region(&["a"], (0, 0), (5, 3)).keepout((5, 3), (5, 3)))), [""; 0]);
        assert_eq!(slugs_with(|b| done(b.region(&["a"], (0, 0), (6, 3)))), ["check/place-outside"]);
        assert_eq!(slugs_with(|b| done(b.keepout((0, -1), (1, 1)))), ["check/place-outside"]);
        assert_eq!(slugs_with(|b| done(b.place_relative("a[0]", "a[1]", (5, -3)))), [""; 0]);
        assert_eq!(slugs_with(|b| done(b.place_relative("a[0]", "a[1]", (6, 0)))), ["check/place-outside"]);
        let far = |b: &mut Builder| done(b.place_relative("a[0]", "a[1]", (i64::MIN, i64::MAX)));
        assert_eq!(slugs_with(far), ["check/place-outside"]);
    }
}
