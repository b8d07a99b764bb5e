//! Products of 16-bit floats, summed in single precision and rounded once, after what follows them.
//!
//! Where the processor multiplies pairs of bfloat16 itself, subnormal factors count as zeros.

use std::sync::{LazyLock, OnceLock};

use half::slice::HalfFloatSliceExt;
use multiversion::multiversion;
use oplink::element::{bf16, f16};
use oplink::{DType, KernelEnv, Result, Tensor};
use oplink_vmath::half::{single_to_bf16, single_to_f16};

use super::ways;
use super::{Panels, Place, Product, Rows, WIDTH, Way};
use crate::HAS_GEMM;
use crate::finish::Finish;
use crate::matrix::Matrix;
use crate::packed::MAX_PACKED;

/// How a 16-bit float is made of its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HalfFormat {
    /// The upper half of a single-precision number.
    BFloat16,
    /// Half precision.
    Half,
}

impl HalfFormat {
    /// That of the elements of a dtype, where they are 16-bit floats.
    pub fn of(dtype: DType) -> Option<Self> {
        match dtype {
            DType::BFloat16 => Some(Self::BFloat16),
            DType::Half => Some(Self::Half),
            _ => None,
        }
    }

    /// The bits of a tensor's elements.
    ///
    /// # Errors
    /// The elements are others.
    pub fn bits(self, tensor: &Tensor) -> Result<&[u16]> {
        match self {
            Self::BFloat16 => tensor.as_slice::<bf16>().map(HalfFloatSliceExt::reinterpret_cast),
            Self::Half => tensor.as_slice::<f16>().map(HalfFloatSliceExt::reinterpret_cast),
        }
    }

    /// As [`bits`](Self::bits), to be written.
    ///
    /// # Errors
    /// As for [`bits`](Self::bits).
    pub fn bits_mut(self, tensor: &mut Tensor) -> Result<&mut [u16]> {
        match self {
            Self::BFloat16 => tensor.as_mut_slice::<bf16>().map(HalfFloatSliceExt::reinterpret_cast_mut),
            Self::Half => tensor.as_mut_slice::<f16>().map(HalfFloatSliceExt::reinterpret_cast_mut),
        }
    }
}

/// A right matrix of 16-bit floats.
pub type HalfPanels = Panels<u16, f32>;

/// The best way of multiplying numbers of a format.
pub fn way(format: HalfFormat) -> &'static Way<u16, f32> {
    static WAYS: LazyLock<[&'static Way<u16, f32>; 2]> = LazyLock::new(|| [ways::bf16()[0], ways::f16()[0]]);
    WAYS[usize::from(format == HalfFormat::Half)]
}

/// Whether products of such a depth are computed here.
pub fn fits(format: HalfFormat, depth: usize) -> bool {
    HAS_GEMM && way(format).fits(depth)
}

/// Whether the processor has instructions for products of numbers of a format.
pub fn is_native(format: HalfFormat) -> bool {
    ways::is_native(way(format))
}

/// Whether the processor multiplies numbers of a format several times as fast as single-precision ones.
pub fn is_much_faster(format: HalfFormat) -> bool {
    way(format).setup.is_some()
}

/// A right matrix that is a constant, in panels from its first product on.
#[derive(Debug, Default)]
pub struct ConstantHalves {
    panels: OnceLock<HalfPanels>,
}

impl ConstantHalves {
    /// That of a constant, if it is one that is worth it.
    pub fn of(constant: Option<&Tensor>) -> Option<Self> {
        let fits = |value: &Tensor| value.rank() == 2 && value.num_elements() <= MAX_PACKED;
        constant.is_some_and(|value| HAS_GEMM && fits(value)).then(Self::default)
    }

    /// The panels, which `pack` makes.
    ///
    /// # Errors
    /// That of `pack`.
    pub fn panels(&self, pack: impl FnOnce() -> Result<HalfPanels>) -> Result<&HalfPanels> {
        if let Some(panels) = self.panels.get() {
            return Ok(panels);
        }
        let panels = pack()?;
        Ok(self.panels.get_or_init(|| panels))
    }
}

