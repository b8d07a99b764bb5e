//! The items that `#[op]` leaves: the op's type with its descriptor, the companion macro, and the calls.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::parse::{OpItem, OpKeys};
use super::{OpModel, companion, doc, graph, typed};
use crate::selection::Build;
use crate::text::moved;

/// Everything: the companion macro; the op's type; and a module of its own for what need not be in the author's, so
/// that the author's items may have the same names.
pub(crate) fn expand(build: &Build, model: &OpModel) -> TokenStream {
    let ty = model.item.type_ident(&model.keys.name);
    let (vis, module, hidden) = (model.item.vis(), module(&model.item), companion::hidden_name(&model.keys));
    let tables = doc::tables(&model.spec);
    let (on_type, on_function) = attributes(model);
    let attributes = quote!(#(#on_type)* #[doc = #tables] #[allow(non_camel_case_types)]);
    let (outside, inside, path) = match &model.item {
        OpItem::Struct(_) => (quote!(#attributes #vis struct #ty;), TokenStream::new(), quote!(#ty)),
        OpItem::Function(_) => (TokenStream::new(), quote!(#attributes pub struct #ty;), quote!(#module::#ty)),
    };
    let typed = typed::typed(model, &ty, &module, &path);
    let (typed_inside, typed_outside, typed) = (typed.inside, typed.outside, typed.binding);
    let companion = companion::companion(model);
    let descriptor = descriptor(build, model, &path, (&on_function, &typed));
    let (calls, on_type) = graph::calls(model, &ty, &module, &path);
    quote! {
        #companion
        #outside
        #[allow(non_snake_case, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
        mod #module {
            #inside
            #calls
            #typed_inside
            #[doc(hidden)]
            #[allow(unused_imports)]
            pub use #hidden as #ty;
        }
        #[allow(unused_imports, hidden_glob_reexports)]
        #vis use #module::*;
        #typed_outside
        #on_type
        #descriptor
    }
}

/// The module of the op: named after the annotated item.
fn module(item: &OpItem) -> Ident {
    match item {
        OpItem::Struct(unit) => format_ident!("__oplink_{}", unit.ident),
        OpItem::Function(function) => format_ident!("__oplink_{}", function.sig.ident),
    }
}

/// What stands in for an op with mistakes, so that uses of it are not mistakes too: the type, and a companion macro
/// that swallows kernels.
pub(crate) fn instead(keys: &OpKeys, item: &OpItem) -> TokenStream {
    let (vis, ty) = (item.vis(), item.type_ident(&keys.name));
    let krate = &keys.krate;
    let private = quote!(#krate::__private);
    let function = match item {
        OpItem::Function(function) => quote!(#[allow(dead_code)] const _: () = { #function };),
        OpItem::Struct(_) => TokenStream::new(),
    };
    let (companion, hidden) = (companion::swallowing(keys), companion::hidden_name(keys));
    quote! {
        #[allow(non_camel_case_types, missing_docs)]
        #vis struct #ty;
        impl #private::Op for #ty {
            const NAME: &'static ::core::primitive::str = "";
            const DESCRIPTOR: &'static #private::OpDescriptor = &#private::INVALID_OP;
        }
        #function
        #companion
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #hidden as #ty;
    }
}

/// The author's attributes: on the type, and, of a shape function, those that stay on it.
fn attributes(model: &OpModel) -> (Vec<&syn::Attribute>, Vec<&syn::Attribute>) {
    let attrs = model.item.attrs().iter();
    match &model.item {
        OpItem::Struct(_) => (attrs.collect(), Vec::new()),
        OpItem::Function(_) => attrs.partition(|attr| attr.path().is_ident("doc")),
    }
}

fn descriptor(
    build: &Build,
    model: &OpModel,
    ty: &TokenStream,
    (on_function, typed): (&[&syn::Attribute], &TokenStream),
) -> TokenStream {
    let OpModel { keys, item, spec, facts } = model;
    let krate = &keys.krate;
    let private = quote!(#krate::__private);
    let name = &spec.name;
    let (tracking, selected) = (&build.tracking, build.has_op(name));
    let (inputs, outputs, attrs) = (&keys.inputs, &keys.outputs, &keys.attrs);
    let flags = flags(model, &private);
    let deprecation = spec.deprecation.as_ref().map(|d| (d.version, &d.explanation));
    let deprecation = deprecation.map_or_else(
        || quote!(::core::option::Option::None),
        |(version, why)| quote!(::core::option::Option::Some((#version, #why))),
    );
    let (shape_item, shape) = shape(model, &private, on_function);
    let (shape, text) = if selected {
        (shape, if build.is_selective() { String::new() } else { doc::comment(item.attrs()) })
    } else {
        (
            quote!({ let _: ::core::option::Option<#private::ShapeFn> = #shape; ::core::option::Option::None }),
            String::new(),
        )
    };
    let no_gradient = keys.no_gradient;
    let (excluded, location) = (!selected, crate::descriptor::location(&private));
    let collected = if selected {
        quote!(OPS, OpNode, &'static #private::OpDescriptor, &__OPLINK_DESCRIPTOR)
    } else {
        let package = crate::descriptor::package();
        quote!(EXCLUDED_OPS, ExcludedOpNode, #private::ExcludedOp, #private::ExcludedOp::new(#name, #package))
    };
    quote! {
        const _: () = {
            #tracking
            #shape_item
            impl #private::Op for #ty {
                const NAME: &'static ::core::primitive::str = #name;
                const DESCRIPTOR: &'static #private::OpDescriptor = &__OPLINK_DESCRIPTOR;
            }
            static __OPLINK_DESCRIPTOR: #private::OpDescriptor = #private::OpDescriptor {
                name: #name,
                inputs: &[#(#inputs),*],
                outputs: &[#(#outputs),*],
                attrs: &[#(#attrs),*],
                flags: #flags,
                deprecation: #deprecation,
                shape: #shape,
                doc: #text,
                no_gradient: #no_gradient,
                facts: &[#(#facts),*],
                excluded: #excluded,
                location: #location,
            };
            #private::__collect!(#collected);
            #typed
        };
    }
}

fn flags(model: &OpModel, private: &TokenStream) -> TokenStream {
    let flags = model.spec.flags;
    let (commutative, aggregate, stateful) = (flags.commutative, flags.aggregate, flags.stateful);
    let (uninitialized, distributed) = (flags.allows_uninitialized_input, flags.distributed_communication);
    quote! {
        #private::OpFlags {
            commutative: #commutative,
            aggregate: #aggregate,
            stateful: #stateful,
            allows_uninitialized_input: #uninitialized,
            distributed_communication: #distributed,
        }
    }
}

/// The author's shape function as an item, and the expression that names the op's shape function.
fn shape(model: &OpModel, private: &TokenStream, on_function: &[&syn::Attribute]) -> (TokenStream, TokenStream) {
    let some = |path: TokenStream, span| {
        let private = moved(private, span);
        quote_spanned!(span=> ::core::option::Option::Some({ const SHAPE: #private::ShapeFn = #path; SHAPE }))
    };
    match &model.item {
        OpItem::Function(function) => {
            let (sig, body) = (&function.sig, &function.body);
            let name = &sig.ident;
            (quote!(#(#on_function)* #[allow(clippy::unnecessary_wraps)] #sig #body), some(quote!(#name), name.span()))
        }
        OpItem::Struct(_) => match &model.keys.shape {
            Some((_, path)) => {
                let span = path.clone().into_iter().next().map_or_else(proc_macro2::Span::call_site, |t| t.span());
                (TokenStream::new(), some(path.clone(), span))
            }
            None => (TokenStream::new(), quote!(::core::option::Option::None)),
        },
    }
}
