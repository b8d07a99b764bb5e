//! The simulated accelerator, loaded as a plugin, and the functions by which tests drive it.
#![allow(unsafe_code, reason = "room: the plugin's C functions")]

use std::path::PathBuf;
use std::sync::OnceLock;

use oplink::{Error, Result, Runtime};

/// The device type.
pub const SIM: &str = "SIM";

const FILE: &str = "liboplink_device_sim.so";

/// The plugin that was built with this program: beside it, or in `deps` beside it.
///
/// # Errors
/// There is none.
pub fn file() -> Result<PathBuf> {
    let program = std::env::current_exe().map_err(|error| Error::internal(error.to_string()))?;
    let folder = program.parent().unwrap_or(&program);
    let found = [folder.join(FILE), folder.join("deps").join(FILE)].into_iter().find(|path| path.exists());
    found.ok_or_else(|| {
        Error::not_found(format!("no {FILE} in {} or its deps: build oplink-device-sim", folder.display()))
    })
}

/// Loads the plugin, once.
///
/// # Errors
/// It is not there, or refused.
pub fn load() -> Result<()> {
    static LOADED: OnceLock<Result<()>> = OnceLock::new();
    LOADED.get_or_init(|| Runtime::load_plugin(file()?).map(drop)).clone()
}
