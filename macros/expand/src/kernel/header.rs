//! What a kernel stands on: a function's signature or an impl's head.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Block, Signature, Token, Visibility};

use crate::item::ImplHeader;

/// The header of the annotated item.
pub(crate) enum Header {
    /// The body is there where a device needs it.
    Function {
        vis: Visibility,
        sig: Box<Signature>,
        body: Option<Box<Block>>,
    },
    Impl(Box<ImplHeader>),
}

impl Parse for Header {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![impl]) {
            return input.parse().map(|header| Self::Impl(Box::new(header)));
        }
        let (vis, sig) = (input.parse()?, Box::new(input.parse()?));
        let body = if input.is_empty() { None } else { Some(Box::new(input.parse()?)) };
        Ok(Self::Function { vis, sig, body })
    }
}

impl ToTokens for Header {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Function { vis, sig, body } => quote!(#vis #sig #body),
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
