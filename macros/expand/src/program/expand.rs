//! The items that `#[program]` leaves: the programs, and a type of the function's name whose functions launch them.

use oplink_spec::DType;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::ProgramModel;
use crate::descriptor::location;
use crate::gpu::{self, GpuRole, Program, Ty, type_of};
use crate::kernel::lists::{TypeChoice, combinations};

/// Everything but the function itself.
pub(super) fn expand(model: &ProgramModel<'_>) -> TokenStream {
    let krate = &model.krate;
    let private = quote!(#krate::__private);
    let (vis, name) = (model.vis, &model.sig.ident);
    let table = table(model, &private);
    let checks = checks(model);
    let (program, launch) = (program(model, &private), launch(model, &private));
    let block = threads(model);
    let doc = format!("Launches the program `{}`.", name.unraw());
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #vis enum #name {}

        #[allow(dead_code, clippy::all, clippy::pedantic)]
        const _: () = {
            #checks
            #table
            #private::__collect!(PROGRAMS, ProgramNode, &'static #private::ProgramFunction, &__OPLINK_PROGRAM);
            impl #name {
                /// The programs of all types.
                pub const FUNCTION: &'static #private::ProgramFunction = &__OPLINK_PROGRAM;
                /// Threads of a block.
                pub const THREADS: ::core::primitive::usize = #block;

                /// Blocks enough for this many threads, as far as a device takes them: at most 65535.
                pub fn blocks(threads: ::core::primitive::usize) -> [::core::primitive::u32; 3] {
                    #private::blocks(threads, Self::THREADS)
                }
                #program
                #launch
            }
        };
    }
}

fn threads(model: &ProgramModel<'_>) -> TokenStream {
    let threads: u32 = model.rows.first().map_or(1, |row| row.block.iter().product());
    let literal = proc_macro2::Literal::usize_unsuffixed(threads as usize);
    quote!(#literal)
}

/// The table of programs by types.
fn table(model: &ProgramModel<'_>, private: &TokenStream) -> TokenStream {
    let name = model.sig.ident.unraw().to_string();
    let location = location(private);
    let rows = combinations(&model.lists);
    let entries = rows.iter().zip(&model.rows).map(|(row, program)| {
        let dtypes = row.iter().filter_map(|choice| choice.dtype).map(|dtype| format_ident!("{dtype:?}"));
        let text = gpu::program_constant(private, &program_name(model, row), program);
        let lengths = lengths(program);
        quote! {
            #private::ProgramEntry {
                dtypes: &[#(#private::DType::#dtypes),*],
                program: #text,
                lengths: &[#(#lengths),*],
            }
        }
    });
    quote! {
        static __OPLINK_PROGRAM: #private::ProgramFunction = #private::ProgramFunction {
            name: #name,
            entries: &[#(#entries),*],
            location: #location,
        };
    }
}

fn program_name(model: &ProgramModel<'_>, row: &[&TypeChoice]) -> String {
    let types = model.lists.iter().zip(row);
    let types: Vec<String> =
        types.filter_map(|(list, choice)| Some(format!("{}={}", list.attr, choice.dtype?.name()))).collect();
    let name = model.sig.ident.unraw();
    if types.is_empty() { name.to_string() } else { format!("{name} ({})", types.join(", ")) }
}

/// Positions of the buffers whose numbers of elements follow the arguments.
fn lengths(program: &Program) -> Vec<usize> {
    let names = program.params.iter().filter_map(|param| param.name.strip_suffix("_length_low"));
    names.filter_map(|name| program.params.iter().position(|param| param.name == name)).collect()
}

/// The function exists for each combination of types.
fn checks(model: &ProgramModel<'_>) -> TokenStream {
    let name = &model.sig.ident;
    let all = combinations(&model.lists).into_iter().map(|row| {
        let types = row.iter().map(|choice| &choice.ty);
        if row.is_empty() { quote!(let _ = #name;) } else { quote!(let _ = #name::<#(#types),*>;) }
    });
    quote!(fn __oplink_check() { #(#all)* })
}

/// How the types of a launch are given: nothing, a dtype, or several.
fn dtypes(model: &ProgramModel<'_>, private: &TokenStream) -> (Option<TokenStream>, TokenStream) {
    match model.lists.len() {
        0 => (None, quote!(&[])),
        1 => (Some(quote!(dtype: #private::DType,)), quote!(&[dtype])),
        count => (Some(quote!(dtypes: [#private::DType; #count],)), quote!(&dtypes)),
    }
}

fn program(model: &ProgramModel<'_>, private: &TokenStream) -> TokenStream {
    let (takes, passes) = dtypes(model, private);
    quote! {
        /// The program of these types.
        ///
        /// # Errors
        /// There is none.
        pub fn program(#takes) -> #private::Result<&'static #private::DeviceProgram> {
            __OPLINK_PROGRAM.entry(#passes).map(|entry| entry.program)
        }
    }
}

fn launch(model: &ProgramModel<'_>, private: &TokenStream) -> TokenStream {
    let (dtypes, passes) = dtypes(model, private);
    let takes = model.params.iter().map(|param| {
        let (name, ty) = (argument(&param.ident), &param.ty);
        match param.role {
            GpuRole::Launch => quote!(#name: #ty),
            _ => quote!(#name: &#private::Tensor),
        }
    });
    let arguments = model.params.iter().map(|param| {
        let name = argument(&param.ident);
        match (param.role, type_of(&param.ty, &[])) {
            (GpuRole::Launch, Some(Ty::Bool)) => {
                quote!(Scalar(#private::ScalarValue::U32(::core::primitive::u32::from(#name))))
            }
            (GpuRole::Launch, Some(ty)) => {
                let kind = ty.dtype().map_or_else(|| format_ident!("U32"), scalar_kind);
                quote!(Scalar(#private::ScalarValue::#kind(#name)))
            }
            _ => quote!(Buffer(#name)),
        }
    });
    quote! {
        /// Enqueues the program of these types, unless `grid` has no blocks. Slices are tensors in the device's memory
        /// whose elements have the size of the parameter's; those to write keep what the program does not write.
        ///
        /// # Errors
        /// There is no such program, an element has another size, or the device refuses the launch.
        pub fn launch(
            device: &dyn #private::DeviceContext,
            #dtypes
            grid: [::core::primitive::u32; 3],
            #(#takes),*
        ) -> #private::Result<()> {
            __OPLINK_PROGRAM.launch(device, #passes, grid, &[#(#private::ProgramArg::#arguments),*])
        }
    }
}

/// The name of a launch's argument, apart from the other parameters.
fn argument(ident: &Ident) -> Ident {
    match ident.to_string().as_str() {
        "device" | "dtype" | "dtypes" | "grid" => format_ident!("{ident}_"),
        _ => ident.clone(),
    }
}

fn scalar_kind(dtype: DType) -> Ident {
    format_ident!(
        "{}",
        match dtype {
            DType::Int32 => "I32",
            DType::Int64 => "I64",
            DType::UInt64 => "U64",
            DType::Float => "F32",
            DType::Double => "F64",
            _ => "U32",
        }
    )
}
