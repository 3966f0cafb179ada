//! Repetition: statements whose numbers grow in equal steps become ranges and loops.

use aiec_dsl::ast::{BinaryOp, Expr, ExprKind, For, Item, ItemKind};

use super::statements::Statement;
use super::tree::{binary, expr, ident, item, name, number};

/// The most statements of a loop's body. A longer period is rare, and the search is linear in it.
const LONGEST_BODY: usize = 8;

/// Lines around the body of a loop.
const LOOP_LINES: usize = 2;

/// The statements in their order, as few items as ranges and loops of one level make of them.
pub(super) fn compressed(statements: &[Statement], variable: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(first) = statements.get(at) {
        let run = longest(&statements[at..]);
        let taken = match &run {
            Some(run) => {
                items.push(run.item(&statements[at..], variable));
                run.body * run.rounds
            }
            None => {
                items.push(first.item(&first.constants()));
                1
            }
        };
        at += taken;
    }
    items
}

/// A number of equal rounds at the start of a list.
struct Run {
    body: usize,
    rounds: usize,
    /// The number that each slot of each statement of the body gains in a round.
    steps: Vec<Vec<i64>>,
}

/// The run that saves the most lines. Returns None when no run saves any.
fn longest(statements: &[Statement]) -> Option<Run> {
    let runs = (1..=LONGEST_BODY).filter_map(|body| run(statements, body));
    let saved = |run: &Run| {
        let ranged = run.body == 1 && statements[0].ranged(&run.steps[0], run.rounds).is_some();
        let lines = if ranged { 1 } else { run.body + LOOP_LINES };
        (run.body * run.rounds).saturating_sub(lines)
    };
    let mut best: Option<(usize, Run)> = None;
    for run in runs {
        let saved = saved(&run);
        if saved > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((saved, run));
        }
    }
    best.map(|(_, run)| run)
}

/// The longest run with a body of `body` statements.
fn run(statements: &[Statement], body: usize) -> Option<Run> {
    let second = statements.get(body..2 * body)?;
    let steps: Vec<Vec<i64>> =
        statements[..body].iter().zip(second).map(|(a, b)| a.step_to(b)).collect::<Option<_>>()?;
    let fits = |round: usize, at: usize| {
        let statement = statements.get(round * body + at)?;
        let times = i64::try_from(round).ok()?;
        let expected = statements[at].numbers.iter().zip(&steps[at]);
        let moved = expected.map(|(number, step)| step.checked_mul(times)?.checked_add(*number));
        let equal = statement.key == statements[at].key
            && moved.map(|number| number.unwrap_or(i64::MIN)).eq(statement.numbers.iter().copied());
        equal.then_some(())
    };
    let rounds = 2 + (2..).take_while(|&round| (0..body).all(|at| fits(round, at).is_some())).count();
    Some(Run { body, rounds, steps })
}

impl Run {
    fn item(&self, statements: &[Statement], variable: &str) -> Item {
        let ranged = statements[0].ranged(&self.steps[0], self.rounds).filter(|_| self.body == 1);
        if let Some(item) = ranged {
            return item;
        }
        let body = statements[..self.body].iter().zip(&self.steps);
        let body = body.map(|(statement, steps)| {
            let numbers: Vec<Expr> = statement
                .numbers
                .iter()
                .zip(steps)
                .map(|(&first, &step)| affine(first, step, variable))
                .collect();
            statement.item(&numbers)
        });
        let rounds = i64::try_from(self.rounds).unwrap_or(i64::MAX);
        let body = body.collect();
        item(ItemKind::For(For { variable: ident(variable), from: number(0), to: number(rounds), body }))
    }
}

/// `first + step * variable` in its shortest form.
pub(super) fn affine(first: i64, step: i64, variable: &str) -> Expr {
    let product = |step: i64| match step {
        1 => name(variable),
        _ => binary(BinaryOp::Mul, number(step), name(variable)),
    };
    match (first, step) {
        (_, 0) => number(first),
        (_, i64::MIN..0) if first != 0 => binary(BinaryOp::Sub, number(first), product(-step)),
        (0, i64::MIN..0) => expr(ExprKind::Neg(Box::new(product(-step)))),
        (0, _) => product(step),
        (i64::MIN..0, _) => binary(BinaryOp::Sub, product(step), number(-first)),
        _ => binary(BinaryOp::Add, product(step), number(first)),
    }
}
