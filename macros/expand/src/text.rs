//! Wording shared by messages.

use oplink_spec::nearest;
use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// ` (did you mean …?)` as a line of its own, where a candidate is near.
pub(crate) fn guess<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    nearest(wanted, candidates).map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"))
}

/// Names in backquotes, separated by commas.
pub(crate) fn list_of<S: AsRef<str>>(names: &[S]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// What `names` holds, or that there are no `what`.
pub(crate) fn list_or_none<S: AsRef<str>>(names: &[S], what: &str) -> String {
    if names.is_empty() { format!("it has no {what}") } else { format!("its {what} are {}", list_of(names)) }
}

/// Letters, digits and underscores of a text, for use inside an identifier.
pub(crate) fn ident_part(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// An identifier of this text; keywords become raw, those that cannot be raw get an underscore.
pub(crate) fn ident(text: &str, span: Span) -> proc_macro2::Ident {
    let clean = ident_part(text);
    if matches!(clean.as_str(), "self" | "Self" | "super" | "crate" | "_" | "") {
        return proc_macro2::Ident::new(&format!("{clean}_"), span);
    }
    match syn::parse_str::<syn::Ident>(&clean) {
        Ok(_) => proc_macro2::Ident::new(&clean, span),
        Err(_) => proc_macro2::Ident::new_raw(&clean, span),
    }
}

/// The tokens moved to a place, so that the compiler reports there what is wrong with them.
pub(crate) fn moved(tokens: &TokenStream, span: Span) -> TokenStream {
    let move_one = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(&group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.clone().into_iter().map(move_one).collect()
}

pub(crate) fn as_strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
