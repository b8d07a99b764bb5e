//! Convolutions of 16-bit floats as products of patches, where the processor multiplies such numbers itself.

use oplink::{Element, KernelEnv, Result, Tensor};

use super::constant_filter::{ConstantFilter, KnownFilter};
use super::geometry::{Geometry, gather};
use super::patches::Patches;
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::dot::Rows;
use oplink_cpu_contraction::dot::halves::{self, HalfFormat, HalfPanels};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_support::elementwise::Computed;

/// Output pixels for which it pays to bring a filter that is not constant into panels.
const MIN_PIXELS: usize = 16;

impl Rows<u16> for Patches<'_, u16> {
    fn in_place(&self) -> Option<(&[u16], usize)> {
        self.geometry.is_pointwise().then_some((self.image, self.geometry.depth))
    }

    fn copy(&self, first: usize, count: usize, to: &mut [u16], stride: usize) {
        gather(self.geometry, self.image, self.group, (first, count), (0, self.geometry.patch()), (to, stride));
    }
}

/// The format of the elements of `input`, where a convolution of them is computed here.
pub(super) fn format(input: &Tensor, g: &Geometry, known: KnownFilter<'_>) -> Option<HalfFormat> {
    let fits = |format: &HalfFormat| halves::is_native(*format) && halves::fits(*format, g.patch());
    let pays = HAS_GEMM && g.groups == 1 && (known.constant.is_some() || g.pixels() >= MIN_PIXELS);
    // Winograd's algorithm in single precision has fewer products than an instruction of vector registers saves.
    let transformed = || known.constant.is_some() && known.is_transformed(&g.of_pictures());
    let saves = |format: &HalfFormat| halves::is_much_faster(*format) || !transformed();
    HalfFormat::of(input.dtype()).filter(|format| pays && fits(format) && saves(format))
}

/// The elements in single precision, in the environment's memory.
pub(super) fn widened<T: Computed>(env: &dyn KernelEnv, tensor: &Tensor) -> Result<Tensor> {
    let mut wide = Tensor::allocate(T::ComputeType::DTYPE, tensor.shape().clone(), env.allocator())?;
    T::widen(tensor.as_slice::<T>()?, wide.as_mut_slice()?);
    Ok(wide)
}

/// Convolves an image of a format; `constant` is the filter, where it is known to be one.
pub(super) fn convolve(
    env: &dyn KernelEnv,
    g: &Geometry,
    format: HalfFormat,
    (input, filter): (&Tensor, &Tensor),
    constant: Option<&ConstantFilter>,
    finish: Finish<'_, f32>,
    output: &mut Tensor,
) -> Result<()> {
    if output.num_elements() == 0 {
        return Ok(());
    }
    let geometry = &g.of_pictures();
    let (way, extents) = (halves::way(format), (geometry.patch(), geometry.out_depth));
    let made;
    let panels = match constant {
        Some(constant) => constant.halves(|filter| {
            HalfPanels::lasting(env, way, Matrix::row_major(format.bits(filter)?, extents.0, extents.1))
        })?,
        None => {
            made = HalfPanels::new(env, way, Matrix::row_major(format.bits(filter)?, extents.0, extents.1))?;
            &made
        }
    };
    let patches = Patches { geometry, image: format.bits(input)?, group: 0 };
    halves::multiply(env, format, (&patches, geometry.pixels()), panels, finish, format.bits_mut(output)?)
}
