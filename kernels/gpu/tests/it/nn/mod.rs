//! The kernels of `nn`.

mod activations;
mod channels;
mod convolutions;
mod fake_quant;
mod losses;
mod pools;
mod softmax;

use oplink::element::{bf16, f16};
use oplink::{AttrValue, DType, Tensor};

use crate::support::{on_cpu, on_gpu};

/// Numbers in -1..=1 without a pattern that sums would hide.
pub(crate) fn numbers(shape: &[usize], seed: u32) -> Tensor {
    let mut state = seed.wrapping_mul(2_654_435_769).wrapping_add(12_345);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    Tensor::from_vec(shape, (0..shape.iter().product()).map(|_| next()).collect()).expect("numbers")
}

/// The numbers as another float.
pub(crate) fn cast(tensor: &Tensor, dtype: DType) -> Tensor {
    let values = tensor.as_slice::<f32>().expect("f32");
    let shape = tensor.shape().clone();
    match dtype {
        DType::Half => Tensor::from_vec(shape, values.iter().map(|&v| f16::from_f32(v)).collect()),
        DType::BFloat16 => Tensor::from_vec(shape, values.iter().map(|&v| bf16::from_f32(v)).collect()),
        DType::Double => Tensor::from_vec(shape, values.iter().map(|&v| f64::from(v)).collect()),
        _ => Ok(tensor.clone()),
    }
    .expect("a cast")
}

fn transposed(tensor: &Tensor, order: [i32; 4]) -> Tensor {
    on_cpu("Transpose", &[tensor, &Tensor::from_slice(&order)], &[]).expect("a transposed tensor").remove(0)
}

/// Images `NHWC` as `NCHW`.
pub(crate) fn channels_first(tensor: &Tensor) -> Tensor {
    transposed(tensor, [0, 3, 1, 2])
}

/// Images `NCHW` as `NHWC`.
pub(crate) fn channels_last(tensor: &Tensor) -> Tensor {
    transposed(tensor, [0, 2, 3, 1])
}

/// Attrs over `NHWC` images for `NCHW` ones.
pub(crate) fn attrs_first(attrs: &[(&'static str, AttrValue)]) -> Vec<(&'static str, AttrValue)> {
    let moved = |name: &str, value: &AttrValue| match (name, value) {
        ("explicit_paddings", AttrValue::Ints(v)) if v.len() == 8 => {
            vec![v[0], v[1], v[6], v[7], v[2], v[3], v[4], v[5]].into()
        }
        ("strides" | "dilations" | "ksize", AttrValue::Ints(v)) => vec![v[0], v[3], v[1], v[2]].into(),
        _ => value.clone(),
    };
    let format = [("data_format", "NCHW".into())];
    attrs.iter().map(|(name, value)| (*name, moved(name, value))).chain(format).collect()
}

/// Holds what the GPU gives of `NCHW` images against what the CPU gives of the same images as `NHWC`: `images` are the
/// positions of the inputs that are images, and output 0 is one where `is_image`.
#[track_caller]
pub(crate) fn check_first(
    op: &str,
    inputs: &[&Tensor],
    images: &[usize],
    is_image: bool,
    attrs: &[(&'static str, AttrValue)],
) {
    let moved: Vec<Tensor> = inputs
        .iter()
        .enumerate()
        .map(|(index, input)| if images.contains(&index) { channels_first(input) } else { (*input).clone() })
        .collect();
    let gpu = on_gpu(op, &moved.iter().collect::<Vec<_>>(), &attrs_first(attrs)).expect("the GPU's");
    let cpu = on_cpu(op, inputs, attrs).expect("the CPU's");
    let gpu = if is_image { channels_last(&gpu[0]) } else { gpu[0].clone() };
    assert_eq!(gpu.shape(), cpu[0].shape(), "{op}");
    let pairs = gpu.as_slice::<f32>().expect("f32").iter().zip(cpu[0].as_slice::<f32>().expect("f32"));
    for (at, (gpu, cpu)) in pairs.enumerate() {
        assert!((gpu - cpu).abs() <= 1e-5 * cpu.abs().max(1.0), "{op}: element {at}: GPU {gpu}, CPU {cpu}; {attrs:?}");
    }
}
