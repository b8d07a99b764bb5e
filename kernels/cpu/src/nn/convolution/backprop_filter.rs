//! The gradient of a convolution with respect to the filter: patches, turned, times the gradient of the output.

use oplink::{KernelEnv, prelude::*};

use super::geometry::Geometry;
use super::patches::{PatchElements, Patches, compute_groups};
use super::sizes::{check_gradient, shape_of};
use crate::numeric::finish::Finish;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::numeric::matrix::Matrix;
use crate::numeric::panels::Product;
use crate::numeric::tile::TileLane;
use crate::support::elementwise::Lanes;
use crate::support::window::Window;

/// Sets output 0 to the gradient with respect to a filter whose shape input 1 holds; input 0 is the image, input 2 the
/// gradient of the output.
pub(super) fn compute<T: Lanes<Lane: TileLane>>(context: &mut KernelContext<'_>, window: &Window) -> Result<()> {
    let (input, gradient) = (context.input(0), context.input(2));
    let filter = shape_of(context.input(1), "filter_sizes")?;
    ensure!(
        filter.rank() == input.rank(),
        "filter_sizes {filter} must have as many elements as the input {} has dimensions",
        input.shape()
    );
    let mut output = context.allocate_output(0, filter.clone())?;
    if filter.num_elements() == 0 {
        context.set_output(0, output);
        return Ok(());
    }
    let geometry = Geometry::new(window, input.shape(), &filter)?;
    check_gradient(&geometry, gradient)?;
    if gradient.num_elements() == 0 {
        context.set_output(0, Tensor::zeros(input.dtype(), filter)?);
        return Ok(());
    }
    let (image, gradient) = (lanes_of(input.as_slice::<T>()?), lanes_of(gradient.as_slice::<T>()?));
    fill_lanes(output.as_mut_slice::<T>()?, |out| multiply(context.env(), &geometry, (&image, &gradient), out))?;
    context.set_output(0, output);
    Ok(())
}

fn multiply<L: TileLane>(
    env: &dyn KernelEnv,
    geometry: &Geometry,
    (image, gradient): (&[L], &[L]),
    out: &mut [L],
) -> Result<()> {
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
