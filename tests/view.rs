//! Pages of `aiec view`: what they hold as data, and what a browser makes of them.
//!
//! The tests with a browser need Debian's `chromium`. Without it they are left out with a line.
#![allow(clippy::disallowed_methods, reason = "tests read pages and start a browser")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_tests::{Ran, aiec, path};
use serde_json::Value;
use tempfile::TempDir;

/// A page, in a folder that lives as long as it.
struct Page {
    folder: TempDir,
    ran: Ran,
    text: String,
}

impl Page {
    /// The page of a design or graph of the repository.
    fn of(subject: &str, extra: &[&str]) -> Self {
        Self::at(&PathBuf::from(path(subject)), extra)
    }

    fn at(subject: &Path, extra: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let file = folder.path().join("page.html").display().to_string();
        let subject = subject.display().to_string();
        let ran = aiec([&["view", &subject, "-o", &file], extra].concat());
        let text = fs::read_to_string(&file).unwrap_or_else(|_| String::new());
        Self { folder, ran, text }
    }

    /// The page of a text.
    fn of_text(design: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let file = folder.path().join("d.dsl");
        fs::write(&file, design).expect("writable");
        Self::at(&file, &[])
    }

    /// The text before its data, its data, and the text after it.
    fn parts(&self) -> [&str; 3] {
        let (before, rest) =
            self.text.split_once("<script id=\"data\" type=\"application/json\">").expect("data");
        let (data, after) = rest.split_once("</script>").expect("the end of the data");
        [before, data, after]
    }

    fn data(&self) -> Value {
        serde_json::from_str(self.parts()[1]).expect("JSON")
    }

    /// The elements that a browser shows at a fragment. Returns None when there is no browser.
    fn shown(&self, fragment: &str) -> Option<String> {
        self.shown_after(fragment, "")
    }

    /// The elements that a browser shows at a fragment, after a script behind those of the page.
    fn shown_after(&self, fragment: &str, script: &str) -> Option<String> {
        let file = self.folder.path().join("shown.html");
        let end = format!("<script>{script}</script>\n</body>");
        fs::write(&file, self.text.replacen("</body>", &end, 1)).expect("writable");
        let address = format!("file://{}#{fragment}", file.display());
        let profile = format!("--user-data-dir={}", self.folder.path().join("profile").display());
        let mut browser = Command::new("chromium");
        let plain = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900"];
        let ran = browser.args(plain).args([&profile, "--dump-dom", &address]).output();
        let text = ran.ok().map(|ran| String::from_utf8_lossy(&ran.stdout).into_owned());
        // Behind the scripts stand no elements.
        text.map(|text| text.split("<script id=").next().unwrap_or_default().to_owned())
    }
}

#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
fn left_out() {
    eprintln!("left out: pages in a browser; chromium is not installed (Debian: chromium)");
}

/// A design whose strings would end or start elements of HTML, if the page did not escape them.
const HOSTILE: &str = r#"design hostile
device toy
kernel a(in x: window int32[16], out y: window int32[16]) {
    source "a</script><img src=x>&amp;.cc"
}
input x from plio(32, "<!--<script>.txt")
output y to plio(32, "y.txt")
connect x -> a.x
connect a.y -> y
"#;

#[test]
fn a_page_loads_nothing_and_holds_names_as_text() {
    let page = Page::of_text(HOSTILE);
    assert_eq!(page.ran.status, 0, "{}", page.ran.err);
    let [before, data, after] = page.parts();
    assert!(!data.contains('<'), "{data}");
    assert_eq!(page.data()["graph"]["nodes"][0]["source"], "a</script><img src=x>&amp;.cc");
    let own = [before, after].concat();
    for address in ["src=", "href", "@import", "fetch(", "XMLHttpRequest"] {
        assert!(!own.contains(address), "{address}");
    }
    let outside = own.matches("http").count();
    assert_eq!(
        (outside, own.matches("http://www.w3.org/2000/svg").count()),
        (1, 1),
        "a namespace, no address"
    );
}

