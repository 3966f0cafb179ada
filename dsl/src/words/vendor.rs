//! Words of `graph.h` and of other languages, with what aiec says instead.

use crate::grammar::Rule;

/// What to do about a word of the language where a name should be.
pub(super) fn reserved(word: &str) -> String {
    match word {
        "async" => "`async` stands in a connection, `connect a -> async k.x`, or behind a parameter, \
                    `in g: parameter int32 async`"
            .to_owned(),
        _ => format!("`{word}` is a word of the language; choose another name"),
    }
}

/// Words that mean one thing wherever they stand, and what to write instead.
const ANYWHERE: [(&[&str], &str); 30] = [
    (
        &["id", "ids", "packet_id", "packet_ids"],
        "the vendor's compiler chooses the ids of packets; the branches of a split count from 0 in the \
             order of the ports",
    ),
    (&["arity"], "a tree alone has an arity: `shape tree arity 2`"),
    (
        &["tlast", "TLAST"],
        "write a line `TLAST` into the data file of the input, before the last line of a packet",
    ),
    (&["single", "single_buffer"], "write `buffer single` behind the connection"),
    (&["fifo_depth", "fifodepth", "depth"], "write `fifo 64`: the depth in words of 32 bits"),
    (&["pktsplit"], "write `connect a -> split k[0..4].x`"),
    (&["pktmerge"], "write `connect k[0..4].y -> merge a`"),
    (&["pktorderedmerge"], "write `connect k[0..4].y -> merge ordered a`"),
    (
        &["shared_buffer"],
        "a `shared_buffer` lies in a memory tile, which this array lacks: connect windows of \
             kernels instead",
    ),
    (
        &["tiling", "tiling_parameters", "buffer_descriptor", "read_access", "write_access"],
        "a tiling belongs to the buffers of memory tiles, which this array lacks: a window passes as one row of \
             elements, and the kernel computes its positions",
    ),
    (
        &["num_buffers"],
        "a buffer of a memory tile alone has a number of copies, and this array has no such tile: a window has two, \
             or one with `buffer single` behind the connection",
    ),
    (
        &["dimensions"],
        "a window has one dimension: write the number of all elements, as in `in x: window int32[4 * 4]`; the kernel \
             computes its positions",
    ),
    (
        &["fabric", "pl_axi_lite", "pl_frequency"],
        "a kernel of programmable logic stands outside of the design, and a PLIO leads to it: `input x from plio(64, \
             \"data/x.txt\")`",
    ),
    (
        &["async_repetition"],
        "write the windows of a run behind the `async` end: `connect a -> async k.x windows 4`",
    ),
    (&["dma_fifo"], "write `fifo 64 at (24, 0) offset 16384` behind the connection"),
    (&["ss_fifo"], "write `fifo 16 at switch (24, 0) number 0` behind the connection"),
    (
        &["contain_routing", "exclusive_routing", "exclusive_placement"],
        "write `region k in (20, 0) to (27, 3)`, and \
             `keepout (20, 0) to (27, 3)` for tiles that stay free; both hold for kernels and buffers alone",
    ),
    (
        &["reconfig"],
        "the order of an ordered merge is that of its branches: `connect k[0..4].y -> merge ordered a`",
    ),
    (&["circular_margin"], "write `margin 32` behind the type: `window int32[256] margin 32`"),
    (&["bounding_box", "area_group"], "write `region k in (20, 0) to (27, 3)`"),
    (&["not_equal"], "write `apart k.x, k.y`"),
    (&["initialization_function", "init_function"], "write `init \"NAME\"` in the kernel"),
    (&["repetition_count", "repetition"], "write `repetitions 4` in the kernel"),
    (&["stack_size"], "write `stack 4 KiB` in the kernel"),
    (&["heap_size"], "write `heap 1 KiB` in the kernel"),
    (&["external_buffer"], "memory outside of the array is reached through a `gmio`: `input x from gmio`"),
    (
        &["pktcontrol"],
        "no construct sends control packets: the host sets values through a `parameter`, and `packets` \
             carry data",
    ),
    (&["freq", "mhz", "clock"], "write `frequency 312.5` behind `plio(...)`: MHz"),
    (
        &["execution_order"],
        "connections alone order the kernels of a core: connect the one that comes first to the other",
    ),
    (
        &["bypass", "negate"],
        "the kernel takes the switch as a `parameter`, and copies its input to its output itself",
    ),
];

