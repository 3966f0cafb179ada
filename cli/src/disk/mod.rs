//! The one way in which aiec writes to a disk for its user.
//!
//! | what | how |
//! |---|---|
//! | one file that an option names | [`results`]: put there whole ([`put`]), never over a file that does not carry aiec's [`mark`] |
//! | a project | [`Locked`]: under a lock, by a journal that the next run finishes or undoes |
//!
//! Below the folder of a project no link is followed ([`Dir`]). Every call that changes a disk is made in `calls`, where tests end the
//! process before each of them in turn. Folders of aiec's own, such as those of a simulation, need none of this.

mod calls;
mod journal;
mod lock;
mod mark;
mod put;
mod results;

pub(crate) use calls::{Above, Dir, Kind};
pub(crate) use journal::Text;
pub(crate) use lock::{Locked, WORK};
pub(crate) use put::put;
pub(crate) use results::{Form, Wanted, check, is_same, write};
