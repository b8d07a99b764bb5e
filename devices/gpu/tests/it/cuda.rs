//! What only CUDA has: products by its library, programs of CUDA C++, times.

use std::path::Path;
use std::sync::Arc;

use oplink::device::ScalarValue::U32;
use oplink::device::{
    DeviceContext, DeviceProgram, MatMulSpec, MatrixLayout, ProgramArg, ProgramParam, copy_to_host_blocking,
};
use oplink::{Code, DType, Result, Shape, Tensor};
use oplink_core::{Device, DeviceOptions};
use oplink_device_gpu::{CudaDeviceContext, FACTORY};

use crate::process::run;
use crate::support::{LOCATION, check_message};

/// Runs a test on the first GPU, which must be one of CUDA.
pub(crate) fn on_cuda(test: impl FnOnce(&CudaDeviceContext) -> Result<()>) -> Result<()> {
    let devices: Vec<Arc<dyn Device>> = (FACTORY.create)(&DeviceOptions::default())?;
    let context = devices.first().and_then(|device| device.context());
    test(context.and_then(|context| context.as_any().downcast_ref()).expect("no GPU by CUDA was found"))
}

const fn program(cuda: &'static str, params: &'static [ProgramParam]) -> DeviceProgram {
    let (name, entry, block) = ("Test by main", "entry_of_test", [64, 1, 1]);
    DeviceProgram { name, entry, cuda, wgsl: "", params, block, needs: &[], location: LOCATION }
}

pub(crate) static DOUBLE: DeviceProgram = program(
    "extern \"C\" __global__ void entry_of_test(const float* x, float* y, unsigned int count) {
         unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
         if (i < count) y[i] = 2.0f * x[i];
     }",
    &[ProgramParam::Input(DType::Float), ProgramParam::Output(DType::Float), ProgramParam::Scalar(DType::UInt32)],
);

static WRONG: DeviceProgram = program(
    "extern \"C\" __global__ void entry_of_test(float* y) { y[0] = absent; }",
    &[ProgramParam::Output(DType::Float)],
);

static ASTRAY: DeviceProgram = program(
    "extern \"C\" __global__ void entry_of_test(float* y) { y[1ull << 38] = 1.0f; }",
    &[ProgramParam::Output(DType::Float)],
);

#[test(Cuda)]
fn programs_run_and_take_time() -> Result<()> {
    on_cuda(|context| {
        let host: Vec<f32> = (0_u16..1000).map(f32::from).collect();
        let x = context.copy_to_device(&Tensor::from_slice(&host))?;
        let y = context.allocate(DType::Float, Shape::from(vec![1000]))?;
        let args = [ProgramArg::Buffer(&x), ProgramArg::Buffer(&y), ProgramArg::Scalar(U32(1000))];
        let time = context.time(|| context.launch(&DOUBLE, [16, 1, 1], &args))?;
        assert!(time.as_secs_f64() > 0.0 && time.as_secs_f64() < 10.0, "{time:?}");
        let there = copy_to_host_blocking(context, &y)?;
        assert!(there.as_slice::<f32>()?.iter().zip(&host).all(|(y, x)| *y == 2.0 * x));
        Ok(())
    })
}

#[test(Cuda)]
fn a_text_that_does_not_compile_is_told_and_the_device_goes_on() -> Result<()> {
    on_cuda(|context| {
        let y = context.allocate(DType::Float, Shape::from(vec![1]))?;
        let error = context.launch(&WRONG, [1, 1, 1], &[ProgramArg::Buffer(&y)]).expect_err("it does not compile");
        assert_eq!(error.code(), Code::Internal);
        assert!(error.message().contains("absent") && error.message().contains("tests/it/support.rs:7"), "{error}");
        context.synchronize()
    })
}

/// In a process of its own, for which the driver does nothing any more.
#[test(Cuda)]
fn a_kernel_that_fails_is_told_by_all_that_follows() -> Result<()> {
    const NAME: &str = "cuda::a_kernel_that_fails_is_told_by_all_that_follows";
    const VARIABLE: &str = "OPLINK_TEST_ASTRAY";
    on_cuda(|context| {
        if std::env::var_os(VARIABLE).is_none() {
            let (passed, text) = run(NAME, VARIABLE, Path::new("1"));
            assert!(passed, "{text}");
            return Ok(());
        }
        let host = Tensor::from_slice(&[1.0_f32]);
        let (x, y) = (context.copy_to_device(&host)?, context.copy_to_device(&host)?);
        context.launch(&ASTRAY, [1, 1, 1], &[ProgramArg::Buffer(&y)])?;
        let told = copy_to_host_blocking(context, &y).expect_err("the kernel failed");
        // Which call is the first to tell depends on how soon the kernel runs.
        let parts = ["GPU:0: ", " failed with CUDA_ERROR_ILLEGAL_ADDRESS: ", "start the program anew"];
        check_message(&told, Code::Internal, &parts);
        let refused = [
            context.synchronize(),
            context.allocate(DType::Float, Shape::from(vec![4 << 20])).map(drop),
            context.launch(&ASTRAY, [1, 1, 1], &[ProgramArg::Buffer(&y)]),
            context.copy_to_device(&host).map(drop),
            context.copy_in_device(&x).map(drop),
            copy_to_host_blocking(context, &x).map(drop),
        ];
        for refused in refused {
            check_message(&refused.expect_err("the GPU does nothing"), Code::Internal, &["CUDA_ERROR_ILLEGAL_ADDRESS"]);
        }
        Ok(())
    })
}

