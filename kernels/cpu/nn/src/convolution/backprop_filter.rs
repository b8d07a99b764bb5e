//! The gradient of a convolution with respect to the filter: patches, turned, times the gradient of the output.

use oplink::{KernelEnv, prelude::*};

use super::constant_filter::KnownFilter;
use super::direct;
use super::geometry::Geometry;
use super::patches::{PatchElements, Patches, compute_groups};
use super::sizes::{check_gradient, shape_of};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::panels::Product;
use oplink_cpu_contraction::tile::{Operands, TileElement};
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::window::Window;

/// Sets `output` to the gradient with respect to a filter, of `[input, filter_sizes, out_backprop]`, perhaps by
/// Winograd's algorithm.
pub(super) fn compute<T: Computed<ComputeType: TileElement>>(
    (window, winograd): (&Window, bool),
    [input, sizes, gradient]: [&Tensor; 3],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let filter = shape_of(sizes, "filter_sizes")?;
    ensure!(
        filter.rank() == input.rank(),
        "filter_sizes {filter} must have as many elements as the input {} has dimensions",
        input.shape()
    );
    if filter.num_elements() == 0 {
        output.allocate(filter)?;
        return Ok(());
    }
    let geometry = Geometry::new(window, input.shape(), &filter)?;
    check_gradient(&geometry, gradient)?;
    if gradient.num_elements() == 0 {
        output.set(Tensor::zeros(input.dtype(), filter)?);
        return Ok(());
    }
    let (image, gradient) = (computed_of(input.as_slice::<T>()?), computed_of(gradient.as_slice::<T>()?));
    let output = output.allocate(filter)?;
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        multiply(env, (&geometry.of_pictures(), winograd), (&image, &gradient), out)
    })
}

fn multiply<'a, L: TileElement>(
    env: &dyn KernelEnv,
    (geometry, winograd): (&Geometry, bool),
    (image, gradient): (&'a [L], &'a [L]),
    mut out: &'a mut [L],
) -> Result<()> {
    let known = KnownFilter::unknown();
    if direct::fits(geometry, known) {
        // The gradient of the output takes the filter's place.
        let operands = Operands { image, filter: gradient, finish: Finish::default(), out };
        out = match L::single(operands) {
            Ok(Operands { image, filter: gradient, out, .. }) => {
                return direct::filter_gradient(env, (geometry, winograd), (image, gradient), out);
            }
            Err(operands) => operands.out,
        };
    }
    let (out_depth, group_out) = (geometry.out_depth, geometry.group_out());
    let elements: Vec<_> =
        (0..geometry.groups).map(|group| PatchElements(Patches { geometry, image, group })).collect();
    let products = elements.iter().enumerate().map(|(group, rows)| {
        let extents = (geometry.pixels(), group_out);
        let right = Matrix::strided(gradient.get(group * group_out..).unwrap_or_default(), extents, (out_depth, 1));
        Product { rows, right, finish: Finish::default() }
    });
    compute_groups(env, &products.collect::<Vec<_>>(), out_depth, out)
}
