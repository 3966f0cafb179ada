//! Words of C++, OpenMP and MPI for which the language has others.
//!
//! The nearest spelling of such a word is misleading: `add` is near `and`, and means `sum`.

/// A word, the language's own word for it, and the reason.
type Other = (&'static str, &'static str, &'static str);

const WIDTH: &str = "the name of a type states its width";
const NO_DOUBLE: &str = "a core computes with 32-bit floats";
const NO_HALF: &str = "the cores of AIE have no 16-bit floats";
const NO_BOOL: &str = "the language has no `bool`; a byte holds 0 or 1";
const UNSIGNED: &str = "unsigned types begin with `uint`";

/// Element types of C++ and of other vendors.
pub(crate) const OTHER_TYPES: [Other; 20] = [
    ("int", "int32", WIDTH),
    ("long", "int64", WIDTH),
    ("short", "int16", WIDTH),
    ("char", "int8", WIDTH),
    ("signed", "int32", WIDTH),
    ("byte", "uint8", WIDTH),
    ("bool", "uint8", NO_BOOL),
    ("boolean", "uint8", NO_BOOL),
    ("unsigned", "uint32", UNSIGNED),
    ("uint", "uint32", WIDTH),
    ("uchar", "uint8", WIDTH),
    ("ushort", "uint16", WIDTH),
    ("float32", "float", "floats have 32 bits"),
    ("double", "float", NO_DOUBLE),
    ("float64", "float", NO_DOUBLE),
    ("half", "float", NO_HALF),
    ("float16", "float", NO_HALF),
    ("bfloat16", "float", NO_HALF),
    ("complex", "cint16", "complex types are `cint16`, `cint32` and `cfloat`"),
    ("cint", "cint32", WIDTH),
];

const OF_CONDITIONS: &str = "a condition holds if its number is not 0";

const OF_PLIO: &str = "the width of a PLIO is its number of bits";

/// Numbers by the names of C++ and of `graph.h`.
pub(crate) const OTHER_NUMBERS: [Other; 5] = [
    ("true", "1", OF_CONDITIONS),
    ("false", "0", OF_CONDITIONS),
    ("plio_32_bits", "32", OF_PLIO),
    ("plio_64_bits", "64", OF_PLIO),
    ("plio_128_bits", "128", OF_PLIO),
];

const OF_MPI: &str = "the operators have the names of MPI";

/// Operators by the names of C++ and of OpenMP.
pub(crate) const OTHER_OPERATORS: [Other; 13] = [
    ("add", "sum", OF_MPI),
    ("plus", "sum", OF_MPI),
    ("addition", "sum", OF_MPI),
    ("mul", "prod", OF_MPI),
    ("mult", "prod", OF_MPI),
    ("multiply", "prod", OF_MPI),
    ("times", "prod", OF_MPI),
    ("product", "prod", OF_MPI),
    ("maximum", "max", OF_MPI),
    ("minimum", "min", OF_MPI),
    ("bitand", "and", OF_MPI),
    ("bitor", "or", OF_MPI),
    ("bitxor", "xor", OF_MPI),
];

/// The language's own word for `word`, and the reason.
pub(crate) fn meant(word: &str, others: &[Other]) -> Option<(&'static str, &'static str)> {
    let lower = word.to_lowercase();
    let plain = lower.strip_suffix("_t").unwrap_or(&lower);
    others.iter().find(|(other, _, _)| *other == plain).map(|(_, right, why)| (*right, *why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_leads_to_one_of_the_language() {
        for (word, right, _) in OTHER_TYPES {
            assert!(aiec_collectives::ElementType::from_name(word).is_none(), "{word}");
            assert!(aiec_collectives::ElementType::from_name(right).is_some(), "{right}");
        }
        for (word, right, _) in OTHER_OPERATORS {
            assert!(aiec_collectives::ReduceOp::from_name(word).is_none(), "{word}");
            assert!(aiec_collectives::ReduceOp::from_name(right).is_some(), "{right}");
        }
        assert_eq!(meant("Int", &OTHER_TYPES).map(|(right, _)| right), Some("int32"));
        assert_eq!(meant("int33", &OTHER_TYPES), None);
    }
}
