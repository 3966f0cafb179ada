//! Events that a simulated program reports: one JSON object per line.

use std::fmt;

use aiec_ir::KernelId;
use aiec_timing::KernelCounts;
use serde::Deserialize;

/// The number of a kernel in a simulated program: in order of creation, or as the options of the
/// run state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub struct KernelNumber(pub u32);

impl KernelNumber {
    /// The kernel of the design from which aiec wrote the program: the options of its runs state
    /// the numbers.
    pub const fn id(self) -> KernelId {
        KernelId(self.0)
    }
}

impl fmt::Display for KernelNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A port by the program's numbers: kernels in order of creation, ports counted per direction.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PortRef {
    /// The kernel that has it.
    pub kernel: KernelNumber,
    /// Its direction, seen from the kernel: `in` or `out`.
    pub direction: String,
    /// Index among the ports of that direction.
    pub port: usize,
}

/// Where a finding was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Site {
    /// Runs that the kernel had completed before. None when the event is of the host program.
    #[serde(default)]
    pub iteration: Option<u64>,
    /// File and line of the user's code, such as `/home/me/fir.cc:12`. None when there is no debug
    /// information.
    #[serde(default)]
    pub line: Option<String>,
}

/// One event of a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A rank's own data in one call of a collective.
    Contribution(RankData),
    /// A rank's data after one call of a collective.
    Result(RankData),
    /// A kernel has held an async window since an earlier run.
    MissingRelease {
        /// The port of the window.
        #[serde(flatten)]
        port: PortRef,
        /// `error`, or `note` if nobody waits for the window.
        #[serde(default)]
        severity: String,
        /// Iteration and source line.
        #[serde(flatten)]
        site: Site,
    },
    /// The numbers of windows that the kernel of an asynchronous port acquired in its runs.
    Windows(Acquired),
    /// The numbers of bytes that the kernel of a stream moved in its runs.
    Moved(Acquired),
    /// The most words of a channel to any peer that a rank kept at a time.
    Kept {
        /// The port into the rank.
        #[serde(flatten)]
        port: PortRef,
        /// Words of 32 bits.
        words: u64,
    },
    /// A rank of a channel to any peer waits for a credit.
    Awaits {
        /// The port into the rank.
        #[serde(flatten)]
        port: PortRef,
        /// Words of 32 bits that its opening has.
        words: u64,
    },
    /// A deadlock: no kernel can go on.
    Deadlock {
        /// All kernels that wait, each with its port.
        blocked: Vec<Blocked>,
        /// The ports of a cycle of waits. Empty without one.
        #[serde(default)]
        cycle: Vec<String>,
        /// The steps of that cycle, in order.
        #[serde(default)]
        steps: Vec<Step>,
        /// The FIFO depths that unblock the cycle. Empty where none helps.
        #[serde(default)]
        depths: Vec<Depth>,
        /// Input files that are used up while a kernel waits for more.
        #[serde(default)]
        input: Vec<Starved>,
        /// GMIO ports with bytes still to move.
        #[serde(default)]
        gmio: Vec<Pending>,
        /// Outputs of kernels whose last packet has no end.
        #[serde(default)]
        open: Vec<PortRef>,
    },
    /// Kernels of one core wait for each other, in every order in which the core runs them.
    Turns(Turns),
    /// A window was used in a way that fails on hardware.
    Misuse {
        /// The port of the window.
        #[serde(flatten)]
        port: PortRef,
        /// Description of the fault.
        what: String,
        /// `error`, `warning` for faults that hardware survives, or `note` for possible intent.
        #[serde(default)]
        severity: String,
        /// Iteration and source line.
        #[serde(flatten)]
        site: Site,
    },
    /// A rule that concerns no port was broken.
    Finding {
        /// The kernel that broke it.
        #[serde(default)]
        kernel: KernelNumber,
        /// Description of the fault.
        what: String,
        /// `error`, `warning` for faults that hardware survives, or `note` for possible intent.
        #[serde(default)]
        severity: String,
        /// Iteration and source line.
        #[serde(flatten)]
        site: Site,
    },
    /// An input file cannot be opened, which ends the run.
    NoInput {},
    /// The time limit ended the run.
    Timeout {},
    /// The operating system stopped the program.
    Crash {},
    /// What a kernel executed, in the mode that counts.
    Counts(KernelCounts),
    /// The program ran to its end.
    End {
        /// Kernel runs.
        firings: u64,
        /// Host bytes that the largest kernel takes: stack, static data and buffers.
        #[serde(default)]
        largest: u64,
        /// Host bytes that all kernels take.
        #[serde(default)]
        memory: u64,
    },
    /// An event that this version does not know, from newer headers.
    #[serde(other)]
    Unknown,
}

/// The data of a rank before or after one call of a collective.
#[derive(Clone, Debug, Deserialize)]
pub struct RankData {
    /// The name that the design declares.
    pub collective: String,
    /// Position in the group, from 0.
    pub rank: u32,
    /// The number of the call, from 0.
    pub call: u32,
    /// The elements: numbers, pairs of numbers for complex types, strings for values that are no
    /// number (`nan`, `inf`).
    pub values: Vec<serde_json::Value>,
}

/// Numbers of windows that an asynchronous port acquired in the runs of its kernel, or of bytes
/// that a stream moved.
#[derive(Clone, Debug, Deserialize)]
pub struct Acquired {
    /// The asynchronous port, or the stream.
    #[serde(flatten)]
    pub port: PortRef,
    /// Runs that the kernel completed.
    pub firings: u64,
    /// The fewest in a completed run.
    pub fewest: u64,
    /// The most in a completed run.
    pub most: u64,
    /// Those of the current run, and one more if the kernel waits for it.
    pub now: u64,
    /// True for packets of which the last one has no end.
    #[serde(default)]
    pub open: bool,
    /// The line in which the kernel then began another packet, if it did.
    #[serde(default)]
    pub line: Option<String>,
}

