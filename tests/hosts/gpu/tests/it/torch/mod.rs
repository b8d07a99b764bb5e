//! Boxed kernels of PyTorch's dispatch key CUDA, with a libtorch that is made up.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod libtorch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Once, PoisonError};

use oplink_abi::torch::{StableIValue, dtype};
use oplink_host_gpu_tests::gpu::Gpu;
use oplink_host_gpu_tests::{LIBRARIES, PLUGIN};
use oplink_host_torch::{TorchPlugin, register};

use libtorch::{FakeTensor, KERNELS, Storage, Thrown, with_stream};

static TORCH: TorchPlugin = TorchPlugin::new(&PLUGIN, LIBRARIES);

/// A value of a call.
enum Value {
    Tensor(FakeTensor),
    Tensors(Vec<FakeTensor>),
    Float(f64),
    Text(&'static str),
}

impl Value {
    fn raw(self) -> StableIValue {
        let boxed = |pointer: *mut ()| pointer.expose_provenance() as u64;
        match self {
            Self::Tensor(tensor) => tensor.into_value(),
            Self::Tensors(all) => {
                let all: Vec<_> = all.into_iter().map(FakeTensor::into_value).collect();
                boxed(Box::into_raw(Box::new(all)).cast())
            }
            Self::Float(value) => value.to_bits(),
            Self::Text(text) => boxed(Box::into_raw(Box::new(text.to_owned())).cast()),
        }
    }
}

/// Calls the kernel of a dispatch key; the outputs, or what was thrown.
fn call(key: &str, op: &str, inputs: Vec<Value>, outputs: usize) -> Result<Vec<StableIValue>, String> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| assert!(register(&TORCH).is_null(), "the plugin registers"));
    let kernel = {
        let kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kernels.as_ref().and_then(|kernels| kernels.get(&(key.to_owned(), op.to_owned())).copied());
        found.unwrap_or_else(|| panic!("{op} has no kernel for {key}"))
    };
    let count = inputs.len() as u64;
    let mut stack: Vec<StableIValue> = inputs.into_iter().map(Value::raw).collect();
    stack.resize(stack.len().max(outputs), 0);
    let stack_place = stack.as_mut_ptr();
    // SAFETY: the stack has the inputs, and room for the outputs.
    let called = catch_unwind(AssertUnwindSafe(|| unsafe { kernel(stack_place, count, outputs as u64) }));
    match called {
        Ok(()) => Ok(stack[..outputs].to_vec()),
        Err(thrown) => Err(thrown.downcast::<Thrown>().expect("what PyTorch throws").0),
    }
}

fn row_major(sizes: &[i64]) -> Vec<i64> {
    (0..sizes.len()).map(|axis| sizes[axis + 1..].iter().map(|&size| size.max(1)).product()).collect()
}

fn on_gpu(gpu: &Gpu, sizes: &[i64], values: &[f32]) -> FakeTensor {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    let storage = Storage::Gpu(Arc::new(gpu.upload(&bytes)));
    FakeTensor {
        sizes: sizes.to_vec(),
        strides: row_major(sizes),
        dtype: dtype::FLOAT32,
        storage,
        offset: 0,
        device: 0,
    }
}

fn on_cpu(sizes: &[i64], dtype: i32, bytes: &[u8]) -> FakeTensor {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    });
    let storage = Storage::Host(Arc::new(words.chain([0]).collect()));
    FakeTensor { sizes: sizes.to_vec(), strides: row_major(sizes), dtype, storage, offset: 0, device: 0 }
}

