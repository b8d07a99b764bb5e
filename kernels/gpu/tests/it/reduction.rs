//! The kernels of `reduction`.

use oplink::element::{bf16, f16};
use oplink::{AttrValue, DType, Element, Tensor};

use crate::support::{check, on_cpu, on_gpu};

/// Small numbers, halves among them, in an order that shows misplaced elements.
fn numbers(shape: &[usize]) -> Tensor {
    let count = shape.iter().product::<usize>();
    Tensor::from_vec(shape, (0..count).map(|i| ((i * 37 + 11) % 101) as f32 * 0.5 - 20.0).collect()).unwrap()
}

pub(crate) fn cast(tensor: &Tensor, to: DType) -> Tensor {
    on_cpu("Cast", &[tensor], &[("DstT", AttrValue::Type(to))]).unwrap().remove(0)
}

fn axes(axes: &[i32]) -> Tensor {
    Tensor::from_slice(axes)
}

/// What a dtype tells apart, as far as sums of many numbers go.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::Half => 2e-3,
        DType::Double => 1e-13,
        _ => 2e-6,
    }
}

/// Shapes with axes for each pattern: rows, columns, both sides, alternating, nothing, all, with parts and without.
const CASES: &[(&[usize], &[&[i32]])] = &[
    (&[5, 7, 3, 2], &[&[0], &[1], &[2], &[3], &[0, 2], &[1, 3], &[-1, 0], &[0, 1, 2, 3], &[]]),
    (&[2, 1, 3, 2, 1, 2, 3], &[&[0, 3, 6], &[2, 5], &[0, 2, 5]]),
    (&[2; 8], &[&[0, 2, 4, 6], &[1, 3, 5, 7]]),
    (&[300, 1000], &[&[0], &[1], &[0, 1]]),
    (&[20_000, 3], &[&[0], &[1]]),
    (&[2, 9000, 5], &[&[1], &[0, 2]]),
    (&[70_001], &[&[0]]),
    (&[40_000, 2], &[&[1], &[0]]),
];

#[test]
fn sums_over_every_pattern_of_axes() {
    for (shape, all) in CASES {
        let input = numbers(shape);
        for list in *all {
            for op in ["Sum", "Mean", "EuclideanNorm", "Max", "Min"] {
                check(op, &[&input, &axes(list)], &[], 2e-6);
            }
            let small = cast(&numbers(shape), DType::Int64);
            check("Sum", &[&small, &axes(list)], &[("keep_dims", true.into())], 0.0);
        }
    }
}

#[test]
fn dtypes() {
    let shape = [3, 130, 4];
    for dtype in [DType::Float, DType::Half, DType::Double, DType::Int64] {
        let input = cast(&numbers(&shape), dtype);
        for list in [&[1][..], &[0, 2], &[0, 1, 2]] {
            for op in ["Sum", "Max", "Min"] {
                check(op, &[&input, &axes(list)], &[], tolerance(dtype));
            }
            if dtype != DType::Int64 {
                check("Mean", &[&input, &axes(list)], &[], tolerance(dtype));
                check("EuclideanNorm", &[&input, &axes(list)], &[], tolerance(dtype));
            }
        }
    }
    let ones = Tensor::full([3000], f16::ONE);
    let sum = on_gpu("Sum", &[&ones, &axes(&[0])], &[]).unwrap();
    assert_eq!(sum[0].to_scalar::<f16>().unwrap(), f16::from_f32(3000.0), "summed in single precision");
}

/// Factors about 1 whose products stay small in whatever order they are taken.
fn factor(index: usize) -> f32 {
    let bits = (index as u32).wrapping_mul(2_654_435_761) >> 20;
    if bits & 1 == 0 { 1.0625 } else { -0.9375 }
}

#[test]
fn products() {
    for (shape, list) in [(&[6, 5, 4][..], &[1][..]), (&[6, 5, 4], &[0, 2]), (&[3000], &[0])] {
        let count: usize = shape.iter().product();
        let values: Vec<f32> = (0..count).map(factor).collect();
        let input = Tensor::from_vec(shape, values).unwrap();
        for dtype in [DType::Float, DType::Half, DType::Double] {
            check("Prod", &[&cast(&input, dtype), &axes(list)], &[], 5e-2);
        }
        check("Prod", &[&input, &axes(list)], &[], 2e-4);
        let small = cast(&Tensor::full(shape, 3.0_f32), DType::Int64);
        check("Prod", &[&small, &axes(list)], &[], 0.0);
    }
}

