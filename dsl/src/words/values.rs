//! Values that are written as in other languages: numbers with an exponent, comparisons, names
//! without quotes.

use aiec_diag::Span;

use super::{Context, words_of};
use crate::errors::Advice;
use crate::grammar::Rule;

/// The words of items whose values follow them.
const VALUE_WORDS: [&str; 6] = ["design", "device", "vitis", "board", "iterations", "ports"];

/// True for the word of a property or item, behind which its value stands.
pub(super) fn is_property(word: &str) -> bool {
    let rules = [Rule::kernel_property, Rule::collective_property, Rule::external_property];
    let rules = rules.into_iter().chain([Rule::connect_property, Rule::margin]);
    rules.flat_map(words_of).chain(&VALUE_WORDS).any(|property| *property == word)
}

impl Context<'_> {
    /// Source location and text of the name of a diagnostic behind `allow`, without its quotes.
    pub(super) fn unquoted_name(&self) -> Option<(Span, &str)> {
        let start = self.scan.at(self.position).filter(|_| self.before(0) == "allow")?.range.start;
        let rest = self.file.text.get(start..)?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '/' || c == '_';
        let name = &rest[..rest.len() - rest.trim_start_matches(is_part).len()];
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name != "because";
        is_name.then(|| (self.file.span_at(start..start + name.len()), name))
    }

    /// The advice to put what stands here in quotes: up to a blank or bracket.
    pub(super) fn in_quotes(&self, before: &str) -> Advice {
        let start = self.position;
        let rest = self.file.text.get(start..).unwrap_or_default();
        let is_end = |c: char| c.is_whitespace() || "(){}[]\",".contains(c);
        let whole = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        Advice {
            help: format!("write `{before} \"{whole}\"`, in quotes"),
            edit: Some((self.file.span_at(start..start + whole.len()), format!("\"{whole}\""))),
        }
    }

    /// The advice to put what stands here in single quotes in double ones.
    pub(super) fn in_double_quotes(&self) -> Advice {
        let start = self.position;
        let rest = self.file.text.get(start + 1..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let text = line.split('\'').next().unwrap_or_default();
        let is_closed = line.len() > text.len();
        let end = start + 1 + text.len() + usize::from(is_closed);
        Advice {
            help: format!("write `\"{text}\"`: a text stands in double quotes"),
            edit: is_closed.then(|| (self.file.span_at(start..end), format!("\"{text}\""))),
        }
    }

    /// The advice for a comparison that is written as in other languages, such as `N = 4`.
    pub(super) fn comparison(&self, rules: &[Rule]) -> Option<Advice> {
        let rest = self.file.text.get(self.position..)?;
        let before = self.before(0);
        let in_condition = matches!(self.item_word(), Some("if" | "assert" | "const"));
        let (back, length, right) = match rest.as_bytes() {
            [b'=', b'>', ..] => (0, 2, ">="),
            [b'=', b'<', ..] => (0, 2, "<="),
            [b'=', b'!', ..] => (0, 2, "!="),
            [b'=', ..] if matches!(before, "==" | "!=") => (2, 3, before),
            [b'>', ..] if before == "<" => (1, 2, "!="),
            [b'=', ..] if rules.contains(&Rule::operator) && in_condition => (0, 1, "=="),
            _ => return None,
        };
        let start = self.position.checked_sub(back)?;
        let is_whole = self.file.text.get(start..start + length).is_some_and(|sign| !sign.contains(' '));
        let is_operator = rules.iter().any(|rule| matches!(rule, Rule::operator | Rule::operand));
        (is_whole && is_operator).then(|| Advice {
            help: format!("a comparison is written with `{right}`, as in `N {right} 4`"),
            edit: Some((self.file.span_at(start..start + length), right.to_owned())),
        })
    }

    /// Source location and text of a number with an exponent, such as `1e3`, that the error is in.
    pub(super) fn exponent(&self) -> Option<(Span, String)> {
        let at = self.scan.at(self.position)?.range.start;
        let before = self.file.text.get(..at)?;
        let is_digit = |c: char| c.is_ascii_digit();
        let before = before.trim_end_matches(is_digit);
        let whole = before.strip_suffix('.').filter(|whole| whole.ends_with(is_digit));
        let start = whole.map_or(before, |whole| whole.trim_end_matches(is_digit)).len();
        let text = self.file.text.get(start..)?;
        let digits = |text: &str| text.len() - text.trim_start_matches(is_digit).len();
        let whole = digits(text);
        let point = text.get(whole..)?.strip_prefix('.').map_or(0, |behind| 1 + digits(behind));
        let sign = text.get(whole + point..)?.strip_prefix(['e', 'E'])?;
        let power = sign.strip_prefix(['+', '-']).unwrap_or(sign);
        let end = start + text.len() - power.len() + digits(power);
        let text = self.file.text.get(start..end)?;
        let is_number = whole > 0 && end > at && text.ends_with(is_digit);
        is_number.then(|| (self.file.span_at(start..end), text.to_owned()))
    }
}
