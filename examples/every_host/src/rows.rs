//! Lists of inputs and outputs, and an output whose size the values tell.

use oplink::prelude::*;

/// The rows of all `parts`, one part after the other. All parts have the same extents but the first.
#[op(
    "JoinRows",
    is(moves),
    input = "parts: N * T",
    output = "joined: T",
    attr = "N: int >= 1",
    attr = "T: {float, double, int32, int64}"
)]
pub fn join_rows_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut rest = PartialShape::unknown();
    let mut rows = Some(0);
    for (at, part) in c.input_list("parts")?.iter().enumerate() {
        c.with_rank_at_least(at, 1)?;
        rest = c.merge(&rest, &c.subshape(part, 1, None)?)?;
        rows = rows.and_then(|rows| Some(rows + part.dim(0)?));
    }
    let shape = c.concatenate(&PartialShape::new(&[rows]), &rest);
    c.set_output(0, shape);
    Ok(())
}

#[kernel(JoinRows, device = CPU, T = [f32, f64, i32, i64])]
pub fn join_rows<T: Element + Copy>(parts: &[Tensor], joined: &mut Tensor) -> Result<()> {
    let mut rest = joined.as_mut_slice::<T>()?;
    for part in parts {
        let part = part.as_slice::<T>()?;
        let Some((to, others)) = rest.split_at_mut_checked(part.len()) else { bail!("the parts are too long") };
        to.copy_from_slice(part);
        rest = others;
    }
    Ok(())
}

/// Of parts of equal rows, each gets its rows.
#[gradient(JoinRows)]
pub fn join_rows_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let parts = op.inputs().len();
    let rows = op.input_shape(0).dim(0);
    ensure!(
        rows.is_some() && (0..parts).all(|at| op.input_shape(at).dim(0) == rows),
        "JoinRows has a gradient where all parts have equally many rows, which are known"
    );
    let split = SplitRows::builder(parts as i64).build(scope, dy[0])?;
    Ok(split.into_iter().map(Some).collect())
}

/// The rows of `x` in `num_split` parts of equal size.
#[op(
    "SplitRows",
    is(moves),
    input = "x: T",
    output = "parts: num_split * T",
    attr = "num_split: int >= 1",
    attr = "T: {float, double, int32, int64}"
)]
pub fn split_rows_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let (x, parts) = (c.with_rank_at_least(0, 1)?, c.num_outputs());
    let rows = x.dim(0);
    ensure!(rows.is_none_or(|rows| rows % parts == 0), "{rows:?} rows are not {parts} equal parts");
    let rest = c.subshape(&x, 1, None)?;
    let shape = c.concatenate(&PartialShape::new(&[rows.map(|rows| rows / parts)]), &rest);
    (0..parts).for_each(|at| c.set_output(at, shape.clone()));
    Ok(())
}

#[kernel(SplitRows, device = CPU, T = [f32, f64, i32, i64])]
pub fn split_rows<T: Element>(x: &Tensor, num_split: i64) -> Result<Vec<Tensor>> {
    let parts = usize::try_from(num_split).unwrap_or(1);
    ensure!(x.rank() > 0 && x.shape()[0] % parts == 0, "{} is not {parts} equal parts", x.shape());
    let rows = x.shape()[0] / parts;
    (0..parts).map(|part| x.slice(part * rows, (part + 1) * rows)).collect()
}

#[gradient(SplitRows)]
pub fn split_rows_gradient(scope: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(JoinRows::builder().build(scope, dy.to_vec())?)])
}

/// The numbers of the rows of a matrix that are not all zero: how many there are, only the values tell.
#[op("NonZeroRows", input = "x: T", output = "rows: int64", attr = "T: {float, double}")]
pub fn non_zero_rows_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 2)?;
    c.set_output(0, PartialShape::new(&[None]));
    Ok(())
}

#[kernel(NonZeroRows, device = CPU, T = [f32, f64])]
pub fn non_zero_rows<T: Number>(x: ArrayView2<'_, T>) -> Result<Array1<i64>> {
    let is_zero = |row: &oplink::prelude::ArrayView1<'_, T>| row.iter().all(|x| *x == T::zero());
    let rows = x.rows().into_iter().enumerate().filter(|(_, row)| !is_zero(row));
    Ok(rows.map(|(at, _)| at as i64).collect())
}
