//! The page itself: one HTML file, with its styles, its scripts and its data.

use askama::Template;

use crate::model::View;

/// The scripts in the order in which they run. They share one scope.
const SCRIPTS: [&str; 7] = [
    include_str!("../page/base.js"),
    include_str!("../page/pane.js"),
    include_str!("../page/floor.js"),
    include_str!("../page/graph.js"),
    include_str!("../page/facts.js"),
    include_str!("../page/time.js"),
    include_str!("../page/main.js"),
];

/// `view.html.askama`
#[derive(Template)]
#[template(path = "view.html.askama", ext = "html")]
struct Page<'a> {
    title: &'a str,
    style: &'static str,
    data: String,
    scripts: [&'static str; 7],
}

/// The page of `view`: text of HTML that names no address outside itself.
pub fn page(view: &View<'_>) -> String {
    let page = Page {
        title: view.name,
        style: include_str!("../page/view.css"),
        data: data(view),
        scripts: SCRIPTS,
    };
    // Writing to a String does not fail.
    page.render().unwrap_or_default()
}

/// The data as JSON that ends no element of HTML: a `<` stands only in strings.
fn data(view: &View<'_>) -> String {
    serde_json::to_string(view).unwrap_or_default().replace('<', "\\u003c")
}
