//! The kernels of `linalg`.

use oplink::{AttrValue, DType, Tensor};

use crate::support::{check, on_gpu};

use super::reduction::cast;

fn matrix(shape: &[usize], step: usize) -> Tensor {
    let count = shape.iter().product::<usize>();
    Tensor::from_vec(shape, (0..count).map(|i| ((i * step + 3) % 17) as f32 * 0.125 - 1.0).collect()).unwrap()
}

fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::Half => 4e-3,
        DType::Double => 1e-12,
        _ => 1e-5,
    }
}

/// The shape [..., rows, columns], or [..., columns, rows].
fn stored(leading: &[usize], rows: usize, columns: usize, transposed: bool) -> Vec<usize> {
    let last = if transposed { [columns, rows] } else { [rows, columns] };
    leading.iter().copied().chain(last).collect()
}

const TRANSPOSES: [[bool; 2]; 4] = [[false, false], [true, false], [false, true], [true, true]];

#[test]
fn products_of_every_size() {
    for [rows, terms, columns] in [
        [1, 1, 1],
        [2, 3, 4],
        [16, 16, 16],
        [17, 33, 65],
        [64, 64, 64],
        [70, 5, 130],
        [1, 300, 100],
        [100, 300, 1],
        [3, 0, 5],
    ] {
        for [a, b] in TRANSPOSES {
            let x = matrix(&stored(&[], rows, terms, a), 5);
            let y = matrix(&stored(&[], terms, columns, b), 7);
            let attrs = [("transpose_a", a.into()), ("transpose_b", b.into())];
            for dtype in [DType::Float, DType::Half, DType::Double] {
                check("MatMul", &[&cast(&x, dtype), &cast(&y, dtype)], &attrs, tolerance(dtype));
            }
        }
    }
}

#[test]
fn a_large_product() {
    check("MatMul", &[&matrix(&[300, 400], 5), &matrix(&[400, 500], 7)], &[], 1e-4);
}

#[test]
fn batches_broadcast() {
    for (x, y) in [
        (&[3][..], &[3][..]),
        (&[3], &[]),
        (&[], &[3]),
        (&[4, 1], &[3]),
        (&[1, 3], &[4, 1]),
        (&[2, 1, 3, 1], &[1, 2, 1, 3]),
        (&[2, 3], &[2, 3]),
        (&[0], &[1]),
    ] {
        for [a, b] in TRANSPOSES {
            let left = matrix(&stored(x, 5, 20, a), 5);
            let right = matrix(&stored(y, 20, 7, b), 7);
            let attrs = [("adj_x", a.into()), ("adj_y", b.into())];
            check("BatchMatMulV2", &[&left, &right], &attrs, 1e-5);
            if x == y {
                check("BatchMatMul", &[&left, &right], &attrs, 1e-5);
            }
            let [left, right] = [&left, &right].map(|side| cast(side, DType::Double));
            let attrs = [("adj_x", a.into()), ("adj_y", b.into()), ("Tout", DType::Double.into())];
            check("BatchMatMulV3", &[&left, &right], &attrs, 1e-12);
        }
    }
}

#[test]
fn shapes_that_do_not_fit_are_errors() {
    let error = on_gpu("MatMul", &[&matrix(&[2, 3], 1), &matrix(&[2, 3], 1)], &[]).unwrap_err().to_string();
    assert!(error.contains('2') && error.contains('3'), "{error}");
    on_gpu("BatchMatMul", &[&matrix(&[2, 1, 2], 1), &matrix(&[1, 2, 1], 1)], &[]).unwrap_err();
}

/// Those that fused ops end with.
pub(crate) const ACTIVATIONS: [&str; 10] =
    ["Relu", "Relu6", "LeakyRelu", "Elu", "Tanh", "Sigmoid", "GeluApproximate", "GeluExact", "Swish", "HardSwish"];

#[test]
fn fused_steps() {
    let (a, b) = (matrix(&[33, 20], 5), matrix(&[20, 70], 7));
    let (bias, side) = (matrix(&[70], 3), matrix(&[33, 70], 11));
    for activation in ACTIVATIONS.map(Some).into_iter().chain([None]) {
        for has_side in [false, true] {
            let mut names = vec!["BiasAdd"];
            names.extend(has_side.then_some("Add"));
            names.extend(activation);
            let mut inputs = vec![&a, &b, &bias];
            inputs.extend(has_side.then_some(&side));
            let count = inputs.len() as i64 - 2;
            let attrs: [(&str, AttrValue); 2] = [("fused_ops", names.as_slice().into()), ("num_args", count.into())];
            check("_FusedMatMul", &inputs, &attrs, 2e-6);
            let halves: Vec<Tensor> = inputs.iter().map(|input| cast(input, DType::Half)).collect();
            check("_FusedMatMul", &halves.iter().collect::<Vec<_>>(), &attrs, 8e-3);
        }
    }
}

fn einsum(equation: &str, shapes: &[&[usize]]) {
    let inputs: Vec<Tensor> = shapes.iter().enumerate().map(|(i, shape)| matrix(shape, 5 + 2 * i)).collect();
    let attrs = [("equation", equation.into())];
    check("Einsum", &inputs.iter().collect::<Vec<_>>(), &attrs, 1e-5);
    let wide: Vec<Tensor> = inputs.iter().map(|input| cast(input, DType::Double)).collect();
    check("Einsum", &wide.iter().collect::<Vec<_>>(), &attrs, 1e-12);
}

#[test]
fn equations_of_one_operand() {
    for (equation, shape) in [
        ("ab->ba", &[2, 3][..]),
        ("abc->b", &[2, 3, 4]),
        ("aab->ba", &[3, 3, 2]),
        ("aa->", &[4, 4]),
        ("a->aa", &[3]),
        ("ab->aba", &[2, 3]),
        ("ab->bab", &[2, 3]),
        ("a->a", &[3]),
        ("ab->a", &[2, 0]),
        ("abcde->edcba", &[2, 3, 4, 2, 3]),
        ("i...->...", &[2, 3]),
    ] {
        einsum(equation, &[shape]);
    }
}

#[test]
fn equations_of_two_operands() {
    for (equation, a, b) in [
        ("abc,cde->abde", &[2, 3, 4][..], &[4, 2, 5][..]),
        ("aecd,abcd->acbe", &[2, 5, 3, 4], &[2, 6, 3, 4]),
        ("acbe,aecd->abcd", &[2, 3, 6, 5], &[2, 5, 3, 4]),
        ("ab,ab->ab", &[3, 4], &[3, 4]),
        ("ab,ab->a", &[3, 64], &[3, 64]),
        ("ab,ba->", &[3, 4], &[4, 3]),
        ("bij,bjk->ikb", &[2, 3, 4], &[2, 4, 5]),
        ("abc,cde->adbe", &[2, 3, 4], &[4, 2, 5]),
        ("ab,cd->acbd", &[2, 3], &[4, 5]),
        ("ab,cd->da", &[2, 3], &[4, 5]),
        ("abcd,dbe->ace", &[2, 3, 4, 5], &[5, 3, 6]),
        ("aab,bcc->ca", &[3, 3, 2], &[2, 4, 4]),
        ("a,b->aab", &[3], &[4]),
        ("a,a->", &[100], &[100]),
        ("b,bn->n", &[70], &[70, 200]),
        ("ab,bc->ac", &[2, 0], &[0, 3]),
        (",a->a", &[], &[3]),
        ("...ij,...jk->...ik", &[4, 1, 2, 3], &[5, 3, 2]),
    ] {
        einsum(equation, &[a, b]);
    }
}
