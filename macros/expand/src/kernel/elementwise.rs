//! A kernel function of single values in host memory: its loop for each combination of the types that it computes with,
//! and what the runtime knows of it.

use oplink_spec::DType;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Signature, Type};

use super::KernelModel;
use super::cost::{Cost, Uses};
use super::lists::TypeChoice;
use crate::gpu::{GpuBinding, GpuParam, GpuRole};

/// The loops of a formula, and which of them serves each row of the type lists.
pub(crate) struct Loops {
    /// Items.
    pub(crate) items: TokenStream,
    /// For each row that is kept, the number of its loop.
    of_row: Vec<(usize, usize)>,
}

impl Loops {
    /// Fields of the row's entry in the descriptor: its function and its formula.
    pub(crate) fn entry(&self, row: usize) -> (TokenStream, TokenStream) {
        let index = self.of_row.iter().find(|found| found.0 == row).map_or(0, |found| found.1);
        let (run, formula) = (run_name(index), formula_name(index));
        (quote!(Compute(#run)), quote!(::core::option::Option::Some(&#formula)))
    }
}

fn run_name(index: usize) -> Ident {
    format_ident!("__oplink_run_{index}")
}

fn formula_name(index: usize) -> Ident {
    format_ident!("__OPLINK_FORMULA_{index}")
}

/// One loop for each combination of computed types; 16-bit floats are computed as `f32` is.
pub(crate) fn loops(
    model: &KernelModel<'_>,
    sig: &Signature,
    binding: &GpuBinding,
    kept: &[(usize, &Vec<&TypeChoice>)],
) -> Loops {
    let mut loops = Loops { items: TokenStream::new(), of_row: Vec::new() };
    let mut known: Vec<Vec<String>> = Vec::new();
    for &(row, choices) in kept {
        let computed: Vec<String> = choices.iter().map(|choice| computed_type(choice)).collect();
        let index = known.iter().position(|other| *other == computed).unwrap_or_else(|| {
            let writer = Writer { model, sig, binding, row: choices, private: model.step.private() };
            loops.items.extend(writer.formula(known.len()));
            known.push(computed);
            known.len() - 1
        });
        loops.of_row.push((row, index));
    }
    loops
}

/// What tells apart the types that rows compute with.
fn computed_type(choice: &TypeChoice) -> String {
    match choice.dtype {
        Some(DType::Half | DType::BFloat16) => DType::Float.name().to_owned(),
        Some(dtype) => dtype.name().to_owned(),
        None => format!("type {}", choice.ty),
    }
}

/// Writes what one combination of types needs.
struct Writer<'a> {
    model: &'a KernelModel<'a>,
    sig: &'a Signature,
    binding: &'a GpuBinding,
    row: &'a [&'a TypeChoice],
    private: TokenStream,
}

impl Writer<'_> {
    /// The loop, its description, and the function that the runtime calls.
    fn formula(&self, index: usize) -> TokenStream {
        let private = &self.private;
        let (run, formula, op) = (run_name(index), formula_name(index), self.model.step.op.name());
        let block = format_ident!("__oplink_block_{index}");
        let cost = self.cost();
        let body = self.block(cost);
        let inputs = self.inputs().map(|(input, _)| input);
        let operands = self.inputs().map(|(_, param)| self.stored(&param.ty));
        let result = self.result().map(|ty| self.stored(ty));
        let attrs = self.attrs().map(|(_, name, _)| name);
        let is_costly = cost != Cost::Cheap;
        let shapes = self.model.keys.input_shapes();
        quote! {
            fn #block(block: #private::Block<'_>) -> bool { #body }
            static #formula: #private::ElementwiseFn = #private::ElementwiseFn {
                op: #op,
                inputs: &[#(#inputs),*],
                operands: &[#(<#operands as #private::Element>::DTYPE),*],
                result: <#result as #private::Element>::DTYPE,
                attrs: &[#(#attrs),*],
                is_costly: #is_costly,
                shapes: #private::InputShapes::#shapes,
                run: #block,
            };
            fn #run(context: &mut #private::KernelContext<'_>) -> #private::Result<()> {
                #private::run_elementwise(&#formula, context)
            }
        }
    }

    /// Positions of the inputs, in the order of the parameters.
    fn inputs(&self) -> impl Iterator<Item = (usize, &GpuParam)> {
        self.binding.params.iter().filter_map(|param| match param.role {
            GpuRole::Input(input) => Some((input, param)),
            _ => None,
        })
    }

    /// The parameters that are attrs: position among the parameters, name and type.
    fn attrs(&self) -> impl Iterator<Item = (usize, &str, &Type)> {
        let attrs = self.model.step.spec().map(|spec| spec.attrs.as_slice()).unwrap_or_default();
        self.binding.params.iter().enumerate().filter_map(|(index, param)| match param.role {
            GpuRole::Attr(attr) => Some((index, attrs.get(attr)?.name.as_str(), &param.ty)),
            _ => None,
        })
    }

    fn result(&self) -> Option<&Type> {
        match &self.sig.output {
            syn::ReturnType::Type(_, ty) => Some(ty),
            syn::ReturnType::Default => None,
        }
    }

    /// The element type that a parameter's generic stands for.
    fn element(&self, ty: &Type) -> Option<&TypeChoice> {
        let Type::Path(path) = ty else { return None };
        let is_it =
            |list: &super::lists::TypeList| list.generic.as_ref().is_some_and(|generic| path.path.is_ident(generic));
        self.model.lists.iter().zip(self.row).find(|(list, _)| is_it(list)).map(|(_, choice)| *choice)
    }

    /// What the formula computes with in a type's place.
    fn computed(&self, ty: &Type, form: &str) -> TokenStream {
        let private = &self.private;
        match self.element(ty) {
            Some(choice) => {
                let (element, form) = (&choice.ty, format_ident!("{form}"));
                quote!(<#element as #private::ComputeElement>::#form)
            }
            None => quote!(#ty),
        }
    }

    /// The element type of a type's slices.
    fn stored(&self, ty: &Type) -> TokenStream {
        let (private, computed) = (&self.private, self.computed(ty, "Plain"));
        quote!(<#computed as #private::Compute>::Stored)
    }

    fn uses(&self) -> Uses {
        match &self.model.step.header {
            super::header::Header::Function { body: Some(body), .. } => Uses::of(body),
            _ => Uses::default(),
        }
    }

    fn cost(&self) -> Cost {
        let is_single =
            |choice: &&TypeChoice| matches!(choice.dtype, None | Some(DType::Float | DType::Half | DType::BFloat16));
        let gives_single = self.result().and_then(|ty| self.element(ty)).is_some_and(|choice| is_single(&choice));
        self.uses().cost(self.row.iter().any(is_single), gives_single)
    }

    fn block(&self, cost: Cost) -> TokenStream {
        let private = &self.private;
        let bind = self.attrs().enumerate().map(|(at, (index, _, ty))| {
            let name = format_ident!("value{index}");
            quote!(let #name: #ty = block.attr(#at);)
        });
        let (kind, forms) = match cost {
            Cost::Cheap => ("cheap", &["Plain"][..]),
            Cost::Calls => ("scalar", &["Plain"][..]),
            Cost::Vector => ("costly", &["Fused", "Plain"][..]),
            Cost::Marked => ("marked", &["MarkedFused", "MarkedPlain", "Plain"][..]),
        };
        let arity = self.inputs().count();
        let function = format_ident!("{kind}{arity}");
        let generics = (cost == Cost::Cheap).then(|| {
            let (chooses, inferred) = (self.uses().chooses(), vec![quote!(_); arity + 2]);
            quote!(::<#chooses, #(#inferred),*>)
        });
        let calls = forms.iter().map(|form| self.call(form));
        quote! {
            #(#bind)*
            #private::#function #generics (block, #(#calls),*)
        }
    }

    /// The formula of stored values as a closure.
    fn call(&self, form: &str) -> TokenStream {
        let private = &self.private;
        let name = &self.sig.ident;
        let generics = self.sig.generics.type_params().filter_map(|param| {
            let at = self.model.lists.iter().position(|list| list.generic.as_ref() == Some(&param.ident))?;
            let (element, form) = (&self.row[at].ty, format_ident!("{form}"));
            Some(quote!(<#element as #private::ComputeElement>::#form))
        });
        let generics: Vec<TokenStream> = generics.collect();
        let turbofish = if generics.is_empty() { TokenStream::new() } else { quote!(::<#(#generics),*>) };
        let (mut takes, mut arguments) = (Vec::new(), Vec::new());
        for (index, param) in self.binding.params.iter().enumerate() {
            let value = format_ident!("value{index}");
            if matches!(param.role, GpuRole::Input(_)) {
                let (stored, computed) = (self.stored(&param.ty), self.computed(&param.ty, form));
                takes.push(quote!(#value: #stored));
                arguments.push(quote!(<#computed as #private::Compute>::of(#value)));
            } else {
                arguments.push(quote!(#value));
            }
        }
        quote! {
            #[inline(always)]
            move |#(#takes),*| #private::Compute::stored(#name #turbofish (#(#arguments),*))
        }
    }
}
