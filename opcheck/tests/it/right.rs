//! Ops of several kinds without a mistake.

use oplink::prelude::*;
use oplink_opcheck::{Check, OpCall, OpCheck, Outcome};

/// `y = x * scale + shift`.
#[op("RightScaleShift", input = "x: T", output = "y: T", attr = "scale: float = 1.5", attr = "shift: int = 1",
     attr = "T: {half, bfloat16, float, double}", shape = shape_fns::unchanged)]
pub(crate) struct RightScaleShift;

#[kernel(RightScaleShift, device = CPU, T = [f16, bf16, f32, f64], forward(x => y))]
pub(crate) fn scale_shift<T: Float>(y: InOut<'_, T>, scale: f32, shift: i64) {
    let (scale, shift) = (T::from_f32(scale), T::from_f32(shift as f32));
    y.map(|x| x * scale + shift);
}

#[gradient(RightScaleShift)]
pub(crate) fn gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let scale: f32 = op.attr("scale")?;
    Ok(vec![Some(RightScaleShift::builder().scale(scale).shift(0).build(scope, dy[0])?)])
}

/// The lines of `x` that `rows` names.
#[op("RightRows", input = "x: T", input = "rows: int64", output = "y: T", attr = "T: type", shape = rows_shape)]
pub(crate) struct RightRows;

fn rows_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let (x, rows) = (context.with_rank_at_least(0, 1)?, context.with_rank(1, 1)?);
    let shape = match x.dims() {
        Some(dims) => PartialShape::new(&[&[rows.dim(0)], &dims[1..]].concat()),
        None => PartialShape::unknown(),
    };
    context.set_output(0, shape);
    Ok(())
}

#[kernel(RightRows, device = CPU, T = [f32, f64, i32])]
pub(crate) fn rows<T: Number>(x: &Tensor, rows: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    ensure!(x.rank() >= 1, "x has no rows, its shape is {}", x.shape());
    ensure!(rows.rank() == 1, "rows must be a vector, its shape is {}", rows.shape());
    let mut dims = x.shape().to_vec();
    let (count, length) = (dims[0], dims[1..].iter().product::<usize>());
    dims[0] = rows.num_elements();
    let written = y.allocate(Shape::new(&dims))?.as_mut_slice::<T>()?;
    let x = x.as_slice::<T>()?;
    for (at, &row) in rows.as_slice::<i64>()?.iter().enumerate() {
        let row = usize::try_from(row).ok().filter(|row| *row < count);
        let Some(row) = row else { bail!("row {at} is none of the {count} rows of x") };
        written[at * length..][..length].copy_from_slice(&x[row * length..][..length]);
    }
    Ok(())
}

#[test]
fn nothing_is_found() -> Result<()> {
    for op in ["RightScaleShift", "RightRows"] {
        let report = OpCheck::new(op).run()?;
        report.assert();
        assert_eq!(report.samples, 10, "{report}");
        assert_eq!(report.combinations.0, report.combinations.1, "{report}");
    }
    Ok(())
}

#[test]
fn what_is_not_checked_says_why() -> Result<()> {
    let report = OpCheck::new("RightRows").run()?;
    let Outcome::Skipped(reason) = &report.checks[&Check::Gradient] else { panic!("{report}") };
    assert_eq!(reason, "the op has no gradient");
    let report = OpCheck::new("RightScaleShift").checks(&[Check::Gradient]).run()?;
    assert_eq!(report.checks.len(), 1);
    assert!(matches!(report.checks[&Check::Gradient], Outcome::Checked { cases, .. } if cases > 5), "{report}");
    Ok(())
}

#[test]
fn samples_that_are_given_are_checked() -> Result<()> {
    let x = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let rows = Tensor::from_slice(&[2i64, 0]);
    let call = OpCall { op: "RightRows".to_owned(), attrs: Vec::new(), inputs: vec![x, rows] };
    let report = OpCheck::new("RightRows").num_samples(0).sample(call.clone()).run()?;
    report.assert();
    assert_eq!(report.samples, 1);
    let refused = OpCall { inputs: vec![call.inputs[0].clone(), Tensor::from_slice(&[7i64])], ..call };
    let error = OpCheck::new("RightRows").sample(refused).run().expect_err("a sample that the kernel refuses");
    assert!(error.to_string().contains("row 0 is none of the 3 rows"), "{error}");
    Ok(())
}

#[test]
fn ops_that_are_not_there_are_errors() {
    let error = OpCheck::new("RightRow").run().expect_err("no such op");
    assert!(error.to_string().contains("RightRows"), "the nearest is named: {error}");
}

/// Texts of what has effects may be names of files: calls of those are given, not drawn.
#[test]
fn what_may_name_files_is_not_drawn() -> Result<()> {
    for op in ["SaveV2", "WriteFile", "MergeV2Checkpoints"] {
        let report = OpCheck::new(op).run()?;
        assert_eq!(report.samples, 0, "{report}");
        assert!(report.reason.as_deref().is_some_and(|reason| reason.contains("give samples")), "{report}");
    }
    Ok(())
}
