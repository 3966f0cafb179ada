//! A design or graph that a command compares with another one.

use std::path::{Path, PathBuf};

use aiec_diag::SourceFile;

use crate::args::{Common, Input, Reading};
use crate::graphs::Code;
use crate::invocation::{Invocation, open};
use crate::locate::graph_of;
use crate::pipeline::{Front, Options};
use crate::{choose, project};

/// A checked design or graph, ready to be placed.
pub(crate) struct Compared {
    pub(crate) input: Input,
    pub(crate) source: SourceFile,
    pub(crate) options: Options,
    pub(crate) front: Front,
}

impl Compared {
    /// The design or graph at `path`. Its sources and data are added to `originals`. Constraints go
    /// with graphs alone, so a design leaves them to the other side.
    pub(crate) fn read(
        path: &Path,
        device: Option<&String>,
        common: &Common,
        originals: &mut Vec<PathBuf>,
        invocation: &mut Invocation,
    ) -> Option<Self> {
        let input = Input { design: path.to_path_buf(), reading: Reading::usual(device.cloned()) };
        let mut graph = common.graph.clone();
        if graph_of(path).is_none() {
            graph.constraints.clear();
        }
        let code = Code { graph: &graph, ..common.code() };
        let (source, options) = open(&input, Some(code), Some(&common.placing), invocation)?;
        let front = choose::front(&source, &options, &common.placing, invocation)?;
        originals.extend(project::user_paths(&front.checked, path));
        Some(Self { input, source, options, front })
    }
}
