//! The kernels of `training`: two steps on the GPU against two steps on the CPU.

use oplink::{AttrValue, DType, PartialShape, Shape, Tensor};

use super::state::OnGpu;
use super::support::{on_cpu, on_gpu};

const COUNT: usize = 59 * 17;

fn values(seed: usize, dtype: DType) -> Tensor {
    let values: Vec<f32> = (0..COUNT).map(|at| ((at * 37 + seed * 101) % 211) as f32 / 211.0 + 0.01).collect();
    cast(Tensor::from_slice(&values), dtype)
}

fn cast(tensor: Tensor, dtype: DType) -> Tensor {
    on_cpu("Cast", &[&tensor], &[("DstT", AttrValue::Type(dtype))]).unwrap().remove(0)
}

/// A variable on the CPU.
pub(crate) fn handle_on_cpu(name: &str, value: &Tensor) -> Tensor {
    let attrs = [
        ("shared_name", name.into()),
        ("dtype", AttrValue::Type(value.dtype())),
        ("shape", AttrValue::Shape(PartialShape::unknown())),
    ];
    let handle = on_cpu("VarHandleOp", &[], &attrs).unwrap().remove(0);
    on_cpu("AssignVariableOp", &[&handle, value], &[]).unwrap();
    handle
}

/// Checks an optimiser with `slots` variables, whose gradient is input `gradient`, and whose scalars are these in
/// order.
#[track_caller]
fn check_steps(op: &str, slots: usize, gradient: usize, scalars: &[f32], attrs: &[(&str, AttrValue)]) {
    check_steps_of(op, slots, gradient, scalars, attrs, &[COUNT], None);
}

/// As [`check_steps`], of rows that are named several times, by the input after the gradient.
#[track_caller]
fn check_rows(op: &str, slots: usize, gradient: usize, scalars: &[f32], attrs: &[(&str, AttrValue)]) {
    let rows: Vec<i64> = (0..COUNT as i64 / 17).map(|at| at * 5 % 13).collect();
    check_steps_of(op, slots, gradient, scalars, attrs, &[COUNT / 17, 17], Some(&Tensor::from_slice(&rows)));
}

#[track_caller]
fn check_steps_of(
    op: &str,
    slots: usize,
    gradient: usize,
    scalars: &[f32],
    attrs: &[(&str, AttrValue)],
    shape: &[usize],
    rows: Option<&Tensor>,
) {
    let values = |seed: usize, dtype: DType| values(seed, dtype).with_shape(Shape::new(shape)).unwrap();
    for (dtype, tolerance) in [(DType::Float, 1e-5), (DType::Half, 2e-2)] {
        let name = |slot: usize, place: &str| format!("{op} {attrs:?} {dtype} {slot} {place}");
        let on_device: Vec<OnGpu> =
            (0..slots).map(|slot| OnGpu::new(&name(slot, "gpu"), &values(slot, dtype))).collect();
        let on_host: Vec<Tensor> =
            (0..slots).map(|slot| handle_on_cpu(&name(slot, "cpu"), &values(slot, dtype))).collect();
        for step in 0..2 {
            let mut rest: Vec<Tensor> = scalars.iter().map(|&value| cast(Tensor::scalar(value), dtype)).collect();
            rest.insert(gradient - slots, values(17 + step, dtype));
            if let Some(rows) = rows {
                rest.insert(gradient - slots + 1, rows.clone());
            }
            let inputs: Vec<&Tensor> = on_device.iter().map(OnGpu::handle).chain(&rest).collect();
            on_gpu(op, &inputs, attrs).unwrap();
            let inputs: Vec<&Tensor> = on_host.iter().chain(&rest).collect();
            on_cpu(op, &inputs, attrs).unwrap();
        }
        for (slot, (device, host)) in on_device.iter().zip(&on_host).enumerate() {
            let host = on_cpu("ReadVariableOp", &[host], &[("dtype", AttrValue::Type(dtype))]).unwrap().remove(0);
            let host = cast(host, DType::Float);
            for (at, (device, host)) in device.values(dtype).iter().zip(host.as_slice::<f32>().unwrap()).enumerate() {
                let near = (device - host).abs() <= tolerance * host.abs().max(1.0);
                assert!(near, "{op} of {dtype}: variable {slot}, element {at}: GPU {device}, CPU {host}");
            }
        }
    }
}

