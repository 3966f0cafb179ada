//! Placements as text: JSON with the names of the design, so that it can be read, edited and committed.
//!
//! [`dump`] writes what [`load`] reads. A file names the design and the device it was made for; `load` refuses those of
//! others. Everything it accepts still has to pass [`verify`](crate::verify()).

mod errors;
mod format;
mod json;
mod load;
mod read;
mod write;

pub use load::{Loaded, load, load_part};
pub use write::dump;
