//! Messages in the words of an ADF graph. Takes a text of a diagnostic, which spells statements as
//! a design does, and returns it with the vendor's words (UG1079).
//!
//! All stages word their messages for designs. This is the one place that words them for a graph. A
//! test reads the sources of these messages, and fails for a word that has no entry here.

use std::collections::BTreeSet;

/// Phrases of the language that C++ words in another way, or that a graph cannot follow.
const PHRASES: [(&str, &str); 16] = [
    (" in the design with that reason, or by `--allow", ": `--allow"),
    (" or with `reduce`", ""),
    (", or combine them with `reduce` before ", ", or combine them in a kernel before "),
    ("; a slice such as `worker[1..]` leaves instances out", ""),
    ("a `keepout`", "an area group with `exclude`"),
    ("the `keepout`", "the area group with `exclude`"),
    ("no `keepout`", "no area group with `exclude`"),
    ("carries `packets`", "is an `input_pktstream` or `output_pktstream`"),
    ("consumer as `packets`", "consumer as `input_pktstream`"),
    ("port as `packets`", "port as `input_pktstream` or `output_pktstream`"),
    ("producer as `packets`", "producer as `output_pktstream`"),
    ("an `input`", "an `input_plio`"),
    ("`split` or `merge` behind the arrow", "a `pktsplit` or `pktmerge` between them"),
    ("leave `channel` out", "leave the channel out"),
    ("`runtime` ratio", "`runtime<ratio>`"),
    ("banks with `place ... bank`", "banks with `location<buffer>(...) = bank(...)`"),
];

/// Words of the language that are another word in C++. A bare word may also be a name of the user.
const WORDS: [(&str, &str); 10] = [
    ("apart", "not_equal"),
    ("fifo", "fifo_depth"),
    ("keepout", "exclude"),
    ("merge", "pktmerge"),
    ("place", "location"),
    ("region", "bounding_box` or `area_group"),
    ("repetitions", "repetition_count"),
    ("runtime", "runtime<ratio>"),
    ("split", "pktsplit"),
    ("windows", "async_repetition"),
];

/// `text` with each statement and word of the language as C++ for a `graph.h`, except for the
/// `names` of the graph.
pub(crate) fn in_adf(text: &str, names: &BTreeSet<String>) -> String {
    let is_name = |phrase: &str| phrase.split('`').nth(1).is_some_and(|word| names.contains(word));
    let text = &single_buffers(text);
    let phrases = PHRASES.iter().filter(|(phrase, _)| !is_name(phrase));
    let text = phrases.fold(text.clone(), |text, (phrase, adf)| text.replace(phrase, adf));
    let parts = text.split('`').enumerate();
    let spelled = parts.map(|(at, part)| match at % 2 {
        1 if !names.contains(part) => word(part).or_else(|| statement(part)),
        _ => None,
    });
    let spelled = spelled.zip(text.split('`')).map(|(adf, part)| adf.unwrap_or_else(|| part.to_owned()));
    spelled.collect::<Vec<_>>().join("`")
}

/// `text` with `single_buffer(k.out[0])` for the property of that port's connection.
fn single_buffers(text: &str) -> String {
    const OWN: &str = "`buffer single` behind the connection of `";
    let mut pieces = text.split(OWN);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| match piece.split_once('`') {
        Some((port, rest)) => format!("{text}`single_buffer({port})`{rest}"),
        None => format!("{text}{OWN}{piece}"),
    })
}

/// The C++ word. Returns None when the word is none of the language, or the same in both.
fn word(word: &str) -> Option<String> {
    WORDS.iter().find(|(own, _)| *own == word).map(|(_, adf)| (*adf).to_owned())
}

/// The C++ statement. Returns None when the words are no statement of the language.
fn statement(code: &str) -> Option<String> {
    let words: Vec<&str> = code.split(' ').collect();
    Some(match words.as_slice() {
        [property @ ("stack" | "heap"), size, unit] => {
            format!("{property}_size(k) = {}", bytes(size, unit)?)
        }
        ["repetitions", runs] => format!("repetition_count(k) = {runs}"),
        ["runtime", ratio] => format!("runtime<ratio>(k) = {ratio}"),
        ["fifo", words] => format!("fifo_depth(net) = {words}"),
        ["buffer", "single"] => "single_buffer(PORT)".to_owned(),
        ["burst", bytes] => format!("create(NAME, {bytes}, BANDWIDTH)"),
        ["vitis", release] => format!("--vitis {}", release.trim_matches('"')),
        ["window", block] => format!("dimensions(k.in[0]) = {{{}}}", elements(block)?),
        ["connect", "async", from, "->", "async", to] => format!("async({from})` and `async({to})"),
        ["connect", _, "->", "async", port] | ["connect", "async", port, "->", _] => format!("async({port})"),
        ["place", name, "at", column, row] => {
            let (column, row) = tile(column, row)?;
            format!("location<kernel>({name}) = tile({column}, {row})")
        }
        [first, second, "to", third, fourth] => {
            let (from, to) = (tile(first, second)?, tile(third, fourth)?);
            format!("bounding_box({}, {}, {}, {})", from.0, from.1, to.0, to.1)
        }
        [width, "...)"] => format!("plio_{}_bits", width.strip_prefix("plio(")?.strip_suffix(',')?),
        _ => return None,
    })
}

/// The numbers of `(C,` and `R)`.
fn tile<'t>(column: &'t str, row: &'t str) -> Option<(&'t str, &'t str)> {
    Some((column.strip_prefix('(')?.strip_suffix(',')?, row.strip_suffix(')')?))
}

/// The number in `int32[64]`.
fn elements(block: &str) -> Option<&str> {
    block.split_once('[')?.1.strip_suffix(']')
}

fn bytes(size: &str, unit: &str) -> Option<u64> {
    let size: u64 = size.parse().ok()?;
    match unit {
        "B" => Some(size),
        "KiB" => size.checked_mul(1024),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
