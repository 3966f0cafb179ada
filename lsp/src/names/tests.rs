use aiec_diag::{SourceFile, SourceId};

use super::*;

/// The lines of each place of the name that is declared at `mark` in the first of these texts; each
/// imports the ones behind it.
fn lines_of(texts: &[&str], mark: &str) -> Vec<(u32, usize)> {
    let files = texts.iter().zip(0..).map(|(text, id)| {
        aiec_dsl::recover(&SourceFile { id: SourceId(id), name: "a.dsl".into(), text: (*text).into() })
            .program
    });
    let programs: Vec<Program> = files.collect();
    let programs: IdVec<SourceId, &Program> = programs.iter().collect();
    let ids = programs.ids();
    let imports = ids.clone().map(|at| ids.clone().filter(|other| *other > at).collect()).collect();
    let names = Names::of(&programs, &imports);
    let (_, symbol) = names.at(SourceId(0), texts[0].find(mark).unwrap()).expect("a name");
    let line = |span: Span| texts[span.source.0 as usize][..span.start as usize].matches('\n').count();
    names.places(symbol).map(|span| (span.source.0, line(span))).collect()
}

#[test]
fn a_name_means_the_innermost_declaration() {
    let text = "const i = 2\nkernel k[i](in x: window int32[i]) {\n stack i B }\nfor i in 0..i {\n connect a -> k[i].x\n}\n\
                kernel m[i: i] {\n arguments (i) }";
    assert_eq!(lines_of(&[text], "i = 2"), [(0, 0), (0, 1), (0, 1), (0, 2), (0, 3), (0, 6)]);
    assert_eq!(lines_of(&[text], "i in"), [(0, 3), (0, 4)]);
    assert_eq!(lines_of(&[text], "i: i"), [(0, 6), (0, 7)]);
}

#[test]
fn ports_and_settings_of_components_are_found_through_instances_and_files() {
    let design = "instance one of part(N = 2)\nconnect a -> one.x\nconnect one.k.y -> b";
    let part = "component part(N = 1)(in x[N]: window int32[N]) {\n kernel k(out y: window int32[N]) { }\n connect x -> k.x\n}";
    assert_eq!(lines_of(&[design, part], "part"), [(0, 0), (1, 0)]);
    assert_eq!(lines_of(&[design, part], "N = 2"), [(0, 0), (1, 0), (1, 0), (1, 0), (1, 1)]);
    assert_eq!(lines_of(&[design, part], "x\n"), [(0, 1), (1, 0), (1, 2)]);
    assert_eq!(lines_of(&[design, part], "k.y"), [(0, 2), (1, 1), (1, 2)]);
    assert_eq!(lines_of(&[design, part], "y -> b"), [(0, 2), (1, 1)]);
}

#[test]
fn branches_declare_one_name_together() {
    let text = "if N {\n kernel k { }\n} else {\n kernel k { }\n}\nplace k at (1, 1)";
    assert_eq!(lines_of(&[text], "k {"), [(0, 1), (0, 3), (0, 5)]);
}
