//! Plugins: libraries that are opened at run time and register ops, kernels and devices.
//!
//! A plugin's declarations are caught while it is opened and checked as a whole. Then what is valid is added to the
//! process's registry, or all or nothing, as [`Strictness`] tells. Whatever becomes of it, a library that was opened
//! stays mapped: its initialisers ran, and nobody knows what of it is in use. So its outcome is kept, and given again
//! when the same file is loaded again.

mod capture;
mod devices;
mod elf;
mod gradients;
mod info;
mod library;
mod refusal;
mod search;
mod source;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::descriptors::GradientDescriptor;
use oplink_api::{Error, OpSpec, Result, log};
use oplink_core::{Declarations, OpEntry, Registry, RejectedDeclaration};

pub(crate) use capture::{declare, reject};
pub use devices::{DeviceHost, PluginPlatform, register_device_host};
pub use info::{PlatformInfo, PluginInfo};
pub(crate) use library::Library;
pub(crate) use source::{interned, source_of};

use capture::{Captured, Failure};
use search::{Found, Naming};

/// What becomes of a plugin of which not everything is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// [`AllOrNone`](Self::AllOrNone) for plugins that are made with `plugin!`, [`WhatIsValid`](Self::WhatIsValid) for
    /// others.
    #[default]
    ByPlugin,
    /// It is refused, and the registry stays as it is.
    AllOrNone,
    /// What is valid serves. The rest is left out; asking for it later gives the reason. A plugin of which nothing is
    /// valid is refused.
    WhatIsValid,
}

/// A plugin that was opened.
struct Opened {
    info: Arc<PluginInfo>,
    declarations: Declarations,
    /// What it could not declare.
    failures: Vec<Failure>,
    /// What makes its devices; gone where the plugin is refused.
    platform: Option<Arc<dyn PluginPlatform>>,
    outcome: Outcome,
}

enum Outcome {
    /// Looked into only.
    Waiting,
    Loaded,
    /// It registers nothing. Whoever loads libraries, as the dynamic linker does, has no objection.
    Empty(Error),
    /// Not all of it is valid, and all or none was asked for.
    Strict(Error),
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
/// The same file again is the same plugin. A name without a folder that is no file is searched as the dynamic linker
/// does.
///
/// # Errors
/// The file is no library, lacks a symbol, registers nothing, or what it registers is broken or clashes with what is
/// there, as far as `strictness` refuses that; then the registry is as it was, and a later miss of one of the plugin's
/// ops names the reason.
pub fn load(path: impl AsRef<Path>, strictness: Strictness) -> Result<Arc<PluginInfo>> {
    load_named(path.as_ref(), Naming::File, strictness)
}

/// As [`load`], of a library that is named as the dynamic linker takes it: a name without a folder is searched before
/// it is taken for a file. It may register nothing.
///
/// # Errors
/// As [`load`].
pub fn load_library(name: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
    load_named(name.as_ref(), Naming::Linker, Strictness::ByPlugin)
}

fn load_named(path: &Path, naming: Naming, strictness: Strictness) -> Result<Arc<PluginInfo>> {
    crate::exports::keep();
    with_files(|files| {
        let opened = open(files, path, naming)?;
        let all_or_none = match strictness {
            Strictness::ByPlugin => opened.info.is_all_or_none(),
            Strictness::AllOrNone => true,
            Strictness::WhatIsValid => false,
        };
        match (&opened.outcome, naming) {
            (Outcome::Empty(_), Naming::Linker) => Ok(opened.info.clone()),
            _ => opened.load(all_or_none),
        }
    })
}

/// What a plugin is and declares, and what of it is valid; the process's registry stays as it is.
///
/// # Errors
/// As [`load`], except for what is not valid.
pub fn inspect(path: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
    crate::exports::keep();
    with_files(|files| {
        let opened = open(files, path.as_ref(), Naming::File)?;
        match &opened.outcome {
            Outcome::Empty(error) => Err(error.clone()),
            Outcome::Refused(error) if opened.declarations.is_empty() => Err(error.clone()),
            Outcome::Loaded => Ok(opened.info.clone()),
            _ => {
                let valid = Registry::global()?.extended_by_valid(&opened.declarations);
                Ok(Arc::new(opened.info.with(&valid.added, opened.rejected(valid.rejected))))
            }
        }
    })
}

impl Opened {
    fn load(&mut self, all_or_none: bool) -> Result<Arc<PluginInfo>> {
        match &self.outcome {
            Outcome::Refused(error) | Outcome::Empty(error) => return Err(error.clone()),
            Outcome::Strict(error) if all_or_none => return Err(error.clone()),
            Outcome::Loaded => {
                let warning = self.info.warning().filter(|_| all_or_none);
                let refused = |warning: String| refusal::of_plugin(&self.path(), &refusal::loaded_in_part(&warning));
                return warning.map_or(Ok(self.info.clone()), |warning| Err(refused(warning)));
            }
            Outcome::Waiting | Outcome::Strict(_) => {}
        }
        let added = if all_or_none { self.add_all() } else { self.add_valid() };
        self.outcome = match added {
            Ok(()) => Outcome::Loaded,
            Err(error) => {
                let error = refuse(&self.info.path, error, &self.declarations);
                if all_or_none { Outcome::Strict(error) } else { Outcome::Refused(error) }
            }
        };
        if let Outcome::Refused(_) = self.outcome {
            self.platform = None;
        }
        match &self.outcome {
            Outcome::Refused(error) | Outcome::Strict(error) => Err(error.clone()),
            _ => Ok(self.info.clone()),
        }
    }

