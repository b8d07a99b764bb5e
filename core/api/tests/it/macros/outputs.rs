//! Every form in which outputs are written, forwarding, contexts, and kernels with state.

use super::*;
use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD};
use oplink::{AsyncKernelContext, InOut, KernelConstruction};
use std::sync::atomic::{AtomicUsize, Ordering};

#[op("ApiDouble", input = "x: T", output = "y: T", attr = "T: {float, double, int32}", shape = super::like_first)]
pub struct ApiDouble;

#[op("ApiTwo", input = "x: float", output = "a: float", output = "b: float", shape = super::like_first)]
pub struct ApiTwo;

#[op("ApiSplit", input = "x: float", output = "first: int32", output = "parts: N * float", output = "last: int32",
     attr = "N: int", shape = super::like_first)]
pub struct ApiSplit;

#[op("ApiNone", input = "x: float", shape = super::like_first)]
pub struct ApiNone;

#[kernel(ApiDouble, device = CPU, T = [floats, i32])]
fn written<T: Real>(x: ArrayViewD<'_, T>, mut y: ArrayViewMutD<'_, T>) {
    y.zip_mut_with(&x, |y, &x| *y = x + x);
}

#[kernel(ApiDouble, device = CPU, T = [reals], label = "array")]
fn returned<T>(x: ArrayViewD<'_, T>) -> ArrayD<T>
where
    T: Real,
{
    x.mapv(|x| x + x)
}

#[kernel(ApiDouble, device = CPU, T = [f32], label = "tensor")]
fn concrete(x: ArrayViewD<'_, f32>, y: &mut Tensor) -> Result<()> {
    y.as_mut_slice::<f32>()?.iter_mut().zip(&x).for_each(|(y, x)| *y = x + x);
    Ok(())
}

#[kernel(ApiDouble, device = CPU, T = [f32], label = "forward", forward(x => y))]
fn forwarded<T: Real>(y: InOut<'_, T>) {
    y.map(|x| x + x);
}

#[kernel(ApiTwo, device = CPU)]
fn both_written(x: ArrayViewD<'_, f32>, mut b: ArrayViewMutD<'_, f32>, mut a: ArrayViewMutD<'_, f32>) {
    a.assign(&x);
    b.assign(&x.mapv(|x| -x));
}

#[kernel(ApiTwo, device = CPU, label = "returned")]
fn both_returned(x: ArrayViewD<'_, f32>) -> Result<(Tensor, ArrayD<f32>)> {
    Ok((Tensor::from_array(x.to_owned()), x.mapv(|x| -x)))
}

#[kernel(ApiTwo, device = CPU, label = "mixed")]
fn one_of_each(x: &Tensor, mut a: ArrayViewMutD<'_, f32>) -> Tensor {
    a.fill(7.0);
    x.clone()
}

#[kernel(ApiSplit, device = CPU)]
fn lists(n: i64, x: f32) -> (i32, Vec<Tensor>, i32) {
    (1, (0..n).map(|i| Tensor::scalar(x + i as f32)).collect(), 2)
}

#[kernel(ApiSplit, device = CPU, label = "written")]
fn lists_written(parts: &mut [Tensor], first: &mut Tensor, mut last: ArrayViewMutD<'_, i32>) -> Result<()> {
    for (index, part) in parts.iter_mut().enumerate() {
        part.as_mut_slice::<f32>()?.fill(index as f32);
    }
    first.as_mut_slice::<i32>()?.fill(8);
    last.fill(9);
    Ok(())
}

#[kernel(ApiDouble, device = CPU, T = [f32, f64], label = "context")]
fn with_context<T: Real>(x: ArrayViewD<'_, T>, context: &mut KernelContext<'_>) -> Result<()> {
    let mut y = context.allocate_output(0, x.shape())?;
    y.view_mut::<T, ndarray::IxDyn>()?.zip_mut_with(&x, |y, &x| *y = x + x);
    context.set_output(0, y);
    Ok(())
}

#[kernel(ApiDouble, device = CPU, T = any, label = "shared")]
fn with_shared_context(x: &Tensor, context: &KernelContext<'_>) -> Result<Tensor> {
    ensure!(context.num_inputs() == 1 && context.node().name == "node", "wrong context");
    Ok(x.clone())
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[kernel(ApiNone, device = CPU)]
fn nothing(x: f32) {
    CALLS.fetch_add(x as usize, Ordering::Relaxed);
}

/// A kernel with state.
pub struct Stateful<T> {
    zero: T,
}

#[kernel(ApiDouble, device = CPU, T = [f32, i32], label = "state", priority = -2, host_memory = [x])]
impl<T: Real> RawKernel for Stateful<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        ensure!(construction.input_dtypes() == [T::DTYPE], "constructed for {:?}", construction.input_dtypes());
        Ok(Self { zero: T::zero() })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let x = context.input(0).view::<T, ndarray::IxDyn>()?.mapv(|x| x + x + self.zero);
        context.set_output(0, Tensor::from_array(x));
        Ok(())
    }
}

#[kernel(ApiDouble, device = CPU, T = [f32], label = "async", async)]
fn later(mut context: AsyncKernelContext) {
    std::thread::spawn(move || {
        let value = context.inputs()[0].clone();
        context.set_output(0, value);
        context.finish(Ok(()));
    });
}

