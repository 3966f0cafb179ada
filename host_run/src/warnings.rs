//! Warnings of a compiler: takes its messages and returns each warning once, those about own files
//! apart.

/// The warnings in a compiler's messages about several sources, those about files of `own` apart
/// from the others. A file that several sources include gives one warning. Each warning keeps all
/// its lines and ends with a line break.
pub fn sorted(said: &[String], own: &[String]) -> (Vec<String>, Vec<String>) {
    let mut all: Vec<String> = Vec::new();
    for warning in said.iter().flat_map(|said| warnings(said)) {
        if all.iter().all(|known| head(known) != head(&warning)) {
            all.push(warning);
        }
    }
    all.into_iter().partition(|warning| own.iter().any(|file| about(warning) == Some(file)))
}

/// The messages, split before each line `FILE:LINE:COLUMN: warning: ...`. Notes, and lines about
/// the chain of includes, are left out.
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

/// True for lines before a warning and lines without one: they are not indented, as the quoted
/// source is.
fn is_context(line: &str) -> bool {
    !line.starts_with([' ', '\t'])
}

fn head(warning: &str) -> &str {
    warning.lines().next().unwrap_or_default()
}

/// The file of a warning.
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
