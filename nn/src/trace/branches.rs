//! Conditions: one of two bodies, chosen by a value.

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, Error, Op, PartialShape, Result, ResultExt, ensure};
use oplink_ops::{If, StatelessIf};

use super::called::{Body, add_call, named, types_and_shapes};
use super::{Results, is_tracing};
use crate::value::{IntoValue, Value};

/// What one of two functions gives: `then` where the condition, a scalar bool, is true, else `otherwise`.
///
/// Where the condition is known, it is `if` of Rust: outside of traced functions always. In a traced function each of
/// both is traced, and the graph's node `StatelessIf` (`If`, where one changes a variable) runs one of them in each
/// call. Both give values of the same number and dtypes then; where shapes differ, the result's is not known. Gradients
/// pass through it.
///
/// ```ignore
/// let y = cond(x.sum(..)?.greater(0.0)?, || x.sqrt(), || (&x * 0.5).ok())?;
/// ```
///
/// # Errors
/// The condition is no scalar bool; the functions', both of them in a traced function; they give values that differ in
/// number or dtypes.
pub fn cond<R: Results>(
    condition: impl IntoValue,
    then: impl FnOnce() -> Result<R>,
    otherwise: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let condition = is_condition(condition.into_value(None)?, "cond")?;
    if condition.as_traced().is_none() || !is_tracing() {
        return if condition.item::<bool>()? { then() } else { otherwise() };
    }
    let then =
        Body::trace(&[], |_| then().map(Results::into_values)).context_with(|| "the first function of `cond`")?;
    let otherwise =
        Body::trace(&[], |_| otherwise().map(Results::into_values)).context_with(|| "the second function of `cond`")?;
    let results = joined(&then.results(), &otherwise.results())?;
    let has_effects = then.has_effects() || otherwise.has_effects();
    let mut bodies = [then, otherwise];
    let taken = Body::taken(&mut bodies)?;
    let [then, otherwise] = bodies;
    let (then, otherwise) = (then.add("cond_true", &taken, false)?, otherwise.add("cond_false", &taken, false)?);
    let op = if then.1 || otherwise.1 { If::NAME } else { StatelessIf::NAME };
    let mut call = named(op, [Arg::One(condition.clone()), Arg::List(taken.clone())]);
    let (types, shapes) = types_and_shapes(&results);
    call.attrs = vec![
        ("then_branch", AttrValue::Func(then.0)),
        ("else_branch", AttrValue::Func(otherwise.0)),
        ("Tout", types),
        ("output_shapes", shapes),
    ];
    R::from_values(add_call(call, has_effects, std::iter::once(condition).chain(taken).collect())?)
}

/// The value, which must be a scalar bool as far as that is known.
pub(super) fn is_condition(value: Value, of: &str) -> Result<Value> {
    let (dtype, shape) = (value.dtype()?, value.partial_shape()?);
    ensure!(
        dtype == DType::Bool && shape.rank().is_none_or(|rank| rank == 0),
        "the condition of `{of}` is {dtype} {shape}, not a scalar bool"
    );
    Ok(value)
}

/// What is known of results that are those of one or of the other function.
fn joined(then: &[(DType, PartialShape)], otherwise: &[(DType, PartialShape)]) -> Result<Vec<(DType, PartialShape)>> {
    let (first, second) = (then.len(), otherwise.len());
    ensure!(first == second, "the functions of `cond` give {first} and {second} values");
    let join = |(at, (a, b)): (usize, (&(DType, PartialShape), &(DType, PartialShape)))| {
        if a.0 != b.0 {
            let message = format!("value {at} of `cond` is of {} from one function and of {} from the other", a.0, b.0);
            return Err(Error::invalid_argument(message));
        }
        Ok((a.0, common(&a.1, &b.1)))
    };
    then.iter().zip(otherwise).enumerate().map(join).collect()
}

/// What two shapes have in common.
pub(super) fn common(a: &PartialShape, b: &PartialShape) -> PartialShape {
    match (a.dims(), b.dims()) {
        (Some(a), Some(b)) if a.len() == b.len() => {
            let extents: Vec<Option<usize>> = a.iter().zip(b).map(|(&a, &b)| if a == b { a } else { None }).collect();
            PartialShape::new(&extents)
        }
        _ => PartialShape::unknown(),
    }
}
