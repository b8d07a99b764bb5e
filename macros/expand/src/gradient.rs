//! `#[gradient]`: a descriptor of the function that adds an op's gradient to a graph.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use crate::descriptor::location;
use crate::errors::Errors;
use crate::item::{self, FnItem};
use crate::keys::{self, Seen};
use crate::signature::{self, Form};
use crate::text::{ident_part, moved};

/// Every key after the op.
const KEYS: &[&str] = &["crate"];

const NO_OP: &str = "the op comes first: write `#[gradient(MyOp)]`";

/// Expands `#[gradient(attribute)] item`: the item, its descriptor, a type of its name for `library!`, and what makes a
/// second gradient of the op in the crate an error.
pub fn gradient(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parts = keys::split_commas(attribute);
    let krate = keys::crate_path(&parts);
    let op = op(&parts, &mut errors);
    check_keys(parts, &mut errors);
    let function = function(&item, &mut errors);
    let function = errors.take(function);
    match (op, function) {
        (Some(op), Some(function)) if errors.is_empty() => expand(&krate, &op, &function),
        (_, function) => {
            let marker = function.map(|function| name_marker(&function));
            let errors = errors.into_tokens();
            quote!(#errors #item #marker)
        }
    }
}

fn op(parts: &[TokenStream], errors: &mut Errors) -> Option<Path> {
    let Some(first) = parts.first() else {
        errors.at_span(Span::call_site(), NO_OP);
        return None;
    };
    match syn::parse2(first.clone()) {
        Ok(path) => Some(path),
        Err(_) if first.is_empty() => {
            errors.at_span(Span::call_site(), NO_OP);
            None
        }
        Err(_) => {
            errors.at(first, keys::op_as_string(first, "#[gradient(", ")]").unwrap_or_else(|| NO_OP.to_owned()));
            None
        }
    }
}

fn check_keys(mut parts: Vec<TokenStream>, errors: &mut Errors) {
    let mut seen = Seen::default();
    let rest = if parts.is_empty() { parts } else { parts.split_off(1) };
    for entry in keys::entries(rest, errors) {
        if !seen.first(&entry.name, errors) {
            continue;
        }
        if entry.name == "crate" {
            errors.take(entry.assigned::<Path>("crate = path::to::oplink"));
        } else {
            keys::unknown_key(&entry, KEYS, "#[gradient]", errors);
        }
    }
}

const GRADIENT: Form = Form {
    what: "a gradient",
    params: &[
        ("scope", "&mut dyn Scope", ", which takes the nodes that are added"),
        ("op", "&OpForGradient", ", the node that is differentiated"),
        ("dy", "&[Output]", ", the gradient that arrives at each output of the op"),
    ],
    returned: "Result<Vec<Option<Output>>>",
    result: ": one for each input of the op, `None` for those that its outputs do not depend on",
};

fn function(item: &TokenStream, errors: &mut Errors) -> syn::Result<FnItem> {
    if item::kind(item).as_deref() != Some("fn") {
        return Err(syn::Error::new_spanned(item, "#[gradient] stands on a function"));
    }
    let function: FnItem = syn::parse2(item.clone())?;
    if let Some(generic) = function.sig.generics.type_params().next() {
        let message = "a gradient is one function for all dtypes: it adds nodes, whose dtypes follow from their inputs";
        return Err(syn::Error::new_spanned(generic, message));
    }
    signature::check(&function.sig, &GRADIENT, errors);
    Ok(function)
}

fn expand(krate: &TokenStream, op: &Path, function: &FnItem) -> TokenStream {
    let private = quote!(#krate::__private);
    let name = &function.sig.ident;
    let location = location(&private);
    let here = moved(&private, name.span());
    let pointer = quote_spanned! {name.span()=> {
        const GRADIENT: #here::GradientFn = #name;
        #here::GradientFunction::Function(GRADIENT)
    }};
    let there = moved(&private, op.span());
    let op_name = quote_spanned!(op.span()=> <#op as #there::Op>::NAME);
    let (marker, duplicate) = (name_marker(function), duplicate(op));
    quote! {
        #[allow(clippy::unnecessary_wraps)]
        #function
        #marker
        #duplicate
        const _: () = {
            static __OPLINK_DESCRIPTOR: #private::GradientDescriptor = #private::GradientDescriptor {
                op: #op_name,
                function: #pointer,
                location: #location,
            };
            #private::__collect!(GRADIENTS, GradientNode, &'static #private::GradientDescriptor, &__OPLINK_DESCRIPTOR);
            impl #private::HasGradientDescriptor for #name {
                const DESCRIPTOR: &'static #private::GradientDescriptor = &__OPLINK_DESCRIPTOR;
            }
        };
    }
}

/// The type of the function's name.
fn name_marker(function: &FnItem) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
        #vis enum #name {}
    }
}

/// An exported macro of the op's name: the compiler refuses a second one.
fn duplicate(op: &Path) -> TokenStream {
    let last: Option<&Ident> = op.segments.last().map(|segment| &segment.ident);
    let name = last.map(|ident| format_ident!("gradient_of_{}", ident_part(&ident.to_string()), span = op.span()));
    quote_spanned! {op.span()=>
        #[doc(hidden)]
        #[macro_export]
        #[allow(non_local_definitions)]
        macro_rules! #name { () => {}; }
    }
}
