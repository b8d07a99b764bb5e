//! Who hears what ops print, and warnings of the runtime.

use std::sync::{PoisonError, RwLock};

/// Gets each text that an op prints.
pub type Listener = Box<dyn Fn(&[u8]) + Send + Sync>;

static LISTENERS: RwLock<Vec<Listener>> = RwLock::new(Vec::new());

/// Adds a listener, for as long as the process runs. It must not print or add listeners itself.
pub fn listen(listener: Listener) {
    LISTENERS.write().unwrap_or_else(PoisonError::into_inner).push(listener);
}

/// Tells the listeners of a text; false where there are none, and the text is to be written instead.
pub fn tell(text: &[u8]) -> bool {
    let listeners = LISTENERS.read().unwrap_or_else(PoisonError::into_inner);
    listeners.iter().for_each(|listener| listener(text));
    !listeners.is_empty()
}

/// Tells of something that users should know and that is no error of a call: to the listeners, else on standard error.
pub fn warn(message: &str) {
    if !tell(format!("oplink: {message}\n").as_bytes()) {
        eprintln!("oplink: {message}");
    }
}
