//! The builds of the workspace's tests, which the crates of guides are compiled against in quick runs.
//!
//! A guide's crate built by cargo itself compiles all of oplink for itself, by its own profile, for minutes. So
//! `cargo test` compiles such a crate by `guide-cargo`, with the libraries that are there already, as the examples in
//! documentation are; with `OPLINK_LONG` cargo itself is what runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use crate::repository;

/// What was built.
#[derive(Debug)]
pub struct Builds {
    /// The folder of the profile.
    pub folder: PathBuf,
    /// The `oplink` command.
    pub command: PathBuf,
    /// Lines `FOLDER\tLIBRARY\tFEATURES`: the folder of a package, its library, its features with commas.
    pub libraries: PathBuf,
}

/// The builds, made where they are missing: once in a process.
///
/// # Errors
/// What cargo says.
pub fn get() -> Result<&'static Builds, String> {
    static BUILDS: OnceLock<Result<Builds, String>> = OnceLock::new();
    BUILDS.get_or_init(make).as_ref().map_err(Clone::clone)
}

fn make() -> Result<Builds, String> {
    let test = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = test.ancestors().nth(2).ok_or("a test stands in PROFILE/deps")?.to_owned();
    let target = folder.parent().ok_or("profiles stand in a folder")?;
    let mut cargo = Command::new(env!("CARGO"));
    // All packages and an example: the features, and so the builds, of the tests.
    cargo.args(["build", "--quiet", "--workspace", "--lib", "--bin", "oplink", "--example", "on_devices"]);
    cargo.args(["--message-format", "json-render-diagnostics", "--target-dir"]).arg(target);
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    let output = cargo.current_dir(repository()).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("{cargo:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let lines: String = messages.filter_map(|message| library(&message)).collect();
    let libraries = target.join("guides-libraries");
    std::fs::write(&libraries, lines).map_err(|error| format!("{}: {error}", libraries.display()))?;
    Ok(Builds { command: folder.join("oplink"), folder, libraries })
}

/// The line of a package's library.
fn library(message: &Value) -> Option<String> {
    let mut files = message["filenames"].as_array()?.iter().filter_map(Value::as_str).map(Path::new);
    let package = Path::new(message["manifest_path"].as_str()?).parent()?.display();
    let is_example = message["target"]["kind"] == serde_json::json!(["example"]);
    let library = files.rfind(|file| !is_example && file.extension().is_some_and(|kind| kind == "rlib"))?.display();
    let features: Vec<&str> = message["features"].as_array()?.iter().filter_map(Value::as_str).collect();
    Some(format!("{package}\t{library}\t{}\n", features.join(",")))
}
