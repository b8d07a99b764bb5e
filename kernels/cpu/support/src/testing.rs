//! Runs one kernel outside a graph, for tests of op files.
//!
//! Goes by the collected descriptors alone: declared attrs, defaults and dtypes, no registry and no session.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use oplink::descriptors::{KernelDescriptor, KernelFunction, OpDescriptor, collected_kernels, collected_ops};
use oplink::prelude::*;
use oplink::shape_inference::{ConstantInputs, HandleShape};
use oplink::spec::{self, ArgSpec, ArgType};
use oplink::tensor::Allocator;
use oplink::{AttrMap, KernelEnv, KernelOptions, NodeInfo, OpSpec};

/// Several threads and the system's memory.
#[derive(Debug, Clone, Copy)]
pub struct Threads(pub usize);

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

    fn waits_for_own_loops_only(&self) -> bool {
        true
    }

    fn intra_op_threads(&self) -> usize {
        self.0
    }
}

/// Runs the CPU kernel of `op` on one thread. `attrs` may leave out those that follow from the inputs or have
/// defaults. Inputs are given away, so that kernels may reuse their memory; clone them to prevent it.
pub fn run(op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
    run_in(&Threads(1), op, attrs, inputs)
}

/// As [`run`], for an op with one output and no attrs to give.
pub fn run_one(op: &str, inputs: Vec<Tensor>) -> Result<Tensor> {
    run(op, &[], inputs)?.pop().ok_or_else(|| Error::internal(format!("{op} has no output")))
}

/// As [`run`], in a given environment.
pub fn run_in(
    env: &dyn KernelEnv,
    op: &str,
    attrs: &[(&str, AttrValue)],
    mut inputs: Vec<Tensor>,
) -> Result<Vec<Tensor>> {
    let node = node(descriptor(op)?, attrs, &inputs)?;
    let mut outputs = vec![None; node.output_dtypes.len()];
    let function = kernel(&node)?;
    match function {
        KernelFunction::Compute(compute) => compute(&mut KernelContext::new(&node, &mut inputs, &mut outputs, env))?,
        KernelFunction::Create(create) => {
            let kernel = create(&KernelConstruction::new(&node))?;
            kernel.compute(&mut KernelContext::new(&node, &mut inputs, &mut outputs, env))?;
        }
        KernelFunction::Async(function) => outputs = super::stepping::wait(function, node, inputs, env)?,
        KernelFunction::Program(_) | KernelFunction::Foreign(_) | KernelFunction::HostFallback => {
            bail!("the kernel of {op} does not run on the host")
        }
    }
    outputs
        .into_iter()
        .map(|output| output.ok_or_else(|| Error::internal(format!("{op} left an output unset"))))
        .collect()
}

/// Runs the kernel of `op`, made once, several times on the same inputs.
pub fn run_times(
    env: &dyn KernelEnv,
    op: &str,
    attrs: &[(&str, AttrValue)],
    inputs: &[Tensor],
    times: usize,
) -> Result<Vec<Vec<Tensor>>> {
    let node = node(descriptor(op)?, attrs, inputs)?;
    let KernelFunction::Create(create) = kernel(&node)? else { bail!("the kernel of {op} has no state") };
    let kernel = create(&KernelConstruction::new(&node))?;
    let run = || {
        let (mut inputs, mut outputs) = (inputs.to_vec(), vec![None; node.output_dtypes.len()]);
        kernel.compute(&mut KernelContext::new(&node, &mut inputs, &mut outputs, env))?;
        let missing = || Error::internal(format!("{op} left an output unset"));
        outputs.into_iter().map(|output| output.ok_or_else(missing)).collect()
    };
    (0..times).map(|_| run()).collect()
}

/// As [`run_in`], with a kernel that is told the value of the input at `constant`, and these options.
pub fn run_constant(
    env: &dyn KernelEnv,
    op: &str,
    attrs: &[(&str, AttrValue)],
    (mut inputs, constant): (Vec<Tensor>, usize),
    options: KernelOptions,
) -> Result<Vec<Option<Tensor>>> {
    let node = node(descriptor(op)?, attrs, &inputs)?;
    let KernelFunction::Create(create) = kernel(&node)? else { bail!("the kernel of {op} has no state") };
    let mut constants = vec![None; inputs.len()];
    constants[constant] = Some(inputs[constant].clone());
    let kernel = create(&KernelConstruction::new(&node).with_constants(&constants).with_options(options))?;
    let mut outputs = vec![None; node.output_dtypes.len()];
    kernel.compute(&mut KernelContext::new(&node, &mut inputs, &mut outputs, env))?;
    Ok(outputs)
}

