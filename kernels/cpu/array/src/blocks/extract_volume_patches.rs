//! `ExtractVolumePatches`: the windows of volumes, each as one row of channels.

use oplink::prelude::*;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::array::{ExtractVolumePatches, Windows, volume, volume_depth};
use oplink_ops::attrs::Padding;

/// Fewest elements that are worth a thread.
const GRAIN: usize = 1 << 14;

/// `ExtractVolumePatches` of real numbers.
#[kernel(ExtractVolumePatches, device = CPU, T = [reals])]
pub fn extract_volume_patches_cpu(
    input: &Tensor,
    ksizes: &[i64],
    strides: &[i64],
    padding: Padding,
    mut patches: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[batch, planes, rows, columns, channels] = input.shape().dims() else {
        bail!("input must have rank 5, its shape is {}", input.shape())
    };
    let (sizes, strides) = (volume(ksizes, "ksizes")?, volume(strides, "strides")?);
    let same = padding == Padding::Same;
    let windows = |axis: usize, extent: usize| Windows::new(extent, sizes[axis], strides[axis], 1, same);
    let windows = [windows(0, planes)?, windows(1, rows)?, windows(2, columns)?];
    let [z, y, x] = windows.map(|windows| windows.count);
    let out = patches.allocate([batch, z, y, x, volume_depth(sizes, channels)?])?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    // Windows that are farther apart than they are wide begin inside the volume.
    let inside = windows.map(|axis| {
        let needed = (axis.count - 1) * axis.stride + axis.size;
        if same { axis.extent.saturating_sub(needed) / 2 } else { 0 }
    });
    with_cells(out.dtype(), Extract { env, input, out, windows, inside, channels })
}

struct Extract<'a> {
    env: Env<'a>,
    input: &'a Tensor,
    out: &'a mut Tensor,
    windows: [Windows; 3],
    inside: [usize; 3],
    channels: usize,
}

impl CellJob for Extract<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (windows, channels) = (self.windows, self.channels);
        let input = C::of(self.input)?;
        let width = windows.iter().map(|axis| axis.size).product::<usize>() * channels;
        let watched = GRAIN.div_ceil(channels.max(1));
        for_each_row(&self.env, C::of_mut(self.out)?, width, GRAIN, &|number, patch: &mut [C]| {
            for (pixel, out) in patch.chunks_exact_mut(channels).enumerate() {
                if pixel % watched == 0 {
                    self.env.poll();
                }
                match place(&windows, self.inside, number, pixel) {
                    Some(place) => out.clone_from_slice(&input[place * channels..][..channels]),
                    None => out.fill(C::default()),
                }
            }
        });
        Ok(())
    }
}

/// The pixel of the input that a pixel of a window is, counted through all volumes; `None` beside the volume.
fn place(windows: &[Windows; 3], inside: [usize; 3], mut window: usize, mut pixel: usize) -> Option<usize> {
    let (mut at, mut width) = (0, 1);
    for (axis, inside) in windows.iter().zip(inside).rev() {
        let own = axis.pixel(window % axis.count, pixel % axis.size)? + inside;
        if own >= axis.extent {
            return None;
        }
        at += own * width;
        (window, pixel, width) = (window / axis.count, pixel / axis.size, width * axis.extent);
    }
    Some(window * width + at)
}
