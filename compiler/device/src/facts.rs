//! A device's numbers as text, in groups, for people.

use crate::Device;
use crate::model::{BdBits, CascadeOrder, LockKind, Shim, Sides, SwitchPorts};

/// One number of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The resource that the number counts.
    pub name: &'static str,
    /// The number with its unit.
    pub value: String,
}

/// The numbers of one part of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The part of the device, such as the core or the shim row.
    pub title: &'static str,
    /// The numbers of that part.
    pub facts: Vec<Fact>,
}

/// The text for an unknown number.
const UNKNOWN: &str = "not known";

/// All numbers of `device`.
pub fn groups(device: &Device) -> Vec<Group> {
    let all = [
        group("array", array(device)),
        group("core", core(device)),
        group("data memory, per tile", memory(device)),
        group("tile DMA and locks, per tile", tile(device)),
        group("stream switches", switches(device)),
        group("cuts, in nets per direction", cuts(device)),
        group("memory tiles", memory_tiles(device)),
        group("PLIO", plio(device)),
        group("GMIO", gmio(device)),
        group("clocks", clocks(device)),
        group("vendor's tools", tools(device)),
    ];
    all.into_iter().filter(|group| !group.facts.is_empty()).collect()
}

fn group(title: &'static str, facts: Vec<(&'static str, String)>) -> Group {
    Group { title, facts: facts.into_iter().map(|(name, value)| Fact { name, value }).collect() }
}

fn array(device: &Device) -> Vec<(&'static str, String)> {
    let (columns, rows) = (device.columns, device.rows);
    let cores = u32::from(columns) * u32::from(rows);
    let reach = device.cores_by_reach().map(|count| count.to_string()).join("/");
    vec![
        ("size", format!("{columns} columns x {rows} rows = {cores} cores")),
        ("hardware row of core row 0", device.first_hardware_row.to_string()),
        ("cores that reach 4/3/2 modules", reach),
        ("compiler", device.support.clone()),
    ]
}

fn core(device: &Device) -> Vec<(&'static str, String)> {
    let core = &device.core;
    let order = match core.cascade_order {
        CascadeOrder::Snake => "even rows east, odd rows west, then up",
        CascadeOrder::SouthOrEast => "to the south or east",
    };
    vec![
        ("program memory", bytes(core.program_bytes)),
        ("loads per cycle", format!("{} x {} bits", core.loads, core.load_bits)),
        ("stores per cycle", format!("{} x {} bits", core.stores, core.store_bits)),
        ("stream ports in / out", format!("{} / {}", device.tile.streams_in, device.tile.streams_out)),
        ("cascade", format!("{} bits per cycle, {order}", core.cascade_bits)),
        ("cascade FIFO", format!("{} entries at each end", core.cascade_fifo)),
    ]
}

fn memory(device: &Device) -> Vec<(&'static str, String)> {
    let memory = &device.memory;
    let side = |row| match memory.neighbour(row) {
        offset if offset < 0 => "west",
        _ => "east",
    };
    let windows =
        memory.windows_per_kernel.map_or_else(|| "no limit stated".to_owned(), |limit| limit.to_string());
    vec![
        ("size", bytes(memory.module_bytes)),
        (
            "banks",
            format!("{} of {}, {} bits wide", memory.banks, bytes(memory.bank_bytes()), memory.bank_bits),
        ),
        (
            "physical banks",
            format!(
                "{} of {}, {} bits wide",
                memory.physical_banks,
                bytes(memory.module_bytes / memory.physical_banks),
                memory.physical_bank_bits
            ),
        ),
        ("horizontal neighbour", format!("{} on even rows, {} on odd rows", side(0), side(1))),
        ("core-local addresses", sides(&memory.addresses, |value| format!("{value:#x}"))),
        ("buffer alignment", known(memory.buffer_alignment, bytes)),
        ("buffer rounding", known(memory.buffer_rounding, bytes)),
        ("sync area", known(memory.sync_bytes, bytes)),
        ("default stack / heap", format!("{} / {}", bytes(memory.default_stack), bytes(memory.default_heap))),
        ("smallest window", known(memory.min_window, bytes)),
        ("windows per kernel", windows),
    ]
}

