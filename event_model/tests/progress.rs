//! No accepted design gets stuck: random designs whose user kernels have synchronous ports only,
//! checked, placed, routed and simulated. The check counts buffers with tokens before placement.
//! The simulation uses the buffers of the placement and the times of the hardware.

use aiec_collectives::{Operation, Shape, legal};
use aiec_ir::{Buffering, Direction, Expanded, WindowType};
use aiec_placer::PlaceOptions;
use aiec_router_model::{RouteOptions, route, verify};
use aiec_test_support::{Builder, Reduce, input, int32, output};
use aiec_timing::TimingProfile;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Elements of every window: more than the eight words in flight in a stream, which the simulation
/// does not count as room.
const WINDOW: u32 = 16;

const OPERATIONS: [Operation; 8] = [
    Operation::Reduce,
    Operation::Allreduce,
    Operation::Broadcast,
    Operation::Gather,
    Operation::Allgather,
    Operation::Scatter,
    Operation::Alltoall,
    Operation::Scan,
];
const SHAPES: [Shape; 9] = [
    Shape::Tree(2),
    Shape::Tree(3),
    Shape::Binomial,
    Shape::Chain,
    Shape::Ring,
    Shape::Butterfly,
    Shape::Flat,
    Shape::Merge,
    Shape::Cascade,
];

/// A collective over some kernels in some order.
#[derive(Clone, Debug)]
struct Together {
    operation: usize,
    shape: usize,
    order: Vec<usize>,
    root: usize,
    windows: u32,
    calls: u32,
    single: bool,
}

/// A design: its number of kernels, wires between them (equal numbers of an output mean a
/// broadcast), collectives, runs.
#[derive(Clone, Debug)]
struct Random {
    kernels: usize,
    wires: Vec<(usize, usize, bool, bool)>,
    collectives: Vec<Together>,
    iterations: u32,
}

fn random() -> impl Strategy<Value = Random> {
    (2usize..6, 1u32..4).prop_flat_map(|(kernels, iterations)| {
        let together = (
            0..OPERATIONS.len(),
            0..SHAPES.len(),
            Just((0..kernels).collect::<Vec<_>>()).prop_shuffle(),
            2..=kernels,
            (0..kernels, 1u32..7, 1u32..3, any::<bool>()),
        )
            .prop_map(|(operation, shape, mut order, ranks, (root, windows, calls, single))| {
                order.truncate(ranks);
                Together { operation, shape, root: root % ranks, order, windows, calls, single }
            });
        // Wires go one way mostly: others are circles, which the check has known for long.
        let wire = (0..kernels, 0..kernels, any::<bool>(), proptest::bool::weighted(0.2));
        let wires = vec(wire, 0..5);
        (wires, vec(together, 1..3)).prop_map(move |(wires, collectives)| Random {
            kernels,
            wires,
            collectives,
            iterations,
        })
    })
}

impl Random {
    fn builder(&self) -> Builder {
        let mut ports: Vec<Vec<(Direction, String)>> = (0..self.kernels).map(|_| Vec::new()).collect();
        let mut connects = Vec::new();
        let mut last: Vec<Option<String>> = vec![None; self.kernels];
        for (number, &(from, to, single, again)) in
            self.wires.iter().enumerate().filter(|(_, wire)| wire.0 != wire.1)
        {
            let out = last[from].clone().filter(|_| again).unwrap_or_else(|| {
                ports[from].push((Direction::Out, format!("y{number}")));
                format!("k{from}.y{number}")
            });
            last[from] = Some(out.clone());
            ports[to].push((Direction::In, format!("x{number}")));
            connects.push((out, format!("k{to}.x{number}"), single));
        }
        let mut builder = Builder::new("random", "toy");
        builder.iterations(self.iterations);
        for (number, ports) in ports.iter().enumerate() {
            let ports: Vec<(Direction, &str, WindowType)> = ports
                .iter()
                .map(|(way, name)| match way {
                    Direction::In => input(name, int32(WINDOW)),
                    Direction::Out => output(name, int32(WINDOW)),
                })
                .collect();
            builder.kernels(&format!("k{number}"), &[], &ports);
        }
        for (number, one) in self.collectives.iter().enumerate() {
            let names: Vec<String> = one.order.iter().map(|kernel| format!("k{kernel}")).collect();
            let group: Vec<&str> = names.iter().map(String::as_str).collect();
            let reduce = Reduce::over(&format!("c{number}"), &group, int32(WINDOW))
                .data(int32(WINDOW * one.windows))
                .operation(OPERATIONS[one.operation], SHAPES[one.shape])
                .root(group[one.root])
                .calls(one.calls);
            builder.reduce(if one.single { reduce.single() } else { reduce });
        }
        for (from, to, single) in connects {
            builder.connect_with(&from, &to, if single { Buffering::Single } else { Buffering::Pingpong });
        }
        builder
    }

    /// The design. None when a collective cannot have its shape.
    fn expanded(&self) -> Option<Expanded> {
        let expanded = self.builder().expanded().ok()?;
        let sound = expanded.collectives.iter().all(|c| legal(&c.plan, c.combining()).is_ok());
        sound.then_some(expanded)
    }
}

/// The outcome for a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Refused,
    /// For a circle of waits that takes in an empty buffer.
    Full,
    NotRouted,
    Ran,
    Stuck,
}

fn end(expanded: Expanded) -> End {
    let device = aiec_device::builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
    let (checked, found) = aiec_check::check(expanded, &device).into_parts();
    let Some(checked) = checked else {
        return if found.iter().any(|d| d.message.contains("empty buffer at")) {
            End::Full
        } else {
            End::Refused
        };
    };
    let routed = || {
        let placement = aiec_placer::place(&checked, &device, &PlaceOptions::default()).into_parts().0?;
        let placed = aiec_placer::verify(&checked, &device, placement).into_parts().0?;
        let routes = route(&checked, &placed, &device, &RouteOptions::default()).into_parts().0?;
        let routed = verify(&checked, &placed, &device, routes).into_parts().0?;
        Some((placed, routed))
    };
    let Some((placed, routed)) = routed() else { return End::NotRouted };
    let profile = TimingProfile::thesis();
    match aiec_event_model::run(&checked, &placed, &routed, &device, &profile).into_parts().0 {
        Some(_) => End::Ran,
        None => End::Stuck,
    }
}

#[test]
fn accepted_designs_with_synchronous_ports_run_to_their_end() {
    accepted_designs_run(300);
}

#[test]
#[ignore = "long: runs 3000 designs"]
fn accepted_designs_with_synchronous_ports_run_to_their_end_in_all_cases() {
    accepted_designs_run(3000);
}

/// Runs `cases` random designs. At least one of 15 runs, and one of 300 is refused for an empty
/// buffer.
fn accepted_designs_run(cases: u32) {
    let mut ends = Vec::new();
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let seen = std::cell::RefCell::new(&mut ends);
    let result = runner.run(&random(), |design| {
        let Some(expanded) = design.expanded() else { return Ok(()) };
        let end = end(expanded);
        seen.borrow_mut().push(end);
        prop_assert_ne!(end, End::Stuck);
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    let count = |wanted: End| ends.iter().filter(|&&end| end == wanted).count();
    let cases = cases as usize;
    assert!(
        count(End::Ran) > cases / 15 && count(End::Full) > cases / 300,
        "the designs are worth checking: {ends:?}"
    );
}
