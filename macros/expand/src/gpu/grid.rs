//! Programs of functions over a grid of threads.
//!
//! Parameters are those of the function, in order, and then for each buffer whose length is used its number of elements
//! in two parts of 32 bits.

use std::collections::BTreeSet;

use super::lower::{self, Lowered, type_of};
use super::model::{Memory, ParamKind, Stmt};
use super::params::{cuda_param, wgsl_bindings, wgsl_scalar};
use super::print::Printer;
use super::print::cuda::Cuda;
use super::print::wgsl::Wgsl;
use super::print::wgsl_words::{is_packed, load_text, store_text};
use super::ty::Ty;
use super::{GpuRole, Param, Program, Source, Text, form, needs};
use crate::errors::Errors;

/// Writes the program; `None` after mistakes.
pub(super) fn write(source: &Source<'_>, errors: &mut Errors) -> Option<Program> {
    let block = source.keys.block?;
    let mut kinds = Vec::new();
    for param in &source.binding.params {
        let kind = match form::slice(&param.ty) {
            Some((element, writable)) => ParamKind::Buffer { element: type_of(element, source.generics)?, writable },
            None => match type_of(&param.ty, source.generics) {
                Some(ty) => ParamKind::Scalar(ty),
                None => ParamKind::Parts(param.ty.clone()),
            },
        };
        kinds.push((param.ident.clone(), kind));
    }
    if source.keys.cuda.is_some() || source.keys.wgsl.is_some() {
        if let Some((name, _)) = kinds.iter().find(|(_, kind)| matches!(kind, ParamKind::Parts(_))) {
            errors.at(name, "a program whose text is given takes slices and numbers: pass the fields one by one");
            return None;
        }
        return Some(given(source, &kinds, block));
    }
    let lowered = lower::lower(
        &lower::Source { block: source.body, params: &kinds, generics: source.generics, returns: None },
        errors,
    );
    if !errors.is_empty() {
        return None;
    }
    let mut params = params(source, &kinds, &lowered);
    let (cuda, lengths) = cuda(source, &lowered, &mut params, block);
    let wgsl = wgsl(source, &lowered, &params, &lengths, block);
    let values = lowered.body.locals.iter().map(|local| local.ty);
    let values = values.chain(lowered.body.arrays.iter().map(|array| array.element)).map(|ty| lowered.types.of(ty));
    let mut needs = needs(values);
    if cuda.contains("__shfl_xor_sync") {
        needs.push("Subgroups");
    }
    if cuda.contains("atomic") {
        needs.push("Atomics");
    }
    Some(Program { cuda: Text::Written(cuda), wgsl: Text::Written(wgsl), entry: source.entry(), params, block, needs })
}

/// A program whose text the attribute gives: it sees the types of generic parameters under their names.
fn given(source: &Source<'_>, kinds: &[(proc_macro2::Ident, ParamKind)], block: [u32; 3]) -> Program {
    let roles = source.binding.params.iter().map(|param| param.role);
    let params: Vec<Param> = roles
        .zip(kinds)
        .map(|(role, (ident, kind))| match kind {
            ParamKind::Buffer { element, .. } => Param { kind: kind_of(role), ty: *element, name: ident.to_string() },
            ParamKind::Scalar(ty) => Param { kind: "Scalar", ty: *ty, name: ident.to_string() },
            ParamKind::Parts(_) => Param { kind: "Scalar", ty: Ty::U32, name: ident.to_string() },
        })
        .collect();
    let (mut cuda, mut wgsl) = (Cuda::default(), Wgsl::new(block));
    let types: Vec<(String, Ty)> = source.generics.iter().map(|(name, ty)| (name.to_string(), *ty)).collect();
    let named: String = types.iter().map(|(name, ty)| format!("typedef {} {name};\n", cuda.ty(*ty))).collect();
    let aliases: String = types.iter().map(|(name, ty)| format!("alias {name} = {};\n", wgsl.ty(*ty))).collect();
    let text = |head: String, given: &Option<proc_macro2::TokenStream>| match given {
        Some(tokens) => Text::Given { head, tokens: tokens.clone() },
        None => Text::Written(String::new()),
    };
    let is_known = !wgsl.is_unavailable;
    let needs = needs(params.iter().map(|param| param.ty));
    Program {
        cuda: text(cuda.head() + &named, &source.keys.cuda),
        wgsl: text(wgsl.head() + &aliases, if is_known { &source.keys.wgsl } else { &None }),
        entry: syn::ext::IdentExt::unraw(&source.sig.ident).to_string(),
        params,
        block,
        needs,
    }
}

fn kind_of(role: GpuRole) -> &'static str {
    match role {
        GpuRole::Input(_) => "Input",
        GpuRole::InOut { .. } => "InOut",
        _ => "Output",
    }
}

