//! The sheet of a picture.

use svg::Document;

/// An empty SVG document of this size in pixels, in the font of all pictures.
pub(crate) fn sheet(width: f64, height: f64) -> Document {
    Document::new()
        .set("viewBox", (0.0, 0.0, width, height))
        .set("width", width)
        .set("height", height)
        .set("font-family", "Helvetica, Arial, sans-serif")
}
