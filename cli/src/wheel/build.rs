//! The crate's library, built by cargo.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oplink::{Result, ensure};
use serde_json::Value;

use super::invalid;
use super::manifest::Manifest;

/// What cargo made.
pub(super) struct Built {
    /// The shared library.
    pub(super) library: PathBuf,
}

impl Built {
    pub(super) fn file_name(&self) -> &str {
        self.library.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Cargo's list of the files that the library is made of.
    pub(super) fn dependencies(&self) -> PathBuf {
        self.library.with_extension("d")
    }
}

/// Cargo, which the environment may name.
pub(super) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds the crate; what cargo says goes to standard error.
///
/// # Errors
/// It does not build.
pub(super) fn build(manifest: &Manifest, profile: &str, arguments: &[String]) -> Result<Built> {
    let mut command = cargo();
    command.args([
        "build",
        "--lib",
        "--message-format=json-render-diagnostics",
        "--profile",
        profile,
        "--manifest-path",
    ]);
    command.arg(&manifest.path).args(arguments).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| invalid(format!("cargo does not start: {error}")))?;
    let shown = manifest.path.display();
    ensure!(output.status.success(), "{shown} does not build; cargo's messages stand above");
    let messages = String::from_utf8_lossy(&output.stdout);
    let library = messages.lines().filter_map(|line| artifact(line, &manifest.path)).next_back();
    let library = library.ok_or_else(|| invalid(format!("cargo has not told of a shared library of {shown}")))?;
    Ok(Built { library })
}

/// The shared library that a message of cargo tells of, where it is this manifest's.
fn artifact(line: &str, manifest: &Path) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_library = message["reason"] == "compiler-artifact"
        && message["manifest_path"].as_str().map(Path::new) == Some(manifest)
        && message["target"]["crate_types"].as_array()?.iter().any(|kind| kind == "cdylib");
    let mut files = message["filenames"].as_array().filter(|_| is_library)?.iter().filter_map(Value::as_str);
    let is_shared = |file: &&str| [".so", ".dylib", ".dll"].iter().any(|end| file.ends_with(end));
    files.find(is_shared).map(PathBuf::from)
}
