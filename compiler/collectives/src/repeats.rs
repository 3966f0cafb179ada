//! Programs with repetition, and a cursor in them: the operations of a kernel in one firing, in
//! compressed form.

/// Operations that run `times` times in a row.
#[derive(Clone, Debug)]
pub struct Block<Op> {
    /// Runs of `ops` in a row.
    pub times: u64,
    /// The operations, in order.
    pub ops: Vec<Op>,
}

impl<Op> Block<Op> {
    /// Operations that run once.
    pub fn once(ops: impl IntoIterator<Item = Op>) -> Self {
        Self { times: 1, ops: ops.into_iter().collect() }
    }
}

/// Blocks in sequence; the whole sequence runs `times` times.
#[derive(Clone, Debug)]
pub struct Section<Op> {
    /// Runs of all `blocks` in a row.
    pub times: u64,
    /// The blocks, in order.
    pub blocks: Vec<Block<Op>>,
}

impl<Op> Section<Op> {
    /// True if it has no operation, however often it runs.
    fn is_empty(&self) -> bool {
        self.times == 0 || self.blocks.iter().all(|block| block.times == 0 || block.ops.is_empty())
    }

    /// Blocks that run once.
    pub const fn once(blocks: Vec<Block<Op>>) -> Self {
        Self { times: 1, blocks }
    }
}

/// A position in a program that is itself repeated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    run: u32,
    section: usize,
    turn: u64,
    block: usize,
    round: u64,
    op: usize,
}

impl Cursor {
    /// The operation at this position of `program`, which runs `runs` times. Returns None when all
    /// runs have ended.
    pub fn op<Op: Copy>(&mut self, program: &[Section<Op>], runs: u32) -> Option<Op> {
        while self.run < runs {
            let Some(section) = program.get(self.section) else {
                // A run without operations is like all others.
                let is_idle = program.iter().all(Section::is_empty);
                *self = Self { run: if is_idle { runs } else { self.run + 1 }, ..Self::default() };
                continue;
            };
            if self.turn >= section.times {
                (self.section, self.turn, self.block) = (self.section + 1, 0, 0);
                continue;
            }
            let Some(block) = section.blocks.get(self.block) else {
                let turn = if section.is_empty() { section.times } else { self.turn + 1 };
                (self.turn, self.block) = (turn, 0);
                continue;
            };
            if self.round >= block.times || block.ops.is_empty() {
                (self.block, self.round, self.op) = (self.block + 1, 0, 0);
                continue;
            }
            let Some(&op) = block.ops.get(self.op) else {
                (self.round, self.op) = (self.round + 1, 0);
                continue;
            };
            return Some(op);
        }
        None
    }

    /// Moves past the operation that [`Cursor::op`] returned.
    pub const fn advance(&mut self) {
        self.op += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations of two runs, as text.
    fn played(program: &[Section<char>]) -> String {
        let mut cursor = Cursor::default();
        let next = || {
            let op = cursor.op(program, 2);
            cursor.advance();
            op
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn blocks_repeat_within_sections_and_sections_within_runs() {
        let twice = Block { times: 2, ops: vec!['a', 'b'] };
        let program = [
            Section { times: 2, blocks: vec![twice, Block::once(['c'])] },
            Section::once(vec![Block::once(['d'])]),
        ];
        assert_eq!(played(&program), "ababcababcd".repeat(2));
    }

    #[test]
    fn what_is_empty_or_done_no_time_is_passed_over() {
        let nothing = Section::once(vec![Block::once([]), Block { times: 0, ops: vec!['x'] }]);
        let never = Section { times: 0, blocks: vec![Block::once(['y'])] };
        assert_eq!(played(&[nothing, never, Section::once(vec![Block::once(['a'])])]), "aa");
        assert_eq!(played(&[]), "");
    }

    #[test]
    fn what_is_empty_takes_no_time_however_often_it_runs() {
        let often =
            Section { times: u64::MAX, blocks: vec![Block::once([]), Block { times: 0, ops: vec!['x'] }] };
        let (mut idle, mut busy) = (Cursor::default(), Cursor::default());
        assert_eq!(idle.op::<char>(std::slice::from_ref(&often), u32::MAX), None);
        assert_eq!(busy.op(&[often, Section::once(vec![Block::once(['a'])])], u32::MAX), Some('a'));
    }
}
