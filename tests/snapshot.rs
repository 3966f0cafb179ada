//! Golden files of the tests.

use aiec_tests::root;

/// Compares `text` with `NAME.snap` in a folder of the repository.
pub fn assert_snapshot(folder: &str, name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => root().join(folder),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}
