use aiec_device::Device;
use aiec_diag::{SourceFile, SourceId};

use super::*;
use crate::{aiecst, map_report};

fn device() -> Device {
    aiec_device::builtin("xcvc1902")
        .and_then(|outcome| outcome.into_parts().0)
        .unwrap_or_else(|| unreachable!())
}

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(0), name: "f".to_owned(), text: text.to_owned() }
}

/// Two kernels one above the other, an input and an output.
const REPORT: &str = "BUFFER,FROM_INSTANCE.PORT,TO_INSTANCE.PORT,SIZE,MEMORY_GROUP,BANK,OFFSET,DMA_NEEDED
sysmem0,-,-,2080,\"(7, 1)\",0,6112,-
sysmem1,-,-,2080,\"(7, 2)\",0,0,-
buf0,in.po0,g.a.pi0,1024,\"(7, 1)\",1,0,-
buf1,g.a.po0,g.b.pi0,1024,\"(7, 2)\",1,0,-
buf2,g.b.po0,out.pi0,1024,\"(7, 3)\",0,0,-
PLIO,IN/OUT,TILE_COLUMN,CHANNEL
in,in,7,2
out,out,7,0
CLUSTER,KERNELS,TILE
PT0,\"g.a,\",\"(7, 1)\"
PT1,\"g.b,\",\"(7, 2)\"
";

const CONSTRAINTS: &str = r#"{"NodeConstraints": {
    "g.a": {"tile": {"column": 7, "row": 1}, "reserved_memory": {"column": 7, "row": 1, "bankId": 0, "offset": 6112}},
    "g.b": {"tile": {"column": 7, "row": 2}, "reserved_memory": {"column": 7, "row": 2, "bankId": 0, "offset": 0}},
    "in": {"shim": {"column": 7, "channel": 2}}},
  "PortConstraints": {
    "g.a.out[0]": {"buffers": [{"column": 7, "row": 2, "bankId": 1, "offset": 0}]},
    "g.b.in[0]": {"buffers": [{"column": 7, "row": 2, "bankId": 1, "offset": 0}]}}}"#;

fn floor(reports: &[&str], constraints: &[&str]) -> (Floor, Vec<String>) {
    let reports: Vec<_> =
        reports.iter().filter_map(|text| map_report::read(&file(text)).into_parts().0).collect();
    let constraints: Vec<_> =
        constraints.iter().filter_map(|text| aiecst::read(&file(text)).into_parts().0).collect();
    let device = device();
    let (floor, mut faults) = build(&reports, &constraints, &device);
    faults.extend(verify(&floor, &device));
    (floor, faults.into_iter().map(|fault| fault.message).collect())
}

#[test]
fn a_report_alone_has_kernels_blocks_and_connections() {
    let (floor, faults) = floor(&[REPORT], &[]);
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!((floor.kernels.len(), floor.blocks.len(), floor.shims.len()), (2, 5, 2));
    let shared: Vec<&str> =
        floor.links.iter().filter(|link| link.shared).filter_map(|link| link.to.as_deref()).collect();
    assert_eq!((floor.links.len(), shared), (3, vec!["g.b.in[0]"]));
}

#[test]
fn a_copy_by_dma_that_names_the_sender_twice_lies_at_the_receiver() {
    let copied = "buf1,g.a.po0,-,1024,\"(7, 2)\",1,0,Yes\nbuf1rr,g.a.po0,-,1024,\"(20, 5)\",2,0,Yes";
    let text = REPORT.replacen("buf1,g.a.po0,g.b.pi0,1024,\"(7, 2)\",1,0,-", copied, 1);
    let (floor, faults) = floor(&[&text], &[]);
    assert_eq!(faults, Vec::<String>::new());
    let copy = Link { from: "g.a.out[0]".into(), to: None, shared: false };
    assert_eq!(floor.links.iter().filter(|link| **link == copy).count(), 1);
    assert_eq!(floor.links.len(), 3);
    // The sender still has to reach its own end.
    let far = text.replacen("buf1,g.a.po0,-,1024,\"(7, 2)\"", "buf1,g.a.po0,-,1024,\"(20, 2)\"", 1);
    let (_, faults) = self::floor(&[&far], &[]);
    assert!(faults.len() == 1 && faults[0].contains("does not reach module"), "{faults:?}");
}

