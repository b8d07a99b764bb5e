//! Formulas: functions of single values, whose texts the runtime puts together into programs.
//!
//! A formula is translated once for all types that it computes with in one way: 16-bit floats, which are converted when
//! they are read and written, are computed as `f32` is. Its name in a text is [`NAME`].

use super::lower::{self, Lowered, type_of};
use super::model::{ParamKind, Stmt};
use super::print::Printer;
use super::print::cuda::Cuda;
use super::print::wgsl::Wgsl;
use super::ty::Ty;
use super::{GpuRole, Source, needs};
use crate::errors::Errors;

/// What stands for the function's name in its texts.
const NAME: &str = "$f";
/// Threads of a block, of which a formula sees nothing.
const BLOCK: [u32; 3] = [256, 1, 1];

/// A translated formula.
pub(crate) struct Formula {
    /// Whether each parameter is an attr, and its type.
    pub(crate) params: Vec<(bool, Ty)>,
    pub(crate) result: Ty,
    pub(crate) cuda: FormulaText,
    pub(crate) wgsl: FormulaText,
    pub(crate) needs: Vec<&'static str>,
}

/// A formula in one language.
#[derive(Default)]
pub(crate) struct FormulaText {
    /// Functions that it calls, each behind those that it needs itself.
    pub(crate) helpers: Vec<String>,
    /// The function; empty where the language cannot say it.
    pub(crate) function: String,
}

/// The type that values of a generic type are computed in.
pub(super) fn computed(ty: Ty) -> Ty {
    match ty {
        Ty::F16 | Ty::BF16 => Ty::F32,
        other => other,
    }
}

/// The types of the inputs, in the order of the parameters, and of the output as tensors have them.
pub(super) fn stored(source: &Source<'_>) -> Option<(Vec<Ty>, Ty)> {
    let syn::ReturnType::Type(_, output) = &source.sig.output else { return None };
    let inputs = source.binding.params.iter().filter(|param| matches!(param.role, GpuRole::Input(_)));
    let inputs = inputs.map(|param| type_of(&param.ty, source.generics)).collect::<Option<Vec<_>>>()?;
    Some((inputs, type_of(output, source.generics)?))
}

/// Translates the function; `None` after mistakes.
pub(super) fn write(source: &Source<'_>, errors: &mut Errors) -> Option<Formula> {
    let syn::ReturnType::Type(_, output) = &source.sig.output else { return None };
    let result = type_of(output, source.generics)?;
    let (mut params, mut kinds) = (Vec::new(), Vec::new());
    for param in &source.binding.params {
        let ty = type_of(&param.ty, source.generics)?;
        params.push((matches!(param.role, GpuRole::Attr(_)), ty));
        kinds.push((param.ident.clone(), ParamKind::Scalar(ty)));
    }
    let lowered = lower::lower(
        &lower::Source { block: source.body, params: &kinds, generics: source.generics, returns: Some(result) },
        errors,
    );
    if !errors.is_empty() {
        return None;
    }
    let values = lowered.body.locals.iter().map(|local| lowered.types.of(local.ty));
    let needs = needs(values.chain([result]));
    let (cuda, wgsl) = (cuda(&lowered, &params, result), wgsl(&lowered, &params, result));
    Some(Formula { params, result, cuda, wgsl, needs })
}

fn cuda(lowered: &Lowered, params: &[(bool, Ty)], result: Ty) -> FormulaText {
    let (body, mut dialect) = Printer::new(&lowered.body, &lowered.types, Cuda::default()).print();
    let locals = lowered.body.locals.iter().zip(params);
    let takes: Vec<String> = locals.map(|(local, param)| format!("{} {}", dialect.ty(param.1), local.name)).collect();
    let gives = dialect.ty(result);
    let function = format!("static __device__ __forceinline__ {gives} {NAME}({}) {{\n{body}}}\n", takes.join(", "));
    FormulaText { helpers: dialect.helpers().map(str::to_owned).collect(), function }
}

fn wgsl(lowered: &Lowered, params: &[(bool, Ty)], result: Ty) -> FormulaText {
    let (body, mut dialect) = Printer::new(&lowered.body, &lowered.types, Wgsl::new(BLOCK)).print();
    let locals = lowered.body.locals.iter().zip(params);
    let takes: Vec<String> = locals.map(|(local, (_, ty))| format!("{}: {}", local.name, dialect.ty(*ty))).collect();
    let gives = dialect.ty(result);
    if dialect.is_unavailable {
        return FormulaText::default();
    }
    let end = if matches!(lowered.body.statements.last(), Some(Stmt::Return(_))) {
        String::new()
    } else {
        // Control may seem to get here.
        format!("    return {gives}();\n")
    };
    let function = format!("fn {NAME}({}) -> {gives} {{\n{body}{end}}}\n", takes.join(", "));
    FormulaText { helpers: dialect.into_helpers(), function }
}
