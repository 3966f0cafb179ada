//! Finds casts that can misalign vector accesses outside the AIE API. Takes preprocessed C++ and
//! tells whether the user's part of it casts to a pointer, as `*(v8int32 *)p` does. A pointer to a
//! vector that is made from no other pointer is aligned, and so is memory of `GMIO::malloc`. So
//! sources without other casts need no check at every access, which takes a quarter more time.

/// Words that may stand between the star and the end of a cast's type.
const QUALIFIERS: [&str; 5] = ["__restrict__", "__restrict", "restrict", "const", "volatile"];

/// True if the user's text has `*` at the end of a type in parentheses or in angle brackets. Some
/// such texts are no casts.
pub(crate) fn to_pointers(preprocessed: &str) -> bool {
    let text = users_part(preprocessed);
    text.match_indices('*').any(|(at, _)| {
        let mut rest = text.get(at + 1..).unwrap_or_default().trim_start();
        while let Some(behind) = QUALIFIERS.iter().find_map(|word| rest.strip_prefix(word)) {
            rest = behind.trim_start();
        }
        rest.strip_prefix([')', '>']).is_some_and(|cast| !is_allocation(cast))
    })
}

/// True if the operand of a cast is memory that the graph allocates.
fn is_allocation(operand: &str) -> bool {
    let operand = operand.trim_start_matches(|sign: char| sign == '(' || sign.is_whitespace());
    operand.strip_prefix("adf::").unwrap_or(operand).starts_with("GMIO::malloc(")
}

/// The text without the parts from system headers, the host runtime's among them: their line
/// markers have a 3 behind the name.
fn users_part(preprocessed: &str) -> String {
    let mut system = false;
    let mut text = String::new();
    for line in preprocessed.split_inclusive('\n') {
        if line.starts_with("# ") {
            let flags = line.rsplit_once('"').map_or("", |(_, flags)| flags);
            system = flags.split_whitespace().any(|flag| flag == "3");
        } else if !system {
            text += line;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_of_every_spelling_are_seen() {
        for cast in [
            "auto v = *(v8int32 *)p;",
            "auto v = *(const vector<int, 8> * __restrict)\n p;",
            "auto *v = reinterpret_cast<v8int32 *>(p);",
            "auto *v = static_cast<v8int32*const>(p);",
        ] {
            assert!(to_pointers(cast), "{cast}");
        }
    }

    #[test]
    fn other_stars_and_other_peoples_casts_are_not() {
        for other in [
            "void f(int32 *in, int32 * out); int y = a * (b + c) * d;",
            "int32 *sum = static_cast<int32 *>(adf::GMIO::malloc(64)), *t = (int32 *)GMIO::malloc(4);",
            "# 1 \"/usr/include/x.h\" 1 3 4\nint *p = (int *)q;\n# 2 \"a.cc\" 2\nint x;\n",
        ] {
            assert!(!to_pointers(other), "{other}");
        }
    }
}
