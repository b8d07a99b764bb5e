//! The house rules that no compiler holds: headers, size budget, unsafe rooms, crate edges, anchors, unfinished code,
//! merges, and links between pages.

mod allocation;
mod binding;
mod edges;
mod files;
mod language;
mod layers;
mod links;
mod merges;
mod safety;

/// Runs every check; returns one line a problem.
pub(crate) fn run() -> Vec<String> {
    let sources = crate::source::rust_files();
    let mut problems = files::check(&sources);
    problems.extend(edges::check());
    problems.extend(layers::check(&sources));
    problems.extend(allocation::check(&sources));
    problems.extend(binding::check(&sources));
    problems.extend(safety::check(&sources));
    problems.extend(language::check(&sources));
    problems.extend(merges::check());
    problems.extend(links::check());
    problems.extend(crate::anchors::check(&sources));
    problems.extend(crate::index::check(&sources));
    problems
}
