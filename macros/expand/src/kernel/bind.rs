//! Which input, output or attr each parameter of a kernel function is bound to.

use oplink_spec::{OpSpec, snake_case};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{FnArg, Pat, ReturnType, Signature, Type};

use super::parse::KernelKeys;
use super::returned::{self, Returned};
use super::step::Step;
use crate::errors::Errors;
use crate::text::{guess, list_or_none};

/// A kernel function's parameters and results, bound to its op.
pub(crate) struct Binding {
    pub(crate) params: Vec<Param>,
    pub(crate) returned: Returned,
}

/// One parameter.
pub(crate) struct Param {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) role: Role,
}

/// What a parameter is bound to; numbers are positions in the op's declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The context, shared.
    Context,
    /// The context, for everything.
    ContextMut,
    Input(usize),
    Output(usize),
    /// An output that may take the memory of an input.
    InOut {
        input: usize,
        output: usize,
    },
    Attr(usize),
}

/// Binds the parameters; `None` where the signature cannot be one of a kernel.
pub(crate) fn bind(step: &Step, keys: &KernelKeys, sig: &Signature, errors: &mut Errors) -> Option<Binding> {
    plain_function(sig, errors)?;
    let mut params = Vec::new();
    for arg in &sig.inputs {
        let (ident, ty) = errors.take(name_and_type(arg))?;
        match role(step, keys, &ident, ty) {
            Ok(role) => params.push(Param { ident, ty: ty.clone(), role }),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return None;
    }
    bound_twice(step, &params, errors);
    forwarded(step, keys, sig, &params, errors);
    let returned = returned::returned(step, sig, &params, errors);
    Some(Binding { params, returned: returned? })
}

fn plain_function(sig: &Signature, errors: &mut Errors) -> Option<()> {
    if let Some(token) = &sig.asyncness {
        let message =
            "a kernel is a plain function; with the key `async` it takes an `AsyncKernelContext` and finishes it later";
        errors.at(token, message);
    } else if let syn::Safety::Unsafe(token) = &sig.safety {
        errors.at(token, "a kernel is a safe function");
    } else if let Some(token) = &sig.variadic {
        errors.at(token, "a kernel has no variable arguments");
    } else {
        return Some(());
    }
    None
}

fn name_and_type(arg: &FnArg) -> syn::Result<(Ident, &Type)> {
    match arg {
        FnArg::Receiver(receiver) => {
            Err(syn::Error::new_spanned(receiver, "a kernel is a free function: it has no `self`"))
        }
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(pat) if pat.subpat.is_none() && pat.by_ref.is_none() => Ok((pat.ident.clone(), &typed.ty)),
            pat => Err(syn::Error::new_spanned(
                pat,
                "parameters are bound by name: write a name here and take the value apart in the body",
            )),
        },
    }
}

/// The last name of a path type, and whether it is behind `&` or `&mut`.
fn last_name(ty: &Type) -> (Option<String>, Option<bool>) {
    match ty {
        Type::Reference(reference) => (last_name(&reference.elem).0, Some(reference.mutability.is_some())),
        Type::Group(group) => last_name(&group.elem),
        Type::Paren(paren) => last_name(&paren.elem),
        Type::Path(path) => (path.path.segments.last().map(|last| last.ident.to_string()), None),
        _ => (None, None),
    }
}

fn role(step: &Step, keys: &KernelKeys, ident: &Ident, ty: &Type) -> syn::Result<Role> {
    match last_name(ty) {
        (Some(name), Some(mutable)) if name == "KernelContext" => {
            return Ok(if mutable { Role::ContextMut } else { Role::Context });
        }
        (Some(name), _) if name == "KernelContext" => {
            return Err(syn::Error::new_spanned(
                ty,
                "the context is taken as `&mut KernelContext` or `&KernelContext`",
            ));
        }
        (Some(name), _) if name == "AsyncKernelContext" => {
            return Err(syn::Error::new_spanned(ty, "kernels that take an `AsyncKernelContext` have the key `async`"));
        }
        _ => {}
    }
    let Some(spec) = step.spec() else {
        let message = "with `dynamic = \"…\"` nothing is known of the op's arguments: take `&mut KernelContext` alone";
        return Err(syn::Error::new_spanned(ident, message));
    };
    if let Type::ImplTrait(ty) = ty {
        return Err(syn::Error::new(ty.span(), "the types of a kernel's parameters are named, not `impl Trait`"));
    }
    let name = ident.unraw().to_string();
    let Some(role) = named(spec, &name) else { return Err(unknown(spec, ident, &name)) };
    if let Role::Output(output) = role {
        let to = &spec.outputs[output].name;
        if let Some((from, _)) = keys.forward.iter().find(|pair| pair.1.text == *to)
            && let Some(input) = spec.inputs.iter().position(|arg| arg.name == from.text)
        {
            return Ok(Role::InOut { input, output });
        }
    }
    Ok(role)
}