/// A stateless kernel.
pub type Compute = fn(&mut KernelContext<'_>) -> Result<()>;

/// The node and the stateless kernel that [`run`] runs, to run it many times.
pub fn prepare(op: &str, attrs: &[(&str, AttrValue)], inputs: &[Tensor]) -> Result<(NodeInfo, Compute)> {
    let node = node(descriptor(op)?, attrs, inputs)?;
    match kernel(&node)? {
        KernelFunction::Compute(compute) => Ok((node, compute)),
        _ => bail!("the kernel of {op} is not stateless"),
    }
}

/// The shapes that the op's shape function gives for these inputs.
pub fn output_shapes(op: &str, attrs: &[(&str, AttrValue)], inputs: &[Tensor]) -> Result<Vec<PartialShape>> {
    let node = node(descriptor(op)?, attrs, inputs)?;
    let Some(shape_fn) = node.shape_fn else { bail!("{op} has no shape function") };
    let mut context = ShapeContext::for_run(&node, inputs);
    shape_fn.infer(&mut context)?;
    Ok(context.into_output_shapes())
}

/// An output's dtype and shape, and what it refers to where it is a handle.
pub type Inferred = (DType, PartialShape, Vec<HandleShape>);

/// What the op's shape function says for inputs of these shapes, of which `known` tells values and handles. `stand_ins`
/// have the inputs' dtypes.
pub fn infer(
    op: &str,
    attrs: &[(&str, AttrValue)],
    stand_ins: &[Tensor],
    shapes: &[PartialShape],
    known: &dyn ConstantInputs,
) -> Result<Vec<Inferred>> {
    let node = node(descriptor(op)?, attrs, stand_ins)?;
    let Some(shape_fn) = node.shape_fn else { bail!("{op} has no shape function") };
    let mut context = ShapeContext::new(&node, shapes, known);
    shape_fn.infer(&mut context)?;
    let handles = context.take_output_handle_shapes();
    let handle = |index| handles.iter().find(|(at, _)| *at == index).map_or_else(Vec::new, |(_, held)| held.clone());
    let outputs = context.into_output_shapes().into_iter().zip(&node.output_dtypes).enumerate();
    Ok(outputs.map(|(index, (shape, dtype))| (*dtype, shape, handle(index))).collect())
}

pub(super) fn descriptor(op: &str) -> Result<&'static OpDescriptor> {
    collected_ops().into_iter().find(|d| d.name == op).ok_or_else(|| Error::not_found(format!("no op {op}")))
}

pub(super) fn node(descriptor: &OpDescriptor, given: &[(&str, AttrValue)], inputs: &[Tensor]) -> Result<NodeInfo> {
    let op = OpSpec::from_pieces(
        descriptor.name,
        descriptor.inputs,
        descriptor.outputs,
        descriptor.attrs,
        descriptor.flags,
        None,
    )
    .map_err(|problems| Error::internal(format!("{}: {problems:?}", descriptor.name)))?;
    let mut values: HashMap<String, AttrValue> = given.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
    let input_ranges = input_ranges(&op, inputs, &mut values)?;
    let mut attrs = AttrMap::new();
    for attr in &op.attrs {
        let value = values.get(&attr.name).cloned().or_else(|| attr.default.as_ref().and_then(default));
        let Some(value) = value else { bail!("attr `{}` of {} is not given", attr.name, op.name) };
        attrs.set(attr.name.as_str(), value);
    }
    let mut output_dtypes = Vec::new();
    let mut output_ranges = Vec::new();
    for arg in &op.outputs {
        let start = output_dtypes.len();
        output_dtypes.extend(dtypes(arg, &attrs)?);
        output_ranges.push(start..output_dtypes.len());
    }
    let mut input_dtypes: Vec<DType> = inputs.iter().map(Tensor::dtype).collect();
    for (arg, range) in op.inputs.iter().zip(&input_ranges).filter(|(arg, _)| arg.is_ref) {
        input_dtypes.splice(range.clone(), dtypes(arg, &attrs)?);
    }
    Ok(NodeInfo {
        name: op.name.clone(),
        device: "/device:CPU:0".to_owned(),
        attrs,
        input_dtypes,
        output_dtypes,
        input_ranges,
        output_ranges,
        shape_fn: descriptor.shape.map(Into::into),
        op: Arc::new(op),
    })
}

