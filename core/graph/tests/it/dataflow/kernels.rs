//! Kernels that are slow, wait, finish later, fail or keep state, under ops of TensorFlow that have the right
//! signature.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, Location};
use oplink_api::resource::ResourceInfo;
use oplink_api::{
    AsyncKernelContext, DType, Element, Error, KernelConstruction, KernelContext, RawKernel, Resource, ResourceHandle,
    Result, Tensor, bail,
};

const fn kernel(op: &'static str, entries: &'static [KernelEntry]) -> KernelDescriptor {
    KernelDescriptor {
        op,
        device: "CPU",
        label: "",
        priority: 0,
        host_memory: &[],
        forward: &[],
        type_attrs: &["T"],
        entries,
        excluded: &[],
        location: Location { crate_name: "tests", crate_version: "0.1.0", file: "kernels.rs", line: 1 },
    }
}

const fn untyped(op: &'static str, entries: &'static [KernelEntry]) -> KernelDescriptor {
    KernelDescriptor { type_attrs: &[], ..kernel(op, entries) }
}

const fn entry(dtypes: &'static [DType], function: KernelFunction) -> KernelEntry {
    KernelEntry::new(dtypes, function)
}

const INT: &[DType] = &[DType::Int32];
const FLOAT: &[DType] = &[DType::Float];

/// Beside those of the other tests.
pub(crate) static KERNELS: &[KernelDescriptor] = &[
    kernel("Less", &[entry(INT, KernelFunction::Compute(less))]),
    kernel("Sub", &[entry(INT, KernelFunction::Compute(|c| binary(c, i32::wrapping_sub)))]),
    kernel(
        "FloorMod",
        &[entry(INT, KernelFunction::Compute(|c| binary(c, |a, b| if b == 0 { 0 } else { a.rem_euclid(b) })))],
    ),
    // Fails for negative values, with its own message.
    kernel("Abs", &[entry(INT, KernelFunction::Compute(not_negative))]),
    // Panics for negative values.
    kernel("Sign", &[entry(INT, KernelFunction::Compute(panics_for_negative))]),
    // Takes a millisecond.
    kernel("Sqrt", &[entry(FLOAT, KernelFunction::Compute(slow))]),
    // As long as it may.
    kernel("Sin", &[entry(FLOAT, KernelFunction::Compute(until_cancelled))]),
    // Finishes on another thread, after as many milliseconds as its input says.
    kernel("Exp", &[entry(FLOAT, KernelFunction::Async(later))]),
    // Finishes when three of it wait, the last one first.
    kernel("Atan", &[entry(FLOAT, KernelFunction::Async(in_company))]),
    // Finishes when the step is cancelled.
    kernel("Log", &[entry(FLOAT, KernelFunction::Async(when_cancelled))]),
    // Does not even heed that.
    kernel("Cos", &[entry(FLOAT, KernelFunction::Async(never))]),
    kernel("Tan", &[entry(FLOAT, KernelFunction::Async(panics_at_once))]),
    untyped("VariableV2", &[entry(&[], KernelFunction::Create(|c| Ok(Box::new(VariableKernel::new(c)?))))]),
    untyped("Assign", &[entry(&[], KernelFunction::Compute(assign))]),
    kernel("AssignAdd", &[entry(INT, KernelFunction::Compute(assign_add))]),
    // How often it ran.
    untyped("Timestamp", &[entry(&[], KernelFunction::Create(|_| Ok(Box::new(Counter::default()))))]),
];

fn scalar<T: Element + Copy>(c: &KernelContext<'_>, index: usize) -> Result<T> {
    c.input(index).to_scalar()
}

fn binary(c: &mut KernelContext<'_>, combine: impl Fn(i32, i32) -> i32) -> Result<()> {
    let value = combine(scalar(c, 0)?, scalar(c, 1)?);
    c.set_scalar(0, value);
    Ok(())
}

fn less(c: &mut KernelContext<'_>) -> Result<()> {
    let value = scalar::<i32>(c, 0)? < scalar::<i32>(c, 1)?;
    c.set_scalar(0, value);
    Ok(())
}

fn not_negative(c: &mut KernelContext<'_>) -> Result<()> {
    let value = scalar::<i32>(c, 0)?;
    if value < 0 {
        bail!("{value} is negative");
    }
    c.set_scalar(0, value);
    Ok(())
}

