//! Declarations in blocks that do not hold them, with what aiec says instead.

use crate::ITEM_WORDS;
use crate::grammar::Rule;

/// What to write instead of a declaration that begins with `found`, in a block that `rules`
/// continue. Returns None when nothing but its spelling is wrong.
pub(super) fn advice(found: &str, rules: &[Rule]) -> Option<&'static str> {
    let in_loop = rules.contains(&Rule::loop_item);
    let in_block =
        in_loop || rules.iter().any(|rule| matches!(rule, Rule::choice_item | Rule::component_item));
    Some(match found {
        _ if !in_block => return None,
        "const" => {
            "a constant stands outside of `if` and `for`, and its expression may choose: `const N = 8 + 8 * (WIDE > 0)`"
        }
        "design" | "device" | "vitis" | "board" | "iterations" | "ports" | "import" | "component"
        | "allow" => "write it outside of all braces: it holds for the whole file",
        "kernel" | "instance" | "input" | "output" if in_loop => {
            "a loop repeats connections and constraints alone: an extent makes a family, as in `kernel stage[4](...) { ... }`, \
             whose index may have a name, `stage[i: 4]`"
        }
        word if in_loop && ITEM_WORDS.contains(&word) => {
            "a loop repeats connections and constraints alone: declare each collective by itself, with a name of its own"
        }
        _ => return None,
    })
}
