//! Kernels ask for memory through `oplink::memory` where its size may come from input: other ways end the process where
//! there is none. A size that no input decides has its reason beside it: `// bounded: REASON`, on the line or before it.

use crate::source::Source;

/// Folders of what runs on input.
const KERNELS: &[&str] =
    &["kernels/cpu/", "kernels/elementwise/", "kernels/gpu/", "kernels/ops/", "core/api/src/memory.rs"];

/// Modules for tests.
const TESTS: &[&str] = &["kernels/cpu/support/src/stepping.rs", "kernels/cpu/support/src/testing.rs"];

/// Calls that take a size, and what takes their place.
const CALLS: &[(&str, &str)] = &[
    ("::with_capacity(", "try_vec"),
    (".reserve(", "try_reserve"),
    (".reserve_exact(", "try_reserve"),
    (".resize(", "try_resize"),
    (".resize_with(", "try_resize"),
    (".repeat(", "try_filled"),
    ("repeat_n(", "try_collect"),
];

/// What a reason begins with.
const REASON: &str = "// bounded: ";

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let is_kernel = |path: &str| {
        let is_test = path.contains("/tests/") || path.ends_with("tests.rs") || TESTS.contains(&path);
        KERNELS.iter().any(|start| path.starts_with(start)) && !is_test
    };
    let kernels = sources.iter().filter(|source| is_kernel(&source.path));
    kernels.flat_map(|source| check_one(&source.path, &source.text)).collect()
}

fn check_one(path: &str, text: &str) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let (mut problems, mut before) = (Vec::new(), "");
    for (number, line) in code.lines().enumerate() {
        let has_reason = line.contains(REASON) || before.trim_start().starts_with(REASON);
        if let Some(instead) = unbounded(line).filter(|_| !has_reason) {
            problems.push(format!(
                "{path}:{}: a size that input may decide; use `memory::{instead}`, or say what bounds it: `{REASON}…`",
                number + 1
            ));
        }
        before = line;
    }
    problems
}

/// What takes the place of a call in this line whose size is no constant.
fn unbounded(line: &str) -> Option<&'static str> {
    let code = line.split("//").next().unwrap_or_default();
    if let Some((_, rest)) = code.split_once("vec![")
        && let Some((_, count)) = inside(rest).split_once("; ")
        && !is_constant(count)
    {
        return Some("try_filled");
    }
    let of_call = |(call, instead): &(&'static str, &'static str)| {
        let (_, arguments) = code.split_once(call)?;
        let size = arguments.split([')', ',']).next().unwrap_or_default();
        (!is_constant(size) && !arguments.is_empty()).then_some(*instead)
    };
    CALLS.iter().find_map(of_call)
}

/// What stands before the bracket that closes.
fn inside(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|c: char| {
        depth += i32::from("[({".contains(c)) - i32::from("])}".contains(c));
        depth < 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// Whether a size is made of numbers and constants alone.
fn is_constant(size: &str) -> bool {
    let words = size.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.clone().count() > 0 && words.into_iter().all(|word| word.chars().all(|c| !c.is_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_no_reason_bounds_are_found() {
        let count = |text: &str| check_one("kernels/cpu/x.rs", text).len();
        assert_eq!(count("let v = vec![0; count];"), 1);
        assert_eq!(count("let v = Vec::with_capacity(a.len());"), 1);
        assert_eq!(count("list.resize(size.0, None);"), 1);
        assert_eq!(count("let v = vec![0; 16];\nlet w = vec![0; 2 * TILE];\nlet x = vec![a, b];"), 0);
        assert_eq!(count("let v = vec![a[0]]; let i = a[j];"), 0);
        assert_eq!(count("// bounded: the rank\nlet v = vec![0; rank];"), 0);
        assert_eq!(count("let v = try_filled(0, count)?;\nlet mut w = try_vec(count)?;"), 0);
        assert_eq!(count("#[test]\n#[cfg(test)]\nlet v = vec![0; count];"), 0);
    }
}
