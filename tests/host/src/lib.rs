//! Builds plugins from the C sources beside this crate, with the system's compiler.
#![forbid(unsafe_code)]

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The compilers' arguments of what this process has built: a library that is mapped must not be written again.
static BUILT: LazyLock<Mutex<HashSet<Vec<OsString>>>> = LazyLock::new(Mutex::default);

/// The folder of the C sources.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c")
}

/// Builds `source` into the library `name` in `folder`, with these definitions.
///
/// # Panics
/// Where there is no C compiler, or the source does not compile.
pub fn build(folder: &Path, source: &str, name: &str, definitions: &[&str]) -> PathBuf {
    build_with(folder, source, name, definitions, &[])
}

/// As [`build`], with the example device `TOY` in the library.
///
/// # Panics
/// As [`build`].
pub fn build_with_device(folder: &Path, source: &str, name: &str, definitions: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let device = ["platform.c", "memory.c", "streams.c"].map(|file| root.join("examples/plugins/device_c").join(file));
    let include = format!("-I{}", root.join("capi/include").display());
    let more: Vec<OsString> =
        [include.into(), "-D_DEFAULT_SOURCE".into()].into_iter().chain(device.map(PathBuf::into_os_string)).collect();
    build_with(folder, source, name, definitions, &more)
}

fn build_with(folder: &Path, source: &str, name: &str, definitions: &[&str], more: &[OsString]) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder for plugins");
    let library = folder.join(format!("lib{name}.so"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut arguments: Vec<OsString> =
        ["-std=c11", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread", "-o"].map(OsString::from).into();
    arguments.extend([library.clone().into_os_string(), sources().join(source).into_os_string()]);
    arguments.extend(definitions.iter().map(|definition| format!("-D{definition}").into()));
    arguments.extend_from_slice(more);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !built.contains(&arguments) {
        let status = Command::new(compiler).args(&arguments).status().expect("a C compiler");
        assert!(status.success(), "{source} does not compile");
        built.insert(arguments);
    }
    library
}
