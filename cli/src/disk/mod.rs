//! Writes the user's files.
//!
//! | what | how |
//! |---|---|
//! | file of an option | [`results`]: written whole ([`put`]), only over aiec's [`mark`] |
//! | a project | [`Locked`]: under a lock, by a journal that the next run finishes or undoes |
//!
//! Below the folder of a project no link is followed ([`Dir`]). Every call that changes a disk is
//! in `calls`, where tests end the process before each call in turn. aiec's own folders, such as
//! those of a simulation, need none of this.

mod calls;
mod journal;
mod lock;
mod mark;
mod put;
mod results;

pub(crate) use calls::{Above, Dir, Kind};
pub(crate) use journal::Text;
pub(crate) use lock::{Locked, WORK};
pub(crate) use mark::is_unchanged;
pub(crate) use put::{put, put_below};
pub(crate) use results::{Form, Wanted, check, is_same, make_folder, write};
