//! The compilations that `aiec sim` keeps: the runtime's own object once per compiler, and nothing
//! that is damaged.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and start programs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_test_support::folder::Folder;

const GRAPH: &str = "#include <adf.h>
void copy(input_window<int32> *x, output_window<int32> *y);
struct chain : adf::graph {
    adf::kernel k;
    adf::input_plio in;
    adf::output_plio out;
    chain() {
        k = adf::kernel::create(copy);
        adf::source(k) = \"copy.cc\";
        adf::runtime<adf::ratio>(k) = 0.5;
        in = adf::input_plio::create(\"in\", adf::plio_32_bits, \"in.txt\");
        out = adf::output_plio::create(\"out\", adf::plio_32_bits, \"out.txt\");
        adf::connect<adf::window<32>>(in.out[0], k.in[0]);
        adf::connect<adf::window<32>>(k.out[0], out.in[0]);
    }
};
chain g;
int main() { g.init(); g.run(1); g.end(); return 0; }
";

const KERNEL: &str = "#include <adf.h>
void copy(input_window<int32> *x, output_window<int32> *y) {
    for (int i = 0; i < 8; ++i) window_writeincr(y, window_readincr(x) + 1);
}
";

/// Logs every call and passes it on.
const COMPILER: &str = "#!/bin/sh\necho \"$@\" >> \"$CALLS\"\nexec g++ \"$@\"\n";

aiec_test_support::workshop! {
    /// The files of a test.
    Shop
}

impl Shop {
    fn new() -> Self {
        let shop = Self(Folder::with(&[]));
        for folder in ["one", "two"] {
            for (name, text) in [("graph.cpp", GRAPH), ("copy.cc", KERNEL), ("in.txt", "1 2 3 4 5 6 7 8\n")] {
                shop.write(&format!("{folder}/{name}"), text);
            }
        }
        shop.program("cxx", COMPILER);
        shop
    }

    /// Runs the graph of `folder`. Returns the compilations of the run.
    fn sim(&self, folder: &str, flags: &[&str]) -> Vec<String> {
        let calls = self.path("calls");
        fs::write(&calls, "").expect("writable");
        let mut command = Command::new(env!("CARGO_BIN_EXE_aiec"));
        command.args(["sim", "graph.cpp", "--output", "out", "--cxx"]).arg(self.path("cxx"));
        command.args(flags.iter().map(|flag| format!("--cxxflag={flag}"))).current_dir(self.path(folder));
        let ran = command.env("AIEC_CACHE", self.path("cache")).env("CALLS", &calls).output();
        let ran = ran.expect("aiec starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let found = fs::read_to_string(self.path(folder).join("out/out.txt")).expect("written");
        assert_eq!(found.split_whitespace().collect::<Vec<_>>(), ["2", "3", "4", "5", "6", "7", "8", "9"]);
        let calls = fs::read_to_string(calls).expect("called");
        let is_compilation = |call: &&str| call.split(' ').any(|word| word == "-c");
        calls.lines().filter(is_compilation).map(str::to_owned).collect()
    }

    /// Every kept file, without the runtime's headers.
    fn kept(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.path("cache")).expect("there").flatten().map(|entry| entry.path());
        let folders = folders.filter(|path| !path.display().to_string().contains("headers-"));
        let files = folders.flat_map(|folder| fs::read_dir(folder).expect("a folder").flatten());
        files.map(|entry| entry.path()).collect()
    }
}

fn of_the_runtime(calls: &[String]) -> usize {
    calls.iter().filter(|call| call.contains("run.cc")).count()
}

#[test]
#[ignore = "long: compiles the headers several times"]
fn the_runtime_is_compiled_once_and_what_is_damaged_is_compiled_again() {
    let shop = Shop::new();
    let first = shop.sim("one", &[]);
    assert_eq!(of_the_runtime(&first), 1, "{first:?}");
    assert_eq!(shop.sim("one", &[]), [""; 0], "everything is kept");
    for flags in [["-DN=3", "-O2"], ["-Wall", "-I/usr"]] {
        let calls = shop.sim("two", &flags);
        assert!(!calls.is_empty() && of_the_runtime(&calls) == 0, "{flags:?}: {calls:?}");
    }
    // Every kept file is cut, changed or lost.
    let damage: [fn(&Path); 3] = [
        |file| {
            let bytes = fs::read(file).expect("there");
            fs::write(file, &bytes[..bytes.len() / 2]).expect("writable");
        },
        |file| {
            let mut bytes = fs::read(file).expect("there");
            let at = bytes.len() / 2;
            bytes.splice(at..at, *b"damage");
            fs::write(file, bytes).expect("writable");
        },
        |file| fs::remove_file(file).expect("there"),
    ];
    shop.kept().iter().enumerate().for_each(|(at, file)| damage[at % damage.len()](file));
    let again = shop.sim("one", &[]);
    assert_eq!(again.len(), first.len(), "{again:?}");
    assert_eq!(shop.sim("one", &[]), [""; 0], "and kept again");
}
