//! The macro of the op's name, through which `#[kernel]` in any crate receives the op's declaration.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::OpModel;
use super::parse::OpKeys;
use crate::text::ident_part;

/// The macro: it hands the declaration, then what it is called with, to `__kernel!` of the caller's crate path.
pub(crate) fn companion(model: &OpModel) -> TokenStream {
    let spec = spec_tokens(model);
    let rule = quote! {
        ({ $($oplink:tt)* } $($kernel:tt)*) => {
            $($oplink)*::__private::__kernel! { { $($oplink)* } { #spec } $($kernel)* }
        };
    };
    exported(&model.keys, &rule)
}

/// The macro of an op with mistakes: kernels of it come to nothing.
pub(crate) fn swallowing(keys: &OpKeys) -> TokenStream {
    exported(keys, &quote!(($($kernel:tt)*) => {};))
}

/// The macro under a name that only one op of a crate can have.
fn exported(keys: &OpKeys, rules: &TokenStream) -> TokenStream {
    let hidden = hidden_name(keys);
    let span = hidden.span();
    quote_spanned! {span=>
        #[doc(hidden)]
        #[macro_export]
        #[allow(non_local_definitions)]
        macro_rules! #hidden { #rules }
    }
}

/// The name under which the crate's root has the macro: one for each op, so that a second declaration is an error.
pub(crate) fn hidden_name(keys: &OpKeys) -> Ident {
    let name = format!("__oplink_op_{}", ident_part(&keys.name.value()));
    Ident::new(&name, keys.name.span())
}

/// The declaration as `__kernel!` reads it: name, inputs, outputs, attrs, and whether there is a shape function.
fn spec_tokens(model: &OpModel) -> TokenStream {
    let OpModel { keys, item, spec, .. } = model;
    let (inputs, outputs, attrs) = (&keys.inputs, &keys.outputs, &keys.attrs);
    let name = &spec.name;
    let shape = keys.shape.is_some() || matches!(item, super::parse::OpItem::Function(_));
    quote!(#name [#(#inputs)*] [#(#outputs)*] [#(#attrs)*] #shape)
}