/// Shares the inputs out among the declared arguments, and infers the attrs that follow. Without a given number, a
/// sequence takes all inputs that the single arguments leave, evenly.
fn input_ranges(op: &OpSpec, inputs: &[Tensor], values: &mut HashMap<String, AttrValue>) -> Result<Vec<Range<usize>>> {
    let mut lengths: Vec<_> = op.inputs.iter().map(|arg| given_length(arg, values)).collect();
    let open = lengths.iter().filter(|length| length.is_none()).count();
    let share = inputs.len().saturating_sub(lengths.iter().flatten().sum()) / open.max(1);
    lengths.iter_mut().for_each(|length| *length = length.or(Some(share)));
    let mut start = 0;
    op.inputs
        .iter()
        .zip(lengths.into_iter().flatten())
        .map(|(arg, length)| {
            let range = start..start + length;
            start = range.end;
            let Some(tensors) = inputs.get(range.clone()) else { bail!("{} lacks input `{}`", op.name, arg.name) };
            if let Some(number) = &arg.number_attr {
                values.entry(number.clone()).or_insert(AttrValue::Int(length as i64));
            }
            let inferred = match &arg.ty {
                ArgType::Attr(name) => tensors.first().map(|t| (name, AttrValue::Type(dtype_of(arg, t)))),
                ArgType::ListAttr(name) => Some((name, AttrValue::Types(tensors.iter().map(Tensor::dtype).collect()))),
                ArgType::Type(_) => None,
            };
            if let Some((name, value)) = inferred {
                values.entry(name.clone()).or_insert(value);
            }
            Ok(range)
        })
        .collect()
}

/// The number of tensors of an argument, where it is one or the attrs tell.
fn given_length(arg: &ArgSpec, values: &HashMap<String, AttrValue>) -> Option<usize> {
    if !arg.is_sequence() {
        return Some(1);
    }
    match (arg.number_attr.as_ref().and_then(|name| values.get(name)), &arg.ty) {
        (Some(AttrValue::Int(number)), _) => usize::try_from(*number).ok(),
        (None, ArgType::ListAttr(name)) => values.get(name).and_then(AttrValue::list_len),
        _ => None,
    }
}

/// The dtype that an input has for its op: of what it refers to, where it is a reference.
fn dtype_of(arg: &ArgSpec, tensor: &Tensor) -> DType {
    let handle = tensor.as_slice::<ResourceHandle>().ok().and_then(<[_]>::first).filter(|_| arg.is_ref);
    let variable = handle.and_then(|handle| handle.get::<oplink::resource::Variable>().ok());
    variable.map_or(tensor.dtype(), |variable| variable.dtype())
}

fn dtypes(arg: &ArgSpec, attrs: &AttrMap) -> Result<Vec<DType>> {
    let one = match &arg.ty {
        ArgType::Type(dtype) => *dtype,
        ArgType::Attr(name) => attrs.read(name)?,
        ArgType::ListAttr(name) => return Ok(attrs.read::<&[DType]>(name)?.to_vec()),
    };
    let count = arg.number_attr.as_ref().map_or(Ok(1), |number| attrs.read::<i64>(number))?;
    Ok(vec![one; count as usize])
}

fn default(value: &spec::AttrValue) -> Option<AttrValue> {
    Some(match value {
        spec::AttrValue::String(v) => AttrValue::String(v.clone()),
        spec::AttrValue::Int(v) => AttrValue::Int(*v),
        spec::AttrValue::Float(v) => AttrValue::Float(*v),
        spec::AttrValue::Bool(v) => AttrValue::Bool(*v),
        spec::AttrValue::Type(v) => AttrValue::Type(*v),
        spec::AttrValue::Shape(v) => AttrValue::Shape(PartialShape::from_i64(v.as_deref()).ok()?),
        spec::AttrValue::List(v) if v.is_empty() => AttrValue::EmptyList,
        spec::AttrValue::List(v) if !v.ints.is_empty() => AttrValue::Ints(v.ints.clone()),
        spec::AttrValue::List(v) if !v.floats.is_empty() => AttrValue::Floats(v.floats.clone()),
        spec::AttrValue::List(v) if !v.strings.is_empty() => AttrValue::Strings(v.strings.clone()),
        spec::AttrValue::List(v) if !v.types.is_empty() => AttrValue::Types(v.types.clone()),
        _ => return None,
    })
}

