//! Repetition: statements whose numbers grow in equal steps become ranges and loops, also within
//! one another.

use aiec_dsl::ast::{Expr, For, Item, ItemKind};

use super::linear::Linear;
use super::slices::Turns;
use super::statements::Statement;
use super::tree::{ident, item, number};

/// The most pieces of a loop's body. A longer period is rare, and the search is linear in it.
const LONGEST_BODY: usize = 8;

/// Lines around the body of a loop.
const LOOP_LINES: usize = 2;

/// The statements as the fewest lines that ranges and loops make of them, in their order if
/// another one has no fewer. The order of statements means nothing, except for splits and merges.
/// Loops take their variables from `variables`.
pub(super) fn compressed(statements: &[Statement], variables: &[String]) -> Vec<Item> {
    let orders = [statements.iter().collect(), grouped(statements), sorted(statements)];
    // Long bodies first keep what belongs together; short ones first find rows of rows.
    let ways = orders.iter().flat_map(|order: &Vec<&Statement>| [(order, LONGEST_BODY), (order, 1)]);
    let all = ways.map(|(order, longest_body)| {
        let pieces = order.iter().map(|statement| Piece::one(statement)).collect();
        let first = folded(pieces, longest_body, variables.len());
        folded(first, LONGEST_BODY, variables.len())
    });
    let best = all.min_by_key(|pieces| lines(pieces)).unwrap_or_default();
    best.iter().map(|piece| piece.item(&piece.constants(), variables, 0)).collect()
}

/// The statements with equal words one after the other.
fn grouped(statements: &[Statement]) -> Vec<&Statement> {
    let mut groups: Vec<Vec<&Statement>> = Vec::new();
    for statement in statements {
        match groups.iter_mut().find(|group| is_of(group, statement)) {
            Some(group) => group.push(statement),
            None => groups.push(vec![statement]),
        }
    }
    groups.concat()
}

/// True for a statement that may stand behind those of `group`: all splits and merges keep their
/// order.
fn is_of(group: &[&Statement], statement: &Statement) -> bool {
    group.first().is_some_and(|first| match (first.is_switch(), statement.is_switch()) {
        (true, true) => true,
        (false, false) => first.key == statement.key,
        _ => false,
    })
}

/// The statements with equal words by their numbers.
fn sorted(statements: &[Statement]) -> Vec<&Statement> {
    let mut all = grouped(statements);
    for group in all.chunk_by_mut(|a, b| is_of(&[*a], b)) {
        if group.first().is_some_and(|first| !first.is_switch()) {
            group.sort_by(|a, b| a.numbers.cmp(&b.numbers));
        }
    }
    all
}

/// A statement, or a loop of pieces.
#[derive(Clone)]
struct Piece<'s> {
    /// Its words: pieces with one key differ in numbers alone.
    key: String,
    /// The numbers of all statements in the first round, in the order of the text.
    numbers: Vec<i64>,
    kind: Kind<'s>,
}

#[derive(Clone)]
enum Kind<'s> {
    One(&'s Statement),
    Loop(Rounds<'s>),
}

#[derive(Clone)]
struct Rounds<'s> {
    count: usize,
    /// What each number gains in a round.
    steps: Vec<i64>,
    body: Vec<Piece<'s>>,
}

/// The lines of these pieces.
fn lines(pieces: &[Piece<'_>]) -> usize {
    pieces.iter().map(Piece::lines).sum()
}

/// The pieces in fewer lines, as long as a pass finds any, with loops at most `deepest` deep.
fn folded(mut pieces: Vec<Piece<'_>>, longest_body: usize, deepest: usize) -> Vec<Piece<'_>> {
    loop {
        let before = pieces.len();
        pieces = pass(pieces, longest_body, deepest);
        if pieces.len() == before {
            return pieces;
        }
    }
}

/// One pass over the pieces.
fn pass(pieces: Vec<Piece<'_>>, longest_body: usize, deepest: usize) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = pieces.as_slice();
    while let [first, others @ ..] = rest {
        match longest(rest, longest_body, deepest) {
            Some((taken, run)) => {
                found.push(run);
                rest = &rest[taken..];
            }
            None => {
                found.push(first.clone());
                rest = others;
            }
        }
    }
    found
}

/// The run at the start that saves the most lines, with the number of its pieces. Returns None when
/// no run saves any.
fn longest<'s>(pieces: &[Piece<'s>], longest_body: usize, deepest: usize) -> Option<(usize, Piece<'s>)> {
    let mut best: Option<(usize, (usize, Piece<'s>))> = None;
    for body in 1..=longest_body {
        let Some(run) = run(pieces, body) else { continue };
        let taken = body * run.count;
        let piece = Piece::of_loop(run);
        let saved = lines(&pieces[..taken]).saturating_sub(piece.lines());
        if piece.depth() <= deepest && saved > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((saved, (taken, piece)));
        }
    }
    best.map(|(_, found)| found)
}

/// The longest run with a body of `body` pieces.
fn run<'s>(pieces: &[Piece<'s>], body: usize) -> Option<Rounds<'s>> {
    let second = pieces.get(body..2 * body)?;
    let first = &pieces[..body];
    let steps: Vec<Vec<i64>> = first.iter().zip(second).map(|(a, b)| a.step_to(b)).collect::<Option<_>>()?;
    let fits = |round: usize, at: usize| {
        let piece = pieces.get(round * body + at)?;
        let times = i64::try_from(round).ok()?;
        let expected = first[at].numbers.iter().zip(&steps[at]);
        let moved = expected.map(|(number, step)| step.checked_mul(times)?.checked_add(*number));
        let equal = piece.key == first[at].key
            && moved.map(|number| number.unwrap_or(i64::MIN)).eq(piece.numbers.iter().copied());
        equal.then_some(())
    };
    let count = 2 + (2..).take_while(|&round| (0..body).all(|at| fits(round, at).is_some())).count();
    Some(Rounds { count, steps: steps.concat(), body: first.to_vec() })
}

