//! `CropAndResize`.

use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::geometry::{CropImages, box_count, two_extents};
use oplink_ops::image::{CropAndResize, CropAndResizeInputs, CropMethod};

use crate::floats::floats;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 12;

/// `CropAndResize` of every dtype.
#[kernel(CropAndResize, device = CPU, T = any, host_memory = [crop_size])]
pub fn crop_and_resize_cpu(
    inputs: CropAndResizeInputs<'_>,
    method: CropMethod,
    extrapolation_value: f32,
    mut crops: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let crop = two_extents("crop_size", &inputs.crop_size)?;
    let image = CropImages::new(&inputs.image)?;
    let boxes = Boxes::new(&inputs.boxes, &inputs.box_ind, image.batch, None)?;
    ensure!(boxes.corners.iter().all(|corner| corner.is_finite()), "boxes must be finite");
    let out = crops.allocate([boxes.count(), crop[0], crop[1], image.channels])?.as_mut_slice::<f32>()?;
    if out.is_empty() {
        return Ok(());
    }
    let values = floats(&inputs.image)?;
    for_each_row(&env, out, crop[1] * image.channels, GRAIN, &|row, out| {
        let (number, row) = (row / crop[0], row % crop[0]);
        let (corners, at) = boxes.get(number);
        let y = Places::new([corners[0], corners[2]], image.rows, crop[0]).at(row);
        let columns = Places::new([corners[1], corners[3]], image.columns, crop[1]);
        let picture = &values[at * image.size()..][..image.size()];
        for (column, out) in out.chunks_exact_mut(image.channels).enumerate() {
            match (y, columns.at(column)) {
                (Some(y), Some(x)) => pixel(image, picture, y, x, method, out),
                _ => out.fill(extrapolation_value),
            }
        }
    });
    Ok(())
}

/// The channels of a pixel.
pub(crate) fn channels_at(image: CropImages, picture: &[f32], row: usize, column: usize) -> &[f32] {
    &picture[(row * image.columns + column) * image.channels..][..image.channels]
}

fn pixel(image: CropImages, picture: &[f32], y: f32, x: f32, method: CropMethod, out: &mut [f32]) {
    if method == CropMethod::Nearest {
        out.copy_from_slice(channels_at(image, picture, y.round() as usize, x.round() as usize));
        return;
    }
    let (y, x) = (Between::new(y), Between::new(x));
    let line = |row| [channels_at(image, picture, row, x.lower), channels_at(image, picture, row, x.upper)];
    let (top, bottom) = (line(y.lower), line(y.upper));
    for (c, out) in out.iter_mut().enumerate() {
        let top = top[0][c] + (top[1][c] - top[0][c]) * x.part;
        let bottom = bottom[0][c] + (bottom[1][c] - bottom[0][c]) * x.part;
        *out = top + (bottom - top) * y.part;
    }
}

/// The two positions that a place lies between, and how far from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between {
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    pub(crate) part: f32,
}

impl Between {
    pub(crate) fn new(place: f32) -> Self {
        Self { lower: place.floor() as usize, upper: place.ceil() as usize, part: place - place.floor() }
    }
}

/// Where the positions along an axis of a crop lie in the image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    start: f32,
    step: f32,
    last: f32,
}

impl Places {
    /// Of `count` positions from one corner to the other; a single one lies in the middle.
    pub(crate) fn new([start, end]: [f32; 2], extent: usize, count: usize) -> Self {
        let last = (extent - 1) as f32;
        match count {
            1 => {
                let middle = 0.5 * f64::from(start + end) * (extent - 1) as f64;
                Self { start: middle as f32, step: 0.0, last }
            }
            _ => Self { start: start * last, step: (end - start) * last / (count - 1) as f32, last },
        }
    }

    /// As [`Places::new`], with the step that gradients are computed with.
    pub(crate) fn of_gradient([start, end]: [f32; 2], extent: usize, count: usize) -> Self {
        let step = if count > 1 { (end - start) * ratio(extent, count) } else { 0.0 };
        Self { step, ..Self::new([start, end], extent, count) }
    }

    /// Where a position lies, unless outside of the image.
    pub(crate) fn at(&self, position: usize) -> Option<f32> {
        let place = self.start + position as f32 * self.step;
        (!(place < 0.0 || place > self.last)).then_some(place)
    }
}

/// The step of `count` positions over a whole axis.
pub(crate) fn ratio(extent: usize, count: usize) -> f32 {
    if count > 1 { (extent - 1) as f32 / (count - 1) as f32 } else { 0.0 }
}

/// Boxes, and the image that each is in.
pub(crate) struct Boxes<'a> {
    pub(crate) corners: &'a [f32],
    images: &'a [i32],
}

impl<'a> Boxes<'a> {
    /// Checked to be of one of `batch` images, and as many as there are gradients, where `grads` has a number.
    pub(crate) fn new(boxes: &'a Tensor, box_ind: &'a Tensor, batch: usize, grads: Option<usize>) -> Result<Self> {
        box_count(boxes, box_ind, grads)?;
        let images = box_ind.as_slice::<i32>()?;
        if let Some(wrong) = images.iter().find(|&&image| usize::try_from(image).map_or(true, |at| at >= batch)) {
            return Err(Error::out_of_range(format!("box_ind has {wrong}, it must be in [0, {batch})")));
        }
        Ok(Self { corners: boxes.as_slice()?, images })
    }

    pub(crate) fn count(&self) -> usize {
        self.images.len()
    }

    /// The corners `[y1, x1, y2, x2]` of a box, and its image.
    pub(crate) fn get(&self, number: usize) -> (&'a [f32], usize) {
        (&self.corners[number * 4..][..4], self.images[number] as usize)
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_error, check_with, run};

    fn image() -> Tensor {
        Tensor::from_vec([1, 2, 2, 1], vec![1u8, 2, 3, 4]).unwrap()
    }

    fn corners(values: [f32; 4]) -> Tensor {
        Tensor::from_vec([1, 4], values.to_vec()).unwrap()
    }

    #[test]
    fn boxes_are_interpolated_and_filled_outside() {
        let attrs = [("extrapolation_value", (-1.0).into())];
        let inputs = [image(), corners([0.0, 0.0, 1.0, 2.0]), Tensor::from([0i32]), Tensor::from([1i32, 3])];
        let expected = Tensor::from_vec([1, 1, 3, 1], vec![2.0, 3.0, -1.0f32]).unwrap();
        check_with("CropAndResize", &attrs, inputs, expected);
        let attrs = [("method", "nearest".into())];
        let inputs = [image(), corners([0.0, 1.0, 1.0, 0.0]), Tensor::from([0i32]), Tensor::from([2i32, 2])];
        let expected = Tensor::from_vec([1, 2, 2, 1], vec![2.0, 1.0, 4.0, 3.0f32]).unwrap();
        check_with("CropAndResize", &attrs, inputs, expected);
    }

    #[test]
    fn images_that_are_not_there_are_errors() {
        let whole = corners([0.0, 0.0, 1.0, 1.0]);
        for number in [-1, 1] {
            let inputs = [image(), whole.clone(), Tensor::from([number]), Tensor::from([1i32, 1])];
            check_error("CropAndResize", inputs, "box_ind has");
        }
        let infinite = corners([0.0, f32::INFINITY, 1.0, 1.0]);
        assert!(run("CropAndResize", &[], vec![image(), infinite, [0].into(), [1, 1].into()]).is_err());
    }
}