    fn path(&self) -> String {
        self.info.path.to_string_lossy().into_owned()
    }

    /// What the plugin could not declare, and `others`.
    fn rejected(&self, others: Vec<RejectedDeclaration>) -> Vec<RejectedDeclaration> {
        self.failures.iter().map(|failure| failure.declaration.clone()).chain(others).collect()
    }

    /// Checks that everything is valid.
    ///
    /// # Errors
    /// What the plugin could not declare, and every conflict of what it declares.
    fn check_all(&self) -> Result<()> {
        let clashes = Registry::global()?.extended(&self.declarations).err();
        match refusal::of_failures(&self.failures, clashes) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn add_all(&mut self) -> Result<()> {
        self.check_all()?;
        devices::add(self, true)?;
        Registry::extend_global(&self.declarations)?;
        self.info = Arc::new(self.info.with(&self.declarations, Vec::new()));
        Ok(())
    }

    fn add_valid(&mut self) -> Result<()> {
        if self.platform.is_none() && Registry::global()?.extended_by_valid(&self.declarations).added.is_empty() {
            return self.check_all();
        }
        devices::add(self, false)?;
        let (added, rejected) = Registry::extend_global_by_valid(&self.declarations)?;
        let failed: Vec<_> = self.rejected(Vec::new());
        let registry = Registry::global()?;
        registry.record_rejected_declarations(&failed);
        registry.forget_rejected_plugin(&self.path());
        self.info = Arc::new(self.info.with(&added, self.rejected(rejected)));
        self.info.warning().iter().for_each(|warning| log::warn(warning));
        Ok(())
    }
}

/// The plugin of this name, opened where it was not yet.
fn open<'f>(files: &'f mut Files, name: &Path, naming: Naming) -> Result<&'f mut Opened> {
    let (path, opened) = match search::find(name, naming)? {
        Found::File(path) if files.contains_key(&path) => (path, None),
        Found::File(path) => {
            let opened = run(&path);
            (path, Some(opened))
        }
        Found::Name(name) => {
            let opened = run(&name);
            (Library::loaded(name.as_os_str()).unwrap_or(name), Some(opened))
        }
    };
    Ok(files.entry(path).or_insert_with_key(|path| match opened {
        Some(Ok(opened)) => opened,
        Some(Err(error)) => refused(path, error, Declarations::default()),
        None => refused(path, Error::internal("the plugin was opened and is not known"), Declarations::default()),
    }))
}

