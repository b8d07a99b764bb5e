//! Declarations that arrive while a plugin is loaded.

use std::cell::RefCell;
use std::path::Path;

use oplink_api::descriptors::Location;
use oplink_api::{Error, Result};
use oplink_core::{Declarations, Registry, RejectedDeclaration, RejectedItem};

use super::source::{location, source_of};

/// What a plugin registered, and what it could not register.
#[derive(Default)]
pub(super) struct Captured {
    pub(super) declarations: Declarations,
    pub(super) failures: Vec<Failure>,
}

/// What could not be declared, and why.
#[derive(Clone)]
pub(super) struct Failure {
    pub(super) declaration: RejectedDeclaration,
    pub(super) error: Error,
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

/// Registers what a plugin declares: with the plugin that this thread loads, or else in the process's registry at once.
///
/// # Errors
/// A clash with what is registered.
pub(crate) fn declare(declarations: Declarations) -> Result<()> {
    let left = CAPTURE.with_borrow_mut(|capture| match capture {
        Some(capture) => {
            capture.captured.declarations.append(declarations);
            None
        }
        None => Some(declarations),
    });
    left.map_or(Ok(()), Registry::declare_global)
}

/// Keeps note, for the plugin that this thread loads, of something that it could not declare. Gives the error back.
pub(crate) fn reject(op: &str, item: RejectedItem, error: Error) -> Error {
    let reason = error.to_string();
    let declaration = RejectedDeclaration { op: op.to_owned(), item, reason, location: source_of(None) };
    CAPTURE.with_borrow_mut(|capture| {
        if let Some(capture) = capture {
            capture.captured.failures.push(Failure { declaration, error: error.clone() });
        }
    });
    error
}
