//! Why a driver's library is not there.
#![allow(unsafe_code, reason = "room: opens the libraries of drivers by name")]

/// What the system's loader says of a library that it cannot load; nothing where it can.
pub(crate) fn refusal(name: &str) -> Option<String> {
    // SAFETY: opens the library by name and closes it; its initialisers are those of a driver.
    let error = unsafe { libloading::Library::new(name) }.err()?;
    let text = error.to_string();
    // Loaders name the file first; where one does not, the name is added.
    Some(if text.contains(name) { text } else { format!("{name}: {text}") })
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn a_library_that_is_not_there_is_named_with_the_loaders_reason() {
        let text = refusal("liboplink_no_such_driver.so.1").expect("no such library");
        assert!(text.contains("liboplink_no_such_driver.so.1") && text.len() > 40, "{text}");
    }
}
