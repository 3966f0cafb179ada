//! Threads for independent tasks.
#![allow(clippy::disallowed_methods, reason = "this module makes threads")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Limit on the number of threads.
const MAX_THREADS: usize = 64;

/// A number of threads.
pub struct Threads(usize);

impl Threads {
    /// `jobs` threads, or as many as the machine has processors.
    pub fn new(jobs: Option<usize>) -> Self {
        let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        Self(jobs.clamp(1, MAX_THREADS))
    }

    /// The number of threads.
    pub const fn number(&self) -> usize {
        self.0
    }

    /// The results of `task` for each number below `tasks`, in order.
    pub fn map<T: Send>(&self, tasks: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let found: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
        self.run(tasks, &|number| {
            let result = task(number);
            found.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, result)| result).collect()
    }

    /// Calls `task` with each number below `tasks`, on several threads in parallel. Returns when
    /// all calls have ended.
    pub fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
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
}