#[test]
fn a_page_is_the_same_each_time_and_replaces_only_itself() {
    let page = Page::of("examples/pipeline.dsl", &[]);
    assert_eq!(page.text, Page::of("examples/pipeline.dsl", &[]).text);
    let file = page.folder.path().join("page.html");
    let (design, name) = (path("examples/pipeline.dsl"), file.display().to_string());
    let again = |extra: &[&str]| aiec([&["view", &design, "-o", &name], extra].concat());
    assert_eq!(again(&[]).status, 0);
    fs::write(&file, page.text.replace("Array", "array")).expect("writable");
    let refused = again(&[]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("emit/output-occupied"), "{}", refused.err);
    assert_eq!(again(&["--overwrite"]).status, 0);
}

/// Numbers of a list.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Compares the page of an example with what `report` and `route` write. Returns its data.
fn agreeing(example: &str) -> Value {
    let view = Page::of(example, &[]).data();
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("route.json").display().to_string();
    let design = path(example);
    let report: Value = serde_json::from_str(&aiec(["report", "--json", &design]).out).expect("JSON");
    assert_eq!(view["report"], report);
    assert_eq!(aiec(["route", &design, "--json", &file]).status, 0);
    let mut route: Value = serde_json::from_str(&fs::read_to_string(file).expect("written")).expect("JSON");
    let _mark = route.as_object_mut().expect("an object").remove("generated");
    assert_eq!(view["routing"], route);
    for (at, kernel) in list(&report["kernels"]).iter().enumerate() {
        assert_eq!(view["graph"]["nodes"][at]["name"], kernel["name"]);
        assert_eq!(view["positions"]["tiles"][at], kernel["tile"]);
    }
    for (at, connection) in list(&report["connections"]).iter().enumerate() {
        let edge = &view["graph"]["edges"][at];
        assert_eq!([&edge["ports"][0], &edge["ports"][1]], [&connection["from"], &connection["to"]]);
        let nets = list(&view["positions"]["nets_of"][at]);
        assert_eq!(nets.is_empty(), connection["by"] == "shared memory");
    }
    for tile in list(&report["tiles"]) {
        let here = list(&view["positions"]["blocks"]).iter().filter(|block| block["at"] == tile["tile"]);
        let bytes: u64 = here.filter_map(|block| block["bytes"].as_u64()).sum();
        assert_eq!(Some(bytes), tile["bytes"]["used"].as_u64(), "{tile}");
    }
    view
}

#[test]
fn the_data_of_a_page_are_those_of_report_and_route() {
    let view = agreeing("examples/pipeline.dsl");
    let tracks: Vec<usize> = list(&view["run"]["kernels"]).iter().map(|track| list(track).len()).collect();
    assert!(tracks.len() == 3 && tracks.iter().all(|&slices| slices > 0), "{tracks:?}");
}

#[test]
#[ignore = "long: places and routes three times"]
fn the_page_of_a_collective_has_its_levels_and_its_run() {
    let view = agreeing("examples/reduce.dsl");
    // A tree of 63 ranks and arity 2 has a power of two on each level.
    let levels: Vec<usize> =
        list(&view["groups"][0]["levels"]).iter().map(|level| list(level).len()).collect();
    assert_eq!(levels, [1, 2, 4, 8, 16, 32]);
    let run = &view["run"];
    assert_eq!((list(&run["kernels"]).len(), &run["complete"]), (63, &Value::Bool(true)));
    let whats = list(&run["whats"]);
    assert!(whats.iter().any(|what| what["name"] == "total" && what["waits"] == false), "{whats:?}");
}

