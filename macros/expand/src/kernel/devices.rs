//! The key `device`: a list's entries become an attribute each.
//!
//! An entry is a device type, with keys in parentheses that hold there in place of the attribute's, behind a
//! `#[cfg(…)]` where a build may leave it out: `device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f32])]`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::Signature;

use crate::gpu::form;
use crate::keys::{self, Entry};

/// The attributes that one attribute stands for, one for each device, each behind its `#[cfg(…)]`. Functions of single
/// values on a GPU get the key `scalar`, on all of the attribute's devices.
pub(crate) fn attributes(attribute: TokenStream, sig: Option<&Signature>) -> syn::Result<Vec<TokenStream>> {
    let parts = keys::split_commas(attribute.clone());
    let names: Vec<Option<String>> = parts.iter().map(name_of).collect();
    let find = |name: &str| names.iter().position(|other| other.as_deref() == Some(name));
    let Some(at) = find("device") else { return Ok(vec![attribute]) };
    let Ok(entry) = keys::entry(parts[at].clone()) else { return Ok(vec![attribute]) };
    let devices = listed(&entry).into_iter().map(Device::parse).collect::<syn::Result<Vec<_>>>()?;
    let for_gpu = devices.iter().any(|device| device.name.to_string() == "GPU");
    let is_scalar =
        for_gpu && find("host_memory").is_none() && find("scalar").is_none() && sig.is_some_and(form::is_scalar);
    if let ([only], false) = (devices.as_slice(), is_scalar)
        && only.cfg.is_none()
        && only.keys.is_empty()
    {
        return Ok(vec![attribute]);
    }
    if let Some(token) = entry.tokens.clone().into_iter().next()
        && devices.iter().all(|device| device.cfg.is_some())
    {
        let message = "a build may leave out every device: write `#[cfg(…)]` on the function instead";
        return Err(syn::Error::new_spanned(token, message));
    }
    let scalar = is_scalar.then(|| quote!(scalar));
    let attribute_of = |device: &Device| {
        let (cfg, name, own) = (&device.cfg, &device.name, &device.keys);
        let own_names: Vec<Option<String>> = own.iter().map(name_of).collect();
        let parts = parts.iter().enumerate().filter_map(|(index, part)| match index == at {
            true => Some(quote!(device = #name)),
            false => (names[index].is_none() || !own_names.contains(&names[index])).then(|| part.clone()),
        });
        let all: Vec<TokenStream> = parts.chain(own.iter().cloned()).chain(scalar.clone()).collect();
        quote!(#cfg #(#all),*)
    };
    Ok(devices.iter().map(attribute_of).collect())
}

/// The entries of the key `device`: one, or those of a list.
pub(crate) fn listed(entry: &Entry) -> Vec<TokenStream> {
    let keys::Value::Assigned(tokens) = &entry.value else { return vec![TokenStream::new()] };
    match syn::parse2::<keys::Bracketed>(tokens.clone()) {
        Ok(list) if !list.0.stream().is_empty() => keys::split_commas(list.0.stream()),
        _ => vec![tokens.clone()],
    }
}

/// Whether an entry is the device type `GPU`.
pub(crate) fn is_gpu(entry: &TokenStream) -> bool {
    Device::parse(entry.clone()).is_ok_and(|device| device.name.to_string() == "GPU")
}

/// Takes the `#[cfg(…)]` off an attribute: its predicate, and the rest.
pub(crate) fn without_cfg(attribute: TokenStream) -> (Option<TokenStream>, TokenStream) {
    match split_cfg(&attribute) {
        Some((predicate, _, rest)) => (Some(predicate), rest),
        None => (None, attribute),
    }
}

/// The predicate of a `#[cfg(…)]` at the start, the attribute as it stands, and what follows.
fn split_cfg(tokens: &TokenStream) -> Option<(TokenStream, TokenStream, TokenStream)> {
    let mut rest = tokens.clone().into_iter();
    let (Some(TokenTree::Punct(sign)), Some(TokenTree::Group(group))) = (rest.next(), rest.next()) else { return None };
    if sign.as_char() != '#' || group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let entry = keys::entry(group.stream()).ok().filter(|entry| entry.name == "cfg")?;
    let keys::Value::List(predicate) = entry.value else { return None };
    Some((predicate.stream(), quote!(#sign #group), rest.collect()))
}

/// One entry.
struct Device {
    /// The `#[cfg(…)]` before it.
    cfg: Option<TokenStream>,
    /// The device type.
    name: TokenStream,
    /// The keys in its parentheses.
    keys: Vec<TokenStream>,
}

impl Device {
    fn parse(tokens: TokenStream) -> syn::Result<Self> {
        let (cfg, rest) = match split_cfg(&tokens) {
            Some((_, cfg, rest)) => (Some(cfg), rest),
            None => (None, tokens),
        };
        let mut parts: Vec<TokenTree> = rest.into_iter().collect();
        if let [TokenTree::Punct(sign), TokenTree::Group(group), ..] = parts.as_slice()
            && sign.as_char() == '#'
        {
            let message = "before a device stands one `#[cfg(…)]`, no other attribute";
            return Err(syn::Error::new_spanned(group, message));
        }
        let keys = match parts.as_slice() {
            [.., _, TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
                let keys = own_keys(group)?;
                parts.pop();
                keys
            }
            _ => Vec::new(),
        };
        Ok(Self { cfg, name: parts.into_iter().collect(), keys })
    }
}

/// The keys of a device.
fn own_keys(group: &Group) -> syn::Result<Vec<TokenStream>> {
    let keys = keys::split_commas(group.stream());
    for key in &keys {
        let entry = keys::entry(key.clone())?;
        if entry.name == "device" {
            return Err(syn::Error::new_spanned(&entry.name, "this entry is the device: it has keys but `device`"));
        }
    }
    Ok(keys)
}

fn name_of(part: &TokenStream) -> Option<String> {
    keys::entry(part.clone()).ok().map(|entry| entry.name.to_string())
}
