//! Which form a kernel function has, as far as its keys and its signature tell.

use proc_macro2::{TokenStream, TokenTree};
use syn::{FnArg, GenericArgument, PathArguments, ReturnType, Signature, Type};

use super::ty::Ty;
use crate::kernel::devices;
use crate::keys::{self, Entry};

/// Whether an attribute has the key `scalar`.
pub(crate) fn has_scalar(attribute: &TokenStream) -> bool {
    has_key(&keys::split_commas(attribute.clone()), &["scalar"])
}

/// Whether the function's body is needed: an attribute's tokens name the device type `GPU`, or have the key `scalar`.
pub(crate) fn needs_body(attribute: &TokenStream) -> bool {
    has_scalar(attribute) || is_for_gpu(attribute)
}

/// Whether an attribute's tokens name the device type `GPU`.
fn is_for_gpu(attribute: &TokenStream) -> bool {
    keys::split_commas(attribute.clone()).into_iter().any(|part| match keys::entry(part) {
        Ok(entry) if entry.name == "device" => devices::listed(&entry).iter().any(devices::is_gpu),
        _ => false,
    })
}

/// Whether the keys give a text in place of a translation.
pub(crate) fn is_given(parts: &[TokenStream]) -> bool {
    has_key(parts, &["cuda", "wgsl"])
}

fn has_key(parts: &[TokenStream], names: &[&str]) -> bool {
    let is_one =
        |part: &TokenStream| keys::entry(part.clone()).is_ok_and(|entry| names.iter().any(|n| entry.name == n));
    parts.iter().any(is_one)
}

/// Whether an attribute of `#[kernel]` has the function's body translated.
pub(crate) fn is_translated(attribute: &TokenStream, sig: &Signature) -> bool {
    let parts = keys::split_commas(attribute.clone());
    let is_function_of_values = has_key(&parts, &["scalar"]) || !has_key(&parts, &["host_memory"]) && is_scalar(sig);
    let is_grid = has_key(&parts, &["block"]) || is_grid(sig);
    is_for_gpu(attribute) && !is_given(&parts) && (is_grid || is_function_of_values)
}

/// Whether the function takes and returns single values only.
pub(crate) fn is_scalar(sig: &Signature) -> bool {
    let is_value = |ty: &Type| is_value(ty, sig);
    let takes = sig.inputs.iter().all(|arg| matches!(arg, FnArg::Typed(typed) if is_value(&typed.ty)));
    takes && !sig.inputs.is_empty() && matches!(&sig.output, ReturnType::Type(_, ty) if is_value(ty))
}

fn is_value(ty: &Type, sig: &Signature) -> bool {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().is_some_and(|last| {
            let generic = sig.generics.type_params().any(|param| path.path.is_ident(&param.ident));
            last.arguments.is_empty() && (generic || Ty::of_name(&last.ident.to_string()).is_some())
        }),
        Type::Group(group) => is_value(&group.elem, sig),
        _ => false,
    }
}

/// Whether the function takes slices to write, as kernels over a grid do.
pub(crate) fn is_grid(sig: &Signature) -> bool {
    sig.inputs.iter().any(|arg| match arg {
        FnArg::Typed(typed) => slice(&typed.ty).is_some_and(|(element, writable)| writable && !is_tensor(element)),
        FnArg::Receiver(_) => false,
    })
}

/// The element type of `&[E]` and `&mut [E]`, and whether it is writable.
pub(crate) fn slice(ty: &Type) -> Option<(&Type, bool)> {
    match ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => Some((&slice.elem, reference.mutability.is_some())),
            _ => None,
        },
        Type::Group(group) => slice(&group.elem),
        _ => None,
    }
}

fn is_tensor(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Tensor"))
}

/// The lengths of the key `block`: one to three numbers.
pub(crate) fn block_size(tokens: &TokenStream) -> syn::Result<[u32; 3]> {
    let message = "a block has 1 to 1024 threads: write `block = 256`, or `block = [16, 16]`";
    let wrong = || syn::Error::new_spanned(tokens, message);
    let parts = match syn::parse2::<keys::Bracketed>(tokens.clone()) {
        Ok(list) => keys::split_commas(list.0.stream()),
        Err(_) => vec![tokens.clone()],
    };
    let mut block = [1_u32; 3];
    if parts.is_empty() || parts.len() > 3 {
        return Err(wrong());
    }
    for (length, part) in block.iter_mut().zip(&parts) {
        let number: syn::LitInt = syn::parse2(part.clone()).map_err(|_| wrong())?;
        *length = number.base10_parse().map_err(|_| wrong())?;
    }
    let threads: u64 = block.iter().map(|&length| u64::from(length)).product();
    if (1..=1024).contains(&threads) { Ok(block) } else { Err(wrong()) }
}

/// A literal text, or one from a file.
pub(crate) fn text(entry: &Entry, key: &str) -> syn::Result<TokenStream> {
    let form = format!("{key} = include_str!(\"file\")");
    let tokens: TokenStream = entry.assigned(&form)?;
    if is_text(&tokens) {
        return Ok(tokens);
    }
    Err(syn::Error::new_spanned(tokens, format!("expected a text: write `{form}`")))
}

/// Whether the tokens are a literal text or `include_str!(…)`.
fn is_text(tokens: &TokenStream) -> bool {
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Literal(_)) => syn::parse2::<syn::LitStr>(tokens.clone()).is_ok(),
        Some(TokenTree::Ident(_) | TokenTree::Punct(_)) => syn::parse2::<syn::ExprMacro>(tokens.clone()).is_ok(),
        _ => false,
    }
}

/// The arguments of a `Result`, for the message that kernels of single values cannot fail.
pub(crate) fn is_result(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| {
        last.ident == "Result"
            || matches!(&last.arguments, PathArguments::AngleBracketed(args)
                if args.args.iter().any(|arg| matches!(arg, GenericArgument::Type(_))) && last.ident == "Option")
    }))
}
