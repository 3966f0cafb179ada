//! The explanation of a failed search: a least set of constraints and resources that it does not
//! keep together.

use aiec_check::Checked;
use aiec_check::prove::explained;
use aiec_device::{Device, builtin};
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::constraints::Axis;
use aiec_test_support::{Builder, Reduce, int32};
use std::cell::Cell;

/// Explains a failure of the search that `finds` stands for, on four kernels with two regions
/// and a `keepout`. Returns the message and the number of questions.
fn told(finds: impl Fn(&Checked, &Device) -> bool) -> (String, u32) {
    let regions = |builder: &mut Builder| {
        builder.region(&["k[0]"], (0, 0), (3, 3)).region(&["k[1]"], (0, 0), (3, 3)).keepout((5, 3), (5, 3));
    };
    told_of(regions, finds)
}

/// Likewise on four kernels with the constraints that `constrain` adds.
fn told_of(constrain: impl Fn(&mut Builder), finds: impl Fn(&Checked, &Device) -> bool) -> (String, u32) {
    let device = builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
    let mut builder = Builder::new("d", "toy");
    builder.kernels("k", &[4], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
    constrain(&mut builder);
    let expanded = builder.expanded().expect("names are right");
    let checked = aiec_check::check(expanded, &device).into_parts().0.expect("sound");
    let questions = Cell::new(0);
    let asked = |checked: &Checked, device: &Device| {
        questions.set(questions.get() + 1);
        finds(checked, device)
    };
    let refusal = Diagnostic::new(&catalogue::GAVE_UP, "none", "");
    (explained(refusal, &checked, &device, asked).message, questions.get())
}

#[test]
fn what_a_search_does_not_keep_is_a_least_set_with_one_question_for_each_class() {
    // A placement fails exactly if the second region meets 128 locks or fewer.
    let (message, questions) = told(|checked, device| {
        let constrained = checked.constraints.regions.iter().any(|r| r.kernels[0].index() == 1);
        !(constrained && device.tile.locks < 128)
    });
    let says =
        "none; without any one of 1 of the 2 `region` and 16 locks a module the search finds a placement";
    // For no class, six classes, and one of the two regions.
    assert_eq!((message.as_str(), questions), (says, 1 + 6 + 1));
}

#[test]
fn every_kind_of_statement_has_a_name_of_its_own() {
    let constrain = |builder: &mut Builder| {
        builder.place("k[0]", 1, 1).place_relative("k[1]", "k[0]", (0, 1));
        builder.align("k[2]", "k[0]", Axis::Column, 1).align("k[3]", "k[0]", Axis::Column, 2);
    };
    let (message, _) = told_of(constrain, |checked, _| {
        let all = &checked.constraints;
        checked.places.len() + all.offsets.len() + all.aligned.len() < 4
    });
    let says = "none; without any one of the `place` on a tile, the `place` at an offset and the 2 `place` at a distance in columns or rows";
    assert!(message.starts_with(says), "{message}");
}

#[test]
fn what_is_impossible_without_constraints_is_not_their_fault() {
    assert_eq!(told(|_, _| false), ("none".to_owned(), 1));
}
