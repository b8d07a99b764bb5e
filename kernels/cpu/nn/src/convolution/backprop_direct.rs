//! The gradient of a convolution of `f32` images with respect to its input, as a convolution of the output's gradient.
//!
//! Where the window moves by one, an input pixel sees the outputs around it through the filter with its taps in reverse
//! order and its channels exchanged. A window of one tap that moves further gives the pixels it sees, all others are
//! zero.

use oplink::{DType, KernelEnv, Result, Shape, Tensor};

use super::constant_filter::KnownFilter;
use super::direct;
use super::geometry::Geometry;
use oplink_cpu_contraction::direct::PackedFilter;
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::tile::Operands;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::window::Axis;

/// Elements that one thread should at least copy.
const GRAIN: usize = 1 << 14;

/// A convolution of the output's gradient.
pub(super) struct Transposed<'a> {
    /// The convolution whose gradient is wanted.
    of: &'a Geometry,
    /// The convolution that gives it, at the pixels that are not zero.
    geometry: Geometry,
}

impl<'a> Transposed<'a> {
    /// For the gradient of a convolution, where there is one.
    pub(super) fn new(of: &'a Geometry) -> Option<Self> {
        let is_one_tap = of.axes.iter().all(|axis| axis.window == 1 && axis.before == 0);
        let [planes, rows, columns] = of.axes;
        let axes = if is_one_tap {
            [planes, rows, columns].map(|axis| Axis { input: axis.output, stride: 1, ..axis })
        } else {
            [planes, transposed(rows)?, transposed(columns)?]
        };
        let geometry = Geometry { axes, depth: of.out_depth, out_depth: of.depth, ..*of };
        let known = KnownFilter::unknown();
        (planes.is_identity() && direct::fits(&geometry, known)).then_some(Self { of, geometry })
    }

    /// Computes the gradient of the input: `operands` are the output's gradient, the filter, and the result.
    pub(super) fn compute(&self, env: &dyn KernelEnv, operands: Operands<'_, f32>, winograd: bool) -> Result<()> {
        let Operands { image, filter, finish, out } = operands;
        let is_strided = self.geometry.axes.iter().zip(&self.of.axes).any(|(own, of)| own.output != of.input);
        if !is_strided {
            return self.convolve(env, (image, filter), winograd, finish, out);
        }
        let length = self.geometry.pixels() * self.of.depth;
        let mut seen = Tensor::allocate(DType::Float, Shape::new(&[length]), env.allocator())?;
        self.convolve(env, (image, filter), winograd, finish, seen.as_mut_slice()?)?;
        self.spread(env, seen.as_slice()?, out);
        Ok(())
    }

    fn convolve(
        &self,
        env: &dyn KernelEnv,
        (image, filter): (&[f32], &[f32]),
        winograd: bool,
        finish: Finish<'_, f32>,
        out: &mut [f32],
    ) -> Result<()> {
        let g = &self.geometry;
        // The taps in reverse order, input channels of the gradient's convolution by output channels.
        let taps: Vec<Matrix<'_, f32>> = filter
            .rchunks_exact(g.depth * g.out_depth)
            .map(|tap| Matrix::row_major(tap, g.out_depth, g.depth).transposed(true))
            .collect();
        if winograd && direct::suits_winograd(g) {
            return direct::winograd_once(g, image, &taps, finish).compute(env, out);
        }
        direct::multiply(env, g, image, &PackedFilter::of_taps(env, &taps)?, finish, out)
    }

    /// Copies the pixels that a window of one tap sees to where they are in the image, with zeros between them.
    fn spread(&self, env: &dyn KernelEnv, seen: &[f32], out: &mut [f32]) {
        let (depth, [_, rows, columns]) = (self.of.depth, self.of.axes);
        for_each_row(env, out, columns.input * depth, GRAIN, &|line, out| {
            let (picture, row) = (line / rows.input, line % rows.input);
            out.fill(0.0);
            if !row.is_multiple_of(rows.stride) || row / rows.stride >= rows.output {
                return;
            }
            let seen = &seen[(picture * rows.output + row / rows.stride) * columns.output * depth..];
            let pixels = out.chunks_exact_mut(depth).step_by(columns.stride).zip(seen.chunks_exact(depth));
            pixels.take(columns.output).for_each(|(to, from)| to.copy_from_slice(from));
        });
    }
}

/// The axis along which an input sees the outputs around it.
fn transposed(axis: Axis) -> Option<Axis> {
    let before = ((axis.window - 1) * axis.dilation).checked_sub(axis.before)?;
    (axis.stride == 1).then_some(Axis { input: axis.output, output: axis.input, before, ..axis })
}
