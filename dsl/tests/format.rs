//! The formatter: canonical layout, comments kept, nothing changed by printing twice.

use aiec_diag::{SourceFile, SourceId};
use aiec_dsl::{parse, print};

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() }
}

/// The canonical form of `text`, which must be a design.
fn format(text: &str) -> String {
    let file = file(text);
    let outcome = parse(&file);
    assert!(outcome.diagnostics().is_empty(), "{:#?}\n{text}", outcome.diagnostics());
    print(&file, outcome.value().expect("a tree without diagnostics"))
}

/// Formats `text` and compares; the result must be its own canonical form.
fn becomes(text: &str, canonical: &str) {
    let once = format(text);
    assert_eq!(once, canonical, "got\n{once}");
    assert_eq!(format(&once), once);
}

#[test]
fn every_construct_has_a_canonical_form() {
    let text = "\
design  everything   device xcvc1902
iterations 2*2
const N=0x10 const M = 1_000
kernel worker[ N ] { source \"kernels/worker.cc\" stack 8KiB heap 1 KiB }
kernel pe[4][8]( in a:window int32[64],out b : window int32[64 B], ) { source \"kernels/pe.cc\" }
reduce total over worker[0..8],tail , pe[0][..]{ op sum data int32[1024] window int32[4 KiB]
root worker[0] shape tree arity 2 buffer single calls 3 cycles int64[512] reference rank*100+i }
input samples[4] from plio( 64,\"data/in_{}.txt\" )
output sum to gmio output log to gmio(\"data/log.txt\")
connect samples->async pe[0][..4].a buffer single
kernel slow { source \"s.cc\" runtime  0.40 program 4KiB }
place worker[ 0 ]at( 24,0 ) place worker[1] at worker[0]+(0 , -1) place worker[2] at worker[3]
region worker , tail in(0,0)to(3 , N) together worker[4],tail apart pe keepout( 9,9 )
for i in 0..N-1{ connect stage[i].y->stage[i+1].x place stage[i] at(i,0) for j in 0..2 {} }
";
    let canonical = "\
design everything
device xcvc1902
iterations 2 * 2
const N = 0x10
const M = 1_000
kernel worker[N] {
    source \"kernels/worker.cc\"
    stack  8 KiB
    heap   1 KiB
}
kernel pe[4][8](in a: window int32[64], out b: window int32[64 B]) { source \"kernels/pe.cc\" }
reduce total over worker[0..8], tail, pe[0][..] {
    op        sum
    data      int32[1024]
    window    int32[4 KiB]
    root      worker[0]
    shape     tree arity 2
    buffer    single
    calls     3
    cycles    int64[512]
    reference rank * 100 + i
}
input samples[4] from plio(64, \"data/in_{}.txt\")
output sum to gmio
output log to gmio(\"data/log.txt\")
connect samples -> async pe[0][..4].a buffer single
kernel slow {
    source  \"s.cc\"
    runtime 0.40
    program 4 KiB
}
place worker[0] at (24, 0)
place worker[1] at worker[0] + (0, -1)
place worker[2] at worker[3]
region worker, tail in (0, 0) to (3, N)
together worker[4], tail
apart pe
keepout (9, 9)
for i in 0..N - 1 {
    connect stage[i].y -> stage[i + 1].x
    place stage[i] at (i, 0)
    for j in 0..2 {
    }
}
";
    becomes(text, canonical);
}

#[test]
fn comments_stay_before_behind_and_inside_their_construct() {
    let text = "\
// the head


// of the file
design a // its name
/* block */ device d /* one */ // two
kernel w[4] { // opens
    // before
    source \"w.cc\" // behind
    stack 1 KiB

    // at the end of the block
} // closes
connect a.x /* inside */ -> b.y
// at the end
";
    let canonical = "\
// the head

// of the file
design a // its name
/* block */
device d /* one */ // two
kernel w[4] { // opens
    // before
    source \"w.cc\" // behind
    stack  1 KiB

    // at the end of the block
} // closes
/* inside */
connect a.x -> b.y
// at the end
";
    becomes(text, canonical);
}

#[test]
fn ports_are_broken_into_lines_when_they_have_comments_or_do_not_fit() {
    let text = "kernel f(in x: window int32[8], // samples
   /* taps */ in t: window int32[8]
   // nothing else
) /* body */ { source \"f.cc\" }";
    let canonical = "\
kernel f(
    in x: window int32[8], // samples
    /* taps */
    in t: window int32[8],
    // nothing else
) {
    /* body */
    source \"f.cc\"
}
";
    becomes(text, canonical);
    let long = "kernel f(in first_input: window int32[1024], in second_input: window int32[1024], out y: window int8[4]) { source \"f.cc\" }";
    assert_eq!(format(long).lines().count(), 7);
    assert_eq!(format(&format(long)), format(long));
}

#[test]
fn parentheses_stay_where_they_matter_and_vanish_where_they_do_not() {
    becomes("const A = (1 + 2) * 3 - (4 - 5) - -(6 + 7)", "const A = (1 + 2) * 3 - (4 - 5) - -(6 + 7)\n");
    becomes("const A = ((1) + (2 * 3)) << (4 + 5)", "const A = 1 + 2 * 3 << 4 + 5\n");
    becomes("const A = (1 - 2) - min((3), max(4, (5 + 6)),)", "const A = 1 - 2 - min(3, max(4, 5 + 6))\n");
}

#[test]
fn at_most_one_blank_line_is_kept() {
    becomes("\n\n\ndesign a\n\n\n\ndevice b\nconst C = 1\n\n\n", "design a\n\ndevice b\nconst C = 1\n");
}
