//! Collectives for a [`Builder`](crate::Builder).

use aiec_collectives::{
    Buffering, Guide, Loops, Operation, Operator, ReduceOp, Shape, Step, StepCost, WindowType,
};
use aiec_ir::Formula;

/// A guide for tests: a window costs 100, an element 1 for each port, and windows are unlimited.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Guide for Plain {
    fn step(&self, loops: Loops, step: &Step) -> i64 {
        let ports = step.take.len() + step.give.len();
        (100 + i64::from(loops.window.elements)) * i64::try_from(ports).unwrap_or(i64::MAX)
    }

    fn first_step(&self, loops: Loops, step: &Step) -> StepCost {
        self.step(loops, step).into()
    }

    fn shared_cycles(&self, _: Loops) -> i64 {
        0
    }

    fn cascade(&self, loops: Loops, ranks: u32) -> Option<i64> {
        i64::try_from(loops.window.cascade_cycles()?).ok()?.checked_add(10 * i64::from(ranks))
    }

    fn windows_per_kernel(&self) -> Option<u32> {
        None
    }

    fn merged_streams(&self) -> u32 {
        u32::MAX
    }

    fn streams_per_core(&self) -> u32 {
        u32::MAX
    }

    fn word_cycles(&self) -> i64 {
        1
    }

    fn words(&self, loops: Loops) -> u32 {
        loops.window.elements
    }

    fn net_cycles(&self) -> i64 {
        100
    }
}

/// A collective to build, initially a reduction. All properties except name, group and window have
/// the language's defaults.
#[derive(Clone, Debug)]
pub struct Reduce {
    pub(crate) name: String,
    pub(crate) operation: Operation,
    pub(crate) over: Vec<String>,
    pub(crate) op: Operator,
    pub(crate) data: WindowType,
    pub(crate) window: WindowType,
    pub(crate) root: Option<String>,
    pub(crate) shape: Shape,
    pub(crate) buffering: Buffering,
    pub(crate) calls: u32,
    pub(crate) cycles: Option<WindowType>,
    pub(crate) reference: Option<Formula>,
    pub(crate) scalar: bool,
}

impl Reduce {
    /// A sum called `name` over kernels (`worker[3]`) and whole families (`worker`), in rank order,
    /// with data of one window.
    pub fn over(name: &str, group: &[&str], window: WindowType) -> Self {
        Self {
            name: name.to_owned(),
            over: group.iter().map(|&member| member.to_owned()).collect(),
            operation: Operation::Reduce,
            op: Operator::Builtin(ReduceOp::Sum),
            data: window,
            window,
            root: None,
            shape: Shape::Tree(2),
            buffering: Buffering::Pingpong,
            calls: 1,
            cycles: None,
            reference: None,
            scalar: false,
        }
    }

    /// With loops that go element by element, as the thesis's do.
    #[must_use]
    pub const fn scalar(mut self) -> Self {
        self.scalar = true;
        self
    }

    /// The same reduction with another operator.
    #[must_use]
    pub fn op(mut self, op: ReduceOp) -> Self {
        self.op = Operator::Builtin(op);
        self
    }

    /// Sets another operation in another shape.
    #[must_use]
    pub const fn operation(mut self, operation: Operation, shape: Shape) -> Self {
        (self.operation, self.shape) = (operation, shape);
        self
    }

    /// With data other than one window.
    #[must_use]
    pub const fn data(mut self, data: WindowType) -> Self {
        self.data = data;
        self
    }

    /// With a root other than rank 0.
    #[must_use]
    pub fn root(mut self, root: &str) -> Self {
        self.root = Some(root.to_owned());
        self
    }

    /// Sets a complete tree with this many children per interior node; at least 1.
    #[must_use]
    pub const fn arity(mut self, arity: u32) -> Self {
        self.shape = Shape::Tree(arity);
        self
    }

    /// With single buffers instead of ping-pong.
    #[must_use]
    pub const fn single(mut self) -> Self {
        self.buffering = Buffering::Single;
        self
    }

    /// With this many calls in one run.
    #[must_use]
    pub const fn calls(mut self, calls: u32) -> Self {
        self.calls = calls;
        self
    }

    /// With cycle counts in windows of this type.
    #[must_use]
    pub const fn cycles(mut self, cycles: WindowType) -> Self {
        self.cycles = Some(cycles);
        self
    }

    /// With a known contribution of every rank.
    #[must_use]
    pub fn reference(mut self, formula: Formula) -> Self {
        self.reference = Some(formula);
        self
    }
}
