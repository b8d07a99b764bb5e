//! The engine under every formula: shapes, reuse of memory, threads, 16-bit floats.

use oplink::prelude::*;

use crate::support::run;

fn values(shape: &[usize], seed: usize) -> Tensor {
    let count: usize = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|i| ((i * 37 + seed * 11) % 41) as f32 / 10.0 - 1.7).collect()).unwrap()
}

/// The element of `tensor` under an element of a larger shape.
fn at(tensor: &Tensor, shape: &[usize], mut index: usize) -> f32 {
    let (own, mut offset, mut size) = (tensor.shape(), 0, 1);
    for axis in (0..shape.len()).rev() {
        let extent = (axis + own.rank()).checked_sub(shape.len()).map_or(1, |axis| own[axis]);
        offset += (index % shape[axis]).min(extent - 1) * size;
        index /= shape[axis];
        size *= extent;
    }
    tensor.as_slice::<f32>().unwrap()[offset]
}

#[test]
fn shapes_broadcast_on_any_number_of_threads() {
    let whole: [&[usize]; 6] = [&[7, 5, 3], &[2, 9, 700], &[3, 1, 5000], &[40, 300, 10], &[90_000], &[3, 4, 5, 6]];
    for shape in whole {
        let reduced = |kept: &dyn Fn(usize) -> bool| -> Vec<usize> {
            shape.iter().enumerate().map(|(axis, &extent)| if kept(axis) { extent } else { 1 }).collect()
        };
        let last = vec![shape[shape.len() - 1]];
        let others = [shape.to_vec(), vec![], last, reduced(&|axis| axis == 0), reduced(&|axis| axis != 1)];
        for other in &others {
            for (x, y) in [(values(shape, 1), values(other, 2)), (values(other, 3), values(shape, 4))] {
                let expected: Vec<f32> =
                    (0..shape.iter().product()).map(|i| at(&x, shape, i) - at(&y, shape, i)).collect();
                for threads in [1, 3] {
                    let shared = run(threads, "Sub", &[], vec![x.clone(), y.clone()]).unwrap();
                    let owned = vec![x.deep_copy().unwrap(), y.deep_copy().unwrap()];
                    let reused = run(threads, "Sub", &[], owned).unwrap();
                    assert_eq!(&**shared.shape(), shape);
                    assert!(shared.as_slice::<f32>().unwrap() == expected, "{shape:?} {other:?}");
                    assert!(reused.as_slice::<f32>().unwrap() == expected, "{shape:?} {other:?} in place");
                }
            }
        }
    }
}

#[test]
fn memory_is_reused_where_nobody_else_needs_it() {
    let x = values(&[5000], 0);
    let address = x.as_slice::<f32>().unwrap().as_ptr();
    let output = run(1, "Exp", &[], vec![x]).unwrap();
    assert_eq!(output.as_slice::<f32>().unwrap().as_ptr(), address);
    let (x, y) = (values(&[5000], 0), values(&[5000], 1));
    let output = run(1, "AddV2", &[], vec![x.clone(), y]).unwrap();
    assert_eq!(
        output.as_slice::<f32>().unwrap()[7],
        x.as_slice::<f32>().unwrap()[7] + values(&[5000], 1).as_slice::<f32>().unwrap()[7]
    );
}

#[test]
fn sixteen_bit_floats_are_computed_in_single_precision() {
    let numbers: Vec<f16> = (0..3000).map(|i| f16::from_f32(i as f32 / 500.0)).collect();
    let output = run(1, "Tanh", &[], vec![Tensor::from_slice(&numbers)]).unwrap();
    for (x, y) in numbers.iter().zip(output.as_slice::<f16>().unwrap()) {
        assert_eq!(*y, f16::from_f64(x.to_f64().tanh()), "{x}");
    }
    let pair = [1.0f32, 3.0].map(bf16::from_f32);
    let sum = run(1, "AddV2", &[], vec![Tensor::from_slice(&pair), Tensor::scalar(bf16::from_f32(0.001))]).unwrap();
    assert_eq!(
        sum.as_slice::<bf16>().unwrap(),
        pair.map(|x| bf16::from_f32(x.to_f32() + bf16::from_f32(0.001).to_f32()))
    );
    let less = run(1, "Less", &[], vec![Tensor::scalar(f16::ONE), Tensor::scalar(f16::from_f32(2.0))]).unwrap();
    assert!(less.to_scalar::<bool>().unwrap());
}

#[test]
fn large_arguments_of_sine_are_reduced_exactly() {
    let mut numbers: Vec<f32> = (0..2000).map(|i| i as f32 * 0.37 - 300.0).collect();
    numbers[3] = 3e7;
    numbers[1999] = -1e20;
    numbers[7] = f32::INFINITY;
    let output = run(1, "Sin", &[], vec![Tensor::from_slice(&numbers)]).unwrap();
    for (x, y) in numbers.iter().zip(output.as_slice::<f32>().unwrap()) {
        let exact = f64::from(*x).sin();
        assert!(y.is_nan() && exact.is_nan() || (f64::from(*y) - exact).abs() < 2e-7, "{x}: {y} instead of {exact}");
    }
}

#[test]
fn integers_wrap_around() {
    let (x, y) = (Tensor::from_slice(&[i32::MAX, i32::MIN, 7]), Tensor::from_slice(&[1, -1, 3]));
    let run = |op: &str| run(1, op, &[], vec![x.clone(), y.clone()]).unwrap().as_slice::<i32>().unwrap().to_vec();
    assert_eq!(run("AddV2"), [i32::MIN, i32::MAX, 10]);
    assert_eq!(run("Mul"), [i32::MAX, i32::MIN, 21]);
}

#[test]
fn empty_tensors_stay_empty() {
    let output = run(2, "Mul", &[], vec![values(&[0, 3], 0), values(&[1, 3], 1)]).unwrap();
    assert_eq!(&**output.shape(), [0, 3]);
}
