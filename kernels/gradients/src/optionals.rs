//! Optionals, whose gradients are optionals of the gradients of what is in them.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{OptionalFromValue, OptionalGetValue};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

#[gradient(OptionalFromValue)]
fn from_value(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let count = op.inputs().len();
    let dtypes = (0..count).map(|at| op.input_dtype(at)).collect();
    let shapes = (0..count).map(|at| op.input_shape(at)).collect();
    let attrs = vec![("output_types", AttrValue::Types(dtypes)), ("output_shapes", AttrValue::Shapes(shapes))];
    let parts = Nodes::new(scope, op).call::<OptionalGetValue>(vec![Arg::One(dy[0])], attrs)?;
    Ok(parts.into_iter().map(Some).collect())
}

#[gradient(OptionalGetValue)]
fn get_value(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(Nodes::new(scope, op).join::<OptionalFromValue>(dy, Attrs::new())?)])
}
