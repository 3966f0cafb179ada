//! What the results of several designs sum up to.

use std::fmt::Write;

use super::trial::Ending;

/// The sums of the results of several designs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    pub designs: usize,
    /// Designs for which the search found nothing.
    pub given_up: usize,
    /// Designs called impossible, and results that are not legal.
    pub wrong: usize,
    /// The most seconds for a design.
    pub slowest: f64,
    /// Seconds of all designs.
    pub seconds: f64,
    /// Connections by DMA of the placed designs that have a hidden placement.
    pub found: usize,
    /// Connections by DMA of the hidden placements of these.
    pub hidden: usize,
    /// Connections to PLIO of these.
    pub plio: usize,
}

impl Sums {
    /// Adds the result of a design with connections to PLIO and, if it has a hidden placement, the
    /// connections by DMA of that.
    pub fn add(&mut self, ending: &Ending, hidden: Option<usize>, plio: usize, seconds: f64) {
        self.designs += 1;
        self.slowest = self.slowest.max(seconds);
        self.seconds += seconds;
        match (ending, hidden) {
            (Ending::Placed(found), Some(hidden)) => {
                self.found += found;
                self.hidden += hidden;
                self.plio += plio;
            }
            (Ending::Placed(_), None) => {}
            (Ending::GaveUp, _) => self.given_up += 1,
            (Ending::Refused(_) | Ending::Illegal(_), _) => self.wrong += 1,
        }
    }

    /// The sums of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            designs: self.designs + other.designs,
            given_up: self.given_up + other.given_up,
            wrong: self.wrong + other.wrong,
            slowest: self.slowest.max(other.slowest),
            seconds: self.seconds + other.seconds,
            found: self.found + other.found,
            hidden: self.hidden + other.hidden,
            plio: self.plio + other.plio,
        }
    }

    /// Connections by DMA beyond the hidden ones, in 1/100. Designs without a placement count in
    /// neither.
    pub fn excess(&self) -> f64 {
        percent(self.found, self.hidden)
    }

    /// The sums as a line of a table in Markdown.
    #[allow(dead_code, reason = "the test of the judges prints no table")]
    pub fn line(&self, title: &str) -> String {
        let Self { designs, given_up, slowest, found, hidden, .. } = self;
        let excess = self.excess();
        format!("| {title} | {designs} | {given_up} | {found} | {hidden} | {excess:.1} % | {slowest:.0} |\n")
    }

    /// The sums in words.
    pub fn text(&self) -> String {
        let Self { designs, given_up, wrong, slowest, seconds, found, hidden, plio } = self;
        let mut text = format!("{designs} designs, {given_up} given up");
        if *wrong > 0 {
            let _ = write!(text, ", {wrong} WRONG");
        }
        if *seconds > 0.0 {
            let _ = write!(text, ", slowest {slowest:.1} s, all {seconds:.0} s");
        }
        if *hidden > 0 {
            let inner = percent(found.saturating_sub(*plio), hidden.saturating_sub(*plio));
            let excess = self.excess();
            let _ = write!(text, "; of the others DMA found {found}, hidden {hidden}, excess {excess:+.1} %");
            let _ = write!(text, "; without {plio} of PLIO {inner:+.1} %");
        }
        text
    }
}

/// How much `found` exceeds `hidden`, in 1/100.
fn percent(found: usize, hidden: usize) -> f64 {
    (found as f64 / hidden.max(1) as f64 - 1.0) * 100.0
}
