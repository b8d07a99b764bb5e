//! `oplink new`: a crate of a user's own, with an op, its kernels and their tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use oplink::{Error, Result};

/// Make a crate.
#[derive(Args)]
pub(crate) struct NewArguments {
    /// The folder to make; the crate is called as it is
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Depend on oplink's source in this folder, and not on its published version
    #[arg(long, value_name = "SOURCE")]
    path: Option<PathBuf>,
}

/// Files of the crate, with `{name}`, `{crate_name}` and `{dependency}` in their texts.
const FILES: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml.in")),
    (".gitignore", include_str!("../template/gitignore")),
    ("src/lib.rs", include_str!("../template/src/lib.rs")),
    ("src/main.rs", include_str!("../template/src/main.rs")),
];

/// Names that cargo takes for crates, but that Rust or oplink has another use for.
const TAKEN: [&str; 8] = ["alloc", "core", "oplink", "proc_macro", "self", "std", "super", "test"];

pub(crate) fn new(arguments: &NewArguments) -> Result<ExitCode> {
    let folder = &arguments.folder;
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check_name(name)?;
    let shown = folder.display();
    if folder.exists() {
        return Err(Error::invalid_argument(format!("{shown} is already there; choose another name, or remove it")));
    }
    let dependency = dependency(arguments.path.as_deref())?;
    for (file, text) in FILES {
        let text = text.replace("{name}", name).replace("{crate_name}", &name.replace('-', "_"));
        write(&folder.join(file), &text.replace("{dependency}", &dependency))?;
    }
    println!(
        "{shown} is made: an op, its kernels and their tests. Next:\n\n    cd {shown}\n    cargo test\n    cargo run"
    );
    Ok(ExitCode::SUCCESS)
}

/// Holds a name against what cargo and Rust take for one.
fn check_name(name: &str) -> Result<()> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(is_part) {
        let message = format!("`{name}` is no crate's name: it starts with a letter; letters, digits, - and _ follow");
        return Err(Error::invalid_argument(message));
    }
    // A package that the manifest's profile names cannot have the crate's own entry there too.
    let in_profile = format!("{name} = {{ ");
    let is_in_profile = FILES.iter().any(|(_, text)| text.lines().any(|line| line.starts_with(&in_profile)));
    if TAKEN.contains(&&*name.replace('-', "_")) || is_in_profile {
        return Err(Error::invalid_argument(format!("the name `{name}` is taken by another crate; choose another")));
    }
    Ok(())
}

/// The line of `Cargo.toml` by which the crate depends on oplink.
fn dependency(path: Option<&Path>) -> Result<String> {
    let Some(path) = path else {
        let version = env!("CARGO_PKG_VERSION");
        return Ok(format!("oplink = \"{version}\""));
    };
    let failed = |e: &dyn std::fmt::Display| Error::invalid_argument(format!("--path {}: {e}", path.display()));
    let folder = fs::canonicalize(path).map_err(|e| failed(&e))?;
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).map_err(|e| failed(&e))?;
    let package = manifest.lines().map(str::trim).find(|line| line.starts_with("name ="));
    if package != Some("name = \"oplink\"") {
        return Err(failed(&"its Cargo.toml is not that of the crate oplink"));
    }
    let folder = folder.to_str().ok_or_else(|| failed(&"the path is not UTF-8"))?;
    // A string in TOML, with what it escapes.
    Ok(format!("oplink = {{ path = \"{}\" }}", folder.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Writes a file and the folders that it is in.
fn write(path: &Path, text: &str) -> Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|e| Error::invalid_argument(format!("{}: {e}", path.display())))
}
