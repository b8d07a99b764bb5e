//! `rust-version` is true of the language, as `clippy::incompatible_msrv` holds it true of the standard library.

use crate::source::Source;

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let found = sources.iter().filter(|source| !source.path.starts_with("xtask/")).flat_map(|Source { path, text }| {
        let guards = text.lines().enumerate().filter(|(_, line)| has_let_guard(line));
        guards.map(move |(at, _)| {
            format!("{path}:{}: `if let` as the guard of an arm needs Rust 1.95, newer than `rust-version`", at + 1)
        })
    });
    found.collect()
}

/// Whether the line has a pattern with a guard that matches another one.
fn has_let_guard(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let Some((pattern, guard)) = code.split_once(" if let ") else { return false };
    let is_pattern =
        !pattern.trim().is_empty() && !pattern.contains(['=', '{', ';']) && !pattern.trim_end().ends_with("else");
    is_pattern && guard.contains("=>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_are_told_from_statements() {
        assert!(has_let_guard("    Pat::Verbatim(tokens) if let Ok(number) = parse(tokens) => {"));
        for other in [
            "if let Some(a) = b {",
            "} else if let Some(a) = b {",
            "a => if let Some(b) = c { d },",
            "// x if let y => z",
        ] {
            assert!(!has_let_guard(other), "{other}");
        }
    }
}
