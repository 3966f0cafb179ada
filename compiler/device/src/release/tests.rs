use super::*;

/// True if `text` names a document: an AMD guide or tutorial, headers of XRT, or a public issue.
fn names_a_document(text: &str) -> bool {
    let digits_after = |mark: &str, count: usize| {
        text.match_indices(mark).any(|(at, _)| {
            let rest = &text[at + mark.len()..];
            rest.len() >= count && rest.bytes().take(count).all(|byte| byte.is_ascii_digit())
        })
    };
    digits_after("UG", 4) || digits_after("XD", 3) || digits_after("XRT ", 4) || digits_after("#", 2)
}

#[test]
fn all_nine_releases_are_there_in_order() {
    let names: Vec<&str> = Release::names().collect();
    assert_eq!(
        names,
        ["2022.1", "2022.2", "2023.1", "2023.2", "2024.1", "2024.2", "2025.1", "2025.2", "2026.1"]
    );
    assert_eq!(Release::named("2020.2"), None);
}

#[test]
fn every_cell_names_its_document() {
    for release in &RELEASES {
        for cell in release.cells() {
            assert!(names_a_document(cell.source), "{release}, {cell:?}");
        }
    }
}

#[test]
fn platforms_are_named_after_board_and_release() {
    for release in &RELEASES {
        let digits = release.name.replace('.', "") + "0";
        let Some(Platform::Named(vck190)) = release.vck190.platform.value else { panic!("{release}") };
        assert_eq!(vck190, format!("xilinx_vck190_base_{digits}_1"), "all nine build for the VCK190");
        if let Some(Platform::Named(name)) = release.vck5000.platform.value {
            assert!(name.starts_with("xilinx_vck5000_") && name.ends_with(&format!("{digits}_1")), "{name}");
        }
    }
}

#[test]
fn the_standard_release_is_the_newest_that_documents_fill() {
    let standard = Release::standard();
    assert!(standard.is_cited(Board::Vck190));
    let newer = RELEASES.iter().skip_while(|release| *release != standard).skip(1);
    for release in newer {
        assert!(release.cells().iter().any(|cell| cell.fact.is_none()), "{release} could be the standard");
    }
}

#[test]
fn limits_only_grow_with_releases() {
    for pair in RELEASES.windows(2) {
        assert!(pair[0].merge_inputs.value <= pair[1].merge_inputs.value);
        assert!(pair[0].host.value <= pair[1].host.value);
        assert!(pair[0].buffers.value <= pair[1].buffers.value);
    }
}
