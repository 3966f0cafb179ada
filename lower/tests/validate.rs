//! The invariants of an expanded design, broken one by one.

use aiec_collectives::Rank;
use aiec_ir::expanded::Port;
use aiec_ir::{CollectiveId, ConnectionId, Direction, Expanded, KernelId, ParameterId, PortId, SwitchId};
use aiec_lower::validate_expanded;

use crate::common::expanded;

const COLLECTIVE: &str = "design d device xcvc1902
    kernel w[4](in x: window int32[8]) { source \"w.cc\" }
    input a from gmio output s to gmio
    reduce r over w { op sum data int32[8] }
    connect a -> w.x connect r.result -> s";

/// All other kinds of ports and constructs.
const PORTS: &str = "design d device xcvc1902
    kernel a(in x: window int32[8] margin 8, out s: cascade acc48, out y: window int32[8]) { source \"a.cc\" }
    kernel b(in s: cascade acc48, inout p: parameter int32, in q: parameter int32, out z: packets int32) {
        source \"b.cc\"
    }
    kernel c[2](in x: window int32[8]) { source \"c.cc\" }
    input i from gmio input q from host output p to host output o to gmio output t to gmio
    connect i -> a.x connect a.s -> b.s connect q -> b.q connect b.p -> p
    connect b.z -> split c[..].x
    connect async a.y windows 2 -> o";

#[test]
fn a_sound_expansion_is_valid() {
    assert_eq!(validate_expanded(&expanded(COLLECTIVE)), Ok(()));
    assert_eq!(validate_expanded(&expanded(PORTS)), Ok(()));
}

fn is_found(text: &str, broken: &[fn(&mut Expanded)]) {
    for (number, break_it) in broken.iter().enumerate() {
        let mut expanded = expanded(text);
        break_it(&mut expanded);
        assert!(validate_expanded(&expanded).is_err(), "number {number}");
    }
}

fn port<'a>(expanded: &'a mut Expanded, name: &str) -> &'a mut Port {
    let found = expanded.ports.ids().find(|&id| expanded.port_name(id) == name);
    &mut expanded.ports[found.expect("a port of the design")]
}

#[test]
fn every_broken_invariant_is_found() {
    is_found(
        COLLECTIVE,
        &[
            |e| e.iterations = 0,
            |e| e.kernels[KernelId(0)].repetitions = 0,
            |e| e.ports[PortId(0)].slot = 1,
            |e| e.ports[PortId(0)].carries = None,
            |e| e.ports[PortId(0)].connections.clear(),
            |e| e.connections[ConnectionId(0)].collective = Some(CollectiveId(0)),
            |e| e.collectives[CollectiveId(0)].plan.root = Rank(2),
            |e| e.kernels[KernelId(1)].memberships[0].outputs.clear(),
            |e| e.graph.clear_edges(),
        ],
    );
}

#[test]
fn every_broken_invariant_of_ports_is_found() {
    is_found(
        PORTS,
        &[
            |e| port(e, "a.y").windows = None,
            |e| port(e, "a.y").asynchronous = false,
            |e| port(e, "a.y").carries = port(e, "a.x").carries,
            |e| port(e, "b.z").switch = None,
            |e| port(e, "b.p").slot = 1,
            |e| e.switches[SwitchId(0)].branches.reverse(),
            |e| e.cascades.clear(),
            |e| e.parameters[ParameterId(0)].direction = Direction::In,
            |e| e.kernels[KernelId(1)].inouts.clear(),
        ],
    );
}
