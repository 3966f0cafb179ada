//! Splits and merges of packets in designs of tests.

use aiec_ir::Buffering;
use aiec_ir::expanded::SwitchKind;

use crate::Builder;

impl Builder {
    /// A split of packets: each goes to the branch of its id.
    pub fn split(&mut self, from: &str, to: &[&str]) -> &mut Self {
        self.split_from(0, from, to)
    }

    /// A split of packets whose first branch has the id `first`.
    pub fn split_from(&mut self, first: u32, from: &str, to: &[&str]) -> &mut Self {
        let word = if first > 0 { format!("split from {first}") } else { "split".to_owned() };
        self.switched((SwitchKind::Split, first), &word, &[from], to)
    }

    /// A merge of packets.
    pub fn merge(&mut self, from: &[&str], to: &str) -> &mut Self {
        self.switched((SwitchKind::Merge, 0), "merge", from, &[to])
    }

    /// A merge of packets in the order of the branches.
    pub fn merge_ordered(&mut self, from: &[&str], to: &str) -> &mut Self {
        self.switched((SwitchKind::OrderedMerge, 0), "merge ordered", from, &[to])
    }

    fn switched(&mut self, kind: (SwitchKind, u32), word: &str, from: &[&str], to: &[&str]) -> &mut Self {
        let span = self.line(&format!("connect {} -> {word} {}", from.join(", "), to.join(", ")));
        self.switches.push(kind);
        let switch = Some(self.switches.len() - 1);
        for from in from {
            for to in to {
                self.joined(from, to, Buffering::Pingpong, switch, span);
            }
        }
        self
    }
}
