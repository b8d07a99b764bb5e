//! Kernels take their arguments by name: neither the context, nor positions, nor the names of attrs as texts.

use crate::source::Source;

/// Folders of built-in kernels.
const KERNELS: &[&str] = &["kernels/cpu/", "kernels/elementwise/", "kernels/gpu/"];

/// Modules that the kernels of several ops share and that meet the raw context: backends, runs of one kernel in tests.
/// The list only shrinks.
const SUPPORT: &[&str] = &["kernels/cpu/support/src/stepping.rs", "kernels/cpu/support/src/testing.rs"];

/// Calls that take a position.
const BY_POSITION: &[&str] = &[
    ".input(",
    ".allocate_output(",
    ".allocate_and_set_output(",
    ".set_output(",
    ".set_scalar(",
    ".take_input(",
    ".resource::<",
    ".handle(",
    ".forward_or_allocate(",
];

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let (mut kernels, mut raw_kernels, mut positions, mut texts) = (0, 0, 0, 0);
    let mut problems = Vec::new();
    let is_kernel = |path: &str| KERNELS.iter().any(|folder| path.starts_with(folder)) && path.contains("/src/");
    for Source { path, text } in sources.iter().filter(|source| is_kernel(&source.path)) {
        let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
        kernels += code.lines().filter(|line| line.trim_start().starts_with("#[kernel(")).count();
        if SUPPORT.iter().any(|start| path.starts_with(start)) {
            continue;
        }
        raw_kernels += raw_items(code);
        for (line, found) in code.lines().enumerate().flat_map(|(line, text)| accesses(text).map(move |a| (line, a))) {
            match found {
                Access::Position => positions += 1,
                Access::Text => texts += 1,
            }
            problems.push(format!("{path}:{}: a kernel takes its arguments by name", line + 1));
        }
        if raw_items(code) > 0 {
            problems.push(format!("{path}: a kernel takes the raw context; bind its arguments by name"));
        }
    }
    let by_name = kernels - raw_kernels.min(kernels);
    let share = 100 * by_name / kernels.max(1);
    println!("kernels: {kernels}, of which {by_name} ({share} %) bind by name or by typed arguments");
    println!("positional accesses: {positions}; attrs by text: {texts}");
    problems
}

enum Access {
    Position,
    Text,
}

/// What a line of code reaches without its name.
fn accesses(line: &str) -> impl Iterator<Item = Access> {
    let code = line.split("//").next().unwrap_or_default();
    let position = BY_POSITION.iter().any(|call| {
        let mut rest = code;
        std::iter::from_fn(|| {
            let at = rest.find(call)?;
            rest = &rest[at + call.len()..];
            Some(rest)
        })
        .any(|after| {
            let arguments = after.split_once(">(").filter(|_| call.ends_with('<')).map_or(after, |parts| parts.1);
            arguments.starts_with(|c: char| c.is_ascii_digit() || c == '&') && code.contains("context")
        })
    });
    let attr = [".attr(\"", ".attr::<"]
        .iter()
        .any(|call| code.split_once(call).is_some_and(|(_, rest)| call.ends_with('"') || rest.contains(">(\"")));
    position.then_some(Access::Position).into_iter().chain(attr.then_some(Access::Text))
}

/// Kernels of a file, by their attributes, that take the raw context.
fn raw_items(code: &str) -> usize {
    let mut attributes = 0;
    let (mut raw, mut signature) = (0, None::<String>);
    for line in code.lines() {
        let line = line.trim_start();
        if line.starts_with("#[kernel(") {
            attributes += 1;
        } else if attributes > 0 && signature.is_none() && (line.contains("fn ") || line.starts_with("impl")) {
            signature = Some(String::new());
        }
        let Some(text) = &mut signature else { continue };
        text.push_str(line);
        if line.ends_with('{') || line.ends_with("{}") {
            if text.contains("KernelContext") && !text.contains("AsyncKernelContext") || text.contains("RawKernel") {
                raw += attributes;
            }
            (attributes, signature) = (0, None);
        }
    }
    raw
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_by_position_and_text_are_found() {
        let count = |line| accesses(line).count();
        assert_eq!(count("let x = context.input(0);"), 1);
        assert_eq!(count("context.resource::<Variable>(3)?"), 1);
        assert_eq!(count("let alpha: f32 = context.attr(\"alpha\")?;"), 1);
        assert_eq!(count("values.input(at)"), 0);
        assert_eq!(count("output.set_scalar(0)"), 0);
    }

    #[test]
    fn kernels_on_the_raw_context_are_counted_by_their_attributes() {
        let code = "#[kernel(A, device = CPU)]\n#[kernel(B, device = CPU)]\npub fn a(context: &mut KernelContext<'_>) -> R {\n}\n\
                    #[kernel(C, device = CPU)]\nfn c(x: &Tensor) -> Tensor {\n}\n\
                    #[kernel(D, device = GPU)]\nimpl HostFallback for D {}\nfn e(context: &KernelContext<'_>) {\n}\n";
        assert_eq!(raw_items(code), 2);
    }
}
