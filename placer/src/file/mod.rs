//! Placements as text: JSON with the names of the design, to be read, edited and committed.
//!
//! [`dump`] writes the format that [`load`] reads. A file names its design and device; `load`
//! refuses files for others. A loaded placement still has to pass [`verify`](crate::verify()).

mod errors;
mod load;
mod read;
mod write;

pub use load::{Loaded, load, load_part};
pub use write::dump;

/// The value of `format`.
const FORMAT: &str = "aiec-placement";
/// The version that this module reads and writes. Another layout of the file gets the next number.
const VERSION: u32 = 1;
