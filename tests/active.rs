//! Active messages in `aiec sim`: random designs call what a table says, in several orders of
//! arrival, also servers that are clients of others. Every misuse is found, and a server that does
//! not serve is a deadlock.

use std::fmt::Write as _;

use aiec_tests::aiec_on;
use aiec_tests::random::Random;

const TYPES: [&str; 3] = ["int32", "uint32", "float"];

/// A handler: the types of its arguments, element type and size of its array, and its result.
struct Handler {
    arguments: Vec<&'static str>,
    array: Option<(&'static str, usize)>,
    result: Option<&'static str>,
}

impl Handler {
    fn random(random: &mut Random) -> Self {
        let arguments = (0..random.below(4)).map(|_| *random.pick(&TYPES)).collect();
        let array = (random.below(3) == 0).then(|| (*random.pick(&TYPES), 1 + random.below(20)));
        let result = (random.below(2) == 0).then(|| *random.pick(&TYPES));
        Self { arguments, array, result }
    }

    fn declaration(&self, at: usize) -> String {
        let mut parts: Vec<String> =
            self.arguments.iter().enumerate().map(|(i, element)| format!("a{i}: {element}")).collect();
        parts.extend(self.array.map(|(element, size)| format!("data: {element}[{size}]")));
        let result = self.result.map_or_else(String::new, |element| format!(" -> {element}"));
        format!("    handler h{at}({}){result}\n", parts.join(", "))
    }

    /// The member function of the owner, which compares all that comes with the table.
    fn function(&self, at: usize) -> String {
        let mut text = format!("    {} h{at}(unsigned from", self.result.unwrap_or("void"));
        for (i, element) in self.arguments.iter().enumerate() {
            let _ = write!(text, ", {element} a{i}");
        }
        if let Some((element, _)) = self.array {
            let _ = write!(text, ", const {element} *data, unsigned count");
        }
        let _ = write!(text, ") {{\n        const unsigned k = next(from, {at});\n");
        for (i, element) in self.arguments.iter().enumerate() {
            let _ = writeln!(text, "        check(a{i} == value<{element}>(from, k, {i}));");
        }
        if let Some((element, _)) = self.array {
            let _ = write!(
                text,
                "        check(count == counts[from][k]);\n        \
                 for (unsigned i = 0; i < count; ++i) check(data[i] == value<{element}>(from, k, 10 + i));\n"
            );
        }
        match self.result {
            Some(result) => text + &format!("        return value<{result}>(from, k, 99);\n    }}\n"),
            None => text + "        (void)k;\n    }\n",
        }
    }

