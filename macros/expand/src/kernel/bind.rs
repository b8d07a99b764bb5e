//! Which input, output or attr each parameter of a kernel function is bound to.

use oplink_spec::{OpSpec, snake_case};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{FnArg, Pat, ReturnType, Signature, Type};

use super::handles::{self, Group, last_name};
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
    /// Its type; what is in the `Option` of one that is optional.
    pub(crate) ty: Type,
    pub(crate) role: Role,
    /// Whether not every op of the item has the argument.
    pub(crate) is_optional: bool,
}

/// What a parameter is bound to; numbers are positions in the op's declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The context, shared.
    Context,
    /// The context, for everything.
    ContextMut,
    /// What the run has beside inputs and outputs.
    Env,
    Input(usize),
    /// An input that the kernel may move.
    InputHandle(usize),
    Output(usize),
    /// An output that the kernel allocates or sets.
    OutputHandle(usize),
    /// All inputs, attrs or outputs.
    Group(Group),
    /// An argument that this op of several lacks.
    Absent,
    /// An output that may take the memory of an input.
    InOut {
        input: usize,
        output: usize,
    },
    Attr(usize),
}

impl Role {
    /// The argument, however it is taken.
    fn argument(self) -> Self {
        match self {
            Self::InputHandle(input) => Self::Input(input),
            Self::OutputHandle(output) | Self::InOut { output, .. } => Self::Output(output),
            other => other,
        }
    }

    /// The group that the argument belongs to.
    fn group(self) -> Option<Group> {
        match self {
            Self::Input(_) | Self::InputHandle(_) => Some(Group::Inputs),
            Self::Output(_) | Self::OutputHandle(_) | Self::InOut { .. } => Some(Group::Outputs),
            Self::Attr(_) => Some(Group::Attrs),
            _ => None,
        }
    }

    /// Whether the run is taken apart for the parameter.
    pub(crate) fn is_handle(self) -> bool {
        matches!(
            self,
            Self::Env | Self::InputHandle(_) | Self::OutputHandle(_) | Self::Group(Group::Inputs | Group::Outputs)
        )
    }
}

/// Binds the parameters; `None` where the signature cannot be one of a kernel.
pub(crate) fn bind(step: &Step, keys: &KernelKeys, sig: &Signature, errors: &mut Errors) -> Option<Binding> {
    plain_function(sig, errors)?;
    let mut params = Vec::new();
    for arg in &sig.inputs {
        let (ident, ty) = errors.take(name_and_type(arg))?;
        match role(step, keys, &ident, ty) {
            Ok(role) => {
                let held = handles::optional(ty).filter(|_| step.spec().is_some());
                params.push(Param { ident, ty: held.unwrap_or(ty).clone(), role, is_optional: held.is_some() });
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return None;
    }
    bound_twice(step, &params, errors);
    with_context(&params, errors);
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
    let held = handles::optional(ty);
    let ty = held.unwrap_or(ty);
    if last_name(ty).0.as_deref() == Some("Env") {
        return match (held, last_name(ty).1) {
            (None, None | Some(false)) => Ok(Role::Env),
            _ => Err(syn::Error::new_spanned(ty, "the environment is taken as `Env<'_>` or `&Env<'_>`")),
        };
    }
    let name = ident.unraw().to_string();
    let named = named(spec, &name);
    if named.is_none()
        && held.is_none()
        && let Some(group) = handles::group(step, spec, ty)?
    {
        return Ok(Role::Group(group));
    }
    let role = match named {
        Some(role) => role,
        None if held.is_some() => return Ok(Role::Absent),
        None => return Err(unknown_with(spec, ident, &name, &handles::near_group(step, spec, ty))),
    };
    if let Role::Attr(attr) = role {
        handles::enum_form(&spec.attrs[attr], ty)?;
    }
    if let Some(handle) = handles::handle(spec, role, ident, ty)? {
        return Ok(handle);
    }
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
    unknown_with(spec, ident, name, "")
}

fn unknown_with(spec: &OpSpec, ident: &Ident, name: &str, advice: &str) -> syn::Error {
    let inputs: Vec<&str> = spec.inputs.iter().map(|arg| arg.name.as_str()).collect();
    let outputs: Vec<&str> = spec.outputs.iter().map(|arg| arg.name.as_str()).collect();
    let attrs: Vec<&str> = spec.attrs.iter().map(|attr| attr.name.as_str()).collect();
    let unused = name.strip_prefix('_').filter(|rest| named(spec, rest).is_some());
    let near = match unused {
        Some(rest) => format!("\nhelp: leave the parameter out if the kernel does not use `{rest}`"),
        None => guess(name, inputs.iter().chain(&outputs).chain(&attrs).copied()),
    };
    let message = format!(
        "`{name}` is no input, output or attr of op `{}`{near}{advice}\n{}; {}; {}",
        spec.name,
        list_or_none(&inputs, "inputs"),
        list_or_none(&outputs, "outputs"),
        list_or_none(&attrs, "attrs"),
    );
    syn::Error::new(ident.span(), message)
}

fn bound_twice(step: &Step, params: &[Param], errors: &mut Errors) {
    for (index, param) in params.iter().enumerate() {
        let argument = param.role.argument();
        let same = |other: &Param| other.role.argument() == argument && other.ident != param.ident;
        if argument != Role::Absent && params[..index].iter().any(same) {
            let what = match param.role {
                Role::Context | Role::ContextMut => "the context".to_owned(),
                Role::Env => "the environment".to_owned(),
                Role::Group(Group::Inputs) => "the inputs".to_owned(),
                Role::Group(Group::Attrs) => "the attrs".to_owned(),
                Role::Group(Group::Outputs) => "the outputs".to_owned(),
                _ => format!("an argument of op `{}`", step.op.name()),
            };
            errors.at(&param.ident, format!("another parameter already takes {what}"));
        }
        let in_group = |other: &&Param| matches!(other.role, Role::Group(group) if param.role.group() == Some(group));
        if let Some(group) = params.iter().find(in_group) {
            errors.at(
                &param.ident,
                format!(
                    "`{0}` is a field of `{1}`: leave out this parameter and use `{1}.{0}`",
                    param.ident, group.ident
                ),
            );
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

/// Handles take the run apart, so that no context is left.
fn with_context(params: &[Param], errors: &mut Errors) {
    if !params.iter().any(|param| matches!(param.role, Role::Context | Role::ContextMut)) {
        return;
    }
    if let Some(handle) = params.iter().find(|param| param.role.is_handle()) {
        let message = "a kernel that takes the context takes no handles of single arguments: leave out the context, whose \
                       other parts are `Env<'_>`";
        errors.at(&handle.ty, message);
    }
}

/// A forwarded pair is one parameter, named after the output.
fn forwarded(step: &Step, keys: &KernelKeys, sig: &Signature, params: &[Param], errors: &mut Errors) {
    let Some(spec) = step.spec() else { return };
    let by_context = params.iter().any(|param| param.role == Role::ContextMut);
    let by_handle = |name: &str| {
        params.iter().any(|param| match param.role {
            Role::OutputHandle(output) => spec.outputs[output].name == name,
            Role::Group(group) => group == Group::Outputs,
            _ => false,
        })
    };
    for (from, to) in keys.forward.iter().filter(|pair| !by_handle(&pair.1.text)) {
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
