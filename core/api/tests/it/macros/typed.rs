//! Kernels that take handles, groups, enums and the environment, as functions and as objects.

use super::*;
use ndarray::{ArrayViewD, ArrayViewMutD};
use oplink::resource::{ResourceInfo, ResourceManager, Variable};
use oplink::{AttrEnum, OutputList, OutputSlot};

oplink::attr_enum! {
    /// What is added around an image.
    pub enum Padding { Same = "SAME", Valid = "VALID" }
}

#[op("ApiPool", input = "x: T", input = "size: int32", output = "y: T", attr = "T: {float, int32}",
     attr = "padding: {'SAME', 'VALID'}", attr = "data_format: {'NHWC', 'NHWC_VECT_C', '', '1d'} = 'NHWC'",
     attr = "name: string = 'n'", attr = "strides: list(int) = []", shape = super::like_first)]
pub struct ApiPool;

#[op("ApiPad", input = "x: float", output = "y: float", attr = "padding: {'VALID', 'SAME'}",
     enums(padding = Padding), shape = super::like_first)]
pub struct ApiPad;

#[op("ApiJoin", input = "axis: int32", input = "values: N * T", input = "last: T", output = "parts: N * T",
     output = "count: int64", attr = "N: int >= 1", attr = "T: type", shape = super::like_first)]
pub struct ApiJoin;

#[op("ApiApply", input = "var: Ref(float)", input = "grad: float", output = "out: Ref(float)",
     attr = "use_locking: bool = false", shape = super::like_first)]
pub struct ApiApply;

#[op("ApiResourceApply", input = "var: resource", input = "grad: float", attr = "nesterov: bool = true", stateful,
     shape = super::like_first)]
pub struct ApiResourceApply;

#[kernel(ApiPool, device = CPU, T = [f32, i32])]
fn grouped<T: Real>(
    inputs: ApiPoolInputs<'_>,
    attrs: ApiPoolAttrs<'_>,
    outputs: &mut ApiPoolOutputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(attrs.padding == ApiPoolPadding::Same && attrs.name == "n" && attrs.t == T::DTYPE, "attrs");
    ensure!(attrs.data_format == ApiPoolDataFormat::NhwcVectC && attrs.strides == [1, 2], "attrs");
    ensure!(env.node().name == "node" && env.intra_op_threads() == 1, "environment");
    let shape = inputs.x.shape().clone();
    let size = inputs.size.to_scalar::<i32>()?;
    let (y, x) = outputs.y.forward(inputs.x, &shape)?;
    let from = x.as_deref().map(Tensor::as_slice::<T>).transpose()?.map(<[T]>::to_vec);
    let y = y.as_mut_slice::<T>()?;
    if let Some(from) = from {
        y.copy_from_slice(&from);
    }
    (0..size).for_each(|_| y.iter_mut().for_each(|y| *y = *y + *y));
    Ok(())
}

#[kernel(ApiPool, device = CPU, T = [f32], label = "handles")]
fn handles(size: i32, padding: Padding, mut y: OutputSlot<'_>, x: Input<'_>, env: &Env<'_>) -> Result<()> {
    ensure!(padding == Padding::Same && env.step().is_err() && env.device().is_err(), "arguments");
    ensure!(x.index() == 0 && x.name() == "x" && y.dtype() == DType::Float, "handles");
    let doubled = y.forward_or_copy(x)?;
    doubled.as_mut_slice::<f32>()?.iter_mut().for_each(|y| *y *= size as f32);
    Ok(())
}

#[kernel(ApiPool, device = CPU, T = [f32], label = "mixed")]
fn mixed(attrs: ApiPoolAttrs<'_>, x: ArrayViewD<'_, f32>, mut y: ArrayViewMutD<'_, f32>, env: Env<'_>) {
    let threads = env.intra_op_threads() as f32;
    y.zip_mut_with(&x, |y, x| *y = x * threads * attrs.strides.len() as f32);
}

