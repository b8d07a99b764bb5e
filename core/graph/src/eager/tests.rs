//! Eager calls over a small registry and a device of the system's memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oplink_api::call::{Arg, Call, EagerHost};
use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, Location, OpDescriptor, OpFlags};
use oplink_api::resource::ResourceInfo;
use oplink_api::tensor::Allocator;
use oplink_api::{AttrValue, DType, ErrorKind, KernelContext, KernelEnv, Resource, Result, Tensor};
use oplink_core::memory::MemoryStatistics;
use oplink_core::{Device, DeviceAttributes, HostEnv, IntraOpPool, RegistryBuilder};

use super::EagerContext;

struct TestDevice(HostEnv);

impl Device for TestDevice {
    fn name(&self) -> &'static str {
        "/device:CPU:0"
    }
    fn device_type(&self) -> &'static str {
        "CPU"
    }
    fn attributes(&self) -> DeviceAttributes {
        DeviceAttributes::new(self.name(), self.device_type(), 0)
    }
    fn env(&self) -> &dyn KernelEnv {
        &self.0
    }
    fn env_with_threads(&self, _: &Arc<IntraOpPool>, _: usize) -> Arc<dyn KernelEnv> {
        Arc::new(self.0.clone())
    }
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }
    fn memory_statistics(&self) -> MemoryStatistics {
        MemoryStatistics::default()
    }
}

const fn at(line: u32) -> Location {
    Location { crate_name: "ops", crate_version: "0.1.0", file: "src/ops.rs", line }
}

const fn op(name: &'static str, inputs: &'static [&'static str], attrs: &'static [&'static str]) -> OpDescriptor {
    let flags = OpFlags {
        commutative: false,
        aggregate: false,
        stateful: false,
        allows_uninitialized_input: false,
        distributed_communication: false,
    };
    let outputs = &["sum: T"];
    OpDescriptor {
        name,
        inputs,
        outputs,
        attrs,
        flags,
        deprecation: None,
        shape: None,
        doc: "",
        no_gradient: false,
        facts: &[],
        excluded: false,
        location: at(1),
    }
}

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
        location: at(2),
    }
}

static ADD: OpDescriptor = op("AddV2", &["x: T", "y: T"], &["T: {float, int32}"]);
static SUM: OpDescriptor = op("ScaledSum", &["values: N * T"], &["N: int >= 1", "T: type", "scale: float = 1.0"]);

fn add<T: oplink_api::Number>(context: &mut KernelContext<'_>) -> Result<()> {
    let (x, y) = (context.input(0).to_scalar::<T>()?, context.input(1).to_scalar::<T>()?);
    context.set_scalar(0, x + y);
    Ok(())
}

fn scaled_sum(context: &mut KernelContext<'_>) -> Result<()> {
    let values = context.inputs().iter().map(Tensor::to_scalar::<f32>).sum::<Result<f32>>()?;
    assert!(values >= 0.0, "the sum {values} is negative");
    context.set_scalar(0, values * context.attr::<f32>("scale")?);
    Ok(())
}

/// Counts its calls in a resource of the step.
fn count(context: &mut KernelContext<'_>) -> Result<()> {
    let handle =
        context.step()?.resources().handle(ResourceInfo { name: "calls".to_owned(), ..ResourceInfo::default() });
    let calls = handle.get_or_create(|| Ok(Calls(AtomicUsize::new(0))))?;
    context.set_scalar(0, calls.0.fetch_add(1, Ordering::Relaxed) as f32);
    Ok(())
}

struct Calls(AtomicUsize);

impl Resource for Calls {
    fn type_name(&self) -> &'static str {
        "Calls"
    }
}

static COUNT: OpDescriptor = op("Count", &["x: T"], &["T: type"]);
static COUNT_CPU: KernelDescriptor =
    kernel("Count", &[KernelEntry::new(&[DType::Float], KernelFunction::Compute(count))]);

static ADD_CPU: KernelDescriptor = kernel(
    "AddV2",
    &[
        KernelEntry::new(&[DType::Float], KernelFunction::Compute(add::<f32>)),
        KernelEntry::new(&[DType::Int32], KernelFunction::Compute(add::<i32>)),
    ],
);
static SUM_CPU: KernelDescriptor =
    kernel("ScaledSum", &[KernelEntry::new(&[DType::Float], KernelFunction::Compute(scaled_sum))]);

fn context() -> EagerContext {
    let registry = RegistryBuilder::empty().op(&ADD).op(&SUM).op(&COUNT);
    let registry = registry.kernel(&ADD_CPU).kernel(&SUM_CPU).kernel(&COUNT_CPU).seal().unwrap();
    EagerContext::new(Arc::new(registry), Arc::new(TestDevice(HostEnv::new(None))))
}

fn float(value: f32) -> Tensor {
    Tensor::scalar(value)
}

#[test]
fn calls_by_name_infer_attrs_and_take_given_ones() {
    let context = context();
    for _ in 0..2 {
        let sum = context.call("AddV2", &[&float(1.0), &float(2.0)], &[]).unwrap();
        assert_eq!(sum.one(0).unwrap().to_scalar::<f32>().unwrap(), 3.0);
        let (a, b, c) = (float(1.0), float(2.0), float(3.0));
        let sum = context.call("ScaledSum", &[&a, &b, &c], &[("scale", 2.0.into())]).unwrap();
        assert_eq!(sum.one(0).unwrap().to_scalar::<f32>().unwrap(), 12.0);
        let sum = context.call("ScaledSum", &[&a, &b, &c], &[]).unwrap();
        assert_eq!(sum.one(0).unwrap().to_scalar::<f32>().unwrap(), 6.0);
    }
}

