//! Locations of a graph as C++: members that its class cannot reach are comments, all others
//! compile.
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
    ] {
        let line = format!("a comment in the C++: the place of `{name}, since {reason}\n");
        assert!(placed.out.contains(&line), "{line}{}", placed.out);
    }
    assert_eq!(placed.out.matches("a comment in the C++").count(), 3, "{}", placed.out);
    let header = fs::read_to_string(at("locations.h")).expect("written");
    let stated: Vec<&str> = header.lines().filter(|line| line.contains("location<adf::kernel>")).collect();
    let (comments, code): (Vec<&str>, Vec<&str>) =
        stated.into_iter().partition(|line| line.trim_start().starts_with("//"));
    assert_eq!((comments.len(), code.len()), (5, 6), "{header}");
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
