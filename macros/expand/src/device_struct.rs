//! `#[device_struct]`: a struct of numbers that launches pass to programs as one argument. A macro of its name gives
//! its text to the bodies that use it, and an impl passes its fields in the order in which the text has them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Fields, Type};

use crate::device_fn;
use crate::errors::Errors;
use crate::gpu::{Ty, type_of};
use crate::keys;
use crate::mentioned::{is_struct_name, structs_of};

const FIELDS: &str = "a field of a device struct is `bool`, `i32`, `u32`, `i64`, `u64`, `f32`, `f64`, an array `[T; 3]` of \
                      these, or another struct with #[device_struct]";

/// Expands `#[device_struct(attribute)] item`: the struct, its impl, and the macro of its name.
pub fn device_struct(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let expanded = expand(&attribute, &item, &mut errors);
    let errors = errors.into_tokens();
    quote!(#item #errors #expanded)
}

fn expand(attribute: &TokenStream, item: &TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let found: syn::ItemStruct = match syn::parse2(item.clone()) {
        Ok(found) => found,
        Err(_) => {
            errors.at(item, "#[device_struct] stands on a struct with named fields");
            return None;
        }
    };
    let parts = keys::split_commas(attribute.clone());
    for part in &parts {
        match keys::entry(part.clone()) {
            Ok(entry) if entry.name == "crate" => {}
            _ => errors.at(part, "the only key of #[device_struct] is `crate = path::to::oplink`"),
        }
    }
    let krate = keys::crate_path(&parts);
    let Fields::Named(fields) = &found.fields else {
        errors.at(&found.ident, "#[device_struct] stands on a struct with named fields");
        return None;
    };
    if !found.generics.params.is_empty() {
        errors.at(&found.generics, "a device struct has no generic parameters: its fields are of types that are known");
    }
    for field in &fields.named {
        check(&field.ty, errors);
    }
    if !errors.is_empty() {
        return None;
    }
    let (name, private) = (&found.ident, quote!(#krate::__private));
    let names: Vec<_> = fields.named.iter().filter_map(|field| field.ident.as_ref()).collect();
    let types: Vec<_> = fields.named.iter().map(|field| &field.ty).collect();
    let hidden = format_ident!("__oplink_struct_{}", name.unraw());
    let text = quote!(struct #name { #(#names: #types),* });
    let needed = structs_of(types.iter().copied());
    let definition = device_fn::definition(&krate, (&hidden, name), &text, &needed);
    Some(quote! {
        #[automatically_derived]
        impl #private::DeviceValue for #name {
            #[inline]
            fn scalars(&self, push: &mut dyn ::core::ops::FnMut(#private::ScalarValue)) {
                #(#private::DeviceValue::scalars(&self.#names, push);)*
            }
        }
        #definition
    })
}

/// Reports a type that no launch passes. Names of other types are those of structs.
fn check(ty: &Type, errors: &mut Errors) {
    let fits = |ty| matches!(ty, Ty::Bool | Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64 | Ty::F32 | Ty::F64);
    match ty {
        Type::Array(array) => {
            if !matches!(&array.len, syn::Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Int(_))) {
                errors.at(&array.len, "the length of an array in a device struct is a number, as `3` in `[u32; 3]`");
            }
            check(&array.elem, errors);
        }
        Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last();
            let is_other =
                last.is_some_and(|last| last.arguments.is_empty() && is_struct_name(&last.ident.to_string()));
            if !is_other && !type_of(ty, &[]).is_some_and(fits) {
                errors.at(ty, FIELDS);
            }
        }
        Type::Group(group) => check(&group.elem, errors),
        _ => errors.at(ty, FIELDS),
    }
}