#[test]
fn the_streams_of_a_merge_are_connections() {
    let text = REPORT.replacen("g.b.po0,out.pi0", "g.b.po0,g.mg[0].pi0", 1);
    let (floor, faults) = floor(&[&text], &[]);
    assert_eq!((floor.links.len(), faults), (3, Vec::new()));
}

#[test]
fn a_copy_by_dma_is_one_connection() {
    let split =
        "buf1,g.a.po0,g._dma[0].pi0,1024,\"(7, 2)\",1,0,-\nbuf9,g._dma[1].po0,g.b.pi0,1024,\"(7, 2)\",2,0,-";
    let text = REPORT.replacen("buf1,g.a.po0,g.b.pi0,1024,\"(7, 2)\",1,0,-", split, 1);
    let (floor, faults) = floor(&[&text], &[]);
    assert_eq!(faults, Vec::<String>::new());
    let from: Vec<&str> = floor.links.iter().map(|link| link.from.as_str()).collect();
    assert_eq!(from, ["g._dma[1].out[0]", "g.b.out[0]", "in.out[0]"]);
    assert!(floor.links.iter().all(|link| !link.shared));
}

#[test]
fn constraints_add_the_kernels_of_stacks() {
    let (floor, faults) = floor(&[REPORT], &[CONSTRAINTS]);
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(floor.blocks.len(), 5);
    assert_eq!(floor.blocks[0].users, ["g.a"]);
}

#[test]
fn constraints_alone_tell_shared_buffers_by_their_place() {
    let (floor, faults) = floor(&[], &[CONSTRAINTS]);
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(floor.links, [Link { from: "g.a.out[0]".into(), to: Some("g.b.in[0]".into()), shared: true }]);
    assert_eq!(floor.blocks.len(), 3, "two stacks and one buffer");
}

#[test]
fn each_broken_rule_is_reported_once() {
    let cases = [
        (
            "buf0,in.po0,g.a.pi0,1024,\"(7, 1)\",1,0",
            "buf0,in.po0,g.a.pi0,1024,\"(7, 1)\",0,7000",
            "share 1024 bytes",
        ),
        ("g.b.pi0,1024,\"(7, 2)\"", "g.b.pi0,1024,\"(9, 2)\"", "does not reach module (9, 2)"),
        ("2080,\"(7, 2)\",0,0", "2080,\"(7, 2)\",3,7000", "ends at byte"),
        ("1024,\"(7, 3)\",0,0", "1024,\"(7, 3)\",4,0", "has 4 banks"),
        ("1024,\"(7, 3)\"", "1024,\"(7, 8)\"", "module (7, 8), which the xcvc1902"),
        ("\"g.b,\",\"(7, 2)\"", "\"g.b,\",\"(50, 2)\"", "core (50, 2), which the xcvc1902"),
        ("out,out,7,0", "out,out,7,6", "has channel 6"),
        ("out,out,7,0", "out,in,7,2", "channel 2 of column 7"),
        ("out,out,7,0", "out,out,50,0", "column 50"),
    ];
    for (from, to, said) in cases {
        let text = REPORT.replacen(from, to, 1);
        assert_ne!(text, REPORT, "{from}");
        let (_, faults) = floor(&[&text], &[]);
        assert!(faults.iter().any(|fault| fault.contains(said)), "{to}: {faults:?}");
    }
}

#[test]
fn files_that_contradict_each_other_are_named() {
    let moved = CONSTRAINTS.replacen("\"column\": 7, \"row\": 1}", "\"column\": 9, \"row\": 1}", 1);
    let (_, faults) = floor(&[REPORT], &[&moved]);
    assert_eq!(faults, ["`g.a` is on core (7, 1) in one place and on core (9, 1) in another"]);
}
