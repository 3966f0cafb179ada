//! Ways of connections through ports of components. The emitted classes of sub-graphs need them;
//! no other stage reads them.

use crate::ids::SubgraphId;

/// A port of an instance of a component: the instance, and the port's position in
/// [`Subgraph::ports`](crate::design::Subgraph::ports).
pub type Border = (SubgraphId, u32);

/// Where a connection stands, and what it passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The instance of a component whose text has the `connect`. None when it is the design itself.
    pub level: Option<SubgraphId>,
    /// The ports of components between its ends.
    pub borders: Vec<Border>,
    /// The instance whose text states the FIFO. None when it is the design itself.
    pub fifo: Option<SubgraphId>,
}