/// Small integers, which every float type has, as elements of `dtype`.
fn integers(dtype: DType, count: usize, seed: usize) -> Result<Tensor> {
    let values = (0..count).map(|at| ((at * 7919 + seed) % 9) as f32 - 4.0);
    let bytes: Vec<u8> = match dtype {
        DType::Float => values.flat_map(f32::to_ne_bytes).collect(),
        // The upper half of an f32 is a bf16.
        _ => values.flat_map(|value| ((value.to_bits() >> 16) as u16).to_ne_bytes()).collect(),
    };
    Tensor::from_bytes(dtype, [count], &bytes)
}

fn floats(tensor: &Tensor) -> Result<Vec<f32>> {
    let bytes = tensor.as_bytes()?;
    Ok(match tensor.dtype() {
        DType::Float => bytes.chunks_exact(4).map(|x| f32::from_ne_bytes([x[0], x[1], x[2], x[3]])).collect(),
        _ => bytes.chunks_exact(2).map(|x| f32::from_bits(u32::from(u16::from_ne_bytes([x[0], x[1]])) << 16)).collect(),
    })
}

/// What the spec says, element by element; other elements of `out` stay.
fn product(spec: &MatMulSpec, a: &[f32], b: &[f32], out: &mut [f32]) {
    let at = |layout: MatrixLayout, batch: usize, row: usize, column: usize| {
        let (row, column) = if layout.transposed { (column, row) } else { (row, column) };
        layout.offset + batch * layout.batch_stride + row * layout.row_stride + column
    };
    for (batch, row) in (0..spec.batches).flat_map(|batch| (0..spec.rows).map(move |row| (batch, row))) {
        for column in 0..spec.columns {
            let terms = (0..spec.depth).map(|k| a[at(spec.a, batch, row, k)] * b[at(spec.b, batch, k, column)]);
            out[at(spec.out, batch, row, column)] = terms.sum();
        }
    }
}

fn check(context: &CudaDeviceContext, spec: &MatMulSpec) -> Result<()> {
    let [a, b, out] = [(1, 4000), (2, 4000), (3, 4000)].map(|(seed, count)| integers(spec.dtype, count, seed));
    let (a, b, out) = (a?, b?, out?);
    let mut expected = floats(&out)?;
    product(spec, &floats(&a)?, &floats(&b)?, &mut expected);
    let (a, b, out) = (context.copy_to_device(&a)?, context.copy_to_device(&b)?, context.copy_to_device(&out)?);
    // A machine without the library has nothing to compare.
    if let Some(enqueued) = context.matmul(spec, &a, &b, &out) {
        enqueued?;
        assert_eq!(floats(&copy_to_host_blocking(context, &out)?)?, expected, "{spec:?}");
    }
    Ok(())
}

#[test(Cuda)]
fn products_by_the_library_are_those_of_the_spec() -> Result<()> {
    on_cuda(|context| {
        for dtype in [DType::Float, DType::BFloat16] {
            for transposes in [[false, false], [true, false], [false, true], [true, true]] {
                check(context, &MatMulSpec::dense(dtype, 1, [16, 8, 24], transposes))?;
                let mut spec = MatMulSpec::dense(dtype, 3, [5, 7, 6], transposes);
                check(context, &spec)?;
                spec.a = MatrixLayout { offset: 11, row_stride: spec.a.row_stride + 3, batch_stride: 101, ..spec.a };
                spec.b = MatrixLayout { batch_stride: 0, ..spec.b };
                spec.out = MatrixLayout { offset: 2, row_stride: 9, batch_stride: 50, ..spec.out };
                check(context, &spec)?;
                // Each row beside the same row of the other products.
                spec.out = MatrixLayout { offset: 2, row_stride: 22, batch_stride: 7, ..spec.out };
                check(context, &spec)?;
            }
        }
        Ok(())
    })
}
