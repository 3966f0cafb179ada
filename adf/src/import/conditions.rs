//! Conditions on the indices of a family: a few comparisons that hold for some of its instances.

use std::collections::BTreeSet;

use aiec_dsl::ast::{BinaryOp, Expr};
use aiec_ir::design::position;

use super::tree::{binary, name, number};

/// The largest divisor of a condition on the rest of a division.
const LARGEST_DIVISOR: u32 = 8;

/// Instances for which one of several conditions holds.
pub(super) struct Condition {
    any: Vec<Block>,
}

/// A test for each index, of which all hold. None when all values pass.
type Block = Vec<Option<Test>>;

/// A test of one index.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Is(u32),
    IsNot(u32),
    Below(u32),
    From(u32),
    /// From the first up to but not including the second.
    Within(u32, u32),
    /// The rest of the division by the first is the second.
    Rest(u32, u32),
    Any(Vec<Self>),
}

type Values = BTreeSet<u32>;

/// The instances of a family as positions.
struct Cells {
    dims: Vec<u32>,
    /// Those for which the condition has to hold.
    wanted: Vec<Vec<u32>>,
    /// Those for which it must not hold.
    others: Vec<Vec<u32>>,
}

impl Condition {
    /// A condition that holds for the instances `wanted` and for none of `others`; few comparisons,
    /// but not always the fewest.
    pub(super) fn of(wanted: &[u32], others: &[u32], dims: &[u32]) -> Self {
        let cells = |all: &[u32]| all.iter().map(|&index| position(dims, index)).collect::<Vec<_>>();
        let cells = Cells { dims: dims.to_vec(), wanted: cells(wanted), others: cells(others) };
        let any = cells.as_block().map_or_else(|| cells.cover(), |block| vec![block]);
        Self { any }
    }

    /// The number of comparisons.
    pub(super) fn cost(&self) -> usize {
        self.any.iter().flatten().flatten().map(Test::cost).sum()
    }

    /// The condition with these names of the indices.
    pub(super) fn written(&self, variables: &[String]) -> Expr {
        let block = |block: &Block| {
            let tests = block.iter().zip(variables).filter_map(|(test, of)| Some(test.as_ref()?.written(of)));
            tests.reduce(|a, b| binary(BinaryOp::And, a, b)).unwrap_or_else(|| number(1))
        };
        let all = self.any.iter().map(block);
        all.reduce(|a, b| binary(BinaryOp::Or, a, b)).unwrap_or_else(|| number(0))
    }
}

