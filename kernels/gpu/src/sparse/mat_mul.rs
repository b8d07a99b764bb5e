//! `SparseTensorDenseMatMul`: the product of a sparse matrix and a dense one, in f32, added up in no order. Values at
//! coordinates outside of the matrix are left out, as the host does not see these.

use oplink::gpu::{atomic_add, grid_stride};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::sparse::{SparseTensorDenseMatMul, SparseTensorDenseMatMulInputs, product_extents};

use crate::movement::{clear, element_bytes, words};
use crate::scatter::summed_in_single;

/// The extents of a product, as a program takes them.
#[device_struct]
#[derive(Clone, Copy, Debug)]
struct Product {
    /// Rows of the product.
    rows: u32,
    /// Columns of the left matrix.
    inner: u32,
    /// Columns of the product.
    columns: u32,
    /// Words of a coordinate.
    index_words: u32,
    /// Whether the left matrix is transposed.
    adjoint_a: bool,
    /// Whether the right matrix is transposed.
    adjoint_b: bool,
}

/// `SparseTensorDenseMatMul` in the device's memory.
///
/// # Errors
/// Shapes that do not fit together; the device refuses.
#[kernel(SparseTensorDenseMatMul, device = GPU, T = [f16, bf16, f32], Tindices = [i32, i64], host_memory = [a_shape])]
pub fn sparse_tensor_dense_mat_mul_gpu(
    inputs: SparseTensorDenseMatMulInputs<'_>,
    adjoint_a: bool,
    adjoint_b: bool,
    mut product: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (values, b) = (&*inputs.a_values, &*inputs.b);
    let [rows, inner, columns] = product_extents(&inputs, adjoint_a, adjoint_b)?;
    let out = product.allocate([rows, columns])?;
    let (device, total) = (env.device()?, values.num_elements() * columns);
    if out.num_elements() == 0 {
        return Ok(());
    }
    if total == 0 || inner == 0 {
        return clear(device, out);
    }
    let extents = Product {
        rows: words(rows)?,
        inner: words(inner)?,
        columns: words(columns)?,
        index_words: element_bytes(&inputs.a_indices)? as u32 / 4,
        adjoint_a,
        adjoint_b,
    };
    let indices = &inputs.a_indices.device_words()?;
    summed_in_single(device, out, |sums| {
        clear(device, sums)?;
        add_products { indices, values, b, sums, extents, total: words(total)? }.launch(
            device,
            values.dtype(),
            add_products::blocks(total),
        )
    })
}

/// A thread for each value of the sparse matrix and column of the product.
#[program(block = 256, T = [f16, bf16, f32])]
fn add_products<T: Float>(indices: &[u32], values: &[T], b: &[T], sums: &mut [f32], extents: Product, total: u32) {
    for at in grid_stride(total) {
        let (entry, column) = (at / extents.columns, at % extents.columns);
        let first = (entry * 2 * extents.index_words) as usize;
        let second = first + extents.index_words as usize;
        let mut row = indices[if extents.adjoint_a { second } else { first }];
        let inner = indices[if extents.adjoint_a { first } else { second }];
        if extents.index_words == 2 && (indices[first + 1] != 0 || indices[second + 1] != 0) {
            row = u32::MAX;
        }
        if row < extents.rows && inner < extents.inner {
            let mut from = inner * extents.columns + column;
            if extents.adjoint_b {
                from = column * extents.inner + inner;
            }
            let term = values[entry as usize].to_f32() * b[from as usize].to_f32();
            atomic_add(&mut sums[(row * extents.columns + column) as usize], term);
        }
    }
}
