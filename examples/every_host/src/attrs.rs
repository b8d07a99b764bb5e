//! Attrs of every kind.

use oplink::num_traits::{NumCast, cast};
use oplink::prelude::*;

/// Numbers that tell what the attrs are: `[s.len, i, f * 1000, b, t, rank of h, sum of li, sum of lf * 1000, count of
/// true in lb, bytes of ls, count of lt]`, each times the number of elements of `x`.
#[op(
    "DescribeAttrs",
    input = "x: float",
    output = "y: int64",
    attr = "s: string = 'text'",
    attr = "i: int = -3",
    attr = "f: float = 0.5",
    attr = "b: bool = true",
    attr = "t: type = DT_INT32",
    attr = "h: shape = { dim { size: 2 } dim { size: 3 } }",
    attr = "li: list(int) = [1, -2]",
    attr = "lf: list(float) = []",
    attr = "lb: list(bool) = [true, false]",
    attr = "ls: list(string) = []",
    attr = "lt: list(type) = []"
)]
pub fn describe_attrs_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::new(&[Some(11)]));
    Ok(())
}

#[kernel(DescribeAttrs, device = CPU, t = any)]
#[allow(clippy::too_many_arguments)]
pub fn describe_attrs(
    x: &Tensor,
    s: &str,
    i: i64,
    f: f32,
    b: bool,
    t: DType,
    h: &PartialShape,
    li: &[i64],
    lf: &[f32],
    lb: &[bool],
    ls: &[Vec<u8>],
    lt: &[DType],
) -> Result<Array1<i64>> {
    let thousands = |value: f32| (value * 1000.0).round() as i64;
    let numbers = [
        s.len() as i64,
        i,
        thousands(f),
        b as i64,
        t.number() as i64,
        h.rank().map_or(-1, |rank| rank as i64),
        li.iter().sum(),
        thousands(lf.iter().sum()),
        lb.iter().filter(|b| **b).count() as i64,
        ls.iter().map(Vec::len).sum::<usize>() as i64,
        lt.len() as i64,
    ];
    Ok(numbers.into_iter().map(|number| number * x.num_elements() as i64).collect())
}

/// The elements in another dtype, which an attr tells.
#[op("ConvertTo", input = "x: From", output = "y: To", attr = "From: {float, double, int32, int64}",
     attr = "To: {float, double, int32, int64}", shape = shape_fns::unchanged)]
pub struct ConvertTo;

#[kernel(ConvertTo, device = CPU, From = [f32, f64, i32, i64], To = [f32, f64, i32, i64])]
pub fn convert_to<From: Number + NumCast, To: Number + NumCast>(x: &Tensor, y: &mut Tensor) -> Result<()> {
    let x = x.as_slice::<From>()?;
    for (y, x) in y.as_mut_slice::<To>()?.iter_mut().zip(x) {
        *y = cast(*x).unwrap_or_else(To::zero);
    }
    Ok(())
}

/// A tensor full of `value`, without inputs.
#[op("FullOf", output = "y: float", attr = "shape: shape", attr = "value: float = 0.0")]
pub fn full_of_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, c.attr::<PartialShape>("shape")?);
    Ok(())
}

#[kernel(FullOf, device = CPU)]
pub fn full_of(shape: &PartialShape, value: f32) -> Result<Tensor> {
    let Some(shape) = shape.to_shape() else { bail!("the shape {shape} is not fully known") };
    let mut y = Tensor::zeros(DType::Float, shape)?;
    y.as_mut_slice::<f32>()?.fill(value);
    Ok(y)
}
