//! Kernels for the fake device, and ops of variables and functions on every device.

use std::sync::Mutex;

use super::fake::{FAKE, FakeContext};
use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, Location};
use oplink_api::resource::ResourceInfo;
use oplink_api::{DType, FuncAttr, KernelContext, Resource, ResourceHandle, Result, Shape, Tensor};

type Compute = fn(&mut KernelContext<'_>) -> Result<()>;

const fn kernel(
    op: &'static str,
    device: &'static str,
    host_memory: &'static [&'static str],
    type_attrs: &'static [&'static str],
    entries: &'static [KernelEntry],
) -> KernelDescriptor {
    KernelDescriptor {
        op,
        device,
        label: "",
        priority: 0,
        host_memory,
        forward: &[],
        type_attrs,
        entries,
        excluded: &[],
        location: Location { crate_name: "tests", crate_version: "0.1.0", file: "devices/kernels.rs", line: 1 },
    }
}

const fn entry(dtypes: &'static [DType], function: Compute) -> KernelEntry {
    KernelEntry::new(dtypes, KernelFunction::Compute(function))
}

const FLOAT: &[DType] = &[DType::Float];
const INT: &[DType] = &[DType::Int32];
const TYPE: &[&str] = &["T"];
const VALUE: &[&str] = &["dtype"];

pub(crate) static KERNELS: &[KernelDescriptor] = &[
    kernel("AddV2", FAKE, &[], TYPE, &[entry(FLOAT, |c| binary(c, |a, b| a + b))]),
    // As TensorFlow's for GPUs: numbers of shapes stay on the host.
    kernel("AddV2", FAKE, &["x", "y", "z"], TYPE, &[entry(INT, add_on_host)]),
    kernel("Mul", FAKE, &[], TYPE, &[entry(FLOAT, |c| binary(c, |a, b| a * b))]),
    kernel("Neg", FAKE, &[], TYPE, &[entry(FLOAT, neg)]),
    kernel("Shape", FAKE, &["output"], TYPE, &[entry(FLOAT, shape)]),
    kernel("Reshape", FAKE, &["shape"], TYPE, &[entry(FLOAT, reshape)]),
    kernel("Greater", "CPU", &[], TYPE, &[entry(FLOAT, greater)]),
    kernel("VarHandleOp", "CPU", &[], VALUE, &[entry(FLOAT, handle)]),
    kernel("VarHandleOp", FAKE, &["resource"], VALUE, &[entry(FLOAT, handle)]),
    kernel("AssignVariableOp", "CPU", &[], VALUE, &[entry(FLOAT, assign)]),
    kernel("AssignVariableOp", FAKE, &["resource"], VALUE, &[entry(FLOAT, assign)]),
    kernel("AssignAddVariableOp", "CPU", &[], VALUE, &[entry(FLOAT, assign)]),
    kernel("ReadVariableOp", "CPU", &[], VALUE, &[entry(FLOAT, read)]),
    kernel("ReadVariableOp", FAKE, &["resource"], VALUE, &[entry(FLOAT, read)]),
    kernel("StatefulPartitionedCall", "CPU", &[], &[], &[entry(&[], call)]),
    kernel("While", "CPU", &[], &[], &[entry(&[], repeat)]),
];

fn fake<'a>(c: &KernelContext<'a>) -> Result<&'a FakeContext> {
    Ok(c.device()?.as_any().downcast_ref::<FakeContext>().expect("the fake device"))
}

fn binary(c: &mut KernelContext<'_>, combine: fn(f32, f32) -> f32) -> Result<()> {
    let shape = c.input(0).shape().clone();
    let output = fake(c)?.compute(&[c.input(0), c.input(1)], shape, move |inputs| {
        inputs[0].iter().zip(inputs[1].iter().cycle()).map(|(a, b)| combine(*a, *b)).collect()
    })?;
    c.set_output(0, output);
    Ok(())
}

fn neg(c: &mut KernelContext<'_>) -> Result<()> {
    let shape = c.input(0).shape().clone();
    let output = fake(c)?.compute(&[c.input(0)], shape, |inputs| inputs[0].iter().map(|x| -x).collect())?;
    c.set_output(0, output);
    Ok(())
}

fn add_on_host(c: &mut KernelContext<'_>) -> Result<()> {
    let sum: Vec<i32> =
        c.input(0).as_slice::<i32>()?.iter().zip(c.input(1).as_slice::<i32>()?).map(|(a, b)| a + b).collect();
    let sum = Tensor::from_vec(c.input(0).shape().clone(), sum)?;
    c.set_output(0, sum);
    Ok(())
}

fn shape(c: &mut KernelContext<'_>) -> Result<()> {
    let dims: Vec<i32> = c.input(0).shape().iter().map(|&dim| dim as i32).collect();
    c.set_output(0, Tensor::from_slice(&dims));
    Ok(())
}

fn reshape(c: &mut KernelContext<'_>) -> Result<()> {
    let dims: Vec<usize> = c.input(1).as_slice::<i32>()?.iter().map(|&dim| dim as usize).collect();
    let output = fake(c)?.compute(&[c.input(0)], Shape::new(&dims), |inputs| inputs[0].clone())?;
    c.set_output(0, output);
    Ok(())
}

fn greater(c: &mut KernelContext<'_>) -> Result<()> {
    let value = c.input(0).to_scalar::<f32>()? > c.input(1).to_scalar::<f32>()?;
    c.set_scalar(0, value);
    Ok(())
}

struct Variable(Mutex<Tensor>);

impl Resource for Variable {
    fn type_name(&self) -> &'static str {
        "variable"
    }
}

fn handle(c: &mut KernelContext<'_>) -> Result<()> {
    let name = c.attr::<&str>("shared_name")?.to_owned();
    let handle =
        c.step()?.resources().handle(ResourceInfo { name, device: c.node().device.clone(), ..Default::default() });
    c.set_scalar::<ResourceHandle>(0, handle);
    Ok(())
}

fn assign(c: &mut KernelContext<'_>) -> Result<()> {
    let variable = c.handle(0)?.get_or_create(|| Ok(Variable(Mutex::new(c.input(1).clone()))))?;
    *variable.0.lock().unwrap() = c.input(1).clone();
    Ok(())
}

fn read(c: &mut KernelContext<'_>) -> Result<()> {
    let value = c.resource::<Variable>(0)?.0.lock().unwrap().clone();
    c.set_output(0, value);
    Ok(())
}

fn call(c: &mut KernelContext<'_>) -> Result<()> {
    let function = c.step()?.function(c.attr::<&FuncAttr>("f")?)?;
    let mut results = Vec::new();
    function.call(c.step()?, &mut c.inputs().to_vec().into_iter(), &mut results)?;
    results.into_iter().enumerate().for_each(|(index, result)| c.set_output(index, result));
    Ok(())
}

fn repeat(c: &mut KernelContext<'_>) -> Result<()> {
    let (cond, body) = (c.step()?.function(c.attr("cond")?)?, c.step()?.function(c.attr("body")?)?);
    let (mut values, mut results) = (c.inputs().to_vec(), Vec::new());
    loop {
        cond.call(c.step()?, &mut values.clone().into_iter(), &mut results)?;
        if !results[0].to_scalar::<bool>()? {
            break;
        }
        body.call(c.step()?, &mut values.into_iter(), &mut results)?;
        values = std::mem::take(&mut results);
    }
    values.into_iter().enumerate().for_each(|(index, value)| c.set_output(index, value));
    Ok(())
}