impl Cells {
    /// The one block that holds all and no other. Returns None when there is none.
    fn as_block(&self) -> Option<Block> {
        let all = |at: usize| self.wanted.iter().map(|cell| cell[at]).collect::<Values>();
        let values: Vec<Values> = (0..self.dims.len()).map(all).collect();
        let mut best: Option<(usize, Block)> = None;
        // Tests of fewer indices are shorter, as a rule.
        for tested in 1..1u32 << self.dims.len() {
            let allowed =
                (0..).zip(&values).map(|(at, values)| (tested >> at & 1 == 1).then(|| values.clone()));
            let Some(block) = self.block(allowed.collect()) else { continue };
            let cost = block.iter().flatten().map(Test::cost).sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, block));
            }
        }
        best.map(|(_, block)| block)
    }

    /// Tests for these values of each index. Returns None when another instance has them as well.
    fn block(&self, mut allowed: Vec<Option<Values>>) -> Option<Block> {
        let is_in = |cell: &[u32], allowed: &[Option<Values>], but: Option<usize>| {
            let mut all = cell.iter().zip(allowed).enumerate().filter(|(at, _)| Some(*at) != but);
            all.all(|(_, (value, allowed))| allowed.as_ref().is_none_or(|values| values.contains(value)))
        };
        if self.others.iter().any(|cell| is_in(cell, &allowed, None)) {
            return None;
        }
        let mut block = Vec::new();
        for (at, &extent) in self.dims.iter().enumerate() {
            let Some(values) = allowed[at].clone() else {
                block.push(None);
                continue;
            };
            let others = self.others.iter().filter(|cell| is_in(cell, &allowed, Some(at)));
            let others: Values = others.map(|cell| cell[at]).collect();
            let test = Test::of(&values, &others, extent);
            // The test may hold for more values, which the next ones exclude in turn.
            allowed[at] = Some((0..extent).filter(|&value| test.holds(value)).collect());
            block.push(Some(test));
        }
        Some(block)
    }

    /// Blocks that hold all of them and no other: whole rows and columns first.
    fn cover(&self) -> Vec<Block> {
        let mut open: Vec<&Vec<u32>> = self.wanted.iter().collect();
        let mut found = Vec::new();
        while let Some(first) = open.first() {
            let rows = (0..self.dims.len()).map(|at| self.whole(at));
            let grown = (0..self.dims.len()).map(|at| self.grown(first, at));
            let gains = |allowed: &[Option<Values>]| open.iter().filter(|cell| has(allowed, cell)).count();
            let of_rows = rows.max_by_key(|allowed| gains(allowed)).filter(|allowed| gains(allowed) > 0);
            let Some(allowed) = of_rows.or_else(|| grown.max_by_key(|allowed| gains(allowed))) else { break };
            let now: Vec<&Vec<u32>> = open.iter().copied().filter(|cell| has(&allowed, cell)).collect();
            open.retain(|cell| !has(&allowed, cell));
            // What earlier blocks hold needs no test.
            let of = |at: usize| now.iter().map(|cell| cell[at]).collect::<Values>();
            let needed = allowed.iter().enumerate().map(|(at, values)| values.as_ref().map(|_| of(at)));
            found.extend(self.block(needed.collect()));
        }
        found
    }

    /// The values of one index that no other instance has.
    fn whole(&self, at: usize) -> Vec<Option<Values>> {
        let others: Values = self.others.iter().map(|cell| cell[at]).collect();
        let own: Values = self.wanted.iter().map(|cell| cell[at]).filter(|at| !others.contains(at)).collect();
        (0..self.dims.len()).map(|other| (other == at).then(|| own.clone())).collect()
    }

    /// A block around `cell` without other instances, as long as possible in one index first.
    fn grown(&self, cell: &[u32], first: usize) -> Vec<Option<Values>> {
        let mut allowed: Vec<Option<Values>> = cell.iter().map(|&at| Some(Values::from([at]))).collect();
        let rest = (0..self.dims.len()).filter(|&at| at != first);
        for at in std::iter::once(first).chain(rest) {
            for value in self.wanted.iter().map(|cell| cell[at]).collect::<Values>() {
                let mut larger = allowed.clone();
                larger[at].get_or_insert_default().insert(value);
                if !self.others.iter().any(|cell| has(&larger, cell)) {
                    allowed = larger;
                }
            }
        }
        allowed
    }
}

/// True for a position with these values of each index.
fn has(allowed: &[Option<Values>], cell: &[u32]) -> bool {
    allowed.iter().zip(cell).all(|(values, value)| values.as_ref().is_none_or(|all| all.contains(value)))
}

impl Test {
    /// A test that holds for `wanted` and for none of `others`, of values below `extent`.
    fn of(wanted: &Values, others: &Values, extent: u32) -> Self {
        let (Some(&first), Some(&last)) = (wanted.first(), wanted.last()) else {
            return Self::Any(Vec::new());
        };
        let is_between = |from: u32, to: u32| others.range(from..=to).next().is_none();
        match () {
            () if first == last => Self::Is(first),
            () if is_between(0, last) => Self::Below(last + 1),
            () if is_between(first, extent) => Self::From(first),
            () if others.len() == 1 => Self::IsNot(*others.first().unwrap_or(&0)),
            () if is_between(first, last) => Self::Within(first, last + 1),
            () => Self::rest(wanted, others).unwrap_or_else(|| Self::Any(Self::runs(wanted, others, extent))),
        }
    }

    /// A test of the rest of a division, if that is how `wanted` differs from `others`.
    fn rest(wanted: &Values, others: &Values) -> Option<Self> {
        let first = *wanted.first()?;
        let fits = |divisor: &u32| {
            let (divisor, rest) = (*divisor, first % *divisor);
            // Two values that are far from each other are no rule.
            (divisor == 2 || wanted.len() > 2)
                && wanted.iter().all(|value| value % divisor == rest)
                && others.iter().all(|value| value % divisor != rest)
        };
        let divisor = (2..=LARGEST_DIVISOR).find(fits)?;
        Some(Self::Rest(divisor, first % divisor))
    }

    /// A test for each run of values without others in it.
    fn runs(wanted: &Values, others: &Values, extent: u32) -> Vec<Self> {
        let mut runs: Vec<Values> = Vec::new();
        for &value in wanted {
            let last = runs.last_mut();
            let joins =
                |run: &Values| run.last().is_some_and(|&last| others.range(last..value).next().is_none());
            match last {
                Some(run) if joins(run) => {
                    run.insert(value);
                }
                _ => runs.push(Values::from([value])),
            }
        }
        runs.iter().map(|run| Self::of(run, others, extent)).collect()
    }

