//! `SAFETY:` comments say what is relied on.

use crate::source::Source;

/// Comments that only point elsewhere. A backquoted name stands for any.
const EMPTY: &[&str] = &[
    "the caller's contract",
    "the caller's promise",
    "the host's arguments",
    "the file's contract",
    "the folder's contract",
    "forwarded to the caller",
    "as above",
    "as in `",
    "made as a box",
    "takes nothing",
];

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let (mut all, mut problems) = (0, Vec::new());
    for Source { path, text } in sources.iter().filter(|source| !source.path.starts_with("xtask/")) {
        for (line, comment) in comments(text) {
            all += 1;
            if is_empty(&comment) {
                problems.push(format!("{path}:{line}: `SAFETY: {comment}` does not say what is relied on"));
            }
        }
    }
    println!("SAFETY comments: {all}, of which {} only point elsewhere", problems.len());
    problems
}

/// The comments with their line numbers, each in one line and without its full stop.
fn comments(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((_, first)) = line.split_once("// SAFETY:") else { continue };
        let rest = lines[at + 1..].iter().map_while(|line| line.trim_start().strip_prefix("// "));
        let whole: Vec<&str> = std::iter::once(first.trim()).chain(rest.map(str::trim)).collect();
        found.push((at + 1, whole.join(" ").trim_end_matches('.').to_owned()));
    }
    found
}

fn is_empty(comment: &str) -> bool {
    EMPTY.iter().any(|phrase| match phrase.strip_suffix('`') {
        Some(start) => {
            comment.strip_prefix(start).is_some_and(|name| name.matches('`').count() == 2 && name.ends_with('`'))
        }
        None => comment == *phrase,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_only_point_elsewhere_are_found() {
        let text = "// SAFETY: as in `pop`.\nlet a;\n    // SAFETY: the caller's contract.\nlet b;\n\
                    // SAFETY: `a` is alive\n// during the call.\nlet c;\n// SAFETY: as in `pop`; the list is
                    // locked.\n";
        let found = comments(text);
        let empty: Vec<bool> = found.iter().map(|(_, comment)| is_empty(comment)).collect();
        assert_eq!(empty, [true, true, false, false], "{found:?}");
        assert_eq!(found[2], (5, "`a` is alive during the call".to_owned()));
    }
}
