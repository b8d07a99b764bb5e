//! What ops other than iterators make of a dataset.

use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink_ops::data::ExperimentalDatasetCardinality;
use oplink_ops::data::{
    CheckPinned, DatasetCardinality, DatasetToSingleElement, GetElementAtIndex, ReduceDataset, UnwrapDatasetVariant,
    WrapDatasetVariant,
};

use crate::dataset::{Cardinality, DatasetHandle, Element, Run};
use crate::function::DatasetFunction;

/// `ReduceDataset`.
#[kernel(ReduceDataset, device = CPU)]
pub fn reduce_dataset_cpu(
    input_dataset: &DatasetHandle,
    initial_state: &[Tensor],
    other_arguments: &[Tensor],
    f: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Vec<Tensor>> {
    let (run, function) = (Run::of(&env)?, DatasetFunction::new(f, other_arguments));
    let (mut state, mut elements) = (initial_state.to_vec(), input_dataset.iterate(&run)?);
    let wanted: Vec<DType> = state.iter().map(Tensor::dtype).collect();
    while let Some(element) = elements.next(&run)? {
        state.extend(element);
        state = function.call_for(&run, state, &wanted)?;
    }
    check_element(&state, output_types, output_shapes)?;
    Ok(state)
}

/// `DatasetToSingleElement`.
#[kernel(DatasetToSingleElement, device = CPU)]
pub fn dataset_to_single_element_cpu(
    dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Vec<Tensor>> {
    let run = Run::of(&env)?;
    let mut elements = dataset.iterate(&run)?;
    let Some(element) = elements.next(&run)? else { bail!("{dataset} is empty, it must have one element") };
    ensure!(elements.next(&run)?.is_none(), "{dataset} has more than one element, it must have one");
    check_element(&element, output_types, output_shapes)?;
    Ok(element)
}

/// `GetElementAtIndex`: the elements before it are made too.
#[kernel(GetElementAtIndex, device = CPU)]
pub fn get_element_at_index_cpu(
    dataset: &DatasetHandle,
    index: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Vec<Tensor>> {
    let run = Run::of(&env)?;
    let missing = || Error::out_of_range(format!("{dataset} has no element at index {index}"));
    if matches!(dataset.cardinality(), Cardinality::Known(count) if u64::try_from(index).is_ok_and(|at| at >= count)) {
        return Err(missing());
    }
    let mut elements = dataset.iterate(&run)?;
    for _ in 0..u64::try_from(index).map_err(|_| missing())? {
        elements.next(&run)?.ok_or_else(missing)?;
    }
    let element = elements.next(&run)?.ok_or_else(missing)?;
    check_element(&element, output_types, output_shapes)?;
    Ok(element)
}

/// Checks that an element has the dtypes and shapes that a node declares.
pub(crate) fn check_element(element: &Element, dtypes: &[DType], shapes: &[PartialShape]) -> Result<()> {
    let (has, wanted) = (element.len(), dtypes.len());
    ensure!(has == wanted, "the element has {has} components, output_types has {wanted} dtypes");
    ensure!(shapes.len() == wanted, "output_shapes has {} shapes, output_types {wanted} dtypes", shapes.len());
    for (at, ((tensor, dtype), shape)) in element.iter().zip(dtypes).zip(shapes).enumerate() {
        let fits = tensor.dtype() == *dtype && shape.accepts(tensor.shape());
        let (of, has) = (tensor.dtype(), tensor.shape());
        ensure!(fits, "component {at} of the element is {of} {has}, the node declares {dtype} {shape}");
    }
    Ok(())
}

/// `DatasetCardinality`.
#[kernel(DatasetCardinality, device = CPU)]
#[kernel(ExperimentalDatasetCardinality, device = CPU)]
pub fn dataset_cardinality_cpu(input_dataset: &DatasetHandle) -> i64 {
    cardinality_number(input_dataset.cardinality())
}

/// A number of elements, -1 where there is no end, -2 where nobody can tell.
pub(crate) fn cardinality_number(cardinality: Cardinality) -> i64 {
    match cardinality {
        Cardinality::Known(count) => i64::try_from(count).unwrap_or(i64::MAX),
        Cardinality::Infinite => -1,
        Cardinality::Unknown => -2,
    }
}

/// A dataset in a variant of its own type.
#[derive(Clone)]
pub struct Wrapped(DatasetHandle);

impl VariantObject for Wrapped {
    fn type_name(&self) -> &'static str {
        "tensorflow::WrappedDatasetVariant"
    }
}

impl<'a> InputParam<'a> for &'a Wrapped {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        let [variant] = input.as_slice::<Variant>()? else {
            bail!("it must be a scalar that holds a wrapped dataset, it has shape {}", input.shape())
        };
        let name = variant.type_name();
        let error = || Error::invalid_argument(format!("it holds `{name}`, not what WrapDatasetVariant makes"));
        variant.get().ok_or_else(error)
    }
}

/// `WrapDatasetVariant`.
#[kernel(WrapDatasetVariant, device = CPU)]
pub fn wrap_dataset_variant_cpu(input_handle: &DatasetHandle) -> Tensor {
    Tensor::scalar(Variant::new(Wrapped(input_handle.clone())))
}

/// `UnwrapDatasetVariant`.
#[kernel(UnwrapDatasetVariant, device = CPU)]
pub fn unwrap_dataset_variant_cpu(input_handle: &Wrapped) -> Tensor {
    input_handle.0.clone().into_tensor()
}

/// `CheckPinned` of every dtype.
#[kernel(CheckPinned, device = CPU, T = any)]
pub fn check_pinned_cpu(tensor: &Tensor) -> Result<Tensor> {
    let (dtype, shape) = (tensor.dtype(), tensor.shape());
    let message = format!("whether {dtype} {shape} is in pinned memory is not known without CUDA");
    Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message))
}
