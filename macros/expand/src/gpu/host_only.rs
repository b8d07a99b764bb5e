//! Functions for `device = GPU` that are neither translated nor launch programs: their parameters would read the
//! device's memory on the host.

use syn::Type;

use crate::errors::Errors;
use crate::kernel::bind::{Binding, Role};
use crate::kernel::parse::KernelKeys;
use crate::kernel::step::Step;

/// Reports parameters of a kernel for GPUs that only the host's memory can be taken as.
pub(crate) fn check(step: &Step, keys: &KernelKeys, binding: &Binding, errors: &mut Errors) {
    let Some(spec) = step.spec() else { return };
    if keys.device != "GPU" {
        return;
    }
    let launches =
        binding.params.iter().any(|param| matches!(param.role, Role::Context | Role::ContextMut | Role::Env));
    for param in &binding.params {
        let name = match param.role {
            Role::Input(input) => &spec.inputs[input].name,
            Role::Output(output) | Role::InOut { output, .. } => &spec.outputs[output].name,
            Role::Context
            | Role::ContextMut
            | Role::Env
            | Role::InputHandle(_)
            | Role::OutputHandle(_)
            | Role::Group(_)
            | Role::Absent
            | Role::Attr(_) => continue,
        };
        if keys.host_memory.iter().any(|host| host.text == *name) {
            continue;
        }
        let is_tensor = is_tensor(&param.ty);
        if is_tensor && launches {
            continue;
        }
        let why = match is_tensor {
            true => "and without an `Env` nothing can be launched there",
            false => "which this type reads on the host",
        };
        errors.at(
            &param.ty,
            format!(
                "on a GPU `{name}` is in the device's memory, {why}\nhelp: write a function of single values or one over a \
                 grid (`block = 256`), take `Env<'_>` and launch a program, or keep it on the host with \
                 `host_memory = [{name}]`"
            ),
        );
    }
}

/// `&Tensor`, `&mut Tensor`, and slices of them.
fn is_tensor(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_tensor(&reference.elem),
        Type::Slice(slice) => is_tensor(&slice.elem),
        Type::Group(group) => is_tensor(&group.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Tensor"),
        _ => false,
    }
}
