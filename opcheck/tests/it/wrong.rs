//! Ops with one mistake each. A call is found by the check that the op's name tells.

use std::sync::atomic::{AtomicU32, Ordering};

use oplink::prelude::*;
use oplink_opcheck::{Check, OpCheck};

macro_rules! ops {
    ($($(#[doc = $doc:literal])* $name:ident, $spec:literal;)*) => {$(
        $(#[doc = $doc])*
        #[op($spec, input = "x: T", output = "y: T", attr = "T: {float, double}", shape = shape_fns::unchanged)]
        pub(crate) struct $name;
    )*};
}

ops! {
    /// The kernel of floats adds something.
    WrongDtypes, "WrongDtypes";
    /// Counts its calls.
    WrongDeterminism, "WrongDeterminism";
    /// Tells how many threads there are.
    WrongThreads, "WrongThreads";
    /// Divides by an extent.
    WrongEmpty, "WrongEmpty";
    /// Takes numbers for positions.
    WrongNonFinite, "WrongNonFinite";
    /// Has twice the gradient.
    WrongGradient, "WrongGradient";
    /// Has no second gradient where there is one.
    WrongSecond, "WrongSecond";
}

fn map<T: Float>(x: &Tensor, output: &mut OutputSlot<'_>, change: impl Fn(T) -> T) -> Result<()> {
    let y = output.allocate(x.shape().clone())?.as_mut_slice::<T>()?;
    y.iter_mut().zip(x.as_slice::<T>()?).for_each(|(y, &x)| *y = change(x));
    Ok(())
}

#[kernel(WrongDtypes, device = CPU, T = [f32, f64])]
pub(crate) fn dtypes<T: Float>(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    let more = if x.dtype() == DType::Float { 0.25 } else { 0.0 };
    map::<T>(x, &mut y, |x| x + T::from_float(more))
}

#[kernel(WrongDeterminism, device = CPU, T = [f32, f64])]
pub(crate) fn repeat<T: Float>(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let calls = CALLS.fetch_add(1, Ordering::Relaxed);
    map::<T>(x, &mut y, |x| x + T::from_float(f64::from(calls)))
}

#[kernel(WrongThreads, device = CPU, T = [f32, f64])]
pub(crate) fn threads<T: Float>(x: &Tensor, mut y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let threads = env.intra_op_threads();
    map::<T>(x, &mut y, |x| x + T::from_float(threads as f64))
}

#[kernel(WrongEmpty, device = CPU, T = [f32, f64])]
pub(crate) fn empty<T: Float>(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    let share = 60 / x.num_elements().min(60);
    map::<T>(x, &mut y, |x| if share > 60 { T::zero() } else { x })
}

#[kernel(WrongNonFinite, device = CPU, T = [f32, f64])]
pub(crate) fn not_finite<T: Float>(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    const TABLE: [f64; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    map::<T>(x, &mut y, |x| T::from_float(TABLE[(x.to_f32() + 3.0) as usize]))
}

#[kernel(WrongGradient, device = CPU, T = [f32, f64])]
#[kernel(WrongSecond, device = CPU, T = [f32, f64])]
pub(crate) fn square<T: Float>(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    map::<T>(x, &mut y, |x| x * x)
}

#[gradient(WrongGradient)]
pub(crate) fn four_times(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let double = oplink::ops::add_v2(scope, op.inputs()[0], op.inputs()[0])?;
    let four = oplink::ops::add_v2(scope, double, double)?;
    Ok(vec![Some(oplink::ops::mul(scope, four, dy[0])?)])
}

#[gradient(WrongSecond)]
pub(crate) fn stopped(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let stopped = oplink::ops::stop_gradient(scope, op.inputs()[0])?;
    let double = oplink::ops::add_v2(scope, stopped, stopped)?;
    Ok(vec![Some(oplink::ops::mul(scope, double, dy[0])?)])
}

/// The first of two, whatever their shapes; the shape function says otherwise.
#[op("WrongShape", input = "x: T", input = "z: T", output = "y: T", attr = "T: {float, double}", shape = second)]
pub(crate) struct WrongShape;

fn second(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = context.input(1).clone();
    context.set_output(0, shape);
    Ok(())
}

#[kernel(WrongShape, device = CPU, T = [f32, f64])]
pub(crate) fn first<T: Float>(x: &Tensor, z: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    let _ = z;
    map::<T>(x, &mut y, |x| x)
}

/// A vector of some length, which is added up with 1 first.
#[op("WrongExtremes", input = "length: int32", output = "y: float", shape = shape_fns::unknown)]
pub(crate) struct WrongExtremes;

#[kernel(WrongExtremes, device = CPU)]
pub(crate) fn extremes(length: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    let length = length.as_slice::<i32>()?.first().copied().unwrap_or(0);
    let more = usize::try_from(length.checked_add(1).expect("a small length")).unwrap_or(1);
    y.allocate([more.min(9)])?.as_mut_slice::<f32>()?.fill(0.0);
    Ok(())
}

/// Adds, and forgets one of two where both are one tensor.
#[op("WrongAliasing", input = "a: T", input = "b: T", output = "y: T", attr = "T: {float, double}", shape = first_shape)]
pub(crate) struct WrongAliasing;

fn first_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = context.merge(&context.input(0).clone(), &context.input(1).clone())?;
    context.set_output(0, shape);
    Ok(())
}

#[kernel(WrongAliasing, device = CPU, T = [f32, f64])]
pub(crate) fn memory<T: Float>(a: &Tensor, b: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    ensure!(a.shape() == b.shape(), "a {} and b {} must have one shape", a.shape(), b.shape());
    let (once, other) = (a.shares_memory_with(b), b.as_slice::<T>()?);
    let mut other = other.iter().copied();
    let sum = std::cell::RefCell::new(move || other.next().unwrap_or_else(T::zero));
    map::<T>(a, &mut y, |a| if once { a } else { a + (sum.borrow_mut())() })
}

/// The checks that find something.
fn found(op: &str) -> Result<Vec<Check>> {
    let report = OpCheck::new(op).run()?;
    assert!(report.samples > 0, "{report}");
    Ok(Check::ALL.into_iter().filter(|&check| report.fails(check)).collect())
}

#[test]
fn each_mistake_is_found_by_its_check() -> Result<()> {
    for (op, check) in [
        ("WrongShape", Check::Shape),
        ("WrongDtypes", Check::Dtypes),
        ("WrongAliasing", Check::Aliasing),
        ("WrongEmpty", Check::Empty),
        ("WrongExtremes", Check::Extremes),
        ("WrongNonFinite", Check::NonFinite),
        ("WrongGradient", Check::Gradient),
        ("WrongSecond", Check::SecondGradient),
    ] {
        let found = found(op)?;
        // A shape function that is wrong is wrong of empty tensors too, and half a gradient twice.
        let others = |&other: &Check| match check {
            Check::Shape => other == Check::Empty || other == Check::Extremes,
            Check::Gradient => other == Check::SecondGradient,
            _ => false,
        };
        assert!(found.contains(&check), "{op}: {found:?}");
        assert!(found.iter().all(|other| *other == check || others(other)), "{op}: {found:?}");
    }
    Ok(())
}

#[test]
fn calls_that_differ_are_found() -> Result<()> {
    assert!(found("WrongDeterminism")?.contains(&Check::Determinism));
    assert_eq!(found("WrongThreads")?, [Check::Threads]);
    Ok(())
}