#[test]
fn a_design_that_is_refused_has_a_page_of_what_is_known() {
    let cycle = Page::of("examples/pingpong_sync.dsl", &[]);
    let view = cycle.data();
    assert_eq!(cycle.ran.status, 1);
    assert!(view["messages"].as_str().is_some_and(|words| words.contains("check/sync-cycle")));
    assert_eq!(list(&view["graph"]["edges"]).len(), 4);
    assert_eq!([&view["positions"], &view["routing"], &view["report"], &view["run"]], [&Value::Null; 4]);
    assert!(cycle.ran.out.contains("2 kernels and 4 connections, without a placement"), "{}", cycle.ran.out);

    let placement = path("tests/cases/route/overfull.placement.json");
    let full = Page::of("tests/cases/route/overfull.dsl", &["--placement", &placement]);
    let view = full.data();
    assert_eq!(
        (full.ran.status, &view["routing"]["routed"], &view["report"]),
        (1, &Value::Bool(false), &Value::Null)
    );
    assert_eq!(list(&view["positions"]["tiles"]).len(), 24);
    assert!(full.ran.out.contains("24 nets not routed"), "{}", full.ran.out);

    let folder = tempfile::tempdir().expect("a temporary directory");
    let [design, source] = ["d.dsl", "a.cc"].map(|name| folder.path().join(name).display().to_string());
    let text = "design d\ndevice toy\nkernel a(in x: window int32[16]) { source \"a.cc\" }\n";
    fs::write(&design, text).and_then(|()| fs::write(&source, "void a() {}\n")).expect("writable");
    let onto = aiec(["view", &design, "-o", &source, "--overwrite"]);
    assert!(onto.err.contains("emit/output-is-source"), "{}", onto.err);
    assert_eq!(fs::read_to_string(&source).expect("there"), "void a() {}\n", "a refused design has sources");

    let stated = Page::of("tests/cases/route/refused.dsl", &[]);
    let view = stated.data();
    assert_eq!((stated.ran.status, list(&view["positions"]["tiles"]).len()), (1, 14), "{}", stated.ran.err);
    assert!(!stated.ran.err.contains("route/overfull"), "one fault, one message: {}", stated.ran.err);
    assert!(view["messages"].as_str().is_some_and(|words| words.contains("check/line-wires")));
    let cuts = list(&view["routing"]["cuts"]).iter().filter_map(|cut| cut.get("nets"));
    let most = cuts.map(|nets| list(nets).len()).max();
    assert_eq!(most, Some(24), "the net between `c` and `d` crosses nothing");

    let nothing = Page::of_text("design x\ndevice toy\nkernel\n");
    assert_eq!((nothing.ran.status, nothing.text.as_str()), (1, ""), "no page of a text without a graph");
}

#[test]
#[ignore = "long: compiles a graph"]
fn a_graph_has_a_page_like_a_design() {
    let page = Page::of("examples/adf/cascade_fir", &[]);
    let view = page.data();
    assert_eq!(page.ran.status, 0, "{}", page.ran.err);
    let names: Vec<&str> =
        list(&view["graph"]["nodes"]).iter().filter_map(|node| node["name"].as_str()).collect();
    assert_eq!(names, ["k[0]", "k[1]", "k[2]", "k[3]", "in", "out"]);
    let edges = list(&view["graph"]["edges"]).iter();
    let cascades =
        edges.filter(|edge| edge["carries"].as_str().is_some_and(|text| text.starts_with("cascade")));
    assert_eq!(cascades.count(), 3);
}

/// The page of documentation has every field at the top of the data, and those below them that are
/// no other command's.
#[test]
fn the_documentation_names_every_field() {
    let manual = fs::read_to_string(path("docs/view.md")).expect("the page");
    let view = Page::of("examples/pipeline.dsl", &[]).data();
    let mut names: Vec<&String> = view.as_object().expect("an object").keys().collect();
    for part in ["/graph", "/graph/nodes/0", "/positions", "/run"] {
        names.extend(view.pointer(part).and_then(Value::as_object).expect(part).keys());
    }
    let missing: Vec<_> = names.into_iter().filter(|name| !manual.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The text of the element with an id.
fn text<'a>(elements: &'a str, id: &str) -> &'a str {
    let from = elements.split_once(&format!("id=\"{id}\"")).map_or("", |(_, rest)| rest);
    from.split_once('>').map_or("", |(_, rest)| rest).split('<').next().unwrap_or_default()
}

/// The positions of the nodes in a class, once for each picture.
fn nodes_in(elements: &str, class: &str) -> Vec<usize> {
    let groups = elements.split("<g class=\"").skip(1).filter_map(|rest| {
        let (classes, rest) = rest.split_once('"')?;
        let node = rest.strip_prefix(" data-node=\"")?.split('"').next()?.parse().ok()?;
        classes.split(' ').any(|one| one == class).then_some(node)
    });
    groups.collect()
}

