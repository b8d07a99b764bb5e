//! Diagonals and bands of matrices: the kernels of `array::diagonals`.

use oplink::{AttrValue, DType, Shape, Tensor};

use crate::reduction::cast;
use crate::support::{check, on_cpu, on_gpu};

/// Elements of 1, 2, 4, 8 and 16 bytes.
const DTYPES: [DType; 6] = [DType::UInt8, DType::Half, DType::Float, DType::Int64, DType::Double, DType::Complex128];

/// Numbers that tell elements apart.
fn numbers(dtype: DType, shape: &[usize]) -> Tensor {
    let count: usize = shape.iter().product();
    cast(&Tensor::from_vec(Shape::new(shape), (0..count).map(|at| (at % 250) as f32 + 1.0).collect()).unwrap(), dtype)
}

const SHAPES: [&[usize]; 6] = [&[4, 4], &[2, 3, 5], &[3, 2, 7, 4], &[5, 1], &[0, 3, 3], &[1, 9]];
const ALIGNS: [&str; 4] = ["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"];

#[test]
fn main_diagonals() {
    for dtype in DTYPES {
        for shape in SHAPES {
            let input = numbers(dtype, shape);
            check("MatrixDiagPart", &[&input], &[], 0.0);
            check("MatrixDiag", &[&input], &[], 0.0);
            let [batch @ .., rows, columns] = shape else { unreachable!("matrices") };
            let length = *rows.min(columns);
            let diagonal = numbers(dtype, &[batch, &[length]].concat());
            check("MatrixSetDiag", &[&input, &diagonal], &[], 0.0);
        }
    }
}

#[test]
fn tensors_on_diagonals() {
    for dtype in [DType::Half, DType::Float, DType::Int64, DType::Complex128] {
        for shape in [&[5][..], &[2, 3], &[0, 2], &[1, 2, 2]] {
            let diagonal = numbers(dtype, shape);
            check("Diag", &[&diagonal], &[], 0.0);
            check("DiagPart", &[&numbers(dtype, &[shape, shape].concat())], &[], 0.0);
        }
    }
}

#[test]
fn bands_of_diagonals() {
    for dtype in DTYPES {
        let padding = cast(&Tensor::scalar(77.0f32), dtype);
        for shape in [&[4, 4][..], &[2, 3, 5], &[3, 2, 7, 4]] {
            let input = numbers(dtype, shape);
            for k in [[0, 0], [1, 1], [-1, -1], [-1, 1], [0, 2], [-2, 0], [1, 2]] {
                let bounds: Tensor = k.into();
                check("MatrixDiagPartV2", &[&input, &bounds, &padding], &[], 0.0);
                for align in ALIGNS {
                    let attrs: [(&str, AttrValue); 1] = [("align", align.into())];
                    let inputs = [&input, &bounds, &padding];
                    check("MatrixDiagPartV3", &inputs, &attrs, 0.0);
                    let taken = on_cpu("MatrixDiagPartV3", &inputs, &attrs).unwrap().remove(0);
                    let least: Tensor = (-1).into();
                    check("MatrixDiagV3", &[&taken, &bounds, &least, &least, &padding], &attrs, 0.0);
                    let zeros = cast(&Tensor::zeros(DType::Float, input.shape().clone()).unwrap(), dtype);
                    check("MatrixSetDiagV3", &[&zeros, &taken, &bounds], &attrs, 0.0);
                }
            }
        }
    }
    let error = on_gpu("MatrixDiagPartV2", &[&numbers(DType::Float, &[2, 2]), &4.into(), &0.0f32.into()], &[]);
    assert!(error.unwrap_err().to_string().contains("have no diagonal 4"));
}

#[test]
fn bands_that_stay() {
    for dtype in DTYPES {
        for shape in SHAPES {
            let input = numbers(dtype, shape);
            for (lower, upper) in [(0i64, 0i64), (1, 0), (0, -1), (-1, 1), (-1, -1)] {
                let upper = upper.min(shape[shape.len() - 1] as i64);
                check("MatrixBandPart", &[&input, &lower.into(), &upper.into()], &[], 0.0);
            }
        }
    }
}
