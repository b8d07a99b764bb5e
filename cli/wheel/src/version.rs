//! Versions of crates as versions of Python packages.

use crate::Result;

/// The version in Python's form: `1.2.0-alpha.3` is `1.2.0a3`, and what stands behind `+` is a local version.
///
/// # Errors
/// Python has no form of it; the error says which there are.
pub fn python_version(version: &str) -> Result<String> {
    let (rest, local) = version.split_once('+').map_or((version, ""), |(rest, local)| (rest, local));
    let (release, pre) = rest.split_once('-').map_or((rest, ""), |(release, pre)| (release, pre));
    let pre = if pre.is_empty() { Some(String::new()) } else { pre_release(pre) };
    let pre = pre.ok_or_else(|| {
        format!(
            "Python packages have no version {version}: before a release come alpha, beta, rc and dev, as in 1.0.0-rc.1"
        )
    })?;
    let local = local.replace('-', ".");
    Ok(if local.is_empty() { format!("{release}{pre}") } else { format!("{release}{pre}+{}", local.to_lowercase()) })
}

fn pre_release(text: &str) -> Option<String> {
    let letters = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (word, number) = text.split_at(letters);
    let number = number.trim_start_matches(['.', '-']);
    let number = if number.is_empty() { "0" } else { number };
    let mark = match &*word.to_lowercase() {
        "alpha" | "a" => "a",
        "beta" | "b" => "b",
        "rc" | "pre" | "preview" => "rc",
        "dev" => ".dev",
        _ => return None,
    };
    number.parse::<u32>().ok().map(|number| format!("{mark}{number}"))
}
