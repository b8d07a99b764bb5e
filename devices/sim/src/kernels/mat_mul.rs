//! `MatMul`.

use oplink::device::Region;
use oplink::prelude::*;

use super::{Real, launch};

/// Multiplies the matrix `a` by the matrix `b`, either transposed first where its attr says so.
#[op("MatMul",
     input = "a: T",
     input = "b: T",
     output = "product: T",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "T: {bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}",
     attr = "grad_a: bool = false",
     attr = "grad_b: bool = false",
     shape = shape_fns::matmul)]
pub struct MatMul;

/// `MatMul` on the device.
#[kernel(MatMul, device = SIM, T = [f32, f64])]
pub fn mat_mul<T: Real>(
    context: &KernelContext<'_>,
    a: &Tensor,
    b: &Tensor,
    transpose_a: bool,
    transpose_b: bool,
    product: &mut Tensor,
) -> Result<()> {
    let (lhs, rhs) = (Matrix::of(a.shape(), transpose_a)?, Matrix::of(b.shape(), transpose_b)?);
    ensure!(lhs.columns == rhs.rows, "a is {}, b is {}: {} and {} differ", a.shape(), b.shape(), lhs.columns, rhs.rows);
    if product.num_elements() == 0 {
        return Ok(());
    }
    let product = Region::of_tensor(product)?;
    if lhs.columns == 0 {
        return launch(context, move |memory| memory.write(product, &vec![T::default(); lhs.rows * rhs.columns]));
    }
    let (a, b) = (Region::of_tensor(a)?, Region::of_tensor(b)?);
    launch(context, move |memory| {
        let (a, b) = (memory.read::<T>(a)?, memory.read::<T>(b)?);
        let element = |row, column| {
            let term = |at| a[lhs.position(row, at)] * b[rhs.position(at, column)];
            (0..lhs.columns).map(term).fold(T::default(), |sum, term| sum + term)
        };
        let values: Vec<T> =
            (0..lhs.rows * rhs.columns).map(|at| element(at / rhs.columns, at % rhs.columns)).collect();
        memory.write(product, &values)
    })
}

/// How a matrix lies in memory.
#[derive(Clone, Copy)]
struct Matrix {
    rows: usize,
    columns: usize,
    transposed: bool,
}

impl Matrix {
    fn of(shape: &Shape, transposed: bool) -> Result<Self> {
        ensure!(shape.rank() == 2, "a matrix has rank 2, its shape is {shape}");
        let (rows, columns) = if transposed { (shape[1], shape[0]) } else { (shape[0], shape[1]) };
        Ok(Self { rows, columns, transposed })
    }

    fn position(self, row: usize, column: usize) -> usize {
        if self.transposed { column * self.rows + row } else { row * self.columns + column }
    }
}
