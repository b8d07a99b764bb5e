//! Handlers of JAX for the platform CUDA, with call frames of an XLA that is made up.

mod xla;

use oplink_api::prelude::f16;
use oplink_api::{DType, Shape, Tensor};
use oplink_host_gpu_tests::gpu::{self, Gpu};

use xla::{Attr, Call, Promised, call};

fn floats(shape: &[usize]) -> Tensor {
    let values: Vec<f32> = (0..shape.iter().product()).map(|at: usize| at as f32 * 0.25 - 3.0).collect();
    Tensor::from_slice(&values).with_shape(Shape::new(shape)).unwrap()
}

fn like(tensor: &Tensor) -> Promised {
    (tensor.dtype(), tensor.shape().iter().map(|&dim| dim as i64).collect())
}

/// The same on both platforms; what it is.
#[track_caller]
fn check(op: &str, inputs: &[Tensor], promised: &[Promised], attrs: &[Attr], gpu: &Gpu) -> Vec<Vec<u8>> {
    let on_cpu = call(op, inputs, promised, attrs, None).unwrap();
    let on_gpu = call(op, inputs, promised, attrs, Some(gpu)).unwrap();
    assert_eq!(on_gpu, on_cpu, "{op}");
    on_gpu
}

#[track_caller]
fn refused(op: &str, inputs: &[Tensor], promised: &[Promised], attrs: &[Attr], parts: &[&str]) {
    let text = call(op, inputs, promised, attrs, Some(&Gpu::new())).unwrap_err();
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in: {text}"));
}

#[test]
fn formulas_compute_as_on_the_cpu() {
    let gpu = Gpu::new();
    for shape in [&[5][..], &[3, 400], &[], &[0, 3]] {
        let x = floats(shape);
        check("Scale", std::slice::from_ref(&x), &[like(&x)], &[Attr::Float("scale", 0.5)], &gpu);
        check("Scale", std::slice::from_ref(&x), &[like(&x)], &[], &gpu);
        check("Less2", &[x.clone(), Tensor::scalar(0.5_f32)], &[(DType::Bool, like(&x).1)], &[], &gpu);
    }
    let halves = Tensor::from_slice(&[0.5, 1.5, -2.0].map(f16::from_f32));
    check("Scale", std::slice::from_ref(&halves), &[like(&halves)], &[], &gpu);
    let (x, y) = (floats(&[4, 1, 3]), floats(&[2, 1]));
    check("Sum2", &[x, y], &[(DType::Float, vec![4, 2, 3])], &[], &gpu);
}

#[test]
fn programs_over_a_grid_compute_as_on_the_cpu() {
    let gpu = Gpu::new();
    check("RowSum", &[floats(&[7, 130])], &[(DType::Float, vec![7])], &[], &gpu);
    // The input's memory is XLA's, and stays as it is.
    let x = floats(&[100]);
    check("Next", std::slice::from_ref(&x), &[like(&x)], &[], &gpu);
}

#[test]
fn values_of_shapes_come_over_the_stream() {
    let gpu = Gpu::new();
    let inputs = [Tensor::from_slice(&[3_i32, 50]), Tensor::scalar(2.5_f32)];
    let promised = [(DType::Float, vec![3, 50]), (DType::Int32, vec![])];
    let made = check("FillLike", &inputs, &promised, &[], &gpu);
    assert_eq!(made[1], 150_i32.to_ne_bytes());
    let x = Tensor::from_slice(&[4_i32, -5]);
    check("Triple", std::slice::from_ref(&x), &[like(&x)], &[], &gpu);
}

#[test]
fn lists_and_returned_inputs_are_copied() {
    let (x, y) = (floats(&[3]), floats(&[2, 2]));
    check("PassAll", &[x.clone(), y.clone()], &[like(&x), like(&y)], &[], &Gpu::new());
}

#[test]
fn each_call_is_on_the_stream_that_it_names() {
    let x = floats(&[1000]);
    let gpus = [Gpu::new(), Gpu::new(), Gpu::of_default_stream()];
    for gpu in gpus.iter().chain(&gpus) {
        check("Scale", std::slice::from_ref(&x), &[like(&x)], &[], gpu);
    }
}

