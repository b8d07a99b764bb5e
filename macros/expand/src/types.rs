//! Element types in Rust and in the op language.

use oplink_spec::DType;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// Rust's name of each element type, in the order of the dtypes' numbers.
const NAMES: &[(DType, &str)] = &[
    (DType::Float, "f32"),
    (DType::Double, "f64"),
    (DType::Int32, "i32"),
    (DType::UInt8, "u8"),
    (DType::Int16, "i16"),
    (DType::Int8, "i8"),
    (DType::String, "TString"),
    (DType::Int64, "i64"),
    (DType::Bool, "bool"),
    (DType::QInt8, "QInt8"),
    (DType::QUInt8, "QUInt8"),
    (DType::QInt32, "QInt32"),
    (DType::BFloat16, "bf16"),
    (DType::QInt16, "QInt16"),
    (DType::QUInt16, "QUInt16"),
    (DType::UInt16, "u16"),
    (DType::Half, "f16"),
    (DType::Resource, "ResourceHandle"),
    (DType::Variant, "Variant"),
    (DType::UInt32, "u32"),
    (DType::UInt64, "u64"),
    (DType::Float8E5M2, "Float8E5M2"),
    (DType::Float8E4M3FN, "Float8E4M3FN"),
    (DType::Float8E4M3FNUZ, "Float8E4M3FNUZ"),
    (DType::Float8E4M3B11FNUZ, "Float8E4M3B11FNUZ"),
    (DType::Float8E5M2FNUZ, "Float8E5M2FNUZ"),
    (DType::Int4, "Int4"),
    (DType::UInt4, "UInt4"),
    (DType::Int2, "Int2"),
    (DType::UInt2, "UInt2"),
    (DType::Float4E2M1FN, "Float4E2M1FN"),
];

const FLOATS: &[DType] = &[DType::Half, DType::BFloat16, DType::Float, DType::Double];
const INTEGERS: &[DType] =
    &[DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64];
const COMPLEX: &[DType] = &[DType::Complex64, DType::Complex128];

/// The words that stand for several types in a kernel's lists.
pub(crate) const GROUPS: &[(&str, &[&[DType]])] = &[
    ("floats", &[FLOATS]),
    ("integers", &[INTEGERS]),
    ("complex", &[COMPLEX]),
    ("reals", &[FLOATS, INTEGERS]),
    ("numbers", &[FLOATS, INTEGERS, COMPLEX]),
];

/// The types that a group word stands for.
pub(crate) fn group(word: &str) -> Option<Vec<DType>> {
    GROUPS.iter().find(|group| group.0 == word).map(|group| group.1.concat())
}

/// The dtype of an element type as it is written, as far as its name tells.
pub(crate) fn dtype_of(ty: &syn::Type) -> Option<DType> {
    let path = match ty {
        syn::Type::Path(path) if path.qself.is_none() => &path.path,
        syn::Type::Group(group) => return dtype_of(&group.elem),
        syn::Type::Paren(paren) => return dtype_of(&paren.elem),
        _ => return None,
    };
    let last = path.segments.last()?;
    let name = last.ident.to_string();
    match &last.arguments {
        syn::PathArguments::None => NAMES.iter().find(|row| row.1 == name).map(|row| row.0),
        syn::PathArguments::AngleBracketed(args) if name == "Complex" => match args.args.first()? {
            syn::GenericArgument::Type(part) => match dtype_of(part)? {
                DType::Float => Some(DType::Complex64),
                DType::Double => Some(DType::Complex128),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Rust's name of a dtype's elements.
pub(crate) fn name(dtype: DType) -> Option<String> {
    match dtype {
        DType::Complex64 => Some("Complex<f32>".to_owned()),
        DType::Complex128 => Some("Complex<f64>".to_owned()),
        _ => NAMES.iter().find(|row| row.0 == dtype).map(|row| row.1.to_owned()),
    }
}

/// Rust's name of the elements that a word of the op language stands for.
pub(crate) fn of_op_language(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => DType::parse(&path.path.get_ident()?.to_string()).and_then(name),
        syn::Type::Group(group) => of_op_language(&group.elem),
        _ => None,
    }
}

/// The name of a type of Rust that looks like an element type but is none.
pub(crate) fn not_an_element(ty: &syn::Type) -> Option<&'static str> {
    const NAMES: &[&str] = &["usize", "isize", "i128", "u128", "char", "str", "String", "Tensor"];
    match ty {
        syn::Type::Path(path) => NAMES.iter().copied().find(|name| path.path.is_ident(name)),
        syn::Type::Group(group) => not_an_element(&group.elem),
        _ => None,
    }
}

/// The Rust type of a dtype, as a path that nothing can shadow.
pub(crate) fn rust_type(dtype: DType, private: &TokenStream, span: proc_macro2::Span) -> TokenStream {
    let element = |name: &str| {
        let name = proc_macro2::Ident::new(name, span);
        let primitive = quote_spanned!(span=> ::core::primitive::#name);
        match name.to_string().chars().next() {
            Some('A'..='Z') => quote_spanned!(span=> #private::element::#name),
            _ if name == "f16" || name == "bf16" => quote_spanned!(span=> #private::element::#name),
            _ => primitive,
        }
    };
    match dtype {
        DType::Complex64 => quote_spanned!(span=> #private::element::Complex<::core::primitive::f32>),
        DType::Complex128 => quote_spanned!(span=> #private::element::Complex<::core::primitive::f64>),
        _ => NAMES.iter().find(|row| row.0 == dtype).map_or_else(|| quote!(()), |row| element(row.1)),
    }
}
