//! Attrs that have one of a few strings, and the variants that stand for these.

use oplink_spec::{Allowed, AttrSpec, ScalarKind};
use proc_macro2::{Ident, Span};

/// The values of a string attr that may have a few only, where all are text.
pub(crate) fn string_values(attr: &AttrSpec) -> Option<Vec<String>> {
    match &attr.allowed {
        Some(Allowed::Strings(values)) if attr.kind.scalar == ScalarKind::String && !attr.kind.list => {
            values.iter().map(|value| String::from_utf8(value.clone()).ok()).collect()
        }
        _ => None,
    }
}

/// `NHWC_VECT_C` as `NhwcVectC`, `half_to_even` as `HalfToEven`; capitals within a word of small letters stay.
pub(crate) fn camel_case(text: &str) -> String {
    text.split(|c: char| !c.is_ascii_alphanumeric()).map(capitalized).collect()
}

fn capitalized(word: &str) -> String {
    let is_small = |c: char| c.is_ascii_lowercase();
    let rest = |rest: &str| if word.contains(is_small) { rest.to_owned() } else { rest.to_ascii_lowercase() };
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), rest(chars.as_str())))
}

/// A variant for each value.
pub(crate) fn variants(values: &[String]) -> Vec<Ident> {
    let mut taken: Vec<String> = Vec::new();
    for value in values {
        let mut name = camel_case(value);
        if name.is_empty() {
            "Empty".clone_into(&mut name);
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) || name == "Self" {
            name.insert(0, '_');
        }
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name);
    }
    taken.iter().map(|name| Ident::new(name, Span::call_site())).collect()
}
