use super::*;
use aiec_test_support::{Builder, Reduce, input, int32, output, stream};

fn names(builder: &Builder) -> Names {
    let design = builder.expanded().unwrap();
    let paths: Vec<&str> =
        design.families.iter().map(|family| family.body(0).source.value.as_str()).collect();
    names_with(&design, &paths)
}

/// The names of `design` with sources at `paths`.
fn names_with(design: &Expanded, paths: &[&str]) -> Names {
    let sources: Vec<UserSource> = paths.iter().map(|&path| UserSource::inside(path, "")).collect();
    Names::of(design, &Roles::of(design), &sources, &Hierarchy::apart(design))
}

#[test]
fn a_reduction_has_the_names_one_would_choose() {
    let mut builder = Builder::new("reduce7", "toy");
    builder.kernels("worker", &[7], &[]).gmio_output("sum").connect("total.result", "sum");
    builder.reduce(Reduce::over("total", &["worker"], int32(4)));
    let names = names(&builder);
    assert_eq!(names.graph, "reduce7");
    assert_eq!(names.roles.as_slice(), ["worker_root", "worker_interior", "worker_leaf"]);
    assert_eq!(names.families.as_slice(), ["worker"]);
    assert_eq!(names.externals[0].member, "sum");
    assert_eq!(names.data.as_slice(), ["data/sum.out.txt"]);
    assert_eq!(names.source("kernels/worker.cc"), "worker.cc");
}

#[test]
fn shapes_of_one_part_are_told_apart_by_their_children() {
    let mut builder = Builder::new("reduce6", "toy");
    builder.kernels("worker", &[6], &[]).reduce(Reduce::over("total", &["worker"], int32(4)));
    assert_eq!(
        names(&builder).roles.as_slice(),
        ["worker_root", "worker_interior_2", "worker_interior_1", "worker_leaf"]
    );
}

#[test]
fn with_two_collectives_a_role_names_both() {
    let mut builder = Builder::new("both", "toy");
    builder.kernels("worker", &[2], &[]);
    builder.reduce(Reduce::over("total", &["worker"], int32(4)));
    builder.reduce(Reduce::over("peak", &["worker"], int32(4)).root("worker[1]"));
    assert_eq!(
        names(&builder).roles.as_slice(),
        ["worker_total_root_peak_leaf", "worker_total_leaf_peak_root"]
    );
}

#[test]
fn a_role_in_an_instance_names_the_instance_once() {
    let mut builder = Builder::new("both", "toy");
    builder.kernels("worker", &[2], &[]);
    builder.reduce(Reduce::over("total", &["worker"], int32(4)));
    builder.reduce(Reduce::over("peak", &["worker"], int32(4)).root("worker[1]"));
    let mut design = builder.expanded().unwrap();
    design.families[FamilyId(0)].name = "bank[2].worker".to_owned();
    design.collectives[CollectiveId(0)].name = "bank[2].total".to_owned();
    let names = names_with(&design, &["worker.cc"]);
    assert_eq!(
        names.roles.as_slice(),
        ["bank_2_worker_total_root_peak_leaf", "bank_2_worker_total_leaf_peak_root"]
    );
}

#[test]
fn a_role_is_not_named_after_collectives_it_is_outside_of() {
    let mut builder = Builder::new("parts", "toy");
    builder.kernels("worker", &[4], &[]);
    builder.reduce(Reduce::over("low", &["worker[0]", "worker[1]"], int32(4)).root("worker[0]"));
    builder.reduce(Reduce::over("high", &["worker[1]", "worker[2]"], int32(4)).root("worker[1]"));
    assert_eq!(
        names(&builder).roles.as_slice(),
        ["worker_low_root", "worker_low_leaf_high_root", "worker_high_leaf", "worker_outside"]
    );
}

#[test]
fn nothing_collides() {
    let mut builder = Builder::new("scale", "toy");
    builder.kernels("scale", &[], &[input("x", int32(4)), output("y", int32(4))]);
    builder.kernels("i", &[3], &[]).kernels("i_leaf", &[], &[input("x", int32(4))]);
    builder.plio_input("run", 64).gmio_output("g").gmio_output("scale_graph").gmio_output("kernels");
    builder.connect("run", "scale.x").reduce(Reduce::over("rank_count", &["i"], int32(4)));
    let names = names(&builder);
    assert_eq!(names.graph, "scale_graph_2", "neither the kernel's name nor the output's");
    let members: Vec<&String> =
        names.families.iter().chain(names.externals.iter().map(|group| &group.member)).collect();
    assert_eq!(members, ["scale", "i_kernel", "i_leaf", "run_port", "g", "scale_graph", "kernels"]);
    assert_eq!(names.roles.as_slice(), ["i_root", "i_leaf_2"]);
    assert_eq!(names.memory.as_slice(), ["run", "g_2", "scale_graph", "kernels"]);
    assert_eq!(names.collectives.as_slice(), ["rank_count_collective"]);
    let distinct: BTreeSet<&String> =
        members.iter().copied().chain(names.roles.iter()).chain([&names.graph]).collect();
    assert_eq!(distinct.len(), members.len() + names.roles.len() + 1);
}