#[test]
fn steps_along_the_gradient() {
    check_steps("ResourceApplyGradientDescent", 1, 2, &[0.1], &[]);
    for nesterov in [false, true] {
        let attrs = [("use_nesterov", AttrValue::Bool(nesterov))];
        check_steps("ResourceApplyMomentum", 2, 3, &[0.1, 0.9], &attrs);
        check_steps("ResourceApplyKerasMomentum", 2, 3, &[0.1, 0.9], &attrs);
    }
}

#[test]
fn steps_scaled_by_squares() {
    for update in [false, true] {
        let attrs = [("update_slots", AttrValue::Bool(update))];
        check_steps("ResourceApplyAdagrad", 2, 3, &[0.1], &attrs);
        check_steps("ResourceApplyAdagradV2", 2, 4, &[0.1, 1e-3], &attrs);
    }
    check_steps("ResourceApplyAdadelta", 3, 6, &[0.1, 0.9, 1e-3], &[]);
    check_steps("ResourceApplyRMSProp", 3, 7, &[0.1, 0.9, 0.5, 1e-3], &[]);
    check_steps("ResourceApplyCenteredRMSProp", 4, 8, &[0.1, 0.9, 0.5, 1.0], &[]);
}

#[test]
fn steps_of_adam() {
    let scalars = [0.9, 0.99, 0.1, 0.9, 0.99, 1e-3];
    for nesterov in [false, true] {
        check_steps("ResourceApplyAdam", 3, 9, &scalars, &[("use_nesterov", AttrValue::Bool(nesterov))]);
    }
    check_steps("ResourceApplyAdamWithAmsgrad", 4, 10, &scalars, &[]);
    check_steps("ResourceApplyAdaMax", 3, 8, &[0.9, 0.1, 0.9, 0.99, 1e-3], &[]);
}

#[test]
fn steps_of_the_regularised_leader() {
    for scaled in [false, true] {
        let attrs = [("multiply_linear_by_lr", AttrValue::Bool(scaled))];
        for power in [-0.5, -0.7] {
            check_steps("ResourceApplyFtrl", 3, 3, &[0.1, 0.2, 0.3, power], &attrs);
            check_steps("ResourceApplyFtrlV2", 3, 3, &[0.1, 0.2, 0.3, 0.4, power], &attrs);
            check_rows("ResourceSparseApplyFtrl", 3, 3, &[0.1, 0.2, 0.3, power], &attrs);
            check_rows("ResourceSparseApplyFtrlV2", 3, 3, &[0.1, 0.2, 0.3, 0.4, power], &attrs);
        }
    }
}

#[test]
fn steps_of_rows() {
    for flag in [false, true] {
        let attrs = [("use_nesterov", AttrValue::Bool(flag))];
        check_rows("ResourceSparseApplyMomentum", 2, 3, &[0.1, 0.9], &attrs);
        check_rows("ResourceSparseApplyKerasMomentum", 2, 3, &[0.1, 0.9], &attrs);
        let attrs = [("update_slots", AttrValue::Bool(flag))];
        check_rows("ResourceSparseApplyAdagrad", 2, 3, &[0.1], &attrs);
        check_rows("ResourceSparseApplyAdagradV2", 2, 4, &[0.1, 1e-3], &attrs);
    }
    check_rows("ResourceSparseApplyAdadelta", 3, 6, &[0.1, 0.9, 1e-3], &[]);
    check_rows("ResourceSparseApplyRMSProp", 3, 7, &[0.1, 0.9, 0.5, 1e-3], &[]);
    check_rows("ResourceSparseApplyCenteredRMSProp", 4, 8, &[0.1, 0.9, 0.5, 1.0], &[]);
}
