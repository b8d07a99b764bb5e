//! Plugins: libraries that are opened at run time and register ops, kernels and devices.
//!
//! A plugin's declarations are caught while it is opened, checked as a whole, and added to the process's registry all
//! at once or not at all. Whatever becomes of it, a library that was opened stays mapped: its initialisers ran, and
//! nobody knows what of it is in use. So its outcome is kept, and given again when the same file is loaded again.

mod capture;
mod devices;
mod info;
mod library;
mod refusal;
mod source;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::{Error, OpSpec, Result};
use oplink_core::{Declarations, OpEntry, Registry};

pub(crate) use capture::declare;
pub use devices::{DeviceHost, PluginPlatform, register_device_host};
pub use info::{PlatformInfo, PluginInfo};
pub(crate) use library::Library;
pub(crate) use source::source_of;

use capture::Captured;

/// A plugin that was opened.
struct Opened {
    info: Arc<PluginInfo>,
    declarations: Declarations,
    /// What makes its devices; gone where the plugin is refused.
    platform: Option<Arc<dyn PluginPlatform>>,
    outcome: Outcome,
}

enum Outcome {
    /// Looked into only.
    Waiting,
    Loaded,
    Refused(Error),
}

type Files = HashMap<PathBuf, Opened>;

/// Runs `body` with the plugins opened so far, one thread at a time.
fn with_files<T>(body: impl FnOnce(&mut Files) -> Result<T>) -> Result<T> {
    static FILES: Mutex<Option<Files>> = Mutex::new(None);
    if capture::is_open() {
        return Err(Error::invalid_argument("a plugin cannot load another one while it is loaded itself"));
    }
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    body(files.get_or_insert_default())
}

/// Loads a plugin: its ops and kernels become part of the process's registry, its devices are added to the process's.
/// The same file again is the same plugin.
///
/// # Errors
/// The file is no library, lacks a symbol, registers nothing, or what it registers is broken or clashes with what is
/// there; then the registry is as it was, and a later miss of one of the plugin's ops names the reason.
pub fn load(path: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
    crate::exports::keep();
    with_files(|files| {
        let opened = open(files, path.as_ref())?;
        if let Outcome::Waiting = opened.outcome {
            opened.outcome = match add(opened) {
                Ok(()) => Outcome::Loaded,
                Err(error) => {
                    opened.platform = None;
                    Outcome::Refused(refuse(&opened.info.path, error, &opened.declarations))
                }
            };
        }
        match &opened.outcome {
            Outcome::Refused(error) => Err(error.clone()),
            _ => Ok(opened.info.clone()),
        }
    })
}

/// What a plugin is and declares; the process's registry stays as it is.
///
/// # Errors
/// As [`load`], except for clashes with what is there.
pub fn inspect(path: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
    crate::exports::keep();
    with_files(|files| {
        let opened = open(files, path.as_ref())?;
        match &opened.outcome {
            Outcome::Refused(error) if opened.declarations.is_empty() => Err(error.clone()),
            _ => Ok(opened.info.clone()),
        }
    })
}

/// The plugin of this file, opened where it was not yet.
fn open<'f>(files: &'f mut Files, path: &Path) -> Result<&'f mut Opened> {
    let path = std::fs::canonicalize(path).map_err(|error| refusal::no_file(path, &error))?;
    let opened = match files.entry(path.clone()) {
        std::collections::hash_map::Entry::Occupied(known) => return Ok(known.into_mut()),
        std::collections::hash_map::Entry::Vacant(place) => place.insert(match run(&path) {
            Ok(opened) => opened,
            Err(error) => {
                let info = Arc::new(PluginInfo { path: path.clone(), ..PluginInfo::default() });
                let refused = refuse(&path, error, &Declarations::default());
                let (declarations, platform) = Default::default();
                Opened { info, declarations, platform, outcome: Outcome::Refused(refused) }
            }
        }),
    };
    Ok(opened)
}

/// Maps the library and runs its initialisers.
fn run(path: &Path) -> Result<Opened> {
    let (ran, captured) = capture::capture(path, || {
        let library = Library::open(path)?;
        let mut info = info::read(&library, path)?;
        let platform = devices::open(&library, path)?;
        info.platform = platform.as_deref().map(PlatformInfo::of);
        library.initialize();
        info::check_failure(&library)?;
        Ok((library, info, platform))
    });
    let Captured { mut declarations, failures } = captured;
    let (library, mut info, platform) = match ran {
        Ok(ran) => ran,
        Err(error) => return Ok(refused(path, error, declarations)),
    };
    if let Some(error) = refusal::of_failures(failures) {
        return Ok(refused(path, error, declarations));
    }
    if declarations.is_empty() && platform.is_none() {
        return nothing_new(path, &library, info);
    }
    info.docs.iter().for_each(|(op, doc)| declarations.document(op, doc));
    info.declared(&declarations);
    Ok(Opened { info: Arc::new(info), declarations, platform, outcome: Outcome::Waiting })
}

fn refused(path: &Path, error: Error, declarations: Declarations) -> Opened {
    let mut info = PluginInfo { path: path.to_owned(), ..PluginInfo::default() };
    info.declared(&declarations);
    let outcome = Outcome::Refused(refuse(path, error, &declarations));
    Opened { info: Arc::new(info), declarations, platform: None, outcome }
}

/// A library that registered nothing now: its initialisers ran before, when somebody else opened it, or it is no
/// plugin.
fn nothing_new(path: &Path, library: &Library, mut info: PluginInfo) -> Result<Opened> {
    let registry = Registry::global()?;
    let file = path.to_string_lossy();
    let is_of_file = |op: &&OpEntry| {
        let has_kernels = || registry.kernels_of(op.name()).any(|kernel| kernel.location.file == file);
        op.location.file == file || (op.location.file == source::UNKNOWN && has_kernels())
    };
    let ops: Vec<OpSpec> = registry.ops().filter(is_of_file).map(|op| OpSpec::clone(&op.spec)).collect();
    let kernels: Vec<_> = registry.kernels().filter(|kernel| kernel.location.file == file).collect();
    if ops.is_empty() && kernels.is_empty() {
        return Err(refusal::nothing_registered(library));
    }
    (info.ops, info.kernels) = (ops, kernels);
    let (declarations, platform) = Default::default();
    Ok(Opened { info: Arc::new(info), declarations, platform, outcome: Outcome::Loaded })
}

fn add(opened: &Opened) -> Result<()> {
    devices::add(opened)?;
    Registry::extend_global(&opened.declarations).map(drop)
}

/// Keeps note of a refusal in the registry, and names the file in its error.
fn refuse(path: &Path, error: Error, declarations: &Declarations) -> Error {
    let path = path.to_string_lossy();
    if let Ok(registry) = Registry::global() {
        registry.record_rejected_plugin(path.clone(), error.to_string(), &declarations.op_names());
    }
    refusal::of_plugin(&path, &error)
}
