//! Locations of a graph as C++ and as constraints. Members that its class cannot reach are
//! comments, and all others compile. What was placed is read back.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::fs;

use aiec_tests::aiec;
use serde_json::Value;

/// A header with a class that has a friend. The debug information does not tell of it.
const OPEN: &str = "#include <adf.h>
using namespace adf;
void work(output_stream<int32> *out);
inline void set(kernel &one) {
    one = kernel::create(work);
    source(one) = \"work.cc\";
    runtime<ratio>(one) = 0.9;
}
class Open : public graph {
    kernel f;
    friend class Top;
public:
    Open() { set(f); }
};
";

/// Sub-graphs with members of each access, and a graph that derives from another one.
const GRAPH: &str = "#include \"open.h\"
class Hidden : public graph {
    kernel a;
public:
    kernel b;
    Hidden() { set(a); set(b); }
};
struct Outer : graph {
    Outer() { set(shut); }
    Hidden inner;
protected:
    kernel shut;
};
class Base : public graph {
protected:
    kernel mine;
private:
    kernel gone;
public:
    Base() { set(mine); set(gone); }
};
class Top : public Base {
    kernel own;
    Outer outer;
    std::array<Hidden, 2> pair;
    Open open;
    std::unique_ptr<Open> held = std::make_unique<Open>();
public:
    Top() {
        set(own);
        // LOCATIONS
    }
};
Top g;
";

#[test]
fn members_out_of_reach_are_comments_and_the_rest_compiles() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("graph.cpp"), GRAPH).expect("writable");
    fs::write(at("open.h"), OPEN).expect("writable");
    let first =
        ["place", &at("graph.cpp"), "--effort", "1", "--aiecst", &at("a"), "--cpp", &at("locations.h")];
    let placed = aiec(first);
    assert_eq!(placed.status, 0, "{placed:?}");
    for (name, reason) in [
        ("outer.inner.a` and 2 more", "`a` is private in `Hidden`"),
        ("outer.shut`", "`shut` is protected in `Outer`"),
        ("gone`", "`gone` is private in `Base`"),
        ("held.f`", "a pointer leads to it"),
    ] {
        let line = format!("a comment in the C++: the place of `{name}, since {reason}\n");
        assert!(placed.out.contains(&line), "{line}{}", placed.out);
    }
    assert_eq!(placed.out.matches("a comment in the C++").count(), 4, "{}", placed.out);
    let header = fs::read_to_string(at("locations.h")).expect("written");
    let stated: Vec<&str> = header.lines().filter(|line| line.contains("location<adf::kernel>")).collect();
    let (comments, code): (Vec<&str>, Vec<&str>) =
        stated.into_iter().partition(|line| line.trim_start().starts_with("//"));
    assert_eq!((comments.len(), code.len()), (6, 6), "{header}");
    for name in ["own", "mine", "outer.inner.b", "pair[0].b", "pair[1].b", "open.f"] {
        assert!(code.iter().any(|line| line.contains(&format!("(graph.{name})"))), "{name}: {header}");
    }
    assert!(header.contains("// Out of reach of the class, since `a` is private in `Hidden`:\n"), "{header}");

    // The graph takes them, and its kernels stay there.
    let tiles = |name: &str| -> Value {
        let text = fs::read_to_string(at(name)).expect("written");
        serde_json::from_str::<Value>(&text).expect("JSON")["NodeConstraints"].clone()
    };
    let included = GRAPH.replace("// LOCATIONS", "\n#include \"locations.h\"\n");
    fs::write(at("graph.cpp"), included).expect("writable");
    let again = aiec(["place", &at("graph.cpp"), "--effort", "1", "--seed", "7", "--aiecst", &at("b")]);
    assert_eq!(again.status, 0, "{again:?}");
    let (before, after) = (tiles("a"), tiles("b"));
    for name in ["g.own", "g.mine", "g.outer.inner.b", "g.pair[1].b", "g.open.f"] {
        assert!(before[name]["tile"].is_object(), "{before}");
        assert_eq!(before[name]["tile"], after[name]["tile"], "{name}");
    }
}

