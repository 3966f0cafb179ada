//! Scalar operations of a kernel's own code, which no header sees. Takes the compiler's assembly
//! text, in which each basic block calls one function (`-fsanitize-coverage=trace-pc`). Returns the
//! text with calls of the runtime instead, which pass the operations of the block
//! (`adf/sim/counts.inl`). Blocks without any call nothing.
//!
//! The instructions are those of x86-64. Each operation on numbers of up to 32 bits counts as one
//! of the core's scalar unit. These do not count:
//!
//! - operations on 64 bits, which are mostly addresses: the core computes those in its load and
//!   store units,
//! - moves, and jumps, whose cost the model has for each iteration,
//! - the step and the test of a loop's counter, since the core counts loops in hardware,
//! - instructions of our headers. Those of the system's headers count with the code around them.
//!
//! Calls that copy or fill memory go through the runtime, which counts the vectors that they need
//! at least.
//!
//! What a core computes in software, and no figure says in how many cycles, is named instead: calls
//! of the mathematical functions of C, divisions, and arithmetic on `double` (UG1079, which has
//! `double` emulated). The runtime counts how often each runs.

use std::collections::{BTreeMap, BTreeSet};

/// The flag that makes the compiler call [`TRACE`] in each basic block.
pub(crate) const BLOCKS: &str = "-fsanitize-coverage=trace-pc";

/// Flags that keep calls of copies of any size, but of the smallest, instead of instructions.
pub(crate) const CALLS: [&str; 2] =
    ["-mmemcpy-strategy=libcall:-1:noalign", "-mmemset-strategy=libcall:-1:noalign"];

/// The function that the compiler calls.
const TRACE: &str = "__sanitizer_cov_trace_pc";

/// The function of the runtime: it takes operations on integers and on floats.
const COUNT: &str = "aiec_block";

/// The function of the runtime that takes a name and a number of calls.
const NAME: &str = "aiec_uncounted";

/// Functions that copy or fill memory. The runtime has them with this prefix.
const COPIES: [&str; 3] = ["memcpy", "memmove", "memset"];
const COUNTED: &str = "aiec_";

/// Folders of the system's headers.
const SYSTEM: [&str; 2] = ["/usr/include/", "/usr/lib/"];

/// This module, for the keys of objects: another choice of instructions gives other objects.
pub(crate) const VERSION: &str = include_str!("operations.rs");

/// Operations on integers, without the letter for the size of their operands.
const INTEGERS: [&str; 23] = [
    "adc", "add", "and", "cmp", "dec", "div", "idiv", "imul", "inc", "lea", "mul", "neg", "not", "or", "rol",
    "ror", "sal", "sar", "sbb", "shl", "shr", "sub", "xor",
];

/// Operations on floats, without the letters for one value and its size.
const FLOATS: [&str; 9] = ["add", "comi", "div", "max", "min", "mul", "sqrt", "sub", "ucomi"];

/// The letters for operands of up to 32 bits, and for one float or double.
const SHORT: [char; 3] = ['l', 'w', 'b'];
const ONE: [&str; 2] = ["ss", "sd"];

/// Functions of C's library that no header of ours has, without the letter of `float` or `long
/// double`. Square roots are an instruction, which counts.
const MATHEMATICS: [&str; 42] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fdim",
    "floor",
    "fma",
    "fmod",
    "frexp",
    "hypot",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "modf",
    "nearbyint",
    "pow",
    "remainder",
    "rint",
    "round",
    "sin",
    "sincos",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Functions on memory and on whole numbers.
const FUNCTIONS: [&str; 13] = [
    "bsearch", "calloc", "free", "malloc", "memchr", "memcmp", "qsort", "rand", "realloc", "srand", "strcmp",
    "strcpy", "strlen",
];

/// An instruction on numbers.
struct Operation<'a> {
    name: &'a str,
    /// The operands, the result last.
    operands: Vec<&'a str>,
    is_float: bool,
}

/// The operations of a basic block, and the line of its call.
struct Block<'a> {
    call: usize,
    operations: Vec<Operation<'a>>,
    /// What the block does that no figure has cycles for.
    uncounted: Vec<&'a str>,
}

