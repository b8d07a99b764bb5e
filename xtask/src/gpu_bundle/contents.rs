//! The bundle's files beside its programs.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::output_of;
use crate::source::root;

/// Files of the repository that the programs read, at the same places under `sources`.
const SOURCES: [&str; 9] = [
    "tests/models/digits/digits.pb",
    "tests/models/digits/digits.npz",
    "tests/models/mlp_train.pb",
    "tests/models/mlp_train.npz",
    "tests/models/resnet50_seeded.pb",
    "tests/models/resnet50_seeded.npz",
    "tests/models/transformer.pb",
    "tests/models/transformer.npz",
    "tests/devices/expected/CUDA.txt",
];
/// The folder of cases for every op.
const CASES: &str = "kernels/cpu/tests/oracle";
/// Folders whose names are parts of paths.
const FOLDERS: [&str; 2] = ["kernels/gpu", "tests/devices"];
/// Models that the repository does not hold.
const MODELS: [&str; 2] = ["mobilenetv2.pb", "mobilenetv2.npz"];

/// Whether the large models are where they should be.
pub(super) fn check_models(folder: Option<&Path>) -> Result<(), String> {
    let Some(folder) = folder else { return Ok(()) };
    match MODELS.iter().map(|name| folder.join(name)).find(|path| !path.is_file()) {
        Some(path) => Err(format!(
            "{} is missing: `.ci/models {}` makes it; --models FOLDER names another folder, --without-models leaves it out",
            path.display(),
            folder.display()
        )),
        None => Ok(()),
    }
}

/// Makes the folder anew, with all that is copied.
pub(super) fn lay_out(folder: &Path, models: Option<&Path>) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let sources = folder.join("sources");
    for path in FOLDERS {
        create(&sources.join(path))?;
    }
    for path in SOURCES {
        copy(&root().join(path), &sources.join(path))?;
    }
    let cases = root().join(CASES);
    let entries = fs::read_dir(&cases).map_err(|error| format!("{}: {error}", cases.display()))?;
    for entry in entries.flatten().filter(|entry| entry.path().is_file() && !is_program(&entry.path())) {
        copy(&entry.path(), &sources.join(CASES).join(entry.file_name()))?;
    }
    for name in models.iter().flat_map(|_| MODELS) {
        copy(&models.unwrap_or(folder).join(name), &folder.join("models").join(name))?;
    }
    copy(&root().join("tests/gpu/bundle/run"), &folder.join("run"))
}

/// What makes cases is not needed to run them.
fn is_program(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("py"))
}

fn create(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    create(to.parent().unwrap_or(to))?;
    fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// Writes the file `about`, a line of `name=value` for each fact, which `run` reads.
pub(super) fn describe(folder: &Path, debug: bool, glibc: &str) -> Result<(), String> {
    let git = |arguments: &[&str]| {
        let text = output_of(Command::new("git").args(arguments).current_dir(root()));
        text.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
    };
    let text = format!(
        "version={}\ncommit={}\ndate={}\nprofile={}\nglibc={glibc}\n",
        env!("CARGO_PKG_VERSION"),
        git(&["describe", "--always", "--dirty", "--abbrev=12"]),
        git(&["log", "-1", "--format=%cs"]),
        if debug { "debug" } else { "release" },
    );
    let path = folder.join("about");
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}
