//! Parameters that are handles: single inputs and outputs, whole groups, the environment, and those in an `Option`.

use oplink_spec::{AttrSpec, OpSpec, nearest};
use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments, Type};

use super::bind::Role;
use super::step::Step;
use crate::op::values::string_values;
use crate::text::{ident_part, list_of};

/// The arguments of an op that a parameter may take all at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    Inputs,
    Attrs,
    Outputs,
}

const GROUPS: [(&str, Group); 3] = [("Inputs", Group::Inputs), ("Attrs", Group::Attrs), ("Outputs", Group::Outputs)];

/// The last name of a path type, and whether it is behind `&` or `&mut`.
pub(crate) fn last_name(ty: &Type) -> (Option<String>, Option<bool>) {
    match ty {
        Type::Reference(reference) => (last_name(&reference.elem).0, Some(reference.mutability.is_some())),
        Type::Group(group) => last_name(&group.elem),
        Type::Paren(paren) => last_name(&paren.elem),
        Type::Path(path) => (path.path.segments.last().map(|last| last.ident.to_string()), None),
        _ => (None, None),
    }
}

/// What an `Option` holds.
pub(crate) fn optional(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Group(group) => optional(&group.elem),
        Type::Paren(paren) => optional(&paren.elem),
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            match arguments.args.first()? {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The op's name as its types have it: in the attribute, and as it is declared.
fn type_names(step: &Step, spec: &OpSpec) -> Vec<String> {
    let path = syn::parse2::<syn::Path>(step.op_tokens.clone()).ok();
    let last = path.and_then(|path| path.segments.last().map(|last| last.ident.to_string()));
    last.into_iter().chain([ident_part(&spec.name)]).collect()
}

/// The group that a type is, by its name; an error for that of another op.
pub(crate) fn group(step: &Step, spec: &OpSpec, ty: &Type) -> syn::Result<Option<Group>> {
    let (Some(name), reference) = last_name(ty) else { return Ok(None) };
    let found = GROUPS.iter().find_map(|(suffix, group)| Some((name.strip_suffix(suffix)?, suffix, *group)));
    let Some((prefix, suffix, group)) = found.filter(|found| !found.0.is_empty()) else { return Ok(None) };
    let names = type_names(step, spec);
    if !names.iter().any(|name| name == prefix) {
        let message = format!(
            "`{name}` is not of the op `{}`, whose {} are `{}{suffix}<'_>`\nhelp: a kernel of several ops takes the \
             arguments that they share as parameters by name",
            spec.name,
            suffix.to_lowercase(),
            names[0],
        );
        return Err(syn::Error::new_spanned(ty, message));
    }
    match (group, reference) {
        (Group::Outputs, Some(false)) => {
            Err(syn::Error::new_spanned(ty, format!("outputs are written: take `&mut {name}<'_>`")))
        }
        (Group::Inputs | Group::Attrs, Some(_)) => {
            Err(syn::Error::new_spanned(ty, format!("the group is taken by value: `{name}<'_>`")))
        }
        _ => Ok(Some(group)),
    }
}

/// ` (did you mean …?)` where a type's name is nearly that of a group of the op.
pub(crate) fn near_group(step: &Step, spec: &OpSpec, ty: &Type) -> String {
    let (Some(name), _) = last_name(ty) else { return String::new() };
    if name == "Inputs" {
        return String::new();
    }
    let groups: Vec<String> = type_names(step, spec)
        .iter()
        .flat_map(|op| GROUPS.iter().map(move |(suffix, _)| format!("{op}{suffix}")))
        .collect();
    nearest(&name, groups.iter().map(String::as_str)).map_or_else(String::new, |near| {
        format!("\nhelp: for all of them at once, did you mean the type `{near}<'_>`?")
    })
}

/// The parameter as a handle of the argument that its name is bound to; `None` where its type is none.
pub(crate) fn handle(spec: &OpSpec, role: Role, ident: &Ident, ty: &Type) -> syn::Result<Option<Role>> {
    let (Some(name), reference) = last_name(ty) else { return Ok(None) };
    let (is_input, is_list) = match name.as_str() {
        "Input" => (true, false),
        "InputList" => (true, true),
        "OutputSlot" => (false, false),
        "OutputList" => (false, true),
        _ => return Ok(None),
    };
    let wrong = |message: String| Err(syn::Error::new_spanned(ty, message));
    let (covers_list, right) = match role {
        Role::Input(index) if is_input => (spec.inputs[index].is_sequence(), Role::InputHandle(index)),
        Role::Output(index) | Role::InOut { output: index, .. } if !is_input => {
            (spec.outputs[index].is_sequence(), Role::OutputHandle(index))
        }
        Role::Input(_) => return wrong(format!("`{ident}` is an input: take it as `Input<'_>`, or by its value")),
        Role::Output(_) | Role::InOut { .. } => {
            return wrong(format!("`{ident}` is an output: take it as `OutputSlot<'_>`"));
        }
        _ => return wrong(format!("`{ident}` is an attr: take it by its value")),
    };
    let (one, list) = if is_input { ("Input", "InputList") } else { ("OutputSlot", "OutputList") };
    match (covers_list, is_list, reference) {
        (true, false, _) => wrong(format!("`{ident}` covers several tensors: take it as `{list}<'_>`")),
        (false, true, _) => wrong(format!("`{ident}` is one tensor: take it as `{one}<'_>`")),
        (_, _, Some(false)) => {
            let advice = if is_input { ", or as `&Tensor` where it is only read" } else { ", or as `&mut`" };
            wrong(format!("a handle is taken by value: `{name}<'_>`{advice}"))
        }
        (_, _, Some(true)) if is_input => wrong(format!("a handle of an input is taken by value: `{name}<'_>`")),
        _ => Ok(Some(right)),
    }
}

/// An attr with a few strings is no value of another kind.
pub(crate) fn enum_form(attr: &AttrSpec, ty: &Type) -> syn::Result<()> {
    const OTHERS: [&str; 8] = ["i32", "i64", "f32", "f64", "bool", "DType", "PartialShape", "Tensor"];
    let Some(values) = string_values(attr) else { return Ok(()) };
    match last_name(ty) {
        (Some(name), _) if OTHERS.contains(&name.as_str()) => {
            let message = format!(
                "the attr `{}` is one of the strings {}: take it as `&str`, or as an enum of them",
                attr.name,
                list_of(&values)
            );
            Err(syn::Error::new_spanned(ty, message))
        }
        _ => Ok(()),
    }
}
