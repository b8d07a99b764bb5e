//! `DrawBoundingBoxes` and `DrawBoundingBoxesV2`.

use oplink::prelude::*;
use oplink_ops::image::{DrawBoundingBoxes, DrawBoundingBoxesV2};

use crate::pixel::Pixel;

/// Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia.
const COLORS: [[f32; 4]; 10] = [
    [1.0, 1.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 1.0],
    [1.0, 0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0, 1.0],
    [0.5, 0.0, 0.5, 1.0],
    [0.5, 0.5, 0.0, 1.0],
    [0.5, 0.0, 0.0, 1.0],
    [0.0, 0.0, 0.5, 1.0],
    [0.0, 1.0, 1.0, 1.0],
    [1.0, 0.0, 1.0, 1.0],
];

/// `DrawBoundingBoxes` of every dtype.
#[kernel(DrawBoundingBoxes, device = CPU, T = [f16, f32])]
pub fn draw_bounding_boxes_cpu<T: Pixel>(
    images: Input<'_>,
    boxes: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw::<T>(images, boxes, None, &mut output, env)
}

/// `DrawBoundingBoxesV2` of every dtype.
#[kernel(DrawBoundingBoxesV2, device = CPU, T = [f16, f32])]
pub fn draw_bounding_boxes_v2_cpu<T: Pixel>(
    images: Input<'_>,
    boxes: &Tensor,
    colors: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw::<T>(images, boxes, Some(colors), &mut output, env)
}

/// An image's extents [rows, columns, channels].
type Image = [usize; 3];

fn draw<T: Pixel>(
    images: Input<'_>,
    boxes: &Tensor,
    colors: Option<&Tensor>,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (&[batch, rows, columns, channels], &[box_batch, count, 4]) = (images.shape().dims(), boxes.shape().dims())
    else {
        bail!(
            "images must be of rank 4 and boxes of shape [batch, count, 4], their shapes are {} and {}",
            images.shape(),
            boxes.shape()
        )
    };
    ensure!(batch == box_batch, "there are {batch} images, and boxes for {box_batch}");
    ensure!(matches!(channels, 1 | 3 | 4), "images must have 1, 3 or 4 channels, they have {channels}");
    let given = colors.map(|colors| given_colors(colors, channels)).transpose()?.unwrap_or_default();
    let color = |at: usize, channel: usize| match given.len() {
        0 if channels == 1 => 1.0,
        0 => COLORS[at % COLORS.len()][channel],
        _ => given[at % given.len()][channel],
    };
    let out = output.forward_or_copy(images)?.as_mut_slice::<T>()?;
    if out.is_empty() {
        return Ok(());
    }
    let corners = boxes.as_slice::<f32>()?.as_chunks::<4>().0;
    for (image, boxes) in out.chunks_exact_mut(rows * columns * channels).zip(corners.chunks(count.max(1))) {
        for (at, corners) in env.watch(boxes).enumerate() {
            draw_one(image, [rows, columns, channels], corners, |channel| T::from_single(color(at, channel)));
        }
    }
    Ok(())
}

fn given_colors(colors: &Tensor, channels: usize) -> Result<Vec<&[f32]>> {
    let &[_, width] = colors.shape().dims() else { bail!("colors must be a matrix, its shape is {}", colors.shape()) };
    ensure!(width >= channels, "colors must have {channels} columns at least, as images have channels, it has {width}");
    Ok(colors.as_slice::<f32>()?.chunks_exact(width).collect())
}

fn draw_one<T: Pixel>(image: &mut [T], extents: Image, corners: &[f32; 4], color: impl Fn(usize) -> T) {
    let [rows, columns, channels] = extents;
    // Towards zero: a box that starts less than a pixel outside starts at the edge.
    let place = |part: f32, extent: usize| (part * (extent as i64 - 1) as f32) as i64;
    let (top, bottom) = (place(corners[0], rows), place(corners[2], rows));
    let (left, right) = (place(corners[1], columns), place(corners[3], columns));
    let (height, width) = (rows as i64, columns as i64);
    let outside = top >= height || bottom < 0 || left >= width || right < 0;
    if top > bottom || left > right || outside {
        return;
    }
    let mut paint = |row: i64, column: i64| {
        let pixel = &mut image[(row as usize * columns + column as usize) * channels..][..channels];
        pixel.iter_mut().enumerate().for_each(|(channel, value)| *value = color(channel));
    };
    for row in [top, bottom].into_iter().filter(|row| (0..height).contains(row)) {
        (left.max(0)..=right.min(width - 1)).for_each(|column| paint(row, column));
    }
    for column in [left, right].into_iter().filter(|column| (0..width).contains(column)) {
        (top.max(0)..=bottom.min(height - 1)).for_each(|row| paint(row, column));
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn lines_around_the_inside() {
        let image = Tensor::from_vec([1, 3, 4, 1], vec![0f32; 12]).unwrap();
        let boxes = Tensor::from_vec([1, 2, 4], vec![0.0, 0.0, 1.0, 0.7, 0.9, 0.0, 0.1, 1.0f32]).unwrap();
        let (o, i) = (0.0, 1.0f32);
        let expected = Tensor::from_vec([1, 3, 4, 1], vec![i, i, i, o, i, o, i, o, i, i, i, o]).unwrap();
        check("DrawBoundingBoxes", [image.clone(), boxes.clone()], expected);
        let color = Tensor::from_vec([1, 2], vec![5f32, 6.0]).unwrap();
        let o = |value| if value == 1 { 5.0 } else { 0.0f32 };
        let expected = [1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0].map(o).to_vec();
        check("DrawBoundingBoxesV2", [image.clone(), boxes, color], Tensor::from_vec([1, 3, 4, 1], expected).unwrap());
        let flat = Tensor::from_vec([1, 4], vec![0f32; 4]).unwrap();
        check_error("DrawBoundingBoxes", [image, flat], "boxes of shape");
    }
}
