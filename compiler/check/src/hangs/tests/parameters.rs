//! Hangs around parameters between kernels.

use super::*;
use crate::testing::pass_parameters;

/// `a` sends a stream to `c`, and a window to `b`, which gives `c` a parameter.
fn around_a_parameter(elements: u32, asynchronous: bool) -> Expanded {
    let value = Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None });
    let mut builder = Builder::new("around", "toy");
    builder.carrying("a", &[], &[(Out, "s", words(elements)), (Out, "y", window(16))]);
    builder.carrying("b", &[], &[(In, "x", window(16)), (Out, "p", value)]);
    builder.carrying("c", &[], &[(In, "s", words(elements)), (In, "p", value)]);
    builder.connect("a.s", "c.s").connect("a.y", "b.x").connect("b.p", "c.p");
    let mut design = builder.expanded().expect("a design");
    pass_parameters(&mut design, asynchronous);
    design
}

#[test]
fn a_parameter_between_kernels_has_no_value_before_its_writer_has_run() {
    for asynchronous in [false, true] {
        let of = |elements| crate::check(around_a_parameter(elements, asynchronous), &toy());
        let (short, long) = (of(8), of(512));
        assert!(short.diagnostics().is_empty(), "{asynchronous}: {:?}", short.diagnostics());
        let [fault] = long.diagnostics() else { panic!("{:?}", long.diagnostics()) };
        assert_eq!(fault.code.slug, "check/stream-hang");
        assert!(fault.message.contains("c waits for a value at c.p, of b"), "{}", fault.message);
    }
}

/// `b` takes four windows of `a` before `c` runs, and each run of `a` gives `c` a parameter, of
/// which two buffers hold values.
#[test]
fn a_writer_waits_for_the_reader_of_its_parameter() {
    let value = Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None });
    let check = |asynchronous: bool| {
        let mut builder = Builder::new("values", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("a", &[], &[(In, "x", window(16)), (Out, "y", window(16)), (Out, "p", value)]);
        builder.carrying("b", &[], &[(In, "x", window(64)), (Out, "y", window(64))]);
        builder.carrying("c", &[], &[(In, "x", window(16)), (In, "p", value), (Out, "y", window(16))]);
        builder.connect("i", "a.x").connect("a.y", "b.x").connect("b.y", "c.x");
        builder.connect("a.p", "c.p").connect("c.y", "o");
        let mut design = builder.expanded().expect("a design");
        pass_parameters(&mut design, asynchronous);
        crate::check(design, &toy())
    };
    let held_up = check(false);
    let [fault] = held_up.diagnostics() else { panic!("{:?}", held_up.diagnostics()) };
    assert_eq!(fault.code.slug, "check/stream-hang");
    assert!(fault.message.contains("a cannot write a.p before c reads c.p"), "{}", fault.message);
    assert!(fault.help.contains("`async`"), "{}", fault.help);
    assert!(check(true).diagnostics().is_empty(), "nobody waits");
}
