//! `ResizeArea`.

use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::ResizeArea;
use oplink_ops::image::geometry::{Alignment, ResizeExtents};

use super::GRAIN;
use crate::floats::floats;

/// `ResizeArea` of every dtype.
#[kernel(ResizeArea, device = CPU, T = any, host_memory = [size])]
pub fn resize_area_cpu(
    images: &Tensor,
    size: &Tensor,
    align_corners: bool,
    mut resized_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment::new(align_corners, false)?;
    let e = ResizeExtents::new(images, size)?;
    let out = resized_images.allocate(e.output_shape())?.as_mut_slice::<f32>()?;
    if out.is_empty() {
        return Ok(());
    }
    let scales = [alignment.scale(e.input[0], e.output[0]), alignment.scale(e.input[1], e.output[1])];
    let spans = |axis: usize| try_collect((0..e.output[axis]).map(|at| Span::new(at, scales[axis])));
    let (rows, columns, images) = (spans(0)?, spans(1)?, floats(images)?);
    let factor = (1.0 / f64::from(scales[0] * scales[1])) as f32;
    for_each_row(&env, out, e.output_row(), GRAIN, &|row, out| {
        let image = &images[row / e.output[0] * e.input[0] * e.input_row()..][..e.input[0] * e.input_row()];
        let row = rows[row % e.output[0]];
        for (out, &column) in out.chunks_exact_mut(e.channels).zip(&columns) {
            env.poll();
            for (channel, out) in out.iter_mut().enumerate() {
                *out = area(&image[channel..], e, row, column) * factor;
            }
        }
    });
    Ok(())
}

/// What a pixel of the output covers along an axis of the input: positions, of which there may be none and which may be
/// outside, and what the first and the last count.
#[derive(Clone, Copy)]
struct Span {
    from: f32,
    to: f32,
    scale: f32,
    start: i64,
    end: i64,
}

impl Span {
    fn new(position: usize, scale: f32) -> Self {
        let (from, to) = (position as f32 * scale, (position + 1) as f32 * scale);
        Self { from, to, scale, start: from.floor() as i64, end: to.ceil() as i64 }
    }

    /// The part of a position that is covered.
    fn part(&self, position: i64) -> f32 {
        let (low, high) = (position as f32, (position + 1) as f32);
        match (low < self.from, high > self.to) {
            (true, true) => self.scale,
            (true, false) => high - self.from,
            (false, true) => self.to - low,
            (false, false) => 1.0,
        }
    }
}

/// The sum over the area of an image that starts at one of its channels.
fn area(image: &[f32], e: ResizeExtents, row: Span, column: Span) -> f32 {
    let value = |line: &[f32], at: i64| line[at.clamp(0, e.input[1] as i64 - 1) as usize * e.channels];
    let mut sum = 0.0;
    for y in row.start..row.end {
        let line = &image[y.clamp(0, e.input[0] as i64 - 1) as usize * e.input_row()..];
        let mut of_row = value(line, column.start) * column.part(column.start);
        if column.start + 1 != column.end {
            for x in column.start + 1..column.end - 1 {
                of_row += value(line, x);
            }
            of_row += value(line, column.end - 1) * column.part(column.end - 1);
        }
        sum += of_row * row.part(y);
    }
    sum
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn pixels_are_means_of_what_they_cover() {
        let image = Tensor::from_vec([1, 1, 4, 1], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        let expected = Tensor::from_vec([1, 1, 3, 1], vec![1.25, 2.5, 3.75f32]).unwrap();
        check("ResizeArea", [image.clone(), Tensor::from([1i32, 3])], expected);
        let expected = Tensor::from_vec([1, 1, 2, 1], vec![1.5, 3.5f32]).unwrap();
        check("ResizeArea", [image, Tensor::from([1i32, 2])], expected);
    }
}