#[test]
fn the_threads_context_is_as_before() {
    let (gpu, x) = (Gpu::new(), floats(&[10]));
    let stream = gpu.stream().addr();
    let other = std::thread::spawn(move || {
        assert!(!gpu::has_current());
        let call = Call { op: "CpuOnly", inputs: &[], promised: &[(DType::Float, vec![10])], attrs: &[] };
        // No memory is asked for, so that nothing else makes the context current.
        let text = call.refused_on(std::ptr::with_exposed_provenance_mut(stream));
        assert!(text.contains("takes 1 inputs") || text.contains("has no kernel for GPUs"), "{text}");
        gpu::has_current()
    });
    gpu.stream().expose_provenance();
    assert!(!other.join().unwrap());
    check("Scale", std::slice::from_ref(&x), &[like(&x)], &[], &gpu);
}

#[test]
fn an_op_without_a_kernel_for_gpus_says_so() {
    let (x, double) = (floats(&[2]), Tensor::from_slice(&[1.0_f64]));
    let parts = ["CpuOnly has no kernel for GPUs", "move its inputs to the CPU"];
    refused("CpuOnly", std::slice::from_ref(&x), &[like(&x)], &[], &parts);
    let parts = ["Scale has no kernel for GPUs for inputs of double"];
    refused("Scale", std::slice::from_ref(&double), &[like(&double)], &[], &parts);
    // Nor has an op for gradients, whose nodes may.
    let inputs = [x.clone(), x.clone(), x.clone()];
    assert_eq!(call("ScaleGrad", &inputs, &[like(&x)], &[], None).unwrap().len(), 1);
    refused("ScaleGrad", &inputs, &[like(&x)], &[], &["ScaleGrad has no kernel for GPUs"]);
}

#[test]
fn wrong_calls_are_errors() {
    let (x, ints) = (floats(&[2]), Tensor::from_slice(&[1_i32]));
    refused("RowSum", &[floats(&[2, 2])], &[(DType::Float, vec![3])], &[], &["made for float [3]"]);
    refused("RowSum", std::slice::from_ref(&ints), &[(DType::Float, vec![1])], &[], &["int32"]);
    refused("Scale", &[], &[like(&x)], &[], &["takes 1 inputs here, 0 are given"]);
    refused("Scale", std::slice::from_ref(&x), &[], &[], &["gives 1 outputs, the program was made for 0"]);
    refused("Scale", std::slice::from_ref(&x), &[like(&x)], &[Attr::Float("scael", 1.0)], &["no attr `scael`"]);
    let call = Call { op: "Scale", inputs: std::slice::from_ref(&x), promised: &[like(&x)], attrs: &[] };
    let gpu = Gpu::new();
    let text = call.on_gpu(&gpu, gpu.stream(), false).unwrap_err();
    assert!(text.contains("XLA gives no stream: the call is on no GPU"), "{text}");
}

#[test]
fn kernels_that_fail_say_what_failed_and_the_gpu_goes_on() {
    let x = floats(&[2]);
    let failing = |how, parts: &[&str]| {
        refused("Failing", std::slice::from_ref(&x), &[like(&x)], &[Attr::Text("fails", how)], parts);
    };
    failing("launch", &["launching [1, 1, 1] blocks of Failing by entry_of_test", "CUDA_ERROR_INVALID_VALUE"]);
    failing("text", &["does not compile it", "ops.rs:1"]);
    failing("panic", &["the kernel of Failing for GPUs panicked: a kernel of 2 elements"]);
    check("Failing", std::slice::from_ref(&x), &[like(&x)], &[Attr::Text("fails", "no")], &Gpu::new());
}

#[test]
fn a_tensor_that_a_kernel_kept_is_refused_later() {
    let (x, gpu) = (floats(&[2]), Gpu::new());
    let keep = || call("Failing", std::slice::from_ref(&x), &[like(&x)], &[Attr::Text("fails", "keeps")], Some(&gpu));
    keep().unwrap();
    let text = keep().unwrap_err();
    assert!(text.contains("is of another call, which is over"), "{text}");
}
