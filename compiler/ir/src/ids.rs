//! Typed ids and the tables they index.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use aiec_diag::SourceId;

/// A number that identifies an entry of an [`IdVec`].
pub trait Id: Copy {
    /// The id of entry `index`.
    fn from_index(index: usize) -> Self;
    /// The entry's position in its table.
    fn index(self) -> usize;
}

impl Id for SourceId {
    fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Declares id types: one type per table, never a bare index. Each line is a visibility and a name.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $visible:vis $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible struct $name(pub u32);

        impl $crate::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $name {
            /// The entry's position in its table.
            $visible const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A kernel family: one declaration, one C++ source.
    pub FamilyId;
    /// A declared input or output, with all its instances.
    pub ExternalFamilyId;
    /// An instance of a component.
    pub SubgraphId;
    /// A kernel instance.
    pub KernelId;
    /// An instance of an input or output.
    pub ExternalId;
    /// A port of a kernel instance or of an input or output.
    pub PortId;
    /// A connection between two ports.
    pub ConnectionId;
    /// An operation among a group of kernels.
    pub CollectiveId;
    /// A run-time parameter that the host writes or reads.
    pub ParameterId;
    /// A split or merge of packet streams.
    pub SwitchId;
}

/// A table whose entries have ids of type `I`.
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    entries: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// A table without entries.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), id: PhantomData }
    }

    /// A table of `len` equal entries.
    pub fn filled(entry: T, len: usize) -> Self
    where
        T: Clone,
    {
        Self { entries: vec![entry; len], id: PhantomData }
    }

    /// Adds an entry and returns its id.
    pub fn push(&mut self, entry: T) -> I {
        self.entries.push(entry);
        I::from_index(self.entries.len() - 1)
    }

    /// Number of entries; ids below it are in range.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there is no entry.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry with this id. Returns None when the table has none.
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// The ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.entries.len()).map(I::from_index)
    }

    /// The entries in order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// Ids and entries in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.entries.iter().enumerate().map(|(index, entry)| (I::from_index(index), entry))
    }

    /// The entries as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(entries: It) -> Self {
        Self { entries: entries.into_iter().collect(), id: PhantomData }
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.entries).finish()
    }
}
