//! The items that `#[kernel]` leaves: the descriptor with a function for each combination of types, a marker of the
//! function's name for `library!`, and what makes duplicates errors.

use oplink_spec::DType;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::elementwise::Loops;
use super::header::Header;
use super::lists::{TypeChoice, TypeList, combinations};
use super::step::Step;
use super::{Form, KernelModel, duplicates, elementwise, wrapper};
use crate::descriptor::{location, package};
use crate::gpu;
use crate::selection::{Build, Chosen};
use crate::text::moved;

/// Everything but the item itself.
pub(crate) fn expand(build: &Build, model: &KernelModel<'_>) -> TokenStream {
    let private = model.step.private();
    let (tracking, chosen) = (&build.tracking, build.chosen(model.step.op.name()));
    let combinations = combinations(&model.lists);
    let (kept, excluded): (Vec<_>, Vec<_>) =
        combinations.iter().enumerate().partition(|row| is_chosen(&chosen, &model.lists, row.1));
    let loops = match (&model.form, &model.step.header) {
        (Form::Elementwise(binding), Header::Function { sig, .. }) => {
            Some(elementwise::loops(model, sig, binding, &kept))
        }
        _ => None,
    };
    let function = loops.as_ref().map_or_else(|| function(model, &kept), |loops| loops.items.clone());
    let descriptor = descriptor(model, &kept, &excluded, loops.as_ref());
    let excluded = named(model, &excluded);
    let conditions = conditions(model);
    let marker = marker(model);
    let collected = if build.has_op(model.step.op.name()) {
        quote!(KERNELS, KernelNode, &'static #private::KernelDescriptor, &__OPLINK_DESCRIPTOR)
    } else {
        let package = package();
        quote!(EXCLUDED_KERNELS, ExcludedKernelNode, #private::ExcludedKernel, #private::ExcludedKernel::new(#package))
    };
    let duplicates = duplicates::markers(model, &combinations);
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        const _: () = {
            #tracking
            #function
            #excluded
            static __OPLINK_DESCRIPTOR: #private::KernelDescriptor = {
                #conditions
                #descriptor
            };
            #private::__collect!(#collected);
            #marker
        };
        #duplicates
    }
    .into_iter()
    .chain(name_marker(model.step))
    .collect()
}

fn is_chosen(chosen: &Chosen, lists: &[TypeList], row: &[&TypeChoice]) -> bool {
    let dtypes: Vec<(&str, Option<DType>)> =
        lists.iter().zip(row).map(|(list, choice)| (list.attr.as_str(), choice.dtype)).collect();
    chosen.allows(&dtypes)
}

