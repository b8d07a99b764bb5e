//! The runtimes that are compared, and the commands that run networks in them.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::source::root;

/// A runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runtime {
    Oplink,
    TensorFlow,
    Onnx,
}

/// All runtimes, in the order of the tables.
pub(super) const RUNTIMES: [Runtime; 3] = [Runtime::Oplink, Runtime::TensorFlow, Runtime::Onnx];

impl Runtime {
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Oplink => "oplink",
            Self::TensorFlow => "TensorFlow",
            Self::Onnx => "ONNX Runtime",
        }
    }
}

/// What is needed to run networks.
pub(super) struct Programs {
    /// The benchmark `networks`.
    networks: PathBuf,
    tensorflow: Option<PathBuf>,
    onnxruntime: Option<PathBuf>,
}

impl Programs {
    /// Builds the benchmark and looks for the other runtimes.
    pub(super) fn new() -> io::Result<Self> {
        let python = |variable: &str, folder: &str| {
            let venv = std::env::var_os(variable).map_or_else(|| root().join("target").join(folder), PathBuf::from);
            Some(venv.join("bin/python")).filter(|python| python.exists())
        };
        Ok(Self {
            networks: build()?,
            tensorflow: python("OPLINK_TENSORFLOW_VENV", "tensorflow"),
            onnxruntime: python("OPLINK_ONNXRUNTIME_VENV", "onnxruntime"),
        })
    }

    /// The benchmark with these arguments.
    pub(super) fn networks(&self) -> Command {
        Command::new(&self.networks)
    }

    /// TensorFlow's program of the benchmark, where TensorFlow is there.
    pub(super) fn tensorflow(&self) -> Option<Command> {
        script(self.tensorflow.as_ref()?, "tensorflow_worker.py")
    }

    /// The command that serves a network `FOLDER/NAME` with so many threads; none where the runtime is not there, or
    /// cannot run the network.
    pub(super) fn serve(&self, runtime: Runtime, network: &Path, threads: usize) -> Option<Command> {
        let mut graph = network.with_extension("pb");
        let mut command = match runtime {
            Runtime::Oplink => self.networks(),
            Runtime::TensorFlow => self.tensorflow()?,
            Runtime::Onnx => {
                graph = self.onnx(network)?;
                script(self.onnxruntime.as_ref()?, "onnxruntime_worker.py")?
            }
        };
        command.arg("serve").arg(graph).arg(network.with_extension("npz")).arg(threads.to_string());
        Some(command)
    }

    /// The network as ONNX Runtime reads it, converted where it was not yet; none where it cannot be.
    fn onnx(&self, network: &Path) -> Option<PathBuf> {
        let (converted, refused) = (network.with_extension("onnx"), network.with_extension("onnx.refused"));
        if converted.exists() || refused.exists() {
            return Some(converted).filter(|path| path.exists());
        }
        let mut command = script(self.tensorflow.as_ref()?, "to_onnx.py")?;
        command.env("PYTHONPATH", packages(self.onnxruntime.as_ref()?)?);
        command.arg(network.with_extension("pb")).arg(network.with_extension("npz")).arg(&converted);
        let output = command.stdin(Stdio::null()).output().ok()?;
        if output.status.success() && converted.exists() {
            return Some(converted);
        }
        // What went wrong is kept, and is not tried again.
        let _ = fs::write(refused, output.stderr);
        None
    }

    /// Name and version of each runtime that is there.
    pub(super) fn versions(&self) -> String {
        let installed = |python: &Option<PathBuf>, names: &[&str]| -> Option<String> {
            let folder = packages(python.as_ref()?)?;
            let entries: Vec<String> =
                fs::read_dir(folder).ok()?.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
            let of = |name: &&str| {
                let prefix = format!("{name}-");
                let version =
                    |entry: &String| Some(entry.strip_prefix(&prefix)?.strip_suffix(".dist-info")?.to_owned());
                entries.iter().find_map(version)
            };
            names.iter().find_map(of)
        };
        let tensorflow = installed(&self.tensorflow, &["tensorflow_cpu", "tensorflow"]);
        let onnxruntime = installed(&self.onnxruntime, &["onnxruntime"]);
        let named = [("TensorFlow", tensorflow), ("ONNX Runtime", onnxruntime)];
        let others =
            named.into_iter().map(|(name, version)| version.map_or(format!("no {name}"), |v| format!("{name} {v}")));
        let oplink = format!("oplink {} ({})", env!("CARGO_PKG_VERSION"), revision());
        std::iter::once(oplink).chain(others).collect::<Vec<_>>().join(", ")
    }
}

/// The folder of a virtual environment's packages.
fn packages(python: &Path) -> Option<OsString> {
    let library = python.parent()?.parent()?.join("lib");
    let versions = fs::read_dir(library).ok()?.flatten().map(|entry| entry.path().join("site-packages"));
    versions.filter(|folder| folder.exists()).map(PathBuf::into_os_string).next()
}

fn script(python: &Path, name: &str) -> Option<Command> {
    let path = root().join("benches/networks").join(name);
    let mut command = Command::new(python);
    command.arg(&path);
    path.exists().then_some(command)
}

/// The commit that is measured.
fn revision() -> String {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(root()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// Builds the benchmark; the path of its program.
fn build() -> io::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--package", "oplink", "--bench", "networks"]);
    command.args(["--quiet", "--message-format=json-render-diagnostics"]).current_dir(root());
    let output = command.stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let programs = messages.filter(|message| message["target"]["name"] == "networks");
    let path = programs.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back();
    path.filter(|_| output.status.success()).ok_or_else(|| io::Error::other("the benchmark `networks` does not build"))
}
