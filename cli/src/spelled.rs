//! The remedies of messages in the words of an ADF graph. Takes the help of a diagnostic, which
//! spells statements as a design does, and returns it with the vendor's (UG1079).

/// `help` with each statement of the language as C++ for a `graph.h`.
pub(crate) fn in_adf(help: &str) -> String {
    let parts = help.split('`').enumerate();
    let spelled = parts.map(|(at, part)| match at % 2 {
        1 => statement(part).unwrap_or_else(|| part.to_owned()),
        _ => part.to_owned(),
    });
    spelled.collect::<Vec<_>>().join("`")
}

/// The C++ statement. Returns None for words that are no statement of the language.
fn statement(code: &str) -> Option<String> {
    let words: Vec<&str> = code.split(' ').collect();
    Some(match words.as_slice() {
        [property @ ("stack" | "heap"), size, unit] => {
            format!("{property}_size(k) = {}", bytes(size, unit)?)
        }
        ["repetitions", runs] => format!("repetition_count(k) = {runs}"),
        ["runtime", ratio] => format!("runtime<ratio>(k) = {ratio}"),
        ["fifo", words] => format!("fifo_depth(net) = {words}"),
        ["buffer", "single"] => "single_buffer(k.in[0])".to_owned(),
        ["place", name, "at", column, row] => {
            let (column, row) = (column.strip_prefix('(')?.strip_suffix(',')?, row.strip_suffix(')')?);
            format!("location<kernel>({name}) = tile({column}, {row})")
        }
        _ => return None,
    })
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
mod tests {
    use super::*;

    #[test]
    fn statements_of_the_language_become_those_of_a_graph() {
        for (design, graph) in [
            ("write `stack 31712 B` or less", "write `stack_size(k) = 31712` or less"),
            ("write `stack 6 KiB` in `leaf[0]`", "write `stack_size(k) = 6144` in `leaf[0]`"),
            ("write `place a[1] at (3, 2)`", "write `location<kernel>(a[1]) = tile(3, 2)`"),
            ("`buffer single` or `fifo 64`", "`single_buffer(k.in[0])` or `fifo_depth(net) = 64`"),
            ("`repetitions 2`, `runtime 0.5`", "`repetition_count(k) = 2`, `runtime<ratio>(k) = 0.5`"),
        ] {
            assert_eq!(in_adf(design), graph);
        }
    }

    #[test]
    fn other_words_stay() {
        for help in ["move `stack.k` away", "an odd ` mark", "`stack x B`", "`place a at here`", ""] {
            assert_eq!(in_adf(help), help);
        }
    }
}