#[kernel(ApiPad, device = CPU)]
fn shared_enum(x: &Tensor, attrs: ApiPadAttrs<'_>) -> Result<Tensor> {
    let padding: Padding = attrs.padding;
    ensure!(padding == Padding::Valid && attrs.padding.to_string() == "VALID", "padding");
    Ok(x.clone())
}

#[kernel(ApiJoin, device = CPU, T = any)]
fn lists(
    last: Input<'_>,
    values: oplink::InputList<'_>,
    mut parts: OutputList<'_>,
    count: &mut OutputSlot<'_>,
    axis: i32,
) -> Result<()> {
    ensure!(parts.len() == values.len() && !parts.is_empty() && axis == 0, "lists");
    count.set_scalar(values.len() as i64 + last.num_elements() as i64);
    for (value, mut part) in values.into_inputs().zip(parts.iter_mut()) {
        part.set(value.take());
    }
    Ok(())
}

#[kernel(ApiJoin, device = CPU, T = any, label = "groups")]
fn list_groups(inputs: ApiJoinInputs<'_>, mut outputs: ApiJoinOutputs<'_>) -> Result<()> {
    outputs.count.allocate([])?.as_mut_slice::<i64>()?.fill(inputs.values.len() as i64);
    let last = inputs.last.into_ref();
    for at in 0..outputs.parts.len() {
        outputs.parts.set(at, last.clone());
    }
    Ok(())
}

#[kernel(ApiApply, device = CPU)]
#[kernel(ApiResourceApply, device = CPU)]
fn apply(var: Input<'_>, grad: f32, nesterov: Option<bool>, out: Option<OutputSlot<'_>>, env: Env<'_>) -> Result<()> {
    let variable = var.resource::<Variable>()?;
    let mut value = variable.lock();
    let step = if nesterov.unwrap_or_default() { 2.0 * grad } else { grad };
    value.value_mut(&env)?.as_mut_slice::<f32>()?.iter_mut().for_each(|value| *value -= step);
    if let Some(mut out) = out {
        out.set(var.take());
    }
    Ok(())
}

#[kernel(ApiResourceApply, device = CPU, label = "bound")]
fn bound(var: Arc<Variable>, grad: f32) -> Result<()> {
    var.assign(Tensor::scalar(grad))
}

/// A kernel with state.
pub struct Scaled {
    factor: f32,
}

#[kernel(ApiPool, device = CPU, T = [f32], label = "object")]
impl Kernel for Scaled {
    type Op = ApiPool;

    fn new(construction: Construction<'_, ApiPool>) -> Result<Self> {
        ensure!(construction.input_dtypes().len() == 2 && construction.output_dtypes() == [DType::Float], "dtypes");
        Ok(Self { factor: construction.attrs.strides.len() as f32 })
    }

    fn compute(&self, inputs: ApiPoolInputs<'_>, outputs: &mut ApiPoolOutputs<'_>, env: Env<'_>) -> Result<()> {
        let copy = env.allocate(DType::Float, inputs.x.shape().clone())?;
        ensure!(copy.shape() == inputs.x.shape(), "allocation");
        let shape = inputs.x.shape().clone();
        let (y, rest) = outputs.y.forward_or_allocate([inputs.x, inputs.size], &shape)?;
        let y = y.as_mut_slice::<f32>()?;
        match rest.get(0) {
            Some(x) => y.iter_mut().zip(x.as_slice::<f32>()?).for_each(|(y, x)| *y = self.factor * x),
            None => y.iter_mut().for_each(|y| *y *= self.factor),
        }
        ensure!(rest.get(1).is_some() && rest.taken() != Some(1), "the size stays");
        Ok(())
    }
}

fn pool_inputs() -> Vec<Arg<Tensor>> {
    vec![Arg::One(Tensor::from([1f32, 2.0])), Arg::One(Tensor::scalar(2i32))]
}

