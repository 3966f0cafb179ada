//! Paths of files that a file of components names, as paths from the design's folder.

/// `path` as written in a file of `folder`. Both count from the design's folder, which is the empty
/// one. A path of the design itself stays as written, and an absolute one as well.
pub fn beside(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with('/') {
        path.to_owned()
    } else {
        without_detours(&format!("{folder}/{path}"))
    }
}

/// The folder of the file at `path`, without detours. Empty for the design's own.
pub fn folder_of(path: &str) -> String {
    let path = without_detours(path);
    match path.rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((folder, _)) => folder.to_owned(),
        None => String::new(),
    }
}

/// `path` without `.`, empty parts and `..` behind the name of a folder.
pub fn without_detours(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_an_imported_file_count_from_the_design() {
        for (folder, path, found) in [
            ("", "./k/a.cc", "./k/a.cc"),
            ("lib", "k/a.cc", "lib/k/a.cc"),
            ("lib", "../k/a.cc", "k/a.cc"),
            ("../lib", "../../k.cc", "../../k.cc"),
            ("lib", "/k.cc", "/k.cc"),
            ("/lib", "k.cc", "/lib/k.cc"),
        ] {
            assert_eq!(beside(folder, path), found);
        }
    }

    #[test]
    fn paths_lose_their_detours() {
        for (path, clean) in [
            ("./k/x.cc", "k/x.cc"),
            ("a/./b", "a/b"),
            ("/a//b", "/a/b"),
            ("../k.cc", "../k.cc"),
            ("k/../x.cc", "x.cc"),
        ] {
            assert_eq!(without_detours(path), clean);
        }
    }

    #[test]
    fn folders_have_no_detours() {
        for (path, folder) in
            [("a.dsl", ""), ("./a.dsl", ""), ("lib/./a.dsl", "lib"), ("x/../a.dsl", ""), ("/a.dsl", "/")]
        {
            assert_eq!(folder_of(path), folder);
        }
    }
}
