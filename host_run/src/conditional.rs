//! Lines of a source that only a host compiles. Takes the text of a source, and finds the lines in
//! an `#if` that asks for a macro which the vendor's compiler for the array does not define: that
//! of its other simulator, or of a processor or system. A condition of another form counts as one
//! that may hold for the array.

use std::collections::BTreeSet;

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
    for (number, line) in (1..).zip(text.lines()) {
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            found.extend(open.iter().any(|branch| branch.here).then_some(number));
            continue;
        };
        let directive = directive.split("//").next().unwrap_or(directive).trim();
        let end = directive.find([' ', '\t', '(', '!']).unwrap_or(directive.len());
        let (word, condition) = (&directive[..end], directive[end..].trim());
        match word {
            "ifdef" => open.push(Branch { here: is_of_hosts(condition), otherwise: false }),
            "ifndef" => open.push(Branch { here: false, otherwise: is_of_hosts(condition) }),
            "if" => open.push(Branch {
                here: asks_for_hosts(condition),
                otherwise: condition.strip_prefix('!').is_some_and(names_macro),
            }),
            "elif" => {
                open.pop();
                open.push(Branch { here: asks_for_hosts(condition), otherwise: false });
            }
            "else" => {
                let branch = open.pop();
                open.push(Branch { here: branch.is_some_and(|branch| branch.otherwise), otherwise: false });
            }
            "endif" => drop(open.pop()),
            _ => {}
        }
    }
    found
}

fn is_of_hosts(name: &str) -> bool {
    OF_HOSTS.contains(&name)
}

/// True if each alternative of a condition asks for a macro of hosts.
fn asks_for_hosts(condition: &str) -> bool {
    condition.split("||").all(|all| all.split("&&").any(names_macro))
}

/// True for `NAME`, `defined NAME` and `defined(NAME)` of a macro of hosts.
fn names_macro(part: &str) -> bool {
    let name = part.trim().trim_start_matches("defined").trim();
    is_of_hosts(name.trim_start_matches('(').trim_end_matches(')').trim())
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
    fn what_the_array_may_compile_is_not() {
        for condition in
            ["defined(__X86SIM__) || TRACE", "TRACE", "__AIE_ARCH__ == 10", "!defined(__X86SIM__)"]
        {
            assert_eq!(lines(&format!("#if {condition}\nx\n#endif\n")), [0; 0], "{condition}");
        }
    }
}
