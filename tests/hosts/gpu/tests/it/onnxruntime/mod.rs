//! Custom ops for the execution provider of CUDA, with an ONNX Runtime that is made up.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod ort;

use std::cell::RefCell;
use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::{Arc, Once, PoisonError};

use oplink_abi::onnxruntime::{MEMORY_TYPE_CPU_INPUT, OrtCustomOp, dtype};
use oplink_host_gpu_tests::PLUGIN;
use oplink_host_gpu_tests::gpu::Gpu;
use oplink_host_onnxruntime::register;

use ort::{BASE, Construction, OPS, Place, Registered, Run, Value, text_of};

/// What is registered for an op and the execution provider of CUDA, or for the CPU.
fn registered(name: &str, is_on_gpu: bool) -> Vec<&'static OrtCustomOp> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // SAFETY: no function that is made up reads the options.
        let status = unsafe { register(&PLUGIN, ptr::without_provenance_mut(8), &raw const BASE) };
        assert!(status.is_null(), "the plugin registers");
    });
    let ops = OPS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let of = |op: &Registered| {
        // SAFETY: what is registered lives as long as the process; texts are terminated.
        unsafe {
            let named = CStr::from_ptr(((*op.0).get_name?)(op.0)).to_str() == Ok(name);
            let provider = ((*op.0).get_execution_provider_type?)(op.0);
            let on_gpu = !provider.is_null();
            assert!(!on_gpu || CStr::from_ptr(provider) == c"CUDAExecutionProvider");
            (named && on_gpu == is_on_gpu).then(|| &*op.0)
        }
    };
    ops.iter().filter_map(of).collect()
}

/// The op for inputs of this element type.
fn op_of(name: &str, input: c_int) -> &'static OrtCustomOp {
    // SAFETY: what is registered takes its own address.
    let takes = |op: &&&OrtCustomOp| unsafe {
        (0..op.get_input_type_count.unwrap()(**op)).any(|at| op.get_input_type.unwrap()(**op, at) == input)
    };
    registered(name, true).iter().find(takes).unwrap_or_else(|| panic!("{name} is not registered for {input}"))
}

/// Makes a kernel and runs it once; the outputs, or why it failed.
fn call(op: &'static OrtCustomOp, construction: &Construction, run: &mut Run) -> Result<Vec<Value>, String> {
    let (api, mut kernel) = (ptr::null(), ptr::null_mut());
    let outcome = |status: *mut oplink_host_onnxruntime::OrtStatus| {
        // SAFETY: a status that nobody took.
        unsafe { text_of(status.cast()) }.map_or(Ok(()), Err)
    };
    // SAFETY: the op is registered, the construction and the run are alive.
    unsafe {
        outcome(op.create_kernel_v2.unwrap()(op, api, ptr::from_ref(construction).cast(), &raw mut kernel))?;
        let computed = outcome(op.kernel_compute_v2.unwrap()(kernel, ptr::from_mut(run).cast()));
        op.kernel_destroy.unwrap()(kernel);
        computed?;
    }
    Ok(run.outputs.borrow_mut().drain(..).map(|output| *output.expect("an output")).collect())
}

fn construction(inputs: usize, outputs: usize) -> Construction {
    Construction { inputs, outputs, floats: Vec::new(), strings: Vec::new() }
}

fn run(gpu: &Arc<Gpu>, inputs: Vec<Value>, promised: &[c_int]) -> Run {
    let outputs = RefCell::new(promised.iter().map(|_| None).collect());
    Run { gpu: gpu.clone(), inputs, promised: promised.to_vec(), outputs }
}

fn on_gpu(gpu: &Gpu, dims: &[i64], values: &[f32]) -> Value {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    Value { dtype: dtype::FLOAT, dims: dims.to_vec(), place: Place::Gpu(Arc::new(gpu.upload(&bytes))) }
}

fn floats(gpu: &Gpu, value: &Value) -> Vec<f32> {
    let count = value.dims.iter().product::<i64>() as usize;
    let Place::Gpu(memory) = &value.place else { panic!("an output is on the CPU") };
    let bytes = gpu.download(memory);
    bytes.as_chunks::<4>().0.iter().take(count).map(|bytes| f32::from_ne_bytes(*bytes)).collect()
}

