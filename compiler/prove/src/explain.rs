//! Explains a failed search by a minimal unsatisfiable subset (MUS) of constraint classes.
//!
//! Takes the classes of constraints on a design (kinds of placement constraints, resources of
//! modules) and a function that asks whether the search finds a placement under some of them.
//! Returns a set under which the search finds none and from which no class can be removed. The
//! algorithm is a deletion filter: it drops classes one at a time. Within a kind that stays, it
//! then drops statements, many at a time, then fewer. Each question is a quick search, so their
//! number is limited: one for the whole set, one for each class, and [`MAX_QUESTIONS`]. The result
//! is a fact about the search, not a proof; `place/gave-up` says so.

use aiec_check::{Checked, ConstraintKind, least};
use aiec_device::Device;
use aiec_diag::Diagnostic;

/// A class of constraints that can be dropped as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Placement constraints of one kind.
    Kind(ConstraintKind),
    /// Bytes of memory modules.
    Bytes,
    /// Locks of memory modules.
    Locks,
    /// Buffer descriptors of tile DMAs.
    Descriptors,
    /// Channels of tile DMAs.
    Channels,
}

/// Factor that multiplies a resource when its class is dropped.
const PLENTY: u32 = 64;
/// Maximum number of questions about single statements.
const MAX_QUESTIONS: usize = 24;
/// Maximum number of statements that a message points at.
const MOST_LABELS: usize = 8;

impl Class {
    /// The classes of `checked`: every resource, and each kind of constraint in the design.
    fn of(checked: &Checked) -> Vec<Self> {
        let kinds = ConstraintKind::ALL.into_iter().filter(|&kind| checked.count(kind) > 0).map(Self::Kind);
        kinds.chain([Self::Bytes, Self::Locks, Self::Descriptors, Self::Channels]).collect()
    }

    /// Its name in messages, with the number of constraints or units.
    fn name(self, device: &Device) -> String {
        match self {
            Self::Kind(kind) => format!("`{}`", kind.keyword()),
            Self::Bytes => format!("{} bytes a module", device.memory.module_bytes),
            Self::Locks => format!("{} locks a module", device.tile.locks),
            Self::Descriptors => format!("{} buffer descriptors a module", device.tile.bds),
            Self::Channels => {
                format!("{} and {} DMA channels a module", device.tile.s2mm, device.tile.mm2s)
            }
        }
    }

    /// Removes the class from the design or the device.
    fn drop(self, checked: &mut Checked, device: &mut Device) {
        let more = |amount: &mut u32| *amount = amount.saturating_mul(PLENTY);
        match self {
            Self::Kind(kind) => *checked = checked.with_only(kind, &[]),
            Self::Bytes => more(&mut device.memory.module_bytes),
            Self::Locks => more(&mut device.tile.locks),
            Self::Descriptors => more(&mut device.tile.bds),
            Self::Channels => {
                more(&mut device.tile.s2mm);
                more(&mut device.tile.mm2s);
            }
        }
    }
}

/// A MUS of `classes`: the search finds nothing under it. Returns None when the search finds
/// nothing without any class either.
pub(crate) fn conflict<C: Copy + PartialEq>(
    classes: &[C],
    mut finds: impl FnMut(&[C]) -> bool,
) -> Option<Vec<C>> {
    if !finds(&[]) {
        return None;
    }
    let mut kept = classes.to_vec();
    for &class in classes {
        let without: Vec<C> = kept.iter().copied().filter(|&other| other != class).collect();
        if !finds(&without) {
            kept = without;
        }
    }
    Some(kept)
}

/// A class in the MUS, with the statements of its kind that conflict.
struct Conflicting {
    class: Class,
    /// Indices of statements. Empty for resources.
    statements: Vec<usize>,
}

