//! A test in a thread of its own, whose panics are part of its result and are not printed where they happen.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::Once;
use std::thread;

thread_local! {
    /// What panicked in this thread, where the thread is a test's.
    static PANICS: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs a test; an error is why it failed. Panics that the test catches, or makes to see what becomes of them, say
/// nothing.
pub(crate) fn run(name: &str, test: fn() -> Result<(), String>) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !keep(panic) {
                usual(panic);
            }
        }));
    });
    let body = move || {
        PANICS.set(Some(Vec::new()));
        let result = std::panic::catch_unwind(test);
        let panics = PANICS.take().unwrap_or_default();
        result.unwrap_or_else(|_| Err(panics.last().cloned().unwrap_or_else(|| "the test panicked".to_owned())))
    };
    let thread = thread::Builder::new().name(name.to_owned()).spawn(body);
    let thread = thread.map_err(|error| format!("the test has no thread: {error}"))?;
    thread.join().unwrap_or_else(|_| Err("the test's thread panicked after the test".to_owned()))
}

/// Keeps the text of a panic in a test's thread.
fn keep(panic: &PanicHookInfo<'_>) -> bool {
    // A thread that ends has no such values any more.
    let kept = PANICS.try_with(|panics| {
        let mut panics = panics.try_borrow_mut().ok()?;
        panics.as_mut()?.push(describe(panic));
        Some(())
    });
    kept.is_ok_and(|kept| kept.is_some())
}

/// The message and where it happened; with a backtrace where `RUST_BACKTRACE` asks for one.
fn describe(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("a panic without a message");
    let place = panic.location().map_or_else(String::new, |place| format!("panicked at {place}:\n"));
    let trace = Backtrace::capture();
    match trace.status() {
        BacktraceStatus::Captured => format!("{place}{message}\n{trace}"),
        _ => format!("{place}{message}"),
    }
}
