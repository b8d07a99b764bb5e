//! Which tensors a matrix product takes.

use oplink::device::{MatMulSpec, MatrixLayout};
use oplink::{DType, Result, Tensor};

fn zeros(shape: &[usize]) -> Tensor {
    Tensor::zeros(DType::Float, shape.to_vec()).expect("zeros")
}

fn check(spec: MatMulSpec, shapes: [&[usize]; 3]) -> Result<()> {
    let [a, b, out] = shapes.map(zeros);
    spec.check(&a, &b, &out)
}

#[track_caller]
fn refused(spec: MatMulSpec, shapes: [&[usize]; 3], why: &str) {
    let message = check(spec, shapes).expect_err("a refusal").to_string();
    assert!(message.contains(why), "{message}");
}

#[test]
fn dense_products_fit_their_tensors_exactly() {
    for transposes in [[false, false], [true, false], [false, true], [true, true]] {
        let spec = MatMulSpec::dense(DType::Float, 3, [2, 5, 7], transposes);
        check(spec, [&[3, 2, 7], &[3, 7, 5], &[3, 2, 5]]).expect("dense");
        refused(spec, [&[3 * 2 * 7 - 1], &[3, 7, 5], &[3, 2, 5]], "`a`");
        refused(spec, [&[3, 2, 7], &[3 * 7 * 5 - 1], &[3, 2, 5]], "`b`");
        refused(spec, [&[3, 2, 7], &[3, 7, 5], &[3 * 2 * 5 - 1]], "`out`");
    }
}

#[test]
fn layouts_count_the_elements_they_reach() {
    let dense = MatMulSpec::dense(DType::Float, 2, [2, 3, 4], [false, false]);
    let one_for_all = MatMulSpec { b: MatrixLayout { batch_stride: 0, ..dense.b }, ..dense };
    check(one_for_all, [&[16], &[12], &[12]]).expect("one matrix for all");
    let last_rows = MatMulSpec { a: MatrixLayout { offset: 5, row_stride: 9, ..dense.a }, ..dense };
    // The last element: offset 5, one batch of 8, one row of 9, four columns.
    check(last_rows, [&[5 + 8 + 9 + 4], &[24], &[12]]).expect("gaps");
    refused(last_rows, [&[5 + 8 + 9 + 3], &[24], &[12]], "has 25 elements");
    let far = MatMulSpec { a: MatrixLayout { batch_stride: usize::MAX, ..dense.a }, batches: 3, ..dense };
    refused(far, [&[16], &[36], &[18]], "`a`");
}

/// As heads of attention are written: the first rows of all products, then the second ones.
#[test]
fn products_may_lie_beside_each_other() {
    let dense = MatMulSpec::dense(DType::Float, 2, [2, 3, 4], [false, false]);
    let beside = MatrixLayout { row_stride: 6, batch_stride: 3, ..dense.out };
    check(MatMulSpec { out: beside, ..dense }, [&[16], &[24], &[12]]).expect("apart");
    for shared in [MatrixLayout { row_stride: 5, ..beside }, MatrixLayout { batch_stride: 2, ..beside }] {
        refused(MatMulSpec { out: shared, ..dense }, [&[16], &[24], &[12]], "share");
    }
}

#[test]
fn products_that_share_elements_are_refused() {
    let dense = MatMulSpec::dense(DType::Float, 2, [2, 3, 4], [false, false]);
    let same = MatMulSpec { out: MatrixLayout { batch_stride: 5, ..dense.out }, ..dense };
    refused(same, [&[16], &[24], &[12]], "share");
    let narrow = MatMulSpec { out: MatrixLayout { row_stride: 2, ..dense.out }, ..dense };
    refused(narrow, [&[16], &[24], &[12]], "rows of 3 elements overlap");
    let other = MatMulSpec { dtype: DType::Half, ..dense };
    refused(other, [&[16], &[24], &[12]], "the tensor is float");
}

#[test]
fn nothing_to_do_fits_any_tensor() {
    for (batches, sizes) in [(0, [2, 3, 4]), (2, [0, 3, 4]), (2, [2, 0, 4])] {
        let spec = MatMulSpec::dense(DType::Float, batches, sizes, [false, false]);
        check(spec, [&[16], &[24], &[0]]).expect("empty");
    }
    check(MatMulSpec::dense(DType::Float, 2, [2, 3, 0], [false, false]), [&[0], &[0], &[12]]).expect("no terms");
}
