//! The arrows between the files of one crate: who names an item of whom, through re-exports to where it is defined.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{self, Paths};
use crate::source::Source;

/// Re-exports that are followed behind one another.
const MAX_HOPS: usize = 16;

/// A crate's files, by position, with the arrows between them.
pub(super) struct Crate {
    /// Path of each file below `src`.
    pub(super) files: Vec<String>,
    modules: Vec<Vec<String>>,
    /// Files that name items of others.
    pub(super) arrows: BTreeSet<(usize, usize)>,
}

impl Crate {
    /// Reads the files below `folder`, which ends in `src/`.
    pub(super) fn read(folder: &str, sources: &[Source]) -> Self {
        let inside = sources.iter().filter_map(|source| Some((source.path.strip_prefix(folder)?, source)));
        let read: Vec<(String, Vec<String>, Paths)> =
            inside.map(|(path, source)| (path.to_owned(), module_of(path), paths::read(&source.text))).collect();
        let of_tests: BTreeSet<Vec<String>> = read
            .iter()
            .flat_map(|(_, module, paths)| paths.test_modules.iter().map(|name| child(module, name)))
            .collect();
        let is_product =
            |(_, module, _): &(String, Vec<String>, Paths)| !of_tests.iter().any(|of| module.starts_with(of));
        let read: Vec<_> = read.into_iter().filter(is_product).collect();
        let tree =
            Tree { positions: read.iter().enumerate().map(|(at, file)| (&file.1[..], at)).collect(), files: &read };
        let arrows =
            (0..read.len()).flat_map(|from| tree.targets(from).into_iter().map(move |to| (from, to))).collect();
        let (files, modules) = read.iter().map(|(path, module, _)| (path.clone(), module.clone())).unzip();
        Self { files, modules, arrows }
    }

    /// The top-level module of a file; empty for the crate's root.
    pub(super) fn top_module(&self, file: usize) -> &str {
        self.modules[file].first().map_or("", String::as_str)
    }

    /// Arrows between top-level modules, those from the crate's root left out.
    pub(super) fn module_arrows(&self) -> BTreeSet<(&str, &str)> {
        let named = self.arrows.iter().map(|&(from, to)| (self.top_module(from), self.top_module(to)));
        named.filter(|(from, to)| from != to && !from.is_empty()).collect()
    }

    /// Arrows between files, those from the crate's root and those between a folder's `mod.rs` and the files under it
    /// left out: a `mod.rs` is what its files have in common, and their surface.
    pub(super) fn file_arrows(&self) -> BTreeSet<(usize, usize)> {
        let is_under = |a: usize, b: usize| self.modules[a].starts_with(&self.modules[b]);
        let kept = |&&(from, to): &&(usize, usize)| {
            !self.modules[from].is_empty() && !is_under(from, to) && !is_under(to, from)
        };
        self.arrows.iter().filter(kept).copied().collect()
    }
}

/// The circles among arrows: sets of nodes that all reach one another.
pub(super) fn circles<N: Copy + Ord>(arrows: &BTreeSet<(N, N)>) -> Vec<Vec<N>> {
    let nodes: BTreeSet<N> = arrows.iter().flat_map(|&(from, to)| [from, to]).collect();
    let reach: BTreeMap<N, BTreeSet<N>> = nodes.iter().map(|&node| (node, reachable(node, arrows))).collect();
    let mut circles: Vec<Vec<N>> = Vec::new();
    for &node in &nodes {
        let circle: Vec<N> = reach[&node].iter().copied().filter(|other| reach[other].contains(&node)).collect();
        if circle.len() > 1 && circle[0] == node {
            circles.push(circle);
        }
    }
    circles
}

fn reachable<N: Copy + Ord>(from: N, arrows: &BTreeSet<(N, N)>) -> BTreeSet<N> {
    let (mut pending, mut seen) = (vec![from], BTreeSet::new());
    while let Some(node) = pending.pop() {
        let next = arrows.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to);
        pending.extend(next.filter(|to| seen.insert(*to)));
    }
    seen
}

fn module_of(path: &str) -> Vec<String> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let mut module: Vec<String> = path.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod" || module.len() == 1 && last == "lib") {
        module.pop();
    }
    module
}

