//! Names of many members or files in few words, as `aiec_ir::patterns` reads them.

/// Names that differ in one number which grows by equal steps are one text with a range: `k1`, `k2`
/// and `k3` are `k{1..4}`. The others stay as they are. Three names at least become a range.
pub(crate) fn ranges(names: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = names;
    while let Some(first) = rest.first() {
        let range = longest(rest).filter(|(length, _)| *length > 2);
        let (length, text) = range.unwrap_or_else(|| (1, first.clone()));
        found.push(text);
        rest = &rest[length..];
    }
    found
}

/// The range that all `names` are, with a number for each. Returns None when they are none.
pub(crate) fn range(names: &[String]) -> Option<String> {
    longest(names).filter(|(length, _)| *length == names.len()).map(|(_, text)| text)
}

/// The longest range of at least two names at the start of `names`, and its text.
fn longest(names: &[String]) -> Option<(usize, String)> {
    let found = numbers(names.first()?).filter_map(|parts| counted(names, parts));
    found.max_by_key(|(length, _)| *length)
}

/// The range at the start of `names` that counts by the number between `front` and `back`.
fn counted(names: &[String], (front, first, back): (&str, u32, &str)) -> Option<(usize, String)> {
    let number = |name: &String| {
        let digits = name.strip_prefix(front)?.strip_suffix(back)?;
        digits.parse::<u32>().ok().filter(|number| number.to_string() == digits)
    };
    (number(names.first()?)? == first).then_some(())?;
    let step = number(names.get(1)?)?.checked_sub(first).filter(|step| *step > 0)?;
    let fits = |(at, name): &(u32, &String)| {
        Some(u64::from(first) + u64::from(*at) * u64::from(step)) == number(name).map(u64::from)
    };
    let length = (0..).zip(names).take_while(fits).count();
    let end = number(&names[length - 1])?.checked_add(1)?;
    let by = if step == 1 { String::new() } else { format!(" step {step}") };
    Some((length, format!("{front}{{{first}..{end}{by}}}{back}")))
}

/// The numbers of a name with what stands around them, the first one first.
fn numbers(name: &str) -> impl Iterator<Item = (&str, u32, &str)> {
    let is_digit = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let starts = (0..name.len()).filter(move |&at| is_digit(at) && (at == 0 || !is_digit(at - 1)));
    starts.filter_map(move |start| {
        let rest = &name[start..];
        let back = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        Some((&name[..start], rest[..rest.len() - back.len()].parse().ok()?, back))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(names: &[&str]) -> Vec<String> {
        ranges(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn equal_steps_are_a_range() {
        assert_eq!(all(&["k1", "k2", "k3", "k5", "k6", "k7"]), ["k{1..4}", "k{5..8}"]);
        assert_eq!(all(&["m[0]", "m[4]", "m[8]", "m[9]"]), ["m[{0..9 step 4}]", "m[9]"]);
        assert_eq!(all(&["a", "k1", "k2", "b7"]), ["a", "k1", "k2", "b7"]);
        assert_eq!(all(&["k01", "k02", "k03"]), ["k01", "k02", "k03"], "zeros are part of the name");
        assert_eq!(all(&["a1_x8", "a2_x8", "a3_x8"]), ["a{1..4}_x8"], "any number may grow");
    }
}
