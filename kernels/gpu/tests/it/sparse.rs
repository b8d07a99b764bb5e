//! The kernels of `sparse`.

use oplink::{DType, Tensor};

use crate::reduction::cast;
use crate::support::{check, on_gpu};

#[test]
fn products_of_sparse_and_dense_matrices() {
    let coordinates = vec![0i64, 1, 3, 0, 1, 4, 0, 1, 3, 3, 2, 2, 1, 0];
    let at = Tensor::from_vec([7, 2], coordinates).unwrap();
    let values = Tensor::from_slice(&[1.0f32, -2.0, 0.5, 3.0, 4.0, -0.25, 7.0]);
    let dense = |rows: usize, columns: usize| {
        let values = (0..rows * columns).map(|i| ((i * 37 + 5) % 23) as f32 * 0.25 - 2.0).collect::<Vec<f32>>();
        Tensor::from_vec([rows, columns], values).unwrap()
    };
    for (adjoint_a, adjoint_b) in [(false, false), (true, false), (false, true), (true, true)] {
        let attrs = [("adjoint_a", adjoint_a.into()), ("adjoint_b", adjoint_b.into())];
        let inner = if adjoint_a { 4 } else { 5 };
        let b = if adjoint_b { dense(6, inner) } else { dense(inner, 6) };
        for (dtype, tolerance) in [(DType::Float, 1e-6), (DType::Half, 2e-3)] {
            for index in [DType::Int64, DType::Int32] {
                let inputs = [&cast(&at, index), &cast(&values, dtype), &[4i64, 5].into(), &cast(&b, dtype)];
                check("SparseTensorDenseMatMul", &inputs, &attrs, tolerance);
            }
        }
    }
    let none = Tensor::zeros(DType::Int64, [0, 2]).unwrap();
    let inputs = [&none, &Tensor::from_slice::<f32>(&[]), &[4i64, 5].into(), &dense(5, 3)];
    check("SparseTensorDenseMatMul", &inputs, &[], 0.0);
}

#[test]
fn what_is_outside_is_left_out() {
    let at = Tensor::from_vec([4, 2], vec![0i64, 0, 2, 0, 0, -1, 1 << 32, 0]).unwrap();
    let inputs =
        [&at, &[1.0f32, 2.0, 4.0, 8.0].into(), &[2i64, 1].into(), &Tensor::from_vec([1, 1], vec![3.0f32]).unwrap()];
    let product = on_gpu("SparseTensorDenseMatMul", &inputs, &[]).unwrap();
    assert_eq!(product[0].as_slice::<f32>().unwrap(), [3.0, 0.0]);
    let wrong = [&at, &[1.0f32; 4].into(), &[2i64, 3].into(), &Tensor::zeros(DType::Float, [2, 2]).unwrap()];
    let error = on_gpu("SparseTensorDenseMatMul", &wrong, &[]).unwrap_err().to_string();
    assert!(error.contains("they must be equal"), "{error}");
}
