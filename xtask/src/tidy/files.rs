//! Checks on single files.

use crate::source::Source;

/// Lines that a file may have; flat tables, which say so in their first line, may have more.
const BUDGET: usize = 400;

/// Columns of a line of a comment.
const COLUMNS: usize = 120;

/// Files in which `unsafe` may stand.
const UNSAFE_ROOMS: &[&str] = &[
    "capi/",
    "core/api/src/element.rs",
    "core/api/src/parallel.rs",
    "core/api/src/tensor/",
    "core/api/src/tstring.rs",
    "core/abi/tests/it/stream_executor.rs",
    "core/api/tests/it/values.rs",
    "core/host/",
    "core/src/memory/host.rs",
    "core/src/memory/region.rs",
    "core/src/memory/small_blocks.rs",
    "core/src/pool/job.rs",
    "core/abi/src/torch.rs",
    "devices/cuda/src/driver/",
    "devices/cuda/src/foreign/",
    "devices/gpu/src/libraries.rs",
    "devices/gpu/src/vulkan/heap.rs",
    "devices/gpu/src/vulkan/kept.rs",
    "devices/gpu/benches/cuda/direct/",
    "devices/gpu/src/cuda/driver/",
    "devices/pluggable/src/context/wake.rs",
    "devices/pluggable/src/executor/",
    "devices/pluggable/src/platform/",
    "devices/pluggable/src/padded_struct.rs",
    "devices/pluggable/tests/",
    "core/tests/it/pinned.rs",
    "devices/sim/src/control.rs",
    "devices/sim/src/device.rs",
    "devices/sim/src/memory.rs",
    "tests/devices/src/sim.rs",
    "hosts/common/src/call.rs",
    "hosts/common/src/memory.rs",
    "hosts/common/src/query/c.rs",
    "hosts/common/tests/",
    "hosts/jax/",
    "hosts/onnxruntime/",
    "hosts/torch/",
    "kernels/cpu/contraction/src/direct/tile.rs",
    "kernels/cpu/contraction/src/direct/mod.rs",
    "kernels/cpu/contraction/src/direct/winograd.rs",
    "kernels/cpu/contraction/src/direct/winograd_gradient.rs",
    "kernels/cpu/contraction/src/direct/winograd_once.rs",
    "kernels/cpu/contraction/src/direct/outputs.rs",
    "kernels/cpu/contraction/src/direct/transformed.rs",
    "kernels/cpu/contraction/src/direct/prefetch.rs",
    "kernels/cpu/contraction/src/direct/filter_gradient.rs",
    "kernels/cpu/contraction/src/direct/tiling.rs",
    "kernels/cpu/contraction/src/dot/amx.rs",
    "kernels/cpu/contraction/src/dot/byte_ways.rs",
    "kernels/cpu/contraction/src/dot/product.rs",
    "kernels/cpu/contraction/src/dot/tile.rs",
    "kernels/cpu/contraction/src/dot/ways.rs",
    "kernels/cpu/contraction/src/gemm.rs",
    "kernels/cpu/contraction/src/packed_row.rs",
    "kernels/cpu/contraction/src/register.rs",
    "kernels/cpu/contraction/src/shared_output.rs",
    "kernels/cpu/contraction/src/taps.rs",
    "kernels/cpu/contraction/src/tile.rs",
    "plugin/",
    "macros/expand/tests/it/errors/kernel_signatures.rs",
    "python/src/buffer.rs",
    "python/src/dlpack.rs",
    "python/src/same_thread.rs",
    "python/src/tensor.rs",
    "tests/host/",
    "tests/hosts/gpu/",
    "tests/it/counting.rs",
];

/// Text that product code must not contain.
const UNFINISHED: &[&str] = &["todo!(", "unimplemented!(", "#[ignore", "#[should_panic", "dbg!("];

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    sources.iter().filter(|s| !is_case(&s.path) && !s.path.starts_with("xtask/")).flat_map(check_one).collect()
}

/// UI test cases are written to be wrong; generated code is not edited.
fn is_case(path: &str) -> bool {
    path.contains("ui-tests/cases/") || path.contains("/generated")
}

fn check_one(source: &Source) -> Vec<String> {
    let Source { path, text } = source;
    let mut problems = Vec::new();
    let first = text.lines().next().unwrap_or_default();
    if !first.starts_with("//!") {
        problems.push(format!("{path}:1: a file starts with a `//!` line that says what it is"));
    }
    let lines = text.lines().count();
    if lines > BUDGET && !first.contains("flat table") {
        problems.push(format!("{path}: {lines} lines, the budget is {BUDGET}: split it by role"));
    }
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for word in UNFINISHED.iter().filter(|word| code.contains(**word)) {
            problems.push(format!("{path}:{}: `{word}` does not ship", number + 1));
        }
    }
    problems.extend(wide_comments(text).map(|line| format!("{path}:{line}: a comment of more than {COLUMNS} columns")));
    if uses_unsafe(text) && !UNSAFE_ROOMS.iter().any(|room| path.starts_with(room)) {
        problems.push(format!("{path}: unsafe outside the rooms listed in xtask/src/tidy/files.rs"));
    }
    problems
}

/// The numbers of the lines that are too wide: code in comments and tables cannot be wrapped.
fn wide_comments(text: &str) -> impl Iterator<Item = usize> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let comment = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']).trim_start();
        is_code ^= comment.starts_with("```");
        let is_wide = line.chars().count() > COLUMNS && !is_code && !comment.starts_with('|');
        is_wide.then_some(index + 1)
    })
}

fn uses_unsafe(text: &str) -> bool {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).any(|code| {
        // The type of a pointer to a C function promises nothing; who calls through it does.
        let code = code.replace("unsafe extern \"C\" fn(", "");
        ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait", "unsafe extern"].iter().any(|word| code.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_comments_are_told_but_not_code_in_them() {
        let wide = "x".repeat(COLUMNS);
        let text = format!(
            "// {wide}\nlet x = 1; // {wide}\n/// ```\n/// {wide}\n/// ```\n/// | {wide} |\n    /// a {wide}\n"
        );
        assert_eq!(wide_comments(&text).collect::<Vec<_>>(), [1, 7]);
    }
}
