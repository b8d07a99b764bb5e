//! The annotated items, read as far as their headers: bodies stay tokens.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Token, Visibility};

/// A function with its body unread.
pub(crate) struct FnItem {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
}

/// A struct without fields.
pub(crate) struct UnitStruct {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
}

/// `impl<…> Trait for Type where …`, its body unread.
pub(crate) struct ImplItem {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) header: ImplHeader,
    pub(crate) body: TokenStream,
}

/// What stands before an impl's body.
pub(crate) struct ImplHeader {
    pub(crate) generics: syn::Generics,
    pub(crate) trait_path: syn::Path,
    pub(crate) self_ty: syn::Type,
}

fn rest(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    input.parse()
}

impl Parse for FnItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        Ok(Self { attrs, vis: input.parse()?, sig: input.parse()?, body: rest(input)? })
    }
}

impl ToTokens for FnItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body } = self;
        tokens.extend(quote!(#(#attrs)* #vis #sig #body));
    }
}

impl Parse for UnitStruct {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        input.parse::<Token![struct]>()?;
        let ident = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Self { attrs, vis, ident })
    }
}

impl Parse for ImplHeader {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![impl]>()?;
        let mut generics: syn::Generics = if input.peek(Token![<]) { input.parse()? } else { syn::Generics::default() };
        let trait_path = input.parse()?;
        input.parse::<Token![for]>()?;
        let self_ty = input.parse()?;
        generics.where_clause = input.parse()?;
        Ok(Self { generics, trait_path, self_ty })
    }
}

impl ToTokens for ImplHeader {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { generics, trait_path, self_ty } = self;
        let where_clause = &generics.where_clause;
        tokens.extend(quote!(impl #generics #trait_path for #self_ty #where_clause));
    }
}

impl Parse for ImplItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        Ok(Self { attrs, header: input.parse()?, body: rest(input)? })
    }
}

/// The first keyword that says what kind of item this is.
pub(crate) fn kind(item: &TokenStream) -> Option<String> {
    item.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => {
            let text = ident.to_string();
            matches!(text.as_str(), "fn" | "struct" | "enum" | "impl" | "trait" | "mod" | "static" | "type" | "macro")
                .then_some(text)
        }
        _ => None,
    })
}