impl<'s> Piece<'s> {
    fn one(statement: &'s Statement) -> Self {
        let (key, numbers) = (statement.key.clone(), statement.numbers.clone());
        Self { key, numbers, kind: Kind::One(statement) }
    }

    fn of_loop(rounds: Rounds<'s>) -> Self {
        let keys: Vec<&str> = rounds.body.iter().map(|piece| piece.key.as_str()).collect();
        let key = format!("{} times {:?} of {keys:?}", rounds.count, rounds.steps);
        let numbers = rounds.body.iter().flat_map(|piece| piece.numbers.iter().copied()).collect();
        Self { key, numbers, kind: Kind::Loop(rounds) }
    }

    fn constants(&self) -> Vec<Linear> {
        self.numbers.iter().copied().map(Linear::constant).collect()
    }

    /// The difference of each number to that of `next`. Returns None when the words differ.
    fn step_to(&self, next: &Self) -> Option<Vec<i64>> {
        if self.key != next.key || self.numbers.len() != next.numbers.len() {
            return None;
        }
        self.numbers.iter().zip(&next.numbers).map(|(a, b)| b.checked_sub(*a)).collect()
    }

    /// The statement of a loop of loops of one statement, with these loops, the outermost first.
    fn nest(&self) -> Option<(&'s Statement, Vec<Turns<'_>>)> {
        let mut nest = Vec::new();
        let mut piece = self;
        loop {
            match &piece.kind {
                Kind::One(statement) => return Some((statement, nest)),
                Kind::Loop(Rounds { count, steps, body }) => {
                    nest.push((*count, steps.as_slice()));
                    let [only] = body.as_slice() else { return None };
                    piece = only;
                }
            }
        }
    }

    /// True for one line: a statement, perhaps with ranges.
    fn is_line(&self) -> bool {
        self.nest().is_some_and(|(statement, nest)| nest.is_empty() || statement.has_ranges(&nest))
    }

    fn lines(&self) -> usize {
        match &self.kind {
            Kind::Loop(rounds) if !self.is_line() => LOOP_LINES + lines(&rounds.body),
            _ => 1,
        }
    }

    /// The number of loops in one another.
    fn depth(&self) -> usize {
        match &self.kind {
            Kind::Loop(rounds) if !self.is_line() => {
                1 + rounds.body.iter().map(Self::depth).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The piece with these numbers, inside of `depth` loops.
    fn item(&self, numbers: &[Linear], variables: &[String], depth: usize) -> Item {
        let ranged = self.nest().and_then(|(one, nest)| one.ranged(&nest, numbers, variables));
        if let Some(item) = ranged {
            return item;
        }
        match &self.kind {
            Kind::One(statement) => {
                let numbers: Vec<Expr> = numbers.iter().map(|number| number.written(variables)).collect();
                statement.item(&numbers)
            }
            Kind::Loop(rounds) => rounds.item(numbers, variables, depth),
        }
    }
}

impl Rounds<'_> {
    fn item(&self, numbers: &[Linear], variables: &[String], depth: usize) -> Item {
        let inner: Vec<Linear> =
            numbers.iter().zip(&self.steps).map(|(number, &step)| number.within(step)).collect();
        let mut rest = inner.as_slice();
        let mut body = Vec::new();
        for piece in &self.body {
            let (own, others) = rest.split_at(piece.numbers.len());
            body.push(piece.item(own, variables, depth + 1));
            rest = others;
        }
        let rounds = i64::try_from(self.count).unwrap_or(i64::MAX);
        let variable = variables.get(depth).map_or("", String::as_str);
        item(ItemKind::For(For { variable: ident(variable), from: number(0), to: number(rounds), body }))
    }
}