/// The assembly text with calls of the runtime in the blocks that have operations. `ours` is the
/// folder of our headers.
pub(crate) fn counted(assembly: &str, ours: &str) -> String {
    // The lines that change, or go.
    let mut calls: BTreeMap<usize, Option<String>> = BTreeMap::new();
    let mut files: BTreeMap<&str, bool> = BTreeMap::new();
    let mut is_own = false;
    let mut block: Option<Block<'_>> = None;
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for (at, line) in assembly.lines().enumerate() {
        let (word, rest) = split_word(line);
        match word {
            ".file" => {
                let named = numbered_file(rest);
                if let Some((number, path)) =
                    named.filter(|(_, path)| !SYSTEM.iter().any(|folder| path.starts_with(folder)))
                {
                    files.insert(number, !path.starts_with(ours));
                }
            }
            ".loc" => {
                let of = rest.split_whitespace().next().and_then(|number| files.get(number));
                is_own = of.copied().unwrap_or(is_own);
            }
            // A function of the system's templates, such as std::sort, has no line of others.
            ".type" => is_own = true,
            ".cfi_endproc" => calls.extend(block.take().map(|block| closed(block, &mut names))),
            "call" if rest.starts_with(TRACE) => {
                calls.extend(block.take().map(|block| closed(block, &mut names)));
                block = Some(Block { call: at, operations: Vec::new(), uncounted: Vec::new() });
            }
            "call" | "jmp" if is_own && COPIES.contains(&function(rest)) => {
                calls.insert(at, Some(format!("\t{word}\t{COUNTED}{}", function(rest))));
            }
            "call" | "jmp" if is_own && is_of_the_library(function(rest)) => {
                block.iter_mut().for_each(|block| block.uncounted.push(function(rest)));
            }
            jump if is_conditional(jump) => {
                if let Some(block) = &mut block {
                    drop_counter(&mut block.operations);
                }
            }
            name if is_own => {
                if let (Some(block), Some(operation)) = (&mut block, operation(name, rest)) {
                    block.uncounted.extend(in_software(name, &operation));
                    block.operations.push(operation);
                }
            }
            _ => {}
        }
    }
    calls.extend(block.take().map(|block| closed(block, &mut names)));
    let mut text = String::with_capacity(assembly.len());
    for (at, line) in assembly.lines().enumerate() {
        match calls.get(&at) {
            Some(None) => continue,
            Some(Some(call)) => text.push_str(call),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text += &names.iter().map(|name| labelled(name)).collect::<String>();
    text
}

/// The line of a block's call, and the calls in place of it. Adds to the names that they pass.
fn closed<'a>(block: Block<'a>, names: &mut BTreeSet<&'a str>) -> (usize, Option<String>) {
    let mut uncounted: BTreeMap<&str, u32> = BTreeMap::new();
    block.uncounted.iter().for_each(|name| *uncounted.entry(name).or_default() += 1);
    names.extend(uncounted.keys());
    let named = uncounted.iter().map(|(name, times)| {
        format!("\tleaq\t{}(%rip), %rdi\n\tmovl\t${times}, %esi\n\tcall\t{NAME}", label(name))
    });
    let lines: Vec<String> = call_for(&block.operations).into_iter().chain(named).collect();
    (block.call, (!lines.is_empty()).then(|| lines.join("\n")))
}

/// The label of a name.
fn label(name: &str) -> String {
    format!(".Laiec_{}", name.replace(' ', "_"))
}

/// The name as constant data.
fn labelled(name: &str) -> String {
    format!("\t.section\t.rodata\n{}:\n\t.string\t\"{name}\"\n", label(name))
}

/// True for a function of the system's libraries that a core runs in software.
fn is_of_the_library(function: &str) -> bool {
    let plain = function.strip_suffix(['f', 'l']).unwrap_or(function);
    [function, plain].iter().any(|name| MATHEMATICS.contains(name)) || FUNCTIONS.contains(&function)
}

/// The name of an operation that a core does in software.
fn in_software(instruction: &str, operation: &Operation<'_>) -> Option<&'static str> {
    match operation.name {
        "div" if operation.is_float && instruction.ends_with("ss") => Some("division of floats"),
        "div" | "idiv" if !operation.is_float => Some("division of integers"),
        // Also the conversions from and to double.
        _ if operation.is_float && instruction.contains("sd") => Some("arithmetic on double"),
        _ => None,
    }
}

/// The first word of a line and what follows it.
fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// The function of a call, without the way to it (`@PLT`).
fn function(operand: &str) -> &str {
    operand.split('@').next().unwrap_or(operand)
}

/// Number and path of a `.file 3 "/folder/name"`.
fn numbered_file(rest: &str) -> Option<(&str, &str)> {
    let (number, path) = rest.split_once(char::is_whitespace)?;
    Some((number, path.trim().strip_prefix('"')?.split('"').next()?))
}

fn is_conditional(name: &str) -> bool {
    name.starts_with('j') && name != "jmp"
}

/// An instruction that counts.
fn operation<'a>(name: &'a str, operands: &'a str) -> Option<Operation<'a>> {
    let float = ONE.iter().find_map(|one| name.strip_suffix(one)).filter(|name| FLOATS.contains(name));
    let is_float = float.is_some() || name.starts_with("cvt");
    let integer = name.strip_suffix(SHORT).filter(|name| INTEGERS.contains(name));
    let select = name.starts_with("cmov").then_some("cmov");
    let name = float.or(integer).or(select).or(is_float.then_some("cvt"))?;
    let operands = split_operands(operands);
    // A register minus itself is the number 0.
    let is_zero = ["xor", "sub"].contains(&name) && operands.len() == 2 && operands[0] == operands[1];
    (!is_zero).then_some(Operation { name, operands, is_float })
}

/// The operands between the commas outside of brackets.
fn split_operands(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let between = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    text.split(between).map(str::trim).collect()
}

/// Removes the step and the test of a counter, if the jump behind them depends on it.
fn drop_counter(operations: &mut Vec<Operation<'_>>) {
    let Some(test) = operations.iter().rposition(|operation| !["lea", "cmov"].contains(&operation.name))
    else {
        return;
    };
    if is_step(&operations[test]) {
        operations.remove(test);
        return;
    }
    if operations[test].name != "cmp" {
        return;
    }
    let compared = &operations[test].operands;
    let steps = |operation: &Operation<'_>| {
        is_step(operation) && operation.operands.last().is_some_and(|register| compared.contains(register))
    };
    if let Some(step) = operations[..test].iter().rposition(steps) {
        operations.remove(test);
        operations.remove(step);
    }
}

/// True for the sum of a register and a constant.
fn is_step(operation: &Operation<'_>) -> bool {
    match (operation.name, operation.operands.as_slice()) {
        ("inc" | "dec", [_]) => true,
        ("add" | "sub", [constant, _]) => constant.starts_with('$'),
        ("lea", [sum, _]) => sum.ends_with(')') && !sum.contains(','),
        _ => false,
    }
}

/// The call that tells the runtime of the operations of a block. The registers of arguments are
/// free there, since the compiler called a function. Returns None when there are no operations.
fn call_for(operations: &[Operation<'_>]) -> Option<String> {
    let floats = operations.iter().filter(|operation| operation.is_float).count();
    let integers = operations.len() - floats;
    (integers + floats > 0)
        .then(|| format!("\tmovl\t${integers}, %edi\n\tmovl\t${floats}, %esi\n\tcall\t{COUNT}"))
}

#[cfg(test)]
mod tests {
    use super::counted;

    /// The operations of each block: on integers and on floats.
    fn blocks(body: &str) -> Vec<(u32, u32)> {
        let text = format!(
            "\t.file 1 \"/home/k.cc\"\n\t.file 2 \"/ours/adf.h\"\n\t.loc 1 2 3\n{body}\t.cfi_endproc\n"
        );
        let number = |line: &str| line.split('$').nth(1)?.split(',').next()?.parse().ok();
        let numbers: Vec<u32> = counted(&text, "/ours")
            .lines()
            .filter(|line| line.contains("movl\t$"))
            .filter_map(number)
            .collect();
        numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
    }

    const TRACE: &str = "\tcall\t__sanitizer_cov_trace_pc\n";

    #[test]
    fn numbers_count_and_addresses_do_not() {
        let body = format!(
            "{TRACE}\tmovslq\t%eax, %rax\n\tleaq\t(%rdi,%rax,4), %rbx\n\timull\t%ecx, %edx\n\taddl\t(%rbx), %edx\n"
        );
        assert_eq!(blocks(&body), [(2, 0)]);
    }

    #[test]
    fn floats_count_by_themselves() {
        let body = format!(
            "{TRACE}\tmulss\t%xmm1, %xmm0\n\taddss\t%xmm2, %xmm0\n\tcvtsi2ssl\t%eax, %xmm0\n\tsarl\t%eax\n"
        );
        assert_eq!(blocks(&body), [(1, 3)]);
    }

    #[test]
    fn a_counter_is_free_and_a_comparison_of_data_is_not() {
        let counter = format!("{TRACE}\taddl\t$1, %ebx\n\tcmpl\t$512, %ebx\n\tjne\t.L3\n");
        let down = format!("{TRACE}\tsubl\t$1, %ebx\n\tjne\t.L3\n");
        let data = format!("{TRACE}\tcmpl\t%eax, %ebx\n\tjle\t.L3\n");
        assert_eq!(blocks(&format!("{counter}{down}{data}")), [(1, 0)]);
    }

    #[test]
    fn code_of_headers_does_not_count_and_blocks_without_operations_call_nothing() {
        let body =
            format!("{TRACE}\t.loc 2 7 1\n\taddl\t%eax, %ebx\n{TRACE}\t.loc 1 8 1\n\tmovl\t%eax, %ebx\n");
        assert_eq!(blocks(&body), []);
        let files = "\t.file 1 \"/home/k.cc\"\n\t.file 2 \"/ours/adf.h\"\n";
        let text = format!("{files}\t.loc 1 2 3\n{body}");
        assert!(!counted(&text, "/ours").contains("call"));
    }

    #[test]
    fn code_of_the_system_belongs_to_the_code_around_it() {
        let header = "\t.file 3 \"/usr/include/c++/12/bits/stl_algobase.h\"\n\t.loc 3 9 1\n";
        let own = format!("{TRACE}\taddl\t%eax, %ebx\n{header}\tcmovl\t%ecx, %eax\n");
        assert_eq!(blocks(&own), [(2, 0)]);
        assert_eq!(blocks(&format!("{TRACE}\t.loc 2 7 1\n{header}\tcmovl\t%ecx, %eax\n")), []);
        let sort = format!("\t.loc 2 7 1\n\t.type\tsort, @function\n{header}{TRACE}\tcmpl\t%ecx, %eax\n");
        assert_eq!(blocks(&sort), [(1, 0)], "a function of its own");
    }

    #[test]
    fn copies_go_through_the_runtime() {
        let text = "\t.file 1 \"/home/k.cc\"\n\t.loc 1 2 3\n\tcall\tmemcpy@PLT\n\tjmp\tmemset\n";
        let counted = counted(text, "/ours");
        assert!(counted.contains("\tcall\taiec_memcpy\n\tjmp\taiec_memset\n"), "{counted}");
    }

    #[test]
    fn what_a_core_does_in_software_is_named() {
        let body = format!(
            "{TRACE}\taddl\t%eax, %ebx\n\tcall\tsinf@PLT\n\tcall\tsinf@PLT\n\tcall\ttanhf@PLT\n\tidivl\t%ecx\n\tdivss\t%xmm1, %xmm0\n\tcvtss2sd\t%xmm0, %xmm0\n\tcall\tmine\n"
        );
        let text = format!("\t.file 1 \"/home/k.cc\"\n\t.loc 1 2 3\n{body}\t.cfi_endproc\n");
        let counted = counted(&text, "/ours");
        for (name, times) in [
            ("sinf", 2),
            ("tanhf", 1),
            ("division of integers", 1),
            ("division of floats", 1),
            ("arithmetic on double", 1),
        ] {
            let label = format!(".Laiec_{}", name.replace(' ', "_"));
            let call =
                format!("\tleaq\t{label}(%rip), %rdi\n\tmovl\t${times}, %esi\n\tcall\taiec_uncounted\n");
            assert!(counted.contains(&call), "{name}: {counted}");
            assert!(counted.contains(&format!("{label}:\n\t.string\t\"{name}\"\n")), "{counted}");
        }
        assert!(!counted.contains("Laiec_mine") && counted.contains("\tcall\tmine\n"), "{counted}");
        assert!(!super::counted(&text.replace("sinf", "sqrtf"), "/ours").contains("Laiec_sqrtf"));
    }

    #[test]
    fn a_register_that_is_cleared_is_a_constant() {
        let body = format!("{TRACE}\txorl\t%eax, %eax\n\txorl\t%ebx, %eax\n");
        assert_eq!(blocks(&body), [(1, 0)]);
    }
}
