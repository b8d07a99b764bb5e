//! What the parameters of a GPU kernel are bound to.

use oplink_spec::{ArgSpec, ArgType, AttrKind, OpSpec, ScalarKind};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{FnArg, Pat, ReturnType, Signature, Type};

use super::form;
use super::lower::type_of;
use super::ty::Ty;
use crate::errors::Errors;
use crate::kernel::bind::{Role, named, unknown};
use crate::kernel::header::Header;
use crate::kernel::lists::TypeList;
use crate::kernel::parse::KernelKeys;
use crate::kernel::step::Step;

/// A function's parameters, bound to its op.
pub(crate) struct GpuBinding {
    pub(crate) params: Vec<GpuParam>,
}

/// One parameter.
pub(crate) struct GpuParam {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) role: GpuRole,
}

/// What a parameter is bound to; numbers are positions in the op's declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GpuRole {
    Input(usize),
    Output(usize),
    /// An output that may take the memory of an input.
    InOut {
        input: usize,
        output: usize,
    },
    Attr(usize),
    /// A value that the kernel's launch function gives.
    Launch,
}

/// A function of single values: every input by value, attrs by value, one output returned.
pub(super) fn elementwise(
    step: &Step,
    keys: &KernelKeys,
    lists: &[TypeList],
    errors: &mut Errors,
) -> Option<GpuBinding> {
    let (spec, sig) = spec_and_signature(step, errors)?;
    let before = errors.len();
    if let Some(name) = keys.host_memory.first() {
        errors.at_span(name.span, "a scalar kernel has its inputs and its output in the device's memory");
    }
    if let Some((name, _)) = keys.forward.first() {
        errors.at_span(name.span, "a scalar kernel has no `forward`");
    }
    let binding = GpuBinding { params: params(spec, keys, sig, false, errors) };
    for param in &binding.params {
        check_value(spec, lists, param, errors);
    }
    check_output(spec, lists, sig, errors);
    if errors.len() > before {
        return None;
    }
    let bound = |index: usize| binding.params.iter().any(|param| param.role == GpuRole::Input(index));
    for (_, input) in spec.inputs.iter().enumerate().filter(|input| !bound(input.0)) {
        errors.at(&sig.ident, format!("a scalar kernel takes every input, also `{}`", input.name));
    }
    (errors.len() == before).then_some(binding)
}

/// A function over slices: inputs `&[T]`, outputs `&mut [T]`, attrs and the launch function's values as scalars.
pub(super) fn grid(step: &Step, keys: &KernelKeys, lists: &[TypeList], errors: &mut Errors) -> Option<GpuBinding> {
    let (spec, sig) = spec_and_signature(step, errors)?;
    let before = errors.len();
    if keys.block.is_none() && !keys.has_wrong_keys {
        step.error_at_op("the key `block` is missing: write `block = 256` for blocks of 256 threads", errors);
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        errors.at(ty, "a grid kernel returns nothing: it writes its outputs, taken as `&mut [T]`");
    }
    let binding = GpuBinding { params: params(spec, keys, sig, true, errors) };
    for param in &binding.params {
        check_grid(spec, lists, param, errors);
    }
    if errors.len() > before {
        return None;
    }
    let written = |index: usize| {
        binding.params.iter().any(
            |param| matches!(param.role, GpuRole::Output(output) | GpuRole::InOut { output, .. } if output == index),
        )
    };
    for (_, output) in spec.outputs.iter().enumerate().filter(|output| !written(output.0)) {
        errors.at(&sig.ident, format!("the output `{0}` is not written: take it as `{0}: &mut [T]`", output.name));
    }
    (errors.len() == before).then_some(binding)
}

fn spec_and_signature<'a>(step: &'a Step, errors: &mut Errors) -> Option<(&'a OpSpec, &'a Signature)> {
    let Header::Function { sig, .. } = &step.header else {
        step.error_at_op("`scalar` and `block` are for functions", errors);
        return None;
    };
    let Some(spec) = step.spec() else {
        step.error_at_op(
            "a kernel that is translated names its op by path: with `dynamic` its types are not known",
            errors,
        );
        return None;
    };
    Some((spec, sig))
}

