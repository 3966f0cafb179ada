//! `aiec route --emit=wiring`: its settings, followed from the sources of all nets, lead to their
//! sinks and nowhere else. The code here knows the format (`docs/routing.md`) and AM009, and shares
//! nothing with the router or its checker.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::{BTreeMap, BTreeSet};

use aiec_tests::{aiec, path};
use serde_json::Value;

/// Circuits with fan-out, packets of splits and merges, FIFOs of switches, PLIO of 32, 64 and 128
/// bits with and without a mux, GMIO both ways, and a graph.
const DESIGNS: [&str; 7] = [
    "examples/allports.dsl",
    "examples/ports/packets.dsl",
    "examples/ports/blur.dsl",
    "examples/collectives/matvec.dsl",
    "examples/adf/packet_fanout",
    "examples/adf/adder_tree",
    "examples/adf/gmio_loopback",
];

/// A port of a switch: column, row, bundle, channel.
type Port = (u64, u64, String, u64);
/// A setting by its list, its switch and its position there.
type Setting = (&'static str, usize, usize);

fn emitted(design: &str, form: &str) -> String {
    let ran = aiec(["route", "--effort", "1", &path(design), &format!("--emit={form}")]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{design}");
    ran.out
}

fn wiring(design: &str) -> Value {
    serde_json::from_str(&emitted(design, "wiring")).expect("JSON")
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

/// The port in field `name` of a setting or end, at the switch or end `at`.
fn port(at: &Value, holder: &Value, name: &str) -> Port {
    let bundle = holder[name]["bundle"].as_str().expect("a bundle").to_owned();
    (number(&at["column"]), number(&at["row"]), bundle, number(&holder[name]["channel"]))
}

fn switch_of((column, row, ..): &Port) -> (u64, u64) {
    (*column, *row)
}

/// The slave port that a master port feeds, if it leads to a switch.
fn behind((column, row, bundle, channel): &Port) -> Option<Port> {
    let (column, row, bundle) = match bundle.as_str() {
        "fifo" => (*column, *row, "fifo"),
        "north" => (*column, row + 1, "south"),
        "south" => (*column, row.checked_sub(1)?, "north"),
        "east" => (column + 1, *row, "west"),
        "west" => (column.checked_sub(1)?, *row, "east"),
        _ => return None,
    };
    Some((column, row, bundle.to_owned(), *channel))
}

/// A master port that sends packets, with its setting.
struct Sender<'a> {
    setting: Setting,
    master: Port,
    fields: &'a Value,
}

/// What data at a slave port meets.
struct Step {
    settings: Vec<Setting>,
    /// The master ports by which it goes on, and whether each drops the header.
    masters: Vec<(Port, bool)>,
}

/// All settings by the ports that they concern.
#[derive(Default)]
struct Switches<'a> {
    /// Circuits by slave port, each with its master port.
    circuits: BTreeMap<Port, Vec<(Setting, Port)>>,
    slots: BTreeMap<Port, Vec<(Setting, &'a Value)>>,
    /// Master ports that send packets, by column and row.
    masters: BTreeMap<(u64, u64), Vec<Sender<'a>>>,
    /// Ports of the interface row, by direction.
    interface: BTreeMap<(String, Port), (Setting, &'a Value)>,
    /// The nets that each setting names.
    named: BTreeSet<(Setting, u64)>,
}

impl<'a> Switches<'a> {
    /// # Errors
    /// Returns a port with two settings, or one that no AIE1 switch has.
    fn read(wiring: &'a Value) -> Result<Self, String> {
        let mut all = Self::default();
        let mut taken = BTreeSet::new();
        for (s, switch) in items(&wiring["switches"]).iter().enumerate() {
            for (at, circuit) in items(&switch["circuits"]).iter().enumerate() {
                let (slave, master) = (port(switch, circuit, "slave"), port(switch, circuit, "master"));
                if !taken.insert(master.clone()) {
                    return Err(format!("two circuits share the master {master:?}"));
                }
                let setting = ("circuits", s, at);
                all.named.insert((setting, number(&circuit["net"])));
                all.circuits.entry(slave).or_default().push((setting, master));
            }
            for (at, slot) in items(&switch["slots"]).iter().enumerate() {
                let slave = port(switch, slot, "slave");
                let limits = [("slot", 4), ("id", 32), ("mask", 32), ("arbiter", 6), ("msel", 4)];
                if limits.iter().any(|&(field, limit)| number(&slot[field]) >= limit) {
                    return Err(format!("AM009 has no such slot: {slot}"));
                }
                let slots = all.slots.entry(slave).or_default();
                if number(&slot["slot"]) != slots.len() as u64 {
                    return Err(format!("slots out of order: {slot}"));
                }
                all.named.extend(items(&slot["nets"]).iter().map(|net| (("slots", s, at), number(net))));
                slots.push((("slots", s, at), slot));
            }
            for (at, sends) in items(&switch["masters"]).iter().enumerate() {
                let master = port(switch, sends, "master");
                if !taken.insert(master.clone()) {
                    return Err(format!("the master {master:?} has two settings"));
                }
                let setting = ("masters", s, at);
                all.named.extend(items(&sends["nets"]).iter().map(|net| (setting, number(net))));
                let sender = Sender { setting, master, fields: sends };
                all.masters.entry(switch_of(&sender.master)).or_default().push(sender);
            }
            for (at, end) in items(&switch["interface"]).iter().enumerate() {
                let direction = end["direction"].as_str().expect("a direction").to_owned();
                let setting = ("interface", s, at);
                all.named.extend(items(&end["nets"]).iter().map(|net| (setting, number(net))));
                all.interface.insert((direction, port(switch, end, "port")), (setting, end));
            }
        }
        match all.slots.keys().find(|slave| all.circuits.contains_key(slave)) {
            Some(slave) => Err(format!("{slave:?} carries circuits and packets")),
            None => Ok(all),
        }
    }

    /// What data at a slave port meets: packets with number `id`, or a circuit.
    ///
    /// # Errors
    /// Returns slots that send one packet different ways.
    fn step(&self, slave: &Port, id: Option<u64>) -> Result<Step, String> {
        let circuits = self.circuits.get(slave).into_iter().flatten();
        let mut settings: Vec<Setting> = circuits.clone().map(|&(setting, _)| setting).collect();
        let mut masters: Vec<(Port, bool)> = circuits.map(|(_, master)| (master.clone(), false)).collect();
        let matches = |slot: &Value| {
            let mask = number(&slot["mask"]);
            id.is_some_and(|id| id & mask == number(&slot["id"]) & mask)
        };
        let slots: Vec<_> =
            self.slots.get(slave).into_iter().flatten().filter(|(_, slot)| matches(slot)).collect();
        settings.extend(slots.iter().map(|(setting, _)| *setting));
        let ways = slots.iter().map(|(_, slot)| (number(&slot["arbiter"]), number(&slot["msel"])));
        if ways.collect::<BTreeSet<_>>().len() > 1 {
            return Err(format!("slots of {slave:?} send packets {id:?} different ways"));
        }
        for Sender { setting, master, fields: sends } in
            self.masters.get(&switch_of(slave)).into_iter().flatten()
        {
            let hears = |slot: &Value| {
                slot["arbiter"] == sends["arbiter"]
                    && number(&sends["msels"]) >> number(&slot["msel"]) & 1 == 1
            };
            if slots.iter().any(|(_, slot)| hears(slot)) {
                settings.push(*setting);
                masters.push((master.clone(), sends["drop_header"] == true));
            }
        }
        Ok(Step { settings, masters })
    }

    /// The setting of a shim port at an end of a net, with the port that the array's DMA channels
    /// have (aie-rt `xaie_plif.c`).
    fn outside(&self, direction: &str, end: &Port) -> Result<Option<Setting>, String> {
        if end.1 != 0 || end.2 != "south" {
            return Ok(None);
        }
        let found = self.interface.get(&(direction.to_owned(), end.clone()));
        let Some((setting, known)) = found else { return Err(format!("{end:?} leads nowhere")) };
        let ports = if direction == "in" { [3, 7] } else { [2, 3] };
        let right = match known["end"].as_str() {
            Some("dma") => ports[number(&known["channel"]) as usize] == end.3,
            _ => [32, 64, 128].contains(&number(&known["width"])) && known["mux"].is_boolean(),
        };
        if right { Ok(Some(*setting)) } else { Err(format!("{end:?} is not the port of {known}")) }
    }
}

/// Follows every net. Returns the number of settings passed.
///
/// # Errors
/// Returns the first fault.
fn follow(wiring: &Value) -> Result<usize, String> {
    let switches = Switches::read(wiring)?;
    let (mut passed, mut at_slaves) = (BTreeSet::new(), BTreeMap::<Port, Vec<Option<u64>>>::new());
    for (net, listed) in (0_u64..).zip(items(&wiring["nets"])) {
        let name = &listed["name"];
        let id = listed.get("id").map(number);
        let source = port(&listed["source"], &listed["source"], "port");
        let mut sinks: BTreeSet<Port> =
            items(&listed["sinks"]).iter().map(|sink| port(sink, sink, "port")).collect();
        let inside = switches.outside("in", &source)?;
        passed.extend(inside.map(|setting| (setting, net)));
        let (mut open, mut seen) = (vec![source], BTreeSet::new());
        while let Some(slave) = open.pop() {
            if !seen.insert(slave.clone()) {
                return Err(format!("{name} comes to {slave:?} twice"));
            }
            at_slaves.entry(slave.clone()).or_default().push(id);
            let Step { settings, masters } = switches.step(&slave, id)?;
            passed.extend(settings.into_iter().map(|setting| (setting, net)));
            if masters.is_empty() {
                return Err(format!("{name} ends at {slave:?}"));
            }
            for (master, drops) in masters {
                let is_sink = sinks.remove(&master);
                // Windows have no headers; kernels and files have them.
                if is_sink && id.is_some() && drops != (master.2 == "dma") {
                    return Err(format!("{name} has the wrong header at {master:?}"));
                }
                match behind(&master).filter(|_| !is_sink) {
                    Some(_) if drops => return Err(format!("{name} loses its header at {master:?}")),
                    Some(next) => open.push(next),
                    None if is_sink => {
                        let outside = switches.outside("out", &master)?;
                        passed.extend(outside.map(|setting| (setting, net)));
                    }
                    None => return Err(format!("{name} leaves by {master:?}, which is no sink of it")),
                }
            }
        }
        if let Some(missed) = sinks.first() {
            return Err(format!("{name} does not reach {missed:?}"));
        }
    }
    for (slave, ids) in at_slaves {
        let apart: BTreeSet<_> = ids.iter().collect();
        if ids.len() > 1 && (apart.len() < ids.len() || apart.contains(&None)) {
            return Err(format!("streams that nothing tells apart meet at {slave:?}"));
        }
    }
    match switches.named.symmetric_difference(&passed).next() {
        Some((setting, net)) => Err(format!("net {net} does not pass {setting:?}, or is not named there")),
        None => Ok(passed.len()),
    }
}

/// The ends of nets as `--emit=routes` prints them.
fn ends_of_routes(routes: &Value) -> Vec<(String, Vec<String>)> {
    let end = |end: &Value| format!("{} {}", end["at"], end["port"]).replace('"', "");
    let net = |net: &Value| {
        let sinks: BTreeSet<String> = items(&net["sinks"]).iter().map(end).collect();
        (end(net), sinks.into_iter().collect())
    };
    items(&routes["nets"]).iter().map(net).collect()
}

fn ends_of_wiring(wiring: &Value) -> Vec<(String, Vec<String>)> {
    let end = |end: &Value| {
        let (column, row, bundle, channel) = port(end, end, "port");
        format!("{column},{row} {bundle} {channel}")
    };
    let net = |net: &Value| {
        let sinks: BTreeSet<String> = items(&net["sinks"]).iter().map(end).collect();
        (end(&net["source"]), sinks.into_iter().collect())
    };
    items(&wiring["nets"]).iter().map(net).collect()
}

#[test]
#[ignore = "long: routes for seconds"]
fn settings_alone_lead_every_net_to_its_sinks_and_nowhere_else() {
    for design in DESIGNS {
        let list = wiring(design);
        follow(&list).unwrap_or_else(|fault| panic!("{design}: {fault}"));
        let routes = serde_json::from_str(&emitted(design, "routes")).expect("JSON");
        assert_eq!(ends_of_wiring(&list), ends_of_routes(&routes), "{design}");
    }
}

/// A FIFO with a stated place: the net into it, and the net behind it.
#[test]
fn a_net_ends_where_a_stated_fifo_is_filled() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("delayed.dsl").display().to_string();
    let design = "design delayed
device xcvc1902
kernel a(in x: window int32[16], out y: stream int32[16]) { source \"a.cc\" }
kernel b(in y: stream int32[16], out w: window int32[16]) { source \"b.cc\" }
input i from plio(32, \"i.txt\")
output o[2] to plio(128, \"o_{}.txt\")
connect i -> a.x
connect a.y -> b.y fifo 16 at switch (21, 1) number 1
connect b.w -> o[0]
connect b.w -> o[1]
place a at (20, 1)
place b at (22, 1)
";
    std::fs::write(&file, design).expect("writable");
    let list = wiring(&file);
    follow(&list).unwrap_or_else(|fault| panic!("{fault}"));
    let fifo: Port = (21, 2, "fifo".to_owned(), 1);
    let (into, behind) = (&list["nets"][0]["sinks"][0], &list["nets"][1]["source"]);
    assert_eq!((port(into, into, "port"), port(behind, behind, "port")), (fifo.clone(), fifo));
}

/// A channel of 64 words of FIFO, and one of 32: the larger one gets a place in memory, where one
/// net ends and another begins.
#[test]
fn the_fifo_of_a_channel_in_memory_is_filled_and_emptied_by_a_dma() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("deep.dsl").display().to_string();
    let design = "design deep
device xcvc1902
kernel cell[2] { source \"cell.cc\" }
channel far over cell { data int32[128] depth 64 to rank + 1 }
channel back over cell { data int32[128] depth 32 to rank - 1 }
";
    std::fs::write(&file, design).expect("writable");
    let list = wiring(&file);
    assert!(list["open_fifos"].is_null(), "none is left out: {list}");
    follow(&list).unwrap_or_else(|fault| panic!("{fault}"));
    let nets = list["nets"].as_array().expect("nets").iter();
    let nets: Vec<&Value> = nets.filter(|net| net["name"].to_string().contains("far_out0")).collect();
    let [into, behind] = [&nets[0]["sinks"][0], &nets[1]["source"]];
    let at = |end: &Value| port(end, end, "port");
    assert_eq!((nets.len(), at(into).2.as_str(), at(behind).2.as_str()), (2, "dma", "dma"));
    assert_eq!((at(into).0, at(into).1), (at(behind).0, at(behind).1), "one tile");
    assert!(!emitted(&file, "xaie").contains("Left out"));
}

/// The page shows parts of what is printed.
#[test]
fn the_page_has_what_is_printed() {
    let page = std::fs::read_to_string(path("docs/routing.md")).expect("the page");
    for (fence, form) in [("```json", "wiring"), ("```c", "xaie")] {
        let section = page.split_once(&format!("### `--emit={form}`")).expect("a section").1;
        let block = section.split_once(&format!("{fence}\n")).expect("a block").1;
        let block = block.split_once("\n```").expect("a closed block").0;
        assert!(emitted("examples/adf/gmio_loopback", form).contains(block), "{form}");
    }
}

#[test]
fn a_setting_that_is_wrong_or_missing_is_found() {
    let faults = |whole: &Value, list: &str, change: &dyn Fn(&mut Value)| {
        let mut tried = 0;
        for (s, switch) in items(&whole["switches"]).iter().enumerate() {
            for at in 0..items(&switch[list]).len() {
                let mut spoilt = whole.clone();
                change(&mut spoilt["switches"][s][list][at]);
                assert!(follow(&spoilt).is_err(), "{list} {at} of {}", spoilt["switches"][s]);
                tried += 1;
            }
        }
        assert!(tried > 0, "{} has {list}", whole["design"]);
    };
    let other = |field: &'static [&'static str]| {
        move |setting: &mut Value| {
            let place = field.iter().fold(setting, |value, name| &mut value[*name]);
            *place = Value::from(number(place) + 1);
        }
    };
    let (packets, circuits) = (&wiring("examples/ports/packets.dsl"), &wiring("examples/allports.dsl"));
    faults(circuits, "circuits", &other(&["slave", "channel"]));
    faults(circuits, "circuits", &other(&["master", "channel"]));
    faults(circuits, "circuits", &other(&["net"]));
    faults(circuits, "interface", &other(&["port", "channel"]));
    faults(packets, "slots", &other(&["slave", "channel"]));
    faults(packets, "slots", &other(&["slot"]));
    faults(packets, "slots", &other(&["arbiter"]));
    faults(packets, "slots", &other(&["msel"]));
    faults(packets, "masters", &other(&["master", "channel"]));
    faults(packets, "masters", &other(&["arbiter"]));
    faults(packets, "masters", &other(&["msels"]));
    // No stream of the design has number 31.
    faults(packets, "slots", &|slot| (slot["id"], slot["mask"]) = (Value::from(31), Value::from(31)));
    faults(packets, "masters", &|sends| sends["nets"] = Value::from(Vec::<u64>::new()));
}

#[test]
fn the_form_takes_the_place_of_the_summary_or_goes_to_a_file() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("a.json").display().to_string();
    let (design, text) =
        (path("examples/adf/gmio_loopback"), emitted("examples/adf/gmio_loopback", "wiring"));
    let ran = aiec(["route", "--effort", "1", &design, "--emit=wiring", "-o", &file]);
    assert!(ran.status == 0 && ran.out.starts_with("routing "), "{ran:?}");
    let written = std::fs::read_to_string(&file).expect("written");
    let data = written.lines().filter(|line| !line.contains("\"generated\": \"by aiec "));
    assert_eq!(data.map(|line| format!("{line}\n")).collect::<String>(), text);
    // A file of C that the user wrote stays, and one of aiec is replaced.
    let file = folder.path().join("a.c").display().to_string();
    let words = ["route", "--effort", "1", &design, "--emit=xaie", "-o", &file];
    std::fs::write(&file, "int main(void) { return 0; }\n").expect("writable");
    let refused = aiec(words);
    assert!(refused.status == 1 && refused.err.contains("emit/output-occupied"), "{refused:?}");
    assert_eq!(aiec(words.iter().chain(&["--overwrite"])).status, 0);
    assert_eq!(aiec(words).status, 0);
    let written = std::fs::read_to_string(&file).expect("written");
    assert!(written.starts_with(emitted("examples/adf/gmio_loopback", "xaie").trim_end()), "{written}");
    for other in [&["--import", "router.input"][..], &["--trace", "2"]] {
        let ran = aiec([&["route", "--emit=wiring"], other].concat());
        assert!(ran.status == 2 && ran.err.contains("cannot be used with"), "{ran:?}");
    }
}

#[test]
fn a_design_without_routes_prints_no_settings() {
    let (design, placement) =
        (path("tests/cases/route/overfull.dsl"), path("tests/cases/route/overfull.placement.json"));
    for form in ["--emit=wiring", "--emit=xaie"] {
        let ran = aiec(["route", form, &design, "--placement", &placement]);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{ran:?}");
        assert!(ran.err.contains("route/overfull"), "{ran:?}");
    }
}
