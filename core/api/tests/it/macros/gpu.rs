//! Kernels translated for GPUs: their descriptors and launches on a device that only notes them, and the same functions
//! on the host.

use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use super::*;
use oplink::device::{DeviceContext, DeviceProgram, ProgramArg, ProgramFeature, ScalarValue};
use oplink::gpu::{GpuForm, Launch, barrier, block_dim, block_index, grid_dim, shared, thread_index};
use oplink::tensor::Allocator;
use oplink::{KernelContext, KernelEnv, Shape};

/// The larger one.
#[op("ApiLarger", input = "x: T", input = "y: T", output = "z: T", attr = "T: {float, half, int32}",
     shape = shape_fns::broadcast_binary)]
pub struct ApiLarger;

#[kernel(ApiLarger, device = [CPU, GPU], T = [f32, f16, i32])]
pub(crate) fn larger<T: Real>(x: T, y: T) -> T {
    if x > y || x.is_nan_value() { x } else { y }
}

/// `x * slope` below 0.
#[op("ApiLeaky", input = "x: float", output = "y: bool", attr = "slope: float = 0.5", attr = "on: bool = true",
     shape = shape_fns::unchanged)]
pub struct ApiLeaky;

#[kernel(ApiLeaky, device = [CPU, GPU])]
pub(crate) fn leaky(x: f32, slope: f32, on: bool) -> bool {
    let y = if on && x < 0.0 { x * slope } else { x };
    y < -1.0
}

/// Sums of rows.
#[op("ApiRowSums", input = "x: T", output = "sums: T", attr = "T: {float, int32}", shape = row_sums_shape)]
pub struct ApiRowSums;

fn row_sums_shape(c: &mut ShapeContext) -> Result<()> {
    let rows = c.input(0).dim(0);
    c.set_output(0, [rows].into_iter().collect::<PartialShape>());
    Ok(())
}

#[kernel(ApiRowSums, device = GPU, T = [f32, i32], block = 64, launch = row_sums_launch)]
fn row_sums<T: Number>(x: &[T], sums: &mut [T], columns: u32) {
    let mut partial = shared::<T, 64>();
    let columns = columns as usize;
    for row in (block_index().x..sums.len()).step_by(grid_dim().x) {
        let mut sum = T::zero();
        for i in (thread_index().x..columns).step_by(block_dim().x) {
            sum = sum + x[row * columns + i];
        }
        partial[thread_index().x] = sum;
        barrier();
        let mut half = block_dim().x / 2;
        while half > 0 {
            if thread_index().x < half {
                partial[thread_index().x] = partial[thread_index().x] + partial[thread_index().x + half];
            }
            barrier();
            half /= 2;
        }
        if thread_index().x == 0 {
            sums[row] = partial[0];
        }
        barrier();
    }
}

fn row_sums_launch(context: &KernelContext<'_>) -> Result<Launch> {
    let shape = context.input(0).shape();
    Ok(Launch::blocks(shape[0]).scalar("columns", shape[1] as u32))
}

/// A device that notes what it is to run.
#[derive(Default)]
pub(crate) struct Noting {
    pub(crate) launches: Mutex<Vec<(&'static DeviceProgram, [u32; 3], Vec<String>)>>,
}

impl Noting {
    /// The launch that came last, taken away.
    pub(crate) fn last(&self) -> (&'static DeviceProgram, [u32; 3], Vec<String>) {
        self.launches.lock().unwrap().pop().unwrap()
    }
}

impl DeviceContext for Noting {
    fn device(&self) -> &'static str {
        "/device:GPU:0"
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        Tensor::allocate(dtype, shape, None)
    }

    fn stream(&self) -> *mut c_void {
        std::ptr::null_mut()
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        Ok(host.clone())
    }

    fn copy_to_host(&self, device: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        done(Ok(device.clone()));
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        source.deep_copy()
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn launch(&self, program: &'static DeviceProgram, grid: [u32; 3], args: &[ProgramArg<'_>]) -> Result<()> {
        let show = |arg: &ProgramArg<'_>| match arg {
            ProgramArg::Buffer(tensor) => format!("{}{:?}", tensor.dtype(), &**tensor.shape()),
            ProgramArg::Scalar(ScalarValue::U32(value)) => value.to_string(),
            ProgramArg::Scalar(value) => format!("{value:?}"),
        };
        assert_eq!(program.params.len(), args.len());
        self.launches.lock().unwrap().push((program, grid, args.iter().map(show).collect()));
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub(crate) struct Env(pub(crate) Arc<dyn DeviceContext>);

impl KernelEnv for Env {
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        Some(&self.0)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }
}

/// Runs the GPU kernel; the launch it makes.
fn launched<K: HasKernelDescriptor>(
    node: &NodeInfo,
    mut inputs: Vec<Tensor>,
) -> (&'static DeviceProgram, [u32; 3], String) {
    let kernel = K::DESCRIPTORS.iter().find(|kernel| kernel.device == "GPU").unwrap();
    let dtypes: Vec<DType> = kernel.type_attrs.iter().map(|_| node.input_dtypes[0]).collect();
    let KernelFunction::Program(program) = entry(kernel, &dtypes).function else { panic!("no program") };
    let device = Arc::new(Noting::default());
    let env = Env(device.clone());
    let mut outputs = vec![None];
    (program.run)(program, &mut KernelContext::new(node, &mut inputs, &mut outputs, &env)).unwrap();
    let launch = device.last();
    assert!(outputs[0].is_some());
    (launch.0, launch.1, launch.2.join(" "))
}

fn pair(x: Tensor, y: Tensor) -> (NodeInfo, Vec<Arg<Tensor>>) {
    let inputs = vec![Arg::One(x), Arg::One(y)];
    let dtype = flat(&inputs)[0].dtype();
    (node::<ApiLarger>(&[("T", dtype.into())], &inputs, &[&[dtype]]), inputs)
}

