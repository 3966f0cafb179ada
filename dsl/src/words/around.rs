//! What is around an error: the open bracket, the item, and whether it is at the start of another
//! one.

use super::{Context, nearest, parted};
use crate::ITEM_WORDS;
use crate::grammar::Rule;

impl Context<'_> {
    /// The word in front of the innermost bracket that is open at the error.
    pub(super) fn opened(&self) -> &str {
        let mut open = 0;
        for back in 0.. {
            match self.before(back) {
                "" => break,
                ")" | "]" | "}" => open += 1,
                "(" | "[" | "{" if open == 0 => return self.before(back + 1),
                "(" | "[" | "{" => open -= 1,
                _ => {}
            }
        }
        ""
    }

    /// The item the error lies in: that of the last item word before it. An item whose block is
    /// closed is over if another one is around it.
    pub(super) fn item_word(&self) -> Option<&'static str> {
        let count = self.scan.tokens.partition_point(|token| token.range.start < self.position);
        let words = self.scan.tokens[..count].iter().rev();
        let words = words.filter_map(|token| self.file.text.get(token.range.clone()));
        let (mut depth, mut is_closed, mut is_inside) = (0_u32, false, false);
        // The last item word outside of closed blocks, and in any.
        let (mut last, mut any) = (None, None);
        for text in words {
            match text {
                "}" => depth += 1,
                "{" if depth > 0 => {
                    depth -= 1;
                    is_closed |= depth == 0;
                }
                "{" => (is_closed, is_inside) = (false, true),
                _ => {}
            }
            let Some(word) = ITEM_WORDS.iter().copied().find(|word| *word == text) else { continue };
            any = any.or(Some(word));
            match (depth, is_closed) {
                (0, false) if is_inside => return Some(word),
                (0, false) => return last.or(Some(word)),
                (0, true) => (is_closed, last) = (false, last.or(Some(word))),
                _ => {}
            }
        }
        last.or(any)
    }

    /// True at the start of a line whose first word begins no item and resembles none.
    pub(super) fn begins_no_item(&self, rules: &[Rule]) -> bool {
        let is_item = rules.contains(&Rule::item) || rules.contains(&Rule::file);
        let found = self.found();
        let is_word = found.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let before = self.file.text.get(..self.position).unwrap_or_default();
        let is_first = before.is_empty() || before.ends_with('\n');
        let (items, _) = parted(rules);
        let is_known =
            || nearest::misspelt(found, rules).or_else(|| nearest::shortened(found, &items)).is_some();
        is_item && is_word && is_first && !is_known()
    }
}