fn tile(device: &Device) -> Vec<(&'static str, String)> {
    let tile = &device.tile;
    let kind = match tile.lock_kind {
        LockKind::Binary => "binary, with a value of one bit".to_owned(),
        LockKind::Semaphore => format!("semaphores from 0 to {}", tile.lock_max),
    };
    vec![
        ("locks", format!("{}, {kind}", tile.locks)),
        ("core-local lock numbers", sides(&tile.lock_ids, |value| value.to_string())),
        ("channels S2MM / MM2S", format!("{} / {}", tile.s2mm, tile.mm2s)),
        (
            "buffer descriptors",
            format!("{} of up to {} words of {} B", tile.bds, tile.bd_words, tile.word_bytes),
        ),
        ("dimensions of a descriptor", tile.dma_dimensions.to_string()),
        ("fields of a descriptor, bits", fields(&tile.bd_bits)),
        ("queue of a channel", format!("{} transfers", tile.dma_queue)),
        ("locks of a buffer", device.costs.buffer_locks.to_string()),
        ("descriptors of a buffer by DMA", device.costs.dma_buffer_bds.to_string()),
    ]
}

fn fields(bits: &BdBits) -> String {
    let known =
        [("length", Some(bits.length)), ("offset", bits.offset), ("step", bits.step), ("wrap", bits.wrap)];
    let fields: Vec<String> =
        known.iter().filter_map(|(name, bits)| bits.map(|bits| format!("{name} {bits}"))).collect();
    fields.join(", ")
}

fn switches(device: &Device) -> Vec<(&'static str, String)> {
    let switch = &device.switch;
    let local = switch.local_cycles.map(|cycles| format!(", {cycles} to the own tile")).unwrap_or_default();
    let packet = &switch.packet;
    let mut facts = vec![
        (
            "wires north/south/east/west",
            format!("{}/{}/{}/{}", switch.north, switch.south, switch.east, switch.west),
        ),
        ("ports, core tile", ports(&switch.core)),
        ("ports, shim tile", ports(&switch.shim)),
        ("crossing", format!("{} cycles{local}; holds {} words", switch.hop_cycles, switch.hop_words)),
        ("FIFOs, core tile", format!("{} of {} words", switch.core.masters.fifo, switch.fifo_words)),
        ("packet ids per port", packet.ids.to_string()),
        ("packet arbiters", format!("{} with {} selects", packet.arbiters, packet.selects)),
        ("packet rules per port", packet.rules.to_string()),
    ];
    if let Some(memory) = &switch.memory {
        facts.insert(3, ("ports, memory tile", ports(memory)));
    }
    facts
}

fn ports(switch: &SwitchPorts) -> String {
    let bar = match switch.forbidden.len() {
        0 => "full crossbar".to_owned(),
        n => format!("crossbar with {n} restrictions"),
    };
    format!("{} masters, {} slaves, {bar}", switch.masters.total, switch.slaves.total)
}

fn cuts(device: &Device) -> Vec<(&'static str, String)> {
    let cuts = device.cuts();
    let [out, back] = [cuts.pl_leave.saturating_sub(cuts.pl_up), cuts.pl_enter.saturating_sub(cuts.pl_down)];
    let sideways = device.shim.pl_columns.map(|_| format!("{out} / {back}"));
    vec![
        ("column to column, east / west", format!("{} / {}", cuts.east, cuts.west)),
        ("row to row, up / down", format!("{} / {}", cuts.north, cuts.south)),
        ("shim row, PL columns, up / down", format!("{} / {}", cuts.pl_up, cuts.pl_down)),
        ("... and sideways to columns without PL", sideways.unwrap_or_else(|| UNKNOWN.to_owned())),
    ]
}

fn memory_tiles(device: &Device) -> Vec<(&'static str, String)> {
    let Some(tiles) = &device.memory_tiles else { return Vec::new() };
    vec![
        ("rows", tiles.rows.to_string()),
        ("size", bytes(tiles.bytes)),
        ("banks", format!("{} of {}", tiles.banks, bytes(tiles.bytes / tiles.banks))),
        ("locks", tiles.locks.to_string()),
        ("channels S2MM / MM2S", format!("{} / {}", tiles.s2mm, tiles.mm2s)),
        ("buffer descriptors", format!("{} of up to {} words", tiles.bds, tiles.bd_words)),
        ("dimensions of a descriptor", tiles.dma_dimensions.to_string()),
    ]
}

