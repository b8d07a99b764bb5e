//! The types that a kernel serves: one list for each type attr of its op.

use oplink_spec::{Allowed, AttrSpec, DType};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::parse::{KernelKeys, type_attrs};
use super::step::Step;
use crate::errors::Errors;
use crate::keys::{Bracketed, split_commas};
use crate::text::list_of;
use crate::types;

/// The types of one attr.
pub(crate) struct TypeList {
    /// The attr's name.
    pub(crate) attr: String,
    /// The generic parameter that stands for the type, if the kernel has one of the attr's name.
    pub(crate) generic: Option<Ident>,
    /// The types.
    pub(crate) types: Vec<TypeChoice>,
}

/// One type of a list.
#[derive(Clone)]
pub(crate) struct TypeChoice {
    /// The Rust type.
    pub(crate) ty: TokenStream,
    /// Its dtype, as far as its name tells.
    pub(crate) dtype: Option<DType>,
    /// Its place in the attribute.
    pub(crate) span: Span,
    /// A condition for the compiler where the name does not tell the dtype: the dtypes that are allowed.
    pub(crate) allowed: Option<Vec<DType>>,
}

/// Reads the lists, against the op's declaration.
pub(crate) fn resolve(step: &Step, keys: &KernelKeys, errors: &mut Errors) -> Vec<TypeList> {
    let mut lists = Vec::new();
    for (key, tokens) in &keys.lists {
        let attr = step.spec().and_then(|spec| spec.attr(&key.to_string()));
        let generic = super::generic_named(step.header.generics(), &key.to_string());
        match read(key, tokens) {
            Ok(Some(types)) => {
                let types = choices(step, key, attr, types, errors);
                lists.push(TypeList { attr: key.to_string(), generic, types });
            }
            Ok(None) if generic.is_some() => errors.at(
                tokens,
                format!(
                    "`{key} = any` serves every dtype with one function, so the kernel cannot be generic over `{key}`"
                ),
            ),
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    if let Some(spec) = step.spec() {
        lists.sort_by_key(|list| spec.attrs.iter().position(|attr| attr.name == list.attr));
    }
    lists
}

/// Every type attr has a list, or `any`. Not reported beside a key that may be the missing one misspelt.
pub(crate) fn check_missing(step: &Step, keys: &KernelKeys, errors: &mut Errors) {
    let Some(spec) = step.spec().filter(|_| !keys.has_wrong_keys) else { return };
    for attr in type_attrs(spec) {
        if !keys.lists.iter().any(|list| list.0 == attr) {
            let message = format!(
                "the types of the attr `{attr}` are missing: write `{attr} = [f32, …]`, or `{attr} = any` for a kernel \
                 that takes every dtype as `&Tensor` or through the context"
            );
            step.error_at_op(message, errors);
        }
    }
}

/// The types of a list as they are written; `None` for `any`.
pub(crate) fn read(key: &Ident, tokens: &TokenStream) -> syn::Result<Option<Vec<syn::Type>>> {
    if tokens.to_string() == "any" {
        return Ok(None);
    }
    let form = format!("write `{key} = [f32, i32]`, or `{key} = any`");
    let Ok(list) = syn::parse2::<Bracketed>(tokens.clone()) else {
        return Err(syn::Error::new_spanned(tokens, format!("the types of `{key}` are a list: {form}")));
    };
    let types = split_commas(list.0.stream()).into_iter().map(|part| {
        syn::parse2::<syn::Type>(part.clone()).map_err(|_| syn::Error::new_spanned(part, format!("not a type: {form}")))
    });
    let types = types.collect::<syn::Result<Vec<_>>>()?;
    if types.is_empty() {
        return Err(syn::Error::new_spanned(tokens, format!("the list of `{key}` is empty: {form}")));
    }
    Ok(Some(types))
}

fn choices(
    step: &Step,
    key: &Ident,
    attr: Option<&AttrSpec>,
    types: Vec<syn::Type>,
    errors: &mut Errors,
) -> Vec<TypeChoice> {
    let allowed = attr.and_then(|attr| match &attr.allowed {
        Some(Allowed::Types(types)) => Some(types.as_slice()),
        _ => None,
    });
    let mut all: Vec<TypeChoice> = Vec::new();
    for ty in types {
        let found = match word(&ty).as_deref().and_then(types::group) {
            Some(group) => group_choices(step, &ty, group, allowed),
            None => single_choice(&ty, allowed),
        };
        match found {
            Ok(found) => add(&mut all, found, key, &ty, errors),
            Err(why) => errors.at(&ty, format!("the attr `{key}` of op `{}` does not allow {why}", step.op.name())),
        }
    }
    all
}

fn add(all: &mut Vec<TypeChoice>, found: Vec<TypeChoice>, key: &Ident, ty: &syn::Type, errors: &mut Errors) {
    for choice in found {
        let same = |other: &TypeChoice| match (choice.dtype, other.dtype) {
            (Some(a), Some(b)) => a == b,
            (None, None) => choice.ty.to_string() == other.ty.to_string(),
            _ => false,
        };
        if all.iter().any(same) {
            let name = choice.dtype.map_or_else(|| ty.to_token_stream().to_string(), |dtype| dtype.to_string());
            errors.at(ty, format!("the list of `{key}` already has {name}"));
            return;
        }
        all.push(choice);
    }
}

/// A type that is one word.
pub(crate) fn word(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        syn::Type::Group(group) => word(&group.elem),
        _ => None,
    }
}

/// The types of a group word that the op allows.
fn group_choices(
    step: &Step,
    ty: &syn::Type,
    group: Vec<DType>,
    allowed: Option<&[DType]>,
) -> Result<Vec<TypeChoice>, String> {
    let private = step.private();
    let kept = group.into_iter().filter(|dtype| allowed.is_none_or(|allowed| allowed.contains(dtype)));
    let choices: Vec<TypeChoice> = kept
        .map(|dtype| TypeChoice {
            ty: types::rust_type(dtype, &private, ty.span()),
            dtype: Some(dtype),
            span: ty.span(),
            allowed: None,
        })
        .collect();
    if choices.is_empty() {
        return Err(format!("any of the types `{}`{}", ty.to_token_stream(), allowed_note(allowed)));
    }
    Ok(choices)
}

fn single_choice(ty: &syn::Type, allowed: Option<&[DType]>) -> Result<Vec<TypeChoice>, String> {
    if let Some(name) = types::not_an_element(ty) {
        return Err(format!("`{name}`: it is no tensor element type"));
    }
    let dtype = types::dtype_of(ty);
    if let (None, Some(name)) = (dtype, types::of_op_language(ty)) {
        return Err(format!("`{}`, which is a name of the op language: write `{name}`", ty.to_token_stream()));
    }
    let condition = allowed.filter(|_| dtype.is_none()).map(<[DType]>::to_vec);
    match (dtype, allowed) {
        (Some(dtype), Some(list)) if !list.contains(&dtype) => {
            Err(format!("`{}` ({dtype}){}", ty.to_token_stream(), allowed_note(allowed)))
        }
        _ => Ok(vec![TypeChoice { ty: ty.to_token_stream(), dtype, span: ty.span(), allowed: condition }]),
    }
}

fn allowed_note(allowed: Option<&[DType]>) -> String {
    let Some(allowed) = allowed else { return String::new() };
    let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
    format!(", only {}\n", list_of(&names)).trim_end().to_owned()
}

/// Each generic type parameter of the kernel stands for a type attr with a list.
pub(crate) fn check_generics(step: &Step, lists: &[TypeList], errors: &mut Errors) {
    if !errors.is_empty() {
        return;
    }
    let attrs: Vec<&str> = lists.iter().map(|list| list.attr.as_str()).collect();
    let stands_for_one = |ident: &Ident| lists.iter().any(|list| list.generic.as_ref() == Some(ident));
    for param in &step.header.generics().params {
        let ident = match param {
            syn::GenericParam::Lifetime(_) => continue,
            syn::GenericParam::Type(param) if stands_for_one(&param.ident) => continue,
            syn::GenericParam::Type(param) => &param.ident,
            syn::GenericParam::Const(param) => &param.ident,
        };
        let op = step.op.name();
        let which = match attrs.as_slice() {
            [] => "it has none".to_owned(),
            attrs => format!("these are {}", list_of(attrs)),
        };
        errors.at(ident, format!("the generic `{ident}` stands for no type attr of op `{op}`: {which}"));
    }
}

/// Every combination of the lists' types, the last list fastest.
pub(crate) fn combinations(lists: &[TypeList]) -> Vec<Vec<&TypeChoice>> {
    lists.iter().map(|list| &list.types).fold(vec![Vec::new()], |rows, types| {
        rows.iter().flat_map(|row| types.iter().map(|ty| [row.as_slice(), &[ty]].concat())).collect()
    })
}