fn params(source: &Source<'_>, kinds: &[(proc_macro2::Ident, ParamKind)], lowered: &Lowered) -> Vec<Param> {
    let mut buffers = lowered.body.arrays.iter();
    let mut scalars = lowered.body.locals.iter();
    let mut params = Vec::new();
    for ((bound, (_, kind)), count) in source.binding.params.iter().zip(kinds).zip(&lowered.scalars) {
        if let ParamKind::Buffer { element, .. } = kind {
            let buffer = buffers.next();
            params.extend(buffer.map(|array| Param {
                kind: kind_of(bound.role),
                ty: *element,
                name: array.name.clone(),
            }));
        }
        let values = scalars.by_ref().take(*count);
        params.extend(values.map(|local| Param {
            kind: "Scalar",
            ty: lowered.types.of(local.ty),
            name: local.name.clone(),
        }));
    }
    params
}

/// The CUDA text, and the buffers whose lengths it uses; `params` gets those lengths.
fn cuda(source: &Source<'_>, lowered: &Lowered, params: &mut Vec<Param>, block: [u32; 3]) -> (String, Vec<String>) {
    let (body, mut dialect) = Printer::new(&lowered.body, &lowered.types, Cuda::default()).print();
    let lengths: Vec<String> = dialect.lengths.iter().cloned().collect();
    for name in &lengths {
        let part = |part: &str| Param { kind: "Scalar", ty: Ty::U32, name: format!("{name}_length_{part}") };
        params.extend(["low", "high"].map(part));
    }
    let mut start = String::new();
    for name in &lengths {
        start += &format!("    const usize {name}_length = ((usize){name}_length_high << 32) | {name}_length_low;\n");
    }
    for array in &lowered.body.arrays {
        start += &dialect.shared(array, lowered.types.of(array.element)).unwrap_or_default();
    }
    let takes: Vec<String> = params.iter().map(|param| cuda_param(&mut dialect, param)).collect();
    let threads: u32 = block.iter().product();
    let text = format!(
        "{}extern \"C\" __global__ void __launch_bounds__({threads}) {}({}) {{\n{start}{body}}}\n",
        dialect.head(),
        source.entry(),
        takes.join(", ")
    );
    (text, lengths)
}

/// Adds the arrays whose elements are changed atomically, or share words that several threads write.
fn changed_atomically(lowered: &Lowered, statements: &[Stmt], found: &mut BTreeSet<String>) {
    for statement in statements {
        match statement {
            Stmt::Atomic { array, .. } => drop(found.insert(lowered.body.arrays[array.0].name.clone())),
            Stmt::Store { array, .. } => {
                let array = &lowered.body.arrays[array.0];
                if is_packed(lowered.types.of(array.element)) && matches!(array.place, Memory::Buffer { .. }) {
                    found.insert(array.name.clone());
                }
            }
            Stmt::If { then, otherwise, .. } => {
                changed_atomically(lowered, then, found);
                changed_atomically(lowered, otherwise, found);
            }
            Stmt::Loop(body) | Stmt::For { body, .. } => changed_atomically(lowered, body, found),
            _ => {}
        }
    }
}

fn wgsl(source: &Source<'_>, lowered: &Lowered, params: &[Param], lengths: &[String], block: [u32; 3]) -> String {
    let mut dialect = Wgsl::new(block);
    changed_atomically(lowered, &lowered.body.statements, &mut dialect.atomics);
    let (body, mut dialect) = Printer::new(&lowered.body, &lowered.types, dialect).print();
    let bindings = wgsl_bindings(&mut dialect, params);
    let (mut shared, mut loads, mut start) = (String::new(), String::new(), String::new());
    for array in &lowered.body.arrays {
        let ty = lowered.types.of(array.element);
        if let Memory::Shared(length) = array.place {
            let element = dialect.element_of(&array.name, ty, false);
            shared += &format!("var<workgroup> {}: array<{element}, {length}>;\n", array.name);
        }
        if dialect.loads.contains(&array.name) {
            loads += &load_text(&array.name, ty, dialect.atomics.contains(&array.name));
        }
        if dialect.stores.contains(&array.name) {
            loads += &store_text(&array.name, ty);
        }
    }
    let is_length = |param: &Param| lengths.iter().any(|name| param.name.starts_with(&format!("{name}_length_")));
    for param in params.iter().filter(|param| param.kind == "Scalar" && !is_length(param)) {
        start += &format!("    let {} = {};\n", param.name, wgsl_scalar(&param.name, param.ty));
    }
    if dialect.is_unavailable {
        return String::new();
    }
    let [x, y, z] = block;
    format!(
        "{}{bindings}{shared}{loads}@compute @workgroup_size({x}, {y}, {z})\nfn {}(@builtin(local_invocation_id) thread_index: \
         vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) \
         {{\n{start}{body}}}\n",
        dialect.head(),
        source.entry(),
    )
}
