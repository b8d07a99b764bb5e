//! `ExtractImagePatches`: the windows of images, each as one row of channels.
//!
//! `images` is [batch, rows, columns, channels]. The attrs `ksizes`, `strides` and `rates` are [1, rows, columns, 1]: the
//! size of a window, the steps between windows and those between the pixels of a window. `patches` is
//! [batch, window rows, window columns, size of a window * channels], pixels row by row, zeros beside the image, which
//! padding `SAME` allows.

use oplink::prelude::*;

use crate::support::movement::{Cell, CellJob, with_cells};
use crate::support::parallel::for_each_row;

/// Fewest elements that are worth a thread's while.
const GRAIN: usize = 1 << 14;

/// The windows of `images`, each as one row of channels.
#[op(
    "ExtractImagePatches",
    input = "images: T",
    output = "patches: T",
    attr = "ksizes: list(int) >= 4",
    attr = "strides: list(int) >= 4",
    attr = "rates: list(int) >= 4",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128, bool}",
    attr = "padding: {'SAME', 'VALID'}"
)]
pub fn extract_image_patches(c: &mut ShapeContext<'_>) -> Result<()> {
    let images = c.with_rank(0, 4)?;
    let read = |name| spatial(c.attr(name)?, name);
    let (sizes, strides, rates) = (read("ksizes")?, read("strides")?, read("rates")?);
    let same = c.attr::<&str>("padding")? == "SAME";
    let extent = |axis: usize| {
        let at = axis - 1;
        let windows = images.dim(axis).map(|extent| Windows::new(extent, sizes[at], strides[at], rates[at], same));
        windows.transpose().map(|windows| windows.map(|windows| windows.count))
    };
    let depth = images.dim(3).map(|channels| channels * sizes[0] * sizes[1]);
    let (rows, columns) = extent(1)?.zip(extent(2)?).unzip();
    let shape = PartialShape::new(&[images.dim(0), rows, columns, depth]);
    c.set_output(0, shape);
    Ok(())
}

/// The two numbers for rows and columns of an attr; those for batch and channels are 1.
fn spatial(values: &[i64], name: &str) -> Result<[usize; 2]> {
    let [batch, rows, columns, channels, ..] = values else { bail!("{name} must have 4 elements, it is {values:?}") };
    if (*batch, *channels) != (1, 1) {
        return Err(Error::unimplemented(format!("{name} {values:?} must be 1 for batch and channels")));
    }
    match (usize::try_from(*rows), usize::try_from(*columns)) {
        (Ok(rows @ 1..), Ok(columns @ 1..)) => Ok([rows, columns]),
        _ => Err(Error::out_of_range(format!("{name} {values:?} must be > 0"))),
    }
}

/// `ExtractImagePatches` of numbers.
#[kernel(ExtractImagePatches, device = CPU, T = [numbers])]
pub fn extract_image_patches_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let images = context.input(0);
    let &[batch, rows, columns, channels] = images.shape().dims() else {
        bail!("images must have rank 4, their shape is {}", images.shape())
    };
    let read = |name| spatial(context.attr(name)?, name);
    let (sizes, strides, rates) = (read("ksizes")?, read("strides")?, read("rates")?);
    let same = context.attr::<&str>("padding")? == "SAME";
    let windows = |axis: usize, extent: usize| Windows::new(extent, sizes[axis], strides[axis], rates[axis], same);
    let windows = [windows(0, rows)?, windows(1, columns)?];
    let shape = [batch, windows[0].count, windows[1].count, sizes[0] * sizes[1] * channels];
    let mut out = context.allocate_output(0, shape)?;
    if out.num_elements() > 0 {
        with_cells(out.dtype(), Extract { context, out: &mut out, windows, channels })?;
    }
    context.set_output(0, out);
    Ok(())
}

/// The windows inside an extent; none where one would reach beyond it by less than two strides.
fn valid_count(extent: usize, reach: usize, stride: usize) -> Result<usize> {
    match (extent + stride).checked_sub(reach) {
        Some(rest) => Ok(rest / stride),
        None if reach < extent + 2 * stride => Ok(0),
        None => bail!("windows that reach over {reach} pixels do not fit an extent of {extent}"),
    }
}

/// The windows along one axis.
#[derive(Clone, Copy, Debug)]
struct Windows {
    extent: usize,
    size: usize,
    stride: usize,
    rate: usize,
    count: usize,
    before: usize,
}

impl Windows {
    fn new(extent: usize, size: usize, stride: usize, rate: usize, same: bool) -> Result<Self> {
        let Some(reach) = (size - 1).checked_mul(rate).and_then(|reach| reach.checked_add(1)) else {
            bail!("windows of {size} pixels, {rate} apart, are too large")
        };
        let count = if same { extent.div_ceil(stride) } else { valid_count(extent, reach, stride)? };
        let needed = if same && count > 0 { (count - 1) * stride + reach } else { 0 };
        Ok(Self { extent, size, stride, rate, count, before: needed.saturating_sub(extent) / 2 })
    }

    /// The position of a pixel of a window, if it lies in the image.
    fn pixel(&self, window: usize, pixel: usize) -> Option<usize> {
        (window * self.stride + pixel * self.rate).checked_sub(self.before).filter(|&at| at < self.extent)
    }
}

struct Extract<'a> {
    context: &'a KernelContext<'a>,
    out: &'a mut Tensor,
    windows: [Windows; 2],
    channels: usize,
}

impl CellJob for Extract<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let ([rows, columns], channels) = (self.windows, self.channels);
        let images = C::of(self.context.input(0))?;
        let width = rows.size * columns.size * channels;
        for_each_row(self.context.env(), C::of_mut(self.out)?, width, GRAIN, &|number, patch: &mut [C]| {
            let (column, rest) = (number % columns.count, number / columns.count);
            let (row, image) = (rest % rows.count, rest / rows.count);
            for (pixel, out) in patch.chunks_exact_mut(channels).enumerate() {
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
    use crate::support::testing::run;

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
    }
}
