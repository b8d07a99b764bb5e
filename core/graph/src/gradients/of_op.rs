//! The gradient of one op, by the function that is registered for it: for graphs, and for tapes, whose scopes run ops.

use oplink_api::call::Arg;
use oplink_api::descriptors::GradientDescriptor;
use oplink_api::{Error, ErrorKind, OpForGradient, Output, Result, Scope, ensure};
use oplink_core::{OpEntry, PLUGIN_CRATE, Registry};

use super::one;
use crate::known_ops::{KnownOp, KnownOps};

/// Calls the gradient function of an op, which adds to `scope`: a gradient for each input that has one. `sums` has the
/// gradient of each output, and `None` where nothing depends on the output.
///
/// # Errors
/// No function is registered for the op (`NotFound`), which says how to get one; the function fails, or gives another
/// number of gradients than the op has inputs.
pub fn gradients_of_op(
    registry: &Registry,
    scope: &mut dyn Scope,
    op: &OpForGradient,
    sums: &[Option<Output>],
) -> Result<Vec<Option<Output>>> {
    let name = &op.info().op.name;
    let Some(gradient) = registry.gradient(name) else { return Err(missing(name, registry.get_op(name))) };
    let gradients = sums.iter().enumerate().map(|(index, sum)| match *sum {
        Some(gradient) => Ok(gradient),
        None => one(scope, KnownOp::ZerosLike.name(), Arg::One(op.output(index))),
    });
    let gradients: Vec<Output> = gradients.collect::<Result<_>>()?;
    let made = gradient.function.add(scope, op, &gradients)?;
    let (got, wanted) = (made.len(), op.inputs().len());
    ensure!(got == wanted, "the gradient declared at {} gives {got} gradients for {wanted} inputs", gradient.location);
    Ok(made)
}

/// How an op is differentiated through.
#[derive(Clone, Copy, Debug)]
pub enum GradientKind {
    /// By the function that is registered for it.
    Declared(&'static GradientDescriptor),
    /// Nothing is: gradients end here.
    Constant,
    /// By the functions that it calls, which are differentiated.
    OfFunctions,
    /// As a part of a loop, which becomes a `While`.
    OfLoop,
    /// Not at all: graphs with it in between have no gradient.
    Missing,
}

/// How an op of a registry is differentiated through.
///
/// # Errors
/// There is no such op.
pub fn gradient_kind(registry: &Registry, op: &str) -> Result<GradientKind> {
    use KnownOp as Op;
    let entry = registry.op(op)?;
    if let Some(declared) = registry.gradient(op) {
        return Ok(GradientKind::Declared(declared));
    }
    let known = KnownOps::of(registry).get(entry.id());
    let is_of_loop = matches!(known, Op::Enter | Op::LoopCond | Op::NextIteration | Op::Exit);
    Ok(match known {
        _ if entry.no_gradient => GradientKind::Constant,
        known if known.passes_arguments() => GradientKind::OfFunctions,
        _ if is_of_loop => GradientKind::OfLoop,
        _ => GradientKind::Missing,
    })
}

/// The error of an op without a gradient: what to do depends on who declares the op.
#[cold]
fn missing(name: &str, op: Option<&OpEntry>) -> Error {
    let what = match op.map(|op| op.location).filter(|location| location.crate_name == PLUGIN_CRATE) {
        Some(location) => format!(
            "The plugin {} carries no gradient of it: one made with `plugin!` carries those that `library!` lists under \
             `gradients::{{…}}`",
            location.file
        ),
        None => format!(
            "Declare one with `#[gradient({name})]`, or `no_gradient` in the op's declaration; those of the built-in ops \
             come with the feature `gradients` of `oplink`"
        ),
    };
    Error::not_found(format!("No gradient defined for op: {name}. {what}.")).with_kind(ErrorKind::NotLinked)
}
