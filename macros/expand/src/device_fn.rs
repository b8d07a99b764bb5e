//! `#[device_fn]`: a function that bodies for GPUs may call. A macro of its name gives its text: a body that calls the
//! function calls the macro too, which puts the text into the translated body, where the function is found like any
//! other that stands there. What the function itself needs stands in its own body then.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use crate::item::{self, FnItem};
use crate::keys::{self, Entry};
use crate::mentioned::mentioned;

/// Where the functions are put.
const PLACE: &str = "__oplink_device_functions";

/// Expands `#[device_fn(attribute)] item`: the function, and the macro of its name.
pub fn device_fn(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match expand(&attribute, &item) {
        Ok(tokens) => tokens,
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#error #item)
        }
    }
}

fn expand(attribute: &TokenStream, item: &TokenStream) -> syn::Result<TokenStream> {
    if item::kind(item).as_deref() != Some("fn") {
        return Err(syn::Error::new_spanned(item, "#[device_fn] stands on a function"));
    }
    let function: FnItem = syn::parse2(item.clone())?;
    let parts = keys::split_commas(attribute.clone());
    for part in &parts {
        let entry = keys::entry(part.clone())?;
        if entry.name != "uses" && entry.name != "crate" {
            let message = "the keys of #[device_fn] are `uses = [function, …]` and `crate = path::to::oplink`";
            return Err(syn::Error::new_spanned(&entry.name, message));
        }
    }
    let krate = keys::crate_path(&parts);
    let FnItem { sig, body, .. } = &function;
    let needed = with_mentioned(uses(&parts)?, sig, body);
    let name = &sig.ident;
    let hidden = format_ident!("__oplink_fn_{}", name.unraw());
    let text = if needed.is_empty() { quote!(#sig #body) } else { inner(sig, body) };
    let definition = self::definition(&krate, (&hidden, name), &text, &needed);
    Ok(quote!(#function #definition))
}

fn inner(sig: &syn::Signature, body: &TokenStream) -> TokenStream {
    let body = with_place(body);
    quote!(#sig #body)
}

/// The functions of the key `uses`, and those that a function calls besides.
pub(crate) fn with_mentioned(mut uses: Vec<TokenStream>, sig: &syn::Signature, body: &TokenStream) -> Vec<TokenStream> {
    let last = |path: &TokenStream| path.clone().into_iter().last().map(|name| name.to_string());
    for path in mentioned(sig, body) {
        if !uses.iter().any(|other| last(other) == last(&path)) {
            uses.push(path);
        }
    }
    uses
}

/// The macro `name` that gives `text`, made after what the text needs was put into it: in its place, or before it.
pub(crate) fn definition(
    krate: &TokenStream,
    (hidden, name): (&Ident, &Ident),
    text: &TokenStream,
    needed: &[TokenStream],
) -> TokenStream {
    if needed.is_empty() {
        return device_item(quote!({ #hidden } { #name } { #text }));
    }
    let place = format_ident!("{PLACE}");
    let has_place = text.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => {
            matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(first)) if first == place)
        }
        _ => false,
    });
    let text = if has_place { text.clone() } else { quote!(#place; #text) };
    with(krate, needed, &quote!(#krate::__private::__device_item! { { #hidden } { #name } { #text } }))
}

/// Expands `__device_item!`: the macro that gives a function's or a struct's text.
pub fn device_item(tokens: TokenStream) -> TokenStream {
    let groups: Vec<TokenStream> = tokens.into_iter().filter_map(content).collect();
    let [hidden, name, text] = groups.as_slice() else {
        return quote!(::core::compile_error!("`__device_item!` is called by expansions only"););
    };
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #hidden {
            ({ $($oplink:tt)* } { $($rest:tt)* } { $($items:tt)* } { $($call:tt)* }) => {
                $($oplink)*::__private::__uses! {
                    { $($oplink)* } { $($rest)* } { $($items)* #text } { $($call)* }
                }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub(crate) use #hidden as #name;
    }
}

/// The functions of the key `uses` among an attribute's parts.
pub(crate) fn uses(parts: &[TokenStream]) -> syn::Result<Vec<TokenStream>> {
    let entries = parts.iter().filter_map(|part| keys::entry(part.clone()).ok());
    match entries.into_iter().find(|entry| entry.name == "uses") {
        Some(entry) => paths(&entry),
        None => Ok(Vec::new()),
    }
}

/// The paths of the key `uses`.
pub(crate) fn paths(entry: &Entry) -> syn::Result<Vec<TokenStream>> {
    let form = "uses = [function, …]";
    let paths = entry.listed(form)?;
    for path in &paths {
        if syn::parse2::<syn::Path>(path.clone()).is_err() {
            return Err(syn::Error::new_spanned(path, format!("not a function's path: write `{form}`")));
        }
    }
    Ok(paths)
}

/// The call after the functions were put into it.
pub(crate) fn with(krate: &TokenStream, uses: &[TokenStream], call: &TokenStream) -> TokenStream {
    match uses.split_first() {
        Some((first, rest)) => quote!(#first! { { #krate } { #({ #rest })* } {} { #call } }),
        None => call.clone(),
    }
}

/// A function's body with a statement that marks where device functions are put.
pub(crate) fn with_place(body: &TokenStream) -> TokenStream {
    let place = format_ident!("{PLACE}");
    let inner = body.clone().into_iter().next();
    match inner {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let content = group.stream();
            let mut with_place = Group::new(Delimiter::Brace, quote!(#place; #content));
            with_place.set_span(group.span());
            TokenTree::from(with_place).into()
        }
        _ => body.clone(),
    }
}

/// Expands `__uses!`: asks the next function for its text, or puts all texts into the call.
pub fn uses_of(tokens: TokenStream) -> TokenStream {
    let groups: Vec<TokenStream> = tokens.into_iter().filter_map(content).collect();
    let [krate, rest, items, call] = groups.as_slice() else {
        return quote!(::core::compile_error!("`__uses!` is called by expansions only"););
    };
    let mut rest = rest.clone().into_iter();
    while let Some(next) = rest.next().and_then(content) {
        if !has_function(items, &next) {
            let rest: TokenStream = rest.collect();
            return quote!(#next! { { #krate } { #rest } { #items } { #call } });
        }
    }
    replaced(call.clone(), items)
}

fn content(token: TokenTree) -> Option<TokenStream> {
    match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    }
}

/// Whether the text of the function that a path names is there already.
fn has_function(items: &TokenStream, path: &TokenStream) -> bool {
    let Some(TokenTree::Ident(name)) = path.clone().into_iter().last() else { return false };
    let tokens: Vec<TokenTree> = items.clone().into_iter().collect();
    tokens.windows(2).any(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(found)] => (word == "fn" || word == "struct") && *found == name,
        _ => false,
    })
}

/// The tokens with `items` where the place's statement stands.
fn replaced(tokens: TokenStream, items: &TokenStream) -> TokenStream {
    let (mut result, mut tokens) = (TokenStream::new(), tokens.into_iter());
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == PLACE => {
                result.extend(items.clone());
                drop(tokens.next());
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), items));
                inner.set_span(group.span());
                result.extend([TokenTree::from(inner)]);
            }
            other => result.extend([other]),
        }
    }
    result
}