/// Adds the conflicting classes to `refusal`, if the filter finds them. `finds` runs a quick
/// search.
pub fn explained(
    refusal: Diagnostic,
    checked: &Checked,
    device: &Device,
    finds: impl Fn(&Checked, &Device) -> bool,
) -> Diagnostic {
    let classes = Class::of(checked);
    let under = |kept: &[Class]| {
        let (mut design, mut array) = (checked.clone(), device.clone());
        for class in classes.iter().filter(|class| !kept.contains(class)) {
            class.drop(&mut design, &mut array);
        }
        (design, array)
    };
    let kept = conflict(&classes, |kept| {
        let (design, array) = under(kept);
        finds(&design, &array)
    });
    match kept.as_deref() {
        None | Some([]) => refusal,
        Some(kept) => {
            let (mut design, array) = under(kept);
            let mut questions = MAX_QUESTIONS;
            let mut conflicting = Vec::new();
            for &class in kept {
                let statements =
                    statements(class, &mut design, &mut questions, |design| finds(design, &array));
                conflicting.push(Conflicting { class, statements });
            }
            together(refusal, &conflicting, checked, device)
        }
    }
}

/// The conflicting statements of `class`. `design` ends without any other statement of that kind.
fn statements(
    class: Class,
    design: &mut Checked,
    questions: &mut usize,
    finds: impl Fn(&Checked) -> bool,
) -> Vec<usize> {
    let Class::Kind(kind) = class else { return Vec::new() };
    let all: Vec<usize> = (0..design.count(kind)).collect();
    let kept = least(&all, |rest| {
        let asked = *questions > 0;
        *questions = questions.saturating_sub(1);
        asked && !finds(&design.with_only(kind, rest))
    });
    *design = design.with_only(kind, &kept);
    kept
}

/// Name of a conflicting class, such as `2 of the 13 place`.
fn name(conflicting: &Conflicting, checked: &Checked, device: &Device) -> String {
    let name = conflicting.class.name(device);
    let Class::Kind(kind) = conflicting.class else { return name };
    match (conflicting.statements.len(), checked.count(kind)) {
        (_, 1) => format!("the {name}"),
        (some, all) if some == all => format!("the {all} {name}"),
        (some, all) => format!("{some} of the {all} {name}"),
    }
}

fn together(
    refusal: Diagnostic,
    conflicting: &[Conflicting],
    checked: &Checked,
    device: &Device,
) -> Diagnostic {
    let names: Vec<String> =
        conflicting.iter().map(|conflicting| name(conflicting, checked, device)).collect();
    let text = match names.as_slice() {
        [head @ .., last] if !head.is_empty() => {
            format!("; {} and {last} conflict: dropping any one of them gives a placement", head.join(", "))
        }
        _ => {
            let only = names.concat();
            format!("; {only} alone prevents a placement: without that limit one is found")
        }
    };
    let message = format!("{}{text}", refusal.message);
    let spans = conflicting.iter().filter_map(|conflicting| match conflicting.class {
        Class::Kind(kind) => Some((kind, &conflicting.statements)),
        _ => None,
    });
    let spans = spans.flat_map(|(kind, statements)| {
        let all = checked.spans(kind);
        statements.iter().filter_map(move |&number| Some((*all.get(number)?, kind))).collect::<Vec<_>>()
    });
    let labels: Vec<_> = spans.take(MOST_LABELS).collect();
    let refusal = Diagnostic { message, ..refusal };
    labels.into_iter().fold(refusal, |refusal, (span, kind)| {
        refusal.label(span, format!("this `{}` is part of the conflict", kind.keyword()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_is_a_least_set() {
        // A placement fails exactly when both 'a' and 'c' hold.
        let finds = |kept: &[char]| !(kept.contains(&'a') && kept.contains(&'c'));
        assert_eq!(conflict(&['a', 'b', 'c', 'd'], finds), Some(vec!['a', 'c']));
    }

    #[test]
    fn each_class_is_asked_about_once() {
        let mut questions = 0;
        let found = conflict(&[1, 2, 3], |kept| {
            questions += 1;
            kept.is_empty()
        });
        assert_eq!((found, questions), (Some(vec![3]), 4));
    }

    #[test]
    fn what_is_impossible_without_constraints_is_not_their_fault() {
        assert_eq!(conflict(&['a'], |_| false), None);
    }
}
