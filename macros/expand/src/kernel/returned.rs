//! The outputs that a kernel function returns: those that no parameter writes.

use oplink_spec::OpSpec;
use syn::{GenericArgument, PathArguments, ReturnType, Signature, Type};

use super::OpOfKernel;
use super::bind::{Param, Role};
use super::binding::Place;
use super::handles::Group;
use super::step::Step;
use crate::errors::Errors;
use crate::text::list_of;

/// What a kernel function returns.
pub(crate) struct Returned {
    /// Whether it is wrapped in a `Result`.
    pub(crate) is_result: bool,
    /// The type of the `Result`'s errors, where it is written.
    pub(crate) error: Option<Box<Type>>,
    /// The return type's place.
    pub(crate) place: Place,
    /// Positions of the outputs returned, each with its type.
    pub(crate) outputs: Vec<(usize, Type)>,
}

/// Reads the return type and checks that each output is written exactly once.
pub(crate) fn returned(step: &Step, sig: &Signature, params: &[Param], errors: &mut Errors) -> Option<Returned> {
    let (value, is_result, place) = split(sig);
    let by_context = params.iter().any(|param| param.role == Role::ContextMut);
    let unwritten = match &step.op {
        OpOfKernel::Declared { spec, has_shape } => {
            allocatable(spec, *has_shape, params, errors);
            unwritten(spec, params)
        }
        OpOfKernel::Dynamic(_) => Vec::new(),
    };
    let outputs = match value {
        None if by_context => Vec::new(),
        None => {
            missing(step, sig, params, &unwritten, errors)?;
            Vec::new()
        }
        Some(value) => match_outputs(step, &value, &unwritten, errors)?,
    };
    Some(Returned { is_result, error: error_type(sig).map(Box::new), place, outputs })
}

/// The type of the values returned, `None` for the unit type; whether it is in a `Result`; the return type's place.
fn split(sig: &Signature) -> (Option<Type>, bool, Place) {
    let ReturnType::Type(_, ty) = &sig.output else { return (None, false, Place::of(&sig.ident)) };
    let result = result_arguments(ty);
    let value = match result {
        Some(arguments) => first_type(arguments),
        None => Some(&**ty),
    };
    (value.filter(|ty| !is_unit(ty)).cloned(), result.is_some(), Place::of(ty))
}

/// The arguments of a `Result<value, …>`.
fn result_arguments(ty: &Type) -> Option<&PathArguments> {
    match ty {
        Type::Path(path) => path.path.segments.last().filter(|last| last.ident == "Result").map(|last| &last.arguments),
        Type::Group(group) => result_arguments(&group.elem),
        _ => None,
    }
}

fn first_type(arguments: &PathArguments) -> Option<&Type> {
    types(arguments).next()
}

fn types(arguments: &PathArguments) -> impl Iterator<Item = &Type> {
    let all = match arguments {
        PathArguments::AngleBracketed(args) => Some(args.args.iter()),
        _ => None,
    };
    all.into_iter().flatten().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The second argument of a `Result`.
fn error_type(sig: &Signature) -> Option<Type> {
    let ReturnType::Type(_, ty) = &sig.output else { return None };
    types(result_arguments(ty)?).nth(1).cloned()
}

fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Positions of the outputs that no parameter writes.
fn unwritten(spec: &OpSpec, params: &[Param]) -> Vec<usize> {
    let written = |index: usize| {
        params.iter().any(|param| match param.role {
            Role::Output(output) | Role::OutputHandle(output) | Role::InOut { output, .. } => output == index,
            Role::Group(group) => group == Group::Outputs,
            _ => false,
        })
    };
    (0..spec.outputs.len()).filter(|&index| !written(index)).collect()
}

/// Outputs taken as parameters are allocated from the shape function.
fn allocatable(spec: &OpSpec, has_shape: bool, params: &[Param], errors: &mut Errors) {
    if has_shape {
        return;
    }
    for param in params {
        if let Role::Output(output) = param.role {
            let name = &spec.outputs[output].name;
            let message = format!(
                "op `{}` has no shape function, so `{name}` cannot be allocated before the kernel runs: return it instead",
                spec.name
            );
            errors.at(&param.ident, message);
        }
    }
}

fn missing(step: &Step, sig: &Signature, params: &[Param], unwritten: &[usize], errors: &mut Errors) -> Option<()> {
    let Some(spec) = step.spec() else {
        if !params.iter().any(|param| param.role == Role::ContextMut) {
            let message = "with `dynamic = \"…\"` nothing is known of the op's arguments: take `&mut KernelContext`";
            errors.at(&sig.ident, message);
            return None;
        }
        return Some(());
    };
    let names: Vec<&str> = unwritten.iter().map(|&index| spec.outputs[index].name.as_str()).collect();
    let message = match names.as_slice() {
        [] => return Some(()),
        [name] => format!(
            "the output `{name}` is not written: return it, or take it as the parameter `{name}: ArrayViewMutD<'_, …>`"
        ),
        names => format!(
            "the outputs {} are not written: return them as a tuple, or take them as parameters",
            list_of(names)
        ),
    };
    errors.at(&sig.ident, message);
    None
}

fn match_outputs(step: &Step, value: &Type, unwritten: &[usize], errors: &mut Errors) -> Option<Vec<(usize, Type)>> {
    let Some(spec) = step.spec() else {
        errors.at(value, "a kernel of an op known only at run time returns nothing: set the outputs in the context");
        return None;
    };
    let names: Vec<&str> = unwritten.iter().map(|&index| spec.outputs[index].name.as_str()).collect();
    let elements: Vec<Type> = match (value, unwritten.len()) {
        (Type::Tuple(tuple), _) => tuple.elems.iter().cloned().collect(),
        _ => vec![value.clone()],
    };
    if elements.len() == unwritten.len() {
        return Some(unwritten.iter().copied().zip(elements).collect());
    }
    let message = match names.as_slice() {
        [] if spec.outputs.is_empty() => format!("op `{}` has no outputs, so the kernel returns nothing", spec.name),
        [] => "every output is written through a parameter; it cannot be returned as well".to_owned(),
        [name] => format!("the kernel returns {} values for the one output `{name}`", elements.len()),
        names => format!(
            "the outputs {} are returned as a tuple of {}, this is {}",
            list_of(names),
            names.len(),
            elements.len()
        ),
    };
    errors.at(value, message);
    None
}
