//! Explains a failed search by a minimal unsatisfiable subset (MUS) of constraint classes: kinds of
//! placement constraints, and resources of modules.
//!
//! Takes a design, a device, and a function that asks whether the search finds a placement under
//! some of their constraints. A deletion filter drops classes one at a time, then statements within
//! a kind that stays. Each question is a quick search, so their number is limited: one for no
//! class, one for each class, and [`MAX_QUESTIONS`]. The result is a fact about the search, not a
//! proof.

use std::collections::BTreeSet;

use crate::statement::{NO_PINS, Stated, Statement};
use crate::{Checked, labelled, least, least_by};
use aiec_device::Device;
use aiec_diag::{Diagnostic, listed};

use crate::prove::limits::MAX_QUESTIONS;

/// A class of constraints that can be dropped as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Placement constraints of the kind of this one.
    Like(Statement),
    /// A resource of modules and their DMA, by its number in [`RESOURCES`].
    Resource(usize),
}

/// A name in messages, and the limits of a device that it stands for.
type Resource = (&'static str, fn(&mut Device) -> Vec<&mut u32>);

const RESOURCES: [Resource; 4] = [
    ("bytes", |device| vec![&mut device.memory.module_bytes]),
    ("locks", |device| vec![&mut device.tile.locks]),
    ("buffer descriptors", |device| vec![&mut device.tile.bds]),
    ("DMA channels", |device| vec![&mut device.tile.s2mm, &mut device.tile.mm2s]),
];

/// Factor that multiplies a resource when its class is dropped.
const PLENTY: u32 = 64;

impl Class {
    fn holds(self, statement: Statement) -> bool {
        matches!(self, Self::Like(own) if own.is_like(statement))
    }

    /// Its name in messages. Of the statements of its kind, `kept` stay.
    fn name(self, device: &Device, all: &[Statement], kept: &[Statement]) -> String {
        let count = |statements: &[Statement]| statements.iter().filter(|s| self.holds(**s)).count();
        match self {
            Self::Like(own) => match (count(kept), count(all)) {
                (_, 1) => format!("the {}", kind(own)),
                (some, all) if some == all => format!("the {all} {}", kind(own)),
                (some, all) => format!("{some} of the {all} {}", kind(own)),
            },
            Self::Resource(number) => {
                let (name, limits) = RESOURCES[number];
                let limits: Vec<String> =
                    limits(&mut device.clone()).iter().map(ToString::to_string).collect();
                format!("{} {name} a module", limits.join(" and "))
            }
        }
    }

    /// Removes the limit of a resource.
    fn lift(self, device: &mut Device) {
        if let Self::Resource(number) = self {
            RESOURCES[number].1(device).into_iter().for_each(|limit| *limit = limit.saturating_mul(PLENTY));
        }
    }
}

/// The name of a kind of statements. Three kinds have the keyword `place`.
fn kind(statement: Statement) -> String {
    let of = match statement {
        Statement::Place(_) => " on a tile",
        Statement::Offset(_) => " at an offset",
        Statement::Aligned(_) => " at a distance in columns or rows",
        _ => "",
    };
    format!("`{}`{of}", statement.keyword())
}

/// Adds the conflicting classes to `refusal`, if there are any. `finds` runs a quick search.
pub fn explained(
    mut refusal: Diagnostic,
    checked: &Checked,
    device: &Device,
    finds: impl Fn(&Checked, &Device) -> bool,
) -> Diagnostic {
    let stated = Stated { design: checked, pins: &NO_PINS };
    let mut all = stated.all();
    all.retain(|statement| !matches!(statement, Statement::Cascade(_)));
    // Messages name `place` first and `keepout` last.
    all.sort_by_key(|statement| match statement {
        Statement::Place(_) => 0,
        Statement::Keepout(_) => 2,
        _ => 1,
    });
    let kinds = all.chunk_by(|a, b| a.is_like(*b)).map(|kind| Class::Like(kind[0]));
    let classes: Vec<Class> = kinds.chain((0..RESOURCES.len()).map(Class::Resource)).collect();
    let under = |kept: &[Class]| {
        let mut array = device.clone();
        classes.iter().filter(|class| !kept.contains(class)).for_each(|class| class.lift(&mut array));
        let statements = all.iter().copied().filter(|s| kept.iter().any(|class| class.holds(*s)));
        (statements.collect::<Vec<Statement>>(), array)
    };
    let finds_under = |kept: &[Class]| {
        let (statements, array) = under(kept);
        finds(&checked.keeping(&statements), &array)
    };
    if !finds_under(&[]) {
        return refusal;
    }
    let kept = least_by(&classes, 1, |rest| !finds_under(rest));
    let (mut statements, array) = under(&kept);
    let mut questions = MAX_QUESTIONS;
    for class in &kept {
        let (own, others): (Vec<Statement>, Vec<Statement>) =
            statements.iter().partition(|statement| class.holds(**statement));
        let own = least(&own, |rest| {
            let asked = questions > 0;
            questions = questions.saturating_sub(1);
            asked && !finds(&checked.keeping(&[&others[..], rest].concat()), &array)
        });
        statements.retain(|statement| others.contains(statement) || own.contains(statement));
    }
    let names = kept.iter().map(|class| class.name(device, &all, &statements));
    let text = match kept.len() {
        1 => "without",
        _ => "without any one of",
    };
    let names = listed(names, usize::MAX);
    refusal.message = format!("{}; {text} {names} the search finds a placement", refusal.message);
    let named = BTreeSet::new();
    let labels = statements.into_iter().filter_map(|statement| stated.label(statement, &named));
    labelled(refusal, labels)
}