fn pool_attrs() -> [(&'static str, AttrValue); 5] {
    [
        ("T", DType::Float.into()),
        ("padding", "SAME".into()),
        ("data_format", "NHWC_VECT_C".into()),
        ("name", "n".into()),
        ("strides", (&[1i64, 2]).into()),
    ]
}

fn pool<K: oplink::descriptors::HasKernelDescriptor>(inputs: Vec<Arg<Tensor>>) -> Result<Tensor> {
    let node = node::<ApiPool>(&pool_attrs(), &inputs, &[&[DType::Float]]);
    Ok(run(entry(descriptor::<K>(), &[DType::Float]), &node, inputs)?.remove(0))
}

#[test]
fn groups_and_handles_give_what_was_declared() {
    assert_eq!(pool::<grouped>(pool_inputs()).unwrap().as_slice::<f32>().unwrap(), [4.0, 8.0]);
    assert_eq!(pool::<handles>(pool_inputs()).unwrap().as_slice::<f32>().unwrap(), [2.0, 4.0]);
    assert_eq!(pool::<mixed>(pool_inputs()).unwrap().as_slice::<f32>().unwrap(), [2.0, 4.0]);
    assert_eq!(pool::<Scaled>(pool_inputs()).unwrap().as_slice::<f32>().unwrap(), [2.0, 4.0]);
}

#[test]
fn inputs_that_others_need_keep_their_values() {
    for run in [pool::<grouped>, pool::<handles>, pool::<Scaled>] {
        let inputs = pool_inputs();
        let Arg::One(kept) = inputs[0].clone() else { unreachable!() };
        assert_ne!(run(inputs).unwrap().as_ptr(), kept.as_ptr());
        assert_eq!(kept.as_slice::<f32>().unwrap(), [1.0, 2.0]);
        let (inputs, address) = (vec![Arg::One(kept)], 0);
        let Arg::One(x) = &inputs[0] else { unreachable!() };
        let address = address + x.as_ptr().addr();
        let inputs = inputs.into_iter().chain([Arg::One(Tensor::scalar(2i32))]).collect();
        assert_eq!(run(inputs).unwrap().as_ptr().addr(), address, "the memory is forwarded");
    }
}

#[test]
fn an_enum_has_the_values_that_the_op_declares() {
    assert_eq!(ApiPoolDataFormat::VALUES, ["NHWC", "NHWC_VECT_C", "", "1d"]);
    assert_eq!(ApiPoolDataFormat::from_value(b""), Some(ApiPoolDataFormat::Empty));
    assert_eq!(ApiPoolDataFormat::_1d.as_str(), "1d");
    assert_eq!(ApiPoolPadding::from_value(b"OTHER"), None);
    let inputs = vec![Arg::One(Tensor::from([3f32]))];
    let node = node::<ApiPad>(&[("padding", Padding::Valid.into())], &inputs, &[&[DType::Float]]);
    assert_eq!(run(entry(descriptor::<shared_enum>(), &[]), &node, inputs).unwrap().len(), 1);
}

#[test]
fn a_value_that_the_op_does_not_allow_is_an_error_that_names_the_attr() {
    let mut attrs = pool_attrs();
    attrs[1].1 = "FULL".into();
    let node = node::<ApiPool>(&attrs, &pool_inputs(), &[&[DType::Float]]);
    let error = run(entry(descriptor::<grouped>(), &[DType::Float]), &node, pool_inputs()).unwrap_err().to_string();
    assert!(error.contains("attr `padding` is `FULL`, which the op does not allow"), "{error}");
}

#[test]
fn lists_are_given_out_in_order() {
    let given = || {
        let values = vec![Tensor::from([1f32]), Tensor::from([2f32, 3.0])];
        vec![Arg::One(Tensor::scalar(0i32)), Arg::List(values), Arg::One(Tensor::from([4f32, 5.0, 6.0]))]
    };
    let attrs = [("N", 2i64.into()), ("T", DType::Float.into())];
    let node = node::<ApiJoin>(&attrs, &given(), &[&[DType::Float, DType::Float], &[DType::Int64]]);
    let out = run(entry(descriptor::<lists>(), &[]), &node, given()).unwrap();
    assert_eq!((out[0].num_elements(), out[1].num_elements()), (1, 2));
    assert_eq!(out[2].to_scalar::<i64>().unwrap(), 5);
    let out = run(entry(descriptor::<list_groups>(), &[]), &node, given()).unwrap();
    assert_eq!((out[0].num_elements(), out[1].num_elements()), (3, 3));
    assert_eq!(out[2].to_scalar::<i64>().unwrap(), 2);
}

#[test]
fn ops_that_lack_an_argument_bind_none() {
    let resources = ResourceManager::default();
    let handle = resources.handle(ResourceInfo::default());
    let variable = handle
        .get_or_create(|| {
            let variable = Variable::new(DType::Float, PartialShape::unknown());
            variable.assign(Tensor::scalar(10f32))?;
            Ok(variable)
        })
        .unwrap();
    let inputs = || vec![Arg::One(Tensor::scalar(handle.clone())), Arg::One(Tensor::scalar(1f32))];
    let [by_ref, by_resource] = <apply as oplink::descriptors::HasKernelDescriptor>::DESCRIPTORS else { panic!() };
    let info = node::<ApiApply>(&[("use_locking", false.into())], &inputs(), &[&[DType::Float]]);
    let out = run(entry(by_ref, &[]), &info, inputs()).unwrap();
    assert!(out[0].resource::<Variable>().is_ok());
    assert_eq!(variable.read().unwrap().to_scalar::<f32>().unwrap(), 9.0);
    let info = node::<ApiResourceApply>(&[("nesterov", true.into())], &inputs(), &[]);
    assert!(run(entry(by_resource, &[]), &info, inputs()).unwrap().is_empty());
    assert_eq!(variable.read().unwrap().to_scalar::<f32>().unwrap(), 7.0);
    run(entry(descriptor::<bound>(), &[]), &info, inputs()).unwrap();
    assert_eq!(variable.read().unwrap().to_scalar::<f32>().unwrap(), 1.0);
    let wrong = vec![Arg::One(Tensor::from([0f32])), Arg::One(Tensor::scalar(1f32))];
    let error = run(entry(descriptor::<bound>(), &[]), &info, wrong).unwrap_err().to_string();
    assert!(error.contains("binding input `var`") && error.contains("holds float, not resource"), "{error}");
}

#[test]
fn a_moved_input_is_not_read_again_and_keeps_its_shape() {
    let inputs = pool_inputs();
    let node = node::<ApiPool>(&pool_attrs(), &inputs, &[&[DType::Float]]);
    let (mut tensors, mut outputs) = (flat(&inputs), [None]);
    drop(inputs);
    let mut context = KernelContext::new(&node, &mut tensors, &mut outputs, &DefaultEnv);
    let (mut inputs, mut slots, _) = context.split();
    let mut y = slots.one(0, "y").unwrap();
    y.set(inputs.one(0, "x").unwrap().take());
    assert_eq!(y.get().unwrap().num_elements(), 2);
    assert!(inputs.one(0, "x").is_err(), "each slot is given out once");
    let moved = context.input(0);
    assert_eq!((&moved.shape()[..], moved.num_elements(), moved.dtype()), (&[2usize][..], 0, DType::Invalid));
    assert!(
        moved.as_slice::<f32>().is_err() && moved.as_bytes().is_err() && moved.view::<f32, ndarray::IxDyn>().is_err()
    );
    assert!(moved.clone().with_shape([2]).is_err() && moved.deep_copy().is_err() && moved.slice(0, 1).is_err());
}
