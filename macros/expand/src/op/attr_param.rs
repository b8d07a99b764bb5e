//! How calls take attrs.

use oplink_spec::{AttrSpec, ScalarKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The Rust type in which a call takes an attr.
pub(crate) fn attr_type(attr: &AttrSpec, private: &TokenStream) -> TokenStream {
    let primitive = |name: &str| {
        let name = format_ident!("{name}");
        quote!(::core::primitive::#name)
    };
    match (attr.kind.scalar, attr.kind.list) {
        (ScalarKind::String, false) => quote!(impl #private::StringAttr),
        (ScalarKind::String, true) => quote!(&[&::core::primitive::str]),
        (ScalarKind::Int, false) => primitive("i64"),
        (ScalarKind::Int, true) => quote!(&[::core::primitive::i64]),
        (ScalarKind::Float, false) => primitive("f32"),
        (ScalarKind::Float, true) => quote!(&[::core::primitive::f32]),
        (ScalarKind::Bool, false) => primitive("bool"),
        (ScalarKind::Bool, true) => quote!(&[::core::primitive::bool]),
        (ScalarKind::Type, false) => quote!(#private::DType),
        (ScalarKind::Type, true) => quote!(&[#private::DType]),
        (ScalarKind::Shape, false) => quote!(impl ::core::convert::Into<#private::PartialShape>),
        (ScalarKind::Shape, true) => quote!(&[#private::PartialShape]),
        (ScalarKind::Tensor, false) => quote!(impl #private::IntoTensor),
        (ScalarKind::Tensor, true) => quote!(&[#private::Tensor]),
        (ScalarKind::Func, false) => quote!(&#private::FuncAttr),
        (ScalarKind::Func, true) => quote!(&[#private::FuncAttr]),
    }
}

/// `(name, value)`: the arguments that give the attr to a `CallBuilder`.
pub(crate) fn attr_value(attr: &AttrSpec, ident: &Ident, private: &TokenStream) -> TokenStream {
    let name = &attr.name;
    match (attr.kind.scalar, attr.kind.list) {
        (ScalarKind::Shape, false) => quote!((#name, ::core::convert::Into::<#private::PartialShape>::into(#ident))),
        (ScalarKind::String, false) => quote!((#name, #private::StringAttr::into_string(#ident))),
        (ScalarKind::Tensor, false) => quote!((#name, #private::IntoTensor::into_tensor(#ident))),
        _ => quote!((#name, #ident)),
    }
}
