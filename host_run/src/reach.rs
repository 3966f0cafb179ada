//! Which members a constructor of the global graph's class can name. Its own members and those that
//! its bases do not keep private are in reach; of other classes only what is public.

use gimli::{AttributeValue, UnitOffset, constants as dw};

use crate::debug::Entry;
use crate::objects::{Class, Part};

/// The access that a class gives to a member or base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    #[default]
    Public,
    Protected,
    Private,
}

impl Access {
    /// The access of an entry in a class; `is_open` is true for a `struct`, whose parts are public
    /// unless it says otherwise.
    pub(crate) fn of(entry: &Entry<'_>, is_open: bool) -> Self {
        match entry.attr_value(dw::DW_AT_accessibility) {
            Some(AttributeValue::Accessibility(dw::DW_ACCESS_public)) => Self::Public,
            Some(AttributeValue::Accessibility(dw::DW_ACCESS_protected)) => Self::Protected,
            Some(AttributeValue::Accessibility(dw::DW_ACCESS_private)) => Self::Private,
            _ if is_open => Self::Public,
            _ => Self::Private,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Protected => "protected",
            Self::Private => "private",
        }
    }
}

/// How far the class of the global graph reaches on the way to an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// That class. None in front of it.
    class: Option<UnitOffset>,
    /// True in that class and its bases.
    is_own: bool,
    /// The least access to a base since the last member.
    through: Access,
    /// The first member out of reach, in words.
    pub(crate) hidden: Option<String>,
}

impl Reach {
    /// Enters a graph of this class, which counts if none is around it.
    pub(crate) fn enter(&mut self, class: UnitOffset) {
        if self.class.is_none() {
            (self.class, self.is_own) = (Some(class), true);
        }
    }

    /// The reach in a part that all classes can name, such as an element of an array.
    pub(crate) fn public(&self) -> Self {
        Self { is_own: false, through: Access::Public, ..self.clone() }
    }

    /// The reach behind a pointer, which names with points do not follow. In front of the class it
    /// does not matter.
    pub(crate) fn behind_a_pointer(&self) -> Self {
        let hidden = self.class.map(|_| "a pointer leads to it".to_owned());
        Self { hidden: self.hidden.clone().or(hidden), ..self.clone() }
    }

    /// The reach in a part of a class. `has_friends` tells whether the class may have friends that
    /// are not known.
    pub(crate) fn part(
        &self,
        (at, class): (UnitOffset, &Class),
        part: &Part,
        has_friends: impl FnOnce() -> bool,
    ) -> Self {
        let Some(own) = self.class else { return self.clone() };
        let Some(member) = &part.name else {
            // Private bases of the class itself do not hide their members from it.
            let access = if at == own { Access::Public } else { part.access };
            return Self { through: self.through.max(access), ..self.clone() };
        };
        let most = if self.is_own { Access::Protected } else { Access::Public };
        let access = self.through.max(part.access);
        let mut inner = self.public();
        let is_known = at == own || class.friends.contains(&own);
        if access > most && !is_known && self.hidden.is_none() && !has_friends() {
            inner.hidden = Some(format!("`{member}` is {} in `{}`", access.word(), class.name));
        }
        inner
    }
}
