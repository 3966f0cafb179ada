//! Windows through shared memory, and windows that the code of kernels acquires.

use aiec_collectives::Direction::{In, Out};
use aiec_ir::{Accumulator, Carries, CascadeType};
use aiec_test_support::Builder;

use crate::testing::{rendered, slugs_on_toy, toy, window};

/// `a` sends `b` a window, and another one over `m`, which needs `gathered` of them at once.
fn gathering(gathered: u32) -> Builder {
    let mut builder = Builder::new("gather", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "y", window(64)), (Out, "z", window(64))]);
    builder.carrying("m", &[], &[(In, "y", window(gathered * 64)), (Out, "w", window(gathered * 64))]);
    builder.carrying("b", &[], &[(In, "w", window(64)), (In, "z", window(64)), (Out, "y", window(64))]);
    builder.connect("i", "a.x").connect("a.y", "m.y").connect("m.w", "b.w").connect("b.y", "o");
    builder.connect("a.z", "b.z");
    builder
}

#[test]
fn shared_memory_has_the_buffers_of_one_end() {
    assert_eq!(slugs_on_toy(&gathering(2)), [""; 0], "ping and pong");
    for gathered in [3, 4] {
        assert_eq!(slugs_on_toy(&gathering(gathered)), ["check/may-hang"], "4 buffers by DMA");
        let text = rendered(&gathering(gathered), &toy());
        assert!(text.contains("go through shared memory"), "{text}");
        assert!(text.contains("write `apart a.z, b.z`: a DMA has buffers at both ends"), "{text}");
        assert_eq!(slugs_on_toy(gathering(gathered).apart(&["a", "b"])), [""; 0]);
        assert_eq!(slugs_on_toy(gathering(gathered).buffers_apart(&["a.z", "b.z"])), [""; 0]);
    }
    let far = |design: &mut Builder| slugs_on_toy(design.place("a", 0, 0).place("b", 5, 3));
    assert_eq!(far(&mut gathering(4)), [""; 0], "their tiles share no memory");
}

/// The kernels are on neighbours of the cascade, so that only their buffers can be apart.
#[test]
fn kernels_that_a_cascade_joins_get_a_dma_for_the_window() {
    let sums = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
    let mut builder = Builder::new("joined", "toy");
    builder.gmio_input("i").gmio_output("o");
    let ports = [(In, "x", window(64)), (Out, "y", window(64)), (Out, "z", window(64)), (Out, "s", sums)];
    builder.carrying("a", &[], &ports);
    builder.carrying("m", &[], &[(In, "y", window(256)), (Out, "w", window(256))]);
    let ports = [(In, "w", window(64)), (In, "z", window(64)), (In, "s", sums), (Out, "y", window(64))];
    builder.carrying("b", &[], &ports);
    builder.connect("i", "a.x").connect("a.y", "m.y").connect("m.w", "b.w").connect("b.y", "o");
    builder.connect("a.s", "b.s").connect("a.z", "b.z");
    let text = rendered(&builder, &toy());
    assert!(text.contains("write `apart a.z, b.z`: a DMA has buffers at both ends"), "{text}");
    assert_eq!(slugs_on_toy(builder.buffers_apart(&["a.z", "b.z"])), [""; 0]);
    assert_eq!(slugs_on_toy(builder.apart(&["a", "b"])), ["check/place-conflict"]);
}

#[test]
fn a_fifo_of_windows_helps_by_dma_alone() {
    assert_eq!(slugs_on_toy(&gathering(16)), ["check/stream-hang"]);
    // 16 windows in 4 buffers, 8 words of a switch and the FIFO.
    let (text, words) = (rendered(&gathering(16), &toy()), 12 * 64 - 8);
    assert!(text.contains("write `apart a.z, b.z` and `fifo 760` on the connection `a.z -> b.z`"), "{text}");
    assert_eq!(slugs_on_toy(gathering(16).fifo(words)), ["check/may-hang"], "in shared memory");
    assert_eq!(slugs_on_toy(gathering(16).fifo(words).apart(&["a", "b"])), [""; 0]);
}

/// In a run, `a` sends `b` `number` windows that the code of both acquires, then another window.
fn acquired(number: u32) -> Builder {
    let mut builder = Builder::new("acquired", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "y", window(64)), (Out, "z", window(64))]);
    builder.carrying("b", &[], &[(In, "y", window(64)), (In, "z", window(64)), (Out, "o", window(64))]);
    let end = |port| format!("async {port} windows {number}");
    builder.connect("i", "a.x").connect(&end("a.y"), &end("b.y"));
    builder.connect("a.z", "b.z").connect("b.o", "o");
    builder
}

#[test]
fn a_window_at_the_end_of_a_run_comes_after_all_that_its_code_has_released() {
    assert_eq!(slugs_on_toy(&acquired(2)), [""; 0]);
    assert_eq!(slugs_on_toy(&acquired(4)), ["check/may-hang"], "two in shared memory");
    assert_eq!(slugs_on_toy(acquired(4).apart(&["a", "b"])), [""; 0]);
    assert_eq!(slugs_on_toy(&acquired(8)), ["check/stream-hang"]);
}