#[test]
#[ignore = "long: starts a browser"]
fn a_browser_shows_what_the_fragment_asks_for_in_every_part_of_the_page() {
    let page = Page::of("examples/reduce.dsl", &[]);
    let Some(shown) = page.shown("select=worker[3]&time=60000") else { return left_out() };
    assert_eq!(text(&shown, "title"), "reduce63");
    assert_eq!(text(&shown, "selected"), "worker[3]");
    assert_eq!(nodes_in(&shown, "main"), [3, 3], "in the array and in the graph");
    assert_eq!(nodes_in(&shown, "on"), [1, 7, 8, 1, 7, 8], "its neighbours");
    assert!(text(&shown, "tile-name").starts_with("Tile ("));
    assert!(text(&shown, "doing").starts_with("At cycle 60\u{202f}000: "), "{}", text(&shown, "doing"));
    assert!(text(&shown, "now").contains(" work, "), "{}", text(&shown, "now"));
    let (works, waits) = (nodes_in(&shown, "works").len(), nodes_in(&shown, "waits").len());
    let waiting = nodes_in(&shown, "waits").into_iter().filter(|&node| node == 3).count();
    assert_eq!(waiting, 4, "in its layer and above it, in both pictures");
    let later = page.shown_after("select=worker[3]", "time.set(60000);").unwrap_or_default();
    assert_eq!(nodes_in(&later, "waits"), nodes_in(&shown, "waits"), "what is selected follows the run");
    assert!(works > 0 && waits > 0 && works + waits <= 126, "{works} {waits}");

    let shown = page.shown("level=total:2&search=worker%5B1&theme=dark&hide=nets").unwrap_or_default();
    assert_eq!(nodes_in(&shown, "on"), [3, 4, 5, 6, 3, 4, 5, 6]);
    assert!(shown.contains("id=\"found-0\" aria-selected=\"false\">worker[1]</li>"));
    assert!(shown.contains("<html lang=\"en\" data-theme=\"dark\">"));
    assert!(shown.contains("data-layer=\"nets\" style=\"display: none;\""));

    let edge = page.shown("select=worker[3].total_out0%20-%3E%20worker[1].total_in0").unwrap_or_default();
    assert_eq!(text(&edge, "selected"), "worker[3].total_out0 \u{2192} worker[1].total_in0");
    assert_eq!(nodes_in(&edge, "on"), [1, 3, 1, 3]);
    let measured = page.shown("measure").unwrap_or_default();
    assert!(text(&measured, "measure").contains(" ms. 65 selections: median "), "every node");
    let wrong = page.shown("select=nobody").unwrap_or_default();
    assert_eq!(text(&wrong, "missing"), "Nothing is called nobody.");
    assert!(text(&shown, "missing").is_empty());
}

#[test]
#[ignore = "long: starts a browser"]
fn escape_selects_nothing_wherever_the_focus_is() {
    let page = Page::of("examples/reduce.dsl", &[]);
    let press = "const press = (id) => document.querySelector(id).dispatchEvent(new KeyboardEvent('keydown', \
                 { key: 'Escape', bubbles: true }));";
    let Some(shown) = page.shown_after("select=worker[3]&level=total:2", press) else { return left_out() };
    assert_eq!(text(&shown, "selected"), "worker[3]", "no key was pressed");
    for focus in ["body", "#layers input", "#search", "#floor svg"] {
        let script = format!("{press} press('{focus}');");
        let shown = page.shown_after("select=worker[3]&level=total:2", &script).unwrap_or_default();
        assert_eq!(text(&shown, "selected"), "reduce63", "{focus}");
        assert_eq!((nodes_in(&shown, "main").len(), nodes_in(&shown, "on").len()), (0, 0), "{focus}");
    }
    // The list of a search closes first.
    let script = format!("{press} press('#search');");
    let shown = page.shown_after("select=worker[3]&search=worker", &script).unwrap_or_default();
    assert_eq!(text(&shown, "selected"), "worker[3]");
}

/// A selection that asks for a size lays out the page once for each question.
#[test]
#[ignore = "long: starts a browser"]
fn a_selection_asks_for_no_size() {
    let page = Page::of("examples/pipeline.dsl", &[]);
    let count = "let asked = 0; for (const side of ['clientWidth', 'clientHeight']) \
                 Object.defineProperty(Element.prototype, side, { get: () => { asked += 1; return 500; } });";
    let say = "by('measure').textContent = `asked ${asked}`;";
    let script = |what: &str| format!("{count} {what} {say}");
    let Some(shown) = page.shown_after("", &script("select({ node: 0 });")) else { return left_out() };
    assert!(text(&shown, "measure").ends_with("asked 0"), "{}", text(&shown, "measure"));
    let resized = page.shown_after("", &script("graph.measure();")).unwrap_or_default();
    assert!(text(&resized, "measure").ends_with("asked 2"), "the count counts");
}

