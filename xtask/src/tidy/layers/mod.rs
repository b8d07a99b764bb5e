//! The layers of crates that have some: an arrow between their modules leads down, or along a layer, and never in a
//! circle.

mod arrows;
mod paths;

use std::collections::BTreeSet;

use arrows::{Crate, circles};

use crate::source::Source;

/// The layers of a crate.
struct Layers {
    /// Its folder of sources.
    folder: &'static str,
    /// The lowest layer first; every module that others name, or that names others, stands in one.
    layers: &'static [&'static [&'static str]],
    /// Modules that are one circle, with the reason in `ARCHITECTURE.md`. The list only shrinks.
    circle: &'static [&'static str],
}

/// The crates that have layers.
const CRATES: &[Layers] = &[
    Layers {
        folder: "core/graph/src/",
        layers: &[
            &["attr_hash", "known_ops", "names", "convert", "transfer", "library"],
            &["graph"],
            &["infer"],
            &["build", "export"],
            &["import"],
            &["functions", "load", "gradients", "while_loop", "signature"],
            &["passes", "kernels"],
            &["sequential", "dataflow", "placement"],
            &["executor"],
            &["function_runtime"],
            &["session", "eager"],
        ],
        circle: &[],
    },
    Layers {
        folder: "core/src/",
        layers: &[
            &["pool", "memory"],
            &["device", "env"],
            &["registry"],
            &["collect"],
            &["run_error"],
            &["async_run"],
            &["prepared"],
        ],
        circle: &[],
    },
    Layers {
        folder: "core/api/src/",
        layers: &[
            &["error", "io_error", "memory", "positioned_file", "tstring", "log"],
            &["shape", "cancellation", "interrupt"],
            API_VALUES_AND_KERNELS,
            &["attr_conversions", "parallel", "shape_fns", "signature"],
            &["resolve"],
        ],
        circle: API_VALUES_AND_KERNELS,
    },
];

/// A tensor holds variables and functions (by resource handles), those hold tensors, and a kernel's context names all
/// of them.
const API_VALUES_AND_KERNELS: &[&str] = &[
    "arguments",
    "async_kernel",
    "attr",
    "collect",
    "descriptor",
    "device",
    "element",
    "elementwise",
    "foreign",
    "function",
    "gpu",
    "gradient",
    "kernel",
    "node",
    "params",
    "resource",
    "call",
    "shape_inference",
    "step",
    "support",
    "tensor",
    "tracer",
];

/// Checks every crate that has layers and prints its figures.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    CRATES.iter().flat_map(|layers| layers.check(sources)).collect()
}

impl Layers {
    fn check(&self, sources: &[Source]) -> Vec<String> {
        let folder = self.folder;
        let read = Crate::read(folder, sources);
        let (modules, files) = (read.module_arrows(), read.file_arrows());
        let (of_modules, of_files) = (circles(&modules), circles(&files));
        let up: Vec<_> = modules.iter().copied().filter(|&(from, to)| self.is_up(from, to)).collect();
        println!(
            "{folder}: {} arrows between modules, {} up, {} circles; {} arrows between files, {} circles",
            modules.len(),
            up.len(),
            of_modules.len(),
            files.len(),
            of_files.len()
        );
        let mut problems = self.without_layer(&read, &modules);
        let reaches =
            |&(from, to): &(&str, &str)| format!("{folder}: {from} reaches up to {to}: {}", via(&read, from, to));
        problems.extend(up.iter().map(reaches));
        let is_new = |circle: &&Vec<&str>| !circle.iter().all(|module| self.circle.contains(module));
        let told = |circle: &Vec<&str>| format!("{folder}: modules in a circle: {}", circle.join(", "));
        problems.extend(of_modules.iter().filter(is_new).map(told));
        for circle in &of_files {
            if !circle.iter().all(|&file| self.circle.contains(&read.top_module(file))) {
                let names: Vec<&str> = circle.iter().map(|&file| &*read.files[file]).collect();
                problems.push(format!("{folder}: files in a circle: {}", names.join(", ")));
            }
        }
        let left = |module: &&&str| !of_modules.iter().flatten().any(|other| other == *module);
        let gone = |module: &&str| format!("{folder}: {module} is in no circle any more: take it off the list");
        problems.extend(self.circle.iter().filter(left).map(gone));
        problems
    }

    fn layer(&self, module: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.contains(&module))
    }

    fn is_up(&self, from: &str, to: &str) -> bool {
        matches!((self.layer(from), self.layer(to)), (Some(lower), Some(higher)) if lower < higher)
    }

    fn without_layer(&self, read: &Crate, arrows: &BTreeSet<(&str, &str)>) -> Vec<String> {
        let named: BTreeSet<&str> = arrows.iter().flat_map(|&(from, to)| [from, to]).collect();
        let homeless = named.into_iter().filter(|module| self.layer(module).is_none());
        homeless
            .map(|module| match module {
                "" => {
                    format!("{}: an item of lib.rs is named: move it into a module", self.folder)
                        + &arrows
                            .iter()
                            .filter(|(_, to)| to.is_empty())
                            .map(|(from, _)| format!("; {}", via(read, from, "")))
                            .collect::<String>()
                }
                _ => format!("{}: {module} has no layer: give it one in xtask/src/tidy/layers/mod.rs", self.folder),
            })
            .collect()
    }
}

/// The files by which one module names another.
fn via(read: &Crate, from: &str, to: &str) -> String {
    let between = |&&(a, b): &&(usize, usize)| read.top_module(a) == from && read.top_module(b) == to;
    let told = |&(a, b): &(usize, usize)| format!("{} -> {}", read.files[a], read.files[b]);
    read.arrows.iter().filter(between).map(told).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::Layers;
    use crate::source::Source;

    fn problems(low: &str, high: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: format!("src/{path}.rs"), text: text.to_owned() };
        let layers = Layers { folder: "src/", layers: &[&["low"], &["high"]], circle: &[] };
        layers.check(&[source("lib", "mod low; mod high;"), source("low", low), source("high", high)])
    }

    #[test]
    fn arrows_down_are_fine() {
        assert_eq!(problems("pub struct A;", "use crate::low::A; pub struct B;"), [""; 0]);
    }

    #[test]
    fn an_arrow_up_is_told_with_its_files() {
        let told = problems("use crate::high::B;", "pub struct B;");
        assert_eq!(told, ["src/: low reaches up to high: low.rs -> high.rs"]);
    }

    #[test]
    fn a_circle_is_told() {
        let told = problems("use crate::high::B; pub struct A;", "use crate::low::A; pub struct B;");
        assert!(told.contains(&"src/: modules in a circle: high, low".to_owned()), "{told:?}");
        assert!(told.contains(&"src/: files in a circle: low.rs, high.rs".to_owned()), "{told:?}");
    }
}
