//! `CropAndResizeGradImage` and `CropAndResizeGradBoxes`.

use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::geometry::{CropImages, crop_gradients};
use oplink_ops::image::{
    CropAndResizeGradBoxes, CropAndResizeGradBoxesInputs, CropAndResizeGradImage, CropAndResizeGradImageInputs,
    CropMethod,
};

use crate::crop_and_resize::{Between, Boxes, Places, channels_at, ratio};
use crate::floats::floats;
use crate::pixel::Pixel;

/// `CropAndResizeGradImage` of every float; boxes are added one after the other.
#[kernel(CropAndResizeGradImage, device = CPU, T = [f16, f32, f64], host_memory = [image_size])]
pub fn crop_and_resize_grad_image_cpu<T: Pixel>(
    inputs: CropAndResizeGradImageInputs<'_>,
    method: CropMethod,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let [count, rows, columns, channels] = crop_gradients(&inputs.grads)?;
    let image = CropImages::of_size(&inputs.image_size)?;
    image.check_channels("image_size", channels)?;
    let boxes = Boxes::new(&inputs.boxes, &inputs.box_ind, image.batch, Some(count))?;
    let out = output.allocate([image.batch, image.rows, image.columns, channels])?.as_mut_slice::<T>()?;
    out.fill(T::ZERO);
    let grads = inputs.grads.as_slice::<f32>()?;
    if out.is_empty() {
        return Ok(());
    }
    for number in 0..count {
        let (corners, at) = boxes.get(number);
        let out = &mut out[at * image.size()..][..image.size()];
        let ys = Places::new([corners[0], corners[2]], image.rows, rows);
        let xs = Places::new([corners[1], corners[3]], image.columns, columns);
        for row in 0..rows {
            env.poll();
            let Some(y) = ys.at(row) else { continue };
            for column in 0..columns {
                let Some(x) = xs.at(column) else { continue };
                let grads = &grads[((number * rows + row) * columns + column) * channels..][..channels];
                spread(image, method, [y, x], grads, out);
            }
        }
    }
    Ok(())
}

/// Adds the gradient of a pixel to those that it was made of.
fn spread<T: Pixel>(image: CropImages, method: CropMethod, [y, x]: [f32; 2], grads: &[f32], out: &mut [T]) {
    let mut add = |row: usize, column: usize, value: &dyn Fn(f32) -> f32| {
        let out = &mut out[(row * image.columns + column) * image.channels..][..image.channels];
        out.iter_mut().zip(grads).for_each(|(out, &grad)| *out = out.plus(T::from_single(value(grad))));
    };
    if method == CropMethod::Nearest {
        return add(y.round() as usize, x.round() as usize, &|grad| grad);
    }
    let (y, x) = (Between::new(y), Between::new(x));
    for (row, by_row) in [(y.lower, 1.0 - y.part), (y.upper, y.part)] {
        for (column, by_column) in [(x.lower, 1.0 - x.part), (x.upper, x.part)] {
            add(row, column, &|grad| by_column * (by_row * grad));
        }
    }
}

/// `CropAndResizeGradBoxes` of every dtype.
#[kernel(CropAndResizeGradBoxes, device = CPU, T = any)]
pub fn crop_and_resize_grad_boxes_cpu(
    inputs: CropAndResizeGradBoxesInputs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let crop @ [count, rows, columns, channels] = crop_gradients(&inputs.grads)?;
    let image = CropImages::new(&inputs.image)?;
    image.check_channels("image", channels)?;
    let boxes = Boxes::new(&inputs.boxes, &inputs.box_ind, image.batch, Some(count))?;
    let (values, grads) = (floats(&inputs.image)?, inputs.grads.as_slice::<f32>()?);
    let out = output.allocate([count, 4])?.as_mut_slice::<f32>()?;
    let size = rows * columns * channels;
    for_each_row(&env, out, 4, 1, &|number, out| {
        let (corners, at) = boxes.get(number);
        let picture = &values[at * image.size()..][..image.size()];
        out.fill(0.0);
        by_corners(&env, image, picture, crop, corners, &grads[number * size..][..size], out);
    });
    Ok(())
}

/// The gradient by the corners of one box.
fn by_corners(
    env: &Env<'_>,
    image: CropImages,
    picture: &[f32],
    [_, rows, columns, channels]: [usize; 4],
    corners: &[f32],
    grads: &[f32],
    out: &mut [f32],
) {
    let ys = Places::of_gradient([corners[0], corners[2]], image.rows, rows);
    let xs = Places::of_gradient([corners[1], corners[3]], image.columns, columns);
    for row in 0..rows {
        env.poll();
        let Some(y) = ys.at(row).map(Between::new) else { continue };
        for column in 0..columns {
            let Some(x) = xs.at(column).map(Between::new) else { continue };
            let line = |row| [channels_at(image, picture, row, x.lower), channels_at(image, picture, row, x.upper)];
            let ([top_left, top_right], [bottom_left, bottom_right]) = (line(y.lower), line(y.upper));
            for (c, grad) in grads[(row * columns + column) * channels..][..channels].iter().enumerate() {
                let by_y = (1.0 - x.part) * (bottom_left[c] - top_left[c]) + x.part * (bottom_right[c] - top_right[c]);
                let by_x = (1.0 - y.part) * (top_right[c] - top_left[c]) + y.part * (bottom_right[c] - bottom_left[c]);
                add_to_ends(out, [0, 2], by_y * grad, image.rows, row, rows);
                add_to_ends(out, [1, 3], by_x * grad, image.columns, column, columns);
            }
        }
    }
}

/// Shares a gradient along an axis out to the two corners that the position lies between.
fn add_to_ends(
    out: &mut [f32],
    [first, last]: [usize; 2],
    gradient: f32,
    extent: usize,
    position: usize,
    count: usize,
) {
    if count > 1 {
        let place = position as f32 * ratio(extent, count);
        out[first] += gradient * ((extent - 1) as f32 - place);
        out[last] += gradient * place;
    } else {
        let half = f64::from(gradient) * 0.5 * (extent - 1) as f64;
        out[first] = (f64::from(out[first]) + half) as f32;
        out[last] = (f64::from(out[last]) + half) as f32;
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check_with;

    fn corners(values: [f32; 4]) -> Tensor {
        Tensor::from_vec([1, 4], values.to_vec()).unwrap()
    }

    #[test]
    fn gradients_by_the_image() {
        let grads = Tensor::from_vec([1, 1, 3, 1], vec![1f32, 2.0, 4.0]).unwrap();
        let inputs = [grads, corners([0.0, 0.0, 0.0, 1.0]), [0].into(), [1, 1, 2, 1].into()];
        let attrs = [("T", DType::Double.into())];
        let expected = Tensor::from_vec([1, 1, 2, 1], vec![2f64, 5.0]).unwrap();
        check_with("CropAndResizeGradImage", &attrs, inputs, expected);
    }

    #[test]
    fn gradients_by_the_boxes() {
        let grads = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 1.0]).unwrap();
        let image = Tensor::from_vec([1, 1, 3, 1], vec![0f32, 1.0, 3.0]).unwrap();
        let inputs = [grads, image, corners([0.0, 0.2, 0.0, 0.8]), [0].into()];
        let expected = Tensor::from_vec([1, 4], vec![0.0, 2.0, 0.0, 4.0f32]).unwrap();
        check_with("CropAndResizeGradBoxes", &[], inputs, expected);
    }
}
