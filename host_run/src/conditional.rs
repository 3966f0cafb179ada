//! Lines of a source that only a host compiles. Takes the text of a source, and finds the lines in
//! an `#if` that asks for a macro which the vendor's compiler for the array does not define: that
//! of its other simulator, or of a processor or system. A condition of another form counts as one
//! that may hold for the array.

use std::collections::BTreeSet;
use std::ops::Range;

use aiec_cpp_text::directives;

/// Macros of the host.
const OF_HOSTS: [&str; 6] =
    ["__X86SIM__", "__x86_64__", "__amd64__", "__linux__", "__gnu_linux__", "__unix__"];

/// What a branch of an `#if` and its `#else` are compiled for.
#[derive(Clone, Copy)]
struct Branch {
    /// Hosts alone compile the lines here.
    here: bool,
    /// Hosts alone compile what follows `#else`.
    otherwise: bool,
}

/// The lines of `text` (from 1) that hosts alone compile.
pub(crate) fn host_lines(text: &str) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    if !OF_HOSTS.iter().any(|name| text.contains(name)) {
        return found;
    }
    let mut open: Vec<Branch> = Vec::new();
    let (mut line, mut done) = (1, 0);
    for directive in directives(text) {
        let before = lines_in(text, done..directive.whole.start);
        if open.iter().any(|branch| branch.here) {
            found.extend(line + 1..line + before);
        }
        line += before + lines_in(text, directive.whole.range());
        done = directive.whole.end();
        follow(&mut open, directive.name, &directive.words());
    }
    found
}

/// The ends of lines in these bytes of a text.
fn lines_in(text: &str, range: Range<usize>) -> u64 {
    let part = text.as_bytes().get(range).unwrap_or_default();
    part.iter().map(|byte| u64::from(*byte == b'\n')).sum()
}

/// The open branches behind a directive.
fn follow(open: &mut Vec<Branch>, name: &str, condition: &[&str]) {
    match (name, condition) {
        ("ifdef", _) => open.push(Branch { here: asks_for_hosts(condition), otherwise: false }),
        ("ifndef", _) => open.push(Branch { here: false, otherwise: asks_for_hosts(condition) }),
        ("if", ["!", macro_name @ ..]) => {
            open.push(Branch { here: false, otherwise: names_macro(without_brackets(macro_name)) });
        }
        ("if", _) => open.push(Branch { here: asks_for_hosts(condition), otherwise: false }),
        ("elif" | "elifdef", _) => {
            open.pop();
            open.push(Branch { here: asks_for_hosts(condition), otherwise: false });
        }
        ("elifndef", _) => {
            open.pop();
            open.push(Branch { here: false, otherwise: false });
        }
        ("else", _) => {
            let branch = open.pop();
            open.push(Branch { here: branch.is_some_and(|branch| branch.otherwise), otherwise: false });
        }
        ("endif", _) => drop(open.pop()),
        _ => {}
    }
}

/// True if each alternative of a condition asks for a macro of hosts.
fn asks_for_hosts(condition: &[&str]) -> bool {
    let condition = without_brackets(condition);
    let (alternatives, all) = (parts(condition, "|"), parts(condition, "&"));
    match (alternatives.len(), all.len()) {
        (1, 1) => names_macro(condition),
        (1, _) => all.into_iter().any(asks_for_hosts),
        _ => alternatives.into_iter().all(asks_for_hosts),
    }
}

/// True for `NAME`, `defined NAME` and `defined(NAME)` of a macro of hosts.
fn names_macro(part: &[&str]) -> bool {
    matches!(part, [name] | ["defined", name] | ["defined", "(", name, ")"] if OF_HOSTS.contains(name))
}

/// The tokens between the brackets around all of these, if there are some.
fn without_brackets<'t, 'a>(tokens: &'t [&'a str]) -> &'t [&'a str] {
    match tokens {
        ["(", inside @ .., ")"] if depths(inside).all(|depth| depth >= 0) => without_brackets(inside),
        _ => tokens,
    }
}

/// The brackets that are open behind each token.
fn depths(tokens: &[&str]) -> impl Iterator<Item = i64> {
    tokens.iter().scan(0, |depth, token| {
        *depth += i64::from(*token == "(") - i64::from(*token == ")");
        Some(*depth)
    })
}

/// The parts of a condition between the doubled `mark`s outside of brackets.
fn parts<'t, 'a>(condition: &'t [&'a str], mark: &str) -> Vec<&'t [&'a str]> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, depth) in depths(condition).enumerate() {
        let is_mark = |at: usize| condition.get(at) == Some(&mark);
        if depth == 0 && at >= start && is_mark(at) && is_mark(at + 1) {
            parts.push(&condition[start..at]);
            start = at + 2;
        }
    }
    parts.push(condition.get(start..).unwrap_or_default());
    parts
}

#[cfg(test)]
mod tests {
    use super::host_lines;

    fn lines(text: &str) -> Vec<u64> {
        host_lines(text).into_iter().collect()
    }

    #[test]
    fn a_branch_for_the_other_simulator_is_for_hosts() {
        assert_eq!(lines("x\n#ifdef __X86SIM__\nx\n#else\nx\n#endif\nx\n"), [3]);
        assert_eq!(lines("#ifndef __X86SIM__ // the array\nx\n#else\nx\n#endif\n"), [4]);
        assert_eq!(lines("#if !defined(__X86SIM__)\nx\n#else\nx\n#endif\n"), [4]);
        assert_eq!(lines("# if defined(__X86SIM__) && TRACE\n#if A\nx\n#endif\n#endif\n"), [3]);
        assert_eq!(lines("#if A\nx\n#elif defined __x86_64__\nx\n#else\nx\n#endif\n"), [4]);
    }

    #[test]
    fn comments_and_the_ends_of_lines_change_no_condition() {
        assert_eq!(lines("#ifdef __X86SIM__ /* debugging */\nx\n#endif\n"), [2]);
        assert_eq!(lines("#if defined(__X86SIM__) /* of\n*/ && \\\n TRACE\nx\nx\n#endif\nx\n"), [4, 5]);
        assert_eq!(lines("/*\n#ifdef __X86SIM__\n*/\nx\n"), [0; 0]);
        assert_eq!(lines("#if ((defined(__X86SIM__)) && (A || B))\nx\n#elifdef A\nx\n#endif\n"), [2]);
    }

    #[test]
    fn what_the_array_may_compile_is_not() {
        for condition in [
            "defined(__X86SIM__) || TRACE",
            "TRACE",
            "__AIE_ARCH__ == 10",
            "!defined(__X86SIM__)",
            "!(TRACE && defined(__X86SIM__))",
            "(TRACE || defined(__X86SIM__)) && TRACE",
        ] {
            assert_eq!(lines(&format!("#if {condition}\nx\n#endif\n")), [0; 0], "{condition}");
        }
    }
}
