//! Direct convolutions and Winograd's algorithm beside the definition.

use oplink::element::{bf16, f16};
use oplink::prelude::*;
use oplink::{AttrValue, KernelOptions};
use oplink_cpu_support::testing::{Threads, run_constant, run_in};

fn values(shape: [usize; 4], seed: usize) -> Tensor {
    let count = shape.iter().product::<usize>();
    let values = (0..count).map(|i| ((i * 7919 + seed * 31) % 1009) as f32 / 504.5 - 1.0);
    Tensor::from_vec(shape, values.collect()).unwrap()
}

/// The definition in double precision.
fn expected(x: &Tensor, w: &Tensor, [stride, dilation, pad]: [usize; 3]) -> Vec<f64> {
    let (x, w) = (x.view::<f32, ndarray::Ix4>().unwrap(), w.view::<f32, ndarray::Ix4>().unwrap());
    let ((batch, height, width, depth), (rows, columns, _, out_depth)) = (x.dim(), w.dim());
    let output = |extent: usize, window: usize| (extent + 2 * pad - (window - 1) * dilation - 1) / stride + 1;
    let mut out = Vec::new();
    for (b, y, z) in ndarray::indices((batch, output(height, rows), output(width, columns))) {
        let mut sums = vec![0f64; out_depth];
        for (i, j) in ndarray::indices((rows, columns)) {
            let (at, across) =
                ((y * stride + i * dilation).wrapping_sub(pad), (z * stride + j * dilation).wrapping_sub(pad));
            if at >= height || across >= width {
                continue;
            }
            for c in 0..depth {
                let value = f64::from(x[(b, at, across, c)]);
                sums.iter_mut().enumerate().for_each(|(k, sum)| *sum += value * f64::from(w[(i, j, c, k)]));
            }
        }
        out.extend(sums);
    }
    out
}

fn attrs([stride, dilation, pad]: [usize; 3]) -> [(&'static str, AttrValue); 4] {
    let pair = |value: usize| AttrValue::from(vec![1, value as i64, value as i64, 1]);
    let pads = [0, 0, pad, pad, pad, pad, 0, 0].map(|pad| pad as i64).to_vec();
    [
        ("strides", pair(stride)),
        ("dilations", pair(dilation)),
        ("padding", "EXPLICIT".into()),
        ("explicit_paddings", pads.into()),
    ]
}

/// Image, filter, [stride, dilation, padding]: every way to read pixels, every rest of lines, tiles and panels.
const CASES: [([usize; 4], [usize; 4], [usize; 3]); 21] = [
    ([1, 7, 7, 40], [3, 3, 40, 33], [1, 1, 1]),
    ([2, 5, 3, 8], [3, 3, 8, 20], [1, 1, 1]),
    ([1, 9, 31, 5], [1, 1, 5, 49], [1, 1, 0]),
    ([2, 13, 11, 6], [1, 1, 6, 32], [2, 1, 0]),
    ([1, 3, 4, 512], [1, 1, 512, 17], [1, 1, 0]),
    ([1, 5, 5, 512], [1, 1, 512, 40], [2, 1, 0]),
    ([1, 4, 5, 512], [3, 3, 512, 8], [1, 1, 1]),
    ([2, 5, 6, 1024], [1, 1, 1024, 40], [1, 1, 0]),
    ([1, 4, 5, 1024], [2, 2, 1024, 8], [1, 1, 1]),
    ([1, 5, 6, 2560], [1, 1, 2560, 33], [1, 1, 0]),
    ([1, 9, 9, 330], [3, 3, 330, 20], [2, 1, 0]),
    ([1, 9, 17, 130], [5, 5, 130, 20], [2, 1, 1]),
    ([1, 20, 19, 3], [7, 7, 3, 64], [2, 1, 3]),
    ([1, 15, 16, 4], [3, 3, 4, 6], [1, 2, 2]),
    ([1, 15, 16, 4], [3, 2, 4, 6], [3, 1, 0]),
    ([1, 1, 1, 30], [1, 1, 30, 70], [1, 1, 0]),
    ([1, 1, 200, 16], [1, 5, 16, 16], [1, 1, 2]),
    ([1, 14, 14, 32], [3, 3, 32, 64], [1, 1, 1]),
    ([1, 17, 18, 48], [3, 3, 48, 40], [1, 1, 0]),
    ([2, 15, 13, 64], [3, 3, 64, 35], [1, 1, 2]),
    ([1, 12, 30, 512], [3, 3, 512, 33], [1, 1, 1]),
];

#[test]
fn constant_filters_give_the_definition_whatever_the_threads() {
    for (number, (image, filter, window)) in CASES.into_iter().enumerate() {
        let (x, w) = (values(image, number), values(filter, number + 3));
        let expected = expected(&x, &w, window);
        let largest = expected.iter().fold(0f64, |largest, x| largest.max(x.abs()));
        for winograd in [false, true] {
            let run = |threads| {
                let (inputs, options) = (vec![x.clone(), w.clone()], KernelOptions { winograd });
                let out = run_constant(&Threads(threads), "Conv2D", &attrs(window), (inputs, 1), options).unwrap();
                out[0].clone().unwrap()
            };
            let out = run(1);
            let same = out.as_slice::<f32>().unwrap();
            for threads in [2, 5] {
                let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(run(threads).as_slice().unwrap()), bits(same), "case {number}, {threads} threads");
            }
            assert_eq!(same.len(), expected.len(), "case {number}");
            for (at, (value, expected)) in same.iter().zip(&expected).enumerate() {
                let error = (f64::from(*value) - expected).abs();
                let bound = if winograd { 1.2e-5 } else { 1e-5 } * largest;
                assert!(error <= bound, "case {number}, winograd {winograd}, at {at}: {value} {expected}");
            }
        }
    }
}

