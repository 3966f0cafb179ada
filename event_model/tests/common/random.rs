//! Random designs whose user kernels have synchronous ports only.

use aiec_collectives::{Operation, Shape, legal};
use aiec_ir::{Buffering, Direction, Expanded, WindowType};
use aiec_test_support::{Builder, Reduce, input, int32, output};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Elements of every window: more than the eight words in flight in a stream, which the simulation
/// does not count as room.
const WINDOW: u32 = 16;

/// The operations in which all ranks call one function with arrays of the same data.
fn operations() -> Vec<Operation> {
    let moves = |operation: &Operation| operation.row().moves_arrays() && !operation.row().names_partners;
    Operation::ALL.into_iter().filter(moves).collect()
}

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

/// Where the result of a reduction goes.
#[derive(Clone, Copy, Debug)]
enum Result {
    Stays,
    /// To an output of the array.
    Leaves,
    /// To a kernel of its own.
    Consumed,
}

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
    /// Only a reduction gives it to others.
    result: Result,
    /// True if its cycle counts leave the array.
    counts: bool,
}

/// A design: its number of kernels, wires between them (equal numbers of an output mean a
/// broadcast), collectives, runs.
#[derive(Clone, Debug)]
pub struct Random {
    kernels: usize,
    wires: Vec<(usize, usize, bool, bool)>,
    collectives: Vec<Together>,
    iterations: u32,
}

/// Designs on the device `toy`.
pub fn random() -> impl Strategy<Value = Random> {
    (2usize..6, 1u32..4).prop_flat_map(|(kernels, iterations)| {
        let together = (
            0..operations().len(),
            0..SHAPES.len(),
            Just((0..kernels).collect::<Vec<_>>()).prop_shuffle(),
            2..=kernels,
            (0..kernels, 1u32..7, 1u32..3, any::<bool>()),
            (select(&[Result::Stays, Result::Leaves, Result::Consumed]), any::<bool>()),
        )
            .prop_map(|(operation, shape, mut order, ranks, numbers, (result, counts))| {
                let (root, windows, calls, single) = numbers;
                order.truncate(ranks);
                let root = root % ranks;
                Together { operation, shape, root, order, windows, calls, single, result, counts }
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

impl Together {
    /// Adds what takes its result and its cycle counts.
    fn give(&self, number: usize, builder: &mut Builder) {
        let (from, to) = (format!("c{number}.result"), format!("r{number}"));
        if self.counts {
            builder.plio_output(&format!("t{number}"), 32);
            builder.connect(&format!("c{number}.cycles"), &format!("t{number}"));
        }
        match self.result {
            _ if operations()[self.operation] != Operation::Reduce => {}
            Result::Stays => {}
            Result::Leaves => {
                builder.plio_output(&to, 32).connect(&from, &to);
            }
            Result::Consumed => {
                builder.kernels(&to, &[], &[input("x", int32(WINDOW))]).cycles(&to, 100);
                let windows = self.windows * self.calls;
                builder.connect(&from, &format!("async {to}.x windows {windows}"));
            }
        }
    }
}

impl Random {
    /// The same design with each of its collectives in another shape, with another root.
    #[allow(dead_code, reason = "not every test that shares this file asks")]
    pub fn in_other_shapes(&self) -> impl Iterator<Item = Self> + '_ {
        (1..SHAPES.len()).map(|step| {
            let mut other = self.clone();
            for collective in &mut other.collectives {
                collective.shape = (collective.shape + step) % SHAPES.len();
                collective.root = (collective.root + step) % collective.order.len();
            }
            other
        })
    }

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
                .operation(operations()[one.operation], SHAPES[one.shape])
                .root(group[one.root])
                .calls(one.calls);
            let reduce = if one.counts { reduce.cycles(int32(one.calls.max(4))) } else { reduce };
            builder.reduce(if one.single { reduce.single() } else { reduce });
            one.give(number, &mut builder);
        }
        for (from, to, single) in connects {
            builder.connect_with(&from, &to, if single { Buffering::Single } else { Buffering::Pingpong });
        }
        builder
    }

    /// The design. Returns None when a collective cannot have its shape.
    pub fn expanded(&self) -> Option<Expanded> {
        let fits = |one: &Together| {
            let algorithm = operations()[one.operation].row().algorithm(SHAPES[one.shape]);
            algorithm.is_some_and(|it| !it.power_of_two || one.order.len().is_power_of_two())
        };
        if !self.collectives.iter().all(fits) {
            return None;
        }
        let expanded = self.builder().expanded().ok()?;
        let sound = expanded.collectives.iter().all(|c| legal(&c.plan, c.combining()).is_ok());
        sound.then_some(expanded)
    }
}