#[test]
fn errors_of_calls_say_what_is_wrong() {
    let context = context();
    let message = |op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]| {
        let error = context.call(op, inputs, attrs).unwrap_err();
        (error.kind(), error.message().to_owned())
    };
    let (x, y) = (float(1.0), Tensor::scalar(1i32));
    let mixed = "input `y` of op AddV2 makes attr `T` int32, but it is float from input `x`";
    assert_eq!(message("AddV2", &[&x, &y], &[]), (ErrorKind::InvalidArgument, mixed.to_owned()));
    let few = "op AddV2 does not take 1 inputs: it has `x: T`, `y: T`";
    assert_eq!(message("AddV2", &[&x], &[]), (ErrorKind::InvalidArgument, few.to_owned()));
    let attr = "op ScaledSum has no attr `skale`; did you mean `scale`?";
    assert_eq!(message("ScaledSum", &[&x], &[("skale", 1.0.into())]), (ErrorKind::InvalidArgument, attr.to_owned()));
    let op = "op `AddV3` is not declared: none of the 3 ops of this process; did you mean `AddV2`? (if a dependency \
              declares it, name that crate with `oplink::link!(the_crate);`)";
    assert_eq!(message("AddV3", &[], &[]), (ErrorKind::OpNotDeclared, op.to_owned()));
}

#[test]
fn typed_calls_go_through_the_host() {
    let context = context();
    let list = vec![float(1.0), float(2.0)];
    let call = |name: Option<&str>| Call {
        op: "ScaledSum",
        name: name.map(str::to_owned),
        device: None,
        inputs: [Arg::List(list.clone())].into_iter().collect(),
        attrs: vec![("scale", AttrValue::Float(3.0))],
    };
    for name in [None, None, Some("mine")] {
        assert_eq!(context.execute(call(name)).unwrap().one(0).unwrap().to_scalar::<f32>().unwrap(), 9.0);
    }
    let single = Call { inputs: [Arg::One(float(1.0))].into_iter().collect(), ..call(None) };
    let error = context.execute(single).unwrap_err();
    assert_eq!(error.message(), "input `values` of op ScaledSum is a list of tensors, a single one is given");
}

#[test]
fn a_panic_is_an_error_with_the_node_and_the_context_stays_usable() {
    let context = context();
    let call = Call {
        op: "ScaledSum",
        name: Some("mine".to_owned()),
        device: None,
        inputs: [Arg::List(vec![float(-1.0)])].into_iter().collect(),
        attrs: Vec::new(),
    };
    let error = context.execute(call).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KernelPanicked);
    let shown = "the kernel panicked: the sum -1 is negative\n  node `mine` (op ScaledSum) on /device:CPU:0\n  input 0 \
                 `values[0]`: float []";
    assert_eq!(error.to_string(), shown);
    assert!(context.call("ScaledSum", &[&float(1.0)], &[]).is_ok());
}

#[test]
fn one_handle_serves_eight_threads_and_two_dtypes() {
    let handle = context().handle("AddV2", &[]).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8i32 {
            let handle = &handle;
            scope.spawn(move || {
                for i in 0..500i32 {
                    let sum = handle.call(&[&Tensor::scalar(i), &Tensor::scalar(thread)]).unwrap();
                    assert_eq!(sum.to_scalar::<i32>().unwrap(), i + thread);
                    let sum = handle.call(&[&float(i as f32), &float(0.5)]).unwrap();
                    assert_eq!(sum.to_scalar::<f32>().unwrap(), i as f32 + 0.5);
                }
            });
        }
    });
    assert!(handle.call(&[&float(1.0), &Tensor::scalar(1i32)]).is_err());
}

#[test]
fn a_handle_with_lists_tells_lengths_apart_and_outlives_its_cache() {
    let handle = context().handle("ScaledSum", &[("scale", 2.0.into())]).unwrap();
    for count in (1..80).chain(1..3) {
        let values = vec![float(1.0); count];
        let inputs: Vec<&Tensor> = values.iter().collect();
        let outputs = handle.call_all(&inputs).unwrap();
        assert_eq!(outputs[0].to_scalar::<f32>().unwrap(), 2.0 * count as f32);
    }
}

#[test]
fn calls_of_one_context_share_what_lasts() {
    let (one, other) = (context(), context());
    let handle = one.handle("Count", &[]).unwrap();
    let by_name = |context: &EagerContext| context.call("Count", &[&float(0.0)], &[]).unwrap().one(0).unwrap();
    let calls = [by_name(&one), handle.call(&[&float(0.0)]).unwrap(), by_name(&other), by_name(&one)];
    let calls: Vec<f32> = calls.iter().map(|call| call.to_scalar().unwrap()).collect();
    assert_eq!(calls, [0.0, 1.0, 0.0, 2.0]);
    assert_eq!(one.resources().resources().len(), 1);
}
