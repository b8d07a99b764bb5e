//! Formulas and programs as constants: what a kernel's entries point to.

use oplink_spec::DType;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Signature;

use super::formula::{Formula, FormulaText};
use super::ty::Ty;
use super::{GpuKernel, GpuRole, Param, Program, Row, Text, entry_name};
use crate::descriptor::location;
use crate::kernel::lists::{TypeChoice, TypeList};
use crate::kernel::parse::KernelKeys;
use crate::kernel::step::Step;

/// The kernel as a `static` for each combination that is kept, given by position and types, and the formulas of these.
pub(crate) fn statics(
    step: &Step,
    keys: &KernelKeys,
    lists: &[TypeList],
    kernel: &GpuKernel,
    kept: &[(usize, &Vec<&TypeChoice>)],
    function: &Signature,
) -> TokenStream {
    let private = step.private();
    let kernels = kept.iter().map(|&(index, row)| {
        let name = program_name(step, lists, row, &function.ident.to_string());
        let form = match &kernel.rows[index] {
            Row::Elementwise { formula, inputs, result } => {
                let formula = formula_name(*formula);
                let inputs = inputs.iter().map(|ty| dtype(*ty));
                let result = dtype(*result);
                quote! {
                    Elementwise(#private::ElementwiseProgram::new(
                        #name, &#formula, &[#(#private::DType::#inputs),*], #private::DType::#result
                    ))
                }
            }
            Row::Grid(grid) => {
                let arguments = arguments(step, kernel, grid);
                let program = constant(&private, &name, grid);
                let launch = match &keys.launch {
                    Some(path) => quote!(::core::option::Option::Some(#path)),
                    None => quote!(::core::option::Option::None),
                };
                quote! {
                    Grid { arguments: &[#(#private::GpuArgument::#arguments),*], program: #program, launch: #launch }
                }
            }
        };
        let ident = static_name(index);
        quote! {
            static #ident: #private::GpuKernel =
                #private::GpuKernel { form: #private::GpuForm::#form, run: #private::run_program };
        }
    });
    let is_used = |formula: usize| {
        let uses = |row: &Row| matches!(row, Row::Elementwise { formula: used, .. } if *used == formula);
        kept.iter().any(|(index, _)| uses(&kernel.rows[*index]))
    };
    let used = kernel.formulas.iter().enumerate().filter(|formula| is_used(formula.0));
    let formulas = used.map(|(at, formula)| {
        let (name, value) = (formula_name(at), formula_constant(step, keys, kernel, formula, function));
        quote!(static #name: #private::GpuFormula = #value;)
    });
    formulas.chain(kernels).collect()
}

/// A formula as a constant.
fn formula_constant(
    step: &Step,
    keys: &KernelKeys,
    kernel: &GpuKernel,
    formula: &Formula,
    function: &Signature,
) -> TokenStream {
    let private = step.private();
    let (op, entry, location) = (step.op.name(), entry_name(function), location(&private));
    let specs = step.spec().map(|spec| spec.attrs.as_slice()).unwrap_or_default();
    let roles = || kernel.binding.params.iter().map(|param| param.role);
    let inputs = roles().filter_map(|role| match role {
        GpuRole::Input(input) => Some(input),
        _ => None,
    });
    let attrs = roles().filter_map(|role| match role {
        GpuRole::Attr(attr) => specs.get(attr).map(|attr| attr.name.as_str()),
        _ => None,
    });
    let params = formula.params.iter().map(|(is_attr, ty)| {
        let (kind, dtype) = (format_ident!("{}", if *is_attr { "Attr" } else { "Input" }), dtype(*ty));
        quote!(#private::FormulaParam::#kind(#private::DType::#dtype))
    });
    let (result, shapes) = (dtype(formula.result), keys.input_shapes());
    let [cuda, wgsl] = [&formula.cuda, &formula.wgsl].map(|FormulaText { helpers, function }| {
        quote!(#private::FormulaText { helpers: &[#(#helpers),*], function: #function })
    });
    let needs = formula.needs.iter().map(|need| format_ident!("{need}"));
    quote! {
        #private::GpuFormula {
            op: #op,
            entry: #entry,
            inputs: &[#(#inputs),*],
            attrs: &[#(#attrs),*],
            params: &[#(#params),*],
            result: #private::DType::#result,
            shapes: #private::InputShapes::#shapes,
            cuda: #cuda,
            wgsl: #wgsl,
            needs: &[#(#private::ProgramFeature::#needs),*],
            location: #location,
        }
    }
}

fn formula_name(index: usize) -> Ident {
    format_ident!("__OPLINK_GPU_FORMULA_{index}")
}

/// The variant of `DType`.
fn dtype(ty: Ty) -> Ident {
    let dtype = ty.dtype().unwrap_or(DType::UInt32);
    format_ident!("{dtype:?}")
}

/// The function of an entry of the descriptor.
pub(crate) fn entry(index: usize) -> TokenStream {
    let name = static_name(index);
    quote!(Program(&#name))
}

fn static_name(index: usize) -> Ident {
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

/// Where each argument of a function over a grid comes from.
fn arguments(step: &Step, kernel: &GpuKernel, program: &Program) -> Vec<TokenStream> {
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
    for length in program.params.iter().filter_map(|param| param.name.strip_suffix("_length_low")) {
        let buffer = program.params.iter().position(|param| param.name == length);
        arguments.extend(buffer.map(|buffer| quote!(Length(#buffer))));
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
