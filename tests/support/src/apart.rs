//! Memory of a [`Builder`] that lies apart from cores and stacks, as only ADF graphs say it.

use aiec_ir::blocks::{Anchor, Block, BlockTie, OneBank};

use crate::Builder;

impl Builder {
    /// A block in another module than a core or than another block, as an ADF graph may place it.
    pub fn elsewhere(&mut self, block: Block<String, String>, from: Anchor<String, String>) -> &mut Self {
        let span = self.line(&format!("{block:?} elsewhere than {from:?}"));
        self.blocks.ties.push(BlockTie { block, from, distance: None, span });
        self
    }

    /// Blocks that share no bank, as an ADF graph may place them.
    pub fn in_no_bank(&mut self, block: Block<String, String>, with: Block<String, String>) -> &mut Self {
        let span = self.line(&format!("{block:?} in no bank of {with:?}"));
        self.blocks.no_bank.push(OneBank { blocks: [block, with], span });
        self
    }
}