    fn holds(&self, value: u32) -> bool {
        match self {
            Self::Is(of) => value == *of,
            Self::IsNot(of) => value != *of,
            Self::Below(of) => value < *of,
            Self::From(of) => value >= *of,
            Self::Within(from, to) => (*from..*to).contains(&value),
            Self::Rest(divisor, rest) => value % divisor == *rest,
            Self::Any(tests) => tests.iter().any(|test| test.holds(value)),
        }
    }

    fn cost(&self) -> usize {
        match self {
            Self::Is(_) | Self::IsNot(_) | Self::Below(_) | Self::From(_) => 1,
            Self::Within(..) | Self::Rest(..) => 2,
            Self::Any(tests) => tests.iter().map(Self::cost).sum(),
        }
    }

    fn written(&self, of: &str) -> Expr {
        let compare = |operator, value: u32| binary(operator, name(of), number(value.into()));
        match self {
            Self::Is(value) => compare(BinaryOp::Eq, *value),
            Self::IsNot(value) => compare(BinaryOp::Ne, *value),
            Self::Below(value) => compare(BinaryOp::Lt, *value),
            Self::From(value) => compare(BinaryOp::Ge, *value),
            Self::Within(from, to) => {
                binary(BinaryOp::And, compare(BinaryOp::Ge, *from), compare(BinaryOp::Lt, *to))
            }
            Self::Rest(divisor, rest) => {
                let division = compare(BinaryOp::Rem, *divisor);
                binary(BinaryOp::Eq, division, number((*rest).into()))
            }
            Self::Any(tests) => {
                let all = tests.iter().map(|test| test.written(of));
                all.reduce(|a, b| binary(BinaryOp::Or, a, b)).unwrap_or_else(|| number(0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::print;
    use crate::import::tree::{ident, item};
    use aiec_dsl::ast::{Constant, ItemKind};

    /// The condition for the positions of which `holds` is true.
    fn text(dims: &[u32], holds: impl Fn(&[u32]) -> bool) -> String {
        let all = 0..dims.iter().product::<u32>();
        let (wanted, others): (Vec<u32>, Vec<u32>) = all.partition(|&index| holds(&position(dims, index)));
        let value = Condition::of(&wanted, &others, dims).written(&["i".to_owned(), "j".to_owned()]);
        let item = item(ItemKind::Const { name: ident("C"), value: Constant::Number(value) });
        print(vec![item]).trim().trim_start_matches("const C = ").to_owned()
    }

    #[test]
    fn one_index_tells_most_conditions() {
        assert_eq!(text(&[4, 6], |at| at[0] == 0), "i == 0");
        assert_eq!(text(&[4, 6], |at| at[1] >= 4), "j >= 4");
        assert_eq!(text(&[4, 6], |at| at[1] < 2), "j < 2");
        assert_eq!(text(&[4, 6], |at| at[1] != 3), "j != 3");
        assert_eq!(text(&[4, 6], |at| at[1] % 2 == 1), "j % 2 == 1");
        assert_eq!(text(&[9], |at| at[0] % 3 == 1), "i % 3 == 1");
        assert_eq!(text(&[4, 6], |at| (1..4).contains(&at[1])), "(j >= 1) & (j < 4)");
        assert_eq!(text(&[9], |at| [0, 4, 5].contains(&at[0])), "(i == 0) | (i >= 4) & (i < 6)");
    }

    #[test]
    fn blocks_and_edges_take_few_comparisons() {
        assert_eq!(text(&[4, 6], |at| at[0] == 3 && at[1] < 2), "(i == 3) & (j < 2)");
        assert_eq!(text(&[4, 6], |at| at[0] == 0 || at[1] == 5), "(i == 0) | (j == 5)");
        assert_eq!(text(&[4, 6], |at| at[0] == 0 || at == [2, 3]), "(i == 0) | (i == 2) & (j == 3)");
    }

    #[test]
    fn conditions_hold_for_what_is_wanted_alone() {
        let dims = [3, 4];
        let holds = |condition: &Condition, cell: &[u32]| {
            let block = |block: &Block| {
                block.iter().zip(cell).all(|(test, &at)| test.as_ref().is_none_or(|test| test.holds(at)))
            };
            condition.any.iter().any(block)
        };
        for set in 1..1u32 << 12 {
            let (wanted, others): (Vec<u32>, Vec<u32>) = (0..12).partition(|at| set >> at & 1 == 1);
            let condition = Condition::of(&wanted, &others, &dims);
            for at in 0..12 {
                let expected = wanted.contains(&at);
                assert_eq!(holds(&condition, &position(&dims, at)), expected, "{set:b} at {at}");
            }
        }
    }
}
