//! Words of the language in a place where they cannot stand, with the places where they can.

use super::{is_item, properties_of, words_of};
use crate::ITEM_WORDS;
use crate::grammar::Rule;

/// Rules whose words have one place in common.
const OF_RULES: [(Rule, &str); 6] = [
    (Rule::kernel_property, "in the braces of a `kernel`"),
    (Rule::collective_property, "in the braces of a collective such as `reduce`"),
    (Rule::external_property, "behind the end of an input or output, as in `input x from gmio burst 128`"),
    (Rule::connect_property, "behind a connection, as in `connect a.y -> b.x fifo 64`"),
    (Rule::carries, "in the declaration of a port, as in `in x: window int32[64]`"),
    (Rule::handler, "in the braces of `active`"),
];

/// Words within a construct, with their places.
const WITHIN: [(&[&str], &str); 10] = [
    (&["windows"], "behind an async end of a connection, as in `connect async a.y windows 4 -> b.x`"),
    (&["margin"], "behind the window of a port, as in `in x: window int32[64] margin 8`"),
    (
        &["async"],
        "in front of a kernel's port in a connection, as in `connect a -> async k.x`, or behind a parameter",
    ),
    (&["sync"], "behind a parameter, as in `in gain: parameter int32 sync`"),
    (&["split", "merge"], "behind the arrow of a connection, as in `connect a.y -> split b.x, c.x`"),
    (&["ordered"], "behind `merge`, as in `connect a.y, b.y -> merge ordered c.x`"),
    (&["bank", "offset"], "behind the tile of a `place`, as in `place k.x at (24, 0) bank 1`"),
    (&["shim", "channel"], "in a `place`, as in `place x at shim 24 channel 2`"),
    (&["switch", "number"], "behind a FIFO, as in `fifo 16 at switch (24, 0) number 0`"),
    (&["step"], "in a range of indices, as in `a[0..8 step 2]`"),
];

/// Where the word `found` stands instead, if `rules` continue with properties, ports or
/// declarations. Returns None when it is no word of the language.
pub(super) fn advice(found: &str, rules: &[Rule]) -> Option<String> {
    let of_body = |rule: &Rule| properties_of(*rule).is_some();
    let goes_on = |rule: &Rule| {
        let is_behind =
            matches!(rule, Rule::external_property | Rule::connect_property | Rule::margin | Rule::kw_sync);
        is_behind || of_body(rule) || is_item(*rule)
    };
    if !rules.iter().any(goes_on) {
        return None;
    }
    let of_rules =
        OF_RULES.iter().filter(|(rule, _)| words_of(*rule).contains(&found)).map(|(_, place)| *place);
    let within = WITHIN.iter().filter(|(words, _)| words.contains(&found)).map(|(_, place)| *place);
    let places: Vec<&str> = of_rules.chain(within).collect();
    let in_body = rules.iter().any(of_body);
    match places.is_empty() {
        false => Some(format!("`{found}` stands {}", places.join(", or "))),
        true if in_body && ITEM_WORDS.contains(&found) => {
            Some(format!("`{found}` is a declaration of its own and stands outside of these braces"))
        }
        true => None,
    }
}
