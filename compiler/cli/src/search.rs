//! What the search for a placement gets from the world: a deadline, Ctrl-C, a progress bar and threads, which other commands use too.
//!
//! The stages know neither clock nor signals; this module hands them over as a [`Watch`] and [`Workers`].
#![allow(clippy::disallowed_methods, reason = "this is where the clock and threads come from")]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use aiec_placer::{Progress, Watch, Workers};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// True while a search runs, which Ctrl-C ends; otherwise Ctrl-C ends the program.
static SEARCHING: AtomicBool = AtomicBool::new(false);
/// True once the user has asked the search to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The user has pressed Ctrl-C: asks a running search to end with the best it has. False if there is none, or if it was asked before.
pub fn interrupt() -> bool {
    SEARCHING.load(Ordering::SeqCst) && !INTERRUPTED.swap(true, Ordering::SeqCst)
}

/// Looks on while a search runs, until dropped.
pub(crate) struct Watcher {
    deadline: Option<Instant>,
    bar: ProgressBar,
}

impl Watcher {
    /// A search begins; `limit` from now it ends. A bar is shown on standard error if `visible`.
    pub(crate) fn new(limit: Option<Duration>, visible: bool) -> Self {
        INTERRUPTED.store(false, Ordering::SeqCst);
        SEARCHING.store(true, Ordering::SeqCst);
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        let template = "placing [{elapsed}] {wide_bar} {msg}";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { deadline: limit.and_then(|limit| Instant::now().checked_add(limit)), bar }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        SEARCHING.store(false, Ordering::SeqCst);
        self.bar.finish_and_clear();
    }
}

impl Watch for Watcher {
    fn stopped(&self) -> bool {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || INTERRUPTED.load(Ordering::SeqCst)
    }

    fn progress(&self, progress: &Progress) {
        let Progress { attempt, done, connections, bound } = *progress;
        let gap = connections.saturating_sub(bound);
        self.bar.set_position(done.into());
        let again = if attempt == 0 { String::new() } else { format!("attempt {}, ", attempt + 1) };
        self.bar.set_message(format!("{again}{connections} by DMA, bound {bound}, gap {gap}"));
    }
}

/// Most threads that are started.
const MAX_THREADS: usize = 64;

/// So many threads.
pub(crate) struct Threads(usize);

impl Threads {
    /// As many as asked for, or as the machine has processors.
    pub(crate) fn new(jobs: Option<usize>) -> Self {
        let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        Self(jobs.clamp(1, MAX_THREADS))
    }

    /// `task` of each number below `tasks`, in their order.
    pub(crate) fn map<T: Send>(&self, tasks: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let workers: &dyn Workers = self;
        workers.map(tasks, task)
    }
}

impl Workers for Threads {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= tasks {
                    break;
                }
                task(number);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.0.min(tasks) {
                scope.spawn(work);
            }
            work();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_runs_once_with_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let counts: Vec<AtomicUsize> = (0..20).map(|_| AtomicUsize::new(0)).collect();
            Threads(threads).run(counts.len(), &|number| {
                counts[number].fetch_add(1, Ordering::Relaxed);
            });
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn a_search_without_time_is_stopped_and_an_interrupt_needs_a_search() {
        assert!(!interrupt(), "no search runs");
        let watcher = Watcher::new(Some(Duration::ZERO), false);
        assert!(watcher.stopped());
        drop(watcher);
        let watcher = Watcher::new(None, false);
        assert!(!watcher.stopped());
        assert!(interrupt() && watcher.stopped());
        assert!(!interrupt(), "asked before");
    }
}
