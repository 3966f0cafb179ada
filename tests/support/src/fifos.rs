//! FIFOs of connections: their depths and places.

use aiec_ir::fifos::{FifoKind, FifoPlace};

use crate::{Builder, Connect};

impl Builder {
    /// Gives the last connection a FIFO of this number of words.
    pub fn fifo(&mut self, words: u32) -> &mut Self {
        self.connects.iter_mut().rev().take(1).for_each(|connect| connect.fifo = Some(words));
        self
    }

    /// Gives the connections that end at a port a FIFO of this number of words.
    pub fn depth_to(&mut self, to: &str, words: u32) -> &mut Self {
        self.connects
            .iter_mut()
            .filter(|connect| connect.to == to)
            .for_each(|connect| connect.fifo = Some(words));
        self
    }

    /// Gives the FIFOs of the connections that leave a port another place.
    pub fn fifo_of(&mut self, from: &str, column: i64, row: Option<i64>, kind: FifoKind) -> &mut Self {
        self.fifo_where(&format!("of {from}"), (column, row, kind), |connect| connect.from == from)
    }

    /// Gives the FIFOs of the connections that end at a port another place.
    pub fn fifo_to(&mut self, to: &str, column: i64, row: Option<i64>, kind: FifoKind) -> &mut Self {
        self.fifo_where(&format!("to {to}"), (column, row, kind), |connect| connect.to == to)
    }

    fn fifo_where(
        &mut self,
        which: &str,
        (column, row, kind): (i64, Option<i64>, FifoKind),
        is_it: impl Fn(&Connect) -> bool,
    ) -> &mut Self {
        let span = self.line(&format!("fifo {which} at {column}"));
        let place = FifoPlace { column, row, kind, span };
        let all = self.connects.iter_mut().filter(|connect| is_it(connect));
        all.for_each(|connect| connect.fifo_places.push(place));
        self
    }
}
