//! Runs kernels by the names of their ops.

use std::ops::Range;
use std::sync::Arc;

use oplink::KernelEnv;
use oplink::prelude::*;
use oplink::tensor::Allocator;
use oplink_core::{PreparedKernel, Registry, node_for_flat_call};

oplink::link!(oplink_kernels_elementwise);

/// Several threads and the system's memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads(pub(crate) usize);

impl KernelEnv for Threads {
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        let step = count.div_ceil(self.0).max(grain).max(1);
        std::thread::scope(|scope| {
            for start in (0..count).step_by(step) {
                scope.spawn(move || body(start..count.min(start + step)));
            }
        });
    }

    fn intra_op_threads(&self) -> usize {
        self.0
    }
}

/// The first output of an op. Inputs are given away, so that the kernel may reuse their memory.
pub(crate) fn run(threads: usize, op: &str, attrs: &[(&str, AttrValue)], mut inputs: Vec<Tensor>) -> Result<Tensor> {
    let registry = Registry::global()?;
    let dtypes: Vec<DType> = inputs.iter().map(Tensor::dtype).collect();
    let node = node_for_flat_call(registry.op(op)?, "node", "/device:CPU:0", &dtypes, attrs)?;
    let kernel = PreparedKernel::new(registry, Arc::new(node), "CPU")?;
    let mut outputs = [None];
    kernel.run(&mut inputs, &mut outputs, &Threads(threads))?;
    let [output] = outputs;
    output.ok_or_else(|| Error::internal("no output"))
}

/// The elements of floats, and the parts of complex numbers one after the other.
fn doubles(tensor: &Tensor) -> Option<Vec<f64>> {
    Some(match tensor.dtype() {
        DType::Float => tensor.as_slice::<f32>().ok()?.iter().map(|&v| f64::from(v)).collect(),
        DType::Double => tensor.as_slice::<f64>().ok()?.to_vec(),
        DType::Half => tensor.as_slice::<f16>().ok()?.iter().map(|v| v.to_f64()).collect(),
        DType::BFloat16 => tensor.as_slice::<bf16>().ok()?.iter().map(|v| v.to_f64()).collect(),
        DType::Complex64 => {
            tensor.as_slice::<Complex<f32>>().ok()?.iter().flat_map(|v| [v.re, v.im]).map(f64::from).collect()
        }
        DType::Complex128 => tensor.as_slice::<Complex<f64>>().ok()?.iter().flat_map(|v| [v.re, v.im]).collect(),
        _ => return None,
    })
}

fn epsilon(dtype: DType) -> f64 {
    match dtype {
        DType::Float | DType::Complex64 => f64::from(f32::EPSILON),
        DType::Double | DType::Complex128 => f64::EPSILON,
        DType::Half => f16::EPSILON.to_f64(),
        _ => bf16::EPSILON.to_f64(),
    }
}

/// Fails unless dtype, shape and elements are equal, floats within `ulps` units in the last place.
#[track_caller]
pub(crate) fn assert_close(actual: &Tensor, expected: &Tensor, ulps: f64) {
    assert_eq!((actual.dtype(), actual.shape()), (expected.dtype(), expected.shape()));
    let (Some(a), Some(e)) = (doubles(actual), doubles(expected)) else {
        assert_eq!(AttrValue::Tensor(actual.clone()), AttrValue::Tensor(expected.clone()));
        return;
    };
    for (index, (a, e)) in a.iter().zip(&e).enumerate() {
        let tolerance = a.abs().max(e.abs()).max(f64::MIN_POSITIVE) * epsilon(actual.dtype()) * ulps;
        let is_equal = a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= tolerance;
        assert!(is_equal, "element {index}: {a:e} instead of {e:e}");
    }
}

/// Runs an op and compares, floats within 2 units in the last place: with memory that others hold, and with memory that
/// the kernel may reuse.
#[track_caller]
pub(crate) fn check<const N: usize>(op: &str, inputs: [Tensor; N], expected: impl Into<Tensor>) {
    check_with(op, &[], inputs, expected);
}

/// As [`check`], with attrs.
#[track_caller]
pub(crate) fn check_with<const N: usize>(
    op: &str,
    attrs: &[(&str, AttrValue)],
    inputs: [Tensor; N],
    expected: impl Into<Tensor>,
) {
    let expected = expected.into();
    let owned = inputs.each_ref().map(|input| input.deep_copy().unwrap());
    for inputs in [inputs.to_vec(), owned.into_iter().collect()] {
        match run(1, op, attrs, inputs) {
            Ok(output) => assert_close(&output, &expected, 2.0),
            Err(error) => panic!("{op}: {error:?}"),
        }
    }
}

/// Runs an op that must fail, with a message that contains `message`.
#[track_caller]
pub(crate) fn check_error<const N: usize>(op: &str, inputs: [Tensor; N], message: &str) {
    match run(1, op, &[], inputs.to_vec()) {
        Ok(output) => panic!("{op} gave {output:?} in place of the error {message}"),
        Err(error) => assert!(error.to_string().contains(message), "{op}: {error:?}"),
    }
}