/// Kernels of one core, whose stacks take more than a bank, and inputs without names of one file.
const ONE_CORE: &str = r#"#include <adf.h>
void f(adf::input_buffer<int, adf::extents<64>> &, adf::output_buffer<int, adf::extents<64>> &);
struct one_core : adf::graph {
    adf::kernel k[4];
    adf::input_plio in[4];
    adf::output_plio out[4];
    one_core() {
        for (int n = 0; n < 4; ++n) {
            k[n] = adf::kernel::create(f);
            adf::source(k[n]) = "f.cc";
            adf::runtime<adf::ratio>(k[n]) = 0.2;
            adf::stack_size(k[n]) = 2048;
            if (n > 0) adf::location<adf::kernel>(k[n]) = adf::location<adf::kernel>(k[0]);
            in[n] = adf::input_plio::create(adf::plio_32_bits, "in.txt");
            out[n] = adf::output_plio::create("out" + std::to_string(n), adf::plio_32_bits, "out.txt");
            adf::connect(in[n].out[0], k[n].in[0]);
            adf::connect(k[n].out[0], out[n].in[0]);
        }
    }
} g;
"#;

#[test]
#[ignore = "long: compiles a graph"]
fn locations_of_stacks_on_one_core_and_of_inputs_without_names_are_read_back() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("g.cpp"), ONE_CORE).expect("written");
    let placed = aiec(["place", "--effort", "1", "--aiecst", &at("c"), &at("g.cpp")]);
    assert_eq!(placed.status, 0, "{}", placed.err);
    let constraints: Value =
        serde_json::from_str(&fs::read_to_string(at("c")).expect("written")).expect("JSON");
    for name in ["out3", "g_in_0_", "g_in_3_"] {
        assert!(constraints["NodeConstraints"][name]["shim"].is_object(), "{name}: {constraints}");
    }
    assert!(!placed.out.contains("not in the constraints"), "{}", placed.out);
    let again = aiec(["place", "--effort", "1", "--constraints", &at("c"), &at("g.cpp")]);
    assert_eq!((again.status, again.err.as_str()), (0, ""));
}

/// A kernel of a class without `REGISTER_PARAMETER`, one in a variable of the constructor, and an
/// input without a logical name.
const HALF_NAMED: &str = r#"#include <adf.h>
struct scale {
    int taps[4];
    scale(const int (&given)[4]);
    void run(adf::input_buffer<int, adf::extents<64>> &, adf::output_buffer<int, adf::extents<64>> &);
    static void registerKernelClass() { REGISTER_FUNCTION(scale::run); }
};
void f(adf::input_buffer<int, adf::extents<64>> &, adf::output_buffer<int, adf::extents<64>> &);
struct half_named : adf::graph {
    adf::kernel k;
    adf::input_plio in;
    adf::output_plio out;
    half_named() {
        k = adf::kernel::create_object<scale>(std::vector<int>{1, 2, 3, 4});
        adf::source(k) = "scale.cc";
        adf::runtime<adf::ratio>(k) = 0.9;
        adf::kernel l = adf::kernel::create(f);
        adf::source(l) = "f.cc";
        adf::runtime<adf::ratio>(l) = 0.9;
        in = adf::input_plio::create(adf::plio_32_bits, "data/in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect(in.out[0], k.in[0]);
        adf::connect(k.out[0], l.in[0]);
        adf::connect(l.out[0], out.in[0]);
    }
} g;
"#;

#[test]
#[ignore = "long: compiles a graph"]
fn constraints_name_only_what_the_graph_and_the_linker_name() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("g.cpp"), HALF_NAMED).expect("written");
    let placed = aiec(["place", "--effort", "1", "--aiecst", &at("c"), "--cpp", &at("c.h"), &at("g.cpp")]);
    assert_eq!(placed.status, 0, "{}", placed.err);
    let file: Value = serde_json::from_str(&fs::read_to_string(at("c")).expect("written")).expect("JSON");
    let names = |section: &str| file[section].as_object().expect("named").keys().cloned().collect::<Vec<_>>();
    assert_eq!(names("NodeConstraints"), ["g.k", "g_in", "out"]);
    assert!(names("PortConstraints").iter().all(|name| name.starts_with("g.k.") && !name.contains("param")));
    for line in [
        "not in the constraints: the place of `f0`, since it is no member of a graph",
        "not in the constraints: the place of `k.param[0]`, since the class of the kernel has no REGISTER_PARAMETER",
    ] {
        assert!(placed.out.contains(line), "{}", placed.out);
    }
    let header = fs::read_to_string(at("c.h")).expect("written");
    assert!(header.contains("// adf::location<adf::parameter>(graph.k.param[0])"), "{header}");
    assert!(header.contains("// `f0` is no member of the class.\n"), "{header}");
    let again = aiec(["place", "--effort", "1", "--constraints", &at("c"), &at("g.cpp")]);
    assert_eq!((again.status, again.err.as_str()), (0, ""));
}

