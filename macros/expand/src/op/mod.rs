//! `#[op]`: parse, check, expand.

mod attr_param;
mod check;
mod companion;
mod doc;
mod expand;
mod facts;
mod graph;
mod parse;
pub(crate) mod typed;
pub(crate) mod values;

use oplink_spec::OpSpec;
use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::selection::Build;
use parse::{OpItem, OpKeys};

/// An op that passed every check.
pub(crate) struct OpModel {
    pub(crate) keys: OpKeys,
    pub(crate) item: OpItem,
    pub(crate) spec: OpSpec,
    /// The values of `OpFact`.
    pub(crate) facts: Vec<TokenStream>,
}

/// Expands `#[op(attribute)] item`.
pub fn op(build: &Build, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let keys = OpKeys::parse(attribute, &mut errors);
    let parsed = errors.take(OpItem::parse(&item));
    let spec = keys.as_ref().and_then(|keys| check::spec(keys, &mut errors));
    if let (Some(keys), Some(item)) = (&keys, &parsed) {
        check::shape(keys, item, &mut errors);
    }
    if let (Some(keys), Some(spec)) = (&keys, &spec) {
        check::enums(keys, spec, &mut errors);
        check::bytes(keys, spec, &mut errors);
    }
    let facts = match (&keys, &spec) {
        (Some(keys), Some(spec)) => {
            let krate = &keys.krate;
            facts::facts(&keys.facts, spec, &quote!(#krate::__private), &mut errors)
        }
        _ => Vec::new(),
    };
    match (keys, parsed, spec) {
        (Some(keys), Some(item), Some(spec)) if errors.is_empty() => {
            expand::expand(build, &OpModel { keys, item, spec, facts })
        }
        (Some(keys), Some(parsed), _) => {
            let errors = errors.into_tokens();
            let instead = expand::instead(&keys, &parsed);
            quote!(#errors #instead)
        }
        _ => {
            let errors = errors.into_tokens();
            quote!(#errors #item)
        }
    }
}
