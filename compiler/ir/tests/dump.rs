//! Tests of the text form of an expanded design.
#![allow(clippy::unwrap_used, reason = "tests")]

use aiec_ir::{Formula, dump_expanded};
use aiec_test_support::{Builder, Reduce, int32};

#[test]
fn an_expanded_design_is_text_without_ids() {
    let reduce = Reduce::over("total", &["worker"], int32(64)).reference(Formula::Rank);
    let mut builder = Builder::new("reduce3", "toy");
    builder.kernels("worker", &[3], &[]).gmio_output("sum").reduce(reduce);
    builder.connect("total.result", "sum").place("worker[0]", 2, 1);
    let text = dump_expanded(&builder.expanded().unwrap());
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["kernels"][0]["inputs"][1]["name"], "total_in1");
    assert_eq!(json["kernels"][2]["memberships"][0]["outputs"][0], "total_out0");
    assert_eq!(json["externals"][0]["gmio"]["file"], serde_json::Value::Null);
    assert_eq!(json["externals"][0]["window"], "int32[64]");
    assert_eq!(json["collectives"][0]["reference"], "rank");
    assert_eq!(json["connections"][1]["from"], "worker[1].total_out0");
    assert_eq!(json["connections"][1]["collective"], "total");
    assert_eq!(json["places"][0]["kernel"], "worker[0]");
    assert!(text.ends_with("}\n"));
}

#[test]
fn moving_a_design_in_its_file_changes_nothing() {
    let text = |comment: bool| {
        let mut builder = Builder::new("reduce3", "toy");
        if comment {
            builder.iterations(1);
        }
        builder.kernels("worker", &[3], &[]).reduce(Reduce::over("total", &["worker"], int32(64)));
        dump_expanded(&builder.expanded().unwrap())
    };
    assert_eq!(text(false), text(true));
}