#[test]
fn what_follows_is_applied_once() {
    for depth in [5, 32] {
        let (x, w) = (values([1, 15, 17, depth], 1), values([3, 3, depth, 39], 2));
        let (bias, side) = (Tensor::full([39], 0.25f32), values([1, 15, 17, 39], 5));
        let plain = run_in(&Threads(1), "Conv2D", &attrs([1, 1, 1]), vec![x.clone(), w.clone()]).unwrap().remove(0);
        for activation in ["Relu", "LeakyRelu", "Tanh"] {
            let fused: &[&str] = &["BiasAdd", "Add", activation];
            let mut attrs = attrs([1, 1, 1]).to_vec();
            attrs.extend([("fused_ops", fused.into()), ("num_args", 2.into()), ("num_host_args", 0.into())]);
            for winograd in [false, true] {
                let inputs = vec![x.clone(), w.clone(), bias.clone(), side.clone()];
                let options = KernelOptions { winograd };
                let out = run_constant(&Threads(2), "_FusedConv2D", &attrs, (inputs, 1), options).unwrap();
                let out = out[0].clone().unwrap();
                let sums = plain.as_slice::<f32>().unwrap().iter().zip(side.as_slice::<f32>().unwrap());
                for (value, (&sum, &side)) in out.as_slice::<f32>().unwrap().iter().zip(sums) {
                    let sum = sum + 0.25 + side;
                    let expected = match activation {
                        "Relu" => sum.max(0.0),
                        "LeakyRelu" => {
                            if sum > 0.0 {
                                sum
                            } else {
                                0.2 * sum
                            }
                        }
                        _ => sum.tanh(),
                    };
                    assert!((value - expected).abs() < 1e-4, "{activation} {winograd}: {value} {expected}");
                }
            }
        }
    }
}

/// The gradients of the definition with respect to the input and to the filter.
fn expected_gradients(x: &Tensor, w: &Tensor, dy: &Tensor, [stride, dilation, pad]: [usize; 3]) -> [Vec<f64>; 2] {
    let [[_, height, width, depth], [rows, columns, _, out_depth], [batch, lines, pixels, _]] =
        [x, w, dy].map(|tensor| <[usize; 4]>::try_from(tensor.shape().dims()).unwrap());
    let [x, w, dy] = [x, w, dy].map(|t| t.as_slice::<f32>().unwrap().iter().map(|&v| f64::from(v)).collect::<Vec<_>>());
    let (mut dx, mut dw) = (vec![0f64; x.len()], vec![0f64; w.len()]);
    for (b, y, z) in ndarray::indices((batch, lines, pixels)) {
        let dy = &dy[((b * lines + y) * pixels + z) * out_depth..][..out_depth];
        for (i, j) in ndarray::indices((rows, columns)) {
            let (at, across) =
                ((y * stride + i * dilation).wrapping_sub(pad), (z * stride + j * dilation).wrapping_sub(pad));
            if at >= height || across >= width {
                continue;
            }
            for c in 0..depth {
                let at = ((b * height + at) * width + across) * depth + c;
                let filter = ((i * columns + j) * depth + c) * out_depth..;
                dx[at] += dy.iter().zip(&w[filter.clone()]).map(|(dy, w)| dy * w).sum::<f64>();
                dw[filter].iter_mut().zip(dy).for_each(|(dw, dy)| *dw += dy * x[at]);
            }
        }
    }
    [dx, dw]
}

