//! The phases of long work, for a user who waits.
#![allow(clippy::disallowed_methods, reason = "one thread works, the other watches the time")]

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long work goes on before its phase is named, and how often a new one is looked for.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Does `work`, which names each of its phases as it begins. Gives `tell` the name of a phase in
/// which the work is after `patience`, and after each further one, if the phase is another.
pub fn follow<T: Send>(
    patience: Duration,
    tell: &mut dyn FnMut(&str),
    work: impl FnOnce(&(dyn Fn(&str) + Sync)) -> T + Send,
) -> T {
    let phase = Mutex::new(String::new());
    let name = |name: &str| name.clone_into(&mut phase.lock().unwrap_or_else(PoisonError::into_inner));
    let (end, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(&name);
            drop(end);
            result
        });
        let mut told = String::new();
        while ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            let now = phase.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if now != told {
                tell(&now);
                told = now;
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_that_take_long_are_named_once() {
        let (mut told, pause) =
            (Vec::new(), |factor: u64| std::thread::sleep(Duration::from_millis(20 * factor)));
        let result = follow(Duration::from_millis(20), &mut |name| told.push(name.to_owned()), |phase| {
            phase("one");
            pause(10);
            phase("two");
            pause(10);
            3
        });
        assert_eq!((result, told), (3, vec!["one".to_owned(), "two".to_owned()]));
    }

    #[test]
    fn short_work_is_not_named() {
        let mut told = 0;
        follow(PATIENCE, &mut |_| told += 1, |phase| phase("one"));
        assert_eq!(told, 0);
    }
}