    /// The request of a client.
    fn call(&self, at: usize, server: usize) -> String {
        let mut text = format!("        case {at}: {{\n");
        let mut values: Vec<String> = (0..)
            .zip(&self.arguments)
            .map(|(i, element): (usize, _)| format!("value<{element}>(me, k, {i})"))
            .collect();
        if let Some((element, size)) = self.array {
            let _ = write!(
                text,
                "            {element} data[{size}];\n            \
                 for (unsigned i = 0; i < counts[me][k]; ++i) data[i] = value<{element}>(me, k, 10 + i);\n"
            );
            values.extend(["data".to_owned(), "counts[me][k]".to_owned()]);
        }
        let call = format!("comm.s{server}.h{at}({})", values.join(", "));
        let _ = match self.result {
            Some(result) => writeln!(text, "            check({call} == value<{result}>(me, k, 99));"),
            None => writeln!(text, "            {call};"),
        };
        text + "            break;\n        }\n"
    }
}

/// Elements of a buffer that each client has to itself.
const OWN: usize = 24;

/// The declaration of a buffer in a design.
fn buffer_declaration(at: usize, element: &str, clients: usize) -> String {
    format!("    buffer b{at}: {element}[{}]\n", clients * OWN)
}

/// What a client does with its part of a buffer: it puts elements, of which it keeps a copy, or
/// gets all and compares them. Some puts are not waited for.
fn transfers(handlers: usize, buffer: usize, element: &str, server: usize) -> String {
    let (put, get) = (handlers + 2 * buffer, handlers + 2 * buffer + 1);
    format!(
        "        case {put}: {{\n            const unsigned n = counts[me][k], first = k % ({OWN} - n + 1);\n            \
         for (unsigned i = 0; i < n; ++i) kept{buffer}[first + i] = value<{element}>(me, k, i);\n            \
         const auto put = comm.s{server}.put_b{buffer}(me * {OWN} + first, kept{buffer} + first, n);\n            \
         if (k % 2) put.wait();\n            break;\n        }}\n        case {get}: {{\n            \
         {element} all[{OWN}];\n            const auto get = comm.s{server}.get_b{buffer}(me * {OWN}, all, {OWN});\n            \
         get.wait();\n            \
         for (unsigned i = 0; i < {OWN}; ++i) check(all[i] == kept{buffer}[i]);\n            break;\n        }}\n"
    )
}

/// One server and its clients.
struct Server {
    clients: usize,
    handlers: Vec<Handler>,
    /// Element types of its buffers.
    buffers: Vec<&'static str>,
    /// What each request calls, and the elements of its array, by client: handlers, then a put and
    /// a get for each buffer.
    requests: Vec<Vec<(usize, usize)>>,
    /// Requests that the owner serves one by one, before it serves the others.
    single: usize,
}

impl Server {
    fn random(random: &mut Random) -> Self {
        let clients = 1 + random.below(6);
        let handlers: Vec<Handler> = (0..=random.below(5)).map(|_| Handler::random(random)).collect();
        let buffers: Vec<&str> = (0..random.below(3)).map(|_| *random.pick(&TYPES)).collect();
        let mut request = || {
            let at = random.below(handlers.len() + 2 * buffers.len());
            let elements = match handlers.get(at) {
                Some(handler) => handler.array.map_or(0, |(_, size)| random.below(size + 1)),
                None => 1 + random.below(OWN),
            };
            (at, elements)
        };
        let requests: Vec<Vec<_>> =
            (0..clients).map(|at| (0..(at * 5) % 7).map(|_| request()).collect()).collect();
        let all: usize = requests.iter().map(Vec::len).sum();
        Self { clients, handlers, buffers, requests, single: all / 2 }
    }

    fn declaration(&self, at: usize) -> String {
        let handlers: String =
            self.handlers.iter().enumerate().map(|(number, handler)| handler.declaration(number)).collect();
        let buffers: String = (0..)
            .zip(&self.buffers)
            .map(|(number, element)| buffer_declaration(number, element, self.clients))
            .collect();
        format!(
            "kernel c{at}[{}] {{ source \"c{at}.cc\" }}\nkernel o{at} {{ source \"o{at}.cc\" }}\n\
             active s{at} on o{at} from c{at} {{\n{handlers}{buffers}}}\n",
            self.clients
        )
    }

    /// What both sources begin with: the table of the requests by rank.
    fn head(&self) -> String {
        let table = |of: fn(&(usize, usize)) -> usize| {
            let row = |row: &Vec<(usize, usize)>| {
                let row: Vec<String> = row.iter().map(|request| of(request).to_string()).collect();
                format!("{{{}}}", row.join(", "))
            };
            self.requests.iter().map(row).collect::<Vec<_>>().join(", ")
        };
        let numbers: Vec<String> = self.requests.iter().map(|row| row.len().to_string()).collect();
        format!(
            "#include <adf.h>\n#include <cstdlib>\nnamespace {{\n\
             constexpr unsigned which[][7] = {{{}}}, counts[][7] = {{{}}}, numbers[] = {{{}}};\n\
             template <typename Type>\n\
             Type value(unsigned rank, unsigned k, unsigned i) {{\n    \
             return Type(int(rank * 1000 + k * 100 + i) - 250);\n}}\n\
             inline void check(bool holds) {{ if (!holds) std::abort(); }}\n\
             [[maybe_unused]] constexpr auto used = counts[0][0];\n}}\n",
            table(|request| request.0),
            table(|request| request.1),
            numbers.join(", "),
        )
    }

