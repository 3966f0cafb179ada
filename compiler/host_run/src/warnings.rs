//! What a compiler warns of: in goes what it said, out come its warnings, each once, apart by whose file they are about.

/// The warnings in what a compiler said about several sources, those about files of `own` apart from the others. A file that several sources
/// include is warned of once. Each has all its lines, and ends with a line break.
pub fn sorted(said: &[String], own: &[String]) -> (Vec<String>, Vec<String>) {
    let mut all: Vec<String> = Vec::new();
    for warning in said.iter().flat_map(|said| warnings(said)) {
        if all.iter().all(|known| head(known) != head(&warning)) {
            all.push(warning);
        }
    }
    all.into_iter().partition(|warning| own.iter().any(|file| about(warning) == Some(file)))
}

/// What the compiler said, in pieces that begin with a line `FILE:LINE:COLUMN: warning: ...`. Lines about how a file came to be compiled, and
/// notes, are left out.
fn warnings(said: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut inside = false;
    for line in said.lines() {
        if line.contains(": warning: ") {
            found.push(String::new());
            inside = true;
        } else if is_context(line) {
            inside = false;
        }
        if let Some(warning) = found.last_mut().filter(|_| inside) {
            warning.push_str(line);
            warning.push('\n');
        }
    }
    found
}

/// Lines that go before a warning, or that are no warning: they are not indented, as the quoted source is.
fn is_context(line: &str) -> bool {
    !line.starts_with([' ', '\t'])
}

fn head(warning: &str) -> &str {
    warning.lines().next().unwrap_or_default()
}

/// The file that a warning is about.
fn about(warning: &str) -> Option<&str> {
    let (place, _) = head(warning).split_once(": warning: ")?;
    let numbers = place.rsplitn(3, ':').nth(2);
    numbers.or(Some(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_of_users_files_are_told_from_ours_and_come_once() {
        let said = "In file included from /p/aie/kernels/w_leaf.cc:7:
/p/aie/kernels/w.cc: In function 'void w(Comm&)':
/p/aie/kernels/w.cc:4:9: warning: unused variable 'x' [-Wunused-variable]
    4 |     int x;
      |         ^
/p/aie/include/aiec/windows.h:9:1: note: passing parameters has changed
    9 | more
/p/aie/kernels/w_leaf.cc:12:3: warning: something of ours
";
        let again = said.replace("w_leaf", "w_root");
        let own = ["/p/aie/kernels/w_leaf.cc", "/p/aie/kernels/w_root.cc"].map(str::to_owned);
        let (ours, theirs) = sorted(&[said.to_owned(), again], &own);
        assert_eq!(ours.len(), 2);
        let wanted = "/p/aie/kernels/w.cc:4:9: warning: unused variable 'x' [-Wunused-variable]
    4 |     int x;
      |         ^
";
        assert_eq!(theirs, [wanted]);
    }
}
