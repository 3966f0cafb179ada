//! What an expression knows at a place besides constants and loop variables.
//!
//! Works on tokens, since the item around the place is half-typed and has no tree.

/// The variables of a place, and what has more of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// The variables that the language gives, such as `rank`.
    pub given: &'static [&'static str],
    /// The named indices of the kernel or instance itself.
    pub indices: Vec<String>,
    /// The families of a collective, each by its names, which dots join. The indices that all of
    /// them name hold.
    pub families: Vec<Vec<String>>,
}

/// Properties of collectives that an expression follows, with its variables. Others have none.
const PROPERTIES: [(&str, Option<&[&str]>); 14] = [
    ("reference", Some(&["rank", "i", "call"])),
    ("to", Some(&["rank"])),
    ("shift", Some(&["rank"])),
    ("counts", Some(&["rank"])),
    ("base", Some(&["rank"])),
    ("calls", None),
    ("packet", None),
    ("max", None),
    ("depth", None),
    ("size", None),
    ("num", None),
    ("stride", None),
    ("hub", None),
    ("arity", None),
];

/// Properties of collectives without an expression right behind their word.
const OTHERS: [&str; 11] =
    ["op", "data", "window", "root", "shape", "style", "exclusive", "peers", "headed", "buffer", "cycles"];

/// The variables behind the last token of an item. `tokens` are those of the item, its word first.
pub fn variables(tokens: &[&str]) -> Variables {
    let Some(open) = tokens.iter().position(|token| *token == "{") else {
        // The settings of instances stand in no braces.
        let of = tokens.iter().position(|token| *token == "of").filter(|_| tokens[0] == "instance");
        let indices = of.filter(|of| tokens[*of..].contains(&"(")).map(|of| indices(&tokens[..of]));
        return Variables { indices: indices.unwrap_or_default(), ..Variables::default() };
    };
    let (head, body) = (&tokens[..open], &tokens[open + 1..]);
    if tokens[0] == "kernel" {
        return Variables { indices: indices(head), ..Variables::default() };
    }
    let over = head.iter().position(|token| *token == "over");
    let Some((over, given)) = over.zip(given(body)) else { return Variables::default() };
    let families = head[over + 1..].split(|token| *token == ",").map(names).collect();
    Variables { given, indices: Vec::new(), families }
}

/// The variables of the property that the tokens of a collective's body end in.
fn given(body: &[&str]) -> Option<&'static [&'static str]> {
    let mut of_last = None;
    let mut has_expression = false;
    for (at, token) in body.iter().enumerate() {
        let before = if at == 0 { "" } else { body[at - 1] };
        let ends_operand =
            |text: &str| text.ends_with(|c: char| c.is_ascii_alphanumeric() || "_])".contains(c));
        // A word where an operand stands is a name, such as a constant `size` or an `op max`.
        let is_operand = at > 0 && (has_expression || before == "op" || !ends_operand(before));
        has_expression = false;
        if is_operand {
            continue;
        }
        if let Some((_, variables)) = PROPERTIES.iter().find(|(word, _)| word == token) {
            (of_last, has_expression) = (*variables, true);
        } else if OTHERS.contains(token) {
            of_last = None;
        }
    }
    of_last
}

/// The names of the indices in the extents of a declaration.
fn indices(head: &[&str]) -> Vec<String> {
    let named = head.windows(3).take_while(|tokens| tokens[0] != "(");
    named.filter(|tokens| tokens[0] == "[" && tokens[2] == ":").map(|tokens| tokens[1].to_owned()).collect()
}

/// The names of a reference, without its indices.
fn names(reference: &[&str]) -> Vec<String> {
    let mut open = 0_u32;
    let mut names = Vec::new();
    for token in reference {
        match *token {
            "[" => open += 1,
            "]" => open = open.saturating_sub(1),
            "." => {}
            name if open == 0 => names.push(name.to_owned()),
            _ => {}
        }
    }
    names
}
