//! Conditions: `if` and `assert`.

use aiec_diag::{Diagnostic, catalogue};
use aiec_dsl::ast::{Assertion, Choice, Expr, ExprKind, Item, ItemKind};

use crate::errors;
use crate::lower::Context;
use crate::{Lowered, Reported};

/// The faults without those of numbers if an assertion fails: the numbers that it forbids make
/// other expressions fail, too.
pub fn without_consequences(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if diagnostics.iter().any(|one| one.code == &catalogue::ASSERTION) {
        diagnostics.retain(|one| ![&catalogue::ARITHMETIC, &catalogue::BAD_VALUE].contains(&one.code));
    }
    diagnostics
}

impl<'a> Context<'a> {
    /// The items with those of the taken branches in place of their conditions. Returns None when a
    /// condition has no value or an assertion fails. The rest of the design would then only give
    /// errors that follow from this one.
    pub fn chosen(&mut self, items: &'a [Item]) -> Option<Vec<&'a Item>> {
        let mut chosen = Vec::new();
        let mut sound = true;
        let mut pending: Vec<&Item> = items.iter().rev().collect();
        while let Some(item) = pending.pop() {
            match &item.kind {
                ItemKind::If(choice) => match self.branch(choice) {
                    Ok(taken) => pending.extend(taken.iter().rev()),
                    Err(Reported) => sound = false,
                },
                ItemKind::Assert(assertion) => sound &= self.assertion(assertion),
                _ => chosen.push(item),
            }
        }
        sound.then_some(chosen)
    }

    /// The items of the first branch whose condition is not 0.
    pub fn branch<T>(&mut self, choice: &'a Choice<T>) -> Lowered<&'a [T]> {
        for branch in &choice.branches {
            if self.value(&branch.condition).ok_or(Reported)? != 0 {
                return Ok(&branch.block.items);
            }
        }
        Ok(choice.otherwise.as_ref().map_or(&[], |block| &block.items))
    }

    /// Returns false and reports a diagnostic if the condition does not hold.
    pub fn assertion(&mut self, assertion: &Assertion) -> bool {
        let Some(value) = self.value(&assertion.condition) else { return false };
        if value == 0 {
            let found = self.sides(&assertion.condition);
            self.report(errors::assertion(&assertion.message.value, assertion.condition.span, &found));
        }
        value != 0
    }

    /// The values that make a condition 0, in words.
    fn sides(&mut self, condition: &Expr) -> String {
        let values = match &condition.kind {
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let (left, right) = (self.value(left), self.value(right));
                left.zip(right)
                    .map(|(left, right)| format!("the left side is {left}, the right side {right}"))
            }
            _ => None,
        };
        values.unwrap_or_else(|| "this is 0".to_owned()) + &self.within()
    }

    /// The values of loop variables and indices here, as in `, with i = 2`. Empty outside of loops
    /// and kernels.
    pub fn within(&self) -> String {
        let within: Vec<String> =
            self.at.variables.iter().map(|(name, value)| format!("{} = {value}", name.value)).collect();
        if within.is_empty() { String::new() } else { format!(", with {}", within.join(", ")) }
    }
}
