//! Convolutions as products of patches with the filter.

use oplink::{KernelEnv, Result};

use super::constant_filter::KnownFilter;
use super::depthwise::{self, Depthwise, DepthwiseFinish};
use super::direct;
use super::geometry::Geometry;
use super::lines;
use super::patches::{Patches, compute_groups};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::panels::Product;
use oplink_cpu_contraction::tile::{Operands, TileElement};

/// Convolves an image given in its compute type; `known` is what is known of the filter.
/// Scale, bias and side of `finish` are those of all output channels.
pub(super) fn convolve<L: TileElement>(
    env: &dyn KernelEnv,
    geometry: &Geometry,
    operands: Operands<'_, L>,
    known: KnownFilter<'_>,
) -> Result<()> {
    if operands.out.is_empty() {
        return Ok(());
    }
    let geometry = &geometry.of_pictures();
    let channelwise = channelwise(geometry, &operands.finish);
    if channelwise.is_none() && !direct::fits(geometry, known) {
        return from_patches(env, geometry, operands);
    }
    match (L::single(operands), channelwise) {
        (Ok(operands), Some(channelwise)) if operands.filter.iter().all(|weight| weight.is_finite()) => {
            let Operands { image, filter, finish: Finish { bias, bounds, activation, .. }, out } = operands;
            let finish = DepthwiseFinish { bias, bounds, activation };
            depthwise::convolve(env, &channelwise, (image, filter), finish, out);
            Ok(())
        }
        // Zeros around the image times an infinite weight are NaN; depthwise convolutions read past them.
        (Ok(operands), Some(_)) => from_patches(env, geometry, operands),
        (Ok(operands), None) => direct::convolve(env, geometry, operands, known),
        (Err(operands), _) => from_patches(env, geometry, operands),
    }
}

/// Convolves an image by products of its patches, or of its lines.
fn from_patches<L: TileElement>(env: &dyn KernelEnv, geometry: &Geometry, operands: Operands<'_, L>) -> Result<()> {
    let Operands { image, filter, finish, out } = operands;
    if lines::fits(geometry) {
        return lines::convolve(env, geometry, (image, filter), finish, out);
    }
    let (patch, out_depth, group_out) = (geometry.patch(), geometry.out_depth, geometry.group_out());
    let patches: Vec<_> = (0..geometry.groups).map(|group| Patches { geometry, image, group }).collect();
    let products = patches.iter().enumerate().map(|(group, rows)| {
        let right = Matrix::strided(&filter[group * group_out..], (patch, group_out), (out_depth, 1));
        Product { rows, right, finish: finish.at_column(group * group_out) }
    });
    compute_groups(env, &products.collect::<Vec<_>>(), out_depth, out)
}

/// The depthwise convolution that one of images with a group for each channel is: filters of both have the same
/// elements in the same order.
fn channelwise<L>(g: &Geometry, finish: &Finish<'_, L>) -> Option<Depthwise> {
    let [planes, rows, columns] = g.axes;
    let fits = planes.is_identity() && g.groups > 1 && g.groups == g.depth && g.out_depth.is_multiple_of(g.depth);
    (fits && finish.scale.is_none() && finish.side.is_none()).then(|| {
        let multiplier = g.out_depth / g.depth;
        Depthwise { batch: g.batch, rows, columns, depth: g.depth, multiplier }
    })
}
