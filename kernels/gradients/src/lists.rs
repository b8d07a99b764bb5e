//! Tensor lists, whose gradients are lists of as many elements.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    CompositeTensorVariantFromComponents, CompositeTensorVariantToComponents, ConcatV2, EmptyTensorList, Slice,
    TensorListConcat, TensorListConcatV2, TensorListElementShape, TensorListFromTensor, TensorListGather,
    TensorListGetItem, TensorListLength, TensorListPopBack, TensorListPushBack, TensorListReserve, TensorListResize,
    TensorListScatter, TensorListScatterIntoExistingList, TensorListScatterV2, TensorListSetItem, TensorListSplit,
    TensorListStack,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The attr of the elements' dtype, which is that of an input or output.
fn element(dtype: DType) -> Attrs {
    vec![("element_dtype", dtype.into())]
}

/// The extents of the rows of a tensor, as an element shape.
fn row_shape(n: &Nodes<'_>, rows: Output) -> Result<Output> {
    n.add::<Slice>([n.shape(rows)?, n.ints(&[1])?, n.ints(&[-1])?])
}

/// What a list knows of the shape of its elements.
fn element_shape(n: &Nodes<'_>, list: Output) -> Result<Output> {
    n.with::<TensorListElementShape>([list], vec![("shape_type", DType::Int32.into())])
}

/// A list as long as another, with elements that are not set.
fn unset(n: &Nodes<'_>, list: Output, dtype: DType) -> Result<Output> {
    let length = n.add::<TensorListLength>([list])?;
    n.with::<TensorListReserve>([element_shape(n, list)?, length], element(dtype))
}

/// The gradient of an element; those of whole numbers have none.
fn of_element(dtype: DType, gradient: Output) -> Option<Output> {
    (dtype.is_floating() || dtype.is_complex() || dtype == DType::Variant).then_some(gradient)
}

/// What is in a new list depends on nothing, though its length may come from the shape of what is differentiated.
#[gradient(TensorListReserve)]
fn tensor_list_reserve(_: &mut dyn Scope, _: &OpForGradient, _: &[Output]) -> Gradients {
    Ok(vec![None, None])
}

#[gradient(EmptyTensorList)]
fn empty_tensor_list(_: &mut dyn Scope, _: &OpForGradient, _: &[Output]) -> Gradients {
    Ok(vec![None, None])
}

#[gradient(TensorListLength)]
fn tensor_list_length(_: &mut dyn Scope, _: &OpForGradient, _: &[Output]) -> Gradients {
    Ok(vec![None])
}

#[gradient(TensorListElementShape)]
fn tensor_list_element_shape(_: &mut dyn Scope, _: &OpForGradient, _: &[Output]) -> Gradients {
    Ok(vec![None])
}

#[gradient(TensorListPushBack)]
fn tensor_list_push_back(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let (n, dtype) = (Nodes::new(scope, op), op.input_dtype(1));
    let parts = n.call::<TensorListPopBack>(vec![Arg::One(dy[0]), Arg::One(n.shape(op.input(1))?)], element(dtype))?;
    Ok(vec![Some(parts[0]), of_element(dtype, parts[1])])
}

#[gradient(TensorListPopBack)]
fn tensor_list_pop_back(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.add::<TensorListPushBack>([dy[0], dy[1]])?), None])
}

#[gradient(TensorListStack)]
fn tensor_list_stack(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.add::<TensorListFromTensor>([dy[0], row_shape(&n, dy[0])?])?), None])
}

#[gradient(TensorListFromTensor)]
fn tensor_list_from_tensor(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let shape = row_shape(&n, op.input(0))?;
    let rows = n.with::<TensorListStack>([dy[0], shape], element(op.input_dtype(0)))?;
    Ok(vec![of_element(op.input_dtype(0), rows), None])
}

#[gradient(TensorListGetItem)]
fn tensor_list_get_item(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let list = unset(&n, op.input(0), op.attr("element_dtype")?)?;
    Ok(vec![Some(n.add::<TensorListSetItem>([list, op.input(1), dy[0]])?), None, None])
}

