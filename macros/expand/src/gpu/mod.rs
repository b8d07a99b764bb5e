//! Kernels for GPUs: a restricted Rust function is translated to CUDA C++ and WGSL, while the function itself stays and
//! is checked by the compiler.
//!
//! The steps, a file each: what form the function has (`form`), what its parameters are bound to (`bind`), its body
//! (`lower`, to the `model`), and for each combination of types the formula of single values (`formula`) or the program
//! over a grid (`grid`) in both languages (`print`), which become constants (`emit`).

mod bind;
mod builtin;
mod emit;
pub(crate) mod form;
pub(crate) mod formula;
mod grid;
pub(crate) mod host_only;
mod infer;
mod lower;
mod model;
mod params;
mod print;
mod ty;

use proc_macro2::{Ident, TokenStream};

use crate::errors::Errors;
use crate::kernel::header::Header;
use crate::kernel::lists::{TypeList, combinations};
use crate::kernel::parse::KernelKeys;
use crate::kernel::step::Step;
pub(crate) use bind::{GpuBinding, GpuParam, GpuRole};
pub(crate) use builtin::is_builtin;
pub(crate) use lower::type_of;
pub(crate) use ty::Ty;

/// A program's text in one language.
pub(crate) enum Text {
    /// Translated; empty where the language cannot say it.
    Written(String),
    /// A literal or `include_str!(…)` of the attribute, with what stands before it.
    Given { head: String, tokens: TokenStream },
}

/// A program's texts and parameters.
pub(crate) struct Program {
    pub(crate) cuda: Text,
    pub(crate) wgsl: Text,
    pub(crate) entry: String,
    pub(crate) params: Vec<Param>,
    pub(crate) block: [u32; 3],
    pub(crate) needs: Vec<&'static str>,
}

/// One parameter of a program: its kind among `ProgramParam` and its type.
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) kind: &'static str,
    pub(crate) ty: Ty,
    pub(crate) name: String,
}

/// What one combination of types became.
pub(crate) enum Row {
    /// The formula at this position, over tensors of these types.
    Elementwise {
        formula: usize,
        inputs: Vec<Ty>,
        result: Ty,
    },
    Grid(Program),
}

/// A kernel whose texts are written.
pub(crate) struct GpuKernel {
    pub(crate) binding: GpuBinding,
    /// For each combination of the lists' types, in order.
    pub(crate) rows: Vec<Row>,
    /// The formulas of the rows, one for each combination of the types that they compute with.
    pub(crate) formulas: Vec<Formula>,
}

/// Binds a function that computes single elements, for any device.
pub(crate) fn elementwise(
    step: &Step,
    keys: &KernelKeys,
    lists: &[TypeList],
    errors: &mut Errors,
) -> Option<GpuBinding> {
    bind::elementwise(step, keys, lists, errors)
}

/// Translates a kernel; its mistakes are added to `errors`, those of the body as the first combination of types that
/// has any shows them.
pub(crate) fn translate(step: &Step, keys: &KernelKeys, lists: &[TypeList], errors: &mut Errors) -> Option<GpuKernel> {
    let Header::Function { sig, body: Some(body), .. } = &step.header else {
        step.error_at_op("`scalar`, `block` and slices to write are for functions on `device = GPU`", errors);
        return None;
    };
    let binding = match keys.scalar {
        Some(_) => bind::elementwise(step, keys, lists, errors)?,
        None => bind::grid(step, keys, lists, errors)?,
    };
    let (mut rows, mut formulas, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for generics in &generics_of_rows(lists, keys, errors)? {
        let source = Source { sig, body, binding: &binding, generics, keys };
        if keys.scalar.is_none() {
            rows.push(Row::Grid(grid::write(&source, errors)?));
            continue;
        }
        let (inputs, result) = formula::stored(&source)?;
        let generics: Generics = generics.iter().map(|(name, ty)| (name.clone(), formula::computed(*ty))).collect();
        let at = match known.iter().position(|other| *other == generics) {
            Some(at) => at,
            None => {
                formulas.push(formula::write(&Source { generics: &generics, ..source }, errors)?);
                known.push(generics);
                known.len() - 1
            }
        };
        rows.push(Row::Elementwise { formula: at, inputs, result });
    }
    errors.is_empty().then_some(GpuKernel { binding, rows, formulas })
}

/// Translates a function over a grid that is no kernel: a program for each combination of the lists' types.
pub(crate) fn programs(
    sig: &syn::Signature,
    body: &syn::Block,
    binding: &GpuBinding,
    lists: &[TypeList],
    keys: &KernelKeys,
    errors: &mut Errors,
) -> Option<Vec<Program>> {
    let mut programs = Vec::new();
    for generics in &generics_of_rows(lists, keys, errors)? {
        programs.push(grid::write(&Source { sig, body, binding, generics, keys }, errors)?);
    }
    errors.is_empty().then_some(programs)
}

/// What generic parameters stand for.
type Generics = Vec<(Ident, Ty)>;

/// What the generic parameters stand for in each combination of the lists' types; `None` where one has no translation.
fn generics_of_rows(lists: &[TypeList], keys: &KernelKeys, errors: &mut Errors) -> Option<Vec<Generics>> {
    let mut rows = Vec::new();
    for row in combinations(lists) {
        let mut generics = Vec::new();
        for (list, choice) in lists.iter().zip(row) {
            let Some(ty) = choice.dtype.and_then(Ty::of_dtype) else {
                let name = &list.attr;
                let own_list = match keys.scalar {
                    Some(_) => {
                        format!("\nhelp: a device may have a list of its own: `device = [CPU, GPU({name} = [f32])]`")
                    }
                    None => String::new(),
                };
                let types = "the types are `bool`, `f16`, `bf16`, `f32`, `f64` and integers";
                errors.at_span(choice.span, format!("no translation to the GPU: {types}{own_list}"));
                return None;
            };
            generics.extend(list.generic.clone().map(|generic| (generic, ty)));
        }
        rows.push(generics);
    }
    Some(rows)
}

/// A function and what its types stand for.
pub(crate) struct Source<'a> {
    sig: &'a syn::Signature,
    body: &'a syn::Block,
    binding: &'a GpuBinding,
    generics: &'a [(Ident, Ty)],
    keys: &'a KernelKeys,
}

impl Source<'_> {
    /// The function's name in the texts.
    fn entry(&self) -> String {
        entry_name(self.sig)
    }
}

/// The name of a function's entry in the texts.
fn entry_name(sig: &syn::Signature) -> String {
    let name = syn::ext::IdentExt::unraw(&sig.ident).to_string();
    let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("oplink_{}", clean.trim_start_matches('_'))
}

/// What a device needs for values of these types.
fn needs(types: impl IntoIterator<Item = Ty>) -> Vec<&'static str> {
    let mut needs: Vec<&str> = types
        .into_iter()
        .filter_map(|ty| match ty {
            Ty::F16 => Some("F16"),
            Ty::BF16 => Some("BF16"),
            Ty::F64 => Some("F64"),
            Ty::I64 | Ty::U64 => Some("I64"),
            _ => None,
        })
        .collect();
    needs.sort_unstable();
    needs.dedup();
    needs
}

pub(crate) use emit::{constant as program_constant, entry as kernel_entry, statics};
use formula::Formula;
