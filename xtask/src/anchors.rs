//! The counts in `anchor!(ops = …, kernels = …, gradients = …)` against the annotations in each crate's sources.

use crate::source::{Source, rust_files};

/// Crates with an anchor: their source folder and the file the anchor stands in.
const ANCHORED: &[(&str, &str)] =
    &[("kernels/ops/src/", "kernels/ops/src/lib.rs"), ("kernels/gpu/src/", "kernels/gpu/src/lib.rs")];

/// The folder of the crates with one family's kernels each.
const FAMILIES: &str = "kernels/cpu/";

/// The crate of gradients: its source folder and the file with the number of them.
const GRADIENTS: (&str, &str) = ("kernels/gradients/src/", "kernels/gradients/src/lib.rs");

/// The crate of formulas: its source folder and the file with the number of each family's.
const FORMULAS: (&str, &str) = ("kernels/elementwise/src/", "kernels/elementwise/src/lib.rs");

/// What begins the line of an anchor.
const ANCHOR: &str = "oplink::anchor!(";

/// What begins the line with the number of gradients.
const DECLARED: &str = "const DECLARED: usize = ";

/// What begins the line with the numbers of formulas.
const FORMULA_COUNTS: &str = "const FAMILIES: [(&str, usize, usize); ";

/// The line with the number of gradients that the sources declare.
fn gradients(sources: &[Source]) -> String {
    let lines = sources.iter().filter(|s| s.path.starts_with(GRADIENTS.0)).flat_map(|s| s.text.lines());
    format!("{DECLARED}{};", lines.filter(|line| line.starts_with("#[gradient(")).count())
}

/// The root of each crate with one family's kernels, and the line that its sources call for.
fn family_anchors(sources: &[Source]) -> Vec<(&Source, String)> {
    let roots = sources.iter().filter(|s| {
        let inner = s.path.strip_prefix(FAMILIES).and_then(|path| path.strip_suffix("/src/lib.rs"));
        inner.is_some_and(|inner| !inner.contains('/')) && s.text.contains(ANCHOR)
    });
    let line = |root: &Source| {
        let folder = root.path.trim_end_matches("lib.rs");
        let lines = sources.iter().filter(|s| s.path.starts_with(folder)).flat_map(|s| s.text.lines());
        let kernels = lines.filter(|line| line.trim_start().starts_with("#[kernel(")).count();
        format!("{ANCHOR}ops = 0, kernels = {kernels});")
    };
    roots.map(|root| (root, line(root))).collect()
}

/// The line with the formulas of each family, whose modules its feature names in the crate's root: those for
/// processors, then those for GPUs.
fn formulas(sources: &[Source]) -> String {
    let mut families: Vec<(&str, [usize; 2])> = Vec::new();
    let lines = || sources.iter().filter(|s| s.path == FORMULAS.1).flat_map(|s| s.text.lines());
    for (feature, module) in lines().zip(lines().skip(1)) {
        let family = feature.strip_prefix("#[cfg(feature = \"").and_then(|rest| rest.strip_suffix("\")]"));
        let module = module.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';'));
        let Some((family, module)) = family.zip(module) else { continue };
        let is_of_module = |s: &&Source| {
            let inner = s.path.strip_prefix(FORMULAS.0).and_then(|path| path.strip_prefix(module));
            inner.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        let counts = sources.iter().filter(is_of_module).map(|source| kernels_by_device(&source.text));
        let [on_cpu, on_gpu] = counts.fold([0; 2], |sum, counts| [sum[0] + counts[0], sum[1] + counts[1]]);
        match families.iter_mut().find(|known| known.0 == family) {
            Some((_, known)) => *known = [known[0] + on_cpu, known[1] + on_gpu],
            None => families.push((family, [on_cpu, on_gpu])),
        }
    }
    let entries =
        [0, 1].map(|device| families.iter().map(move |(family, of)| format!("(\"{family}\", 0, {})", of[device])));
    let entries: Vec<String> = entries.into_iter().flatten().collect();
    format!("{FORMULA_COUNTS}{}] = [{}];", entries.len(), entries.join(", "))
}

