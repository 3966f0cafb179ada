//! Names of many members in few words, as `aiec_lower` reads them behind `called`.

/// Names that differ in one number which grows by equal steps are one text with a range: `k1`, `k2`
/// and `k3` are `k{1..4}`. The others stay as they are. Three names at least become a range.
pub(super) fn ranges(names: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = names;
    while let Some(first) = rest.first() {
        let (length, text) = longest(rest).unwrap_or_else(|| (1, first.clone()));
        found.push(text);
        rest = &rest[length..];
    }
    found
}

/// The longest range at the start of `names`, and its text.
fn longest(names: &[String]) -> Option<(usize, String)> {
    let (front, first, back) = parts(names.first()?)?;
    let number = |name: &String| {
        let digits = name.strip_prefix(front)?.strip_suffix(back)?;
        digits.parse::<u32>().ok().filter(|number| number.to_string() == digits)
    };
    let step = number(names.get(1)?)?.checked_sub(first).filter(|step| *step > 0)?;
    let fits = |(at, name): &(u32, &String)| {
        Some(u64::from(first) + u64::from(*at) * u64::from(step)) == number(name).map(u64::from)
    };
    let length = (0..).zip(names).take_while(fits).count();
    let end = number(&names[length - 1])?.checked_add(1)?;
    let by = if step == 1 { String::new() } else { format!(" step {step}") };
    (length > 2).then(|| (length, format!("{front}{{{first}..{end}{by}}}{back}")))
}

/// The last number of a name with what stands around it.
fn parts(name: &str) -> Option<(&str, u32, &str)> {
    let end = name.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = name[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    Some((&name[..start], name[start..end].parse().ok()?, &name[end..]))
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
    }
}