    fn client(&self, at: usize) -> String {
        let calls: String =
            self.handlers.iter().enumerate().map(|(number, handler)| handler.call(number, at)).collect();
        let (mut kept, mut transferred) = (String::new(), String::new());
        for (number, element) in self.buffers.iter().enumerate() {
            let _ = writeln!(kept, "    {element} kept{number}[{OWN}] = {{}};");
            transferred += &transfers(self.handlers.len(), number, element, at);
        }
        format!(
            "{}template <typename Comm>\nvoid c{at}(Comm &comm) {{\n    const unsigned me = comm.s{at}.rank();\n    \
             check(comm.s{at}.size() == {} && !comm.s{at}.is_root);\n{kept}    \
             for (unsigned k = 0; k < numbers[me]; ++k) {{\n        switch (which[me][k]) {{\n{calls}{transferred}        \
             }}\n    }}\n}}\n",
            self.head(),
            self.clients + 1,
        )
    }

    fn owner(&self, at: usize) -> String {
        let Self { clients, single, .. } = self;
        let functions: String =
            self.handlers.iter().enumerate().map(|(number, handler)| handler.function(number)).collect();
        let mine: String = (0..)
            .zip(&self.buffers)
            .map(|(number, element): (usize, _)| {
                format!("    {element} b{number}[{}] = {{}};\n", clients * OWN)
            })
            .collect();
        let handled = self.handlers.len();
        format!(
            "{}namespace {{\nstruct handlers {{\n{mine}    unsigned seen[{clients}] = {{}};\n    \
             unsigned next(unsigned from, unsigned number) {{\n        check(from < {clients});\n        \
             skip(from);\n        \
             const unsigned k = seen[from]++;\n        check(k < numbers[from] && which[from][k] == number);\n        \
             return k;\n    }}\n    \
             void skip(unsigned from) {{ // what is no handler\n        \
             while (seen[from] < numbers[from] && which[from][seen[from]] >= {handled}) ++seen[from];\n    \
             }}\n{functions}}};\n}}\n\
             template <typename Comm>\nvoid o{at}(Comm &comm) {{\n    handlers all;\n    \
             for (unsigned i = 0; i != {single}; ++i) check(comm.s{at}.serve_one(all));\n    \
             comm.s{at}.serve(all);\n    \
             for (unsigned rank = 0; rank < {clients}; ++rank) {{\n        all.skip(rank);\n        \
             check(all.seen[rank] == numbers[rank]);\n    }}\n    \
             check(!comm.s{at}.serve_one(all));\n}}\n",
            self.head()
        )
    }
}

/// Runs a design of `count` servers with several seeds.
fn runs(seed: u64, count: usize) {
    let mut random = Random(seed);
    let mut design = "design servers\ndevice xcvc1902\niterations 3\n".to_owned();
    let mut files = Vec::new();
    for at in 0..count {
        let one = Server::random(&mut random);
        design += &one.declaration(at);
        files.push((format!("c{at}.cc"), one.client(at)));
        files.push((format!("o{at}.cc"), one.owner(at)));
    }
    ends(&design, &files);
}

#[track_caller]
fn ends(design: &str, files: &[(String, String)]) {
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let ran = aiec_on("sim", design, &files, &["--unplaced", "--strict", "--seeds", "4"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{design}\n{}", ran.out);
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
}

#[test]
#[ignore = "long: compiles and simulates"]
fn requests_of_every_kind_are_served_as_a_table_says() {
    runs(11, 6);
}

/// A small case of the matrix.
#[test]
#[ignore = "long: compiles and simulates"]
fn requests_are_served() {
    runs(5, 2);
}

/// A request after a get takes the elements of the get first, and one without a reply may follow a
/// put that has not ended. A handle may be waited for twice, or not at all.
#[test]
#[ignore = "long: compiles and simulates"]
fn puts_and_gets_overlap_with_other_requests() {
    let design = "design overlap\ndevice xcvc1902\niterations 2\nkernel w[3] { source \"w.cc\" }\n\
                  kernel pe { source \"pe.cc\" }\nactive server on pe from w {\n    buffer ints: int32[48]\n    \
                  handler stored(first: int32, count: int32)\n    buffer floats: float[128 B]\n    \
                  handler sum() -> int32\n}\n";
    let client = r"#include <adf.h>
#include <cstdlib>
inline void check(bool holds) { if (!holds) std::abort(); }
template <typename Comm>
void w(Comm &comm) {
    auto &server = comm.server;
    const unsigned first = 16 * server.rank();
    int32 sent[16], a[8], b[8];
    float f[4] = {1.5f, -2.5f, 3.0f, 0.25f}, g[4] = {};
    for (unsigned i = 0; i < 16; ++i) sent[i] = int32(first + i);
    const auto put = server.put_ints(first, sent, 16);
    server.stored(first, 16); // served behind the put
    const auto low = server.get_ints(first, a, 8);
    const auto high = server.get_ints(first + 8, b, 8);
    check(a[0] == sent[0] && a[7] == sent[7]);
    server.stored(first, 0);
    check(b[0] == sent[8] && b[7] == sent[15]);
    put.wait();
    low.wait();
    high.wait();
    server.put_floats(4 * server.rank(), f, 4);
    const auto got = server.get_floats(4 * server.rank(), g, 4);
    check(server.sum() == int32(16 * first + 120));
    check(g[0] == 1.5f && g[1] == -2.5f && g[3] == 0.25f);
    got.wait();
    server.get_floats(32, g, 0).wait();
    server.put_ints(first, sent + 1, 1); // ends with the kernel
}
";
    let owner = r"#include <adf.h>
#include <cstdlib>
struct memory {
    int32 ints[48] = {};
    float (&floats)[32];
    int32 last[4] = {};
    void stored(unsigned from, int32 first, int32 count) {
        int32 total = 0;
        for (int32 i = 0; i < count; ++i) total += ints[first + i];
        if (count > 0) last[from] = total;
    }
    int32 sum(unsigned from) const { return last[from]; }
};
template <typename Comm>
void pe(Comm &comm) {
    float floats[32] = {};
    memory all{{}, floats};
    comm.server.serve(all);
    for (int32 rank = 0; rank < 3; ++rank) {
        if (all.ints[16 * rank] != 16 * rank + 1 || floats[4 * rank + 1] != -2.5f) std::abort();
    }
}
";
    ends(
        design,
        &[("w.cc", client), ("pe.cc", owner)].map(|(name, text)| (name.to_owned(), text.to_owned())),
    );
}

/// A server may be a client of the next one while it serves: replies wait for no request of another
/// client, so the design ends whatever the order.
#[test]
#[ignore = "long: compiles and simulates"]
fn servers_that_ask_servers_end_in_every_order() {
    let mut random = Random(23);
    for _ in 0..4 {
        let (clients, levels, requests) = (1 + random.below(5), 2 + random.below(3), 1 + random.below(9));
        let mut design = format!(
            "design levels\ndevice xcvc1902\niterations 3\nkernel c[{clients}] {{ source \"c.cc\" }}\n"
        );
        let mut client =
            "#include <adf.h>\n#include <cstdlib>\ntemplate <typename Comm>\nvoid c(Comm &comm) {\n    \
                          for (int32 i = 0; i < "
                .to_owned();
        let _ = writeln!(client, "{requests}; ++i) {{");
        let mut files = Vec::new();
        for at in 0..levels {
            let last = at + 1 == levels;
            // A core takes two streams, so a client has two servers.
            let from = match at {
                0 => "c".to_owned(),
                1 => "c, o0".to_owned(),
                _ => format!("o{}", at - 1),
            };
            let _ = write!(
                design,
                "kernel o{at} {{ source \"o{at}.cc\" }}\n\
                 active s{at} on o{at} from {from} {{ handler add(v: int32) handler twice(v: int32) -> int32 }}\n"
            );
            if at < 2 {
                let _ = writeln!(
                    client,
                    "        comm.s{at}.add(i);\n        if (comm.s{at}.twice(i) != {} * i) std::abort();",
                    levels - at
                );
            }
            let next = at + 1;
            let ask = if last { "0".to_owned() } else { format!("comm.s{next}.twice(v)") };
            let tell = if last { String::new() } else { format!("comm.s{next}.add(v);") };
            files.push((
                format!("o{at}.cc"),
                format!(
                    "#include <adf.h>\ntemplate <typename Comm>\nstruct level{at} {{\n    Comm &comm;\n    \
                     void add(unsigned, int32 v) {{ (void)v; {tell} }}\n    \
                     int32 twice(unsigned, int32 v) {{ return v + {ask}; }}\n}};\n\
                     template <typename Comm>\nvoid o{at}(Comm &comm) {{\n    \
                     comm.s{at}.serve(level{at}<Comm>{{comm}});\n}}\n"
                ),
            ));
        }
        client += "    }\n}\n";
        files.push(("c.cc".to_owned(), client));
        ends(&design, &files);
    }
}

const DESIGN: &str = "design wrong\ndevice xcvc1902\nkernel w[3] { source \"w.cc\" }\nkernel pe { source \"pe.cc\" }\n\
                      active server on pe from w { handler add(idx: int32, v: int32) handler get(idx: int32) -> int32 \
                      handler fill(data: int32[4]) buffer room: float[16] }\n";

const HANDLERS: &str = "#include <adf.h>\nstruct table {\n    int32 all[8] = {};\n    float room[16] = {};\n    \
                        void add(unsigned, int32 idx, int32 v) { all[idx] += v; }\n    \
                        int32 get(unsigned, int32 idx) const { return all[idx]; }\n    \
                        void fill(unsigned, const int32 *data, unsigned count) {\n        \
                        for (unsigned i = 0; i < count; ++i) all[i] = data[i];\n    }\n};\n";

#[test]
#[ignore = "long: compiles and simulates"]
fn every_misuse_of_a_server_is_found() {
    let source = r"#include <adf.h>
struct none {};
template <typename Comm>
void w(Comm &comm) {
    int32 all[8] = {};
    float some[8] = {};
    switch (comm.server.rank()) {
    case 0:
        comm.server.fill(all, 5);              // more than its array
        comm.server.put_room(10, some, 7);     // beyond the buffer
        comm.server.get_room(8, some, 8);      // not waited for
        break;
    case 1: comm.server.serve(none()); break;  // not the owner
    default: comm.server.add(1, 2);            // left
    }
}
";
    let owner = format!(
        "{HANDLERS}template <typename Comm>\nvoid pe(Comm &comm) {{\n    comm.server.add(1, 2);\n    table all;\n    \
         for (int i = 0; i < 2; ++i) (void)comm.server.serve_one(all);\n}}\n"
    );
    let ran = aiec_on("sim", DESIGN, &[("w.cc", source), ("pe.cc", &owner)], &["--unplaced"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    for part in [
        "misuses the server `server` at `w[0].server_out0`: sent more elements than its handler takes",
        "send less at a time, or write a larger array in the handler",
        "went beyond a buffer of the owner",
        "keep `first + count` within the buffer, or write a larger one in the design",
        "the kernel returned, and has not waited for a get",
        "call `wait` of what the get returned",
        "at `w[1].server_out0`: only the owner serves",
        "at `pe.server_in0`: the owner called a handler of its own",
        "call `serve` in the kernel of the owner alone",
        "the kernel returned, and requests to it are left",
        "call `serve`, which returns when all clients have returned",
        "w.cc:9",
    ] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}

#[test]
#[ignore = "long: compiles and simulates"]
fn a_handler_that_serves_is_found() {
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &comm) {\n    (void)comm.server.get(1);\n}\n";
    let owner = "#include <adf.h>\ntemplate <typename Comm>\nstruct nested {\n    Comm &comm;\n    \
                 float room[16] = {};\n    void add(unsigned, int32, int32) {}\n    void fill(unsigned, const int32 *, unsigned) {}\n    \
                 int32 get(unsigned, int32 idx) {\n        (void)comm.server.serve_one(*this);\n        \
                 return idx;\n    }\n};\ntemplate <typename Comm>\nvoid pe(Comm &comm) {\n    \
                 comm.server.serve(nested<Comm>{comm, {}});\n}\n";
    let ran = aiec_on("sim", DESIGN, &[("w.cc", source), ("pe.cc", owner)], &["--unplaced"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    for part in ["served again inside of a handler", "return from the handler", "pe.cc:9"] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}

/// The struct of a server stands in the header of all collectives. Its handlers have names that the
/// graph's library has, too.
#[test]
#[ignore = "long: compiles for seconds"]
fn kernels_of_other_collectives_know_nothing_of_a_server() {
    let design = "design aside\ndevice xcvc1902\nkernel w[2] { source \"w.cc\" }\nkernel pe { source \"pe.cc\" }\n\
                  kernel b[2] { source \"b.cc\" }\nbarrier go over b { }\nactive server on pe from w {\n    \
                  handler update(offset: int32, data: int32[4])\n    handler read(address: int32) -> int32\n}\n";
    let client = "#include <adf.h>\n#include <cstdlib>\ntemplate <typename Comm>\nvoid w(Comm &comm) {\n    \
                  const int32 me = comm.server.rank();\n    const int32 data[2] = {me, me + 10};\n    \
                  comm.server.update(2 * me, data, 2);\n    \
                  if (comm.server.read(2 * me + 1) != me + 10) std::abort();\n}\n";
    let owner = "#include <adf.h>\nstruct memory {\n    int32 all[4] = {};\n    \
                 void update(unsigned, int32 offset, const int32 *data, unsigned count) {\n        \
                 for (unsigned i = 0; i < count; ++i) all[offset + i] = data[i];\n    }\n    \
                 int32 read(unsigned, int32 address) const { return all[address]; }\n};\n\
                 template <typename Comm>\nvoid pe(Comm &comm) { comm.server.serve(memory()); }\n";
    let other = "#include <adf.h>\ntemplate <typename Comm>\nvoid b(Comm &comm) { comm.go.barrier(); }\n";
    let files = [("w.cc", client), ("pe.cc", owner), ("b.cc", other)];
    ends(design, &files.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[test]
#[ignore = "long: compiles and simulates"]
fn a_server_that_does_not_serve_is_a_deadlock() {
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &comm) {\n    (void)comm.server.get(1);\n}\n";
    let owner = "#include <adf.h>\ntemplate <typename Comm>\nvoid pe(Comm &) {}\n";
    let ran = aiec_on("sim", DESIGN, &[("w.cc", source), ("pe.cc", owner)], &["--unplaced"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    for part in [
        "sim/deadlock",
        "the kernel returned, and requests to it are left",
        "call `serve`, which returns when all clients have returned",
        "`pe.server_in0` waits for data",
        "clients wait for a request that nobody serves: let `pe` call `serve`",
    ] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}

/// The longest request puts 16 elements, behind a number and a position; the longest reply has all
/// of them. Each has a header.
#[test]
fn the_costs_of_requests_and_replies_are_those_of_the_longest() {
    let ran = aiec_on("report", DESIGN, &[], &["--json", "--logp", "--effort", "1"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let connections = report["logp"]["connections"].as_array().expect("connections");
    let costs = |end: &str, port: &str| -> Vec<_> {
        let there = connections.iter().filter(|one| one[end] == port);
        there.map(|one| ["bytes", "send", "receive", "gap"].map(|key| one[key].as_f64())).collect()
    };
    assert_eq!(costs("to", "pe.server_in0"), [[72.0, 19.0, 19.0, 19.0].map(Some); 3], "{}", ran.out);
    assert_eq!(costs("from", "pe.server_out0"), [[64.0, 17.0, 17.0, 17.0].map(Some); 3], "{}", ran.out);
}

/// The sentence names the handler, its result and its arguments.
#[test]
#[ignore = "long: compiles"]
fn a_handler_that_is_missing_or_of_other_types_is_a_compile_error() {
    let faults = [
        (
            "void add(unsigned, int32 idx, int32 v)",
            "void sum(unsigned, int32 idx, int32 v)",
            "void add(unsigned from, int32 idx, int32 v)",
        ),
        (
            "int32 get(unsigned, int32 idx)",
            "int32 get(unsigned, float idx)",
            "int32 get(unsigned from, int32 idx)",
        ),
        (
            "int32 get(unsigned, int32 idx)",
            "float get(unsigned, int32 idx)",
            "int32 get(unsigned from, int32 idx)",
        ),
        ("float room[16]", "float space[16]", "float room[16]"),
        ("float room[16]", "float room[15]", "float room[16]"),
        ("float room[16]", "int32 room[16]", "float room[16]"),
        (
            "const int32 *data",
            "int32 *data",
            "void fill(unsigned from, const int32 *data, unsigned data_count)",
        ),
    ];
    // A server for each fault, all in one design.
    let client = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &) {}\n";
    let mut design =
        format!("design wrong\ndevice xcvc1902\nkernel w[{}] {{ source \"w.cc\" }}\n", faults.len());
    let mut files = vec![("w.cc".to_owned(), client.to_owned())];
    let server = DESIGN.lines().last().expect("the server");
    for (at, (from, to, _)) in faults.iter().enumerate() {
        let server = server.replace("server on pe from w", &format!("server{at} on pe{at} from w[{at}]"));
        let _ = write!(design, "kernel pe{at} {{ source \"pe{at}.cc\" }}\n{server}\n");
        let owner = HANDLERS.replace(from, to).replace("idx]", "int(idx)]");
        let serve = format!(
            "template <typename Comm>\nvoid pe{at}(Comm &comm) {{ comm.server{at}.serve(table()); }}\n"
        );
        files.push((format!("pe{at}.cc"), owner + &serve));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let refused = aiec_on("check", &design, &files, &[]);
    let words = refused.words();
    for (at, (_, _, part)) in faults.iter().enumerate() {
        assert!(words.contains(&format!("the handlers of `server{at}` lack `{part}`")), "{words}");
    }
    assert_eq!(words.matches("check/kernel-compile").count(), faults.len(), "{words}");
}

#[test]
#[ignore = "long: compiles"]
fn poll_is_refused_with_the_reason_and_what_to_call() {
    let design = "design wrong\ndevice xcvc1902\nkernel w[2] { source \"w.cc\" }\nkernel pe { source \"pe.cc\" }\n\
                  active counters on pe from w { handler add(v: int32) }\n";
    let owner = "#include <adf.h>\ntemplate <typename Comm>\nvoid pe(Comm &comm) {\n    \
                 struct { void add(unsigned, int32) {} } all;\n    \
                 while (comm.counters.poll()) comm.counters.serve_one(all);\n}\n";
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &) {}\n";
    let refused = aiec_on("check", design, &[("w.cc", source), ("pe.cc", owner)], &[]);
    let words = refused.words();
    for part in
        ["check/kernel-compile", "active messages have no `poll`: no document shows", "call `serve_one`"]
    {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}
