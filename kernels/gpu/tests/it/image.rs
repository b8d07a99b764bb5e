//! The kernels of `image`.

use oplink::{AttrValue, DType, Shape, Tensor};

use crate::reduction::cast;
use crate::support::{check, on_gpu};

/// Numbers in no order, from `low` on, `step` apart.
fn values(shape: &[usize], low: f32, step: f32) -> Tensor {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|at| low + ((at * 37 + 11) % 101) as f32 * step).collect();
    Tensor::from_vec(Shape::new(shape), values).unwrap()
}

/// Every alignment that an op takes.
const ALIGNMENTS: [(bool, bool); 3] = [(false, false), (true, false), (false, true)];

fn alignment((corners, halves): (bool, bool)) -> [(&'static str, AttrValue); 2] {
    [("align_corners", corners.into()), ("half_pixel_centers", halves.into())]
}

/// Images and the extents that they get: larger, smaller, the same, one axis each way, a single pixel.
const SIZES: [([usize; 4], [i32; 2]); 7] = [
    ([2, 5, 7, 3], [11, 16]),
    ([2, 16, 13, 1], [5, 4]),
    ([1, 6, 9, 4], [6, 9]),
    ([3, 4, 12, 2], [9, 5]),
    ([1, 1, 1, 3], [4, 3]),
    ([1, 7, 5, 1], [1, 1]),
    ([0, 4, 4, 1], [2, 2]),
];

#[test]
fn images_of_other_sizes() {
    for (shape, size) in SIZES {
        for attrs in ALIGNMENTS.map(alignment) {
            let images = values(&shape, -20.0, 0.5);
            for dtype in [DType::Float, DType::Half, DType::Double, DType::UInt8, DType::Int16, DType::Int64] {
                let images = cast(&cast(&images, DType::Float), dtype);
                check("ResizeBilinear", &[&images, &size.into()], &attrs, 2e-6);
                check("ResizeNearestNeighbor", &[&images, &size.into()], &attrs, 0.0);
            }
        }
    }
    let error = on_gpu("ResizeBilinear", &[&values(&[1, 2, 2, 1], 0.0, 1.0), &[0, 3].into()], &[]).unwrap_err();
    assert!(error.to_string().contains("size must be > 0"), "{error}");
}

#[test]
fn infinite_pixels_stay_where_images_keep_their_size() {
    let images = Tensor::from_vec([1, 1, 3, 1], vec![1.0, f32::INFINITY, f32::NEG_INFINITY]).unwrap();
    check("ResizeBilinear", &[&images, &[1, 3].into()], &[], 0.0);
}

#[test]
fn gradients_of_resized_images() {
    for (shape, [rows, columns]) in SIZES {
        let [batch, own_rows, own_columns, channels] = shape;
        let grads = values(&[batch, rows as usize, columns as usize, channels], -20.0, 0.5);
        for attrs in ALIGNMENTS.map(alignment) {
            for (dtype, tolerance) in [(DType::Float, 2e-6), (DType::Half, 2e-3), (DType::Double, 1e-12)] {
                let original = cast(&values(&shape, 0.0, 1.0), dtype);
                check("ResizeBilinearGrad", &[&grads, &original], &attrs, tolerance);
                let size = [own_rows as i32, own_columns as i32];
                // Whole numbers: the CPU rounds sums of 16-bit floats after each step.
                let grads = cast(&values(grads.shape(), 0.0, 1.0), dtype);
                let tolerance = if dtype == DType::Half { 0.1 } else { tolerance };
                check("ResizeNearestNeighborGrad", &[&grads, &size.into()], &attrs, tolerance);
            }
        }
    }
}

/// Boxes inside, turned over, reaching out, and of one point; and their images.
fn boxes() -> (Tensor, Tensor) {
    let corners = [
        [0.0, 0.0, 1.0, 1.0],
        [0.2, 0.1, 0.7, 0.9],
        [0.9, 0.8, 0.1, 0.3],
        [-0.3, 0.2, 0.6, 1.4],
        [0.5, 0.5, 0.5, 0.5f32],
    ];
    (Tensor::from_vec([5, 4], corners.concat()).unwrap(), [1, 0, 1, 0, 1].into())
}

#[test]
fn boxes_are_cut_from_images() {
    let (corners, of) = boxes();
    for size in [[3, 4], [7, 5], [1, 1], [1, 6]] {
        for method in ["bilinear", "nearest"] {
            let attrs = [("method", method.into()), ("extrapolation_value", (-2.5).into())];
            for dtype in [DType::Float, DType::Half, DType::Double, DType::UInt8, DType::Int64] {
                let image = cast(&values(&[2, 6, 5, 3], 0.0, 1.0), dtype);
                check("CropAndResize", &[&image, &corners, &of, &size.into()], &attrs, 1e-4);
            }
        }
    }
    let nothing = Tensor::zeros(DType::Float, [0, 4]).unwrap();
    let image = values(&[2, 6, 5, 3], 0.0, 1.0);
    check("CropAndResize", &[&image, &nothing, &Tensor::from_slice::<i32>(&[]), &[2, 2].into()], &[], 0.0);
}

#[test]
fn boxes_that_cannot_be_lie_outside() {
    let image = values(&[1, 4, 4, 1], 1.0, 1.0);
    let corners =
        [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, f32::NAN, 1.0, 1.0], [0.0, 0.0, 1.0, f32::INFINITY]];
    let corners = Tensor::from_vec([4, 4], corners.concat()).unwrap();
    let attrs = [("extrapolation_value", (-7.0).into())];
    let inputs = [&image, &corners, &[1, -1, 0, 0].into(), &[1, 1].into()];
    let crops = on_gpu("CropAndResize", &inputs, &attrs).unwrap();
    assert_eq!(crops[0].as_slice::<f32>().unwrap(), [-7.0; 4]);
}

