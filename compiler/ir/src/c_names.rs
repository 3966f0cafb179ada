//! Names that C++ code cannot give to something of its own: words of the language, and names that
//! the headers of the C library declare at file scope in every program.
//!
//! The lists hold the declarations of `<cstdlib>`, `<cstdio>`, `<cmath>`, `<csignal>`,
//! `<unistd.h>`, `<sys/mman.h>` and the headers that these include, by the C standard, POSIX and
//! the GNU C library. The C++ headers declare them outside `std` too. The functions of kernels and
//! the class of the graph share that scope: a name such as `link` would be a function in one place
//! and a class in another.

/// The graph object of an emitted project. It stands at file scope, behind the classes of the
/// graph; host programs and constraint files name it.
pub const INSTANCE: &str = "g";

/// True if `name` is a keyword of C++20 or has a special meaning there.
pub fn is_word(name: &str) -> bool {
    contains(WORDS, name)
}

/// True if the C library declares a function, type or variable `name` at file scope.
pub fn is_declared(name: &str) -> bool {
    let listed = |name: &str| contains(DECLARED, name);
    let variants = ["_r", "_l", "_unlocked", "_np", "64", "f128", "f64x", "f64", "f32x", "f32", "f16"];
    listed(name)
        || name.ends_with("_t") // POSIX keeps all of these for types
        || name.starts_with("pthread_")
        || name.starts_with("sched_")
        || name == "FILE"
        || variants.iter().any(|ending| name.strip_suffix(ending).is_some_and(listed))
}

/// True if the C library has a macro `name`, which replaces the name everywhere.
pub fn is_macro(name: &str) -> bool {
    contains(MACROS, name)
}

/// True if the compiler of the AI Engine gives `name` a meaning everywhere: `restrict` and the
/// directives of chess (UG1079, "Kernel Coding Best Practices"; UG1076, "Compiler Directives").
pub fn is_of_chess(name: &str) -> bool {
    name == "restrict" || name.starts_with("chess_")
}

/// True if `<adf.h>` declares `name` at file scope: types of elements, vectors and accumulators,
/// accesses to windows, streams and registers, intrinsics (UG1078, UG1079). `adf_names.txt` lists
/// the names that follow no rule. A test reads them from the headers of the host runtime.
pub fn is_of_adf(name: &str) -> bool {
    is_of_adf_by_rule(name) || contains(include_str!("adf_names.txt"), name)
}

/// True if `<adf.h>` declares `name` and the name follows a rule: types such as `v8int32` and
/// `v4cacc48` (UG1078, "Vector Data Types"), and accesses to windows.
pub fn is_of_adf_by_rule(name: &str) -> bool {
    let lanes = name.strip_prefix('v').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let lanes = lanes.filter(|rest| rest.len() + 1 < name.len());
    let element = lanes.unwrap_or(name);
    let bits = |kind: &str| {
        element
            .strip_prefix(kind)
            .is_some_and(|bits| ["", "4", "8", "16", "32", "48", "64", "80"].contains(&bits))
    };
    let is_vector =
        lanes.is_some() && (["int", "uint", "cint"].iter().any(|kind| bits(kind)) || element == "float");
    let is_number = ["acc", "cacc"].iter().any(|kind| element != *kind && bits(kind))
        || ["cfloat", "bfloat16", "accfloat", "caccfloat", "accauto"].contains(&element);
    is_vector || is_number || name.starts_with("window_")
}

fn contains(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
}

/// Keywords of C++20 and words with a meaning there.
const WORDS: &str = "alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char char8_t char16_t \
    char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
    decltype default delete do double dynamic_cast else enum errno explicit export extern false final float for friend \
    goto if import inline int linux long main module mutable namespace new noexcept not not_eq nullptr operator or or_eq \
    override private protected public register reinterpret_cast requires return short signed sizeof static \
    static_assert static_cast std stderr stdin stdout struct switch template this thread_local throw true try typedef \
    typeid typename union unix unsigned using virtual void volatile wchar_t while xor xor_eq EOF NULL";

/// Functions, types and variables, without variants for other types or threads.
const DECLARED: &str = include_str!("libc_names.txt");

/// Macros that a design might use as names.
const MACROS: &str = include_str!("libc_macros.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_types_and_macros_of_the_library_are_known() {
        for name in ["link", "pipe", "size_t", "stat", "sinf32", "strtok_r", "pthread_create", "FILE"] {
            assert!(is_declared(name), "{name}");
        }
        for name in ["SIGINT", "INT_MAX", "M_PI", "st_atime"] {
            assert!(is_macro(name), "{name}");
        }
    }

    #[test]
    fn types_of_vectors_and_directives_are_known() {
        for name in [
            "v8int32",
            "v4cint16",
            "v16float",
            "v8acc48",
            "v4cacc80",
            "acc48",
            "cfloat",
            "v16bfloat16",
            "window_incr",
        ] {
            assert!(is_of_adf(name), "{name}");
        }
        assert!(is_of_chess("restrict") && is_of_chess("chess_prepare_for_pipelining"));
    }

    #[test]
    fn other_names_are_free() {
        for name in [
            "worker", "sink", "scale", "x64", "f32", "point", "SIG", "N", "v8", "v", "v8x", "vint", "acc",
            "windows", "v2", "chess", "int_sum",
        ] {
            assert!(
                !is_declared(name) && !is_macro(name) && !is_of_adf(name) && !is_of_chess(name),
                "{name}"
            );
        }
    }
}
