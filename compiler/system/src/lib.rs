//! System services for the command line and the host run: files, child processes, temporary
//! folders, and threads.

pub mod errors;
pub mod files;
pub mod locks;
pub mod passing;
mod threads;

pub use passing::end;
pub use threads::Threads;
