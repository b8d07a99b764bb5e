//! Poolings and their gradients.

use oplink::{AttrValue, DType, Tensor};

use super::{cast, check_first, numbers};
use crate::support::{check, on_cpu, on_gpu};

type Attrs = Vec<(&'static str, AttrValue)>;

fn attrs(ksize: [i64; 2], strides: [i64; 2], padding: &'static str) -> Attrs {
    vec![
        ("ksize", vec![1, ksize[0], ksize[1], 1].into()),
        ("strides", vec![1, strides[0], strides[1], 1].into()),
        ("padding", padding.into()),
    ]
}

fn cases() -> Vec<([usize; 4], Attrs)> {
    vec![
        ([2, 9, 8, 3], attrs([2, 2], [2, 2], "SAME")),
        ([1, 9, 8, 5], attrs([3, 2], [1, 2], "VALID")),
        ([2, 7, 9, 2], attrs([3, 3], [2, 1], "SAME")),
        ([1, 10, 7, 4], attrs([2, 1], [3, 3], "SAME")),
        ([1, 6, 6, 300], attrs([6, 6], [1, 1], "VALID")),
    ]
}

#[test]
fn maxima() {
    for (shape, attrs) in cases() {
        let input = numbers(&shape, 1);
        check("MaxPool", &[&input], &attrs, 0.0);
        check("MaxPool", &[&cast(&input, DType::Half)], &attrs, 0.0);
        check_first("MaxPool", &[&input], &[0], true, &attrs);
        let pooled = on_cpu("MaxPool", &[&input], &attrs).unwrap().remove(0);
        let gradient = numbers(pooled.shape(), 2);
        check("MaxPoolGrad", &[&input, &pooled, &gradient], &attrs, 1e-6);
        check_first("MaxPoolGrad", &[&input, &pooled, &gradient], &[0, 1, 2], true, &attrs);
    }
}

#[test]
fn maxima_with_explicit_padding() {
    let mut attrs = attrs([3, 3], [2, 2], "EXPLICIT");
    attrs.push(("explicit_paddings", vec![0, 0, 1, 2, 2, 0, 0, 0].into()));
    let input = numbers(&[1, 7, 8, 3], 5);
    check("MaxPool", &[&input], &attrs, 0.0);
    check_first("MaxPool", &[&input], &[0], true, &attrs);
}

#[test]
fn equal_values_and_nan() {
    let attrs = attrs([2, 2], [1, 1], "SAME");
    let values = [1.0f32, 1.0, f32::NAN, 1.0, 2.0, f32::NAN, 2.0, 2.0, f32::NEG_INFINITY];
    let input = Tensor::from_vec([1, 3, 3, 1], values.to_vec()).unwrap();
    check("MaxPool", &[&input], &attrs, 0.0);
    let pooled = on_cpu("MaxPool", &[&input], &attrs).unwrap().remove(0);
    check("MaxPoolGrad", &[&input, &pooled, &numbers(&[1, 3, 3, 1], 2)], &attrs, 1e-6);
}

#[test]
fn sizes_that_are_inputs() {
    let (size, strides) = (Tensor::from_slice(&[1, 2, 3, 1]), Tensor::from_slice(&[1, 2, 1, 1]));
    let padding = [("padding", "SAME".into())];
    let input = numbers(&[2, 5, 6, 3], 1);
    check("MaxPoolV2", &[&input, &size, &strides], &padding, 0.0);
    let pooled = on_cpu("MaxPoolV2", &[&input, &size, &strides], &padding).unwrap().remove(0);
    let gradient = numbers(pooled.shape(), 2);
    check("MaxPoolGradV2", &[&input, &pooled, &gradient, &size, &strides], &padding, 1e-6);
}

#[test]
fn means() {
    for (shape, attrs) in cases() {
        let input = numbers(&shape, 1);
        check("AvgPool", &[&input], &attrs, 1e-6);
        check("AvgPool", &[&cast(&input, DType::Half)], &attrs, 1e-3);
        check_first("AvgPool", &[&input], &[0], true, &attrs);
        let gradient = numbers(on_cpu("AvgPool", &[&input], &attrs).unwrap()[0].shape(), 2);
        let sizes = Tensor::from_slice(&shape.map(|extent| extent as i32));
        check("AvgPoolGrad", &[&sizes, &gradient], &attrs, 1e-6);
    }
}

fn volumes() -> Vec<([usize; 5], Attrs)> {
    let attrs = |ksize: [i64; 3], strides: [i64; 3], padding: &'static str| -> Attrs {
        let along = |[planes, rows, columns]: [i64; 3]| vec![1, planes, rows, columns, 1].into();
        vec![("ksize", along(ksize)), ("strides", along(strides)), ("padding", padding.into())]
    };
    vec![
        ([2, 5, 6, 7, 3], attrs([2, 2, 2], [2, 2, 2], "SAME")),
        ([1, 6, 5, 8, 2], attrs([3, 2, 1], [1, 2, 3], "VALID")),
        ([1, 7, 9, 4, 5], attrs([3, 3, 3], [2, 1, 2], "SAME")),
    ]
}

#[test]
fn volumes_are_pooled() {
    for (shape, attrs) in volumes() {
        let input = numbers(&shape, 1);
        check("MaxPool3D", &[&input], &attrs, 0.0);
        check("AvgPool3D", &[&input], &attrs, 1e-6);
        let pooled = on_cpu("MaxPool3D", &[&input], &attrs).unwrap().remove(0);
        let gradient = numbers(pooled.shape(), 2);
        check("MaxPool3DGrad", &[&input, &pooled, &gradient], &attrs, 1e-6);
        let sizes = Tensor::from_slice(&shape.map(|extent| extent as i32));
        check("AvgPool3DGrad", &[&sizes, &gradient], &attrs, 1e-6);
    }
}

#[test]
fn volumes_with_the_channels_first_and_of_half_precision() {
    for (shape, attrs) in volumes() {
        let input = numbers(&shape, 3);
        let channels_first = |tensor: &Tensor, order: [i32; 5]| {
            on_cpu("Transpose", &[tensor, &Tensor::from_slice(&order)], &[]).unwrap().remove(0)
        };
        let moved: Attrs = attrs
            .iter()
            .map(|(name, value)| match value {
                AttrValue::Ints(v) => (*name, vec![v[0], v[4], v[1], v[2], v[3]].into()),
                other => (*name, other.clone()),
            })
            .chain([("data_format", "NCDHW".into())])
            .collect();
        for op in ["MaxPool3D", "AvgPool3D"] {
            let cpu = on_cpu(op, &[&input], &attrs).unwrap().remove(0);
            let gpu = on_gpu(op, &[&channels_first(&input, [0, 4, 1, 2, 3])], &moved).unwrap().remove(0);
            let (gpu, half) =
                (channels_first(&gpu, [0, 2, 3, 4, 1]), on_gpu(op, &[&cast(&input, DType::Half)], &attrs));
            let half =
                on_cpu("Cast", &[&half.unwrap()[0]], &[("DstT", AttrValue::Type(DType::Float))]).unwrap().remove(0);
            for (tensor, tolerance) in [(gpu, 1e-6), (half, 1e-3)] {
                let pairs = tensor.as_slice::<f32>().unwrap().iter().zip(cpu.as_slice::<f32>().unwrap());
                assert!(pairs.into_iter().all(|(gpu, cpu)| (gpu - cpu).abs() <= tolerance), "{op} {attrs:?}");
            }
        }
    }
}