fn params(spec: &OpSpec, keys: &KernelKeys, sig: &Signature, grid: bool, errors: &mut Errors) -> Vec<GpuParam> {
    let mut params: Vec<GpuParam> = Vec::new();
    for arg in &sig.inputs {
        let FnArg::Typed(typed) = arg else {
            errors.at(arg, "a kernel is a free function: it has no `self`");
            continue;
        };
        let Pat::Ident(pat) = &*typed.pat else {
            errors.at(&typed.pat, "parameters are bound by name: write a name here");
            continue;
        };
        let role = if grid { grid_role(spec, keys, &pat.ident, &typed.ty) } else { value_role(spec, &pat.ident) };
        match role {
            Ok(role) if params.iter().any(|param| param.role == role && role != GpuRole::Launch) => {
                errors.at(&pat.ident, format!("another parameter already takes an argument of op `{}`", spec.name));
            }
            Ok(role) => params.push(GpuParam { ident: pat.ident.clone(), ty: (*typed.ty).clone(), role }),
            Err(error) => errors.push(error),
        }
    }
    params
}

fn value_role(spec: &OpSpec, ident: &Ident) -> syn::Result<GpuRole> {
    match named(spec, &ident.unraw().to_string()) {
        Some(Role::Input(input)) => single(&spec.inputs[input], ident).map(|()| GpuRole::Input(input)),
        Some(Role::Attr(attr)) => Ok(GpuRole::Attr(attr)),
        Some(_) => Err(syn::Error::new(ident.span(), "a scalar kernel returns its output: it is no parameter")),
        None => Err(unknown(spec, ident, &ident.unraw().to_string())),
    }
}

fn grid_role(spec: &OpSpec, keys: &KernelKeys, ident: &Ident, ty: &Type) -> syn::Result<GpuRole> {
    let name = ident.unraw().to_string();
    let Some((_, writable)) = form::slice(ty) else {
        return match named(spec, &name) {
            Some(Role::Attr(attr)) => Ok(GpuRole::Attr(attr)),
            None if keys.launch.is_some() => Ok(GpuRole::Launch),
            None => Err(syn::Error::new(
                ident.span(),
                format!(
                    "`{name}` is no attr of op `{}`: the key `launch = function` names what gives its value",
                    spec.name
                ),
            )),
            Some(_) => {
                Err(syn::Error::new_spanned(ty, "a grid kernel takes inputs as `&[T]` and outputs as `&mut [T]`"))
            }
        };
    };
    match (named(spec, &name), writable) {
        (Some(Role::Input(input)), false) => single(&spec.inputs[input], ident).map(|()| GpuRole::Input(input)),
        (Some(Role::Input(_)), true) => Err(syn::Error::new_spanned(ty, "an input is only read: take it as `&[T]`")),
        (Some(Role::Output(output)), true) => {
            single(&spec.outputs[output], ident)?;
            let to = &spec.outputs[output].name;
            let from = keys.forward.iter().find(|pair| pair.1.text == *to);
            let input = from.and_then(|pair| spec.inputs.iter().position(|arg| arg.name == pair.0.text));
            Ok(input.map_or(GpuRole::Output(output), |input| GpuRole::InOut { input, output }))
        }
        (Some(Role::Output(_)), false) => {
            Err(syn::Error::new_spanned(ty, "an output is written: take it as `&mut [T]`"))
        }
        (Some(_), _) => Err(syn::Error::new_spanned(ty, "an attr is taken by value")),
        (None, _) => Err(unknown(spec, ident, &name)),
    }
}

fn single(arg: &ArgSpec, ident: &Ident) -> syn::Result<()> {
    if arg.is_sequence() {
        let message = format!("`{}` is a sequence of tensors, which a translated kernel cannot take", arg.name);
        return Err(syn::Error::new(ident.span(), message));
    }
    Ok(())
}