/// What was at the index before does not matter; a list that grew shrinks again.
#[gradient(TensorListSetItem)]
fn tensor_list_set_item(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let (n, dtype) = (Nodes::new(scope, op), op.input_dtype(2));
    let item = n.with::<TensorListGetItem>([dy[0], op.input(1), n.shape(op.input(2))?], element(dtype))?;
    let mut list = n.add::<TensorListSetItem>([dy[0], op.input(1), n.zeros(item)?])?;
    if op.attr("resize_if_index_out_of_bounds")? {
        list = n.add::<TensorListResize>([list, n.add::<TensorListLength>([op.input(0)])?])?;
    }
    Ok(vec![Some(list), None, of_element(dtype, item)])
}

#[gradient(TensorListResize)]
fn tensor_list_resize(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let length = n.add::<TensorListLength>([op.input(0)])?;
    Ok(vec![Some(n.add::<TensorListResize>([dy[0], length])?), None])
}

/// As in TensorFlow, of an element that is gathered several times only the last gradient arrives.
#[gradient(TensorListGather)]
fn tensor_list_gather(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let list = unset(&n, op.input(0), op.attr("element_dtype")?)?;
    let list = n.add::<TensorListScatterIntoExistingList>([list, dy[0], op.input(1)])?;
    Ok(vec![Some(list), None, None])
}

/// The elements of `dy` at the indices that rows were scattered to.
fn scattered(n: &Nodes<'_>, dy: Output, indices: Output, rows: Output, dtype: DType) -> Result<Output> {
    n.with::<TensorListGather>([dy, indices, row_shape(n, rows)?], element(dtype))
}

/// The gradients of a scatter of the first input to the indices that are the second.
fn of_scatter(scope: &mut dyn Scope, op: &OpForGradient, dy: Output) -> Gradients {
    let (n, dtype) = (Nodes::new(scope, op), op.input_dtype(0));
    let rows = scattered(&n, dy, op.input(1), op.input(0), dtype)?;
    let others = op.inputs().iter().skip(1).map(|_| None);
    Ok(std::iter::once(of_element(dtype, rows)).chain(others).collect())
}

#[gradient(TensorListScatter)]
fn tensor_list_scatter(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_scatter(scope, op, dy[0])
}

#[gradient(TensorListScatterV2)]
fn tensor_list_scatter_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_scatter(scope, op, dy[0])
}

#[gradient(TensorListScatterIntoExistingList)]
fn tensor_list_scatter_into(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let rows = scattered(&n, dy[0], op.input(2), op.input(1), op.input_dtype(1))?;
    let list = n.add::<TensorListScatterIntoExistingList>([dy[0], n.zeros(rows)?, op.input(2)])?;
    Ok(vec![Some(list), of_element(op.input_dtype(1), rows), None])
}

#[gradient(TensorListConcatV2)]
fn tensor_list_concat(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let parts = n.add::<TensorListSplit>([dy[0], element_shape(&n, op.input(0))?, op.output(1)])?;
    Ok(vec![Some(parts), None, None])
}

#[gradient(TensorListConcat)]
fn tensor_list_concat_v1(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let parts = n.add::<TensorListSplit>([dy[0], element_shape(&n, op.input(0))?, op.output(1)])?;
    Ok(vec![Some(parts)])
}

#[gradient(CompositeTensorVariantFromComponents)]
fn composite_from_components(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let parts = n.like::<CompositeTensorVariantToComponents>(op, [dy[0]], &["metadata", "Tcomponents"])?;
    let dtypes = (0..op.inputs().len()).map(|at| op.input_dtype(at));
    Ok(parts.into_iter().zip(dtypes).map(|(part, dtype)| of_element(dtype, part)).collect())
}

#[gradient(CompositeTensorVariantToComponents)]
fn composite_to_components(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let metadata: &str = op.attr("metadata")?;
    let attrs = vec![("metadata", metadata.into())];
    Ok(vec![Some(n.join::<CompositeTensorVariantFromComponents>(dy, attrs)?)])
}

#[gradient(TensorListSplit)]
fn tensor_list_split(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let parts = vec![n.ints(&[-1])?, row_shape(&n, op.input(0))?];
    let shape = n.call::<ConcatV2>(vec![Arg::List(parts), Arg::One(n.int(0)?)], Vec::new())?[0];
    let joined = n.with::<TensorListConcatV2>([dy[0], shape, op.input(2)], element(op.input_dtype(0)))?;
    Ok(vec![of_element(op.input_dtype(0), joined), None, None])
}
