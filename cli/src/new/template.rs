//! The templates of crates, and what is put into their texts.

use std::fs;
use std::path::Path;

use clap::ValueEnum;
use oplink::{Error, Result};

/// What a crate is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Template {
    /// Ops with their kernels and tests, and a program that calls them
    Op,
    /// Ops as a shared library that oplink, TensorFlow, PyTorch, JAX and ONNX Runtime load, and a Python wheel
    Plugin,
    /// A program that trains a network and writes it as a SavedModel
    Training,
    /// A small program that runs one model, with the kernels that it needs and no other
    Inference,
}

/// Files with their texts: `{name}`, `{crate_name}`, `{dependency}`, `{source}` and `{plugin_source}` are put in.
type Texts = &'static [(&'static str, &'static str)];

macro_rules! texts {
    ($folder:literal: $($file:literal from $template:literal),*) => {
        &[(".gitignore", include_str!("../../template/gitignore")),
          $(($file, include_str!(concat!("../../template/", $folder, "/", $template)))),*]
    };
}

const OP: Texts = texts!("op": "Cargo.toml" from "Cargo.toml.in", "src/lib.rs" from "src/lib.rs",
    "src/main.rs" from "src/main.rs");
const PLUGIN: Texts = texts!("plugin": "Cargo.toml" from "Cargo.toml.in", "src/lib.rs" from "src/lib.rs",
    "in_tensorflow.py" from "in_tensorflow.py", "README.md" from "README.md");
const TRAINING: Texts = texts!("training": "Cargo.toml" from "Cargo.toml.in", "src/main.rs" from "src/main.rs");
const INFERENCE: Texts = texts!("inference": "Cargo.toml" from "Cargo.toml.in", "src/main.rs" from "src/main.rs",
    ".cargo/config.toml" from "cargo/config.toml");

impl Template {
    fn files(self) -> Texts {
        match self {
            Self::Op => OP,
            Self::Plugin => PLUGIN,
            Self::Training => TRAINING,
            Self::Inference => INFERENCE,
        }
    }

    /// The lines of all files, with nothing put in.
    pub(super) fn lines(self) -> impl Iterator<Item = &'static str> {
        self.files().iter().flat_map(|(_, text)| text.lines())
    }

    /// In a few words.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Op => "an op, its kernels and their tests",
            Self::Plugin => "a plugin with an op, its kernel and its gradient",
            Self::Training => "a program that trains a network",
            Self::Inference => "a program that runs the model",
        }
    }

    /// The commands that come next, in the crate's folder.
    pub(super) fn next(self) -> &'static [&'static str] {
        match self {
            Self::Op => &["cargo test", "cargo run"],
            Self::Plugin => &["cargo build --release", "oplink plugin inspect target/release/*.so", "oplink wheel"],
            Self::Training => &["cargo run --release", "oplink run model"],
            Self::Inference => &["cargo run --release"],
        }
    }

    /// The texts of a crate of this name, which depends on the published oplink or on the source in a folder.
    ///
    /// # Errors
    /// The folder has not oplink's source.
    pub(super) fn texts(self, name: &str, path: Option<&Path>) -> Result<Vec<(&'static str, String)>> {
        let [source, plugin_source] = sources(path)?;
        let dependency = match path {
            None => format!("oplink = \"{}\"", env!("CARGO_PKG_VERSION")),
            Some(_) => format!("oplink = {{ {source} }}"),
        };
        let put_in = |text: &str| {
            text.replace("{name}", name)
                .replace("{crate_name}", &name.replace('-', "_"))
                .replace("{dependency}", &dependency)
                .replace("{source}", &source)
                .replace("{plugin_source}", &plugin_source)
        };
        Ok(self.files().iter().map(|&(file, text)| (file, put_in(text))).collect())
    }
}

/// Where a manifest's dependencies find oplink, and what plugins are made of.
fn sources(path: Option<&Path>) -> Result<[String; 2]> {
    let Some(path) = path else {
        let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
        return Ok([version.clone(), version]);
    };
    let failed = |e: &dyn std::fmt::Display| Error::invalid_argument(format!("--path {}: {e}", path.display()));
    let folder = fs::canonicalize(path).map_err(|e| failed(&e))?;
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).map_err(|e| failed(&e))?;
    let package = manifest.lines().map(str::trim).find(|line| line.starts_with("name ="));
    if package != Some("name = \"oplink\"") {
        return Err(failed(&"its Cargo.toml is not that of the crate oplink"));
    }
    let path_of = |folder: &Path| -> Result<String> {
        let folder = folder.to_str().ok_or_else(|| failed(&"the path is not UTF-8"))?;
        // A string in TOML, with what it escapes.
        Ok(format!("path = \"{}\"", folder.replace('\\', "\\\\").replace('"', "\\\"")))
    };
    Ok([path_of(&folder)?, path_of(&folder.join("plugin"))?])
}
