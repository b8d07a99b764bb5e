//! Declarations that arrive while a plugin is loaded.

use std::cell::RefCell;
use std::path::Path;

use oplink_api::descriptors::Location;
use oplink_api::{Error, Result};
use oplink_core::{Declarations, Registry};

use super::source::location;

/// What a plugin registered, and what it could not register.
#[derive(Default)]
pub(super) struct Captured {
    pub(super) declarations: Declarations,
    pub(super) failures: Vec<Error>,
}

struct Capture {
    location: Location,
    captured: Captured,
}

thread_local! {
    static CAPTURE: RefCell<Option<Capture>> = const { RefCell::new(None) };
}

/// Whether this thread is loading a plugin.
pub(super) fn is_open() -> bool {
    CAPTURE.with_borrow(Option::is_some)
}

/// Where this thread's declarations come from, while it loads a plugin.
pub(super) fn current_location() -> Option<Location> {
    CAPTURE.with_borrow(|capture| capture.as_ref().map(|capture| capture.location))
}

/// Runs `body`, which loads the plugin of this file; what registers itself on this thread meanwhile is caught.
pub(super) fn capture<T>(path: &Path, body: impl FnOnce() -> T) -> (T, Captured) {
    let capture = Capture { location: location(&path.to_string_lossy()), captured: Captured::default() };
    CAPTURE.set(Some(capture));
    let ran = body();
    let captured = CAPTURE.take().map(|capture| capture.captured);
    (ran, captured.unwrap_or_default())
}

/// Registers what a plugin declares, or keeps note that it could not: with the plugin that this thread loads, or else
/// in the process's registry at once.
///
/// # Errors
/// The given one; a clash with what is registered.
pub(crate) fn declare(declared: Result<Declarations>) -> Result<()> {
    let caught = CAPTURE.with_borrow_mut(|capture| {
        let captured = &mut capture.as_mut()?.captured;
        match &declared {
            Ok(declarations) => captured.declarations.append(declarations.clone()),
            Err(error) => captured.failures.push(error.clone()),
        }
        Some(())
    });
    match (declared, caught) {
        (Ok(_), Some(())) => Ok(()),
        (Ok(declarations), None) => Registry::declare_global(declarations),
        (Err(error), _) => Err(error),
    }
}