/// Writes the product of so many rows with a matrix, and what follows, in row-major order.
///
/// # Errors
/// Memory runs out.
///
/// # Panics
/// Where `out` has not the product's elements, or rows are too short.
pub fn multiply(
    env: &dyn KernelEnv,
    format: HalfFormat,
    (rows, count): (&dyn Rows<u16>, usize),
    right: &HalfPanels,
    finish: Finish<'_, f32>,
    out: &mut [u16],
) -> Result<()> {
    let finish = |place: Place, sums: &mut [f32], out: &mut [u16]| {
        follow(&finish, place, sums);
        match format {
            HalfFormat::BFloat16 => round_bf16(sums, out),
            HalfFormat::Half => round_f16(sums, out),
        }
    };
    Product { rows, count, right }.compute(env, &finish, out)
}

/// As [`multiply`], for a matrix that is brought into panels for this product.
///
/// # Errors
/// As for [`multiply`].
///
/// # Panics
/// As for [`multiply`].
pub fn multiply_matrices(
    env: &dyn KernelEnv,
    format: HalfFormat,
    (left, right): (Matrix<'_, u16>, Matrix<'_, u16>),
    finish: Finish<'_, f32>,
    out: &mut [u16],
) -> Result<()> {
    assert_eq!(left.columns(), right.rows(), "inner extents differ");
    let panels = HalfPanels::new(env, way(format), right)?;
    multiply(env, format, (&left, left.rows()), &panels, finish, out)
}

