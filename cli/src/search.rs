//! Services for the placement search: a deadline, Ctrl-C, a progress bar and threads. Bars of other
//! long work.
//!
//! The stages know neither clock nor signals. This module gives them a [`Watch`] and [`Workers`].
#![allow(clippy::disallowed_methods, reason = "this module reads the clock and hands over threads")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use aiec_event_model::Progress;
use aiec_placer::{Watch, Workers};
use aiec_system::Threads;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// True while a search runs. Ctrl-C then ends the search, otherwise the program.
static SEARCHING: AtomicBool = AtomicBool::new(false);
/// True once the user has asked the search to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Handles Ctrl-C: asks a running search to end with the best placement so far. Returns false when
/// no search runs, or when it was asked before.
pub fn interrupt() -> bool {
    SEARCHING.load(Ordering::SeqCst) && !INTERRUPTED.swap(true, Ordering::SeqCst)
}

/// Watches a search until dropped.
pub(crate) struct Watcher {
    deadline: Deadline,
    bar: ProgressBar,
    /// True if Ctrl-C ends the search.
    heeds: bool,
}

impl Watcher {
    /// Starts to watch a search of `subject`, which ends after `limit`. Shows a bar on standard
    /// error if `visible`.
    pub(crate) fn new(limit: Option<Duration>, subject: Option<&str>, visible: bool) -> Self {
        INTERRUPTED.store(false, Ordering::SeqCst);
        SEARCHING.store(true, Ordering::SeqCst);
        let bar = bar(1000, "placing{prefix} [{elapsed}] {wide_bar} {msg}", visible);
        bar.set_prefix(subject.map_or_else(String::new, |subject| format!(" {subject}")));
        Self { deadline: Deadline::within(limit), bar, heeds: true }
    }

    /// Starts to watch one of several searches at a time. Shows no bar, and leaves Ctrl-C to the
    /// program.
    pub(crate) fn of_many(limit: Option<Duration>) -> Self {
        Self { deadline: Deadline::within(limit), bar: bar(1000, "", false), heeds: false }
    }
}

/// The end of work that has a limit.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// The time that lies `limit` ahead. Never, when it is None.
    pub(crate) fn within(limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    /// The time that is left. None when there is no limit.
    pub(crate) fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// True once no time is left.
    pub(crate) fn is_over(self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
}

/// A bar of `length` steps on standard error, if it is `visible`.
fn bar(length: u64, template: &str, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Time after which a run of the event model shows its progress. Most take milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// The bar of runs of the event model, until dropped.
pub(crate) struct Timing {
    bar: ProgressBar,
    begin: Instant,
    visible: bool,
}

impl Timing {
    /// A bar that appears after two seconds, if it is `visible`.
    pub(crate) fn new(visible: bool) -> Self {
        let bar = bar(0, "timing [{elapsed}] {wide_bar} {pos}/{len} firings", false);
        Self { bar, begin: Instant::now(), visible }
    }

    /// What the event model reports its progress to.
    pub(crate) fn watch(&self) -> impl Fn(Progress) + '_ {
        |progress| {
            if self.visible && self.bar.is_hidden() && self.begin.elapsed() >= PATIENCE {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            self.bar.set_length(progress.firings);
            self.bar.set_position(progress.fired);
        }
    }
}

impl Drop for Timing {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Time between two drawings of a bar whose steps take long.
const TICK: Duration = Duration::from_secs(1);

/// The bar of many independent steps, until dropped.
pub(crate) struct Steps(ProgressBar);

impl Steps {
    /// A bar of `all` steps, of which some are done already. Shows it if `visible`.
    pub(crate) fn new(all: usize, done: usize, visible: bool) -> Self {
        let bar = bar(all as u64, "points [{elapsed}] {wide_bar} {pos}/{len} {msg}", visible);
        bar.set_position(done as u64);
        if visible {
            bar.enable_steady_tick(TICK);
        }
        Self(bar)
    }

    /// One more step is done.
    pub(crate) fn step(&self, name: &str) {
        self.0.inc(1);
        self.0.set_message(name.to_owned());
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Time after which a wait without steps is shown.
const SHORT: Duration = Duration::from_secs(1);

/// A line on standard error about a wait without steps, until dropped. It appears after a second.
pub(crate) struct Wait {
    bar: ProgressBar,
    /// Ends the thread that waits to show the line.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Wait {
    /// Tells what the wait is for, if the line is `visible`.
    pub(crate) fn new(what: impl Into<String>, visible: bool) -> Self {
        let bar = bar(0, "{spinner} {msg} [{elapsed}]", false);
        bar.set_message(what.into());
        let (end, ended) = channel();
        let shown = bar.clone();
        let thread = visible.then(|| {
            std::thread::spawn(move || {
                if ended.recv_timeout(SHORT) == Err(RecvTimeoutError::Timeout) {
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                    shown.enable_steady_tick(TICK / 4);
                }
            })
        });
        Self { bar, end: Some(end), thread }
    }

    /// Tells what the wait is for now. Its seconds go on.
    pub(crate) fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        drop(self.end.take());
        // A thread that only draws has nothing to report.
        let _ = self.thread.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if self.heeds {
            SEARCHING.store(false, Ordering::SeqCst);
        }
        self.bar.finish_and_clear();
    }
}

impl Watch for Watcher {
    fn stopped(&self) -> bool {
        let late = self.deadline.is_over();
        late || self.heeds && INTERRUPTED.load(Ordering::SeqCst)
    }

    fn progress(&self, progress: &aiec_placer::Progress) {
        let aiec_placer::Progress { done, connections, bound } = *progress;
        let gap = connections.saturating_sub(bound);
        self.bar.set_position(done.into());
        self.bar.set_message(format!("{connections} by DMA, bound {bound}, gap {gap}"));
    }
}

/// Threads that help a search.
pub(crate) struct Helpers(pub(crate) Threads);

impl Workers for Helpers {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        self.0.run(tasks, task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_time_is_stopped_and_an_interrupt_needs_a_search() {
        assert!(!interrupt(), "no search runs");
        let watcher = Watcher::new(Some(Duration::ZERO), None, false);
        assert!(watcher.stopped());
        drop(watcher);
        let watcher = Watcher::new(None, None, false);
        assert!(!watcher.stopped());
        assert!(interrupt() && watcher.stopped());
        assert!(!interrupt(), "asked before");
        drop(watcher);
        let one = Watcher::of_many(None);
        assert!(!interrupt() && !one.stopped(), "Ctrl-C ends the program, and no point is cut short");
        assert!(Watcher::of_many(Some(Duration::ZERO)).stopped());
    }

    #[test]
    fn a_short_wait_ends_at_once_and_shows_nothing() {
        let begin = Instant::now();
        let wait = Wait::new("a wait", true);
        let bar = wait.bar.clone();
        drop(wait);
        assert!(begin.elapsed() < SHORT && bar.is_hidden());
    }
}
