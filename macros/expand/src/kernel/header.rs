//! What a kernel stands on: a function's signature or an impl's head.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Signature, Token, Visibility};

use crate::item::ImplHeader;

/// The header of the annotated item.
pub(crate) enum Header {
    Function { vis: Visibility, sig: Box<Signature> },
    Impl(Box<ImplHeader>),
}

impl Parse for Header {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![impl]) {
            return input.parse().map(|header| Self::Impl(Box::new(header)));
        }
        Ok(Self::Function { vis: input.parse()?, sig: Box::new(input.parse()?) })
    }
}

impl ToTokens for Header {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Function { vis, sig } => quote!(#vis #sig),
            Self::Impl(header) => quote!(#header),
        });
    }
}

impl Header {
    pub(crate) fn generics(&self) -> &syn::Generics {
        match self {
            Self::Function { sig, .. } => &sig.generics,
            Self::Impl(header) => &header.generics,
        }
    }
}
