//! The keys of `#[program]`.

use proc_macro2::TokenStream;
use syn::Signature;

use crate::errors::Errors;
use crate::gpu::form;
use crate::kernel::lists::{self, TypeChoice, TypeList};
use crate::keys::{self, Entry, Seen, Value};
use crate::text::{guess, list_of};
use crate::types;

/// What `#[program(…)]` says.
pub(super) struct ProgramKeys {
    pub(super) block: Option<[u32; 3]>,
    pub(super) cuda: Option<TokenStream>,
    pub(super) wgsl: Option<TokenStream>,
    pub(super) krate: TokenStream,
    /// The types of each generic parameter, in their order.
    pub(super) lists: Vec<TypeList>,
}

/// Every key; besides, each generic parameter is one.
const KEYS: &[&str] = &["block", "cuda", "wgsl", "uses", "crate"];

impl ProgramKeys {
    pub(super) fn parse(attribute: &TokenStream, sig: &Signature, errors: &mut Errors) -> Self {
        let parts = keys::split_commas(attribute.clone());
        let krate = keys::crate_path(&parts);
        let mut this = Self { block: None, cuda: None, wgsl: None, krate, lists: Vec::new() };
        let mut seen = Seen::default();
        for entry in keys::entries(parts, errors) {
            if seen.first(&entry.name, errors)
                && let Err(error) = this.read(&entry, sig)
            {
                errors.push(error);
            }
        }
        if errors.is_empty() {
            this.check(sig, errors);
        }
        this
    }

    fn read(&mut self, entry: &Entry, sig: &Signature) -> syn::Result<()> {
        match entry.name.to_string().as_str() {
            "block" => self.block = Some(form::block_size(&entry.assigned("block = 256")?)?),
            "cuda" => self.cuda = Some(form::text(entry, "cuda")?),
            "wgsl" => self.wgsl = Some(form::text(entry, "wgsl")?),
            "crate" => drop(entry.assigned::<syn::Path>("crate = path::to::oplink")?),
            "uses" => drop(crate::device_fn::paths(entry)?),
            name => {
                let generics: Vec<String> = sig.generics.type_params().map(|param| param.ident.to_string()).collect();
                if !generics.iter().any(|generic| generic == name) {
                    let all: Vec<&str> = KEYS.iter().copied().chain(generics.iter().map(String::as_str)).collect();
                    let near = guess(name, all.iter().copied());
                    let message = format!("unknown key `{name}` in #[program]{near}\nthe keys are {}", list_of(&all));
                    return Err(syn::Error::new_spanned(&entry.name, message));
                }
                self.lists.push(list(entry, &self.krate)?);
            }
        }
        Ok(())
    }

    /// The keys that must be there: `block`, and a list for each generic parameter.
    fn check(&mut self, sig: &Signature, errors: &mut Errors) {
        if self.block.is_none() {
            errors.at(
                &sig.ident,
                "the key `block` is missing: write `#[program(block = 256)]` for blocks of 256 threads",
            );
        }
        for param in &sig.generics.params {
            match param {
                syn::GenericParam::Type(param) => {
                    if !self.lists.iter().any(|list| param.ident == list.attr) {
                        let name = &param.ident;
                        errors.at(name, format!("the types of `{name}` are missing: write `{name} = [f32, …]`"));
                    }
                }
                syn::GenericParam::Const(param) => {
                    errors.at(&param.ident, "the generic parameters of a program are types");
                }
                syn::GenericParam::Lifetime(_) => {}
            }
        }
        let order = |list: &TypeList| sig.generics.type_params().position(|param| param.ident == list.attr);
        self.lists.sort_by_key(order);
    }
}

fn list(entry: &Entry, krate: &TokenStream) -> syn::Result<TypeList> {
    let name = &entry.name;
    let Value::Assigned(tokens) = &entry.value else {
        let message = format!("the types of `{name}` are written `{name} = [f32, i32]`");
        return Err(syn::Error::new_spanned(&entry.tokens, message));
    };
    let Some(written) = lists::read(name, tokens)? else {
        return Err(syn::Error::new_spanned(tokens, "a program is made for types that are known: list them"));
    };
    let mut all: Vec<TypeChoice> = Vec::new();
    for ty in written {
        for choice in choices(&ty, krate) {
            if choice.dtype.is_some() && all.iter().any(|other| other.dtype == choice.dtype) {
                return Err(syn::Error::new_spanned(&ty, format!("the list of `{name}` has this type twice")));
            }
            all.push(choice);
        }
    }
    Ok(TypeList { attr: name.to_string(), generic: Some(name.clone()), types: all })
}

/// A type, or those of a word such as `floats`.
fn choices(ty: &syn::Type, krate: &TokenStream) -> Vec<TypeChoice> {
    let span = syn::spanned::Spanned::span(ty);
    let private = quote::quote!(#krate::__private);
    match lists::word(ty).as_deref().and_then(types::group) {
        Some(group) => {
            let rust = |dtype| types::rust_type(dtype, &private, span);
            let choice = |dtype| TypeChoice { ty: rust(dtype), dtype: Some(dtype), span, allowed: None };
            group.into_iter().map(choice).collect()
        }
        None => vec![TypeChoice {
            ty: quote::ToTokens::to_token_stream(ty),
            dtype: types::dtype_of(ty),
            span,
            allowed: None,
        }],
    }
}
