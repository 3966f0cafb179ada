//! What a compiler says of a source. Takes its messages, and tells their places, and what to write
//! where g++ lacks something that the vendor's compiler has.

/// A message of a compiler about a line.
pub(crate) struct Message<'a> {
    /// The file as the compiler names it.
    pub(crate) file: &'a str,
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1.
    pub(crate) column: u32,
    /// The words behind the place and `error:`.
    pub(crate) text: &'a str,
}

/// `FILE:LINE:COLUMN: error: TEXT`
pub(crate) fn message(line: &str) -> Option<Message<'_>> {
    let kinds = [": error: ", ": fatal error: ", ": sorry, unimplemented: "];
    let (place, text) = kinds.iter().find_map(|kind| line.split_once(kind))?;
    located(place, text)
}

/// A message whose place is `FILE:LINE:COLUMN`.
pub(crate) fn located<'a>(place: &'a str, text: &'a str) -> Option<Message<'a>> {
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(Message { file: parts.next()?, line, column, text })
}

/// Has the preprocessor of g++ pass on characters beyond ASCII as bytes. Without it, it refuses
/// those that no identifier may have, white space among them, which clang takes as such.
pub(crate) const AS_BYTES: &str = "-fno-extended-identifiers";

/// Words of g++ before and behind such a character.
const CHARACTER: (&str, &str) = ("extended character ", " is not valid in an identifier");

/// True if the compiler refuses a character beyond ASCII.
pub(crate) fn is_of_character(words: &str) -> bool {
    words.contains(CHARACTER.0) && words.contains(CHARACTER.1)
}

/// The messages with numbers in place of characters that cannot be seen: `<U+200B>`.
pub(crate) fn with_code_points(words: &str) -> String {
    let shown = |c: char| if is_unseen(c) { format!("<U+{:04X}>", u32::from(c)) } else { c.to_string() };
    let one = |line: &str| match message(line) {
        Some(Message { text, .. }) => {
            let place = line.get(..line.len() - text.len()).unwrap_or_default();
            place.chars().map(String::from).chain(text.chars().map(shown)).collect()
        }
        None => line.to_owned(),
    };
    words.split_inclusive('\n').map(one).collect()
}

/// True for white space beyond ASCII, and for characters without width.
fn is_unseen(c: char) -> bool {
    let is_flat =
        matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    is_flat || c.is_whitespace() && !c.is_ascii()
}

const PLAIN: &str = "type a plain blank, hyphen or quotation mark instead, or nothing; editors and web pages put in such \
                     characters";

/// Messages of g++ about what its language lacks, and what to write instead. The vendor's compiler
/// has graphs compiled by g++, too (`g++ -std=c++17` in logs of aiecompiler).
const OF_GPP: [(&str, &str); 5] = [
    (CHARACTER.1, PLAIN),
    ("<U+", PLAIN),
    (
        "designator order for field",
        "give the fields in the order of their declaration; aiecompiler compiles graphs by g++, too, which wants it",
    ),
    (
        "needed for in-class initialization of static data member",
        "declare it `static constexpr`; aiecompiler compiles graphs by g++, too, which wants it",
    ),
    (
        "non-trivial designated initializers not supported",
        "give the elements in their order, without `[index] =`; aiecompiler compiles graphs by g++, too, which wants it",
    ),
];

/// What to do about the first error, if the language of g++ is the reason.
pub(crate) fn advice(words: &str) -> Option<String> {
    let first = words.lines().find_map(message)?;
    let found = OF_GPP.iter().find(|(said, _)| first.text.contains(said));
    found.map(|(_, advice)| (*advice).to_owned())
}