/// Words that begin no declaration here, and what to write instead: constraints and properties of
/// the vendor, and collectives of MPI.
const ITEMS: [(&[&str], &str); 22] = [
    (
        &["at", "tile", "shim", "bank", "address", "coordinate", "channel"],
        "write `place k at (24, 0)`, `place x at shim 24` or `place k.x at (24, 0) bank 1`",
    ),
    (&["relative_offset", "offset"], "write `place b at a + (0, 1)`: columns and rows"),
    (&["location_constraint", "absolute", "constrain"], "write `place k at (24, 0)`"),
    (
        &["same_core", "colocate", "co_locate", "share"],
        "kernels of one core: `place b at a`; kernels with common memory: `together a, b`",
    ),
    (&["initial_value", "initial"], "an initial value stands at the host: `input gain from host initial 3`"),
    (
        &[
            "source",
            "headers",
            "header",
            "runtime",
            "stack",
            "heap",
            "init",
            "repetitions",
            "template",
            "arguments",
        ],
        "properties of a kernel stand in its braces: `kernel k(...) { source \"k.cc\"  runtime 0.5 }`",
    ),
    (
        &["PLIO", "GMIO", "input_plio", "output_plio", "input_gmio", "output_gmio"],
        "write `input x from plio(64, \"data/x.txt\")` or `output y to gmio`",
    ),
    (
        &["update", "read", "run", "resume", "init_graph"],
        "aiec writes the host program: `iterations 4` is the number of runs, and the file of a `host` has a value for \
             each of them",
    ),
    (
        &["gm2aie", "gm2aie_nb", "aie2gm", "aie2gm_nb", "malloc"],
        "aiec writes the host program, which moves the data of all runs: write `input x from gmio`",
    ),
    (
        &["start_profiling", "stop_profiling", "read_profiling", "event"],
        "a collective counts its cycles in a window: `cycles int64[4]`; `aiec sim --timing` estimates those of all \
             kernels",
    ),
    (
        &["xlopt", "Xmapper", "Xrouter", "Xchess"],
        "the project calls aiecompiler with its defaults: leave it out",
    ),
    (
        &["dma", "interconnect"],
        "the tools choose DMA channels and wires: `place` is for kernels, buffers and ports",
    ),
    (
        &["#", "using", "namespace", "adf", "typedef", "struct", "void"],
        "a design is no C++: it names kernels, whose C++ is in files, `kernel k(...) { source \"kernels/k.cc\" }`",
    ),
    (&["utilization"], "write `runtime 0.5` in the kernel"),
    (&["bcast", "ibcast"], "did you mean `broadcast`?"),
    (&["reduce_all", "allred", "reduce_to_all"], "did you mean `allreduce`?"),
    (&["gather_all", "gather_to_all", "allgatherv"], "did you mean `allgather`?"),
    (&["scatter_reduce"], "did you mean `reduce_scatter`?"),
    (&["gatherv", "scatterv"], "blocks of several sizes are `counts EXPR` in a `gather` or `scatter`"),
    (
        &["exscan", "prefix", "prefix_sum", "cumsum"],
        "write a `scan`, with `exclusive` to leave out the own data",
    ),
    (&["sync", "fence", "wait"], "did you mean `barrier`?"),
    (
        &["send", "recv", "isend", "irecv"],
        "ranks exchange data by `sendrecv`; single kernels by `connect a.y -> b.x`",
    ),
];

/// What to write instead of a word of [`ITEMS`].
fn for_item(word: &str) -> Option<&'static str> {
    ITEMS.iter().find(|(words, _)| words.contains(&word)).map(|(_, advice)| *advice)
}

/// True for a word that is told what to write instead of a declaration.
pub(super) fn begins_item(word: &str) -> bool {
    for_item(word).is_some()
}

/// The word that begins a declaration here and means the same as `word`, one of MPI or its
/// libraries.
pub(super) fn item_word(word: &str) -> Option<&'static str> {
    for_item(word)?.strip_prefix("did you mean `")?.strip_suffix("`?")
}

/// The unit of this language for one of another spelling.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    Some(match word {
        "KB" | "kB" | "kb" | "K" | "k" => "KiB",
        "MB" | "mb" | "M" => "MiB",
        "byte" | "bytes" | "b" => "B",
        _ => return None,
    })
}

