//! Slices put to places, and places found: `array::scatter`, `array::where_indices`, `reduction::segments`,
//! `state::scatter`.

use oplink::{AttrValue, DType, Shape, Tensor};
use oplink_graph::eager::EagerContext;

use super::state::OnGpu;
use super::support::{check, gpu, on_cpu, on_gpu};

/// Dtypes that are combined atomically, in order, in parts of words, and in two words.
const NUMBERS: [DType; 9] = [
    DType::Float,
    DType::Half,
    DType::Double,
    DType::Int8,
    DType::UInt16,
    DType::Int32,
    DType::UInt32,
    DType::Int64,
    DType::UInt64,
];

/// Small whole numbers in this shape, whose sums every dtype holds.
fn numbers(dtype: DType, shape: &[usize], seed: usize) -> Tensor {
    let count: usize = shape.iter().product();
    let values: Vec<f32> = (0..count).map(|at| ((at * 37 + seed * 11) % 7) as f32).collect();
    cast(&Tensor::from_vec(Shape::new(shape), values).unwrap(), dtype)
}

fn cast(tensor: &Tensor, dtype: DType) -> Tensor {
    on_cpu("Cast", &[tensor], &[("DstT", AttrValue::Type(dtype))]).unwrap().remove(0)
}

/// ScatterIndices below `extent`, most of them several times.
fn places(count: usize, extent: usize) -> Vec<i32> {
    (0..count).map(|at| ((at * 29 + at / 3) % extent) as i32).collect()
}

#[test]
fn slices_are_added_onto_zeros() {
    let joined = [DType::Bool, DType::BFloat16, DType::Complex64, DType::Complex128];
    for dtype in NUMBERS.into_iter().chain(joined).filter(|&dtype| dtype != DType::BFloat16) {
        let at = Tensor::from_vec([40, 1], places(40, 11)).unwrap();
        check("ScatterNd", &[&at, &numbers(dtype, &[40, 3], 1), &Tensor::from_slice(&[12, 3])], &[], 0.0);
        let at = cast(&Tensor::from_vec([20, 2], places(40, 4)).unwrap(), DType::Int64);
        check("ScatterNd", &[&at, &numbers(dtype, &[20], 2), &Tensor::from_slice(&[5_i64, 4])], &[], 0.0);
        let at = Tensor::from_vec([0, 1], Vec::<i32>::new()).unwrap();
        check("ScatterNd", &[&at, &numbers(dtype, &[0, 5], 3), &Tensor::from_slice(&[4, 5])], &[], 0.0);
    }
}

#[test]
fn slices_are_combined_with_a_tensor() {
    for dtype in NUMBERS {
        let at = Tensor::from_vec([90, 1], places(90, 17)).unwrap();
        let (tensor, updates) = (numbers(dtype, &[20, 5], 4), numbers(dtype, &[90, 5], 5));
        for op in ["Add", "Sub", "Max", "Min", "Update"] {
            check(&format!("TensorScatter{op}"), &[&tensor, &at, &updates], &[], 0.0);
        }
        check("ScatterNdNonAliasingAdd", &[&tensor, &at, &updates], &[], 0.0);
    }
    for dtype in [DType::Bool, DType::Complex64, DType::UInt8] {
        let at = cast(&Tensor::from_vec([9, 1], places(9, 6)).unwrap(), DType::Int64);
        let (tensor, updates) = (numbers(dtype, &[7, 3], 6), numbers(dtype, &[9, 3], 7));
        check("TensorScatterUpdate", &[&tensor, &at, &updates], &[], 0.0);
    }
}

