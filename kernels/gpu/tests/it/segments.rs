//! Rows joined by segment: the kernels of `reduction::{segments, sorted_segments, sparse_segments}`, and counts.

use oplink::{AttrValue, DType, Shape, Tensor};

use crate::reduction::cast;
use crate::support::{check, on_gpu};

/// Small whole numbers that are not 0, in an order that shows misplaced elements.
fn numbers(dtype: DType, shape: &[usize]) -> Tensor {
    let count: usize = shape.iter().product();
    let values: Vec<f32> = (0..count).map(|at| ((at * 37 + 11) % 5) as f32 + 1.0).collect();
    cast(&Tensor::from_vec(Shape::new(shape), values).unwrap(), dtype)
}

/// Halves of both signs.
fn halves(dtype: DType, shape: &[usize]) -> Tensor {
    let count: usize = shape.iter().product();
    let values: Vec<f32> = (0..count).map(|at| ((at * 37 + 11) % 101) as f32 * 0.5 - 20.0).collect();
    cast(&Tensor::from_vec(Shape::new(shape), values).unwrap(), dtype)
}

/// Ids that do not fall: segments of 0 to 6 rows.
fn rising(rows: usize) -> Vec<i32> {
    let mut id = 0;
    let next = |row: usize| {
        id += [0, 0, 1, 0, 0, 0, 3, 1][row % 8];
        id
    };
    (0..rows).map(next).collect()
}

fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::Half => 3e-3,
        DType::Double => 1e-13,
        DType::Float => 3e-6,
        _ => 0.0,
    }
}

const FLOATS: [DType; 3] = [DType::Float, DType::Half, DType::Double];
const INTEGERS: [DType; 8] =
    [DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64];

#[test]
fn neighbours_become_one() {
    for shape in [&[40, 3][..], &[9], &[200, 2, 5], &[1, 70], &[3, 0], &[300, 260]] {
        let ids = Tensor::from(rising(shape[0]));
        for index in [DType::Int32, DType::Int64] {
            let ids = cast(&ids, index);
            for dtype in FLOATS {
                for op in ["SegmentSum", "SegmentMean", "SegmentMin", "SegmentMax"] {
                    check(op, &[&halves(dtype, shape), &ids], &[], tolerance(dtype));
                }
                check("SegmentProd", &[&halves(dtype, shape), &ids], &[], tolerance(dtype));
            }
        }
        for dtype in INTEGERS {
            for op in ["SegmentSum", "SegmentProd", "SegmentMin", "SegmentMax"] {
                check(op, &[&numbers(dtype, shape), &ids], &[], 0.0);
            }
        }
    }
}

#[test]
fn long_segments_are_shared() {
    let ids: Vec<i32> = (0..5000).map(|row| if row < 3000 { 0 } else { 2 }).collect();
    for width in [1, 3, 40] {
        let data = halves(DType::Float, &[5000, width]);
        for op in ["SegmentSum", "SegmentMean", "SegmentMin", "SegmentMax"] {
            check(op, &[&data, &ids.clone().into()], &[], 1e-5);
        }
    }
}

#[test]
fn infinite_elements_and_no_rows() {
    let (inf, none) = (f32::INFINITY, Tensor::from_slice::<i32>(&[]));
    for op in ["SegmentSum", "SegmentMean", "SegmentMin", "SegmentMax", "SegmentProd"] {
        check(op, &[&[-inf, inf, 1.0].into(), &[0, 2, 2].into()], &[], 0.0);
        check(op, &[&Tensor::zeros(DType::Float, [0, 3]).unwrap(), &none], &[], 0.0);
    }
}