/// Does what follows to the sums of a tile.
fn follow(finish: &Finish<'_, f32>, place: Place, sums: &mut [f32]) {
    let ((first, _), (column, columns)) = (place.rows, place.columns);
    let (mut scale, mut bias) = ([1f32; WIDTH], [0f32; WIDTH]);
    if let Some(values) = finish.scale {
        scale[..columns].copy_from_slice(&values[column..][..columns]);
    }
    if let Some(values) = finish.bias {
        bias[..columns].copy_from_slice(&values[column..][..columns]);
    }
    if finish.scale.is_some() || finish.bias.is_some() {
        affine(sums, &scale, &bias);
    }
    if let Some((side, stride)) = finish.side {
        for (row, sums) in sums.chunks_exact_mut(WIDTH).enumerate() {
            let side = &side[(first + row) * stride + column..][..columns];
            sums.iter_mut().zip(side).for_each(|(sum, &side)| *sum += side);
        }
    }
    finish.end(sums);
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn affine(sums: &mut [f32], scale: &[f32; WIDTH], bias: &[f32; WIDTH]) {
    for line in sums.as_chunks_mut::<WIDTH>().0 {
        for (sum, (&scale, &bias)) in line.iter_mut().zip(scale.iter().zip(bias)) {
            *sum = *sum * scale + bias;
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn round_bf16(sums: &[f32], out: &mut [u16]) {
    sums.iter().zip(out).for_each(|(&sum, out)| *out = single_to_bf16(sum));
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn round_f16(sums: &[f32], out: &mut [u16]) {
    sums.iter().zip(out).for_each(|(&sum, out)| *out = single_to_f16(sum));
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::Threads;

    fn value(i: usize) -> f32 {
        ((i * 7 + 3) % 11) as f32 - 5.0
    }

    fn bits(count: usize, shift: usize) -> Vec<u16> {
        (0..count).map(|i| bf16::from_f32(value(i + shift)).to_bits()).collect()
    }

    /// Whole numbers, whose sums are exact in any order.
    fn expected(rows: usize, depth: usize, columns: usize, side: bool) -> Vec<u16> {
        let element = |i: usize| {
            let (row, column) = (i / columns, i % columns);
            let sum: f32 = (0..depth).map(|k| value(row * depth + k) * value(k * columns + column + 5)).sum();
            let sum = sum + value(column) + if side { value(i + 2) } else { 0.0 };
            bf16::from_f32(sum.max(0.0)).to_bits()
        };
        (0..rows * columns).map(element).collect()
    }

    #[test]
    fn every_way_agrees_with_the_definition() {
        let sizes =
            [(1, 1, 1), (1, 1031, 100), (1, 0, 3), (5, 70, 300), (17, 9, 40), (33, 1024, 65), (130, 52, 31), (0, 3, 4)];
        for way in ways::bf16() {
            for (rows, depth, columns) in sizes {
                let (x, y) = (bits(rows * depth, 0), bits(depth * columns, 5));
                let bias: Vec<f32> = (0..columns).map(value).collect();
                let side: Vec<f32> = (0..rows * columns).map(|i| value(i + 2)).collect();
                let bounds = Some((0.0, f32::INFINITY));
                let right = Matrix::row_major(&y, depth, columns);
                let panels = HalfPanels::new(&Threads(2), way, right).unwrap();
                for side in [None, Some((&*side, columns))] {
                    let finish = Finish { bias: Some(&bias), side, bounds, ..Finish::default() };
                    let expected = expected(rows, depth, columns, side.is_some());
                    for threads in [1, 2, 3] {
                        let mut out = vec![7; rows * columns];
                        let left = Matrix::row_major(&x, rows, depth);
                        let env = Threads(threads);
                        multiply(&env, HalfFormat::BFloat16, (&left, rows), &panels, finish, &mut out).unwrap();
                        assert_eq!(out, expected, "{way:?}: {rows}x{depth}x{columns} with {threads} threads");
                    }
                }
            }
        }
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let (rows, depth, columns) = (150, 333, 70);
        let numbers = |count: usize| -> Vec<u16> {
            (0..count).map(|i| bf16::from_f32(((i * 7919 + 13) % 1000) as f32 / 499.0 - 1.0).to_bits()).collect()
        };
        let (x, y) = (numbers(rows * depth), numbers(depth * columns));
        for way in ways::bf16() {
            let panels = HalfPanels::new(&Threads(1), way, Matrix::row_major(&y, depth, columns)).unwrap();
            let product = |threads: usize, rows: usize| {
                let mut out = vec![0; rows * columns];
                let left = Matrix::row_major(&x, rows, depth);
                let env = Threads(threads);
                multiply(&env, HalfFormat::BFloat16, (&left, rows), &panels, Finish::default(), &mut out).unwrap();
                out
            };
            for rows in [1, 2, 13, rows] {
                assert!((2..6).all(|threads| product(threads, rows) == product(1, rows)), "{way:?}, {rows} rows");
            }
        }
    }

    #[test]
    fn both_sides_may_be_transposed() {
        let (rows, depth, columns) = (14, 35, 45);
        let turned = |values: &[u16], rows: usize, columns: usize| -> Vec<u16> {
            (0..rows * columns).map(|i| values[i % rows * columns + i / rows]).collect()
        };
        let (x, y) = (bits(rows * depth, 0), bits(depth * columns, 5));
        let (x, y) = (turned(&x, rows, depth), turned(&y, depth, columns));
        let left = Matrix::row_major(&x, depth, rows).transposed(true);
        let right = Matrix::row_major(&y, columns, depth).transposed(true);
        let bias: Vec<f32> = (0..columns).map(value).collect();
        let finish = Finish { bias: Some(&bias), bounds: Some((0.0, f32::INFINITY)), ..Finish::default() };
        let mut out = vec![7; rows * columns];
        multiply_matrices(&Threads(1), HalfFormat::BFloat16, (left, right), finish, &mut out).unwrap();
        assert_eq!(out, expected(rows, depth, columns, false));
    }

    #[test]
    fn infinite_and_missing_numbers_spread_no_further() {
        let numbers = |values: &[f32]| -> Vec<u16> { values.iter().map(|&v| bf16::from_f32(v).to_bits()).collect() };
        let x = numbers(&[1.0, 2.0, 3.0, f32::INFINITY, f32::NAN, 1.0]);
        let y = numbers(&[1.0, 0.5, 2.0]);
        for way in ways::bf16() {
            let panels = HalfPanels::new(&Threads(1), way, Matrix::row_major(&y, 3, 1)).unwrap();
            let (mut out, left) = ([0; 2], Matrix::row_major(&x, 2, 3));
            let format = HalfFormat::BFloat16;
            multiply(&Threads(1), format, (&left, 2), &panels, Finish::default(), &mut out).unwrap();
            assert_eq!(bf16::from_bits(out[0]).to_f32(), 8.0, "{way:?}");
            assert!(bf16::from_bits(out[1]).is_nan(), "{way:?}");
        }
    }
}
