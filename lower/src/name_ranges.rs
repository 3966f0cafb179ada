//! Names of many members in few words: `k{1..4}` for `k1`, `k2` and `k3`, and `m[{0..9 step 4}]`
//! for `m[0]`, `m[4]` and `m[8]`.

use std::iter;

use aiec_dsl::ast;
use aiec_ir::design::position;

use crate::components::indexed;
use crate::errors;
use crate::lower::Context;

impl Context<'_> {
    /// Keeps the names of a family's kernels in the graph that the design describes.
    pub fn name_in_graph(&mut self, kernel: &ast::Kernel, name: &str, dims: &[u32]) {
        self.check_called(kernel.called.first());
        let count = dims.iter().product::<u32>();
        let each = kernel.called.iter().flat_map(|called| names(&called.value));
        // One more is enough to see that there are too many.
        let each: Vec<String> = each.take(count as usize + 1).collect();
        let is_array = match kernel.called.as_slice() {
            [] => true,
            [one] => each == [one.value.clone()],
            _ => false,
        };
        if !is_array && each.len() != count as usize {
            return self.report(errors::called_count(
                &kernel.called,
                each.len(),
                (count, "kernel"),
                kernel.name.span,
            ));
        }
        let span = kernel.called.first().map_or(kernel.name.span, |called| called.span);
        let mut again = None;
        for index in 0..count {
            let place = position(dims, index);
            let own = each.get(if is_array { 0 } else { index as usize }).cloned();
            let member = self.member(&kernel.name.value, own);
            let is_own = member.is_some();
            let member = member.unwrap_or_else(|| name.to_owned());
            let member = if is_array { indexed(&member, &place) } else { member };
            if let Some(&first) = self.members.get(&member) {
                again = again.or(Some((member.clone(), first)));
            }
            self.members.insert(member.clone(), span);
            if is_own {
                self.called.insert(indexed(name, &place), member);
            }
        }
        if let Some((member, first)) = again.filter(|_| self.is_own) {
            self.report(errors::duplicate_member(&member, span, first));
        }
    }

    /// Reports names of inputs or outputs of which there are several, but not one for each.
    pub fn check_count(&mut self, called: &[ast::Ident], dims: &[u32], external: &ast::External) {
        let count = dims.iter().product::<u32>();
        let each = called.iter().flat_map(|called| names(&called.value)).take(count as usize + 1).count();
        let is_pattern = matches!(called, [one] if !has_range(&one.value));
        if !is_pattern && each as u64 != u64::from(count) {
            let thing = if external.input { "input" } else { "output" };
            self.report(errors::called_count(called, each, (count, thing), external.name.span));
        }
    }

    /// Reports a name in another graph where the design has a project of its own.
    pub fn check_called(&mut self, called: Option<&ast::Ident>) {
        if let Some(called) = called.filter(|_| !self.is_own) {
            self.report(errors::stray_called(called.span));
        }
    }
}

/// The names that `text` stands for, in order. Without a range that is the text itself.
pub(crate) fn names(text: &str) -> Box<dyn Iterator<Item = String> + '_> {
    match range(text) {
        Some((front, (first, end, step), back)) => {
            Box::new((first..end).step_by(step).map(move |number| format!("{front}{number}{back}")))
        }
        None => Box::new(iter::once(text.to_owned())),
    }
}

/// True for a text that stands for one name a number.
fn has_range(text: &str) -> bool {
    range(text).is_some()
}

/// The text before a range, its first number, end and step, and the text behind it.
fn range(text: &str) -> Option<(&str, (u32, u32, usize), &str)> {
    let (front, rest) = text.split_once('{')?;
    let (range, back) = rest.split_once('}')?;
    let (first, end) = range.split_once("..")?;
    let (end, step) = end.split_once(" step ").unwrap_or((end, "1"));
    let step: usize = step.parse().ok().filter(|step| *step > 0)?;
    Some((front, (first.parse().ok()?, end.parse().ok()?, step), back))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        names(text).collect()
    }

    #[test]
    fn a_range_stands_for_one_name_a_number() {
        assert_eq!(all("k{1..4}"), ["k1", "k2", "k3"]);
        assert_eq!(all("g.m[{0..9 step 4}].k"), ["g.m[0].k", "g.m[4].k", "g.m[8].k"]);
        assert_eq!(names("k{0..4000000000}").take(2).count(), 2, "no list is made");
    }

    #[test]
    fn other_braces_are_part_of_the_name() {
        for text in ["k", "k{}", "k{1..}", "k{1..2 step 0}", "k}1..2{", "k{-1..2}"] {
            assert_eq!(all(text), [text]);
        }
    }
}