#[test]
fn wrong_ids_are_errors_or_left_out() {
    for (ids, message) in [(vec![0, 0], "2 elements for 3 rows"), (vec![0, 0, -1], "must be >= 0 and not fall")] {
        let error = on_gpu("SegmentSum", &[&[1.0f32, 2.0, 3.0].into(), &ids.into()], &[]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // Rows that do not exist, and segments.
    let inputs = [&[1.0f32, 2.0].into(), &[0, -1, 2, 1].into(), &[0, 0, 0, 5].into(), &2.into()];
    let sums = on_gpu("SparseSegmentSumWithNumSegments", &inputs, &[]).unwrap();
    assert_eq!(sums[0].as_slice::<f32>().unwrap(), [1.0, 0.0]);
    let inputs = [&[1.0f32, 2.0].into(), &[0, -1, 2, 1].into(), &[0, 0, 0, 5].into(), &2.into()];
    let sums = on_gpu("SparseSegmentSumGrad", &inputs, &[]).unwrap();
    assert_eq!(sums[0].as_slice::<f32>().unwrap(), [1.0, 0.0]);
    let bins = on_gpu("Bincount", &[&[1, -1, 5, 1].into(), &3.into(), &Tensor::from_slice::<f32>(&[])], &[]).unwrap();
    assert_eq!(bins[0].as_slice::<f32>().unwrap(), [0.0, 2.0, 0.0]);
}

#[test]
fn picked_rows_become_one() {
    for shape in [&[20, 3][..], &[15], &[8, 40]] {
        let rows: Vec<i32> = (0..50).map(|at| ((at * 29 + at / 3) % shape[0]) as i32).collect();
        let ids = rising(50);
        let count = ids[49] + 3;
        let (rows, ids): (Tensor, Tensor) = (rows.into(), ids.into());
        for (index, id) in [(DType::Int32, DType::Int32), (DType::Int64, DType::Int32), (DType::Int32, DType::Int64)] {
            for dtype in FLOATS {
                let inputs = [&halves(dtype, shape), &cast(&rows, index), &cast(&ids, id), &count.into()];
                for op in ["SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"] {
                    check(op, &inputs[..3], &[], tolerance(dtype));
                    check(&format!("{op}WithNumSegments"), &inputs, &[], tolerance(dtype));
                }
            }
        }
    }
}

#[test]
fn gradients_of_picked_rows() {
    let rows: Vec<i32> = (0..50).map(|at| (at * 29 + at / 3) % 20).collect();
    let (rows, ids): (Tensor, Tensor) = (rows.into(), rising(50).into());
    let segments = *rising(50).last().unwrap() as usize + 1;
    for (dtype, tolerance) in [(DType::Float, 1e-5), (DType::Half, 3e-3)] {
        for (index, id) in [(DType::Int32, DType::Int32), (DType::Int64, DType::Int64)] {
            let grad = halves(dtype, &[segments, 7]);
            let inputs = [&grad, &cast(&rows, index), &cast(&ids, id), &23.into()];
            for op in ["SparseSegmentSumGrad", "SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad"] {
                check(op, &inputs, &[], tolerance);
            }
        }
    }
}

#[test]
fn extrema_in_any_order() {
    let ids: Vec<i32> = (0..60).map(|at| (at * 29 + at / 3) % 9 - 1).collect();
    for dtype in FLOATS.into_iter().chain(INTEGERS) {
        let data = if FLOATS.contains(&dtype) { halves(dtype, &[60, 5]) } else { numbers(dtype, &[60, 5]) };
        for op in ["UnsortedSegmentMax", "UnsortedSegmentMin"] {
            check(op, &[&data, &ids.clone().into(), &10.into()], &[], 0.0);
        }
    }
}

#[test]
fn counts() {
    let values: Vec<i32> = (0..200).map(|at| (at * 29 + at / 3) % 13).collect();
    let matrix = Tensor::from_vec([20, 10], values.clone()).unwrap();
    for dtype in [DType::Float, DType::Double, DType::Int32, DType::Int64] {
        let none = Tensor::zeros(dtype, [0]).unwrap();
        for weights in [&none, &numbers(dtype, &[200])] {
            check("Bincount", &[&values.clone().into(), &11.into(), weights], &[], 0.0);
        }
        for weights in [&none, &numbers(dtype, &[20, 10])] {
            for binary in [false, true] {
                let attrs: [(&str, AttrValue); 1] = [("binary_output", binary.into())];
                check("DenseBincount", &[&matrix, &11.into(), weights], &attrs, 0.0);
                let long = cast(&matrix, DType::Int64);
                check("DenseBincount", &[&long, &11i64.into(), weights], &attrs, 0.0);
            }
        }
    }
}
