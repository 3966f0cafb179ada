//! Cascades: their number per core, their element type and their length (AM009, cascade).

use std::collections::BTreeMap;

use aiec_diag::Diagnostic;

use super::context::Context;
use crate::errors::cascade as errors;
use aiec_ir::KernelId;
use aiec_ir::expanded::{Cascade, Collective};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = ends(context);
    let chains = || context.expanded.collectives.iter().filter(|collective| collective.plan.is_cascade());
    found.extend(chains().filter(|chain| has_no_carrier(chain)).map(errors::element));
    let longest = context.grid.longest_cascade();
    let long = chains().filter(|chain| chain.ranks.len() > longest);
    found.extend(long.map(|chain| errors::too_long(context.expanded, chain, longest, context.device)));
    found
}

/// True if no vector type has elements of this type.
fn has_no_carrier(chain: &Collective) -> bool {
    chain.data.value.element.carrier().is_none()
}

/// A core has one cascade in and one out. Reports the first stream that needs a second one, once
/// for each pair of collectives.
fn ends(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let mut found = Vec::new();
    let mut reported = Vec::new();
    let mut taken: BTreeMap<(KernelId, bool), &Cascade> = BTreeMap::new();
    for cascade in &design.cascades {
        for (kernel, into) in [(cascade.from, false), (cascade.to, true)] {
            let first = *taken.entry((kernel, into)).or_insert(cascade);
            let pair = (first.origin, cascade.origin);
            if first != cascade && !reported.contains(&pair) {
                reported.push(pair);
                found.push(errors::ends(design, first, cascade, into));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_collectives::{ElementType, WindowType};
    use aiec_collectives::{Operation, Shape};
    use aiec_test_support::{Builder, Reduce, int32};

    fn cascade(name: &str, group: &[&str], root: &str, window: WindowType) -> Reduce {
        Reduce::over(name, group, window).operation(Operation::Reduce, Shape::Cascade).root(root)
    }

    fn chain(ranks: u32) -> Builder {
        let mut builder = Builder::new("chain", "toy");
        builder.kernels("w", &[ranks], &[]);
        builder.reduce(cascade("total", &["w"], &format!("w[{}]", ranks - 1), int32(4)));
        builder
    }

    #[test]
    fn a_cascade_passes_all_cores_of_the_snake_and_has_no_windows() {
        let whole = chain(24);
        assert_eq!(slugs_on_toy(&whole), [""; 0]);
        let design = whole.expanded().unwrap();
        assert_eq!((design.cascades.len(), design.connections.len(), design.ports.len()), (23, 0, 0));
    }

    #[test]
    fn tiles_that_are_left_free_cut_the_cascade() {
        // Row 1 leads westwards: tile (2, 1) is the tenth core, so 14 cores follow it.
        let mut cut = chain(14);
        assert_eq!(slugs_on_toy(cut.keepout((2, 1), (2, 1))), [""; 0]);
        let mut cut = chain(15);
        assert_eq!(slugs_on_toy(cut.keepout((2, 1), (2, 1))), ["check/cascade-length"]);
        let text = rendered(&cut, &toy());
        assert!(text.contains("15 cores") && text.contains("most 14 that are"), "{text}");
    }

    #[test]
    fn a_core_has_one_cascade_in_and_one_out() {
        let two = |first: &[&str], second: &[&str]| {
            let mut builder = Builder::new("two", "toy");
            builder.kernels("w", &[5], &[]);
            builder.reduce(cascade("a", first, first[first.len() - 1], int32(4)));
            builder.reduce(cascade("b", second, second[second.len() - 1], int32(4)));
            slugs_on_toy(&builder)
        };
        let ends = "check/cascade-ends";
        assert!(two(&["w[0]", "w[1]", "w[2]"], &["w[3]", "w[1]"]).contains(&ends), "two in");
        assert!(two(&["w[0]", "w[1]", "w[2]"], &["w[1]", "w[3]"]).contains(&ends), "two out");
        assert!(
            !two(&["w[0]", "w[1]", "w[2]"], &["w[2]", "w[3]"]).contains(&ends),
            "the end of one begins the next"
        );
    }

    #[test]
    fn accumulators_hold_no_64_bit_integers() {
        let mut builder = Builder::new("wide", "toy");
        builder.kernels("w", &[3], &[]);
        let wide = WindowType { element: ElementType::Int64, elements: 4 };
        builder.reduce(cascade("total", &["w"], "w[2]", wide));
        assert_eq!(slugs_on_toy(&builder), ["check/cascade-type"]);
    }
}
