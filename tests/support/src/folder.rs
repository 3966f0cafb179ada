//! A temporary folder that tests fill with designs and look into.
#![allow(clippy::disallowed_methods, clippy::expect_used, reason = "tests prepare and read files")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Two kernels, one after the other, with an input from GMIO and an output to PLIO: a design, its
/// sources and its data.
pub const DESIGN: &str = "design d
device toy
ports window
const N = 16
kernel a(in x: window int32[N], out y: window int32[N]) { source \"kernels/a.cc\" }
kernel b(in x: window int32[N], out y: window int32[N]) { source \"kernels/b.cc\" }
input i from gmio(\"data/i.txt\")
output o to plio(32, \"data/o.txt\")
connect i -> a.x
connect a.y -> b.x
connect b.y -> o
";

/// The source of a kernel of [`DESIGN`].
pub fn kernel(name: &str) -> String {
    format!(
        "#include <adf.h>\nvoid {name}(input_window<int32> *x, output_window<int32> *y) {{\n    \
         for (int i = 0; i < 16; ++i) window_writeincr(y, window_readincr(x));\n}}\n"
    )
}

/// A graph of its user's: one kernel that copies four values from `in.txt` to the output `copied`.
pub const GRAPH: [(&str, &str); 4] = [
    (
        "project.cpp",
        "#include \"kernels/copy.h\"
struct one : adf::graph {
    adf::kernel k = adf::kernel::create(copy);
    adf::input_plio in = adf::input_plio::create(adf::plio_32_bits, \"in.txt\");
    adf::output_plio out = adf::output_plio::create(\"copied\", adf::plio_32_bits, \"data/out.txt\");
    one() {
        adf::source(k) = \"kernels/copy.cc\";
        adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::window<16>>(in.out[0], k.in[0]);
        adf::connect<adf::window<16>>(k.out[0], out.in[0]);
    }
} g;
int main() {
    g.init();
    g.run(1);
    g.end();
}
",
    ),
    ("kernels/copy.h", "#include <adf.h>\nvoid copy(input_window<int32> *in, output_window<int32> *out);\n"),
    (
        "kernels/copy.cc",
        "#include \"kernels/copy.h\"
void copy(input_window<int32> *in, output_window<int32> *out) {
    for (int i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in));
}
",
    ),
    ("in.txt", "1\n2\n3\n4\n"),
];

/// A folder that is deleted when dropped. Paths are relative to it.
#[derive(Debug)]
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// With these files and their texts.
    ///
    /// # Panics
    ///
    /// Panics, as all its methods do, if the disk does not do what is asked.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary directory"));
        files.iter().for_each(|(path, text)| folder.write(path, text));
        folder
    }

    /// The whole path of a file.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.0.path().join(relative)
    }

    /// The whole path of a file, as an argument.
    pub fn name(&self, relative: &str) -> String {
        self.path(relative).display().to_string()
    }

    /// Writes a file, and makes its folders.
    ///
    /// # Panics
    ///
    /// Panics if the file cannot be written.
    pub fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    }

    /// Writes a program that can be started.
    ///
    /// # Panics
    ///
    /// Panics if the file cannot be written.
    pub fn program(&self, relative: &str, text: &str) {
        self.write(relative, text);
        fs::set_permissions(self.path(relative), fs::Permissions::from_mode(0o755)).expect("ours");
    }

    /// The text of a file.
    ///
    /// # Panics
    ///
    /// Panics if it is not there.
    pub fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("there")
    }
}

/// Declares a private type that is a [`Folder`] with methods of its own.
#[macro_export]
macro_rules! workshop {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        struct $name($crate::folder::Folder);

        impl std::ops::Deref for $name {
            type Target = $crate::folder::Folder;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    };
}