fn child(module: &[String], name: &str) -> Vec<String> {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

struct Tree<'a> {
    positions: BTreeMap<&'a [String], usize>,
    files: &'a [(String, Vec<String>, Paths)],
}

impl Tree<'_> {
    fn targets(&self, from: usize) -> BTreeSet<usize> {
        let (_, module, paths) = &self.files[from];
        let used = paths.imports.iter().map(|(_, path)| path).chain(&paths.inline);
        let found = used.filter_map(|path| self.absolute(module, path)).filter_map(|path| self.resolve(&path, 0));
        found.filter(|&to| to != from).collect()
    }

    /// The path from the crate's root; `None` for one that leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let mut absolute = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module.split_last()?.1.to_vec(),
            name if self.positions.contains_key(&child(module, name)[..]) => child(module, name),
            _ => return None,
        };
        for segment in rest {
            match segment.as_str() {
                "super" => drop(absolute.pop()?),
                _ => absolute.push(segment.clone()),
            }
        }
        Some(absolute)
    }

    /// The file in which the item of a path is defined.
    fn resolve(&self, path: &[String], hops: usize) -> Option<usize> {
        let depth = (0..=path.len()).rev().find(|&depth| self.positions.contains_key(&path[..depth]))?;
        let at = self.positions[&path[..depth]];
        let Some(name) = path.get(depth) else { return Some(at) };
        let (_, module, paths) = &self.files[at];
        if hops > MAX_HOPS || paths.items.contains(name) {
            return Some(at);
        }
        // A module inside of the file may import the name from the file itself.
        let is_import = |(imported, import): &&(String, Vec<String>)| {
            imported == name && self.absolute(module, import).is_none_or(|target| target != path[..=depth])
        };
        if let Some((_, import)) = paths.imports.iter().find(is_import) {
            let target: Vec<String> =
                self.absolute(module, import)?.into_iter().chain(path[depth + 1..].iter().cloned()).collect();
            return self.resolve(&target, hops + 1);
        }
        let mut globs = paths.imports.iter().filter(|(imported, _)| imported == "*");
        let through = |import: &Vec<String>| {
            let target: Vec<String> =
                self.absolute(module, import)?.into_iter().chain(path[depth..].iter().cloned()).collect();
            let found = self.resolve(&target, hops + 1)?;
            self.files[found].2.items.contains(name).then_some(found)
        };
        let is_macro = |file: &&(String, Vec<String>, Paths)| depth == 0 && file.2.macros.contains(name);
        let exported =
            self.files.iter().find(is_macro).and_then(|(_, module, _)| self.positions.get(&module[..]).copied());
        globs.find_map(|(_, import)| through(import)).or(exported).or(Some(at))
    }
}

#[cfg(test)]
mod tests {
    use super::{Crate, circles};
    use crate::source::Source;

    fn source(path: &str, text: &str) -> Source {
        Source { path: format!("src/{path}"), text: text.to_owned() }
    }

    #[test]
    fn arrows_lead_through_reexports_to_definitions() {
        let sources = [
            source("lib.rs", "mod a; mod b; mod c; pub use a::Node;"),
            source("a/mod.rs", "mod node; pub use node::Node; use crate::b::helper;"),
            source("a/node.rs", "pub struct Node; use super::helper;"),
            source("b.rs", "use crate::Node; pub fn helper() {}"),
            source(
                "c.rs",
                "use std::fmt; fn f() { crate::b::helper() } #[cfg(test)] mod tests { use crate::a::Node; }",
            ),
        ];
        let read = Crate::read("src/", &sources);
        let arrows: Vec<_> = read.module_arrows().into_iter().collect();
        assert_eq!(arrows, [("a", "b"), ("b", "a"), ("c", "b")]);
        assert_eq!(circles(&read.module_arrows()), [["a", "b"]]);
        let files: Vec<_> =
            read.file_arrows().into_iter().map(|(from, to)| (&*read.files[from], &*read.files[to])).collect();
        let expected = [("a/mod.rs", "b.rs"), ("a/node.rs", "b.rs"), ("b.rs", "a/node.rs"), ("c.rs", "b.rs")];
        assert_eq!(files, expected);
    }
}