fn plio(device: &Device) -> Vec<(&'static str, String)> {
    let (shim, totals) = (&device.shim, device.interface_totals());
    let columns = shim.pl_columns.map_or_else(
        || format!("{} of them, numbers {UNKNOWN}", shim.plio_column_count()),
        |columns| format!("{} to {} ({})", columns.first, columns.last, shim.plio_column_count()),
    );
    let crossing =
        shim.crossing_fifo.map_or_else(|| UNKNOWN.to_owned(), |entries| format!("{entries} entries"));
    vec![
        ("columns", columns),
        (
            "channels in, per column",
            format!(
                "{} of {} bits (all columns: {})",
                shim.plio_in_channels, shim.channel_bits, totals.plio_in
            ),
        ),
        (
            "channels out, per column",
            format!(
                "{} of {} bits (all columns: {})",
                shim.plio_out_channels, shim.channel_bits, totals.plio_out
            ),
        ),
        ("widths", format!("{} bits", list(&shim.plio_widths))),
        ("pairs in / out", format!("{} / {}", pairs(&shim.plio_in_pairs), pairs(&shim.plio_out_pairs))),
        ("inputs without register", list(&shim.slow_inputs)),
        ("pairs of inputs with registers, all columns", totals.registered_plio_pairs.to_string()),
        ("clock crossing FIFO", crossing),
    ]
}

fn gmio(device: &Device) -> Vec<(&'static str, String)> {
    let (shim, totals) = (&device.shim, device.interface_totals());
    let each = shim.gmio_bds.map(|n| format!(", {n} per GMIO port")).unwrap_or_default();
    vec![
        ("columns", list(&shim.noc_columns)),
        ("ports in / out", format!("{} / {}", totals.gmio_in, totals.gmio_out)),
        ("inputs take PLIO channels", list(&shim.gmio_in_ports)),
        ("outputs take PLIO channels", list(&shim.gmio_out_ports)),
        ("buffer descriptors", format!("{} per column{each}", shim.bds)),
        ("locks", format!("{} per column", shim.locks)),
        ("dimensions of a descriptor", shim.dma_dimensions.to_string()),
        ("queue of a channel", format!("{} transfers", shim.dma_queue)),
        ("addresses", addresses(shim)),
        ("bursts", format!("{} B", list(&shim.burst_bytes))),
    ]
}

fn addresses(shim: &Shim) -> String {
    let bits = shim.address_bits.map_or_else(|| UNKNOWN.to_owned(), |bits| format!("{bits} bits"));
    let length = shim.bd_length_bits.map(|bits| format!(", lengths of {bits} bits")).unwrap_or_default();
    let aligned = shim.address_alignment.map(|bytes| format!(", multiples of {bytes} B")).unwrap_or_default();
    format!("{bits}{aligned}{length}")
}

fn clocks(device: &Device) -> Vec<(&'static str, String)> {
    let clock = &device.clock;
    let grade = clock.grade.as_ref().map(|grade| format!(" ({grade})")).unwrap_or_default();
    let grades: Vec<String> =
        clock.grades.iter().map(|grade| format!("{} {}", grade.name, grade.mhz)).collect();
    vec![
        ("array", format!("{}{grade}", known(clock.array_mhz, |mhz| format!("{mhz} MHz")))),
        ("speed grades, MHz", grades.join("; ")),
        (
            "programmable logic",
            format!("array / {} by default, at most array / {}", clock.pl_divisor, clock.pl_min_divisor),
        ),
        ("no boundary registers up to", format!("array / {}", clock.pl_register_divisor)),
    ]
}

fn tools(device: &Device) -> Vec<(&'static str, String)> {
    let tools = &device.tools;
    let facts = [
        ("FIFO depth that takes a DMA", tools.fifo_threshold_words, "words"),
        ("router units of a full net", tools.router_units, "units"),
        ("packet nets per slave port", tools.slave_nets, "nets"),
        ("trace streams by default", tools.trace_streams, "streams"),
    ];
    facts.into_iter().filter_map(|(name, value, unit)| Some((name, format!("{} {unit}", value?)))).collect()
}

fn known(value: u32, text: impl FnOnce(u32) -> String) -> String {
    if value == 0 { UNKNOWN.to_owned() } else { text(value) }
}

fn bytes(bytes: u32) -> String {
    aiec_diag::size(bytes.into())
}

fn sides(sides: &Sides, text: impl Fn(u32) -> String) -> String {
    let [south, west, north, east] = [sides.south, sides.west, sides.north, sides.east].map(text);
    format!("south {south}, west {west}, north {north}, east {east}")
}

fn list<T: ToString>(numbers: &[T]) -> String {
    if numbers.is_empty() {
        return "none".to_owned();
    }
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn pairs(pairs: &[[u32; 2]]) -> String {
    list(&pairs.iter().map(|[even, odd]| format!("{even}-{odd}")).collect::<Vec<_>>())
}
