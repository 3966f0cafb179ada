//! Names of inputs and outputs: no two have one (UG1079, "Programming Model Features").

use std::collections::BTreeMap;

use aiec_diag::Diagnostic;

use crate::context::Context;
use crate::errors::shims as errors;
use aiec_ir::ExternalId;

/// For each name, the first two inputs or outputs that have it. No name is empty where the tools
/// choose it.
pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let externals = &context.expanded.externals;
    let mut of: BTreeMap<&str, Vec<ExternalId>> = BTreeMap::new();
    for (id, external) in externals.enumerate().filter(|(_, external)| !external.logical.is_empty()) {
        of.entry(&external.logical).or_default().push(id);
    }
    let mut again: Vec<_> = of.values().filter(|ids| ids.len() > 1).collect();
    again.sort();
    again.into_iter().map(|ids| errors::one_name(context.expanded, ids)).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{slugs, toy};
    use crate::{Checked, check};
    use aiec_diag::Outcome;
    use aiec_ir::ExternalId;
    use aiec_test_support::{Builder, input, int32, output};

    /// A GMIO input and two PLIO outputs with these names.
    fn named(names: [&str; 3]) -> Outcome<Checked> {
        let mut builder = Builder::new("named", "toy");
        builder.gmio_input("i").plio_output("o", 32).plio_output("p", 32);
        builder.kernels("a", &[], &[input("x", int32(16)), output("y", int32(16)), output("z", int32(16))]);
        builder.connect("i", "a.x").connect("a.y", "o").connect("a.z", "p");
        let mut expanded = builder.expanded().expect("names are right");
        for (at, name) in (0..).zip(names) {
            name.clone_into(&mut expanded.externals[ExternalId(at)].logical);
        }
        check(expanded, &toy())
    }

    #[test]
    fn no_two_inputs_and_outputs_have_one_name() {
        assert_eq!(slugs(&named(["In", "Out", "In0"])), [""; 0]);
        assert_eq!(slugs(&named(["", "", ""])), [""; 0], "the tools choose names that differ");
        let twice = named(["Data", "Out", "Data"]);
        assert_eq!(slugs(&twice), ["check/logical-name"], "GMIO and PLIO are alike");
        let diagnostic = &twice.diagnostics()[0];
        assert!(diagnostic.message.contains("`i` and `p` have the name `Data`"), "{}", diagnostic.message);
        assert_eq!(diagnostic.labels.len(), 2);
        assert_eq!(slugs(&named(["All", "All", "All"])), ["check/logical-name"], "one root cause");
    }
}