#[test]
fn gradients_of_boxes() {
    let (corners, of) = boxes();
    for size in [[3usize, 4], [7, 5], [1, 1], [40, 30]] {
        let grads = values(&[5, size[0], size[1], 3], -3.0, 0.05);
        for method in ["bilinear", "nearest"] {
            for (dtype, tolerance) in [(DType::Float, 1e-4), (DType::Half, 1e-2)] {
                let attrs = [("method", method.into()), ("T", dtype.into())];
                let inputs = [&grads, &corners, &of, &[2, 6, 5, 3].into()];
                check("CropAndResizeGradImage", &inputs, &attrs, if size[0] == 40 { 0.5 } else { tolerance });
            }
        }
        for dtype in [DType::Float, DType::Half, DType::UInt8] {
            let image = cast(&values(&[2, 6, 5, 3], 0.0, 0.5), dtype);
            check("CropAndResizeGradBoxes", &[&grads, &image, &corners, &of], &[], 2e-3);
        }
    }
}

/// Colours in no order; a grey, a black, a white one and the primary ones among them.
fn colors(shape: &[usize]) -> Tensor {
    let mut all = values(shape, 0.0, 0.01).as_slice::<f32>().unwrap().to_vec();
    let special = [[0.5; 3], [0.0; 3], [1.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.3, 0.7, 0.7]];
    all.iter_mut().zip(special.concat()).for_each(|(to, from)| *to = from);
    Tensor::from_vec(Shape::new(shape), all).unwrap()
}

#[test]
fn colours() {
    let images = colors(&[2, 9, 7, 3]);
    for dtype in [DType::Float, DType::Double] {
        check("RGBToHSV", &[&cast(&images, dtype)], &[], 1e-6);
        check("HSVToRGB", &[&cast(&images, dtype)], &[], 1e-6);
    }
    for delta in [0.0, 0.3, -0.4, 0.99, -3.7, 12.25f32] {
        check("AdjustHue", &[&images, &delta.into()], &[], 2e-5);
        check("AdjustSaturation", &[&images, &delta.abs().into()], &[], 2e-6);
        check("AdjustContrastv2", &[&images, &delta.into()], &[], 2e-5);
    }
    for (op, by) in [("AdjustHue", 0.2f32), ("AdjustSaturation", 0.5), ("AdjustContrastv2", 1.5)] {
        let single = on_gpu(op, &[&images, &by.into()], &[]).unwrap();
        let half = on_gpu(op, &[&cast(&images, DType::Half), &by.into()], &[]).unwrap();
        let half = cast(&half[0], DType::Float);
        for (half, single) in half.as_slice::<f32>().unwrap().iter().zip(single[0].as_slice::<f32>().unwrap()) {
            assert!((half - single).abs() < 1e-2, "{op}: {half}, {single}");
        }
    }
    check("AdjustContrastv2", &[&values(&[40, 50, 2], -3.0, 0.1), &2.0f32.into()], &[], 1e-4);
}
