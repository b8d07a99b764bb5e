//! The function between the runtime and a kernel function of single values, for devices whose kernels run on the host:
//! binds the attrs, and calls the function for each element.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Signature;

use super::KernelModel;
use super::binding::context;
use crate::gpu::{GpuBinding, GpuRole};

/// `fn __oplink_run<…>(context) -> Result<()>`.
pub(crate) fn wrapper(model: &KernelModel<'_>, sig: &Signature, binding: &GpuBinding) -> TokenStream {
    let (private, context) = (model.step.private(), context());
    let attrs = model.step.spec().map(|spec| spec.attrs.as_slice()).unwrap_or_default();
    let (mut bind, mut inputs, mut names, mut types, mut arguments) =
        (TokenStream::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, param) in binding.params.iter().enumerate() {
        let (name, ty) = (format_ident!("value{index}"), &param.ty);
        match param.role {
            GpuRole::Input(input) => {
                inputs.push(input);
                names.push(name.clone());
                types.push(ty);
            }
            GpuRole::Attr(attr) => {
                let text = &attrs[attr].name;
                bind.extend(quote!(let #name: #ty = #context.attr(#text)?;));
            }
            _ => {}
        }
        arguments.push(name);
    }
    let (name, generics, clause) = (&sig.ident, &sig.generics.params, &sig.generics.where_clause);
    let generics = if generics.is_empty() { TokenStream::new() } else { quote!(<#generics>) };
    let params: Vec<&Ident> = sig.generics.type_params().map(|param| &param.ident).collect();
    let turbofish = if params.is_empty() { TokenStream::new() } else { quote!(::<#(#params),*>) };
    quote! {
        fn __oplink_run #generics (#context: &mut #private::KernelContext<'_>) -> #private::Result<()> #clause {
            #bind
            #private::elementwise(
                #context,
                [#(#inputs),*],
                move |(#(#names,)*): (#(#types,)*)| #name #turbofish (#(#arguments),*),
            )
        }
    }
}
