//! Loops: a body that is repeated while a condition holds.

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, Op, PartialShape, Result, ResultExt, ensure};
use oplink_ops::{StatelessWhile, While};

use super::branches::{common, is_condition};
use super::called::{Body, add_call, named, types_and_shapes};
use super::{FromArguments, Results, is_tracing};
use crate::value::Value;

/// The values that `body` makes of the first ones, again and again while `condition` of them, a scalar bool, is true.
///
/// Outside of traced functions it is `while` of Rust. In a traced function the condition and the body are traced once,
/// and the graph's node `StatelessWhile` (`While`, where one changes a variable) runs them: the graph does not grow
/// with the number of iterations, which need not be known. Values keep their dtypes. Where an iteration changes a
/// shape, the body is traced for what the shapes have in common. Gradients pass through it; what each iteration's needs
/// is kept.
///
/// ```ignore
/// let [_, sum] = while_loop([n, 0i32.into()], |[n, _]| n.greater(0), |[n, sum]| Ok([&n - 1, sum + n]))?;
/// ```
///
/// # Errors
/// The condition is no scalar bool; a value has another dtype behind the body, or the body gives more or fewer; the
/// functions'.
pub fn while_loop<S: Results>(
    first: impl FromArguments<S>,
    condition: impl Fn(S) -> Result<Value>,
    body: impl Fn(S) -> Result<S>,
) -> Result<S> {
    let condition = |values: Vec<Value>| is_condition(condition(S::from_values(values)?)?.ok()?, "while_loop");
    let body = |values: Vec<Value>| {
        let dtypes = values.iter().map(Value::dtype).collect::<Result<Vec<_>>>()?;
        let next = body(S::from_values(values)?)?.into_values();
        let next = next.into_iter().map(Value::ok).collect::<Result<Vec<_>>>()?;
        check(&dtypes, &next)?;
        Ok(next)
    };
    let mut values = first.into_values()?;
    if is_tracing() {
        return S::from_values(traced(values, condition, body)?);
    }
    while condition(values.clone())?.item::<bool>()? {
        values = body(values)?;
    }
    S::from_values(values)
}

fn check(dtypes: &[DType], next: &[Value]) -> Result<()> {
    let (count, given) = (dtypes.len(), next.len());
    ensure!(count == given, "the body of `while_loop` gives {given} values for {count}");
    for (at, (&was, value)) in dtypes.iter().zip(next).enumerate() {
        let is = value.dtype()?;
        ensure!(was == is, "value {at} of `while_loop` is of {was}, and of {is} behind the body");
    }
    Ok(())
}

fn traced(
    first: Vec<Value>,
    condition: impl Fn(Vec<Value>) -> Result<Value>,
    body: impl Fn(Vec<Value>) -> Result<Vec<Value>>,
) -> Result<Vec<Value>> {
    let described = |value: &Value| Ok((value.dtype()?, value.partial_shape()?));
    let mut state: Vec<(DType, PartialShape)> = first.iter().map(described).collect::<Result<_>>()?;
    let body = loop {
        let traced = Body::trace(&state, &body).context_with(|| "the body of `while_loop`")?;
        let next = traced.results();
        let shapes = state.iter().zip(&next).map(|((dtype, was), (_, is))| (*dtype, common(was, is)));
        let shapes: Vec<_> = shapes.collect();
        if shapes == state {
            break traced;
        }
        // Each time an extent is no longer known, so that this ends.
        state = shapes;
    };
    let condition = Body::trace(&state, |values| Ok(vec![condition(values)?]));
    let condition = condition.context_with(|| "the condition of `while_loop`")?;
    ensure!(!condition.has_effects(), "the condition of `while_loop` changes a variable: change it in the body");
    let (has_effects, mut bodies) = (body.has_effects(), [body, condition]);
    let taken = Body::taken(&mut bodies)?;
    let [body, condition] = bodies;
    let (body, condition) = (body.add("while_body", &taken, true)?, condition.add("while_cond", &taken, false)?);
    let op = if body.1 || condition.1 { While::NAME } else { StatelessWhile::NAME };
    state.extend(taken.iter().map(described).collect::<Result<Vec<_>>>()?);
    let (count, inputs) = (first.len(), [first, taken].concat());
    let mut call = named(op, [Arg::List(inputs.clone())]);
    let shapes = types_and_shapes(&state).1;
    call.attrs =
        vec![("cond", AttrValue::Func(condition.0)), ("body", AttrValue::Func(body.0)), ("output_shapes", shapes)];
    let mut outputs = add_call(call, has_effects, inputs)?;
    outputs.truncate(count);
    Ok(outputs)
}