#[test]
fn gradients_are_those_of_the_definition_whatever_the_threads() {
    // Pictures that are larger: more tiles than Winograd's algorithm wants of filters that are not constant.
    let larger = [
        ([2, 21, 22, 32], [3, 3, 32, 32], [1, 1, 1]),
        ([3, 17, 18, 48], [3, 3, 48, 40], [1, 1, 0]),
        ([1, 28, 29, 64], [1, 1, 64, 24], [2, 1, 0]),
        ([2, 16, 17, 40], [3, 3, 40, 33], [1, 2, 1]),
        ([2, 16, 17, 40], [3, 3, 40, 33], [1, 1, 2]),
        // More channels than are transformed at a time.
        ([2, 9, 12, 48], [3, 3, 48, 544], [1, 1, 1]),
        // Pictures that are smaller: several of them are a block of the filter's gradient.
        ([11, 7, 7, 20], [1, 1, 20, 40], [2, 1, 0]),
        ([9, 6, 5, 18], [3, 3, 18, 10], [1, 1, 1]),
        ([40, 5, 6, 3], [2, 3, 3, 70], [1, 1, 1]),
        ([3, 29, 31, 1], [1, 1, 1, 33], [1, 1, 0]),
    ];
    for (number, (image, filter, window)) in CASES.into_iter().chain(larger).enumerate() {
        let (x, w) = (values(image, number), values(filter, number + 3));
        let y = run_in(&Threads(1), "Conv2D", &attrs(window), vec![x.clone(), w.clone()]).unwrap().remove(0);
        let dy = values(y.shape().dims().try_into().unwrap(), number + 5);
        let extents = |shape: [usize; 4]| Tensor::from_slice(&shape.map(|extent| extent as i32));
        let gradients = [
            ("Conv2DBackpropInput", vec![extents(image), w.clone(), dy.clone()]),
            ("Conv2DBackpropFilter", vec![x.clone(), extents(filter), dy.clone()]),
        ];
        let expected = expected_gradients(&x, &w, &dy, window);
        for ((op, inputs), expected) in gradients.into_iter().zip(expected) {
            let largest = expected.iter().fold(0f64, |largest, x| largest.max(x.abs()));
            for winograd in [false, true] {
                let run = |threads| {
                    let options = KernelOptions { winograd };
                    let inputs = (inputs.clone(), 1);
                    let out = run_constant(&Threads(threads), op, &attrs(window), inputs, options).unwrap();
                    out[0].as_ref().unwrap().as_slice::<f32>().unwrap().to_vec()
                };
                let out = run(1);
                assert_eq!(out.len(), expected.len(), "{op}, case {number}");
                for threads in [2, 5] {
                    let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(&run(threads)), bits(&out), "{op}, case {number}, {threads} threads");
                }
                let bound = if winograd { 1.2e-5 } else { 1e-5 } * largest;
                for (at, (value, expected)) in out.iter().zip(&expected).enumerate() {
                    let error = (f64::from(*value) - expected).abs();
                    assert!(error <= bound, "{op}, case {number}, winograd {winograd}, at {at}: {value} {expected}");
                }
            }
        }
    }
}

/// As sums in double precision of the rounded numbers give, rounded once, but for the last bit.
#[test]
fn constant_filters_of_16_bit_floats_give_the_definition() {
    fn rounded<T: Element + Copy + Into<f32>>(value: &Tensor, round: impl Fn(f32) -> T) -> [Tensor; 2] {
        let rounded: Vec<T> = value.as_slice::<f32>().unwrap().iter().map(|&value| round(value)).collect();
        let single = rounded.iter().map(|&value| value.into()).collect::<Vec<f32>>();
        let shape = value.shape().clone();
        [Tensor::from_vec(shape.clone(), rounded).unwrap(), Tensor::from_vec(shape, single).unwrap()]
    }
    fn check<T: Element + Copy + Into<f32>>(round: impl Fn(f32) -> T + Copy, epsilon: f64) {
        for (number, (image, filter, window)) in CASES.into_iter().enumerate() {
            let [x, x_single] = rounded(&values(image, number), round);
            let [w, w_single] = rounded(&values(filter, number + 3), round);
            let expected = expected(&x_single, &w_single, window);
            let largest = expected.iter().fold(0f64, |largest, x| largest.max(x.abs()));
            for winograd in [false, true] {
                let run = |threads| {
                    let (inputs, options) = (vec![x.clone(), w.clone()], KernelOptions { winograd });
                    let out = run_constant(&Threads(threads), "Conv2D", &attrs(window), (inputs, 1), options).unwrap();
                    let out = out[0].clone().unwrap();
                    out.as_slice::<T>().unwrap().iter().map(|&value| value.into()).collect::<Vec<f32>>()
                };
                let out = run(1);
                assert_eq!(out, run(3), "case {number}, winograd {winograd}");
                for (at, (&value, expected)) in out.iter().zip(&expected).enumerate() {
                    let error = (f64::from(value) - expected).abs();
                    let bound = epsilon * expected.abs() + 4e-5 * largest;
                    assert!(error <= bound, "case {number}, winograd {winograd}, at {at}: {value} {expected}");
                }
            }
        }
    }
    check(bf16::from_f32, 1.0 / 256.0);
    check(f16::from_f32, 1.0 / 2048.0);
}