/// Names the types that a selection leaves out, so that what imports them is not unused. Where a list is no type
/// parameter, its names are dtypes, which nobody imports.
fn named(model: &KernelModel<'_>, excluded: &[(usize, &Vec<&TypeChoice>)]) -> TokenStream {
    let mut types: Vec<&TokenStream> = Vec::new();
    for (_, row) in excluded {
        for ty in parameter_types(model, row) {
            if !types.iter().any(|known| known.to_string() == ty.to_string()) {
                types.push(ty);
            }
        }
    }
    if types.is_empty() { TokenStream::new() } else { quote!(type __OplinkExcluded = (#(#types,)*);) }
}

/// What computes: the wrapper of a function, an alias of a kernel type.
fn function(model: &KernelModel<'_>, kept: &[(usize, &Vec<&TypeChoice>)]) -> TokenStream {
    match (&model.form, &model.step.header) {
        (Form::Gpu(kernel), Header::Function { sig, .. }) => {
            let statics = gpu::statics(model.step, &model.keys, &model.lists, kernel, kept, sig);
            let name = &sig.ident;
            let paths = kept.iter().map(|(_, row)| expression(&type_arguments(model, row)));
            quote! {
                const _: () = {
                    #(let _ = #name #paths;)*
                };
                #statics
            }
        }
        (Form::Function(binding), Header::Function { sig, .. }) => wrapper::wrapper(model, sig, binding),
        (_, Header::Impl(header)) => {
            let params: Vec<&Ident> = header.generics.type_params().map(|param| &param.ident).collect();
            let generics = if params.is_empty() { TokenStream::new() } else { quote!(<#(#params),*>) };
            let ty = &header.self_ty;
            let same_op = same_op(model);
            quote!(type __OplinkKernel #generics = #ty; #same_op)
        }
        _ => TokenStream::new(),
    }
}

/// That the op whose arguments an `impl Kernel` takes is the kernel's op, or declared with the same arguments.
fn same_op(model: &KernelModel<'_>) -> TokenStream {
    if !matches!(model.form, Form::Impl) {
        return TokenStream::new();
    }
    let (private, kernel, op) = (model.step.private(), marker_type(model), &model.step.op_tokens);
    let message = format!(
        "`type Op` of this kernel is not `{}`, and its inputs, outputs and attrs are declared otherwise",
        model.step.op.name()
    );
    let span = syn::spanned::Spanned::span(op);
    let private = moved(&private, span);
    quote_spanned! {span=>
        const _: () = ::core::assert!(
            #private::same_arguments(
                <<#kernel as #private::Kernel>::Op as #private::Op>::DESCRIPTOR,
                <#op as #private::Op>::DESCRIPTOR
            ),
            #message
        );
    }
}

fn descriptor(
    model: &KernelModel<'_>,
    kept: &[(usize, &Vec<&TypeChoice>)],
    excluded: &[(usize, &Vec<&TypeChoice>)],
    loops: Option<&Loops>,
) -> TokenStream {
    let private = model.step.private();
    let keys = &model.keys;
    let (op, device, label, priority) = (model.step.op.name(), &keys.device, &keys.label, keys.priority);
    let host_memory = keys.host_memory.iter().map(|name| &name.text);
    let forward = keys.forward.iter().map(|(from, to)| {
        let (from, to) = (&from.text, &to.text);
        quote!((#from, #to))
    });
    let type_attrs = model.lists.iter().map(|list| &list.attr);
    let entries = kept.iter().map(|&(index, row)| entry(model, index, row, loops));
    let excluded = excluded.iter().flat_map(|row| row.1).map(|choice| dtype(choice, &private));
    let location = location(&private);
    quote! {
        #private::KernelDescriptor {
            op: #op,
            device: #device,
            label: #label,
            priority: #priority,
            host_memory: &[#(#host_memory),*],
            forward: &[#(#forward),*],
            type_attrs: &[#(#type_attrs),*],
            entries: &[#(#entries),*],
            excluded: &[#(#excluded),*],
            location: #location,
        }
    }
}

fn entry(model: &KernelModel<'_>, index: usize, row: &[&TypeChoice], loops: Option<&Loops>) -> TokenStream {
    let private = model.step.private();
    let dtypes = dtypes(row, &private);
    if let Some((function, formula)) = loops.map(|loops| loops.entry(index)) {
        return quote! {
            #private::KernelEntry {
                dtypes: #dtypes,
                function: #private::KernelFunction::#function,
                elementwise: #formula,
            }
        };
    }
    let arguments = type_arguments(model, row);
    let function = match (&model.form, &model.step.header) {
        (Form::Gpu(_), _) => gpu::kernel_entry(index),
        (Form::Impl, _) => {
            quote!(Create(#private::create::<__OplinkKernel #arguments>))
        }
        (Form::RawImpl, _) => {
            quote!(Create(#private::create_raw::<__OplinkKernel #arguments>))
        }
        (Form::HostFallback, _) => quote!(HostFallback),
        (Form::Async, Header::Function { sig, .. }) => {
            let name = &sig.ident;
            let path = expression(&arguments);
            quote!(Async(#name #path))
        }
        _ => {
            let path = expression(&arguments);
            quote!(Compute(__oplink_run #path))
        }
    };
    quote!(#private::KernelEntry::new(#dtypes, #private::KernelFunction::#function))
}

fn expression(arguments: &TokenStream) -> TokenStream {
    if arguments.is_empty() { TokenStream::new() } else { quote!(:: #arguments) }
}

/// `<f32, i32>` for the kernel's type parameters in their order.
fn type_arguments(model: &KernelModel<'_>, row: &[&TypeChoice]) -> TokenStream {
    let types = parameter_types(model, row);
    if types.is_empty() { TokenStream::new() } else { quote!(<#(#types),*>) }
}

/// The types that take the place of the type parameters.
fn parameter_types<'a>(model: &KernelModel<'_>, row: &[&'a TypeChoice]) -> Vec<&'a TokenStream> {
    let params = model.step.header.generics().type_params();
    let place =
        |param: &syn::TypeParam| model.lists.iter().position(|list| list.generic.as_ref() == Some(&param.ident));
    params.filter_map(place).map(|at| &row[at].ty).collect()
}

fn dtypes(row: &[&TypeChoice], private: &TokenStream) -> TokenStream {
    let dtypes = row.iter().map(|choice| dtype(choice, private));
    quote!(&[#(#dtypes),*])
}

fn dtype(choice: &TypeChoice, private: &TokenStream) -> TokenStream {
    let ty = &choice.ty;
    if let Some(dtype) = choice.dtype {
        let variant = format_ident!("{dtype:?}");
        return quote!(#private::DType::#variant);
    }
    let span = choice.span;
    let private = moved(private, span);
    quote_spanned!(span=> <#ty as #private::Element>::DTYPE)
}

/// Conditions on types whose names do not tell their dtype.
fn conditions(model: &KernelModel<'_>) -> TokenStream {
    let private = model.step.private();
    let all = model.lists.iter().flat_map(|list| list.types.iter().map(move |choice| (list, choice)));
    let conditions = all.filter_map(|(list, choice)| {
        let allowed = choice.allowed.as_ref()?;
        let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
        let variants = allowed.iter().map(|dtype| format_ident!("{dtype:?}"));
        let ty = &choice.ty;
        let message = format!(
            "op `{}` does not allow this dtype for the attr `{}`, only {}",
            model.step.op.name(),
            list.attr,
            names.join(", ")
        );
        let span = choice.span;
        let private = moved(&private, span);
        Some(quote_spanned! {span=>
            ::core::assert!(
                #private::is_one_of(<#ty as #private::Element>::DTYPE, &[#(#private::DType::#variants),*]),
                #message
            );
        })
    });
    conditions.collect()
}

/// The descriptors under the kernel's name, for `library!`.
fn marker(model: &KernelModel<'_>) -> TokenStream {
    let private = model.step.private();
    let ty = marker_type(model);
    if !model.step.is_one_of_several() {
        return quote! {
            impl #private::HasKernelDescriptor for #ty {
                const DESCRIPTORS: &'static [&'static #private::KernelDescriptor] = &[&__OPLINK_DESCRIPTOR];
            }
        };
    }
    let index = model.step.index;
    let own = quote! {
        impl #private::KernelAt<#index> for #ty {
            const DESCRIPTOR: &'static #private::KernelDescriptor = &__OPLINK_DESCRIPTOR;
        }
    };
    if !model.step.is_last() {
        return own;
    }
    if model.step.failed {
        return instead(model.step);
    }
    let all = 0..=index;
    quote! {
        #own
        impl #private::HasKernelDescriptor for #ty {
            const DESCRIPTORS: &'static [&'static #private::KernelDescriptor] =
                &[#(<Self as #private::KernelAt<#all>>::DESCRIPTOR),*];
        }
    }
}

/// What carries the descriptors: a type of the function's name, or the kernel's type.
fn marker_type(model: &KernelModel<'_>) -> TokenStream {
    match &model.step.header {
        Header::Function { sig, .. } => sig.ident.to_token_stream(),
        Header::Impl(_) => {
            let first: Vec<&TypeChoice> = model.lists.iter().filter_map(|list| list.types.first()).collect();
            let arguments = type_arguments(model, &first);
            quote!(__OplinkKernel #arguments)
        }
    }
}

/// The type of the function's name.
fn name_marker(step: &Step) -> TokenStream {
    match &step.header {
        Header::Function { vis, sig, .. } if step.index == 0 => {
            let name = &sig.ident;
            quote! {
                #[doc(hidden)]
                #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
                #vis enum #name {}
            }
        }
        _ => TokenStream::new(),
    }
}

/// What stands in for a kernel with mistakes, so that naming it is not a mistake too: an empty list of descriptors
/// after the item's last `#[kernel]`.
pub(crate) fn instead(step: &Step) -> TokenStream {
    let name = name_marker(step);
    if !step.is_last() {
        return name;
    }
    let private = step.private();
    let (generics, ty, bounds) = match &step.header {
        Header::Function { sig, .. } => (None, sig.ident.to_token_stream(), None),
        Header::Impl(header) => {
            let ty = &header.self_ty;
            (Some(&header.generics), quote!(#ty), header.generics.where_clause.as_ref())
        }
    };
    quote! {
        #name
        impl #generics #private::HasKernelDescriptor for #ty #bounds {
            const DESCRIPTORS: &'static [&'static #private::KernelDescriptor] = &[];
        }
    }
}
