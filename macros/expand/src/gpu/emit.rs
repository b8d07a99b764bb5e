//! Programs as constants: what a kernel's entries point to.

use oplink_spec::DType;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::ty::Ty;
use super::{GpuKernel, GpuRole, Param, Program, Programs, Text};
use crate::descriptor::location;
use crate::kernel::lists::{TypeChoice, TypeList};
use crate::kernel::parse::KernelKeys;
use crate::kernel::step::Step;

/// The kernel as a `static` for each combination that is kept, given by position and types.
pub(crate) fn statics(
    step: &Step,
    keys: &KernelKeys,
    lists: &[TypeList],
    kernel: &GpuKernel,
    kept: &[(usize, &Vec<&TypeChoice>)],
    function: &str,
) -> TokenStream {
    let private = step.private();
    let statics = kept.iter().map(|&(index, row)| {
        let name = program_name(step, lists, row, function);
        let arguments = arguments(step, kernel, &kernel.rows[index]);
        let form = match &kernel.rows[index] {
            Programs::Elementwise { contiguous, broadcast } => {
                let contiguous = constant(&private, &name, contiguous);
                let broadcast = match broadcast {
                    Some(program) => {
                        let program = constant(&private, &name, program);
                        quote!(::core::option::Option::Some(#program))
                    }
                    None => quote!(::core::option::Option::None),
                };
                quote!(Elementwise { contiguous: #contiguous, broadcast: #broadcast })
            }
            Programs::Grid(grid) => {
                let program = constant(&private, &name, grid);
                let launch = match &keys.launch {
                    Some(path) => quote!(::core::option::Option::Some(#path)),
                    None => quote!(::core::option::Option::None),
                };
                quote!(Grid { program: #program, launch: #launch })
            }
        };
        let ident = static_name(index);
        quote! {
            static #ident: #private::GpuKernel = #private::GpuKernel {
                arguments: &[#(#private::GpuArgument::#arguments),*],
                form: #private::GpuForm::#form,
                run: #private::run_program,
            };
        }
    });
    statics.collect()
}

/// The function of an entry of the descriptor.
pub(crate) fn entry(index: usize) -> TokenStream {
    let name = static_name(index);
    quote!(Program(&#name))
}

fn static_name(index: usize) -> proc_macro2::Ident {
    format_ident!("__OPLINK_GPU_{index}")
}

/// The op, the function and the types, for messages.
fn program_name(step: &Step, lists: &[TypeList], row: &[&TypeChoice], function: &str) -> String {
    let types: Vec<String> = lists
        .iter()
        .zip(row)
        .filter_map(|(list, choice)| Some(format!("{}={}", list.attr, choice.dtype?.name())))
        .collect();
    let types = if types.is_empty() { String::new() } else { format!(" ({})", types.join(", ")) };
    format!("{} by {function}{types}", step.op.name())
}

/// Where each argument of the function comes from.
fn arguments(step: &Step, kernel: &GpuKernel, programs: &Programs) -> Vec<TokenStream> {
    let attrs = step.spec().map(|spec| spec.attrs.as_slice()).unwrap_or_default();
    let mut arguments: Vec<TokenStream> = kernel
        .binding
        .params
        .iter()
        .map(|param| match param.role {
            GpuRole::Input(input) => quote!(Input(#input)),
            GpuRole::Output(output) => quote!(Output(#output)),
            GpuRole::InOut { input, output } => quote!(InOut { input: #input, output: #output }),
            GpuRole::Attr(attr) => {
                let name = &attrs[attr].name;
                quote!(Attr(#name))
            }
            GpuRole::Launch => {
                let name = syn::ext::IdentExt::unraw(&param.ident).to_string();
                quote!(Launch(#name))
            }
        })
        .collect();
    if let Programs::Grid(program) = programs {
        for length in program.params.iter().filter_map(|param| param.name.strip_suffix("_length_low")) {
            let buffer = program.params.iter().position(|param| param.name == length);
            arguments.extend(buffer.map(|buffer| quote!(Length(#buffer))));
        }
    }
    arguments
}

/// A reference to the program as a constant.
pub(crate) fn constant(private: &TokenStream, name: &str, program: &Program) -> TokenStream {
    let Program { cuda, wgsl, entry, params, block, needs } = program;
    let (cuda, wgsl, location) = (text(cuda), text(wgsl), location(private));
    let params = params.iter().map(|param| parameter(private, param));
    let needs = needs.iter().map(|need| format_ident!("{need}"));
    let block = block.iter().map(|&length| Literal::u32_unsuffixed(length));
    quote! {
        &#private::DeviceProgram {
            name: #name,
            entry: #entry,
            cuda: #cuda,
            wgsl: #wgsl,
            params: &[#(#params),*],
            block: [#(#block),*],
            needs: &[#(#private::ProgramFeature::#needs),*],
            location: #location,
        }
    }
}

fn text(text: &Text) -> TokenStream {
    match text {
        Text::Written(text) => quote!(#text),
        Text::Given { head, tokens } => quote!(::core::concat!(#head, #tokens)),
    }
}

fn parameter(private: &TokenStream, param: &Param) -> TokenStream {
    let kind = format_ident!("{}", param.kind);
    // A bool is passed as an integer: uniform blocks have no bools.
    let dtype = match param.ty {
        Ty::Bool if param.kind == "Scalar" => DType::UInt32,
        ty => ty.dtype().unwrap_or(DType::UInt32),
    };
    let dtype = format_ident!("{dtype:?}");
    quote!(#private::ProgramParam::#kind(#private::DType::#dtype))
}
