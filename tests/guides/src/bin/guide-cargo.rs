//! The `cargo` of a guide's reader in tests.
//!
//! With `OPLINK_LONG` it is cargo itself, which builds in a folder that all guides share. Without, `build`, `run` and
//! `test` compile the crate of the current folder by rustc, against the libraries of the workspace's tests: see
//! `oplink_guides::builds`. Cargo still reads the manifest and resolves what it asks for; profiles have no effect, nor
//! has a selection, and examples in documentation are not run.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::env::{var, var_os};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use oplink_guides::repository;
use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = if var_os("OPLINK_LONG").is_some() { by_cargo(&arguments) } else { Quick::run(&arguments) };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

/// Cargo itself, whichever runs the tests.
fn cargo() -> Command {
    Command::new(var_os("GUIDE_CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The value behind an option.
fn value_of<'a>(arguments: &'a [String], option: &str) -> Option<&'a str> {
    let at = arguments.iter().position(|argument| argument == option)?;
    arguments.get(at + 1).map(String::as_str)
}

/// The folder of the manifest, which gets the lock file of the repository, so that nothing is asked of the network.
fn prepared(arguments: &[String]) -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    if let Some(manifest) = value_of(arguments, "--manifest-path") {
        let manifest = fs::canonicalize(manifest).map_err(|error| format!("{manifest}: {error}"))?;
        return manifest.parent().map(Path::to_owned).ok_or_else(|| "the manifest has no folder".to_owned());
    }
    let folder = here.ancestors().find(|folder| folder.join("Cargo.toml").exists());
    let folder = folder.ok_or_else(|| format!("{} has no Cargo.toml", here.display()))?;
    if !folder.join("Cargo.lock").exists() {
        fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(|error| error.to_string())?;
    }
    Ok(folder.to_owned())
}

fn by_cargo(arguments: &[String]) -> Result<ExitCode, String> {
    let folder = prepared(arguments)?;
    let shared = repository().join("target/guides");
    fs::create_dir_all(&shared).map_err(|error| error.to_string())?;
    let target = value_of(arguments, "--target-dir").map_or_else(|| folder.join("target"), PathBuf::from);
    if !target.exists() {
        std::os::unix::fs::symlink(shared, target).map_err(|error| error.to_string())?;
    }
    status(cargo().args(arguments))
}

/// A crate that is compiled against libraries that are there.
struct Quick {
    folder: PathBuf,
    package: Value,
    /// What it is compiled into.
    output: PathBuf,
    /// The options for what it depends on.
    externs: Vec<OsString>,
}

impl Quick {
    fn run(arguments: &[String]) -> Result<ExitCode, String> {
        let at = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        let (own, given) = (&arguments[..at], arguments.get(at + 1..).unwrap_or_default());
        let (command, options) = own.split_first().ok_or("no command")?;
        let mut rest = options.iter();
        while let Some(option) = rest.next() {
            match option.as_str() {
                "--release" | "--quiet" | "-q" => {}
                "--manifest-path" | "--target-dir" => drop(rest.next()),
                _ => return Err(format!("`{option}` is not known to quick runs of guides: OPLINK_LONG=1 runs cargo")),
            }
        }
        let made = Self::new(options)?;
        match command.as_str() {
            "build" => made.build(false).map(|_| ExitCode::SUCCESS),
            "run" => match made.build(false)?.as_slice() {
                [program] => status(Command::new(program).args(given)),
                programs => Err(format!("the package has {} programs", programs.len())),
            },
            "test" => {
                for test in made.build(true)? {
                    println!();
                    if status(Command::new(test).args(given))? != ExitCode::SUCCESS {
                        return Ok(ExitCode::from(101));
                    }
                }
                Ok(ExitCode::SUCCESS)
            }
            other => Err(format!("`{other}` is not known to quick runs of guides: OPLINK_LONG=1 runs cargo")),
        }
    }