/// The bytes of an output, which is taken.
fn taken(gpu: &Gpu, value: StableIValue) -> (Vec<i64>, Vec<u8>) {
    // SAFETY: the value is an output that nobody took.
    let tensor = unsafe { FakeTensor::of_value(value) };
    let length = tensor.bytes();
    match &tensor.storage {
        Storage::Gpu(memory) => (tensor.sizes.clone(), gpu.download(memory)[..length].to_vec()),
        Storage::Host(_) => panic!("an output is on the CPU"),
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect()
}

#[test]
fn kernels_run_on_the_current_stream() {
    for gpu in [Arc::new(Gpu::new()), Arc::new(Gpu::of_default_stream())] {
        with_stream(&gpu, || {
            let x = on_gpu(&gpu, &[2, 2], &[1.0, 2.0, 3.0, 4.0]);
            let made = call("CUDA", "scale", vec![Value::Tensor(x.clone()), Value::Float(0.5)], 1).unwrap();
            let (sizes, bytes) = taken(&gpu, made[0]);
            assert_eq!((sizes, floats(&bytes)), (vec![2, 2], vec![0.5, 1.0, 1.5, 2.0]));
            let made = call("CUDA", "next", vec![Value::Tensor(x.clone())], 1).unwrap();
            assert_eq!(floats(&taken(&gpu, made[0]).1), [2.0, 3.0, 4.0, 5.0]);
            let Storage::Gpu(memory) = &x.storage else { panic!("on the GPU") };
            assert_eq!(floats(&gpu.download(memory)), [1.0, 2.0, 3.0, 4.0], "the input stays as it is");
        });
    }
}

#[test]
fn tensors_with_strides_are_gathered_first() {
    let gpu = Arc::new(Gpu::new());
    with_stream(&gpu, || {
        let whole: Vec<f32> = (0..12).map(|at| at as f32).collect();
        let mut x = on_gpu(&gpu, &[3, 4], &whole);
        // The transpose of columns 1 and 2.
        (x.sizes, x.strides, x.offset) = (vec![2, 3], vec![1, 4], 4);
        let made = call("CUDA", "row_sum", vec![Value::Tensor(x)], 1).unwrap();
        let (sizes, bytes) = taken(&gpu, made[0]);
        assert_eq!((sizes, floats(&bytes)), (vec![2], vec![1.0 + 5.0 + 9.0, 2.0 + 6.0 + 10.0]));
    });
}

#[test]
fn shapes_and_scalars_may_be_on_the_cpu() {
    let gpu = Arc::new(Gpu::new());
    with_stream(&gpu, || {
        let dims: Vec<u8> = [2_i32, 3].iter().flat_map(|dim| dim.to_ne_bytes()).collect();
        let dims = on_cpu(&[2], dtype::INT32, &dims);
        let x = on_gpu(&gpu, &[], &[7.5]);
        let made = call("CUDA", "fill_like", vec![Value::Tensor(dims), Value::Tensor(x)], 2).unwrap();
        let (sizes, bytes) = taken(&gpu, made[0]);
        assert_eq!((sizes, floats(&bytes)), (vec![2, 3], vec![7.5; 6]));
        assert_eq!(taken(&gpu, made[1]).1, 6_i32.to_ne_bytes());
        // Scalars go to the GPU by themselves, as for PyTorch's own ops.
        let (x, one) = (on_gpu(&gpu, &[2], &[1.0, 2.0]), on_cpu(&[], dtype::FLOAT32, &1.5_f32.to_ne_bytes()));
        let made = call("CUDA", "sum2", vec![Value::Tensor(x), Value::Tensor(one)], 1).unwrap();
        assert_eq!(floats(&taken(&gpu, made[0]).1), [2.5, 3.5]);
    });
}

#[test]
fn lists_go_in_and_out() {
    let gpu = Arc::new(Gpu::new());
    with_stream(&gpu, || {
        let inputs = vec![on_gpu(&gpu, &[1], &[1.0]), on_gpu(&gpu, &[2], &[2.0, 3.0])];
        let made = call("CUDA", "pass_all", vec![Value::Tensors(inputs)], 1).unwrap();
        // SAFETY: the output is a list that nobody took.
        let list =
            unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<Vec<StableIValue>>(made[0] as usize)) };
        let all: Vec<_> = list.iter().map(|&value| floats(&taken(&gpu, value).1)).collect();
        assert_eq!(all, [vec![1.0], vec![2.0, 3.0]]);
    });
}

#[test]
fn what_is_wrong_is_thrown() {
    let gpu = Arc::new(Gpu::new());
    with_stream(&gpu, || {
        let x = || on_gpu(&gpu, &[2], &[1.0, 2.0]);
        let refused = |op: &str, inputs: Vec<Value>, part: &str| {
            let text = call("CUDA", op, inputs, 1).unwrap_err();
            assert!(text.contains(part), "no `{part}` in: {text}");
        };
        refused("cpu_only", vec![Value::Tensor(x())], "CpuOnly has no kernel for GPUs: move its inputs to the CPU");
        let inputs = vec![
            Value::Tensor(x()),
            Value::Tensor(x()),
            Value::Tensor(x()),
            Value::Float(1.0),
            Value::Tensors(Vec::new()),
        ];
        refused("scale_grad", inputs, "ScaleGrad has no kernel for GPUs");
        let other = FakeTensor { device: 1, ..x() };
        refused("sum2", vec![Value::Tensor(x()), Value::Tensor(other)], "on cuda:0 and on cuda:1");
        let host = on_cpu(&[2], dtype::FLOAT32, &[0; 8]);
        refused("sum2", vec![Value::Tensor(x()), Value::Tensor(host)], "input 1 of Sum2 lies on the CPU");
        let double = FakeTensor { dtype: dtype::FLOAT64, sizes: vec![1], strides: vec![1], ..x() };
        refused("scale", vec![Value::Tensor(double), Value::Float(1.0)], "no kernel for GPUs for inputs of double");
        refused("failing", vec![Value::Tensor(x()), Value::Text("panic")], "panicked: a kernel of 2 elements");
        let text = call("CPU", "cpu_only", vec![Value::Tensor(x())], 1).unwrap_err();
        assert!(text.contains("works in host memory, the tensor is on another device"), "{text}");
    });
}