/// The first selection of a page dims the rest. A rule for each element would style them all
/// again, so layers are dimmed as a whole, and copies of what is selected stand above them.
#[test]
#[ignore = "long: starts a browser"]
fn a_selection_styles_layers_and_copies_alone() {
    let page = Page::of("examples/reduce.dsl", &[]);
    let script = "const drawn = [...document.querySelectorAll('.frame svg, .frame svg *')];\
                  const styles = () => drawn.map((one) => {\
                    const { opacity, fill, stroke, strokeWidth, filter, color, display } = getComputedStyle(one);\
                    return [opacity, fill, stroke, strokeWidth, filter, color, display].join();\
                  });\
                  const changes = new MutationObserver(() => {});\
                  for (const { svg } of [floor, graph]) changes.observe(svg, { subtree: true, attributeFilter: ['class', 'style'] });\
                  const before = styles(); select({ node: 3 }); const after = styles();\
                  const styled = drawn.filter((_, at) => before[at] !== after[at]).map((one) => one.getAttribute('class'));\
                  const changed = changes.takeRecords().map(({ target }) => target.getAttribute('class') || target.tagName);\
                  const copies = [...document.querySelectorAll('.front > *')].map((one) => one.getAttribute('class'));\
                  by('measure').textContent = JSON.stringify([drawn.length, styled, changed, copies]);";
    let Some(shown) = page.shown_after("", script) else { return left_out() };
    let said = text(&shown, "measure");
    let said: Value = serde_json::from_str(&said[said.find('[').expect("a list")..]).expect("JSON");
    let count = |list_at: usize, class: &str| {
        list(&said[list_at]).iter().filter(|one| one.as_str() == Some(class)).count()
    };
    assert!(said[0].as_u64() > Some(1000), "{said}");
    let styled = list(&said[1]).len();
    assert_eq!((styled, count(1, "rest dim")), (6, 6), "lines, boxes and heat: {said}");
    // A layer takes a class, and a picture moves.
    let changed = list(&said[2]).len();
    assert_eq!((count(2, "rest dim"), count(2, "svg")), (7, changed - 7), "{said}");
    assert!(changed <= 9, "{said}");
    // The kernel, its three neighbours and its three connections, in both pictures, and buffers.
    let copies = list(&said[3]).len();
    let buffers = count(3, "block on") + count(3, "block stack on");
    assert_eq!((copies - buffers, count(3, "edge on"), count(3, "line on")), (14, 3, 3), "{said}");
    assert!((1..12).contains(&buffers), "{said}");
}

/// Most kernels of this run work in the first 200 cycles of 444,584, which is less than a pixel.
#[test]
#[ignore = "long: starts a browser"]
fn the_strip_shows_at_its_left_edge_what_the_words_say() {
    let script = "const strip = document.querySelector('.strip canvas');\
                  const [context, rows] = [strip.getContext('2d'), view.run.kernels.length];\
                  let works = 0;\
                  for (let row = 0; row < rows; row += 1) {\
                    const [red, green] = context.getImageData(0, ((row + 0.4) * strip.height) / rows, 1, 1).data;\
                    works += green > red;\
                  }\
                  by('measure').textContent = `${works} work`;";
    let Some(shown) = Page::of("examples/reduce.dsl", &[]).shown_after("", script) else { return left_out() };
    assert!(text(&shown, "now").contains(": 63 work, 0 wait"), "{}", text(&shown, "now"));
    assert!(text(&shown, "measure").ends_with("63 work"), "{}", text(&shown, "measure"));
}

