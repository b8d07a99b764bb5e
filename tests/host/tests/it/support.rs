//! The plugin that most tests use.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use oplink::graph::eager::EagerContext;
use oplink::{AttrValue, Error, Result, Runtime, Tensor};

/// Where plugins are built.
pub(crate) fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Builds a library from `source` with these definitions.
pub(crate) fn build(source: &str, name: &str, definitions: &[&str]) -> PathBuf {
    oplink_host_tests::build(folder(), source, name, definitions)
}

/// The file of the test plugin, which is loaded.
pub(crate) fn plugin() -> &'static Path {
    static PLUGIN: OnceLock<PathBuf> = OnceLock::new();
    PLUGIN.get_or_init(|| {
        let file = build("plugin.c", "plugin", &[]);
        Runtime::load_plugin(&file).unwrap();
        file
    })
}

/// Calls an op of the test plugin.
pub(crate) fn call(op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
    plugin();
    let outputs = EagerContext::global()?.call(op, inputs, attrs)?;
    Ok(outputs.values.into_iter().collect())
}

/// The error of a call of the test plugin.
pub(crate) fn call_error(op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) -> Error {
    call(op, inputs, attrs).expect_err("an error")
}

/// Maps a library as any program does, without the runtime's loader.
pub(crate) fn open(file: &Path) {
    let name = std::ffi::CString::new(file.as_os_str().as_encoded_bytes()).unwrap();
    // SAFETY: a terminated string; the library is the test's own.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null(), "{} cannot be mapped", file.display());
}