/// The operator of this language for a sign of C++.
pub(super) fn operator(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "+" => "sum",
        "*" => "prod",
        "&" => "and",
        "|" => "or",
        "^" => "xor",
        _ => return None,
    })
}

/// How complex values are written.
const COMPLEX: &str =
    "a complex value is two numbers, its real and its imaginary part: `[1, 2, 3, 4]` are two values";

/// True for the imaginary part of a number of other languages, such as `2i`.
fn is_imaginary(word: &str) -> bool {
    let number = word.strip_suffix(['i', 'j']);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What to write instead of `found` in an expression or list of numbers.
fn in_numbers(found: &str, before: &str, opened: &str, rules: &[Rule]) -> Option<&'static str> {
    let of_values = ["initial", "=", "[", "(", ","].contains(&opened);
    Some(match found {
        word if is_imaginary(word) => COMPLEX,
        "(" if ["cint16", "cint32", "cfloat", "complex"].contains(&before) => COMPLEX,
        "," if of_values && rules.contains(&Rule::sym_close_paren) && rules.contains(&Rule::operator) => {
            COMPLEX
        }
        "{" if rules.iter().any(|rule| matches!(rule, Rule::values | Rule::expr | Rule::operand)) => {
            "a list of numbers is written `[1, 2, 3]`"
        }
        "&" if before == "&" => "write `&` once: a comparison is 1 or 0, as in `(N > 1) & (M > 1)`",
        "|" if before == "|" => "write `|` once: a comparison is 1 or 0, as in `(N > 1) | (M > 1)`",
        _ => return None,
    })
}

/// Kinds of ports, here and in `graph.h`.
const KINDS: [&str; 7] = ["window", "buffer", "stream", "packets", "pktstream", "cascade", "parameter"];

/// How a kernel gets its place.
const TILE: &str = "a kernel stands on a tile, its column and its row: `place k at (24, 0)`; in a component both count \
                    from the tile of the instance, `place k at (0, 0)`";

/// What to write instead of C++ that means something here.
fn of_cpp(found: &str, before: &str, opened: &str, rules: &[Rule]) -> Option<&'static str> {
    let in_expression = rules.contains(&Rule::operator);
    Some(match found {
        "<" if before == "connect" => "the ports say what passes: write `connect a.y -> b.x`",
        "(" if before == "connect" => "write `connect a.y -> b.x`, the producer first",
        "in" | "out" | "inout" if before == "." => {
            "a port has the name that its kernel declares: `connect a.y -> b.x`"
        }
        "<" if ["template", "arguments"].contains(&before) => {
            "a list of arguments stands in parentheses: `template (int16, 3)`"
        }
        "<" if KINDS.contains(&before) => {
            "the type stands behind the word: `window int32[64]`, `stream int32`"
        }
        _ if rules.contains(&Rule::sym_arrow) && ["split", "merge"].contains(&before) => {
            "`split` and `merge` stand behind the arrow: `connect a -> split b.x, c.x`"
        }
        "to" | "=" | "<" | "-" if rules.contains(&Rule::sym_arrow) => {
            "an arrow leads from the producer to the consumer: `connect a.y -> b.x`"
        }
        "->" if rules.contains(&Rule::connect_property) => {
            "a connection has one arrow: write a `connect` for each step"
        }
        "=" if rules.contains(&Rule::kw_sync) => {
            "an initial value stands at the host: `input gain from host initial 3`"
        }
        word if word.starts_with("plio_") && word.ends_with("_bits") => {
            "the width stands first: `plio(32, \"data/x.txt\")`"
        }
        text if text.starts_with('"') && opened == "plio" && before == "(" => {
            "the width in bits stands first: `plio(64, \"data/in.txt\")`"
        }
        word if opened == "gmio"
            && (word == "," || before == "(" && word.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            "length of a burst in bytes and bandwidth in MB/s stand behind it: `gmio(\"data/x.txt\") burst 64 bandwidth 1000`"
        }
        "in" | "out" | "inout" if rules.contains(&Rule::kernel_property) => {
            "ports stand in parentheses in front: `kernel scale(in x: window int16[512]) { ... }`"
        }
        "%" if rules.contains(&Rule::kernel_property) => {
            "a share of the core's time is a number up to 1: `runtime 0.4`"
        }
        "." | "=" if before == ".." => "a range is written `0..4`, and its end is no part of it",
        ":" if rules.contains(&Rule::sym_dots) => "a range is written `0..4`, and its end is no part of it",
        "(" if before == "range" => "a range is written `0..4`, and its end is no part of it",
        "*" if before == "[" => "all indices are written `[..]`, or the name alone",
        _ if rules.contains(&Rule::sym_plus) && ["column", "col", "row"].contains(&before) => TILE,
        "*" if opened == "at" && rules.iter().any(|rule| matches!(rule, Rule::expr | Rule::operand)) => TILE,
        number
            if before == "at"
                && rules.contains(&Rule::ident)
                && number.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            TILE
        }
        "(" if before == "tile" => "a tile is written `(24, 0)`, without a word",
        "(" if ["split", "merge"].contains(&before) => {
            "the branches are a list: `connect a -> split b.x, c.x`, `connect b.y, c.y -> merge a`"
        }
        "file" if rules.contains(&Rule::endpoint) => {
            "a file belongs to a port: `plio(64, \"data/x.txt\")`, `gmio(\"data/x.txt\")`"
        }
        text if text.starts_with('"') && ["gmio", "host"].contains(&before) => {
            "the file stands in parentheses: `gmio(\"data/x.txt\")`"
        }
        "elif" | "elsif" => "write `else if`",
        "?" if in_expression => {
            "there is no `? :`; a comparison is 1 or 0, as in `3 + (N > 1)`, and `if` keeps or drops declarations"
        }
        "*" if before == "*" => "there is no power: write `1 << 3` for 2 to the 3, or `N * N`",
        "and" if in_expression => "write `&`: a comparison is 1 or 0, as in `(N > 1) & (M > 1)`",
        "or" if in_expression => "write `|`: a comparison is 1 or 0, as in `(N > 1) | (M > 1)`",
        _ => return None,
    })
}