#[test]
fn nan_and_infinities() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    for place in [0, 1, 33, 299] {
        let mut values = vec![1.0_f32; 300];
        values[place] = nan;
        let row = Tensor::from(values);
        for op in ["Max", "Min", "Sum", "Mean", "Prod", "EuclideanNorm"] {
            for shape in [[300, 1], [1, 300], [100, 3]] {
                let input = row.clone().with_shape(shape).unwrap();
                check(op, &[&input, &axes(&[0])], &[], 1e-5);
                check(op, &[&input, &axes(&[1])], &[], 1e-5);
            }
        }
    }
    for values in [[inf, -inf, 0.0], [-inf; 3], [inf; 3]] {
        for op in ["Max", "Min", "Sum"] {
            check(op, &[&values.into(), &axes(&[0])], &[], 0.0);
        }
    }
}

#[test]
fn nothing_to_reduce() {
    for shape in [&[0, 2][..], &[2, 0], &[2, 0, 3]] {
        let input = Tensor::zeros(DType::Float, shape).unwrap();
        for op in ["Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"] {
            check(op, &[&input, &axes(&[0])], &[], 0.0);
            check(op, &[&input, &axes(&[1])], &[("keep_dims", true.into())], 0.0);
        }
    }
    for list in [&[][..], &[0, -1]] {
        let truth = Tensor::zeros(DType::Bool, [0, 3]).unwrap();
        check("All", &[&truth, &axes(list)], &[], 0.0);
        check("Any", &[&truth, &axes(list)], &[], 0.0);
    }
}

#[test]
fn shape_arithmetic_stays_on_the_host() {
    for op in ["Sum", "Prod", "Max", "Min"] {
        check(op, &[&[2, 3, 5].into(), &axes(&[0])], &[], 0.0);
        let out = on_gpu(op, &[&[2, 3, 5].into(), &axes(&[0])], &[]).unwrap();
        assert_eq!(out[0].dtype(), DType::Int32);
    }
}

#[test]
fn truth() {
    for (shape, list) in [
        (&[4, 300][..], &[1][..]),
        (&[300, 7], &[0]),
        (&[9, 5, 3], &[1]),
        (&[9, 5, 3], &[]),
        (&[70_000], &[0]),
        (&[3, 30_000], &[1]),
    ] {
        let count: usize = shape.iter().product();
        for bit in [|i: usize| i % 50 != 7, |i: usize| i % 600 == 599, |_: usize| true, |_: usize| false] {
            let input = Tensor::from_vec(shape, (0..count).map(bit).collect::<Vec<bool>>()).unwrap();
            check("All", &[&input, &axes(list)], &[], 0.0);
            check("Any", &[&input, &axes(list)], &[("keep_dims", true.into())], 0.0);
        }
    }
}

