//! What the crate's manifest says, asked of cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use oplink::{Result, ensure};
use oplink_wheel::Package;
use serde_json::Value;

use super::build::cargo;
use super::{invalid, of_file, read};

/// A crate that has a shared library.
pub(super) struct Manifest {
    /// The manifest's file, as cargo names it.
    pub(super) path: PathBuf,
    /// The folder of the workspace.
    pub(super) workspace: PathBuf,
    /// The folder that cargo builds in.
    pub(super) target: PathBuf,
    /// What the package says of itself.
    pub(super) package: Package,
}

impl Manifest {
    /// The crate of a manifest, or the one that cargo finds from the current folder.
    ///
    /// # Errors
    /// Cargo does not take it for one, it is a workspace without a crate, or it makes no shared library.
    pub(super) fn read(path: Option<&Path>) -> Result<Self> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => PathBuf::from(ask(&["locate-project", "--message-format=plain"], None)?.trim_end()),
        };
        let path = fs::canonicalize(&path).map_err(|error| of_file(&path, &error))?;
        let told = ask(&["metadata", "--no-deps", "--format-version=1"], Some(&path))?;
        let told: Value = serde_json::from_str(&told).map_err(|error| invalid(format!("cargo metadata: {error}")))?;
        let shown = path.display();
        let packages = told["packages"].as_array().map_or(&[][..], |packages| packages);
        let of = |package: &&Value| package["manifest_path"].as_str().map(Path::new) == Some(&*path);
        let package = packages.iter().find(of).ok_or_else(|| {
            let names: Vec<&str> = packages.iter().filter_map(|package| package["manifest_path"].as_str()).collect();
            invalid(format!("{shown} is a workspace; name one of its crates by --manifest-path: {}", names.join(", ")))
        })?;
        let targets = package["targets"].as_array().map_or(&[][..], |targets| targets);
        let is_shared = |target: &Value| {
            target["crate_types"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "cdylib"))
        };
        ensure!(
            targets.iter().any(is_shared),
            "{shown} makes no shared library: write `crate-type = [\"cdylib\"]` into its section [lib]"
        );
        let folder = |name: &str| PathBuf::from(told[name].as_str().unwrap_or_default());
        let (workspace, target) = (folder("workspace_root"), folder("target_directory"));
        Ok(Self { package: described(package, &path)?, path, workspace, target })
    }
}

/// What a command of cargo prints.
fn ask(arguments: &[&str], manifest: Option<&Path>) -> Result<String> {
    let mut command = cargo();
    command.args(arguments).stderr(Stdio::piped());
    if let Some(manifest) = manifest {
        command.arg("--manifest-path").arg(manifest);
    }
    let output = command.output().map_err(|error| invalid(format!("cargo does not start: {error}")))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo {}: {}", arguments[0], said.trim_start_matches("error: ").trim_end());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn described(package: &Value, manifest: &Path) -> Result<Package> {
    let text = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
    let list = |name: &str| -> Vec<String> {
        let items = package[name].as_array().map_or(&[][..], |items| items);
        items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let url = |label: &str, name: &str| Some((label.to_owned(), package[name].as_str()?.to_owned()));
    let urls = [url("Homepage", "homepage"), url("Repository", "repository"), url("Documentation", "documentation")];
    let folder = manifest.parent().unwrap_or(Path::new("."));
    // A readme that is named and cannot be read is left out, as cargo builds all the same.
    let readme = package["readme"].as_str().and_then(|name| fs::read_to_string(folder.join(name)).ok());
    Ok(Package {
        name: text("name"),
        version: text("version"),
        description: text("description"),
        license: package["license"].as_str().map(str::to_owned),
        authors: list("authors"),
        keywords: list("keywords"),
        urls: urls.into_iter().flatten().collect(),
        readme: readme.unwrap_or_default(),
        license_files: license_files(folder)?,
    })
}

/// The texts of licenses in a folder, by name.
fn license_files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let entries = fs::read_dir(folder).map_err(|error| of_file(folder, &error))?;
    let is_license =
        |name: &String| ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|word| name.starts_with(word));
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(is_license).filter(|name| folder.join(name).is_file()).collect();
    names.sort();
    names.into_iter().map(|name| Ok((name.clone(), read(&folder.join(&name))?))).collect()
}
