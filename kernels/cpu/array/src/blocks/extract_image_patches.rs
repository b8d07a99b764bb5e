//! `ExtractImagePatches`: the windows of images, each as one row of channels.
//!
//! `images` is [batch, rows, columns, channels]. The attrs `ksizes`, `strides` and `rates` are [1, rows, columns, 1]:
//! the size of a window, the steps between windows and those between the pixels of a window. `patches` is [batch,
//! window rows, window columns, size of a window * channels], pixels row by row, zeros beside the image, which padding
//! `SAME` allows.

use oplink::prelude::*;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::array::{ExtractImagePatches, ExtractImagePatchesAttrs, Windows, patch_depth, spatial};
use oplink_ops::attrs::Padding;

/// Fewest elements that are worth a thread.
const GRAIN: usize = 1 << 14;

/// `ExtractImagePatches` of numbers.
#[kernel(ExtractImagePatches, device = CPU, T = [numbers])]
pub fn extract_image_patches_cpu(
    images: &Tensor,
    attrs: ExtractImagePatchesAttrs<'_>,
    mut patches: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[batch, rows, columns, channels] = images.shape().dims() else {
        bail!("images must have rank 4, their shape is {}", images.shape())
    };
    let (sizes, strides) = (spatial(attrs.ksizes, "ksizes")?, spatial(attrs.strides, "strides")?);
    let rates = spatial(attrs.rates, "rates")?;
    let same = attrs.padding == Padding::Same;
    let windows = |axis: usize, extent: usize| Windows::new(extent, sizes[axis], strides[axis], rates[axis], same);
    let windows = [windows(0, rows)?, windows(1, columns)?];
    let out = patches.allocate([batch, windows[0].count, windows[1].count, patch_depth(sizes, channels)?])?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    with_cells(out.dtype(), Extract { env, images, out, windows, channels })
}

struct Extract<'a> {
    env: Env<'a>,
    images: &'a Tensor,
    out: &'a mut Tensor,
    windows: [Windows; 2],
    channels: usize,
}

impl CellJob for Extract<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let ([rows, columns], channels) = (self.windows, self.channels);
        let images = C::of(self.images)?;
        let width = rows.size * columns.size * channels;
        let watched = GRAIN.div_ceil(channels.max(1));
        for_each_row(&self.env, C::of_mut(self.out)?, width, GRAIN, &|number, patch: &mut [C]| {
            let (column, rest) = (number % columns.count, number / columns.count);
            let (row, image) = (rest % rows.count, rest / rows.count);
            for (pixel, out) in patch.chunks_exact_mut(channels).enumerate() {
                if pixel % watched == 0 {
                    self.env.poll();
                }
                let at = rows.pixel(row, pixel / columns.size).zip(columns.pixel(column, pixel % columns.size));
                match at {
                    Some((y, x)) => {
                        let start = ((image * rows.extent + y) * columns.extent + x) * channels;
                        out.clone_from_slice(&images[start..][..channels]);
                    }
                    None => out.fill(C::default()),
                }
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn patches(sizes: [i64; 4], strides: [i64; 4], rates: [i64; 4], padding: &str) -> Result<(Vec<usize>, Vec<i32>)> {
        let image = Tensor::from_vec([1, 3, 3, 1], (1..=9).collect::<Vec<i32>>())?;
        let attrs = [
            ("ksizes", sizes.to_vec().into()),
            ("strides", strides.to_vec().into()),
            ("rates", rates.to_vec().into()),
            ("padding", padding.into()),
        ];
        let out = run("ExtractImagePatches", &attrs, vec![image])?.remove(0);
        Ok((out.shape().to_vec(), out.as_slice::<i32>()?.to_vec()))
    }

    #[test]
    fn windows_as_rows() {
        let (one, two) = ([1; 4], [1, 2, 2, 1]);
        assert_eq!(patches(two, two, one, "VALID").unwrap(), (vec![1, 1, 1, 4], vec![1, 2, 4, 5]));
        let same = vec![1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 0];
        assert_eq!(patches(two, two, one, "SAME").unwrap(), (vec![1, 2, 2, 4], same));
        assert_eq!(patches(two, one, two, "VALID").unwrap(), (vec![1, 1, 1, 4], vec![1, 3, 7, 9]));
        assert_eq!(patches([1, 4, 1, 1], one, one, "VALID").unwrap().0, [1, 0, 3, 4]);
        assert_eq!(patches([2, 1, 1, 1], one, one, "VALID").unwrap_err().code(), Code::Unimplemented);
        assert_eq!(patches(one, [1, 0, 1, 1], one, "VALID").unwrap_err().code(), Code::OutOfRange);
        assert!(patches([1, 5, 1, 1], one, one, "VALID").is_err());
        let too_large = |rates| patches([1, 3, i64::MAX - 1, 1], one, rates, "SAME").unwrap_err().code();
        assert_eq!((too_large(one), too_large([1, 1, 2, 1])), (Code::InvalidArgument, Code::InvalidArgument));
    }
}
