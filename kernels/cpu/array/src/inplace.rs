//! `InplaceUpdate`, `InplaceAdd`, `InplaceSub`: rows replaced or changed. `Empty`, and `UnravelIndex`.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::arguments::vector;
use oplink_ops::array::{Empty, InplaceAdd, InplaceSub, InplaceUpdate, UnravelIndex};

use crate::arguments::write_integers;

/// The row of `x` that each row of `v` goes to, and the elements of a row.
fn rows(x: &Shape, i: &Tensor, v: &Shape) -> Result<(Vec<usize>, usize)> {
    ensure!(i.rank() == 1, "i must be a vector, its shape is {}", i.shape());
    let (Some((&rows, row)), Some((&count, other))) = (x.dims().split_first(), v.dims().split_first()) else {
        bail!("x and v must be at least vectors, their shapes are {x} and {v}")
    };
    ensure!(row == other, "the rows of x and v must have one shape, their shapes are {x} and {v}");
    ensure!(count == i.num_elements(), "v must have {} rows, as i has elements; its shape is {v}", i.num_elements());
    ensure!(rows > 0 || count == 0, "x has no rows");
    let row_of = |index: i64| index.rem_euclid(rows as i64) as usize;
    Ok((int_values(i)?.into_iter().map(row_of).collect(), row.iter().product()))
}

struct Replace<'a> {
    out: &'a mut Tensor,
    v: &'a Tensor,
    rows: Vec<usize>,
    width: usize,
}

impl CellJob for Replace<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (out, v, width) = (C::of_mut(self.out)?, C::of(self.v)?, self.width);
        for (from, row) in self.rows.into_iter().enumerate() {
            out[row * width..][..width].clone_from_slice(&v[from * width..][..width]);
        }
        Ok(())
    }
}

/// `InplaceUpdate` of every dtype.
#[kernel(InplaceUpdate, device = CPU, T = any)]
pub fn inplace_update_cpu(x: Input<'_>, i: &Tensor, v: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    let (rows, width) = rows(x.shape(), i, v.shape())?;
    let out = y.forward_or_copy(x)?;
    with_cells(out.dtype(), Replace { out, v, rows, width })
}

/// `InplaceAdd` of numbers.
#[kernel(InplaceAdd, device = CPU, T = [numbers])]
pub fn inplace_add_cpu<T: Computed<ComputeType: Arithmetic>>(
    x: Input<'_>,
    i: &Tensor,
    v: &Tensor,
    y: OutputSlot<'_>,
) -> Result<()> {
    change::<T>(x, i, v, y, Arithmetic::add)
}

/// `InplaceSub` of numbers.
#[kernel(InplaceSub, device = CPU, T = [numbers])]
pub fn inplace_sub_cpu<T: Computed<ComputeType: Arithmetic>>(
    x: Input<'_>,
    i: &Tensor,
    v: &Tensor,
    y: OutputSlot<'_>,
) -> Result<()> {
    change::<T>(x, i, v, y, Arithmetic::sub)
}

fn change<T: Computed>(
    x: Input<'_>,
    i: &Tensor,
    v: &Tensor,
    mut y: OutputSlot<'_>,
    operation: fn(T::ComputeType, T::ComputeType) -> T::ComputeType,
) -> Result<()> {
    let (rows, width) = rows(x.shape(), i, v.shape())?;
    let (out, v) = (y.forward_or_copy(x)?.as_mut_slice::<T>()?, v.as_slice::<T>()?);
    for (from, row) in rows.into_iter().enumerate() {
        for (out, value) in out[row * width..][..width].iter_mut().zip(&v[from * width..][..width]) {
            *out = T::from_computed(operation(out.to_computed(), value.to_computed()));
        }
    }
    Ok(())
}

struct Clear<'a>(&'a mut Tensor);

impl CellJob for Clear<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        C::of_mut(self.0)?.fill(C::default());
        Ok(())
    }
}

/// `Empty` of numbers, bool and strings: always zeros.
#[kernel(Empty, device = CPU, dtype = [numbers, bool, TString], host_memory = [shape])]
pub fn empty_cpu(shape: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    ensure!(shape.rank() == 1, "shape must be a vector, its shape is {}", shape.shape());
    let shape = Shape::from_i64(&vector(shape, "shape")?).map_err(|error| error.context("reading shape"))?;
    let out = output.allocate(shape)?;
    with_cells(out.dtype(), Clear(out))
}

/// `UnravelIndex` of int32 and int64.
#[kernel(UnravelIndex, device = CPU, Tidx = any)]
pub fn unravel_index_cpu(indices: &Tensor, dims: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    ensure!(indices.rank() <= 1, "indices must be a scalar or a vector, its shape is {}", indices.shape());
    ensure!(indices.num_elements() > 0, "indices must not be empty");
    ensure!(dims.rank() == 1, "dims must be a vector, its shape is {}", dims.shape());
    let (numbers, extents) = (int_values(indices)?, int_values(dims)?);
    let most = if dims.dtype() == DType::Int32 { i64::from(i32::MAX) } else { i64::MAX };
    let mut total = 1i64;
    for (axis, &extent) in extents.iter().enumerate() {
        ensure!(extent > 0, "dims[{axis}] = {extent} must be positive");
        let product = total.checked_mul(extent).filter(|&product| product <= most);
        let Some(product) = product else { bail!("a tensor of the extents {extents:?} has too many elements") };
        total = product;
    }
    let beyond = numbers.iter().find(|&&number| number >= total);
    ensure!(beyond.is_none(), "an index is beyond the {total} elements of the extents {extents:?}");
    let (count, mut inner) = (numbers.len(), total);
    let mut values = try_vec(count.saturating_mul(extents.len()))?;
    for extent in &extents {
        let whole = inner;
        inner /= extent;
        values.extend(numbers.iter().map(|number| number % whole / inner));
    }
    let shape = if indices.rank() == 0 { vec![extents.len()] } else { vec![extents.len(), count] };
    write_integers(output.allocate(shape)?, &values)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn rows_are_counted_modulo() {
        let x = || Tensor::from_vec([3, 1], vec![1, 2, 3]).unwrap();
        let v = || Tensor::from_vec([2, 1], vec![10, 20]).unwrap();
        let out = |values: [i32; 3]| Tensor::from_vec([3, 1], values.to_vec()).unwrap();
        check("InplaceUpdate", [x(), [-1, 3].into(), v()], out([20, 2, 10]));
        check("InplaceAdd", [x(), [0, 0].into(), v()], out([31, 2, 3]));
        check("InplaceSub", [x(), [2, 1].into(), v()], out([1, -18, -7]));
        check_error("InplaceAdd", [x(), [2].into(), v()], "must have 1 rows");
    }

    #[test]
    fn coordinates_of_elements() {
        check("UnravelIndex", [22.into(), [7, 6].into()], [3, 4]);
        check_error("UnravelIndex", [[42].into(), [7, 6].into()], "beyond the 42 elements");
        check_error("UnravelIndex", [[0].into(), [1 << 30, 1 << 30].into()], "too many elements");
    }
}
