//! Softmax, its logarithm, and the loss of squares.

use oplink::{AttrValue, DType, Tensor};

use crate::support::{check, on_cpu, on_gpu};

fn numbers(shape: &[usize], dtype: DType) -> Tensor {
    let count = shape.iter().product::<usize>();
    let values =
        Tensor::from_vec(shape, (0..count).map(|i| ((i * 37 + 11) % 101) as f32 * 0.1 - 5.0).collect()).unwrap();
    on_cpu("Cast", &[&values], &[("DstT", AttrValue::Type(dtype))]).unwrap().remove(0)
}

#[test]
fn rows_of_every_length() {
    for shape in [&[1][..], &[3, 2], &[7, 5], &[2, 3, 32], &[1000, 10], &[3, 300], &[2, 5000], &[0, 4]] {
        for op in ["Softmax", "LogSoftmax"] {
            check(op, &[&numbers(shape, DType::Float)], &[], 1e-5);
            check(op, &[&numbers(shape, DType::Half)], &[], 4e-3);
        }
    }
    on_gpu("Softmax", &[&1.0_f32.into()], &[]).unwrap_err();
}

#[test]
fn nan_and_infinities() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    for row in [[1.0, 2.0, 1000.0], [-inf, 1.0, 2.0], [inf, 1.0, 2.0], [nan, 1.0, 2.0], [-inf; 3]] {
        check("Softmax", &[&row.into()], &[], 1e-6);
        check("LogSoftmax", &[&row.into()], &[], 1e-6);
    }
}

#[test]
fn half_the_sum_of_squares() {
    for shape in [&[0][..], &[3], &[40, 50], &[100_000]] {
        check("L2Loss", &[&numbers(shape, DType::Float)], &[], 1e-5);
        check("L2Loss", &[&numbers(shape, DType::Double)], &[], 1e-12);
    }
    check("L2Loss", &[&numbers(&[30], DType::Half)], &[], 2e-3);
}