#[test]
fn kernels_run_on_the_providers_stream() {
    let gpu = Arc::new(Gpu::new());
    let x = || on_gpu(&gpu, &[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let scaled = Construction { floats: vec![("scale", 0.5)], ..construction(1, 1) };
    let made = call(op_of("Scale", dtype::FLOAT), &scaled, &mut run(&gpu, vec![x()], &[dtype::FLOAT])).unwrap();
    assert_eq!((made[0].dims.as_slice(), floats(&gpu, &made[0])), (&[2, 2][..], vec![0.5, 1.0, 1.5, 2.0]));
    let op = op_of("RowSum", dtype::FLOAT);
    let made = call(op, &construction(1, 1), &mut run(&gpu, vec![x()], &[dtype::FLOAT])).unwrap();
    assert_eq!(floats(&gpu, &made[0]), [3.0, 7.0]);
    let op = op_of("PassAll", dtype::FLOAT);
    let two = || vec![x(), on_gpu(&gpu, &[1], &[9.0])];
    let made = call(op, &construction(2, 2), &mut run(&gpu, two(), &[dtype::FLOAT; 2])).unwrap();
    assert_eq!(floats(&gpu, &made[1]), [9.0]);
}

#[test]
fn inputs_that_kernels_read_on_the_host_stay_there() {
    let (gpu, op) = (Arc::new(Gpu::new()), op_of("FillLike", dtype::FLOAT));
    // SAFETY: what is registered takes its own address.
    let places = unsafe { [0, 1].map(|at| op.get_input_memory_type.unwrap()(op, at)) };
    assert_eq!(places, [MEMORY_TYPE_CPU_INPUT, 0]);
    let dims = Value { dtype: dtype::INT32, dims: vec![2], place: Place::Host(Arc::new(vec![(3 << 32) | 2])) };
    let inputs = vec![dims, on_gpu(&gpu, &[], &[1.5])];
    let made = call(op, &construction(2, 2), &mut run(&gpu, inputs, &[dtype::FLOAT, dtype::INT32])).unwrap();
    assert_eq!((made[0].dims.as_slice(), floats(&gpu, &made[0])), (&[2, 3][..], vec![1.5; 6]));
    assert_eq!(floats(&gpu, &made[1])[0].to_bits(), 6);
}

#[test]
fn only_what_has_kernels_for_gpus_is_registered_for_them() {
    assert!(registered("CpuOnly", true).is_empty() && registered("CpuOnly", false).len() == 1);
    assert!(registered("ScaleGrad", true).is_empty() && !registered("ScaleGrad", false).is_empty());
    // Double has a kernel of the CPU alone.
    assert_eq!((registered("Scale", true).len(), registered("Scale", false).len()), (2, 3));
}

#[test]
fn what_is_wrong_is_a_status() {
    let gpu = Arc::new(Gpu::new());
    let x = || on_gpu(&gpu, &[2], &[1.0, 2.0]);
    let failing = |how| Construction { strings: vec![("fails", how)], ..construction(1, 1) };
    let text = |how| {
        let op = op_of("Failing", dtype::FLOAT);
        call(op, &failing(how), &mut run(&gpu, vec![x()], &[dtype::FLOAT])).unwrap_err()
    };
    assert!(text("panic").contains("the kernel of Failing for GPUs panicked"), "{}", text("panic"));
    assert!(text("launch").contains("launching [1, 1, 1] blocks"), "{}", text("launch"));
    let sum = op_of("Sum2", dtype::FLOAT);
    let text = call(sum, &construction(2, 1), &mut run(&gpu, vec![x()], &[dtype::FLOAT])).unwrap_err();
    assert!(text.contains("an input is missing"), "{text}");
    let text = call(sum, &construction(2, 3), &mut run(&gpu, vec![x(), x()], &[dtype::FLOAT])).unwrap_err();
    assert!(text.contains("has 3 outputs, its attrs make 1"), "{text}");
}
