//! Programs of matrix products: tiles of the product, 64 columns wide, each computed by a block from tiles of both
//! factors in shared memory.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;

/// Batch dimensions, innermost first: extents but for the last, and strides of both factors and of the product.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) extents: [u32; 3],
    pub(super) a: [u32; 4],
    pub(super) b: [u32; 4],
    pub(super) y: [u32; 4],
}

/// The position along each batch dimension of a batch.
#[device_fn]
fn batch_position(batch: Batch, number: u32) -> [u32; 4] {
    let [e0, e1, e2] = batch.extents;
    [number % e0, number / e0 % e1, number / e0 / e1 % e2, number / e0 / e1 / e2]
}

/// Elements from the first batch to the one at a position.
#[device_fn]
fn offset_of(at: [u32; 4], strides: [u32; 4]) -> u32 {
    at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2] + at[3] * strides[3]
}

/// Writes a program for elements of one type, or of those in the list, summed in the type after `in`. A thread computes
/// `high` rows by 4 columns, `count` elements; `depth` terms are in shared memory at a time, with one element more than
/// the tile's rows (`left` in all) or columns (`right` in all).
macro_rules! product_program {
    (
        $(#[$doc:meta])*
        $name:ident<$($generic:ident: $bound:ident = [$($ty:ident),*])?>($element:ident) in $sum:ident,
        high $high:literal, count $count:literal, depth $depth:literal, left $left:literal, right $right:literal,
        load |$value:ident| $load:expr,
        finish |$total:ident| $finish:expr
    ) => {
        $(#[$doc])*
        #[oplink::program($($generic = [$($ty),*],)? block = 256)]
        pub(super) fn $name<$($generic: $bound)?>(
            a: &[$element],
            b: &[$element],
            y: &mut [$element],
            rows: u32,
            columns: u32,
            terms: u32,
            a_row: u32,
            a_term: u32,
            b_term: u32,
            b_column: u32,
            y_row: u32,
            batches: u32,
            batch: Batch,
        ) {
            let mut left = shared::<$sum, $left>();
            let mut right = shared::<$sum, $right>();
            const DEPTH: u32 = $depth;
            const HIGH: u32 = $high;
            let height = HIGH * 16;
            let me = thread_index().x as u32;
            let across = me % 16;
            let down = me / 16;
            let tiles_across = 1 + (columns - 1) / 64;
            let tiles_down = 1 + (rows - 1) / height;
            let mut tile = block_index().x as u32;
            while tile < tiles_across * tiles_down * batches {
                let column = tile % tiles_across * 64;
                let row = tile / tiles_across % tiles_down * height;
                let at = batch_position(batch, tile / (tiles_across * tiles_down));
                let a_start = offset_of(at, batch.a);
                let b_start = offset_of(at, batch.b);
                let y_start = offset_of(at, batch.y);
                let mut sums: [$sum; $count] = [0.0; $count];
                let mut first = 0_u32;
                while first < terms {
                    for step in 0..DEPTH * height / 256 {
                        let at = step * 256 + me;
                        let mut term = at % DEPTH;
                        let mut line = at / DEPTH;
                        if a_term != 1 {
                            term = at / height;
                            line = at % height;
                        }
                        let mut number: $sum = 0.0;
                        if row + line < rows && first + term < terms {
                            let $value = a[(a_start + (row + line) * a_row + (first + term) * a_term) as usize];
                            number = $load;
                        }
                        left[(term * (height + 1) + line) as usize] = number;
                    }
                    for step in 0..DEPTH / 4 {
                        let at = step * 256 + me;
                        let mut term = at / 64;
                        let mut line = at % 64;
                        if b_column != 1 {
                            term = at % DEPTH;
                            line = at / DEPTH;
                        }
                        let mut number: $sum = 0.0;
                        if column + line < columns && first + term < terms {
                            let $value = b[(b_start + (first + term) * b_term + (column + line) * b_column) as usize];
                            number = $load;
                        }
                        right[(term * 65 + line) as usize] = number;
                    }
                    barrier();
                    for term in 0..DEPTH {
                        let mut factors: [$sum; 4] = [0.0; 4];
                        for j in 0..4_u32 {
                            factors[j as usize] = right[(term * 65 + across + j * 16) as usize];
                        }
                        for i in 0..HIGH {
                            let factor = left[(term * (height + 1) + down + i * 16) as usize];
                            for j in 0..4_u32 {
                                sums[(i * 4 + j) as usize] += factor * factors[j as usize];
                            }
                        }
                    }
                    barrier();
                    first += DEPTH;
                }
                for i in 0..HIGH {
                    for j in 0..4_u32 {
                        let at_row = row + down + i * 16;
                        let at_column = column + across + j * 16;
                        if at_row < rows && at_column < columns {
                            let $total = sums[(i * 4 + j) as usize];
                            y[(y_start + at_row * y_row + at_column) as usize] = $finish;
                        }
                    }
                }
                tile += grid_dim().x as u32;
            }
        }
    };
}

product_program! {
    /// Tiles of 64 rows, in single precision.
    product_of_floats<T: Float = [f32, f16, bf16]>(T) in f32,
    high 4, count 16, depth 16, left 1040, right 1040,
    load |value| value.to_f32(),
    finish |total| T::from_f32(total)
}

product_program! {
    /// Tiles of 16 rows, in single precision.
    low_product_of_floats<T: Float = [f32, f16, bf16]>(T) in f32,
    high 1, count 4, depth 16, left 272, right 1040,
    load |value| value.to_f32(),
    finish |total| T::from_f32(total)
}

product_program! {
    /// Tiles of 64 rows, in double precision.
    product_of_doubles<>(f64) in f64,
    high 4, count 16, depth 8, left 520, right 520,
    load |value| value,
    finish |total| total
}