/// The argument or attr of this name; names in capitals are found by their lower case too.
pub(crate) fn named(spec: &OpSpec, name: &str) -> Option<Role> {
    let find = |same: &dyn Fn(&str) -> bool| {
        let input = spec.inputs.iter().position(|arg| same(&arg.name)).map(Role::Input);
        let output = || spec.outputs.iter().position(|arg| same(&arg.name)).map(Role::Output);
        let attr = || spec.attrs.iter().position(|attr| same(&attr.name)).map(Role::Attr);
        input.or_else(output).or_else(attr)
    };
    find(&|other| other == name).or_else(|| find(&|other| snake_case(other) == name))
}

pub(crate) fn unknown(spec: &OpSpec, ident: &Ident, name: &str) -> syn::Error {
    let inputs: Vec<&str> = spec.inputs.iter().map(|arg| arg.name.as_str()).collect();
    let outputs: Vec<&str> = spec.outputs.iter().map(|arg| arg.name.as_str()).collect();
    let attrs: Vec<&str> = spec.attrs.iter().map(|attr| attr.name.as_str()).collect();
    let unused = name.strip_prefix('_').filter(|rest| named(spec, rest).is_some());
    let near = match unused {
        Some(rest) => format!("\nhelp: leave the parameter out if the kernel does not use `{rest}`"),
        None => guess(name, inputs.iter().chain(&outputs).chain(&attrs).copied()),
    };
    let message = format!(
        "`{name}` is no input, output or attr of op `{}`{near}\n{}; {}; {}",
        spec.name,
        list_or_none(&inputs, "inputs"),
        list_or_none(&outputs, "outputs"),
        list_or_none(&attrs, "attrs"),
    );
    syn::Error::new(ident.span(), message)
}

fn bound_twice(step: &Step, params: &[Param], errors: &mut Errors) {
    for (index, param) in params.iter().enumerate() {
        if params[..index].iter().any(|other| other.role == param.role && other.ident != param.ident) {
            let what = if matches!(param.role, Role::Context | Role::ContextMut) {
                "the context".to_owned()
            } else {
                format!("an argument of op `{}`", step.op.name())
            };
            errors.at(&param.ident, format!("another parameter already takes {what}"));
        }
    }
    let contexts = params.iter().filter(|param| matches!(param.role, Role::Context | Role::ContextMut));
    let roles: Vec<&Param> = contexts.collect();
    if let [first, second, ..] = roles.as_slice()
        && first.role != second.role
    {
        errors.at(&second.ident, "another parameter already takes the context");
    }
}

/// A forwarded pair is one parameter, named after the output.
fn forwarded(step: &Step, keys: &KernelKeys, sig: &Signature, params: &[Param], errors: &mut Errors) {
    let Some(spec) = step.spec() else { return };
    let by_context = params.iter().any(|param| param.role == Role::ContextMut);
    for (from, to) in &keys.forward {
        let in_out = params.iter().find_map(|param| match param.role {
            Role::InOut { input, output } if spec.outputs[output].name == to.text => Some((param, input)),
            _ => None,
        });
        let twin = params.iter().find(|param| match param.role {
            Role::Input(input) => spec.inputs[input].name == from.text,
            _ => false,
        });
        match (in_out, twin) {
            (Some((in_out, _)), Some(twin)) => errors.at(
                &twin.ident,
                format!(
                    "`{0}` is forwarded to `{1}`, so their memory may be the same: leave out this parameter and take \
                     both as `{1}: InOut<'_, …>`",
                    from.text, in_out.ident
                ),
            ),
            (None, _) if !by_context => errors.at(
                &sig.ident,
                format!(
                    "`{0}` is forwarded to `{1}`, but the kernel does not take `{1}`: take both as the parameter \
                     `{1}: InOut<'_, …>`",
                    from.text, to.text
                ),
            ),
            _ => {}
        }
    }
}

/// Whether the function can be an asynchronous kernel; reports why not.
pub(crate) fn check_async(sig: &Signature, errors: &mut Errors) -> bool {
    let form = format!("an `async` kernel is `fn {}(context: AsyncKernelContext)`", sig.ident);
    if let Some(token) = &sig.asyncness {
        errors.at(token, form);
        return false;
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        errors.at(ty, format!("{form}: it returns nothing and gives its result to `context.finish`"));
        return false;
    }
    let mut inputs = sig.inputs.iter();
    let (first, second) = (inputs.next(), inputs.next());
    match (first, second) {
        (Some(FnArg::Typed(typed)), None) => {
            let is_context = matches!(last_name(&typed.ty), (Some(name), None) if name == "AsyncKernelContext");
            if !is_context {
                errors.at(&typed.ty, form);
            }
            is_context
        }
        (_, Some(second)) => {
            errors.at(second, form);
            false
        }
        _ => {
            errors.at(&sig.ident, form);
            false
        }
    }
}
