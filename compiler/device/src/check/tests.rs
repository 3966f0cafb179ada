//! Every built-in device is sound, and every rule of the self-check can fail.

use std::collections::BTreeSet;

use aiec_diag::{Outcome, SourceFile, SourceId};

use super::{RULES, TOTALS, broken, faults};
use crate::{Device, builtin, builtin_names, builtin_text, parse};

/// A device, a part of its file, the replacement, the rule that must fail and the key it must name.
type Spoil = (&'static str, &'static str, &'static str, &'static str, &'static str);

const VC: &str = "xcvc1902";
const ML: &str = "xcve2802";

#[rustfmt::skip]
const SPOILS: &[Spoil] = &[
    (VC, "name = \"xcvc1902\"", "name = \"a\\nint main() {}\"", "texts", "name"),
    (VC, "name = \"xcvc1902\"", "name = \"\"", "texts", "name"),
    (VC, "description = \"Versal", "description = \"\\u001b[2JVersal", "texts", "description"),
    (VC, "support = \"designs", "support = \"\\u202edesigns", "texts", "support"),
    (VC, "grade = \"-2 0.80V (M)\"", "grade = \"a\\nb\"", "texts", "clock.grade"),
    (VC, "name = \"-2 0.88V", "name = \"\\n-2 0.88V", "texts", "clock.grades"),
    (VC, "columns = 50", "columns = 0", "size", "columns"),
    (VC, "columns = 50", "columns = 5000", "size", "columns"),
    (VC, "\nrows = 8", "\nrows = 0", "size", "rows"),
    (VC, "first_hardware_row = 1", "keepout = [[50, 0]]\nfirst_hardware_row = 1", "keepout", "keepout"),
    (VC, "first_hardware_row = 1", "keepout = [[0, 8]]\nfirst_hardware_row = 1", "keepout", "keepout"),
    (VC, "first_hardware_row = 1", "first_hardware_row = 2", "size", "first_hardware_row"),
    (ML, "first_hardware_row = 3", "first_hardware_row = 1", "size", "first_hardware_row"),
    (VC, "program_bytes = 16384", "program_bytes = 0", "positive", "core.program_bytes"),
    (VC, "\nloads = 2", "\nloads = 0", "positive", "core.loads"),
    (VC, "load_bits = 256", "load_bits = 0", "positive", "core.load_bits"),
    (VC, "\nstores = 1", "\nstores = 0", "positive", "core.stores"),
    (VC, "store_bits = 256", "store_bits = 0", "positive", "core.store_bits"),
    (VC, "cascade_bits = 384", "cascade_bits = 0", "positive", "core.cascade_bits"),
    (VC, "cascade_fifo = 2", "cascade_fifo = 0", "positive", "core.cascade_fifo"),
    (VC, "word_bytes = 4", "word_bytes = 0", "positive", "tile.word_bytes"),
    (VC, "dma_queue = 4 ", "dma_queue = 0 ", "positive", "tile.dma_queue"),
    (VC, "dma_dimensions = 2", "dma_dimensions = 0", "positive", "tile.dma_dimensions"),
    (VC, "hop_cycles = 4", "hop_cycles = 0", "positive", "switch.hop_cycles"),
    (VC, "hop_words = 8", "hop_words = 0", "positive", "switch.hop_words"),
    (VC, "fifo_words = 16", "fifo_words = 0", "positive", "switch.fifo_words"),
    (ML, "local_cycles = 3", "local_cycles = 0", "positive", "switch.local_cycles"),
    (VC, "crossing_fifo = 12", "crossing_fifo = 0", "positive", "shim.crossing_fifo"),
    (VC, "pl_divisor = 4", "pl_divisor = 0", "positive", "clock.pl_divisor"),
    (VC, "pl_min_divisor = 2", "pl_min_divisor = 0", "positive", "clock.pl_min_divisor"),
    (VC, "pl_register_divisor = 8", "pl_register_divisor = 0", "positive", "clock.pl_register_divisor"),
    (VC, "module_bytes = 32768", "module_bytes = 0", "banks", "memory.module_bytes"),
    (VC, "\nbanks = 4", "\nbanks = 3", "banks", "memory.banks"),
    (VC, "physical_banks = 8", "physical_banks = 0", "banks", "memory.physical_banks"),
    (VC, "\nbank_bits = 256", "\nbank_bits = 128", "banks", "memory.bank_bits"),
    (VC, "physical_bank_bits = 128", "physical_bank_bits = 64", "banks", "memory.bank_bits"),
    (VC, "west = 0x28000", "west = 0x24000", "addresses", "memory.addresses"),
    (VC, "west = 16,", "west = 8,", "locks", "tile.lock_ids"),
    (VC, "south = 0x20000", "south = 0x18004", "addresses", "memory.addresses"),
    (VC, "east = 0x38000", "east = 0xFFFF8000", "addresses", "memory.addresses"),
    (VC, "east = 48 }", "east = 4294967280 }", "locks", "tile.lock_ids"),
    (VC, "offset = 13", "offset = 99", "descriptors", "tile.bd_bits"),
    (VC, "length = 13", "length = 0", "descriptors", "tile.bd_bits"),
    (VC, "lock_max = 1", "lock_max = 63", "locks", "tile.lock_max"),
    (ML, "lock_kind = \"semaphore\"", "lock_kind = \"binary\"", "locks", "tile.lock_max"),
    (VC, "bd_words = 8192", "bd_words = 819", "descriptors", "tile.bd_words"),
    (VC, "length = 13", "length = 12", "descriptors", "tile.bd_bits"),
    (VC, "length = 13", "length = 200", "descriptors", "tile.bd_bits"),
    (VC, "offset = 13", "offset = 12", "descriptors", "tile.bd_bits"),
    (VC, "step = 8", "step = 0", "descriptors", "tile.bd_bits"),
    (VC, "wrap = 8", "wrap = 99", "descriptors", "tile.bd_bits"),
    (VC, "buffer_locks = 1", "buffer_locks = 65", "costs", "costs.buffer_locks"),
    (VC, "dma_buffer_bds = 1", "dma_buffer_bds = 65", "costs", "costs.dma_buffer_bds"),
    (VC, "gmio_bds = 4", "gmio_bds = 0", "limits", "shim.gmio_bds"),
    (VC, "fifo_threshold_words = 40", "fifo_threshold_words = 0", "limits", "tools.fifo_threshold_words"),
    (VC, "router_units = 100", "router_units = 0", "limits", "tools.router_units"),
    (VC, "slave_nets = 32", "slave_nets = 0", "limits", "tools.slave_nets"),
    (VC, "trace_streams = 16", "trace_streams = 0", "limits", "tools.trace_streams"),
    (VC, "\nlocks = 16  ", "\nlocks = 0  ", "descriptors", "tile.locks"),
    (VC, "\nbds = 16   ", "\nbds = 0   ", "descriptors", "tile.bds"),
    (VC, "neighbour_even_row = -1", "neighbour_even_row = 0", "neighbours", "memory.neighbour_even_row"),
    (VC, "neighbour_odd_row = 1", "neighbour_odd_row = 2", "neighbours", "memory.neighbour_odd_row"),
    (VC, "neighbour_odd_row = 1", "neighbour_odd_row = -1", "neighbours", "core.cascade_order"),
    (ML, "\"south-or-east\"", "\"snake\"", "neighbours", "core.cascade_order"),
    (VC, "default_stack = 1024", "default_stack = 32768", "system", "memory.default_stack"),
    (VC, "default_heap = 1024", "default_heap = 32768", "system", "memory.default_stack"),
    (VC, "buffer_alignment = 32", "buffer_alignment = 48", "system", "memory.buffer_alignment"),
    (VC, "buffer_rounding = 16", "buffer_rounding = 12", "system", "memory.buffer_rounding"),
    (VC, "buffer_alignment = 32", "buffer_alignment = 65536", "system", "memory.buffer_alignment"),
    (VC, "buffer_rounding = 16", "buffer_rounding = 65536", "system", "memory.buffer_rounding"),
    (VC, "sync_bytes = 32", "sync_bytes = 3", "system", "memory.sync_bytes"),
    (VC, "min_window = 16", "min_window = 65536", "system", "memory.min_window"),
    (VC, "buffer_alignment = 32", "buffer_alignment = 0", "target", "memory.buffer_alignment"),
    (VC, "buffer_rounding = 16", "buffer_rounding = 0", "target", "memory.buffer_rounding"),
    (VC, "sync_bytes = 32", "sync_bytes = 0", "target", "memory.sync_bytes"),
    (VC, "pl_columns = {", "# pl_columns = {", "target", "shim.pl_columns"),
    (VC, "streams_in = 2", "streams_in = 200", "target", "tile.streams_in"),
    (ML, "supported = false", "supported = true", "target", "supported"),
    (VC, "total = 25", "total = 26", "ports", "switch.core.masters.total"),
    (VC, "ctrl = 1, fifo = 2, south = 8", "ctrl = 99, fifo = 2, south = 8", "ports", "switch.shim.slaves.ctrl"),
    (VC, "trace = 2, total = 27", "trace = 1, total = 27", "ports", "switch.core.slaves.total"),
    (VC, "s2mm = 2", "s2mm = 3", "endpoints", "tile.s2mm"),
    (VC, "mm2s = 2", "mm2s = 1", "endpoints", "tile.mm2s"),
    (VC, "streams_in = 2", "streams_in = 1", "endpoints", "tile.streams_in"),
    (VC, "streams_out = 2", "streams_out = 4", "endpoints", "tile.streams_out"),
    (VC, "plio_in_channels = 8", "plio_in_channels = 10", "endpoints", "shim.plio_in_channels"),
    (VC, "plio_out_channels = 6", "plio_out_channels = 8", "endpoints", "shim.plio_out_channels"),
    (VC, "slaves = { core = 2, dma = 2, ctrl = 1, fifo = 2,", "slaves = { core = 2, dma = 2, ctrl = 1, fifo = 1,", "endpoints", "switch.core.masters.fifo"),
    (ML, "mm2s = 6", "mm2s = 4", "endpoints", "memory_tiles.mm2s"),
    (ML, "s2mm = 6", "s2mm = 4", "endpoints", "memory_tiles.s2mm"),
    (VC, "west = 4, north = 6, east = 4, total = 25", "west = 4, north = 5, east = 4, total = 24", "wires", "switch.core.masters.north"),
    (VC, "fifo = 2, south = 4, west = 4, north = 6", "fifo = 2, south = 3, west = 4, north = 6", "wires", "switch.core.masters.south"),
    (VC, "north = 6, east = 4, total = 23", "north = 6, east = 3, total = 22", "wires", "switch.shim.masters.east"),
    (VC, "west = 4, north = 4, east = 4, trace = 1", "west = 4, north = 3, east = 4, trace = 1", "wires", "switch.core.masters.south"),
    (ML, "dma = 6, ctrl = 1, south = 4, north = 6", "dma = 6, ctrl = 1, south = 4, north = 5", "wires", "switch.memory.masters.north"),
    (VC, "\nnorth = 6", "\nnorth = 5", "uniform", "switch.north"),
    (VC, "\nsouth = 4", "\nsouth = 5", "uniform", "switch.south"),
    (VC, "\neast = 4", "\neast = 5", "uniform", "switch.east"),
    (VC, "\nwest = 4", "\nwest = 5", "uniform", "switch.west"),
    (VC, "ids = 32", "ids = 31", "packet", "switch.packet.ids"),
    (VC, "arbiters = 6", "arbiters = 0", "packet", "switch.packet.arbiters"),
    (VC, "selects = 4", "selects = 0", "packet", "switch.packet.selects"),
    (VC, "rules = 4", "rules = 0", "packet", "switch.packet.rules"),
    (VC, "slave_nets = 32", "slave_nets = 64", "packet", "tools.slave_nets"),
    (ML, "\"ctrl-to-dma\",", "\"ctrl-to-ctrl\",", "crossbar", "switch.core.forbidden"),
    (ML, "forbidden = [\"turn-back-to-other-channel-except-south\"", "forbidden = [\"core-to-core\"", "crossbar", "switch.shim.forbidden"),
    (VC, "forbidden = [\"trace-except-south\"]", "forbidden = [\"dma-to-other-dma\"]", "target", "supported"),
    (VC, "noc_columns = [2, 3,", "noc_columns = [3, 2,", "columns", "shim.noc_columns"),
    (VC, "46, 47]", "46, 50]", "columns", "shim.noc_columns"),
    (VC, "first = 6, last = 44", "first = 6, last = 60", "columns", "shim.pl_columns"),
    (VC, "first = 6, last = 44", "first = 44, last = 6", "columns", "shim.pl_columns"),
    (VC, "pl_column_count = 39", "pl_column_count = 38", "columns", "shim.pl_column_count"),
    (ML, "pl_column_count = 28", "pl_column_count = 39", "columns", "shim.pl_column_count"),
    (VC, "slow_inputs = [3, 7]", "slow_inputs = [3, 8]", "channels", "shim.slow_inputs"),
    (VC, "noc_in_ports = [2, 3, 6, 7]", "noc_in_ports = [3, 3, 6, 7]", "channels", "shim.noc_in_ports"),
    (VC, "noc_out_ports = [2, 3, 4, 5]", "noc_out_ports = [2, 3, 4, 6]", "channels", "shim.noc_out_ports"),
    (VC, "[4, 5], [6, 7]]", "[4, 5], [6, 8]]", "pairs", "shim.plio_in_pairs"),
    (VC, "plio_out_pairs = [[0, 1], [2, 3]", "plio_out_pairs = [[0, 1], [1, 2]", "pairs", "shim.plio_out_pairs"),
    (VC, "channel_bits = 64", "channel_bits = 0", "widths", "shim.channel_bits"),
    (VC, "channel_bits = 64", "channel_bits = 65", "widths", "shim.channel_bits"),
    (VC, "channel_bits = 64", "channel_bits = 16", "widths", "shim.channel_bits"),
    (VC, "plio_widths = [32, 64, 128]", "plio_widths = [32, 64, 256]", "widths", "shim.plio_widths"),
    (VC, "plio_widths = [32, 64, 128]", "plio_widths = []", "widths", "shim.plio_widths"),
    (VC, "plio_out_pairs = [[0, 1], [2, 3], [4, 5]]", "plio_out_pairs = []", "widths", "shim.plio_widths"),
    (VC, "gmio_in_ports = [3, 7]", "gmio_in_ports = [3, 3]", "gmio", "shim.gmio_in_ports"),
    (VC, "gmio_in_ports = [3, 7]", "gmio_in_ports = [3, 5]", "gmio", "shim.gmio_in_ports"),
    (VC, "gmio_out_ports = [2, 3]", "gmio_out_ports = [2, 6]", "gmio", "shim.gmio_out_ports"),
    (VC, "gmio_bds = 4", "gmio_bds = 8", "shim-dma", "shim.gmio_bds"),
    (VC, "\nbds = 16                    # per shim", "\nbds = 0                    # per shim", "shim-dma", "shim.bds"),
    (VC, "locks = 16                  # per shim", "locks = 0                  # per shim", "shim-dma", "shim.locks"),
    (VC, "dma_queue = 4               # aie-rt\ndma_dimensions = 1", "dma_queue = 0\ndma_dimensions = 1", "shim-dma", "shim.dma_queue"),
    (VC, "dma_dimensions = 1", "dma_dimensions = 0", "shim-dma", "shim.dma_dimensions"),
    (VC, "burst_bytes = [64, 128", "burst_bytes = [64, 64", "shim-dma", "shim.burst_bytes"),
    (VC, "burst_bytes = [64, 128, 256]", "burst_bytes = []", "shim-dma", "shim.burst_bytes"),
    (VC, "address_bits = 48", "address_bits = 0", "shim-dma", "shim.address_bits"),
    (VC, "address_bits = 48", "address_bits = 20", "shim-dma", "shim.address_bits"),
    (VC, "address_alignment = 16", "address_alignment = 12", "shim-dma", "shim.address_alignment"),
    (ML, "bd_length_bits = 32", "bd_length_bits = 65", "shim-dma", "shim.bd_length_bits"),
    (ML, "banks = 16 ", "banks = 15 ", "memory-tiles", "memory_tiles.banks"),
    (ML, "\nbank_bits = 128", "\nbank_bits = 0", "memory-tiles", "memory_tiles.bank_bits"),
    (ML, "bd_words = 131071", "bd_words = 13107", "memory-tiles", "memory_tiles.bd_words"),
    (ML, "0x80000, 0x100000", "0x80000, 0x90000", "memory-tiles", "memory_tiles.addresses"),
    (ML, "lock_ids = [0, 64", "lock_ids = [0, 16", "memory-tiles", "memory_tiles.lock_ids"),
    (ML, "neighbour_channels = [0, 1, 2, 3]", "neighbour_channels = [0, 1, 2, 6]", "memory-tiles", "memory_tiles.neighbour_channels"),
    (ML, "even_bds = [0, 23]", "even_bds = [0, 22]", "memory-tiles", "memory_tiles.even_bds"),
    (ML, "bds = 48", "bds = 47", "memory-tiles", "memory_tiles.even_bds"),
    (ML, "dma_dimensions = 4", "dma_dimensions = 0", "memory-tiles", "memory_tiles.dma_dimensions"),
    (VC, "array_mhz = 1250", "array_mhz = 1300", "clock", "clock.array_mhz"),
    (VC, "grade = \"-2 0.80V (M)\"", "grade = \"-3\"", "clock", "clock.grade"),
    (VC, "mhz = 1000", "mhz = 0", "clock", "clock.grades"),
    (VC, "pl_min_divisor = 2", "pl_min_divisor = 5", "clock", "clock.pl_divisor"),
    (VC, "cores_reaching_4 = 294", "cores_reaching_4 = 295", "expect", "expect.cores_reaching_4"),
    (VC, "cores_reaching_3 = 104", "cores_reaching_3 = 103", "expect", "expect.cores_reaching_3"),
    (VC, "cores_reaching_2 = 2", "cores_reaching_2 = 4", "expect", "expect.cores_reaching_2"),
    (VC, "column_cut = 36", "column_cut = 32", "expect", "expect.column_cut"),
    (VC, "row_cut_up = 300", "row_cut_up = 200", "expect", "expect.row_cut_up"),
    (VC, "row_cut_down = 200", "row_cut_down = 300", "expect", "expect.row_cut_down"),
    (VC, "pl_cut_up = 234", "pl_cut_up = 300", "expect", "expect.pl_cut_up"),
    (VC, "pl_cut_down = 156", "pl_cut_down = 200", "expect", "expect.pl_cut_down"),
    (VC, "plio_in = 312", "plio_in = 313", "expect", "expect.plio_in"),
    (VC, "plio_out = 234", "plio_out = 233", "expect", "expect.plio_out"),
    (VC, "registered_plio_pairs = 78", "registered_plio_pairs = 156", "expect", "expect.registered_plio_pairs"),
    (VC, "gmio_in = 32", "gmio_in = 48", "expect", "expect.gmio_in"),
    (VC, "gmio_out = 32", "gmio_out = 48", "expect", "expect.gmio_out"),
    (VC, "columns = 50", "columns = 51", "expect", "expect.row_cut_up"),
];

fn device(name: &str) -> Device {
    builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
}

fn load(text: String) -> (SourceFile, Outcome<Device>) {
    let source = SourceFile { id: SourceId(0), name: "mine.toml".to_owned(), text };
    let outcome = parse(&source);
    (source, outcome)
}

fn spoiled((name, from, to, ..): &Spoil) -> String {
    let text = builtin_text(name).expect("built in");
    assert!(text.contains(from), "{name} has no `{from}`");
    text.replacen(from, to, 1)
}

#[test]
fn every_built_in_device_is_sound() {
    for name in builtin_names() {
        let outcome = builtin(name).expect("listed");
        let said: Vec<&str> = outcome.diagnostics().iter().map(|d| d.message.as_str()).collect();
        assert!(said.is_empty(), "{name}: {said:#?}");
        assert_eq!(outcome.value().map(|d| d.name.as_str()), Some(name));
    }
}

#[test]
fn every_device_counts_its_cores_and_cuts() {
    for name in builtin_names() {
        let text = format!("{:?}", device(name).expect);
        assert!(!text.contains("None"), "{name}: {text}");
    }
}

#[test]
fn each_spoiled_number_is_found_and_its_key_named() {
    for spoil in SPOILS {
        let (_, outcome) = load(spoiled(spoil));
        let (_, from, to, _, key) = spoil;
        let named = |d: &aiec_diag::Diagnostic| d.message.contains(&format!("`{key}"));
        assert!(outcome.value().is_none(), "`{from}` as `{to}` is accepted");
        assert!(outcome.diagnostics().iter().any(named), "`{to}`: {:#?}", outcome.diagnostics());
    }
}

#[test]
fn each_rule_of_the_self_check_can_fail() {
    let mut failed = BTreeSet::new();
    for spoil in SPOILS {
        let device: Device = toml::from_str(&spoiled(spoil)).expect("a device file");
        for rule in RULES.iter().chain(TOTALS) {
            let sound = RULES.iter().all(|other| broken(&device, &[*other]).is_empty());
            let asked = RULES.contains(rule) || sound;
            if asked && broken(&device, &[*rule]).iter().any(|fault| fault.key == spoil.4) {
                failed.insert(rule.0);
            }
        }
        assert!(failed.contains(spoil.3), "rule `{}` does not see `{}`", spoil.3, spoil.2);
    }
    let never: Vec<&str> =
        RULES.iter().chain(TOTALS).map(|rule| rule.0).filter(|rule| !failed.contains(rule)).collect();
    assert!(never.is_empty(), "never fails: {never:?}");
}

#[test]
fn a_fault_points_at_the_value() {
    let text = builtin_text(VC).expect("built in");
    for (from, to, at) in [
        ("last = 44", "last = 60", "{ first = 6, last = 60 }"),
        ("gmio_bds = 4", "gmio_bds = 8", "8"),
        ("total = 25", "total = 26", "26"),
    ] {
        let (source, outcome) = load(text.replacen(from, to, 1));
        let span = outcome.diagnostics()[0].span().expect("labelled");
        assert_eq!(&source.text[span.start as usize..span.end as usize], at);
    }
}

#[test]
fn an_unknown_key_is_named() {
    let (_, outcome) = load(builtin_text(VC).expect("built in").replace("plio_widths", "plio_width"));
    assert!(outcome.diagnostics()[0].message.contains("unknown field `plio_width`"), "{outcome:?}");
}

#[test]
fn numbers_that_do_not_fit_are_no_crash() {
    let text = builtin_text(VC).expect("built in");
    for line in text.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')) {
        let (key, _) = line.split_once(" = ").expect("filtered");
        for value in [
            "0",
            "1",
            "65535",
            "4294967295",
            "18446744073709551616",
            "-1",
            "[]",
            "\"x\"",
            "[65535]",
            "[[4294967295, 0]]",
        ] {
            let (_, outcome) = load(text.replacen(line, &format!("{key} = {value}"), 1));
            assert!(outcome.value().is_some() || !outcome.diagnostics().is_empty(), "{key} = {value}");
        }
    }
}