    fn new(options: &[String]) -> Result<Self, String> {
        let folder = prepared(options)?;
        let mut metadata = cargo();
        metadata
            .args(["metadata", "--offline", "--no-deps", "--format-version", "1"])
            .current_dir(&folder)
            .stderr(Stdio::inherit());
        let said = metadata.output().map_err(|error| error.to_string())?;
        let said: Value = serde_json::from_slice(&said.stdout).map_err(|_| "the manifest is not resolved")?;
        let packages = said["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let manifest = folder.join("Cargo.toml");
        let own = packages.iter().find(|package| package["manifest_path"].as_str().map(Path::new) == Some(&manifest));
        let package = own.ok_or("cargo does not know the manifest")?.clone();
        let profile = if options.iter().any(|option| option == "--release") { "release" } else { "debug" };
        let target = value_of(options, "--target-dir").map_or_else(|| folder.join("target"), PathBuf::from);
        let output = std::path::absolute(target.join(profile)).map_err(|error| error.to_string())?;
        fs::create_dir_all(&output).map_err(|error| error.to_string())?;
        let externs = externs(&package)?;
        Ok(Self { folder, package, output, externs })
    }

    /// Compiles all targets, or the tests of all; returns the programs.
    fn build(&self, tests: bool) -> Result<Vec<PathBuf>, String> {
        let mut own = Vec::new();
        let mut programs = Vec::new();
        let targets = self.package["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_program = |target: &Value| target["kind"] == serde_json::json!(["bin"]);
        let (last, first): (Vec<&Value>, Vec<&Value>) = targets.iter().partition(|target| is_program(target));
        for target in first {
            let name = text(target, "name").replace('-', "_");
            let kinds = target["crate_types"].as_array().map(Vec::as_slice).unwrap_or_default();
            for kind in kinds.iter().filter_map(Value::as_str) {
                self.compile(target, &["--crate-type", kind], &own)?;
            }
            if tests {
                programs.push(self.compile_test(target, &own)?);
            }
            own = vec!["--extern".into(), format!("{name}={}/lib{name}.rlib", self.output.display()).into()];
        }
        for target in last {
            if tests {
                programs.push(self.compile_test(target, &own)?);
            } else {
                self.compile(target, &["--crate-type", "bin"], &own)?;
                let program = self.output.join(text(target, "name"));
                let compiled = self.output.join(text(target, "name").replace('-', "_"));
                if compiled != program {
                    fs::rename(compiled, &program).map_err(|error| error.to_string())?;
                }
                programs.push(program);
            }
        }
        Ok(programs)
    }

    fn compile_test(&self, target: &Value, own: &[OsString]) -> Result<PathBuf, String> {
        let kind = if target["kind"] == serde_json::json!(["bin"]) { "bin" } else { "lib" };
        let program = self.output.join(format!("test-{kind}"));
        let path = program.display().to_string();
        self.compile(target, &["--test", "-o", &path], own)?;
        Ok(program)
    }

    fn compile(&self, target: &Value, options: &[&str], own: &[OsString]) -> Result<(), String> {
        let name = text(target, "name");
        let mut rustc = Command::new(var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition", text(target, "edition"), "--crate-name", &name.replace('-', "_")]);
        rustc.arg(text(target, "src_path")).args(options).args(own).args(&self.externs);
        if !options.contains(&"-o") {
            rustc.arg("--out-dir").arg(&self.output);
        }
        rustc.current_dir(&self.folder).env("CARGO_PKG_NAME", text(&self.package, "name"));
        rustc.env("CARGO_PKG_VERSION", text(&self.package, "version")).env("CARGO_MANIFEST_DIR", &self.folder);
        rustc.env("CARGO_CRATE_NAME", name.replace('-', "_")).env("CARGO", var_os("GUIDE_CARGO").unwrap_or_default());
        match status(&mut rustc)? {
            code if code == ExitCode::SUCCESS => Ok(()),
            _ => Err(format!("could not compile `{name}`")),
        }
    }
}

/// The libraries of a package's dependencies, under the names that it gives them.
fn externs(package: &Value) -> Result<Vec<OsString>, String> {
    let file = var("GUIDE_LIBRARIES").map_err(|_| "GUIDE_LIBRARIES is not set")?;
    let lines = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    let fields = lines.lines().filter_map(|line| line.split_once('\t'));
    let libraries: BTreeMap<&str, (&str, &str)> =
        fields.filter_map(|(folder, rest)| Some((folder, rest.split_once('\t')?))).collect();
    let mut options: Vec<OsString> = Vec::new();
    for dependency in package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let name = dependency["rename"].as_str().unwrap_or_else(|| text(dependency, "name")).replace('-', "_");
        let path = fs::canonicalize(text(dependency, "path")).unwrap_or_default();
        let library = libraries.get(path.to_str().unwrap_or_default());
        let (library, features) = library.ok_or_else(|| format!("the tests have no library of `{name}`"))?;
        let wanted = dependency["features"].as_array().map(Vec::as_slice).unwrap_or_default();
        let has = |feature: &&str| features.split(',').any(|known| known == *feature);
        if let Some(lacks) = wanted.iter().filter_map(Value::as_str).find(|feature| !has(feature)) {
            return Err(format!("the tests' build of `{name}` lacks the feature `{lacks}`: OPLINK_LONG=1 runs cargo"));
        }
        options.extend(["--extern".into(), format!("{name}={library}").into()]);
        let folder = Path::new(library).parent().unwrap_or(Path::new(""));
        options.extend(["-L".into(), format!("dependency={}", folder.join("deps").display()).into()]);
        options.extend(["-L".into(), format!("dependency={}", folder.display()).into()]);
    }
    Ok(options)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn status(command: &mut Command) -> Result<ExitCode, String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::from(status.code().unwrap_or(1) as u8) })
}