/// Kernels of a file for processors and for GPUs, by the devices that their attributes name.
fn kernels_by_device(text: &str) -> [usize; 2] {
    let attributes = text.split("\n#[kernel(").skip(1).map(|rest| rest.split(")]\n").next().unwrap_or_default());
    let attributes: Vec<&str> = attributes.collect();
    ["CPU", "GPU"].map(|device| attributes.iter().filter(|attribute| attribute.contains(device)).count())
}

/// Ops and kernels that the sources of each family folder declare.
fn counts(sources: &[Source], folder: &str) -> Vec<(String, usize, usize)> {
    let mut families: Vec<(String, usize, usize)> = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with(folder)) {
        let Some((family, _)) = source.path[folder.len()..].split_once('/') else { continue };
        let count = |word: &str| source.text.lines().filter(|l| l.trim_start().starts_with(word)).count();
        let (ops, kernels) = (count("#[op("), count("#[kernel("));
        match families.iter_mut().find(|f| f.0 == family) {
            Some(found) => (found.1, found.2) = (found.1 + ops, found.2 + kernels),
            None => families.push((family.to_owned(), ops, kernels)),
        }
    }
    families.retain(|f| f.1 + f.2 > 0);
    families
}

/// Checks each family's line `("family", ops, kernels)` in the anchor's table.
pub(crate) fn check(sources: &[Source]) -> Vec<String> {
    let mut problems = Vec::new();
    for (folder, file) in ANCHORED {
        let text = sources.iter().find(|s| s.path == *file).map_or("", |s| s.text.as_str());
        for (family, ops, kernels) in counts(sources, folder) {
            let line = format!("(\"{family}\", {ops}, {kernels})");
            if !text.contains(&line) {
                problems.push(format!("{file}: the anchor's table must have {line}"));
            }
        }
    }
    for (root, line) in family_anchors(sources).into_iter().filter(|(root, line)| !root.text.contains(line)) {
        problems.push(format!("{}: must have `{line}`", root.path));
    }
    let line = formulas(sources);
    if sources.iter().any(|s| s.path == FORMULAS.1 && !s.text.contains(&line)) {
        problems.push(format!("{}: must have `{line}`", FORMULAS.1));
    }
    let (line, file) = (gradients(sources), GRADIENTS.1);
    if sources.iter().any(|s| s.path == file && !s.text.contains(&line)) {
        problems.push(format!("{file}: must have `{line}`"));
    }
    problems
}

/// Writes the counts into each anchor's table.
pub(crate) fn write() -> Vec<String> {
    let sources = rust_files();
    let mut problems = write_line(&sources, GRADIENTS.1, DECLARED, &gradients(&sources));
    problems.extend(write_line(&sources, FORMULAS.1, FORMULA_COUNTS, &formulas(&sources)));
    for (folder, file) in ANCHORED {
        let Some(source) = sources.iter().find(|s| s.path == *file) else { continue };
        let counts = counts(&sources, folder);
        let line = |line: &str| match counts.iter().find(|c| line.trim_start().starts_with(&format!("(\"{}\", ", c.0)))
        {
            Some((family, ops, kernels)) => format!("    (\"{family}\", {ops}, {kernels}),"),
            None => line.to_owned(),
        };
        let text: Vec<String> = source.text.lines().map(line).collect();
        problems.extend(write_changed(source, &text));
    }
    for (root, anchor) in family_anchors(&sources) {
        let line = |line: &str| if line.starts_with(ANCHOR) { anchor.clone() } else { line.to_owned() };
        let text: Vec<String> = root.text.lines().map(line).collect();
        problems.extend(write_changed(root, &text));
    }
    problems
}

/// Writes a counted line in the place of the file's line that begins like it.
fn write_line(sources: &[Source], file: &str, start: &str, counted: &str) -> Vec<String> {
    let Some(source) = sources.iter().find(|s| s.path == file) else { return Vec::new() };
    let line = |line: &str| if line.starts_with(start) { counted.to_owned() } else { line.to_owned() };
    let text: Vec<String> = source.text.lines().map(line).collect();
    write_changed(source, &text)
}

/// Writes the lines of a file that are others than before: cargo builds what was written.
fn write_changed(source: &Source, lines: &[String]) -> Vec<String> {
    let text = lines.join("\n") + "\n";
    if text == source.text {
        return Vec::new();
    }
    let written = std::fs::write(crate::source::root().join(&source.path), text);
    written.err().map(|error| format!("{}: {error}", source.path)).into_iter().collect()
}