/// AMD's tutorial has classes whose constructors take the buffer first, and which register the
/// table first (Xilinx/Vitis-Tutorials, 16-1M-Point-FFT-32Gsps, `ssr_fft_fp_b`). Its DSP library
/// gives `std::array` (`func_approx_graph.hpp`). The buffer fills a bank of its own.
const TABLES: &str = r#"#include <adf.h>
#include <array>
class stage {
public:
    int (&buffer)[2048];
    int (&table)[16];
    stage(int (&b)[2048], int (&t)[16]) : buffer(b), table(t) {}
    void run(adf::input_buffer<int, adf::extents<16>> &in, adf::output_buffer<int, adf::extents<16>> &out) {
        for (int i = 0; i < 16; ++i) out.data()[i] = in.data()[i] + buffer[i] + table[i];
    }
    static void registerKernelClass() {
        REGISTER_FUNCTION(stage::run);
        REGISTER_PARAMETER(table);
        REGISTER_PARAMETER(buffer);
    }
};
struct top : adf::graph {
    adf::kernel k;
    adf::input_plio in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
    adf::output_plio out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
    top() {
        std::array<int, 16> table = {100, 200};
        k = adf::kernel::create_object<stage>(std::vector<int>(2048, 1), table);
        adf::source(k) = "g.cpp";
        adf::runtime<adf::ratio>(k) = 0.9;
        adf::connect(in.out[0], k.in[0]);
        adf::connect(k.out[0], out.in[0]);
        adf::location<adf::kernel>(k) = adf::tile(10, 0);
        adf::location<adf::stack>(k) = adf::bank(10, 0, 3);
        adf::location<adf::parameter>(k.param[0]) = adf::bank(10, 0, 3);
        adf::location<adf::parameter>(k.param[1]) = adf::address(10, 0, 0x4000);
    }
};
top g;
int main() { g.init(); g.run(1); g.end(); return 0; }
"#;

#[test]
#[ignore = "long: compiles a graph and a kernel"]
fn tables_of_a_class_are_numbered_as_it_registers_them() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("g.cpp"), TABLES).expect("written");
    fs::write(at("in.txt"), "7 ".repeat(16)).expect("written");
    let placed = aiec(["place", "--effort", "1", &at("g.cpp")]);
    assert_eq!((placed.status, placed.err.as_str()), (0, ""));
    let ran = aiec(["sim", &at("g.cpp"), "--input", &at(""), "--output", &at("results")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let out = fs::read_to_string(at("results/out.txt")).expect("written");
    let values: Vec<&str> = out.split_whitespace().filter(|word| word.parse::<i64>().is_ok()).collect();
    assert_eq!(&values[..3], ["108", "208", "8"], "{out}");
}

/// An element of a tuple has no index in C++.
#[test]
#[ignore = "long: compiles graphs"]
fn elements_of_a_tuple_are_named_so_that_the_graph_compiles() {
    let graph = "#include <adf.h>
#include <tuple>
using namespace adf;
void f(input_stream<int> *in, output_stream<int> *out);
template <int N> struct Lane : graph {
    input_port in;
    output_port out;
    kernel k = kernel::create(f);
    Lane() {
        source(k) = \"f.cc\";
        runtime<ratio>(k) = 0.9;
        connect<stream>(in, k.in[0]);
        connect<stream>(k.out[0], out);
    }
};
struct Top : graph {
    std::tuple<Lane<0>, Lane<1>> lanes[1];
    input_plio in = input_plio::create(\"in\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"out\", plio_32_bits, \"out.txt\");
    Top() {
        connect<>(in.out[0], std::get<0>(lanes[0]).in);
        connect<>(std::get<0>(lanes[0]).out, std::get<1>(lanes[0]).in);
        connect<>(std::get<1>(lanes[0]).out, out.in[0]);
        // LOCATIONS
    }
} g;
";
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("graph.cpp"), graph).expect("writable");
    let placed = aiec(["place", &at("graph.cpp"), "--effort", "1", "--cpp", &at("locations.h")]);
    assert_eq!(placed.status, 0, "{placed:?}");
    let header = fs::read_to_string(at("locations.h")).expect("written");
    assert!(header.contains("location<adf::kernel>(std::get<1>(graph.lanes[0]).k) = "), "{header}");
    fs::write(at("graph.cpp"), graph.replace("// LOCATIONS", "\n#include \"locations.h\"\n"))
        .expect("writable");
    let again = aiec(["check", &at("graph.cpp")]);
    assert_eq!((again.status, again.err.as_str()), (0, ""), "{again:?}");
}