#[test]
fn wrong_axes_are_errors() {
    for (list, message) in [(&[2][..], "axis 2 is outside"), (&[1, -1], "names axis 1 twice")] {
        let error = on_gpu("Sum", &[&numbers(&[2, 3]), &axes(list)], &[]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

fn arg_extrema<T: Element + Copy>(shape: &[usize], values: Vec<T>) {
    let input = Tensor::from_vec(shape, values).unwrap();
    for axis in 0..shape.len() as i32 {
        for to in [DType::Int32, DType::Int64] {
            for op in ["ArgMax", "ArgMin"] {
                check(op, &[&input, &axis.into()], &[("output_type", to.into())], 0.0);
            }
        }
    }
}

#[test]
fn positions_of_the_first_extrema() {
    for shape in [&[5, 7, 3][..], &[300, 20], &[20, 300], &[3, 5000], &[5000, 3], &[1, 1]] {
        let count: usize = shape.iter().product();
        arg_extrema(shape, (0..count).map(|i| ((i * 37 + 5) % 19) as f32).collect());
        arg_extrema(shape, (0..count).map(|i| f16::from_f32(((i * 31) % 7) as f32)).collect());
        arg_extrema(shape, (0..count).map(|i| ((i * 37) % 23) as i32 - 11).collect());
        arg_extrema(shape, (0..count).map(|i| ((i * 37) % 23) as i64 - 11).collect());
        arg_extrema(shape, (0..count).map(|i| ((i * 37) % 23) as f64 - 11.0).collect());
    }
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    for row in
        [[nan, 1.0, 2.0], [1.0, 2.0, nan], [nan; 3], [-inf, nan, 0.0], [-inf; 3], [inf; 3], [f32::MIN, f32::MAX, 0.0]]
    {
        arg_extrema(&[3], row.to_vec());
        arg_extrema(&[3, 2], row.iter().flat_map(|&x| [x, x]).collect());
    }
    let error = on_gpu("ArgMax", &[&Tensor::zeros(DType::Float, [0, 2]).unwrap(), &0.into()], &[]).unwrap_err();
    assert!(error.to_string().contains("is empty"), "{error}");
}

const WAYS: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

fn scans(op: &str, input: &Tensor, tolerance: f64) {
    for axis in 0..input.rank() as i32 {
        for (exclusive, reverse) in WAYS {
            let attrs = [("exclusive", exclusive.into()), ("reverse", reverse.into())];
            check(op, &[input, &axis.into()], &attrs, tolerance);
        }
    }
}

#[test]
fn running_sums() {
    for shape in [&[4][..], &[3, 5, 4], &[2, 300], &[300, 2], &[3, 5000], &[1, 20_000, 2], &[5000, 20], &[0, 3]] {
        scans("Cumsum", &cast(&numbers(shape), DType::Int64), 0.0);
        scans("Cumsum", &numbers(shape), 1e-4);
        scans("Cumsum", &cast(&cast(&numbers(shape), DType::Double), DType::Int32), 0.0);
    }
    scans("Cumsum", &cast(&numbers(&[3, 40]), DType::Half), 2e-3);
    scans("Cumsum", &cast(&numbers(&[3, 100]), DType::Double), 1e-12);
}

#[test]
fn running_products_and_logarithms() {
    for shape in [&[9][..], &[3, 200], &[200, 3], &[6000]] {
        let count: usize = shape.iter().product();
        let values: Vec<f32> = (0..count).map(factor).collect();
        scans("Cumprod", &Tensor::from_vec(shape, values.clone()).unwrap(), 1e-3);
        scans("Cumprod", &cast(&Tensor::from_vec(shape, values).unwrap(), DType::Double), 1e-11);
        scans("CumulativeLogsumexp", &numbers(shape), 1e-5);
    }
    scans("CumulativeLogsumexp", &cast(&numbers(&[3, 100]), DType::Half), 2e-3);
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    for row in [[1.0, nan, 2.0, inf], [1.0, inf, 2.0, -inf], [-inf, -inf, 1.0, 90.0], [-200.0, 100.0, 0.0, 3.0]] {
        scans("CumulativeLogsumexp", &row.into(), 1e-6);
        scans("CumulativeLogsumexp", &Tensor::from_vec([400], row.repeat(100)).unwrap(), 1e-5);
    }
}

#[test]
fn brain_floats_are_for_cuda() {
    let ones = Tensor::full([300], bf16::ONE);
    match on_gpu("Sum", &[&ones, &axes(&[0])], &[]) {
        Ok(sum) => assert_eq!(sum[0].to_scalar::<bf16>().unwrap(), bf16::from_f32(300.0)),
        Err(error) => assert!(error.to_string().contains("Sum"), "{error}"),
    }
}

#[test]
fn sums_do_not_change_from_run_to_run() {
    let values: Vec<f32> = (0..300_000).map(|i| (i as f32 * 0.37).sin() * 1e3).collect();
    let input = Tensor::from(values);
    let sum = || on_gpu("Sum", &[&input, &axes(&[0])], &[]).unwrap()[0].to_scalar::<f32>().unwrap();
    assert_eq!(sum().to_bits(), sum().to_bits());
    check("Sum", &[&input, &axes(&[0])], &[], 1e-2);
}
