//! Rules about the texts of a device file. These texts go into generated C++ and onto terminals,
//! where a line break or a control character would change their meaning.

use super::Faults;
use crate::Device;

/// Most characters of the name of a device.
const MAX_NAME: usize = 64;

/// Most characters of any other text.
const MAX_TEXT: usize = 200;

/// The name is one word, other texts are one printable line.
pub(super) fn texts(device: &Device, faults: &mut Faults) {
    let word = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let name = &device.name;
    faults.require((1..=MAX_NAME).contains(&name.len()) && name.chars().all(word), "name", || {
        format!("a name is 1 to {MAX_NAME} letters, digits, `_`, `.` and `-`")
    });
    let lines = [("description", Some(&device.description)), ("support", Some(&device.support))];
    let grades = device.clock.grades.iter().map(|grade| ("clock.grades", Some(&grade.name)));
    for (key, text) in lines.into_iter().chain([("clock.grade", device.clock.grade.as_ref())]).chain(grades) {
        faults.require(text.is_none_or(|text| is_line(text)), key, || {
            format!("this text is not one printable line of at most {MAX_TEXT} characters")
        });
    }
}

fn is_line(text: &str) -> bool {
    text.chars().count() <= MAX_TEXT && !text.chars().any(is_invisible)
}

/// Control characters, line ends, and marks that reorder or hide neighbouring text (Unicode, UAX 9
/// and category Cf).
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
