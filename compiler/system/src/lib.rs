//! Files, programs, folders to work in, and threads: what the command line and the host run take from the system.

pub mod errors;
pub mod files;
pub mod passing;
mod threads;

pub use passing::end;
pub use threads::Threads;