#[test]
fn a_device_need_not_expect_anything() {
    let text = builtin_text(VC).expect("built in");
    let (head, _) = text.split_once("[expect]").expect("a section");
    let (_, outcome) = load(head.replace("columns = 50", "columns = 60"));
    assert_eq!(outcome.value().map(|device| device.columns), Some(60), "{:#?}", outcome.diagnostics());
}

#[test]
fn what_a_text_smuggles_is_not_repeated() {
    for (from, to) in
        [("name = \"xcvc1902\"", "name = \"\\u001b[2J\""), ("grade = \"-2", "grade = \"\\u001b[2J")]
    {
        let (_, outcome) = load(builtin_text(VC).expect("built in").replacen(from, to, 1));
        let said: String = outcome.diagnostics().iter().map(|d| format!("{}{}", d.message, d.help)).collect();
        assert!(!said.is_empty() && !said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn what_is_not_known_of_the_columns_with_plio_is_not_printed_as_zero() {
    let sideways = |name| {
        let groups = crate::groups(&device(name));
        let facts = groups.iter().flat_map(|group| &group.facts);
        facts.filter(|fact| fact.name.contains("sideways")).map(|fact| fact.value.clone()).collect::<Vec<_>>()
    };
    assert_eq!(sideways("xcvc1902"), ["8 / 8"]);
    assert_eq!(sideways("xcve2302"), ["not known"]);
}

#[test]
fn a_sound_device_has_no_faults_and_all_its_numbers_are_printed() {
    for name in builtin_names() {
        let device = device(name);
        assert_eq!(faults(&device), []);
        let groups = crate::groups(&device);
        assert!(groups.iter().all(|group| !group.facts.is_empty()));
        let cut = groups
            .iter()
            .flat_map(|group| &group.facts)
            .find(|fact| fact.name.starts_with("column to column"));
        assert!(cut.is_some_and(|fact| fact.value.contains(&device.cuts().east.to_string())), "{name}");
    }
}
