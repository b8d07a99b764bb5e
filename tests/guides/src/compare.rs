//! What a guide shows of a command's output, and what the command printed.
//!
//! Both are the same line by line, but for these:
//!
//! - `…` in a line stands for any text: a time, a size, a folder.
//! - A line that is only `…` stands for any number of lines, none among them.
//! - What cargo says of its own work (`Compiling`, `Finished`, `Running`, …) is not shown.
//! - Blanks at the end of a line, and empty lines at both ends, do not count.

/// What stands for any text.
const ANY: char = '…';

/// What cargo says of its work, behind blanks at the start of a line.
const OF_CARGO: [&str; 12] = [
    "Adding",
    "Blocking",
    "Compiling",
    "Creating",
    "Doc-tests",
    "Downloaded",
    "Downloading",
    "Finished",
    "Locking",
    "Running",
    "Updating",
    "Fresh",
];

/// Holds an output against what is shown.
///
/// # Errors
/// The first line that is shown and not printed, or printed and not shown.
pub fn check(shown: &str, printed: &str) -> Result<(), String> {
    let (shown, printed) = (lines(shown), lines(printed));
    let (mut reached, mut open) = (0, vec![false; printed.len() + 1]);
    open[0] = true;
    // `open[p]`: the shown lines so far are the first `p` printed ones.
    for (at, line) in shown.iter().enumerate() {
        let mut next = vec![false; printed.len() + 1];
        for from in (0..=printed.len()).filter(|from| open[*from]) {
            if line.trim() == ANY.to_string() {
                next[from..].fill(true);
            } else if printed.get(from).is_some_and(|printed| line_matches(line, printed)) {
                next[from + 1] = true;
            }
        }
        if !next.contains(&true) {
            let got = open.iter().position(|open| *open).and_then(|from| printed.get(from));
            let got = got.map_or_else(|| "nothing more".to_owned(), |line| format!("`{line}`"));
            return Err(format!("line {} of what is shown, `{line}`, is not what is printed: {got}", at + 1));
        }
        reached = next.iter().rposition(|open| *open).unwrap_or(reached);
        open = next;
    }
    if open[printed.len()] {
        return Ok(());
    }
    Err(format!("`{}` is printed, and not shown", printed.get(reached).copied().unwrap_or_default()))
}

/// The lines that count.
fn lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !is_of_cargo(line)).collect();
    let start = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(start, |last| last + 1);
    lines[start..end].to_vec()
}

/// Whether cargo says a line of its work.
pub fn is_of_cargo(line: &str) -> bool {
    let said = line.trim_start();
    said.len() < line.len() && OF_CARGO.iter().any(|word| said.split(' ').next() == Some(word))
}

fn line_matches(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split(ANY);
    let Some(mut rest) = parts.next().and_then(|first| printed.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_what_is_shown() {
        for (shown, printed) in [
            ("a\nb\n", "a\nb \n\n"),
            ("a\n", "   Compiling x v0.1.0\na\n"),
            ("took … ms\n", "took 12.5 ms\n"),
            ("…\nb\n…\n", "1\n2\nb\n"),
            ("…\nb\n", "b\n"),
            ("a…c…e\n", "abcde\n"),
        ] {
            check(shown, printed).unwrap_or_else(|error| panic!("{shown:?}, {printed:?}: {error}"));
        }
    }

    #[test]
    fn differences_are_told() {
        for (shown, printed, part) in [
            ("a\nb\n", "a\nc\n", "`b`, is not what is printed: `c`"),
            ("a\n", "a\nb\n", "`b` is printed, and not shown"),
            ("a\nb\n", "a\n", "`b`, is not what is printed: nothing more"),
            ("took … ms\n", "took 12.5 s\n", "`took … ms`"),
            ("Compiling\n", "Compiling x\n", "`Compiling`"),
            ("…\na\n", "b\n", "`a`"),
        ] {
            let error = check(shown, printed).expect_err("a difference");
            assert!(error.contains(part), "{error}");
        }
    }
}