/// What to write instead of the word `found`, which `rules` do not continue. `before` is the word
/// in front of it, and `opened` that in front of the bracket around it. Returns None when the word
/// is nothing that this language says in another way.
pub(super) fn advice(found: &str, before: &str, opened: &str, rules: &[Rule]) -> Option<&'static str> {
    let carries = rules.contains(&Rule::carries);
    let of_size = rules.contains(&Rule::unit);
    let property = rules.contains(&Rule::kernel_property);
    let item = rules.iter().any(|rule| {
        matches!(rule, Rule::file | Rule::item | Rule::component_item | Rule::choice_item | Rule::loop_item)
    });
    if let Some(advice) = of_cpp(found, before, opened, rules) {
        return Some(advice);
    }
    Some(match found {
        word if of_size && unit(word).is_some() => match unit(word)? {
            "KiB" => "write `KiB`: 1024 bytes",
            "MiB" => "write `MiB`: 1024 KiB",
            _ => "write `B`",
        },
        "buffer"
        | "circular"
        | "circular_buffer"
        | "input_buffer"
        | "output_buffer"
        | "input_window"
        | "output_window"
        | "input_async_buffer"
        | "output_async_buffer"
        | "input_circular_buffer"
        | "output_circular_buffer"
            if carries =>
        {
            "write `window int32[256]`; `ports buffer` makes buffers of all windows in the C++"
        }
        "input_stream" | "output_stream" if carries => "write `stream int32`",
        "pktstream" | "packet" | "input_pktstream" | "output_pktstream" if carries => "write `packets int32`",
        "rtp" | "param" | "runtime_parameter" if carries => {
            "write `parameter int32`, or `parameter int32[16] async`, and connect it to an input or \
             output of the `host`"
        }
        "async" if carries => {
            "`async` stands behind a parameter: `in taps: parameter int32[4] async`; that of a window stands in its \
             connection"
        }
        word if carries && is_type(word) => {
            "a port says how its values come: `parameter int32` from the host or once a run, `window int32[64]`, or \
             `stream int32`"
        }
        word if SWITCHES.contains(&before) && word.starts_with(|c: char| c.is_alphabetic()) => {
            return anywhere(before);
        }
        "async" if item || rules.contains(&Rule::kw_margin) => {
            "`async` stands in a connection: `connect a -> async k.x`"
        }
        "async" | "sync" if rules.contains(&Rule::sym_close_paren) => {
            "windows and parameters alone are asynchronous: a kernel waits at each read of a stream, and \
             the `async` of a window stands in its connection"
        }
        "parameter" if item => {
            "a parameter is a port of a kernel, `in gain: parameter int32 async`, and its other end an input or \
             output of the host: `input gain from host`"
        }
        "graph" | "class" | "subgraph" | "module" if item => {
            "a sub-graph is a `component`: `component fir(TAPS = 16)(in x: window int16[256], out y: \
             window int16[256]) { ... }`"
        }
        "location" | "constraint" if property => "write `place k at (24, 0)` outside of the kernel",
        "location" | "constraint" if item => "write `place k at (24, 0)`",
        "class" | "create_object" if property => {
            "`function NAME` with `arguments (...)` names a class and what its constructor takes, `()` if that is nothing; \
             its `header` declares it"
        }
        "args" if property => "write `arguments (TAPS, 8)`: what the constructor of the class takes",
        "stamp" if item => {
            "parts with equal placements are instances of a component, whose `place` lines count from the \
             instance: `place bank[1] at (22, 0)`"
        }
        "while" | "repeat" | "foreach" if item => "write `for i in 0..4 { ... }`",
        "let" | "var" | "auto" | "constexpr" | "param" | "define" if item => {
            "a constant is written `const N = 63`"
        }
        "int" | "short" | "long" | "char" if before == "unsigned" => {
            "an element type is one word: `uint8`, `uint16`, `uint32`"
        }
        "include" | "use" if item => {
            "a file of components is imported with `import \"fir.dsl\"`; a kernel names its C++ with \
             `source` and `header`"
        }
        "margin" if rules.contains(&Rule::sym_close_paren) => {
            "a window alone has a margin: streams and packets keep nothing, so the kernel keeps what it needs \
             again"
        }
        "," if rules.contains(&Rule::sym_close_bracket) && !rules.contains(&Rule::sym_comma) => {
            "each extent and each index stands in brackets of its own: `k[2][3]`"
        }
        "(" if before == ")" && rules.contains(&Rule::sym_open_brace) => {
            "leave out an empty `()` in front of the ports: without constants a component is `component fir(in x: \
             window int16[256], ...) { ... }`"
        }
        "." if rules
            .iter()
            .any(|rule| matches!(rule, Rule::sym_dot | Rule::expr | Rule::operand | Rule::ratio))
            || before.chars().all(|c| c.is_ascii_digit()) =>
        {
            "a number has digits on both sides of its point: `0.5`, `2.0`"
        }
        "[" if before == "]" && rules.contains(&Rule::sym_colon) => {
            "a list of ports has one index: write the number of all of them, as in `in x[2 * 3]: window int32[64]`"
        }
        "[" if before.starts_with("acc") => {
            "a cascade has no size: `out c: cascade acc48`; the kernel passes as many vectors as the next one takes"
        }
        "B" | "KiB" | "bytes" | "word" | "words" if rules.contains(&Rule::kw_at) => {
            "a FIFO counts words of 32 bits, without a unit: `fifo 64`"
        }
        "[" if before == "]" => {
            "a window, stream or parameter has one dimension: write the number of all elements, as \
             in `int32[4 * 4]`"
        }
        "," if opened == "shim" => {
            "the interface row is one row, so `shim` has one number, the column: `place x at shim 24 channel 2`, \
             `fifo 16 at shim 24 number 0`"
        }
        _ if in_numbers(found, before, opened, rules).is_some() => in_numbers(found, before, opened, rules)?,
        word if item && for_item(word).is_some() => for_item(word)?,
        _ => return anywhere(found),
    })
}

/// Splits and merges of `graph.h`, which count as names of an end where they stand in a connection.
const SWITCHES: [&str; 3] = ["pktsplit", "pktmerge", "pktorderedmerge"];

/// What to write instead of a word of [`ANYWHERE`].
fn anywhere(word: &str) -> Option<&'static str> {
    ANYWHERE.iter().find(|(words, _)| words.contains(&word)).map(|(_, advice)| *advice)
}

/// True for the name of an element type, here or in C++.
fn is_type(word: &str) -> bool {
    let plain = word.strip_suffix("_t").unwrap_or(word);
    let number = plain.trim_start_matches(['u', 'c']).strip_prefix("int");
    let is_width = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    number.is_some_and(is_width) || ["float", "cfloat", "double", "bool"].contains(&plain)
}