fn panics_for_negative(c: &mut KernelContext<'_>) -> Result<()> {
    let value = scalar::<i32>(c, 0)?;
    assert!(value >= 0, "{value} went wrong");
    c.set_scalar(0, value);
    Ok(())
}

fn slow(c: &mut KernelContext<'_>) -> Result<()> {
    std::thread::sleep(Duration::from_millis(1));
    let value = scalar::<f32>(c, 0)?;
    if value < 0.0 {
        bail!("{value} has no root");
    }
    c.set_scalar(0, value + 1.0);
    Ok(())
}

fn until_cancelled(c: &mut KernelContext<'_>) -> Result<()> {
    loop {
        c.step()?.cancellation().check()?;
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn later(mut c: AsyncKernelContext) {
    let delay = c.inputs()[0].to_scalar::<f32>().unwrap_or(0.0);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f32(delay / 1000.0));
        let value = c.inputs()[0].clone();
        c.set_output(0, value);
        c.finish(Ok(()));
    });
}

fn in_company(mut c: AsyncKernelContext) {
    static WAITING: Mutex<Vec<AsyncKernelContext>> = Mutex::new(Vec::new());
    let value = c.inputs()[0].clone();
    c.set_output(0, value);
    let mut waiting = WAITING.lock().unwrap();
    waiting.push(c);
    if waiting.len() == 3 {
        waiting.drain(..).rev().for_each(|c| c.finish(Ok(())));
    }
}

fn when_cancelled(c: AsyncKernelContext) {
    let Ok(step) = c.step().cloned() else { return c.finish(Err(Error::internal("no step"))) };
    std::thread::spawn(move || {
        let started = Instant::now();
        while !step.cancellation().is_cancelled() && started.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(1));
        }
        c.finish(Err(step.cancellation().reason()));
    });
}

fn never(c: AsyncKernelContext) {
    static KEPT: Mutex<Vec<AsyncKernelContext>> = Mutex::new(Vec::new());
    KEPT.lock().unwrap().push(c);
}

fn panics_at_once(_: AsyncKernelContext) {
    panic!("did not even start")
}

/// A variable as small as it can be.
pub(crate) struct Variable(Mutex<Option<Tensor>>);

impl Resource for Variable {
    fn type_name(&self) -> &'static str {
        "Variable"
    }

    fn referent(&self) -> Option<Result<Tensor>> {
        let value = self.0.lock().unwrap().clone();
        Some(value.ok_or_else(|| Error::invalid_argument("the variable has no value yet")))
    }
}

struct VariableKernel {
    name: String,
    handle: OnceLock<ResourceHandle>,
}

impl RawKernel for VariableKernel {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { name: construction.node().name.clone(), handle: OnceLock::new() })
    }

    fn compute(&self, c: &mut KernelContext<'_>) -> Result<()> {
        let resources = c.step()?.resources();
        let info = || ResourceInfo { name: self.name.clone(), ..ResourceInfo::default() };
        let handle = self.handle.get_or_init(|| resources.handle(info()));
        handle.get_or_create(|| Ok(Variable(Mutex::new(None))))?;
        c.set_scalar(0, handle.clone());
        Ok(())
    }
}

fn assign(c: &mut KernelContext<'_>) -> Result<()> {
    let variable: Arc<Variable> = c.resource(0)?;
    *variable.0.lock().unwrap() = Some(c.input(1).clone());
    c.set_output(0, c.input(0).clone());
    Ok(())
}

fn assign_add(c: &mut KernelContext<'_>) -> Result<()> {
    let variable: Arc<Variable> = c.resource(0)?;
    let mut value = variable.0.lock().unwrap();
    let Some(before) = &*value else { bail!("nothing to add to") };
    *value = Some(Tensor::scalar(before.to_scalar::<i32>()? + scalar::<i32>(c, 1)?));
    drop(value);
    c.set_output(0, c.input(0).clone());
    Ok(())
}

#[derive(Default)]
struct Counter(AtomicUsize);

impl RawKernel for Counter {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, c: &mut KernelContext<'_>) -> Result<()> {
        c.set_scalar(0, self.0.fetch_add(1, Ordering::SeqCst) as f64);
        Ok(())
    }
}
