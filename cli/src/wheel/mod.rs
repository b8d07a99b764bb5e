//! `oplink wheel`: one Python wheel of a crate of ops, with a module for each framework.

mod build;
mod editable;
mod manifest;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use oplink::{Error, PluginInfo, Result, Runtime, ensure};
use oplink_wheel::{Contents, Host, Library, Wheel};

use build::Built;
use manifest::Manifest;

/// Make a Python wheel of a crate.
#[derive(Args)]
pub(crate) struct WheelArguments {
    /// The crate's manifest; the one that cargo finds by default
    #[arg(long, value_name = "FILE")]
    manifest_path: Option<PathBuf>,
    /// The folder that the wheel is written to
    #[arg(long, value_name = "FOLDER", default_value = "dist")]
    out: PathBuf,
    /// The profile that the crate is built in
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// The frameworks that get a module: tensorflow, torch, jax, onnxruntime, numpy; all that the library has entries
    /// for by default
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_host)]
    hosts: Vec<Host>,
    /// Install the package into a Python environment, so that it is built again on import after sources changed
    #[arg(long)]
    editable: bool,
    /// The Python that `--editable` installs into; that of the active virtual environment by default
    #[arg(long, value_name = "PYTHON", requires = "editable")]
    python: Option<PathBuf>,
    /// Build the installed package again; what it runs when it is imported
    #[arg(long, hide = true, conflicts_with_all = ["editable", "out"])]
    refresh: bool,
    /// Further arguments of `cargo build`, such as `--features` or `--locked`
    #[arg(last = true, value_name = "CARGO ARGUMENTS")]
    cargo: Vec<String>,
}

fn parse_host(name: &str) -> oplink_wheel::Result<Host> {
    Host::parse(name)
}

pub(crate) fn wheel(arguments: &WheelArguments) -> Result<ExitCode> {
    let manifest = Manifest::read(arguments.manifest_path.as_deref())?;
    let started = editable::Moment::now();
    let built = build::build(&manifest, &arguments.profile, &arguments.cargo)?;
    let ready = Ready::open(manifest, built, &arguments.hosts)?;
    if arguments.editable || arguments.refresh {
        let folder = editable::write(&ready, arguments, started)?;
        if arguments.editable {
            editable::install(&ready, arguments, &folder)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let platform = ready.library.platform();
    let files = oplink_wheel::files(&ready.contents());
    let wheel = oplink_wheel::archive(&ready.manifest.package, &ready.hosts, &platform.tag, files).map_err(invalid)?;
    if !platform.foreign.is_empty() {
        let what = platform.foreign.join(", ");
        eprintln!(
            "note: the library needs {what}, which not every Linux has; `auditwheel repair` puts libraries into wheels"
        );
    }
    let path = write(&arguments.out, &wheel)?;
    println!("{}: {}; {} kB", path.display(), ready.summary(), wheel.content.len() / 1000);
    Ok(ExitCode::SUCCESS)
}

/// A crate that is built, with its declarations.
struct Ready {
    manifest: Manifest,
    built: Built,
    bytes: Vec<u8>,
    library: Library,
    hosts: Vec<Host>,
    info: PluginInfo,
}

impl Ready {
    /// Reads the library, and opens it for its declarations.
    ///
    /// # Errors
    /// It is made without `plugin!`, lacks an entry for a host, or declares nothing or what is not valid.
    fn open(manifest: Manifest, built: Built, hosts: &[Host]) -> Result<Self> {
        let shown = built.library.display();
        let bytes = read(&built.library)?;
        let library = Library::read(&bytes).map_err(|what| invalid(format!("{shown}: {what}")))?;
        ensure!(
            library.is_plugin(),
            "{shown} has no entry of any framework: write `plugin! {{ … }}` with the crate's libraries into its source"
        );
        let hosts = if hosts.is_empty() { library.hosts() } else { hosts.to_vec() };
        for host in &hosts {
            ensure!(library.exports(host.entry()), "{shown}: {}", host.missing());
        }
        let read_by = Host::TensorFlow;
        ensure!(
            library.exports(read_by.entry()),
            "{shown} has not the entry that its declarations are read by: leave the feature `host-tensorflow` of \
             oplink-plugin on, which is a default one"
        );
        let info = PluginInfo::clone(&*Runtime::inspect_plugin(&built.library)?);
        if let Some(rejected) = info.rejected.first() {
            return Err(invalid(format!("{shown}: {rejected}: {}", rejected.reason)));
        }
        ensure!(
            !info.ops.is_empty(),
            "{shown} declares no ops, and a wheel has functions of ops: list them in `library!`"
        );
        Ok(Self { manifest, built, bytes, library, hosts, info })
    }

    fn contents(&self) -> Contents<'_> {
        Contents {
            package: &self.manifest.package,
            ops: &self.info.ops,
            docs: &self.info.docs,
            library: (self.built.file_name(), &self.bytes),
            hosts: &self.hosts,
        }
    }

    /// `20 ops for tensorflow, torch`.
    fn summary(&self) -> String {
        let hosts: Vec<&str> = self.hosts.iter().map(|host| host.name()).collect();
        format!("{} ops for {}", self.info.ops.len(), hosts.join(", "))
    }
}

/// Writes a wheel into a folder, which is made where there is none.
fn write(folder: &Path, wheel: &Wheel) -> Result<PathBuf> {
    let path = folder.join(&wheel.name);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, &wheel.content));
    written.map_err(|error| of_file(&path, &error))?;
    Ok(path)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| of_file(path, &error))
}

fn of_file(path: &Path, error: &std::io::Error) -> Error {
    invalid(format!("{}: {error}", path.display()))
}

fn invalid(what: impl Into<String>) -> Error {
    Error::invalid_argument(what.into())
}
