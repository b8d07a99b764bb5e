//! The elementwise kernels against `../oracle/math.txt` and `../oracle/math_*.txt`, and the walk over shapes and
//! threads against index arithmetic.

use oplink::prelude::*;
use oplink_cpu_support::testing::{Threads, run_in};

use crate::golden::check_all;
use crate::inference::check_shapes;

const CASES: [&str; 3] = [
    include_str!("../oracle/math.txt"),
    include_str!("../oracle/math_casts.txt"),
    include_str!("../oracle/math_special.txt"),
];

#[test]
fn kernels_compute_what_tensorflow_does() {
    CASES.iter().for_each(|cases| check_all(cases, 1));
}

/// Shapes whose broadcasts are walked in every way there is, large enough for several threads.
const SHAPES: &[(&[usize], &[usize])] = &[
    (&[70_001], &[70_001]),
    (&[70_001], &[]),
    (&[], &[70_001]),
    (&[700, 100], &[100]),
    (&[100], &[700, 100]),
    (&[700, 100], &[700, 1]),
    (&[700, 1], &[1, 100]),
    (&[23_333, 3], &[3]),
    (&[3], &[23_333, 3]),
    (&[23_333, 3], &[23_333, 1]),
    (&[70_001, 1], &[1, 2]),
    (&[5, 1, 1000, 3], &[5, 1, 3]),
    (&[40, 1, 90, 1], &[20, 1, 7]),
    (&[2, 70_001], &[2, 1]),
];

#[test]
fn every_walk_visits_the_right_elements() {
    for (left, right) in SHAPES {
        for threads in [1, 3] {
            check_walk(left, right, threads, 0i32, |v| v as i32);
            check_walk(left, right, threads, f16::ZERO, |v| f16::from_f32((v % 512) as f32));
        }
    }
}

/// Runs `Sub` of two tensors of different values in memory of their own, which the kernel may take, and in shared
/// memory.
fn check_walk<T>(left: &[usize], right: &[usize], threads: usize, zero: T, value: fn(usize) -> T)
where
    T: Element + Copy + PartialEq + std::ops::Sub<Output = T>,
{
    let tensor = |shape: &[usize], factor: usize| {
        let count = shape.iter().product();
        Tensor::from_vec(shape, (0..count).map(|i| value(i * factor)).collect()).unwrap()
    };
    let (x, y) = (tensor(left, 3), tensor(right, 5));
    let shape = oplink::shape_inference::broadcast_shapes(left, right).unwrap();
    let mut expected = vec![zero; shape.num_elements()];
    for (i, expected) in expected.iter_mut().enumerate() {
        let at = |side: &[usize]| source(&shape, side, i);
        *expected = value(at(left) * 3) - value(at(right) * 5);
    }
    let shared = run_in(&Threads(threads), "Sub", &[], vec![x.clone(), y.clone()]).unwrap();
    let taken = run_in(&Threads(threads), "Sub", &[], vec![x, y]).unwrap();
    for outputs in [shared, taken] {
        assert_eq!(outputs[0].shape(), &shape);
        assert!(outputs[0].as_slice::<T>().unwrap() == expected, "{left:?} - {right:?} on {threads} threads");
    }
}

/// The position in a tensor of shape `side` of what lies under position `i` of the broadcast `shape`.
fn source(shape: &[usize], side: &[usize], mut i: usize) -> usize {
    let (mut position, mut step) = (0, 1);
    for (axis, extent) in shape.iter().enumerate().rev() {
        if let Some(&own) = (axis + side.len()).checked_sub(shape.len()).map(|axis| &side[axis]) {
            position += (i % extent).min(own - 1) * step;
            step *= own;
        }
        i /= extent;
    }
    position
}

#[test]
fn shapes_are_inferred_as_in_tensorflow() {
    check_shapes(include_str!("../oracle/math_special_shapes.txt"));
}
