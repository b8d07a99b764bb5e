//! `cargo xtask gpu-bundle [--debug] [--models FOLDER | --without-models] [--out FILE]` makes one file that tests and
//! measures oplink on a machine with a GPU of NVIDIA that has neither Rust nor Python nor a network: programs, models,
//! expected values, and `run`, which makes a report (`tests/gpu/bundle/run`).
//!
//! Large models come from `FOLDER`, or else `OPLINK_MODELS`, or else `target/models`. `--debug` takes the builds of the
//! tests, which are there sooner.

mod contents;
mod programs;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::source::root;

/// Bytes that the file may have.
const MOST_BYTES: u64 = 64_000_000;

/// What the arguments ask for.
struct Options {
    debug: bool,
    /// `None` where large models are left out.
    models: Option<PathBuf>,
    out: PathBuf,
}

/// Runs the task with its arguments; what went wrong comes back.
pub(crate) fn run(arguments: &[String]) -> Vec<String> {
    match Options::of(arguments).and_then(|options| make(&options)) {
        Ok(()) => Vec::new(),
        Err(problem) => vec![problem],
    }
}

impl Options {
    fn of(arguments: &[String]) -> Result<Self, String> {
        let mut given = arguments.iter();
        let models = std::env::var_os("OPLINK_MODELS").map_or_else(|| target().join("models"), PathBuf::from);
        let mut options = Self { debug: false, models: Some(models), out: target().join("gpu-bundle.tar.gz") };
        while let Some(argument) = given.next() {
            let mut value = || given.next().map(PathBuf::from).ok_or_else(|| format!("{argument} needs a path"));
            match argument.as_str() {
                "--debug" => options.debug = true,
                "--without-models" => options.models = None,
                "--models" => options.models = Some(value()?),
                "--out" => options.out = value()?,
                other => {
                    return Err(format!(
                        "`{other}`: usage: cargo xtask gpu-bundle [--debug] [--models FOLDER | --without-models] [--out FILE]"
                    ));
                }
            }
        }
        Ok(options)
    }
}

fn make(options: &Options) -> Result<(), String> {
    contents::check_models(options.models.as_deref())?;
    let built = programs::build(options.debug)?;
    let folder = target().join("gpu-bundle/oplink-gpu-bundle");
    contents::lay_out(&folder, options.models.as_deref())?;
    let glibc = programs::install(&built, &folder.join("programs"))?;
    contents::describe(&folder, options.debug, &glibc)?;
    let bytes = archive(&folder, &options.out, options.debug)?;
    println!("{}: {:.1} MB; its programs need glibc {glibc}", options.out.display(), bytes as f64 / 1e6);
    if bytes > MOST_BYTES && !options.debug {
        return Err(format!("{} has {bytes} bytes, {MOST_BYTES} are the most", options.out.display()));
    }
    Ok(())
}

/// Packs the folder; the file's length.
fn archive(folder: &Path, out: &Path, fast: bool) -> Result<u64, String> {
    let (parent, name) = (folder.parent().unwrap_or(folder), folder.file_name().unwrap_or_default());
    let compressor = if fast { "gzip -1" } else { "gzip -9" };
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(parent).args(["-I", compressor, "-cf"]).arg(out).arg(name);
    must(&mut tar)?;
    std::fs::metadata(out).map(|file| file.len()).map_err(|error| format!("{}: {error}", out.display()))
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// What a command printed.
fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn must(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

fn cannot_start(command: &Command, error: &io::Error) -> String {
    let program = command.get_program().display().to_string();
    match program.as_str() {
        "strip" | "objdump" => format!("{program}: {error}; the package binutils has it"),
        _ => format!("{program}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Result<Options, String> {
        Options::of(&arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_read_and_others_refused() {
        let given = options(&["--debug", "--models", "/m", "--out", "/o.tar.gz"]).expect("they are right");
        assert!(given.debug && given.models == Some(PathBuf::from("/m")) && given.out == Path::new("/o.tar.gz"));
        assert!(options(&["--without-models"]).is_ok_and(|options| options.models.is_none() && !options.debug));
        assert!(options(&["--out"]).is_err_and(|problem| problem.contains("--out needs a path")));
        assert!(options(&["--fast"]).is_err_and(|problem| problem.starts_with("`--fast`: usage:")));
    }

    #[test]
    fn large_models_that_are_not_there_are_a_problem_before_anything_is_built() {
        let problem = contents::check_models(Some(Path::new("/nowhere"))).expect_err("there are none");
        assert!(problem.contains("/nowhere/mobilenetv2.pb") && problem.contains(".ci/models"), "{problem}");
        assert!(contents::check_models(None).is_ok());
    }
}
