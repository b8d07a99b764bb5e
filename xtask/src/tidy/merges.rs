//! No file has what git leaves of a merge that nobody finished: scripts and documents compile with it.

use crate::source::Source;

pub(super) fn check() -> Vec<String> {
    crate::source::text_files().iter().flat_map(check_one).collect()
}

fn check_one(Source { path, text }: &Source) -> Vec<String> {
    let marked = text.lines().enumerate().filter(|(_, line)| is_marker(line));
    marked.map(|(at, line)| format!("{path}:{}: a merge is not finished: `{line}`", at + 1)).collect()
}

/// Whether the line is one that git puts around the two sides.
fn is_marker(line: &str) -> bool {
    ['<', '>', '|']
        .iter()
        .any(|&side| line.strip_prefix(&*side.to_string().repeat(7)).is_some_and(|rest| rest.starts_with(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_other_lines() {
        let text = ["stage a", "<<<<<<< HEAD", "stage b", "=======", "stage c", ">>>>>>> other"].join("\n");
        let problems = check_one(&Source { path: "run".to_owned(), text });
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("run:2: a merge is not finished"), "{problems:?}");
        for other in ["<<<<<<<", "  <<<<<<< HEAD", "<<< HEAD", "x >>>>>>> y", "| a | b |"] {
            assert!(!is_marker(other), "{other}");
        }
    }
}