/// The type of a parameter against the op's declaration.
fn check_value(spec: &OpSpec, lists: &[TypeList], param: &GpuParam, errors: &mut Errors) {
    match param.role {
        GpuRole::Input(input) => check_element(&spec.inputs[input], lists, &param.ty, errors),
        GpuRole::Attr(attr) => check_attr(spec, attr, &param.ty, errors),
        _ => {}
    }
}

fn check_grid(spec: &OpSpec, lists: &[TypeList], param: &GpuParam, errors: &mut Errors) {
    let arg = match param.role {
        GpuRole::Input(input) => &spec.inputs[input],
        GpuRole::Output(output) | GpuRole::InOut { output, .. } => &spec.outputs[output],
        GpuRole::Attr(attr) => return check_attr(spec, attr, &param.ty, errors),
        GpuRole::Launch => {
            return crate::program::check_value(&param.ty, errors);
        }
    };
    if let Some((element, _)) = form::slice(&param.ty) {
        check_element(arg, lists, element, errors);
    }
}

/// The type that an attr's value has, where a GPU takes it.
fn attr_type(kind: AttrKind) -> Option<Ty> {
    match kind.scalar {
        _ if kind.list => None,
        ScalarKind::Int => Some(Ty::I64),
        ScalarKind::Float => Some(Ty::F32),
        ScalarKind::Bool => Some(Ty::Bool),
        _ => None,
    }
}

fn check_attr(spec: &OpSpec, attr: usize, ty: &Type, errors: &mut Errors) {
    let attr = &spec.attrs[attr];
    match attr_type(attr.kind) {
        Some(wanted) if type_of(ty, &[]) != Some(wanted) => {
            errors.at(ty, format!("the attr `{}` is taken as `{}`", attr.name, wanted.name()));
        }
        None => errors.at(ty, format!("the attr `{}` is of kind `{}`, which a GPU cannot take", attr.name, attr.kind)),
        Some(_) => {}
    }
}

/// Whether an element type is what the op declares: the attr's generic, or its single type.
fn check_element(arg: &ArgSpec, lists: &[TypeList], ty: &Type, errors: &mut Errors) {
    let (wanted, fits) = match &arg.ty {
        ArgType::Type(dtype) => (dtype.to_string(), type_of(ty, &[]).and_then(Ty::dtype) == Some(*dtype)),
        ArgType::Attr(name) => {
            let list = lists.iter().find(|list| list.attr == *name);
            let is_generic = |generic: &Ident| matches!(ty, Type::Path(path) if path.path.is_ident(generic));
            let is_only = || match list.map(|list| list.types.as_slice()) {
                Some([only]) => only.dtype.is_some() && type_of(ty, &[]).and_then(Ty::dtype) == only.dtype,
                _ => false,
            };
            (name.clone(), list.and_then(|list| list.generic.as_ref()).is_some_and(is_generic) || is_only())
        }
        ArgType::ListAttr(_) => return,
    };
    if !fits {
        errors.at(ty, format!("`{}` is of type `{wanted}` in the op: take it as that type", arg.name));
    }
}

fn check_output(spec: &OpSpec, lists: &[TypeList], sig: &Signature, errors: &mut Errors) {
    match (&sig.output, spec.outputs.as_slice()) {
        (ReturnType::Type(_, ty), _) if form::is_result(ty) => {
            errors.at(ty, "a scalar kernel cannot fail: it returns the value itself");
        }
        (ReturnType::Type(_, ty), [output]) if !output.is_sequence() => check_element(output, lists, ty, errors),
        (ReturnType::Default, _) => errors.at(&sig.ident, "a scalar kernel returns its output"),
        _ => errors
            .at(&sig.ident, format!("op `{}` does not have one single output, so it has no scalar kernel", spec.name)),
    }
}
