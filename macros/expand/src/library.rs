//! `library!`: an explicit list of ops, kernels and gradients.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Ident, Path, Token, Visibility};

use crate::errors::Errors;
use crate::text::{guess, list_of};

/// Every section.
const SECTIONS: &[&str] = &["ops", "kernels", "gradients", "crate"];

/// `pub NAME; ops::{…}, kernels::{…}, gradients::{…}`.
struct LibraryList {
    attrs: Vec<syn::Attribute>,
    vis: Visibility,
    name: Ident,
    sections: Vec<Section>,
}

struct Section {
    name: Ident,
    value: SectionValue,
}

enum SectionValue {
    Paths(Vec<Path>),
    Crate(Path),
}

impl Parse for LibraryList {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let vis = input.parse()?;
        let name: Ident = input.parse()?;
        input.parse::<Token![;]>().map_err(|error| {
            syn::Error::new(
                error.span(),
                format!("the library's name ends with `;`: write `library! {{ pub {name}; ops::{{…}} }}`"),
            )
        })?;
        let sections = Punctuated::<Section, Token![,]>::parse_terminated(input)?;
        Ok(Self { attrs, vis, name, sections: sections.into_iter().collect() })
    }
}

impl Parse for Section {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any)?;
        if name == "crate" {
            input.parse::<Token![=]>()?;
            return Ok(Self { name, value: SectionValue::Crate(input.parse()?) });
        }
        let form = format!("a section of library! is a path: write `{name}::{{first, second}}`");
        if input.parse::<Token![::]>().is_err() {
            return Err(syn::Error::new(name.span(), form));
        }
        if !(input.peek(syn::token::Brace) || input.peek(Token![::]) || input.peek(Ident::peek_any)) {
            return Err(input.error(form));
        }
        Ok(Self { name, value: SectionValue::Paths(tree(input, &TokenStream::new())?) })
    }
}

/// The paths of a tree such as `array::{Concat, pack::Pack}`, each with `prefix` before it.
fn tree(input: ParseStream<'_>, prefix: &TokenStream) -> syn::Result<Vec<Path>> {
    if let Ok(group) = input.fork().parse::<Group>()
        && group.delimiter() == Delimiter::Brace
    {
        input.parse::<TokenTree>()?;
        let prefix = prefix.clone();
        let branches = move |input: ParseStream<'_>| {
            let mut all = Vec::new();
            while !input.is_empty() {
                all.extend(tree(input, &prefix)?);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(all)
        };
        return syn::parse::Parser::parse2(branches, group.stream());
    }
    let start = input.parse::<Option<Token![::]>>()?;
    let segment = input.call(Ident::parse_any)?;
    let path = quote!(#prefix #start #segment);
    if let Some(colons) = input.parse::<Option<Token![::]>>()? {
        return tree(input, &quote!(#path #colons));
    }
    syn::parse2(path).map(|path| vec![path])
}

/// Expands `library! { … }`.
pub fn library(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    match errors.take(syn::parse2::<LibraryList>(tokens)) {
        Some(list) => {
            let parts = Parts::check(list, &mut errors);
            if errors.is_empty() { parts.expand() } else { errors.into_tokens() }
        }
        None => errors.into_tokens(),
    }
}

struct Parts {
    attrs: Vec<syn::Attribute>,
    vis: Visibility,
    name: Ident,
    ops: Vec<Path>,
    kernels: Vec<Path>,
    gradients: Vec<Path>,
    krate: TokenStream,
}

impl Parts {
    fn check(list: LibraryList, errors: &mut Errors) -> Self {
        let LibraryList { attrs, vis, name, sections } = list;
        let mut this = Self {
            attrs,
            vis,
            name,
            ops: Vec::new(),
            kernels: Vec::new(),
            gradients: Vec::new(),
            krate: quote!(::oplink),
        };
        let mut seen = crate::keys::Seen::default();
        for Section { name, value } in sections {
            if !seen.first(&name, errors) {
                continue;
            }
            match (name.to_string().as_str(), value) {
                ("ops", SectionValue::Paths(paths)) => this.ops = paths,
                ("kernels", SectionValue::Paths(paths)) => this.kernels = paths,
                ("gradients", SectionValue::Paths(paths)) => this.gradients = paths,
                (_, SectionValue::Crate(path)) => this.krate = quote!(#path),
                (other, _) => {
                    let near = guess(other, SECTIONS.iter().copied());
                    let all = list_of(SECTIONS);
                    errors.at(&name, format!("unknown section `{other}` in library!{near}\nthe sections are {all}"));
                }
            }
        }
        listed_twice(&this.ops, errors);
        listed_twice(&this.kernels, errors);
        listed_twice(&this.gradients, errors);
        this
    }

    fn expand(&self) -> TokenStream {
        let Self { attrs, vis, name, ops, kernels, gradients, krate } = self;
        let private = quote!(#krate::__private);
        let text = name.to_string();
        let ops = ops.iter().map(|path| quote_spanned!(path.span()=> <#path as #private::Op>::DESCRIPTOR));
        let lists = kernels.iter().map(|path| match is_function(path) {
            true => quote_spanned!(path.span()=> <#path as #private::HasKernelDescriptor>::DESCRIPTORS),
            false => quote_spanned!(path.span()=> #path::DESCRIPTORS),
        });
        let gradients = gradients
            .iter()
            .map(|path| quote_spanned!(path.span()=> <#path as #private::HasGradientDescriptor>::DESCRIPTOR));
        let flat = format_ident!("KERNELS");
        quote! {
            #(#attrs)*
            #[allow(missing_docs)]
            #vis static #name: #private::Library = {
                #[allow(unused_imports)]
                use #private::HasKernelDescriptor as _;
                const LISTS: &[&[&#private::KernelDescriptor]] = &[#(#lists),*];
                const COUNT: ::core::primitive::usize = #private::count(LISTS);
                static #flat: [&#private::KernelDescriptor; COUNT] = #private::flatten(LISTS);
                #private::Library { name: #text, ops: &[#(#ops),*], kernels: &#flat, gradients: &[#(#gradients),*] }
            };
        }
    }
}

/// Whether a kernel is named as functions are. Types may be generic: their parameters are the compiler's to find.
fn is_function(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| !last.ident.to_string().starts_with(|c: char| c.is_ascii_uppercase()))
}

fn listed_twice(paths: &[Path], errors: &mut Errors) {
    let text = |path: &Path| quote!(#path).to_string();
    for (index, path) in paths.iter().enumerate() {
        if paths[..index].iter().any(|other| text(other) == text(path)) {
            errors.at(path, format!("`{}` is listed twice", text(path).replace(' ', "")));
        }
    }
}
