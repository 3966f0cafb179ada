//! The statements of a first source for packets: each has a header, its words, and TLAST at the
//! last of them.

use std::collections::BTreeSet;

use aiec_ir::expanded::BranchPackets;
use aiec_ir::{Direction, Flow, PortId};

use super::ports_in_family;
use super::stub::{Port, looped, words};

/// The statements for a port whose packets are split or merged. Returns None for other ports.
pub(super) fn of_branches(port: Port<'_>, flow: Flow) -> Option<Vec<String>> {
    let design = port.design;
    let ports = port.families.iter().flat_map(|&family| ports_in_family(design, family, port.number));
    let ports: Vec<PortId> = ports.collect();
    if !ports.iter().any(|&id| design.ports[id].switch.is_some()) {
        return None;
    }
    let all: BTreeSet<Option<Vec<BranchPackets>>> = ports.iter().map(|&id| in_a_run(port, id)).collect();
    let name = port.port.identifier();
    let Some(branches) = all.first().cloned().flatten().filter(|_| all.len() == 1) else {
        return Some(vec![format!(
            "(void){name}; // {}; the other ends decide which packets",
            port.carried()
        )]);
    };
    let number: u64 = branches.iter().map(|branch| branch.count).sum();
    let own = port.elements().map(|elements| words(&elements, flow));
    Some(match (port.port.direction, own) {
        (direction, Some(own)) if number == 1 => one_of(&name, direction, &id_of(&branches), &own),
        (Direction::In, _) => repeated("packet", 0, number, read_to_end(&name)),
        (Direction::Out, own) => {
            let total = own.filter(|_| branches.iter().all(|branch| branch.bytes == branches[0].bytes));
            let share = total.map(|own| format!("{own} / {number}"));
            let groups = branches.chunk_by(|a, b| (a.count, a.bytes) == (b.count, b.bytes));
            groups.flat_map(|group| dealt(&name, group, share.as_deref())).collect()
        }
    })
}

/// The packets of a port in one run of its kernel, by branch. Returns None when they are unknown,
/// or several runs share one.
fn in_a_run(port: Port<'_>, id: PortId) -> Option<Vec<BranchPackets>> {
    let runs = u64::from(port.design.kernels[port.design.kernel_of(id)?].repetitions.max(1));
    let branches = port.design.packets_by_branch(id)?;
    let is_whole = branches.iter().all(|branch| branch.count.is_multiple_of(runs));
    let in_a_run = |branch: BranchPackets| BranchPackets { count: branch.count / runs, ..branch };
    is_whole.then(|| branches.into_iter().map(in_a_run).collect())
}

/// The id of the only packet of a run.
fn id_of(branches: &[BranchPackets]) -> String {
    branches.iter().find(|branch| branch.count > 0).map_or(0, |branch| branch.id).to_string()
}

/// The statements that send a packet to each of some branches, which follow each other, in turn.
/// `share` is the number of words of a packet, if it follows from the amount of the port.
fn dealt(name: &str, branches: &[BranchPackets], share: Option<&str>) -> Vec<String> {
    let (first, ways) = (branches[0], branches.len() as u64);
    let (from, own) = (u64::from(first.id), (first.bytes / 4).to_string());
    let words = share.unwrap_or(&own);
    let sent = |id: &str| one_of(name, Direction::Out, id, words);
    match (first.count, ways) {
        (count, 1) => repeated("packet", 0, count, sent(&from.to_string())),
        (1, _) => repeated("branch", from, from + ways, sent("branch")),
        (count, _) => {
            let turn = format!("packet % {ways}");
            let id = if from == 0 { turn } else { format!("{from} + {turn}") };
            repeated("packet", 0, count.saturating_mul(ways), sent(&id))
        }
    }
}

/// Statements for each number `counter` from `from` to below `to`.
fn repeated(counter: &str, from: u64, to: u64, lines: Vec<String>) -> Vec<String> {
    if to == from + 1 && counter == "packet" {
        return lines;
    }
    let head = format!("for (unsigned {counter} = {from}; {counter} < {to}; ++{counter}) {{");
    let inside = lines.into_iter().map(|line| format!("    {line}"));
    [head].into_iter().chain(inside).chain(["}".to_owned()]).collect()
}

/// The statements for a packet of the only branch, with this number of words behind its header.
pub(super) fn one(name: &str, direction: Direction, words: &str) -> Vec<String> {
    one_of(name, direction, "0", words)
}

/// The same for the branch with this id.
fn one_of(name: &str, direction: Direction, id: &str, words: &str) -> Vec<String> {
    let (header, word) = match direction {
        Direction::In => (header_of(name), format!("(void)readincr({name});")),
        Direction::Out => (
            format!("writeHeader({name}, 0, getPacketid({name}, {id}));"),
            format!("writeincr({name}, int32(), i + 1 == {words});"),
        ),
    };
    vec![header, looped(words, &word)]
}

/// The statements that take a packet of any number of words.
pub(super) fn read_to_end(name: &str) -> Vec<String> {
    vec![header_of(name), format!("for (bool last = false; !last;) (void)readincr({name}, last);")]
}

/// The statement that takes the header of a packet.
fn header_of(name: &str) -> String {
    format!("(void)readincr({name}); // the header of the packet")
}