/// Maps the library and runs its initialisers.
fn run(path: &Path) -> Result<Opened> {
    let (ran, captured) = capture::capture(path, || {
        let library = Library::open(path)?;
        let file = library.file().filter(|_| path.is_relative()).unwrap_or_else(|| path.to_owned());
        let mut info = info::read(&library, &file)?;
        let platform = devices::open(&library, path)?;
        info.platform = platform.as_deref().map(PlatformInfo::of);
        library.initialize();
        info::check_failure(&library)?;
        let gradients = gradients::read(&library, path)?;
        Ok((library, info, platform, gradients))
    });
    let Captured { mut declarations, failures } = captured;
    let (library, info, platform, gradients) = match ran {
        Ok(ran) => ran,
        Err(error) => return Ok(refused(path, error, declarations)),
    };
    if declarations.is_empty() && platform.is_none() {
        return match refusal::of_failures(&failures, None) {
            Some(error) => Ok(refused(path, error, declarations)),
            None => nothing_new(&library, info, gradients),
        };
    }
    for gradient in gradients {
        declarations.gradient(gradient);
    }
    info.docs.iter().for_each(|(op, doc)| declarations.document(op, doc));
    let info = Arc::new(info.with(&declarations, Vec::new()));
    Ok(Opened { info, declarations, failures, platform, outcome: Outcome::Waiting })
}

fn refused(path: &Path, error: Error, declarations: Declarations) -> Opened {
    let info = PluginInfo { path: path.to_owned(), ..PluginInfo::default() }.with(&declarations, Vec::new());
    let outcome = Outcome::Refused(refuse(path, error, &declarations));
    Opened { info: Arc::new(info), declarations, failures: Vec::new(), platform: None, outcome }
}

/// A library that registered nothing now: its initialisers ran before, when somebody else opened it, or it is no
/// plugin.
fn nothing_new(library: &Library, mut info: PluginInfo, gradients: Vec<&'static GradientDescriptor>) -> Result<Opened> {
    let registry = Registry::global()?;
    let file = info.path.to_string_lossy();
    let is_of_file = |op: &&OpEntry| {
        let has_kernels = || registry.kernels_of(op.name()).any(|kernel| kernel.location.file == file);
        op.location.file == file || (op.location.file == source::UNKNOWN && has_kernels())
    };
    let ops: Vec<OpSpec> = registry.ops().filter(is_of_file).map(|op| OpSpec::clone(&op.spec)).collect();
    let kernels: Vec<_> = registry.kernels().filter(|kernel| kernel.location.file == file).collect();
    if ops.is_empty() && kernels.is_empty() {
        let outcome =
            Outcome::Empty(refuse(&info.path, refusal::nothing_registered(library), &Declarations::default()));
        let (declarations, failures, platform) = Default::default();
        return Ok(Opened { info: Arc::new(info), declarations, failures, platform, outcome });
    }
    let mut carried = Declarations::default();
    for gradient in &gradients {
        carried.gradient(gradient);
    }
    Registry::extend_global(&carried)?;
    (info.ops, info.kernels, info.gradients) = (ops, kernels, gradients);
    let (declarations, failures, platform) = Default::default();
    Ok(Opened { info: Arc::new(info), declarations, failures, platform, outcome: Outcome::Loaded })
}

/// Keeps note of a refusal in the registry, and names the file in its error.
fn refuse(path: &Path, error: Error, declarations: &Declarations) -> Error {
    let path = path.to_string_lossy();
    if let Ok(registry) = Registry::global() {
        registry.record_rejected_plugin(path.clone(), error.to_string(), &declarations.op_names());
    }
    refusal::of_plugin(&path, &error)
}
