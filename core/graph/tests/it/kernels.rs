//! A few kernels: enough to compute shapes, to run small graphs, and to fail in each way.

use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, Location};
use oplink_api::{DType, Element, KernelContext, Result, Shape, Tensor, bail};

type Compute = fn(&mut KernelContext<'_>) -> Result<()>;

const fn entry(dtypes: &'static [DType], function: Compute) -> KernelEntry {
    KernelEntry::new(dtypes, KernelFunction::Compute(function))
}

const fn kernel(
    op: &'static str,
    type_attrs: &'static [&'static str],
    entries: &'static [KernelEntry],
) -> KernelDescriptor {
    KernelDescriptor {
        op,
        device: "CPU",
        label: "",
        priority: 0,
        host_memory: &[],
        forward: &[],
        type_attrs,
        entries,
        excluded: &[],
        location: Location { crate_name: "tests", crate_version: "0.1.0", file: "kernels.rs", line: 1 },
    }
}

pub(crate) static KERNELS: &[KernelDescriptor] = &[
    kernel("AddV2", &["T"], &[entry(&[DType::Float], add::<f32>), entry(&[DType::Int32], add::<i32>)]),
    kernel("Mul", &["T"], &[entry(&[DType::Float], mul::<f32>), entry(&[DType::Int32], mul::<i32>)]),
    kernel("Neg", &["T"], &[entry(&[DType::Float], neg)]),
    kernel("Relu", &["T"], &[entry(&[DType::Float], relu)]),
    kernel("Abs", &["T"], &[entry(&[DType::Float], fails)]),
    kernel("Sign", &["T"], &[entry(&[DType::Float], panics)]),
    kernel("Cast", &["SrcT", "DstT"], &[entry(&[DType::Float, DType::Int32], cast)]),
    kernel("Pack", &["T"], &[entry(&[DType::Int32], pack)]),
    kernel("Identity", &[], &[entry(&[], identity)]),
    kernel("Split", &["T"], &[entry(&[DType::Float], split)]),
    kernel("NoOp", &[], &[entry(&[], no_op)]),
    kernel("Selu", &["T"], &[entry(&[DType::Float], three)]),
    kernel("Elu", &["T"], &[entry(&[DType::Float], four_bytes_of_int)]),
];

/// Equal shapes, or the second a scalar; in the first input's memory where nobody else needs it.
fn binary<T: Element>(c: &mut KernelContext<'_>, combine: fn(&T, &T) -> T) -> Result<()> {
    let right = c.input(1).clone();
    let shape = c.input(0).shape().clone();
    let (taken, mut out) = c.forward_or_allocate(&[0], 0, &shape)?;
    if taken.is_none() {
        out.as_mut_slice::<T>()?.clone_from_slice(c.input(0).as_slice()?);
    }
    let right = right.as_slice::<T>()?;
    let out_values = out.as_mut_slice::<T>()?;
    if right.len() != out_values.len() && right.len() != 1 {
        bail!("shapes differ");
    }
    out_values.iter_mut().zip(right.iter().cycle()).for_each(|(a, b)| *a = combine(a, b));
    c.set_output(0, out);
    Ok(())
}

fn add<T: Element + Copy + std::ops::Add<Output = T>>(c: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(c, |a, b| *a + *b)
}

fn mul<T: Element + Copy + std::ops::Mul<Output = T>>(c: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(c, |a, b| *a * *b)
}

/// Always in fresh memory.
fn neg(c: &mut KernelContext<'_>) -> Result<()> {
    let mut out = c.allocate_output(0, c.input(0).shape().clone())?;
    let input = c.input(0).as_slice::<f32>()?;
    out.as_mut_slice::<f32>()?.iter_mut().zip(input).for_each(|(out, x)| *out = -x);
    c.set_output(0, out);
    Ok(())
}

fn relu(c: &mut KernelContext<'_>) -> Result<()> {
    let shape = c.input(0).shape().clone();
    let (taken, mut out) = c.forward_or_allocate(&[0], 0, &shape)?;
    if taken.is_none() {
        out.as_mut_slice::<f32>()?.copy_from_slice(c.input(0).as_slice()?);
    }
    out.as_mut_slice::<f32>()?.iter_mut().for_each(|x| *x = x.max(0.0));
    c.set_output(0, out);
    Ok(())
}

fn fails(_: &mut KernelContext<'_>) -> Result<()> {
    bail!("no good")
}

fn panics(_: &mut KernelContext<'_>) -> Result<()> {
    panic!("went wrong")
}

fn cast(c: &mut KernelContext<'_>) -> Result<()> {
    let values: Vec<i32> = c.input(0).as_slice::<f32>()?.iter().map(|&x| x as i32).collect();
    let out = Tensor::from_vec(c.input(0).shape().clone(), values)?;
    c.set_output(0, out);
    Ok(())
}

fn pack(c: &mut KernelContext<'_>) -> Result<()> {
    let values: Vec<i32> = c.inputs().iter().map(Tensor::to_scalar).collect::<Result<_>>()?;
    c.set_output(0, Tensor::from_slice(&values));
    Ok(())
}

#[allow(clippy::unnecessary_wraps, reason = "the signature of kernels")]
fn identity(c: &mut KernelContext<'_>) -> Result<()> {
    let value = c.take_input(0);
    c.set_output(0, value);
    Ok(())
}

/// Along the first axis, into rows of the input's memory.
fn split(c: &mut KernelContext<'_>) -> Result<()> {
    let rows = c.input(1).shape().first().copied().unwrap_or(0) / c.num_outputs();
    for index in 0..c.num_outputs() {
        let part = c.input(1).slice(index * rows, (index + 1) * rows)?;
        let shape: Shape = part.shape().clone();
        c.set_output(index, Tensor::from_vec(shape, part.as_slice::<f32>()?.to_vec())?);
    }
    Ok(())
}

/// Always three numbers, whatever the op's shape function says.
#[allow(clippy::unnecessary_wraps, reason = "the signature of kernels")]
fn three(c: &mut KernelContext<'_>) -> Result<()> {
    c.set_output(0, Tensor::from([1.0f32, 2.0, 3.0]));
    Ok(())
}

/// The right shape and another dtype.
fn four_bytes_of_int(c: &mut KernelContext<'_>) -> Result<()> {
    let shape = c.input(0).shape().clone();
    let values = vec![0i32; shape.num_elements()];
    c.set_output(0, Tensor::from_vec(shape, values)?);
    Ok(())
}

#[allow(clippy::unnecessary_wraps, reason = "the signature of kernels")]
fn no_op(_: &mut KernelContext<'_>) -> Result<()> {
    Ok(())
}
