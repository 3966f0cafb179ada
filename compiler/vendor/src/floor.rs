//! A placement put together from constraints and reports of the mapper.
//!
//! Takes any number of files of one run. The mapper's report has sizes and connections, constraints
//! have the stacks of kernels. Parts that both have must agree. [`verify`] checks the result
//! against the array.

mod build;
mod verify;

use aiec_device::Tile;
use aiec_diag::Span;

pub use build::build;
pub use verify::verify;

/// A placement. It may lack parts that no file has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Floor {
    /// Kernels with their cores, in the order of the files.
    pub kernels: Vec<Kernel>,
    /// Stacks and buffers whose place a file states.
    pub blocks: Vec<Block>,
    /// Inputs and outputs whose column a file states.
    pub shims: Vec<Shim>,
    /// Connections whose buffers a file states.
    pub links: Vec<Link>,
}

/// A kernel on its core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The name with the graphs around it, such as `g.k1`.
    pub name: String,
    /// The tile of its core.
    pub tile: Tile,
    /// Its place in a file.
    pub span: Span,
}

/// A stack or a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The name in messages: of the buffer in a report, or of the port in constraints.
    pub name: String,
    /// True for a stack with its heap and sync area.
    pub stack: bool,
    /// The tile whose memory holds it.
    pub module: Tile,
    /// The bank, if a file names one.
    pub bank: Option<u32>,
    /// Bytes from the start of the module. None when the file leaves it open.
    pub offset: Option<u32>,
    /// Its size in bytes. Constraints have none.
    pub bytes: Option<u32>,
    /// The ports that use it, in the form `g.k.in[0]`. For a stack, its kernel, if a file states
    /// it.
    pub users: Vec<String>,
    /// Its place in a file.
    pub span: Span,
}

/// An input or output of the array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shim {
    /// The name of the PLIO or GMIO for the tools.
    pub name: String,
    /// True for an input. None when no file states it.
    pub input: Option<bool>,
    /// The column of the interface row.
    pub column: u16,
    /// The channel. GMIOs have none.
    pub channel: Option<u32>,
    /// Its place in a file.
    pub span: Span,
}

/// A connection whose buffers a file states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The port that writes.
    pub from: String,
    /// The port that reads. None when the file does not name it.
    pub to: Option<String>,
    /// True if both ends are kernels that use the same buffers, so that no DMA is needed.
    pub shared: bool,
}

impl Floor {
    /// The kernel that a port, or a stack, belongs to: `g.k` for `g.k.in[0]`.
    pub fn kernel_of(&self, user: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| owns(&kernel.name, user))
    }
}

/// True if `user` is the kernel or one of its ports.
fn owns(kernel: &str, user: &str) -> bool {
    user.strip_prefix(kernel)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') && !rest[1..].contains('.'))
}

#[cfg(test)]
mod tests;
