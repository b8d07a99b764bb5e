//! Parameters of programs in both languages.

use super::Param;
use super::print::cuda::Cuda;
use super::print::wgsl::Wgsl;
use super::ty::Ty;

/// A parameter of the entry in CUDA.
pub(super) fn cuda_param(dialect: &mut Cuda, param: &Param) -> String {
    let Param { kind, ty, name } = param;
    let ty = dialect.ty(*ty);
    match *kind {
        "Scalar" => format!("{} {name}", if ty == "bool" { "u32" } else { ty }),
        "Input" => format!("const {ty}* {name}"),
        _ => format!("{ty}* {name}"),
    }
}

/// The bindings of buffers, and the uniform block of scalars.
pub(super) fn wgsl_bindings(dialect: &mut Wgsl, params: &[Param]) -> String {
    let (mut text, mut fields, mut binding) = (String::new(), Vec::new(), 0);
    for Param { kind, ty, name } in params {
        if *kind == "Scalar" {
            let ty = if *ty == Ty::Bool { "u32" } else { dialect.ty(*ty) };
            fields.push(format!("    {name}: {ty},\n"));
            continue;
        }
        let access = if *kind == "Input" { "read" } else { "read_write" };
        let element = dialect.element_of(name, *ty, true);
        text += &format!("@group(0) @binding({binding}) var<storage, {access}> {name}: array<{element}>;\n");
        binding += 1;
    }
    if !fields.is_empty() {
        text += &format!(
            "struct Scalars {{\n{}}}\n@group(0) @binding({binding}) var<uniform> scalars: Scalars;\n",
            fields.concat()
        );
    }
    text
}

/// A scalar parameter's value in WGSL.
pub(super) fn wgsl_scalar(name: &str, ty: Ty) -> String {
    if ty == Ty::Bool { format!("(scalars.{name} != 0u)") } else { format!("scalars.{name}") }
}
