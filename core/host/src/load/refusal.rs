//! Why a plugin is refused: each reason with what to do.

use std::io;
use std::path::Path;

use oplink_api::{Code, Error, ErrorKind};

use super::capture::Failure;
use super::library::Library;

fn rejected(code: Code, message: impl Into<String>) -> Error {
    Error::new(code, ErrorKind::PluginRejected, message)
}

/// There is no such file.
pub(super) fn no_file(path: &Path, error: &io::Error) -> Error {
    rejected(Code::of_io_error(error), format!("the plugin {} cannot be read: {error}", path.display()))
}

/// The dynamic linker refuses the file.
pub(super) fn not_mapped(path: &Path, said: &str) -> Error {
    if let Some((_, symbol)) = said.split_once("undefined symbol: ") {
        let symbol = symbol.split([',', ' ']).next().unwrap_or(symbol);
        return rejected(Code::Unimplemented, missing_function(symbol));
    }
    if let Some((library, _)) = said.split_once(": cannot open shared object file")
        && Path::new(library) != path
    {
        let message = format!(
            "it needs the library `{library}`, which is not found: install it, or name its folder in LD_LIBRARY_PATH"
        );
        return rejected(Code::NotFound, message);
    }
    no_library(said)
}

/// The file is no library for this process.
pub(super) fn no_library(what: &str) -> Error {
    rejected(Code::NotFound, format!("it is not a library that this process can map: {what}"))
}

/// The message for a plugin that needs a function which its host lacks.
pub(super) fn missing_function(symbol: &str) -> String {
    let why = if symbol.starts_with("TF_") || symbol.starts_with("OPLINK_") {
        "an executable that hosts plugins exports its functions when its build script calls `oplink_build::export_plugin_host()`; \
         if it does, this version of oplink lacks the function"
    } else {
        "link the plugin with the library that has it"
    };
    format!("it needs the function `{symbol}`, which this process does not export: {why}")
}

/// The host lacks functions that the plugin asks for.
pub(super) fn missing_functions(missing: &[String]) -> Error {
    let told: Vec<String> = missing.iter().map(|symbol| missing_function(symbol)).collect();
    rejected(Code::Unimplemented, told.join("; "))
}

/// The plugin's description is of another version, or too short.
pub(super) fn wrong_description(function: &str, what: &str) -> Error {
    rejected(Code::FailedPrecondition, format!("its `{function}` {what}; build it with a matching oplink-plugin"))
}

/// The plugin itself says that it could not register what it has.
pub(super) fn failed_itself(reason: &str) -> Error {
    rejected(Code::FailedPrecondition, format!("its initialisation failed: {reason}"))
}

/// The plugin has devices, and nothing in the process hosts devices of plugins.
pub(super) fn no_device_host() -> Error {
    rejected(
        Code::Unimplemented,
        "it has devices (it exports `SE_InitPlugin`), and this program hosts none: call \
         `oplink_device_pluggable::register()` before it is loaded",
    )
}

/// Nothing was registered.
pub(super) fn nothing_registered(library: &Library) -> Error {
    let message = match library.entry_points().as_slice() {
        [] => "it registers no ops and no kernels, and exports no `TF_InitKernel`: is it a plugin?".to_owned(),
        found => format!("it registers no ops and no kernels, although it exports {}", found.join(", ")),
    };
    rejected(Code::FailedPrecondition, message)
}

/// What could not be registered, and what clashes of the rest; `None` where nothing is wrong.
pub(super) fn of_failures(failures: &[Failure], clashes: Option<Error>) -> Option<Error> {
    let errors: Vec<&Error> = failures.iter().map(|failure| &failure.error).chain(&clashes).collect();
    let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    Some(rejected(errors.first()?.code(), told.join("\n")))
}

/// The plugin is loaded without what is not valid, and all or none is asked for.
pub(super) fn loaded_in_part(warning: &str) -> Error {
    rejected(Code::FailedPrecondition, format!("it is loaded already, with what is valid of it: {warning}"))
}

/// The error that the loader of the plugin sees.
pub(super) fn of_plugin(path: &str, error: &Error) -> Error {
    rejected(error.code(), format!("the plugin {path} is refused: {error}"))
}