#[test]
fn an_input_that_is_needed_elsewhere_stays_as_it_is() {
    let context = EagerContext::global().unwrap();
    let on_device = |values: &[f32]| {
        let input = Tensor::from_slice(values);
        context.call_on(gpu(), "Identity", &[&input], &[]).unwrap().values[0].clone()
    };
    let (tensor, updates) = (on_device(&[1.0, 2.0, 3.0]), on_device(&[5.0]));
    let at = Tensor::from_vec([1, 1], vec![1]).unwrap();
    let out = on_gpu("TensorScatterAdd", &[&tensor, &at, &updates], &[]).unwrap();
    assert_eq!(out[0].as_slice::<f32>().unwrap(), [1.0, 7.0, 3.0]);
    assert_eq!(context.to_host(&tensor).unwrap().as_slice::<f32>().unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn places_outside_are_left_out() {
    let at = Tensor::from_vec([3, 1], vec![1_i64, -1, 1 << 32]).unwrap();
    let out =
        on_gpu("ScatterNd", &[&at, &Tensor::from_slice(&[5.0_f32, 6.0, 7.0]), &Tensor::from_slice(&[3_i64])], &[]);
    assert_eq!(out.unwrap()[0].as_slice::<f32>().unwrap(), [0.0, 5.0, 0.0]);
}

#[test]
fn updates_that_do_not_fit_are_errors() {
    let at = Tensor::from_vec([2, 1], vec![0, 1]).unwrap();
    let error = on_gpu("ScatterNd", &[&at, &Tensor::from_slice(&[5.0_f32]), &Tensor::from_slice(&[3])], &[]);
    assert!(error.unwrap_err().to_string().contains("do not fit indices"));
}

#[test]
fn places_of_what_is_not_zero_are_found() {
    let all =
        NUMBERS.into_iter().chain([DType::Bool, DType::BFloat16, DType::UInt8, DType::Complex64, DType::Complex128]);
    for dtype in all {
        for shape in [&[3, 5, 7][..], &[9001], &[2, 5003], &[1, 1, 1, 4, 1, 1, 1, 3], &[], &[0, 3]] {
            check("Where", &[&numbers(dtype, shape, 8)], &[], 0.0);
        }
        check("Where", &[&on_cpu("ZerosLike", &[&numbers(dtype, &[4099], 0)], &[]).unwrap()[0]], &[], 0.0);
    }
    for dtype in [DType::Float, DType::Half, DType::BFloat16, DType::Double, DType::Complex128] {
        let odd = cast(&Tensor::from_slice(&[0.0_f32, -0.0, f32::NAN, f32::INFINITY, -1.0]), dtype);
        check("Where", &[&odd], &[], 0.0);
    }
}

#[test]
fn slices_are_joined_by_segment() {
    for dtype in NUMBERS {
        let mut ids = places(60, 11);
        (ids[4], ids[17]) = (-1, -5);
        let ids = Tensor::from_vec([20, 3], ids).unwrap();
        check("UnsortedSegmentSum", &[&numbers(dtype, &[20, 3, 4], 3), &ids, &Tensor::scalar(12)], &[], 0.0);
        let ids = Tensor::from_slice(&[3_i64, 0, 3, 1]);
        let few = numbers(dtype, &[4, 5], 1);
        check("UnsortedSegmentProd", &[&few, &ids, &Tensor::scalar(5_i64)], &[], 0.0);
        check("UnsortedSegmentSum", &[&few, &Tensor::scalar(2), &Tensor::scalar(3)], &[], 0.0);
    }
    let ids = Tensor::from_slice(&[1, 0, 1]);
    check("UnsortedSegmentSum", &[&numbers(DType::Complex64, &[3, 2], 3), &ids, &Tensor::scalar(2)], &[], 0.0);
}

/// Calls an op on a variable with this value on both devices, and compares what the variables hold then.
#[track_caller]
fn check_variable(op: &str, value: &Tensor, at: &Tensor, updates: &Tensor) {
    let (dtype, shape) = (value.dtype(), updates.shape());
    let name = format!("{op} {dtype} {shape}");
    let device = OnGpu::new(&format!("{name} gpu"), value);
    on_gpu(op, &[device.handle(), at, updates], &[]).unwrap();
    let handle = super::training::handle_on_cpu(&format!("{name} cpu"), value);
    on_cpu(op, &[&handle, at, updates], &[]).unwrap();
    let host = on_cpu("ReadVariableOp", &[&handle], &[("dtype", AttrValue::Type(dtype))]).unwrap().remove(0);
    assert_eq!(device.values(dtype), cast(&host, DType::Float).as_slice::<f32>().unwrap(), "{name}");
}

#[test]
fn rows_of_a_variable_are_changed() {
    for dtype in NUMBERS {
        let at = Tensor::from_vec([5, 3], places(15, 9)).unwrap();
        let value = numbers(dtype, &[10, 4], 9);
        let (rows, one) = (numbers(dtype, &[5, 3, 4], 10), numbers(dtype, &[1], 2).with_shape([]).unwrap());
        for op in ["Add", "Sub", "Mul", "Max", "Min", "Update"] {
            check_variable(&format!("ResourceScatter{op}"), &value, &at, &rows);
            check_variable(&format!("ResourceScatter{op}"), &value, &at, &one);
        }
    }
    let at = Tensor::from_slice(&[2, 0, 2]);
    check_variable("ResourceScatterDiv", &numbers(DType::Float, &[3, 2], 1), &at, &Tensor::full([3, 2], 2_f32));
    check_variable("ResourceScatterUpdate", &numbers(DType::Bool, &[3, 3], 1), &at, &numbers(DType::Bool, &[3, 3], 2));
}

#[test]
fn slices_of_a_variable_are_changed() {
    for dtype in NUMBERS {
        let at = Tensor::from_vec([8, 2], places(16, 3)).unwrap();
        let (value, slices) = (numbers(dtype, &[3, 4, 5], 3), numbers(dtype, &[8, 5], 4));
        for op in ["Add", "Sub", "Max", "Min", "Update"] {
            check_variable(&format!("ResourceScatterNd{op}"), &value, &at, &slices);
        }
    }
    let at = Tensor::from_slice(&[2, 0, 2]);
    check_variable("ResourceScatterNdAdd", &numbers(DType::Bool, &[4], 1), &at, &numbers(DType::Bool, &[3], 2));
}
