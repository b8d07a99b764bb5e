//! `#[derive(Module)]`: a struct whose fields are modules, visited by their names.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Field, Index, Meta, parse_quote};

use crate::errors::Errors;
use crate::keys::{self, Value};

/// Expands `#[derive(Module)]` on a struct: the impl of `nn::Module`.
pub fn module(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let expanded = expand(&item, &mut errors);
    let errors = errors.into_tokens();
    quote!(#errors #expanded)
}

fn expand(item: &TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let Ok(mut found) = syn::parse2::<syn::ItemStruct>(item.clone()) else {
        errors.at(item, "#[derive(Module)] stands on a struct; of an enum or a union, implement `Module` by hand");
        return None;
    };
    let krate = keys::crate_path(&parts(&found.attrs, &["crate"], errors));
    let visits: Vec<TokenStream> = found
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| parts(&field.attrs, &["skip"], errors).is_empty())
        .map(|(at, field)| visit(&krate, at, field))
        .collect();
    if !errors.is_empty() {
        return None;
    }
    for parameter in found.generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#krate::nn::Module));
    }
    let (name, (generics, arguments, bounds)) = (&found.ident, found.generics.split_for_impl());
    Some(quote! {
        #[automatically_derived]
        impl #generics #krate::nn::Module for #name #arguments #bounds {
            #[allow(unused_variables)]
            fn visit(&self, visitor: &mut #krate::nn::Visitor<'_>) {
                #(#visits)*
            }
        }
    })
}

fn visit(krate: &TokenStream, at: usize, field: &Field) -> TokenStream {
    let (name, member) = match &field.ident {
        Some(ident) => (ident.unraw().to_string(), ident.to_token_stream()),
        None => (at.to_string(), Index::from(at).into_token_stream()),
    };
    quote!(#krate::nn::Visitor::part(visitor, #name, &self.#member);)
}

/// The parts of the attributes `#[module(…)]`, each of which starts with one of `allowed`.
fn parts(attributes: &[Attribute], allowed: &[&str], errors: &mut Errors) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("module")) {
        match &attribute.meta {
            Meta::List(list) => parts.extend(keys::split_commas(list.tokens.clone())),
            meta => errors.at(meta, format!("this attribute is written `#[module({})]`", form(allowed))),
        }
    }
    for part in &parts {
        let Some(entry) = errors.take(keys::entry(part.clone())) else { continue };
        let is_word = matches!(entry.value, Value::Word);
        if !allowed.iter().any(|key| entry.name == key && is_word == (*key == "skip")) {
            errors.at(part, format!("the key here is `{}`", form(allowed)));
        }
    }
    parts
}

fn form(allowed: &[&str]) -> &'static str {
    if allowed.contains(&"skip") { "skip" } else { "crate = path::to::oplink" }
}
