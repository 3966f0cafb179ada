//! Packet streams: nets that share ports at an end.

use super::*;

/// A merge of two streams, made by hand.
pub(super) const MERGE: &str = "m0:12 S_MM2S_DMA_ch0_C8_R0 M_SHIM_SOUTH_ch0_C9\n\
                                m1:13 S_MM2S_DMA_ch1_C8_R0 M_SHIM_SOUTH_ch0_C9\n";

/// The same merge and a net beside it as `aie_control.cpp` has them. A wire that is set as a
/// circuit is named by one of the two streams.
pub(super) const CONTROL: &str = "
    // S_MM2S_DMA_ch0_C8_R0->M_EAST_ch2_C8_R0 nets: m0
    //configure master M_EAST_ch2_C8_R0 nets: m0 m1
    // S_MM2S_DMA_ch1_C8_R0->M_EAST_ch2_C8_R0 nets: m1
    // S_SHIM_NORTH_ch1_C9 M_SHIM_SOUTH_ch0_C9 m1
    // S_WEST_ch2_C9_R0 M_SOUTH_ch1_C9_R0 m1
    // S_MM2S_DMA_ch0_C9_R0 M_NORTH_ch1_C9_R0 other
    // S_SOUTH_ch1_C9_R1 M_S2MM_DMA_ch0_C9_R1 other
";

/// The trees of the merge, and of a net from `other` that takes the wire of the merge.
fn trees(other: &str) -> String {
    let way = |source: &str| {
        format!(
            r#"{{"tree": [["S_{source}_C8_R0", "M_EAST_ch2_C8_R0"], ["S_WEST_ch2_C9_R0", "M_SOUTH_ch1_C9_R0"],
                          ["S_SHIM_NORTH_ch1_C9", "M_SHIM_SOUTH_ch0_C9"]]}}"#
        )
    };
    format!(r#"{{"m0": {}, "m1": {}{other}}}"#, way("MM2S_DMA_ch0"), way("MM2S_DMA_ch1"))
}

fn groups(review: &Review) -> Vec<Option<u32>> {
    review.requests.iter().map(|request| request.kind.group()).collect()
}

#[test]
fn streams_of_a_merge_share_wires_and_ports() {
    for texts in [vec![MERGE, &trees("")], vec![&trees("")], vec![MERGE, CONTROL], vec![CONTROL]] {
        let review = reviewed(&texts);
        assert_eq!((said(&review).as_str(), review.routed, review.theirs), ("", true, true), "{texts:?}");
        assert_eq!(review.names[..2], ["m0", "m1"].map(str::to_owned), "{texts:?}");
        assert_eq!(groups(&review)[..2], [Some(0), Some(0)], "{texts:?}");
        assert!(review.trees[..2].iter().all(|tree| tree.len() == 2), "{texts:?}");
        assert!(groups(&review)[2..].iter().all(Option::is_none), "{texts:?}");
    }
}

#[test]
fn a_merge_without_routes_is_routed_as_packets() {
    let review = reviewed(&[MERGE]);
    assert_eq!((said(&review).as_str(), review.routed, review.theirs), ("", true, false));
    assert_eq!(groups(&review), [Some(0), Some(0)]);
}

#[test]
fn parts_of_a_stream_at_one_source_are_a_split() {
    let text =
        "a:50 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch0_C12_R1\nb:50 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch1_C12_R1\n";
    let review = reviewed(&[text]);
    assert_eq!((said(&review).as_str(), review.routed), ("", true));
    assert_eq!((review.names.len(), groups(&review)), (2, vec![Some(0), Some(0)]));
}

#[test]
fn all_streams_at_a_port_demand_one_stream_at_most() {
    let more = format!("{MERGE}m2:76 S_MM2S_DMA_ch0_C9_R0 M_SHIM_SOUTH_ch0_C9\n");
    let expected = "route/shared-port: [AIE-ROUTER-3] Demand of 101 at node south 0 of switch (9, 0) \
                    exceeds limit of 100: `m0` and `m2` end there\n";
    assert_eq!(said(&reviewed(&[&more])), expected);
}

#[test]
fn another_net_on_the_wire_of_a_merge_is_not_legal() {
    let other = r#", "x": {"tree": [["S_AIE_OUT_ch0_C8_R0", "M_EAST_ch2_C8_R0"], ["S_WEST_ch2_C9_R0", "M_S2MM_DMA_ch0_C9_R0"]]}"#;
    let said = said(&reviewed(&[MERGE, &trees(other)]));
    assert!(said.contains("the route of `x` is not legal: port east 2"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_stream_of_a_merge_that_is_cut_or_spoilt_is_not_legal() {
    let spoils = [
        (r#"["S_WEST_ch2_C9_R0", "M_SOUTH_ch1_C9_R0"],"#, "", "which leads nowhere"),
        (r#""M_EAST_ch2_C8_R0"]"#, r#""M_EAST_ch9_C8_R0"]"#, "there is no master port east 9"),
    ];
    for (from, to, expected) in spoils {
        let said = said(&reviewed(&[MERGE, &trees("").replacen(from, to, 1)]));
        assert!(said.contains("`m0` is not legal: at switch"), "{said}");
        assert!(said.contains(expected) && !said.contains("`m1`"), "{said}");
    }
}

/// The merge of [`MERGE`] with the calls that set rules and arbiters, where `id` is the number that
/// the rule of `m1` compares.
fn with_calls(id: u32, arbiter: u32) -> String {
    let call = |channel: u32, id: u32, arbiter: u32| {
        format!(
            "// S_MM2S_DMA_ch{channel}_C8_R0->M_EAST_ch2_C8_R0 nets: m{channel}\n\
             XAie_StrmPktSwSlaveSlotEnable(&DevInst, XAie_TileLoc(8, 1), DMA, {channel}, 0, {{.PktId={id}, .PktType=0}}, 0x1f, 0, {arbiter});\n"
        )
    };
    format!(
        "{}//MASTER CONFIGURATION FOR SW(8,1)\n//configure master M_EAST_ch2_C8_R0 nets: m0 m1\n\n\
         XAie_StrmPktSwMstrPortEnable(&DevInst, XAie_TileLoc(8, 1), EAST, 2, XAIE_SS_PKT_DONOT_DROP_HEADER, 0, 0x1);\n\
         {}// S_SHIM_NORTH_ch1_C9 M_SHIM_SOUTH_ch0_C9 m1\n// S_WEST_ch2_C9_R0 M_SOUTH_ch1_C9_R0 m1\n",
        call(0, 0, 0),
        call(1, id, arbiter)
    )
}

#[test]
fn packets_are_followed_through_the_rules_and_arbiters_of_a_file() {
    let review = reviewed(&[MERGE, &with_calls(1, 0)]);
    assert_eq!((said(&review).as_str(), review.routed), ("", true));
    assert_eq!(review.numbers, [Some(0), Some(1)]);
    assert_eq!(reviewed(&[MERGE, CONTROL]).numbers, [None, None, None], "a file without calls");
}

#[test]
fn rules_and_arbiters_that_lose_or_mix_packets_are_not_legal() {
    let of = |id, arbiter| said(&reviewed(&[MERGE, &with_calls(id, arbiter)]));
    assert!(
        of(1, 5).contains("`m1` is not legal: at switch (8, 1): the stream ends at dma 1"),
        "{}",
        of(1, 5)
    );
    assert!(of(0, 0).contains("two streams at west 2 have one packet id"), "{}", of(0, 0));
    assert!(of(1, 6).contains("there is no select 0 of arbiter 6"), "{}", of(1, 6));
}