/// The strip is drawn once for each theme, and paper has the light one.
#[test]
#[ignore = "long: starts a browser"]
fn paper_has_a_strip_in_light_colours() {
    let script = "{ const strip = document.querySelector('.strip canvas');\
                  const colours = () => {\
                    const { data } = strip.getContext('2d').getImageData(0, 0, strip.width, strip.height);\
                    const found = new Set();\
                    for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) found.add(data.slice(at, at + 3).join('/'));\
                    return found.has('27/127/59') ? 'light' : found.has('79/195/111') ? 'dark' : [...found].join(' ');\
                  };\
                  document.documentElement.dataset.theme = 'dark'; time.paint();\
                  const said = [colours()];\
                  for (const name of ['beforeprint', 'afterprint']) { window.dispatchEvent(new Event(name)); said.push(colours()); }\
                  by('measure').textContent = said.join(); }";
    let Some(shown) = Page::of("examples/reduce.dsl", &[]).shown_after("", script) else { return left_out() };
    assert!(text(&shown, "measure").ends_with(" dark,light,dark"), "{}", text(&shown, "measure"));
}

#[test]
#[ignore = "long: starts a browser"]
fn a_picture_moves_only_to_what_its_frame_does_not_show() {
    let script = "floor.measure(); floor.fit();\
                  const still = floor.svg.style.transform;\
                  const moved = [...floor.boxes.keys()].filter((node) => { floor.revealNode(node); return floor.svg.style.transform !== still; });\
                  floor.zoom(4);\
                  const frame = floor.frame.getBoundingClientRect();\
                  const hidden = [...floor.boxes.keys()].filter((node) => {\
                    floor.revealNode(node);\
                    const box = floor.boxes[node].group.getBoundingClientRect();\
                    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];\
                    return x < frame.left || x > frame.right || y < frame.top || y > frame.bottom;\
                  });\
                  by('measure').textContent = `${floor.boxes.length > 60} ${moved.length} ${hidden.length}`;";
    let Some(shown) = Page::of("examples/reduce.dsl", &[]).shown_after("", script) else { return left_out() };
    assert!(text(&shown, "measure").ends_with(" true 0 0"), "{}", text(&shown, "measure"));
}

/// A new `viewBox` lays out every label again, so a picture moves by a transform of its element.
/// Places under the pointer follow it, also beside the element of a picture scaled down.
#[test]
#[ignore = "long: starts a browser"]
fn a_moved_picture_is_not_drawn_again_and_what_it_shows_is_picked() {
    let page = Page::of("examples/reduce.dsl", &[]);
    let script = "const before = floor.svg.getAttribute('viewBox');\
                  select({ node: 5 }); floor.zoom(3); floor.revealNode(5);\
                  const box = floor.boxes[5].group.getBoundingClientRect();\
                  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true };\
                  const seen = document.elementFromPoint(at.clientX, at.clientY).closest('[data-node]').dataset.node;\
                  const tile = floor.tileAt(floor.place(at)).join();\
                  const same = before === floor.svg.getAttribute('viewBox');\
                  const kept = state.selected.node;\
                  floor.frame.dispatchEvent(new MouseEvent('click', { clientX: 0, clientY: 0, bubbles: true }));\
                  by('measure').textContent = [seen, tile === view.positions.tiles[5].join(), same, kept, state.selected].join();";
    let Some(shown) = page.shown_after("", script) else { return left_out() };
    assert!(text(&shown, "measure").ends_with(" 5,true,true,5,"), "{}", text(&shown, "measure"));
}

#[test]
#[ignore = "long: starts a browser"]
fn a_browser_shows_refusals_and_hostile_names_as_text() {
    let placement = path("tests/cases/route/overfull.placement.json");
    let full = Page::of("tests/cases/route/overfull.dsl", &["--placement", &placement]);
    let Some(shown) = full.shown("") else { return left_out() };
    assert!(text(&shown, "messages").contains("23 nets must cross column 2 going east"));
    assert_eq!(shown.matches("class=\"net wanted\"").count(), 23, "only what crosses the full line");
    assert_eq!(shown.matches("class=\"across\"").count(), 1);

    let cycle = Page::of("examples/pingpong_sync.dsl", &[]).shown("").unwrap_or_default();
    assert!(cycle.contains("<body class=\"unplaced\">") && !cycle.contains("id=\"floor\""));

    let hostile = Page::of_text(HOSTILE).shown("select=a").unwrap_or_default();
    assert!(hostile.contains("a&lt;/script&gt;&lt;img src=x"), "{hostile}");
    assert!(!hostile.contains("<img"));
}