/// The identifiers in C++ text that no `.`, `->` or `::` qualifies, without comments, strings,
/// directives and words of the language.
fn unqualified(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    let pieces = code.flat_map(|line| line.split('"').step_by(2));
    let mut found = BTreeSet::new();
    for piece in pieces {
        for word in piece.split(|c: char| !c.is_alphanumeric() && c != '_') {
            let at = word.as_ptr() as usize - piece.as_ptr() as usize;
            let before = piece[..at].trim_end();
            let is_qualified = [".", "->", "::"].iter().any(|mark| before.ends_with(mark));
            let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if is_name && !is_qualified && !aiec_ir::c_names::is_word(word) {
                found.insert(word);
            }
        }
    }
    found
}

/// A design whose graph has statements of every kind, and whose names all begin with `my_`.
fn wide() -> Builder {
    let mut builder = Builder::new("my_design", "toy");
    builder.plio("my_lanes", &[3], Direction::Out, 64).gmio_output("my_sum");
    builder.kernels("my_worker", &[3], &[input("x", int32(64))]);
    for lane in 0..3 {
        builder.connect(&format!("my_lanes[{lane}]"), &format!("my_worker[{lane}].x"));
    }
    builder.reduce(Reduce::over("my_total", &["my_worker"], int32(4)).root("my_worker[0]"));
    builder.connect("my_total.result", "my_sum");
    builder.carrying("my_source", &[2], &[(Direction::Out, "y", stream(Some(64)))]);
    builder.carrying("my_sink", &[2], &[(Direction::In, "x", stream(Some(64)))]);
    for pair in 0..2 {
        builder.connect(&format!("my_source[{pair}].y"), &format!("my_sink[{pair}].x")).fifo(32);
    }
    builder
}

#[test]
fn identifiers_of_the_emitted_graph_are_reserved() {
    let toy = aiec_device::builtin("toy").expect("built in").into_parts().0.expect("a sound device");
    let checked = aiec_check::check(wide().expanded().expect("every name is declared"), &toy);
    let checked = checked.into_parts().0.expect("a sound design");
    let source = |family: &Family| UserSource::inside(&family.body(0).source.value, "");
    let options =
        crate::EmitOptions { sources: checked.families.iter().map(source).collect(), ..Default::default() };
    let files = crate::emit_unplaced(&checked, &toy, &options).into_parts().0.expect("emitted");
    let graph = &files.iter().find(|file| file.path == "aie/graph.h").expect("emitted").text;
    let own: BTreeSet<&str> =
        unqualified(graph).into_iter().filter(|name| !name.starts_with("my_")).collect();
    let reserved: BTreeSet<&str> = [GLOBAL, MEMBERS].concat().into_iter().collect();
    assert!(own.contains("net") && own.is_subset(&reserved), "reserve {own:?}");
}

#[test]
fn arrays_have_no_elements_that_nothing_is_connected_to() {
    let mut builder = Builder::new("some", "toy");
    builder.kernels("sink", &[2], &[input("x", int32(4))]);
    builder.plio("lanes", &[4], Direction::Out, 64).gmio_output("spare");
    builder.connect("lanes[1]", "sink[0].x").connect("lanes[3]", "sink[1].x");
    let names = names(&builder);
    assert_eq!(names.externals[0].instances, [ExternalId(1), ExternalId(3)]);
    assert_eq!(names.external(ExternalId(3)), "lanes[1]");
    assert_eq!(names.externals[1].instances, []);
    assert_eq!(names.element_of(ExternalId(4)), None);
}

#[test]
fn paths_outside_the_project_are_not_followed() {
    assert_eq!(inside("data/in.txt").as_deref(), Some("data/in.txt"));
    for path in ["../in.txt", "/etc/in.txt", "data//in.txt", "a\"b"] {
        assert_eq!(inside(path), None, "{path}");
    }
}

#[test]
fn sources_outside_kernels_keep_their_folders() {
    let design = Builder::new("x", "toy").expanded().unwrap();
    let names = names_with(&design, &["kernels/a.cc", "common/b.h"]);
    assert_eq!(names.source("kernels/a.cc"), "kernels/a.cc");
    assert_eq!(names.source("common/b.h"), "common/b.h");
}
