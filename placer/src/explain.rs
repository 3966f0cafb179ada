//! Why a search found nothing: a least set of things that stand in the way together.
//!
//! In come the classes of constraints a design is under (kinds of placement constraints, resources of modules) and a way to ask whether
//! the search finds a placement under some of them; out goes a set under which it finds none, and from which no class can be left
//! out (a deletion filter: classes are dropped one at a time). Each question is a quick search, so there are few: one, and one for
//! each class. What is found is a fact about the search, not a proof; `place/gave-up` says so.

use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_ir::{Checked, ConstraintKind};

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

/// Resources are made so many times as plentiful when they are dropped.
const PLENTY: u32 = 64;
/// Kernels of the largest design that is asked about: each question is a search.
const MAX_KERNELS: usize = 128;

impl Class {
    /// The classes that `checked` is under: every resource, and the kinds of constraints it has.
    fn of(checked: &Checked) -> Vec<Self> {
        let kinds = ConstraintKind::ALL.into_iter().filter(|&kind| checked.count(kind) > 0).map(Self::Kind);
        kinds.chain([Self::Bytes, Self::Locks, Self::Descriptors, Self::Channels]).collect()
    }

    /// What it is called, with how many there are.
    fn name(self, checked: &Checked, device: &Device) -> String {
        match self {
            Self::Kind(kind) => format!("the {} `{}`", checked.count(kind), kind.keyword()),
            Self::Bytes => format!("{} bytes a module", device.memory.module_bytes),
            Self::Locks => format!("{} locks a module", device.tile.locks),
            Self::Descriptors => format!("{} buffer descriptors a module", device.tile.bds),
            Self::Channels => {
                format!("{} and {} DMA channels a module", device.tile.s2mm, device.tile.mm2s)
            }
        }
    }

    /// Takes the class away.
    fn drop(self, checked: &mut Checked, device: &mut Device) {
        let more = |amount: &mut u32| *amount = amount.saturating_mul(PLENTY);
        match self {
            Self::Kind(kind) => *checked = checked.without(kind),
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

/// A least set of `classes` under which nothing is found; none if nothing is found without any of them either.
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

/// Adds to `refusal` what stands in the way together, if that can be found; `finds` is a quick search.
pub(crate) fn explained(
    refusal: Diagnostic,
    checked: &Checked,
    device: &Device,
    finds: impl Fn(&Checked, &Device) -> bool,
) -> Diagnostic {
    if checked.kernels.len() > MAX_KERNELS {
        return refusal;
    }
    let classes = Class::of(checked);
    let under = |kept: &[Class]| {
        let (mut design, mut array) = (checked.clone(), device.clone());
        for class in classes.iter().filter(|class| !kept.contains(class)) {
            class.drop(&mut design, &mut array);
        }
        finds(&design, &array)
    };
    match conflict(&classes, under).as_deref() {
        None | Some([]) => refusal,
        Some(kept) => together(refusal, kept, checked, device),
    }
}

fn together(refusal: Diagnostic, kept: &[Class], checked: &Checked, device: &Device) -> Diagnostic {
    let names: Vec<String> = kept.iter().map(|class| class.name(checked, device)).collect();
    let last = names.last().cloned().unwrap_or_default();
    let text = match names.len() {
        1 => format!("; it stands against {last} alone: without that limit a placement is found"),
        _ => format!(
            "; {} and {last} stand against each other: without any one of them a placement is found",
            names[..names.len() - 1].join(", ")
        ),
    };
    let message = format!("{}{text}", refusal.message);
    let spans = kept.iter().filter_map(|class| match class {
        Class::Kind(kind) => checked.first(*kind).map(|span| (span, *kind)),
        _ => None,
    });
    let labels: Vec<_> = spans.collect();
    let refusal = Diagnostic { message, ..refusal };
    labels.into_iter().fold(refusal, |refusal, (span, kind)| {
        refusal.label(span, format!("the first `{}` that stands in the way", kind.keyword()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_is_a_least_set() {
        // Nothing is found where both 'a' and 'c' hold.
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
