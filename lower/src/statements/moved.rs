//! The remedies of a `connect` that is right the other way round: with its ends swapped, or with
//! what one end states at the other one.

use aiec_diag::{Diagnostic, catalogue};
use aiec_dsl::ast::{Connect, ConnectEnd};
use aiec_ir::Carries;

use super::Written;
use crate::errors;
use crate::lower::{Context, ENOUGH_ERRORS};

impl Context<'_> {
    /// Adds the remedies of a `connect` to its faults, those from `before` on. Does nothing unless
    /// a remedy ends them all.
    pub fn offer_other_ends(&mut self, connect: &Connect, before: usize) {
        let faults = self.diagnostics.get(before..).unwrap_or_default();
        let ([from], [to]) = (&connect.from[..], &connect.to[..]) else { return };
        if faults.is_empty() || before > ENOUGH_ERRORS {
            return;
        }
        let is_direction = |found: &Diagnostic| found.code.slug == catalogue::WRONG_DIRECTION.slug;
        let swaps = connect.switch.is_none() && faults.iter().all(is_direction);
        if swaps && self.tried(connect, to.clone(), from.clone()).is_some() {
            return self.with_remedy(before, |fault| errors::swapping(fault, from, to));
        }
        // An end that lacks `async` alone is right where it is.
        let own = [(with_all(from, from), to.clone()), (from.clone(), with_all(to, to))];
        if own.into_iter().any(|(left, right)| self.tried(connect, left, right).is_some()) {
            return;
        }
        let both =
            [(states(from), plain(from), with_all(to, from)), (states(to), with_all(from, to), plain(to))];
        for (_, left, right) in both.into_iter().filter(|(has_any, ..)| *has_any) {
            let moved = self.tried(connect, left.clone(), right.clone());
            if moved.is_some_and(|moved| self.passes_windows(&moved, right.asynchronous)) {
                return self.with_remedy(before, |fault| errors::moving(fault, (from, to), (&left, &right)));
            }
        }
    }

    /// The `connect` with these ends, if it has no fault. It is a trial, whose faults nobody sees.
    fn tried(&mut self, connect: &Connect, from: ConnectEnd, to: ConnectEnd) -> Option<Written> {
        let other = Connect { from: vec![from], to: vec![to], ..connect.clone() };
        let (diagnostics, blamed) = (self.diagnostics.clone(), self.blamed.clone());
        let written = self.written(&other).filter(|_| self.diagnostics.len() == diagnostics.len());
        (self.diagnostics, self.blamed) = (diagnostics, blamed);
        written
    }

    /// True if the ports at one end of a `connect` are windows of kernels.
    fn passes_windows(&self, connect: &Written, consumer: bool) -> bool {
        let end = if consumer { &connect.to } else { &connect.from };
        let mut ports = end.chosen().flat_map(|chosen| self.declared(chosen)).peekable();
        ports.peek().is_some() && ports.all(|port| matches!(port.carries, Carries::Window { .. }))
    }

    fn with_remedy(&mut self, before: usize, remedy: impl Fn(Diagnostic) -> Diagnostic) {
        let faults = self.diagnostics.split_off(before);
        self.diagnostics.extend(faults.into_iter().map(remedy));
    }
}

/// True if an end has `async` or `windows`.
const fn states(end: &ConnectEnd) -> bool {
    end.asynchronous || end.windows.is_some()
}

/// An end without `async` and `windows`.
fn plain(end: &ConnectEnd) -> ConnectEnd {
    ConnectEnd { asynchronous: false, windows: None, ..end.clone() }
}

/// An async end with the `windows` that it or the other one states.
fn with_all(end: &ConnectEnd, other: &ConnectEnd) -> ConnectEnd {
    let windows = end.windows.as_ref().or(other.windows.as_ref()).cloned();
    ConnectEnd { asynchronous: true, windows, ..end.clone() }
}
