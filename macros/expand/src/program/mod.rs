//! `#[program]`: a function over a grid of GPU threads that is no kernel of an op by itself. It becomes a program for
//! each combination of its types, and a type of the function's name that launches them.
//!
//! The steps: the keys (`keys`), the parameters against what a launch can pass (here), the translation (`gpu`), and the
//! items (`expand`). The device functions and structs that the function needs are put into its body before
//! (`device_fn`).

mod expand;
mod keys;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Block, FnArg, Pat, ReturnType, Signature, Visibility};

use crate::device_fn;
use crate::errors::Errors;
use crate::gpu::{self, GpuBinding, GpuParam, GpuRole, Program, Ty, form, type_of};
use crate::item::{self, FnItem};
use crate::kernel::lists::TypeList;
use crate::kernel::parse::KernelKeys;
use crate::mentioned::is_struct_name;
use keys::ProgramKeys;

/// A function with all that its expansion needs.
pub(crate) struct ProgramModel<'a> {
    pub(crate) vis: &'a Visibility,
    pub(crate) sig: &'a Signature,
    pub(crate) params: Vec<GpuParam>,
    pub(crate) lists: Vec<TypeList>,
    /// A program for each combination of the lists' types.
    pub(crate) rows: Vec<Program>,
    pub(crate) krate: TokenStream,
}

/// Expands `#[program(attribute)] item`.
pub fn program(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = match item::kind(&item).as_deref() {
        Some("fn") => syn::parse2::<FnItem>(item.clone()),
        _ => Err(syn::Error::new_spanned(&item, "#[program] stands on a function")),
    };
    let function = match function {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    let parts = crate::keys::split_commas(attribute.clone());
    let krate = crate::keys::crate_path(&parts);
    let FnItem { vis, sig, body, .. } = &function;
    let placed = device_fn::with_place(body);
    let header = quote!(#vis #sig #placed);
    let call = quote!(#krate::__private::__program! { { #attribute } { #header } });
    let is_given = form::is_given(&parts);
    let needed = device_fn::uses(&parts).map(|uses| match is_given {
        true => uses,
        false => device_fn::with_mentioned(uses, sig, body),
    });
    let call = match needed {
        Ok(uses) if uses.is_empty() => program_of(quote!({ #attribute } { #vis #sig #body })),
        Ok(uses) => device_fn::with(&krate, &uses, &call),
        Err(error) => error.to_compile_error(),
    };
    quote!(#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] #function #call)
}

/// Expands `__program!`: the keys, and the function with its device functions inside.
pub fn program_of(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let expanded = syn::parse2::<Parts>(tokens).map(|parts| parts.expand(&mut errors));
    match expanded {
        Ok(expanded) => {
            let errors = errors.into_tokens();
            quote!(#errors #expanded)
        }
        Err(error) => error.to_compile_error(),
    }
}

/// What `__program!` takes.
struct Parts {
    attribute: TokenStream,
    vis: Visibility,
    sig: Signature,
    body: Block,
}

impl syn::parse::Parse for Parts {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let (attribute, function);
        syn::braced!(attribute in input);
        syn::braced!(function in input);
        let (vis, sig) = (function.parse()?, function.parse()?);
        Ok(Self { attribute: attribute.parse()?, vis, sig, body: function.parse()? })
    }
}

impl Parts {
    fn expand(&self, errors: &mut Errors) -> Option<TokenStream> {
        let Self { attribute, vis, sig, body } = self;
        let keys = ProgramKeys::parse(attribute, sig, errors);
        let params = params(sig, errors);
        if !errors.is_empty() {
            return None;
        }
        let binding = GpuBinding { params };
        let kernel_keys = KernelKeys { block: keys.block, cuda: keys.cuda, wgsl: keys.wgsl, ..KernelKeys::default() };
        let rows = gpu::programs(sig, body, &binding, &keys.lists, &kernel_keys, errors)?;
        let model = ProgramModel { vis, sig, params: binding.params, lists: keys.lists, rows, krate: keys.krate };
        Some(expand::expand(&model))
    }
}

/// The parameters: slices of the types that have lists or are named, and values that a launch can pass.
fn params(sig: &Signature, errors: &mut Errors) -> Vec<GpuParam> {
    if let ReturnType::Type(_, ty) = &sig.output {
        errors.at(ty, "a program returns nothing: it writes slices taken as `&mut [T]`");
    }
    let mut params = Vec::new();
    for (index, arg) in sig.inputs.iter().enumerate() {
        let FnArg::Typed(typed) = arg else {
            errors.at(arg, "a program is a free function: it has no `self`");
            continue;
        };
        let Pat::Ident(pat) = &*typed.pat else {
            errors.at(&typed.pat, "a launch passes arguments by name: write a name here");
            continue;
        };
        let role = match form::slice(&typed.ty) {
            Some((element, writable)) => {
                check_element(element, sig, errors);
                if writable { GpuRole::InOut { input: index, output: index } } else { GpuRole::Input(index) }
            }
            None => {
                check_value(&typed.ty, errors);
                GpuRole::Launch
            }
        };
        params.push(GpuParam { ident: pat.ident.clone(), ty: (*typed.ty).clone(), role });
    }
    params
}

fn check_element(ty: &syn::Type, sig: &Signature, errors: &mut Errors) {
    let is_type = |name: &Ident| matches!(ty, syn::Type::Path(path) if path.path.is_ident(name));
    let is_generic = sig.generics.type_params().any(|param| is_type(&param.ident));
    if !is_generic && type_of(ty, &[]).and_then(Ty::dtype).is_none() {
        errors.at(ty, "elements are `bool`, `f16`, `bf16`, `f32`, `f64`, integers, or a generic parameter");
    }
}

/// Numbers, arrays of a known length, and structs: whether a struct can be passed, the compiler tells.
pub(crate) fn check_value(ty: &syn::Type, errors: &mut Errors) {
    let fits = |ty| matches!(ty, Ty::Bool | Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64 | Ty::F32 | Ty::F64);
    match ty {
        syn::Type::Array(array) => return check_value(&array.elem, errors),
        syn::Type::Path(path)
            if path.qself.is_none()
                && type_of(ty, &[]).is_none()
                && path
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.arguments.is_empty() && is_struct_name(&last.ident.to_string())) =>
        {
            return;
        }
        _ => {}
    }
    if !type_of(ty, &[]).is_some_and(fits) {
        errors.at(
            ty,
            "a launch passes slices, values of the types `bool`, `i32`, `u32`, `i64`, `u64`, `f32` and `f64`, arrays \
             `[T; 3]` of them, and structs with #[device_struct]",
        );
    }
}
