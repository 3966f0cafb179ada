//! From a demangled undefined symbol of an object to a function with its types and lanes.

/// One use of a function of the API or of a port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// Qualified, such as `aie::add`; a constructor as `aie::vector::vector`.
    pub function: String,
    /// Element types and tags, separated by blanks; empty if it has none.
    pub types: String,
    /// Lanes; empty if it has none.
    pub lanes: String,
}

/// Prefixes of names that belong to the language, and not to the API.
const LANGUAGE: [&str; 6] = ["memcpy", "memset", "memmove", "__", "operator", "_GLOBAL"];

/// The compiler's names of the API's types.
const TYPES: [(&str, &str); 8] = [
    ("signed char", "int8"),
    ("unsigned char", "uint8"),
    ("short", "int16"),
    ("unsigned short", "uint16"),
    ("int", "int32"),
    ("unsigned int", "uint32"),
    ("long", "int64"),
    ("unsigned long", "uint64"),
];

impl Use {
    /// AIE's implementation if it is more than one instruction for all lanes (Xilinx/aie_api at
    /// arch 10: the files in brackets).
    pub fn on_device(&self) -> &'static str {
        let byte = self.types.ends_with("int8");
        match self.function.as_str() {
            // detail/bit.hpp: AIE has no specialisation.
            "aie::bit_and" | "aie::bit_or" | "aie::bit_xor" => "scalar, lane by lane",
            // detail/aie1/add.hpp, detail/aie1/max_min.hpp.
            "aie::add" | "aie::sub" | "aie::min" | "aie::max" if byte => "unpacked to int16, packed again",
            // detail/aie1/vector.hpp: store_unaligned, load_unaligned.
            "aie::store_unaligned_v" => "scalar, element by element",
            "aie::load_unaligned_v" if byte || self.types == "int16" => "scalar, element by element",
            "aie::load_unaligned_v" => "aligned loads and a shuffle",
            // detail/aie1/add_reduce.hpp.
            "aie::reduce_add" => "shuffles and additions, by halves",
            _ => "",
        }
    }
}

/// Parts of a text at a separator outside of angle brackets.
fn parts<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut depth, mut start, mut found) = (0_u32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 && at >= start && text[at..].starts_with(separator) => {
                found.push(&text[start..at]);
                start = at + separator.len();
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

fn type_name(name: &str) -> &str {
    TYPES.iter().find(|(compiler, _)| *compiler == name).map_or(name, |(_, ours)| ours)
}

/// The use that a demangled symbol stands for. Returns None when it belongs to the language.
pub fn parsed(symbol: &str) -> Option<Use> {
    let called = parts(symbol, "(")[0]; // without parameters
    let name = parts(called, " ").pop()?; // without the type of what comes back
    if LANGUAGE.iter().any(|prefix| name.starts_with(prefix)) {
        return None;
    }
    let (mut types, mut lanes) = (Vec::new(), Vec::new());
    let mut function = Vec::new();
    for part in parts(name, "::") {
        let (plain, arguments) = part.split_once('<').unwrap_or((part, ""));
        function.push(plain);
        for argument in parts(arguments.strip_suffix('>').unwrap_or(""), ", ") {
            match argument.strip_suffix('u') {
                Some(number) if number.parse::<u32>().is_ok() => lanes.push(number),
                _ if !argument.is_empty() => types.push(type_name(argument)),
                _ => {}
            }
        }
    }
    types.dedup();
    lanes.dedup();
    Some(Use { function: function.join("::"), types: types.join(" "), lanes: lanes.join(" ") })
}
