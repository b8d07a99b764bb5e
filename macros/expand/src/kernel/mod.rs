//! `#[kernel]`: in two steps, because the op's declaration comes from elsewhere.
//!
//! The attribute emits the item and calls the op's companion macro with the keys and the item's header; that macro adds
//! the op's declaration and calls `__kernel!`, which checks both against each other and expands.

pub(crate) mod bind;
mod binding;
mod cost;
pub(crate) mod devices;
mod duplicates;
mod elementwise;
mod expand;
mod forms;
mod handles;
pub(crate) mod header;
pub(crate) mod lists;
mod memory;
mod options;
pub(crate) mod parse;
mod returned;
pub(crate) mod step;
mod wrapper;

use oplink_spec::{OpSpec, snake_case};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::errors::Errors;
use crate::gpu::{self, GpuBinding, GpuKernel};
use crate::item::ImplHeader;
use crate::selection::Build;
use bind::Binding;
use header::Header;
use lists::TypeList;
use parse::KernelKeys;
use step::Step;

/// Expands `#[kernel(attribute)] item`: the item, and a call of the op's macro.
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    step::first(attribute, item)
}

/// Expands `__kernel!`: `tokens` are what the op's macro passes on.
pub fn kernel_of_op(build: &Build, tokens: TokenStream) -> TokenStream {
    let step: Step = match syn::parse2(tokens) {
        Ok(step) => step,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let expanded = model(&step, &mut errors).filter(|_| errors.is_empty()).map(|model| expand::expand(build, &model));
    let failed = expanded.is_none();
    let expanded = expanded.unwrap_or_else(|| expand::instead(&step));
    let errors = errors.into_tokens();
    let next = step.next(failed);
    quote!(#errors #expanded #next)
}

/// The op of a kernel.
pub(crate) enum OpOfKernel {
    /// Declared with `#[op]`; whether it has a shape function.
    Declared { spec: Box<OpSpec>, has_shape: bool },
    /// Known by name only.
    Dynamic(String),
}

impl OpOfKernel {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Declared { spec, .. } => &spec.name,
            Self::Dynamic(name) => name,
        }
    }
}

/// A kernel that passed every check.
pub(crate) struct KernelModel<'a> {
    pub(crate) step: &'a Step,
    pub(crate) keys: KernelKeys,
    pub(crate) lists: Vec<TypeList>,
    pub(crate) form: Form,
}

/// How the kernel computes.
pub(crate) enum Form {
    /// A function, with what its parameters and results are bound to.
    Function(Binding),
    /// A function of single values, run over all elements on the host.
    Elementwise(GpuBinding),
    /// A function translated for GPUs.
    Gpu(GpuKernel),
    /// A function that takes an `AsyncKernelContext`.
    Async,
    /// `impl Kernel for …`.
    Impl,
    /// `impl RawKernel for …`.
    RawImpl,
    /// `impl HostFallback for …`: the kernel of the host.
    HostFallback,
}

fn model<'a>(step: &'a Step, errors: &mut Errors) -> Option<KernelModel<'a>> {
    let keys = KernelKeys::parse(step, errors);
    let lists = lists::resolve(step, &keys, errors);
    lists::check_missing(step, &keys, errors);
    lists::check_generics(step, &lists, errors);
    memory::check(step, &keys, errors);
    let form = match &step.header {
        Header::Impl(header) => {
            if let Some(token) = &keys.is_async {
                errors.at(token, "`async` kernels are functions: `impl Kernel` computes before it returns");
            }
            let form = impl_form(header);
            if matches!(form, Form::Impl) && step.spec().is_none() {
                let message = "with `dynamic = \"…\"` nothing is known of the op's arguments: implement `RawKernel`";
                errors.at(&header.trait_path, message);
            }
            if matches!(form, Form::HostFallback) && keys.device == "CPU" {
                let message = "the CPU's kernels are what others fall back to: write `impl Kernel for …`";
                step.error_at_op(message, errors);
            }
            Some(form)
        }
        Header::Function { sig, .. } if keys.is_async.is_some() => {
            bind::check_async(sig, errors).then_some(Form::Async)
        }
        Header::Function { sig, .. } if keys.is_translated(sig) => {
            gpu::translate(step, &keys, &lists, errors).map(Form::Gpu)
        }
        Header::Function { .. } if keys.scalar.is_some() => {
            gpu::elementwise(step, &keys, &lists, errors).map(Form::Elementwise)
        }
        Header::Function { sig, .. } => {
            let binding = bind::bind(step, &keys, sig, errors);
            binding.inspect(|binding| gpu::host_only::check(step, &keys, binding, errors)).map(Form::Function)
        }
    };
    let form = form?;
    if let (Form::Function(binding), Header::Function { sig, .. }, true) = (&form, &step.header, errors.is_empty()) {
        options::check(step, binding, errors);
        forms::check(step, &lists, sig, binding, errors);
    }
    Some(KernelModel { step, keys, lists, form })
}

/// The form of an impl, by the name of its trait.
fn impl_form(header: &ImplHeader) -> Form {
    match header.trait_path.segments.last() {
        Some(last) if last.ident == "RawKernel" => Form::RawImpl,
        Some(last) if last.ident == "HostFallback" => Form::HostFallback,
        _ => Form::Impl,
    }
}

/// The generic parameter that stands for the type attr `name`: of the same name, or of the same words in camel case.
pub(crate) fn generic_named(generics: &syn::Generics, name: &str) -> Option<Ident> {
    let find = |same: &dyn Fn(&str) -> bool| {
        generics.type_params().map(|param| &param.ident).find(|ident| same(&ident.to_string())).cloned()
    };
    find(&|ident| ident == name).or_else(|| find(&|ident| snake_case(ident) == snake_case(name)))
}