/// One waiting kernel of a deadlock.
#[derive(Clone, Debug, Deserialize)]
pub struct Blocked {
    /// The port at which it waits.
    #[serde(flatten)]
    pub port: PortRef,
    /// `an empty buffer` or `a full buffer`.
    pub waits: String,
    /// The id of the branch of a split to which no packet came. None at other ports.
    #[serde(default)]
    pub unserved: Option<u32>,
    /// Iteration and source line. There is no line when the kernel waits to begin.
    #[serde(flatten)]
    pub site: Site,
}

/// A port of a kernel, or another end of a connection by the name of its owner.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum End {
    /// A port of a kernel.
    Port(PortRef),
    /// An input, an output, or a split or merge.
    Other {
        /// The name of the owner.
        name: String,
        /// The end of the trunk of a split or merge.
        #[serde(default)]
        of: Option<Box<End>>,
    },
}

/// One step of a cycle of waits.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    /// The port that waits.
    #[serde(flatten)]
    pub at: End,
    /// `is empty: waits for` or `is full (...): waits for`, which the next step completes.
    pub why: String,
}

/// The kernels of a core that wait for each other there.
#[derive(Clone, Debug, Deserialize)]
pub struct Turns {
    /// All kernels of the core.
    pub kernels: Vec<KernelNumber>,
    /// The kernel that has the core and waits.
    pub running: KernelNumber,
    /// The kernel for which it waits, which rests meanwhile.
    pub resting: KernelNumber,
    /// The steps from the one to the other.
    pub steps: Vec<Step>,
    /// `error`, or `warning` where longer ways or buffers at both ends may hold more.
    pub severity: String,
    /// Iteration and source line of the wait. There is no line when the kernel waits to begin.
    #[serde(flatten)]
    pub site: Site,
}

/// A FIFO depth that unblocks a cycle, together with the others of the report.
#[derive(Clone, Debug, Deserialize)]
pub struct Depth {
    /// The depth in words of 32 bits.
    pub words: u64,
    /// The producing and the consuming end of the connection.
    #[serde(default)]
    pub ends: Vec<End>,
}

/// An input file with too little data.
#[derive(Clone, Debug, Deserialize)]
pub struct Starved {
    /// Path of the file as the project names it.
    pub file: String,
    /// Values needed, or 0 if unknown.
    pub needed: u64,
    /// Values that the file has.
    pub found: u64,
}

/// A GMIO port with bytes still to move.
#[derive(Clone, Debug, Deserialize)]
pub struct Pending {
    /// Its name in the project.
    pub name: String,
    /// Bytes still to move.
    pub bytes: u64,
}

/// Parses the events. Leaves out a truncated line, as a killed program writes it.
pub fn parse(text: &str) -> Vec<Event> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_event_is_read() {
        let text = r#"{"event":"contribution","collective":"total","rank":5,"call":0,"values":[1,-2]}
{"event":"missing-release","kernel":3,"direction":"in","port":1,"severity":"error"}
{"event":"deadlock","blocked":[{"kernel":3,"direction":"out","port":0,"waits":"an empty buffer"}],"cycle":["a"],"steps":[{"kernel":3,"direction":"out","port":0,"why":"is full: waits for"},{"name":"PLIO x","why":"is full: waits for"}],"depths":[{"from":"a","to":"b","words":9,"ends":[{"kernel":3,"direction":"out","port":0},{"name":"PLIO y"}]}]}
{"event":"misuse","kernel":3,"direction":"in","port":0,"what":"read past the end","severity":"error","iteration":2,"line":"k.cc:7"}
{"event":"windows","kernel":3,"direction":"in","port":0,"firings":2,"fewest":1,"most":80,"now":0}
{"event":"end","firings":63}
{"event":"turns","kernels":[0,2],"running":0,"resting":2,"iteration":1,"line":"k.cc:9","steps":[{"kernel":0,"direction":"out","port":0,"why":"is full: waits for"}],"severity":"error"}
{"event":"later","x":1}
{"event":"con"#;
        let events = parse(text);
        assert_eq!(events.len(), 8);
        assert!(matches!(&events[0], Event::Contribution(data) if data.rank == 5 && data.values.len() == 2));
        assert!(
            matches!(&events[1], Event::MissingRelease { port, .. } if port.kernel == KernelNumber(3) && port.port == 1)
        );
        assert!(matches!(&events[2], Event::Deadlock { blocked, .. } if blocked[0].port.direction == "out"));
        let Event::Deadlock { steps, depths, .. } = &events[2] else { panic!("{:?}", events[2]) };
        assert!(matches!(&steps[0].at, End::Port(port) if port.kernel == KernelNumber(3)));
        assert!(matches!(&steps[1].at, End::Other { name, .. } if name == "PLIO x"));
        assert!(
            depths[0].words == 9 && matches!(&depths[0].ends[1], End::Other { name, .. } if name == "PLIO y")
        );
        let Event::Turns(turns) = &events[6] else { panic!("{:?}", events[6]) };
        assert_eq!((turns.kernels.len(), turns.resting, turns.steps.len()), (2, KernelNumber(2), 1));
        assert_eq!(turns.site, Site { iteration: Some(1), line: Some("k.cc:9".into()) });
        let site = Site { iteration: Some(2), line: Some("k.cc:7".into()) };
        assert!(
            matches!(&events[3], Event::Misuse { what, site: of, .. } if what.starts_with("read") && *of == site)
        );
        assert!(
            matches!(&events[4], Event::Windows(of) if (of.fewest, of.most, of.port.kernel) == (1, 80, KernelNumber(3)))
        );
    }
}
