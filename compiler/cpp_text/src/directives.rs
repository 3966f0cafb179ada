//! Preprocessor directives: their names, and what stands behind. Comments inside do not count.

use crate::{Kind, Token, Tokens, tokens};

/// A preprocessor directive.
#[derive(Clone, Debug)]
pub struct Directive<'a> {
    /// From `#` to the end of its last line, in the text that it was read from.
    pub whole: Token<'a>,
    /// Its name, such as `ifdef`. Empty for `#` alone and for line markers.
    pub name: &'a str,
    /// The tokens behind the name.
    pub rest: Vec<Token<'a>>,
}

impl<'a> Directive<'a> {
    /// The directive that `token` of `text` is. Returns None when it is none.
    pub fn of(text: &'a str, token: Token<'a>) -> Option<Self> {
        let inside = Tokens::inside(text, &token)?;
        let mut rest: Vec<Token<'a>> = inside.filter(|token| token.kind != Kind::Comment).collect();
        let is_named = rest.first().is_some_and(|first| first.kind == Kind::Word);
        let name = if is_named { rest.remove(0).text } else { "" };
        Some(Self { whole: token, name, rest })
    }

    /// The texts of the tokens behind the name.
    pub fn words(&self) -> Vec<&'a str> {
        self.rest.iter().map(|token| token.text).collect()
    }

    /// The file that it includes, with its quotes or brackets, or the macro that stands for the
    /// file. Returns None when it includes none.
    pub fn included(&self) -> Option<&'a str> {
        names_file(self.name).then(|| self.rest.first().map_or("", |token| token.text))
    }
}

/// The directives of `text`, in order.
pub fn directives(text: &str) -> impl Iterator<Item = Directive<'_>> {
    tokens(text).filter_map(move |token| Directive::of(text, token))
}

/// What each directive of `text` includes, as [`Directive::included`].
pub fn includes(text: &str) -> impl Iterator<Item = &str> {
    directives(text).filter_map(|directive| directive.included())
}

/// The names of the files that `text` includes with quotes.
pub fn quoted_includes(text: &str) -> impl Iterator<Item = &str> {
    includes(text).filter_map(|name| name.strip_prefix('"')?.strip_suffix('"'))
}

/// True for the names of directives that include a file; GCC has the last two.
pub(crate) fn names_file(name: &str) -> bool {
    matches!(name, "include" | "include_next" | "import")
}