pub(crate) fn tensor(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_slice(values).with_shape(shape.to_vec()).unwrap()
}

#[test]
fn one_function_has_a_kernel_for_each_device() {
    let devices: Vec<&str> = larger::DESCRIPTORS.iter().map(|kernel| kernel.device).collect();
    assert_eq!(devices, ["CPU", "GPU"]);
    let gpu = larger::DESCRIPTORS[1];
    assert_eq!(gpu.entries.len(), 3);
    let KernelFunction::Program(half) = entry(gpu, &[DType::Half]).function else { panic!("no program") };
    let GpuForm::Elementwise(half) = &half.form else { panic!("no loop") };
    assert_eq!(half.contiguous().needs, [ProgramFeature::F16]);
    assert_eq!(half.contiguous().name, "ApiLarger by larger (T=half)");
    let single = entry(gpu, &[DType::Float]).gpu_formula().unwrap();
    assert!(std::ptr::eq(half.formula, single.formula), "16-bit floats are computed as singles");
}

#[test]
fn the_host_broadcasts() {
    let cases: [(&[usize], &[f32], &[usize], &[f32], &[f32]); 4] = [
        (&[3], &[1.0, f32::NAN, -2.0], &[3], &[0.0, 1.0, 5.0], &[1.0, f32::NAN, 5.0]),
        (&[2, 2], &[1.0, 2.0, 3.0, 4.0], &[2], &[0.0, 3.0], &[1.0, 3.0, 3.0, 4.0]),
        (&[2, 1], &[1.0, 4.0], &[1, 3], &[2.0, 3.0, 5.0], &[2.0, 3.0, 5.0, 4.0, 4.0, 5.0]),
        (&[], &[2.0], &[0], &[], &[]),
    ];
    for (x_shape, x, y_shape, y, expected) in cases {
        let (node, inputs) = pair(tensor(x_shape, x), tensor(y_shape, y));
        let outputs = run(entry(larger::DESCRIPTORS[0], &[DType::Float]), &node, inputs).unwrap();
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(outputs[0].as_slice::<f32>().unwrap()), bits(expected));
    }
    let (node, inputs) = pair(tensor(&[2], &[1.0, 2.0]), tensor(&[3], &[1.0, 2.0, 3.0]));
    let error = run(entry(larger::DESCRIPTORS[0], &[DType::Float]), &node, inputs).unwrap_err().to_string();
    assert!(error.contains("incompatible shapes"), "{error}");
}

#[test]
fn long_rows_are_repeated_in_blocks() {
    let count = 1000;
    let row: Vec<f32> = (0..count).map(|i| i as f32).collect();
    let (node, inputs) = pair(tensor(&[3, 1], &[5.0, 600.0, 2000.0]), tensor(&[count], &row));
    let outputs = run(entry(larger::DESCRIPTORS[0], &[DType::Float]), &node, inputs).unwrap();
    let z = outputs[0].as_slice::<f32>().unwrap();
    for (i, &z) in z.iter().enumerate() {
        assert_eq!(z, row[i % count].max([5.0, 600.0, 2000.0][i / count]));
    }
}

#[test]
fn equal_shapes_and_broadcasts_launch_their_programs() {
    let ones = |shape: &[usize]| Tensor::zeros(DType::Float, shape.to_vec()).unwrap();
    let (node, _) = pair(ones(&[64, 100]), ones(&[64, 100]));
    let (program, grid, args) = launched::<larger>(&node, vec![ones(&[64, 100]), ones(&[64, 100])]);
    assert_eq!((grid, args.as_str()), ([7, 1, 1], "float[64, 100] float[64, 100] float[64, 100] 6400 0"));
    assert!(program.cuda.contains("Pack<f32, 4>") && !program.wgsl.is_empty());
    let (_, _, args) = launched::<larger>(&node, vec![ones(&[64, 100]), ones(&[64, 1])]);
    let loops = "6400 2 100 64 1 1 1 1 1 100 0 0 0 0 0 1 0 0 0 0";
    assert_eq!(args, format!("float[64, 100] float[64, 1] float[64, 100] {loops}"));
}

#[test]
fn attrs_go_with_a_launch() {
    let x = Tensor::from_slice(&[-1.0_f32, -8.0, 3.0]);
    let attrs = [("slope", AttrValue::Float(0.25)), ("on", AttrValue::Bool(true))];
    let node = node::<ApiLeaky>(&attrs, &[Arg::One(x.clone())], &[&[DType::Bool]]);
    let outputs = run(entry(leaky::DESCRIPTORS[0], &[]), &node, vec![Arg::One(x.clone())]).unwrap();
    assert_eq!(outputs[0].as_slice::<bool>().unwrap(), [false, true, false]);
    let (_, _, args) = launched::<leaky>(&node, vec![x]);
    assert_eq!(args, "float[3] bool[3] F32(0.25) 1 3 0");
}

#[test]
fn a_launch_function_sizes_the_grid() {
    let x = Tensor::zeros(DType::Int32, vec![5, 7]).unwrap();
    let node = node::<ApiRowSums>(&[("T", DType::Int32.into())], &[Arg::One(x.clone())], &[&[DType::Int32]]);
    let (program, grid, args) = launched::<row_sums>(&node, vec![x]);
    assert_eq!((program.block, grid, args.as_str()), ([64, 1, 1], [5, 1, 1], "int32[5, 7] int32[5] 7 5 0"));
    let mut sums = [0; 2];
    row_sums(&[1, 2, 3, 4, 5, 6], &mut sums, 3);
    assert_eq!(sums, [6, 15], "the host is a grid of one thread");
}
