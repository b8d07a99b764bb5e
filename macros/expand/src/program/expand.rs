//! The items that `#[program]` leaves: the programs, and a type of the function's name whose functions launch them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::ProgramModel;
use crate::descriptor::location;
use crate::gpu::{self, GpuRole, Program};
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
    let doc = format!("The arguments of a launch of the program `{}`.", name.unraw());
    let fields = fields(model, &private);
    let lifetime = has_buffers(model).then(|| quote!(<'a>));
    let any_lifetime = has_buffers(model).then(|| quote!(<'_>));
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code, clippy::struct_field_names, clippy::struct_excessive_bools)]
        #vis struct #name #lifetime {
            #(#fields),*
        }

        #[allow(dead_code, clippy::all, clippy::pedantic)]
        const _: () = {
            #checks
            #table
            #private::__collect!(PROGRAMS, ProgramNode, &'static #private::ProgramFunction, &__OPLINK_PROGRAM);
            impl #name #any_lifetime {
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

/// Whether an argument is a tensor.
fn has_buffers(model: &ProgramModel<'_>) -> bool {
    model.params.iter().any(|param| param.role != GpuRole::Launch)
}

/// The arguments by name: tensors in the place of slices, values as they are.
fn fields<'m>(model: &'m ProgramModel<'_>, private: &'m TokenStream) -> impl Iterator<Item = TokenStream> + 'm {
    model.params.iter().map(move |param| {
        let (vis, name, ty) = (model.vis, &param.ident, &param.ty);
        let doc = format!("The argument `{}`.", name.unraw());
        match param.role {
            GpuRole::Launch => quote!(#[doc = #doc] #vis #name: #ty),
            _ => quote!(#[doc = #doc] #vis #name: &'a #private::Tensor),
        }
    })
}

fn launch(model: &ProgramModel<'_>, private: &TokenStream) -> TokenStream {
    let (dtypes, passes) = dtypes(model, private);
    let arguments = model.params.iter().map(|param| {
        let name = &param.ident;
        match param.role {
            GpuRole::Launch => quote!(value(&self.#name)),
            _ => quote!(buffer(self.#name)),
        }
    });
    quote! {
        /// Enqueues the program of these types, unless `grid` has no blocks. Slices are tensors in the
        /// device's memory whose elements have the size of the parameter's; those to write keep what the
        /// program does not write.
        ///
        /// # Errors
        /// There is no such program, an element has another size, or the device refuses the launch.
        pub fn launch(
            &self,
            device: &dyn #private::DeviceContext,
            #dtypes
            grid: [::core::primitive::u32; 3],
        ) -> #private::Result<()> {
            let mut arguments = #private::ProgramArguments::default();
            #(arguments.#arguments;)*
            __OPLINK_PROGRAM.launch(device, #passes, grid, &arguments)
        }
    }
}