fn x() -> Vec<Arg<Tensor>> {
    vec![Arg::One(Tensor::from([1f32, 2.0]))]
}

fn values(tensor: &Tensor) -> &[f32] {
    tensor.as_slice().unwrap()
}

#[test]
fn each_form_of_one_output_gives_the_same() {
    let runs = [
        run_float::<ApiDouble, written>,
        run_float::<ApiDouble, returned>,
        run_float::<ApiDouble, concrete>,
        run_float::<ApiDouble, forwarded>,
        run_float::<ApiDouble, with_context>,
        run_float::<ApiDouble, Stateful<f32>>,
    ];
    for run in runs {
        assert_eq!(values(&run(x()).unwrap()), [2.0, 4.0]);
    }
}

#[test]
fn forwarding_takes_memory_nobody_else_needs() {
    let mut given = x();
    let address = |tensor: &Tensor| tensor.as_ptr() as usize;
    let Arg::One(kept) = given[0].clone() else { unreachable!() };
    assert_ne!(address(&run_float::<ApiDouble, forwarded>(given.clone()).unwrap()), address(&kept));
    assert_eq!(values(&kept), [1.0, 2.0]);
    let old = address(&kept);
    drop(kept);
    let node = node::<ApiDouble>(&[], &given, &[&[DType::Float]]);
    let given = std::mem::take(&mut given);
    assert_eq!(address(&run(entry(descriptor::<forwarded>(), &[DType::Float]), &node, given).unwrap()[0]), old);
    assert_eq!(descriptor::<forwarded>().forward, [("x", "y")]);
}

#[test]
fn several_outputs_are_written_returned_or_both() {
    let node = node::<ApiTwo>(&[], &x(), &[&[DType::Float], &[DType::Float]]);
    for kernel in [descriptor::<both_written>(), descriptor::<both_returned>()] {
        let out = run(entry(kernel, &[]), &node, x()).unwrap();
        assert_eq!((values(&out[0]), values(&out[1])), (&[1f32, 2.0][..], &[-1f32, -2.0][..]));
    }
    let out = run(entry(descriptor::<one_of_each>(), &[]), &node, x()).unwrap();
    assert_eq!((values(&out[0]), values(&out[1])), (&[7f32, 7.0][..], &[1f32, 2.0][..]));
}

#[test]
fn lists_of_outputs_have_their_place() {
    let given = || vec![Arg::One(Tensor::scalar(1f32))];
    let outputs: [&[DType]; 3] = [&[DType::Int32], &[DType::Float, DType::Float], &[DType::Int32]];
    let node = node::<ApiSplit>(&[("N", 2i64.into())], &given(), &outputs);
    let out = run(entry(descriptor::<lists>(), &[]), &node, given()).unwrap();
    assert_eq!((values(&out[1]), values(&out[2])), (&[1f32][..], &[2f32][..]));
    assert_eq!((out[0].to_scalar::<i32>().unwrap(), out[3].to_scalar::<i32>().unwrap()), (1, 2));
    let out = run(entry(descriptor::<lists_written>(), &[]), &node, given()).unwrap();
    assert_eq!((values(&out[1]), values(&out[2])), (&[0f32][..], &[1f32][..]));
    assert_eq!((out[0].to_scalar::<i32>().unwrap(), out[3].to_scalar::<i32>().unwrap()), (8, 9));
}

#[test]
fn an_op_without_outputs_runs() {
    let given = || vec![Arg::One(Tensor::scalar(3f32))];
    let node = node::<ApiNone>(&[], &given(), &[]);
    assert!(run(entry(descriptor::<nothing>(), &[]), &node, given()).unwrap().is_empty());
    assert_eq!(CALLS.load(Ordering::Relaxed), 3);
}

#[test]
fn the_shared_context_stands_beside_inputs() {
    let node = node::<ApiDouble>(&[], &x(), &[&[DType::Float]]);
    let out = run(entry(descriptor::<with_shared_context>(), &[]), &node, x()).unwrap();
    assert_eq!(values(&out[0]), [1.0, 2.0]);
}

#[test]
fn groups_stand_for_the_types_that_the_op_allows() {
    let dtypes = |kernel: &KernelDescriptor| kernel.entries.iter().map(|entry| entry.dtypes[0]).collect::<Vec<_>>();
    assert_eq!(dtypes(descriptor::<written>()), [DType::Float, DType::Double, DType::Int32]);
    assert_eq!(dtypes(descriptor::<returned>()), [DType::Float, DType::Double, DType::Int32]);
}

#[test]
fn asynchronous_kernels_finish_from_another_thread() {
    let node = Arc::new(node::<ApiDouble>(&[], &x(), &[&[DType::Float]]));
    let KernelFunction::Async(start) = entry(descriptor::<later>(), &[DType::Float]).function else { panic!() };
    let (sender, receiver) = std::sync::mpsc::channel();
    let done = Box::new(move |result| sender.send(result).unwrap());
    start(AsyncKernelContext::new(node, flat(&x()), None, done));
    let outputs = receiver.recv().unwrap().unwrap();
    assert_eq!(values(outputs[0].as_ref().unwrap()), [1.0, 2.0]);
}
