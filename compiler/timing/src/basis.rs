//! What a predicted time rests on: measurements of this very form, an extension of them, or none.
//!
//! Takes a profile and what is predicted. Returns a [`Basis`], or a sentence for the user.

use std::sync::LazyLock;

use aiec_collectives::{Operation, Shape};
use aiec_ir::expanded::Collective;
use aiec_ir::{Buffering, ElementType};
use serde::Serialize;

use crate::profile::TimingProfile;

/// What a time of the models rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The thesis measured the same form on a VCK190: its errors are those of the docs.
    Measured,
    /// The model of the thesis, for a form that it did not measure.
    Extended,
    /// The model that the thesis made before it measured: up to 32 % below Table 4.1.
    Initial,
    /// Documents and assumptions, without a measurement on hardware.
    Unmeasured,
    /// A profile of the user.
    Own,
}

impl Basis {
    /// What texts and reports call it, such as `measured form`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Measured => "measured form",
            Self::Extended => "extended, not measured",
            Self::Initial => "model from before measurements",
            Self::Unmeasured => "not measured",
            Self::Own => "profile of the user",
        }
    }

    /// The basis of a collective's time. The thesis measured reductions of `int32` in binary trees,
    /// with loops that go element by element.
    pub fn of_collective(profile: &TimingProfile, collective: &Collective) -> Self {
        if !profile.is_builtin() {
            return Self::Own;
        }
        let is_known = collective.plan.operation == Operation::Reduce && !collective.plan.is_cascade();
        if !collective.scalar || !is_known {
            return Self::Unmeasured;
        }
        if !profile.is_fitted() {
            return Self::Initial;
        }
        let is_int32 = collective.data.value.element == ElementType::Int32;
        let is_pingpong = collective.buffering == Buffering::Pingpong;
        match collective.plan.shape {
            Shape::Tree(2) if is_int32 && is_pingpong => Self::Measured,
            _ => Self::Extended,
        }
    }

    /// Of a window of `bytes` bytes from kernel to kernel. The thesis measured the smallest ones.
    /// The model adds words of a stream for larger ones. Locks of a wrapper are not its own.
    pub fn of_window(profile: &TimingProfile, bytes: u64) -> Self {
        match profile.window.synchronous {
            _ if !profile.is_builtin() => Self::Own,
            None if bytes <= profile.window.measured_bytes => Self::Measured,
            _ => Self::Extended,
        }
    }

    /// Of what follows documents alone, such as words of a stream.
    pub fn of_documents(profile: &TimingProfile) -> Self {
        if profile.is_builtin() { Self::Unmeasured } else { Self::Own }
    }
}

impl TimingProfile {
    /// True for a profile that comes with aiec, with its constants. A copy with other constants is
    /// the user's own, whatever its name is. `--bank-conflicts` leaves the constants as they are.
    pub fn is_builtin(&self) -> bool {
        static ALL: LazyLock<Vec<TimingProfile>> = LazyLock::new(|| {
            let texts = TimingProfile::names().filter_map(TimingProfile::text);
            texts.filter_map(|text| TimingProfile::parse(text).ok()).collect()
        });
        let bank_conflicts = self.bank_conflicts;
        let known = ALL.iter().find(|known| known.name == self.name);
        known.is_some_and(|known| *self == Self { bank_conflicts, ..known.clone() })
    }

    /// True if the constants of reductions are those that were fitted to measurements.
    fn is_fitted(&self) -> bool {
        self.reduce == Self::thesis().reduce
    }

    /// The source of the constants, for reports. The source in a file that changes constants of
    /// aiec does not hold for them.
    pub fn origin(&self) -> &str {
        let is_changed = !self.is_builtin() && Self::names().any(|known| *known == self.name);
        if is_changed { "a file whose constants are not those of aiec" } else { &self.source }
    }

    /// What cycles with this profile rest on, as a sentence for the user.
    pub fn note(&self) -> String {
        let name = &self.name;
        let banks = match self.bank_conflicts {
            true => " Conflicts of banks are those of a model, never measured.",
            false => "",
        };
        if !self.is_builtin() {
            let has_name = Self::names().any(|known| known == name);
            let of = if has_name {
                "whose constants are not those of aiec"
            } else {
                "which does not come with aiec"
            };
            return format!("Cycles are estimates with profile {name}, {of}.{banks}");
        }
        let locks = match self.window.synchronous {
            Some(_) => " Locks of synchronous windows are those of AMD's simulator.",
            None => "",
        };
        let measured = match self.is_fitted() {
            true => {
                "Measured on hardware were windows of 16 bytes, and scalar int32 reductions in binary trees; all else was not."
            }
            false => {
                "Measured on hardware were windows of 16 bytes; reductions follow a model from before measurements, up to \
                 32 % below them (thesis, Table 4.1)."
            }
        };
        format!("Cycles are estimates with profile {name}. {measured}{locks}{banks}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builtin(name: &str) -> TimingProfile {
        TimingProfile::parse(TimingProfile::text(name).expect("built in")).expect("a profile")
    }

    #[test]
    fn only_small_windows_with_the_locks_of_the_thesis_were_measured() {
        let [thesis, aiesim] = ["vck190-thesis", "aiesim"].map(builtin);
        assert_eq!(Basis::of_window(&thesis, 16), Basis::Measured);
        assert_eq!(Basis::of_window(&thesis, 20), Basis::Extended);
        assert_eq!(Basis::of_window(&aiesim, 16), Basis::Extended);
        assert_eq!(Basis::of_documents(&thesis), Basis::Unmeasured);
        let own = TimingProfile { name: "mine".to_owned(), ..thesis.clone() };
        assert_eq!((Basis::of_window(&own, 16), Basis::of_documents(&own)), (Basis::Own, Basis::Own));
        let mut changed = thesis.clone();
        changed.reduce.tree_constant = -2140;
        assert_eq!(Basis::of_window(&changed, 16), Basis::Own, "the name alone proves nothing");
        let with_conflicts = TimingProfile { bank_conflicts: true, ..thesis };
        assert_eq!(Basis::of_window(&with_conflicts, 16), Basis::Measured);
    }

    #[test]
    fn a_note_names_the_profile_and_what_was_not_measured() {
        assert!(builtin("vck190-thesis").note().ends_with("all else was not."));
        assert!(builtin("aiesim").note().ends_with("are those of AMD's simulator."));
        let initial = builtin("vck190-initial").note();
        assert!(initial.contains("a model from before measurements"), "{initial}");
        let mut own = builtin("aiesim");
        own.reduce.tree_constant += 1;
        assert_eq!(
            own.note(),
            "Cycles are estimates with profile aiesim, whose constants are not those of aiec."
        );
        own.name = "mine".to_owned();
        assert_eq!(own.note(), "Cycles are estimates with profile mine, which does not come with aiec.");
    }
}
