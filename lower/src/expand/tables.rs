//! Tables that constructors of kernel classes take (`REGISTER_PARAMETER`).

use aiec_ir::design::{Family, table_port};
use aiec_ir::expanded::PortRole;
use aiec_ir::{Carries, Direction, KernelId};

use super::{Expansion, NewPort};

impl Expansion<'_> {
    /// Gives a kernel a port for each table of its constructor, with a block in memory. The kernels
    /// of a graph have these ports already.
    pub(super) fn constructor_tables(&mut self, kernel: KernelId, declared: &Family) {
        let body = declared.body(self.kernels[kernel].index);
        let declares = |name: &str| declared.ports.iter().any(|port| port.name == name);
        let first = u32::try_from(declared.ports.len()).unwrap_or(u32::MAX);
        for (number, bytes) in (0..).zip(body.tables()) {
            let name = table_port(number);
            if declares(&name) {
                continue;
            }
            let new = NewPort {
                direction: Direction::In,
                name,
                carries: Carries::Table { bytes },
                asynchronous: false,
                role: PortRole::User(first.saturating_add(number)),
                span: declared.span,
            };
            self.kernel_port(kernel, new);
        }
    }
}