pub(super) fn kernel(node: &NodeInfo) -> Result<KernelFunction> {
    let fits =
        |kernel: &&&KernelDescriptor| kernel.op == node.op.name && kernel.device == "CPU" && kernel.label.is_empty();
    let of_op: Vec<_> = collected_kernels();
    for kernel in of_op.iter().filter(fits) {
        let wanted = kernel.type_attrs.iter().map(|attr| node.attr::<DType>(attr)).collect::<Result<Vec<_>>>()?;
        if let Some(entry) = kernel.entries.iter().find(|entry| entry.dtypes == wanted) {
            return Ok(entry.function);
        }
    }
    bail!("no CPU kernel of {} for {:?}", node.op.name, node.input_dtypes)
}

/// Fails unless dtype, shape and elements are equal: exactly, or for floats within `ulps` units in the last place of
/// the larger one. NaN equals NaN; zeros of either sign are equal.
///
/// # Panics
/// Where they differ, saying at which element.
#[track_caller]
pub fn assert_close(actual: &Tensor, expected: &Tensor, ulps: f64) {
    assert_eq!((actual.dtype(), actual.shape()), (expected.dtype(), expected.shape()));
    let Ok((a, e)) = as_doubles(actual).and_then(|a| Ok((a, as_doubles(expected)?))) else {
        assert_eq!(AttrValue::Tensor(actual.clone()), AttrValue::Tensor(expected.clone()));
        return;
    };
    let epsilon = epsilon(actual.dtype());
    for (index, (a, e)) in a.iter().zip(&e).enumerate() {
        let tolerance = (a.abs().max(e.abs())).max(f64::MIN_POSITIVE) * epsilon * ulps;
        let equal = a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= tolerance;
        assert!(equal, "element {index}: {a:e} instead of {e:e}\nactual {actual:?}\nexpected {expected:?}");
    }
}

/// The distance from 1 to the next number of a floating dtype; 0 for others.
pub fn epsilon(dtype: DType) -> f64 {
    match dtype {
        DType::Float | DType::Complex64 => f64::from(f32::EPSILON),
        DType::Double | DType::Complex128 => f64::EPSILON,
        DType::Half => f16::EPSILON.to_f64(),
        DType::BFloat16 => bf16::EPSILON.to_f64(),
        _ => 0.0,
    }
}

/// The elements of a floating or complex tensor, parts of complex numbers one after the other.
pub fn as_doubles(tensor: &Tensor) -> Result<Vec<f64>> {
    Ok(match tensor.dtype() {
        DType::Float => tensor.as_slice::<f32>()?.iter().map(|&v| f64::from(v)).collect(),
        DType::Double => tensor.as_slice::<f64>()?.to_vec(),
        DType::Half => tensor.as_slice::<f16>()?.iter().map(|v| v.to_f64()).collect(),
        DType::BFloat16 => tensor.as_slice::<bf16>()?.iter().map(|v| v.to_f64()).collect(),
        DType::Complex64 => {
            tensor.as_slice::<Complex<f32>>()?.iter().flat_map(|v| [f64::from(v.re), f64::from(v.im)]).collect()
        }
        DType::Complex128 => tensor.as_slice::<Complex<f64>>()?.iter().flat_map(|v| [v.re, v.im]).collect(),
        other => bail!("{other} is not floating"),
    })
}

/// Runs an op with one output and compares: floats within 2 units in the last place, others exactly. The inputs are
/// given once as shared memory and once as memory that the kernel may reuse.
///
/// # Panics
/// Where the run fails or differs.
#[track_caller]
pub fn check<const N: usize>(op: &str, inputs: [Tensor; N], expected: impl Into<Tensor>) {
    check_with(op, &[], inputs, expected);
}

/// As [`check`], with attrs.
///
/// # Panics
/// Where the run fails or differs.
#[track_caller]
pub fn check_with<const N: usize>(
    op: &str,
    attrs: &[(&str, AttrValue)],
    inputs: [Tensor; N],
    expected: impl Into<Tensor>,
) {
    let expected = expected.into();
    let owned: Result<Vec<_>> = inputs.iter().map(Tensor::deep_copy).collect();
    for inputs in [Ok(inputs.to_vec()), owned] {
        match inputs.and_then(|inputs| run(op, attrs, inputs)) {
            Ok(outputs) => assert_close(&outputs[0], &expected, 2.0),
            Err(error) => panic!("{op}: {error:?}"),
        }
    }
}

/// Runs an op that must fail, with a message that contains `message`.
///
/// # Panics
/// Where it does not.
#[track_caller]
pub fn check_error<const N: usize>(op: &str, inputs: [Tensor; N], message: &str) {
    match run(op, &[], inputs.to_vec()) {
        Ok(outputs) => panic!("{op} gave {outputs:?} in place of the error {message}"),
        Err(error) => assert!(error.message().contains(message), "{op}: {error:?}"),
    }
}
