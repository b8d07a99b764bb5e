//! `loop_product_hoisting`: the products of all elements of a list with a matrix are made at once, before the loop that
//! made them one by one.
//!
//! Recurrent layers multiply the input of each step by a matrix that no step changes. One product of all steps reads
//! the matrix once.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, FuncAttr, NodeInfo, Output, PartialShape, Result, Tensor};
use oplink_core::PreparedKernel;

use super::devices::kernel_of;
use super::rewrite::Readers;
use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::build::NewNode;
use crate::functions::{Body, ListProducts, PRODUCT_SHAPES_ATTR, PRODUCTS_ATTR, is_read};
use crate::known_ops::KnownOp;
use crate::library::ARE_LINKED;

pub(super) const PASS: Pass = Pass {
    name: "loop_product_hoisting",
    description: "multiplies all elements of a list by a matrix at once, before the loop that did so one by one",
    run,
};

/// Columns of an element at least: fewer are multiplied as fast in the loop.
const MIN_DEPTH: usize = 16;
/// Products are at most so many times as large as elements.
const MAX_GROWTH: usize = 16;
/// The functions of a loop.
const CONDITION: &str = "cond";
const BODY: &str = "body";

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS || !ARE_LINKED || rewrite.graph.functions.library().is_none() || rewrite.has_control_flow() {
        return Ok(());
    }
    let readers = rewrite.readers()?;
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        let is_loop = matches!(rewrite.node(position).known(), KnownOp::While | KnownOp::StatelessWhile);
        if is_loop && !rewrite.is_fed(position) {
            hoist(rewrite, &readers, position)?;
        }
    }
    Ok(())
}

/// Makes the products of one loop's lists before it.
fn hoist(rewrite: &mut Rewrite, readers: &Readers, position: u32) -> Result<()> {
    let node = rewrite.node(position);
    let (info, mut inputs) = (Arc::clone(node.info()), node.inputs().to_vec());
    let shapes: Vec<PartialShape> = inputs.iter().map(|&input| rewrite.graph.shape(input)).collect();
    let (Ok(condition), Ok(function)) = (info.attr::<&FuncAttr>(CONDITION), info.attr::<&FuncAttr>(BODY)) else {
        return Ok(());
    };
    let lists: Vec<usize> = (0..inputs.len()).filter(|&at| list_of(rewrite, inputs[at]).is_some()).collect();
    if lists.is_empty() || function.attrs.get(PRODUCTS_ATTR).is_some() {
        return Ok(());
    }
    let of = |function: &FuncAttr| Body::of_call(&rewrite.graph, &function.name, &function.attrs, &shapes);
    let (Some(condition), Some(body)) = (of(condition), of(function)) else { return Ok(()) };
    let (mut products, mut shapes) = (Vec::new(), Vec::new());
    for list in lists {
        if is_read(&condition, list) || readers.reads_output(rewrite, Output { node: position, index: list as u32 }) {
            continue;
        }
        let Some(found) = ListProducts::find(&body, list) else { continue };
        if let Some(made) = list_of_products(rewrite, inputs[list], inputs[found.matrix], found.transposed)? {
            inputs[list] = made;
            shapes.extend(vec![element_shape(rewrite, made); found.products.len()]);
            products.extend(found.products.into_iter().map(String::into_bytes));
        }
    }
    if products.is_empty() {
        return Ok(());
    }
    let mut function = function.clone();
    function.attrs.set(PRODUCTS_ATTR, AttrValue::Strings(products));
    function.attrs.set(PRODUCT_SHAPES_ATTR, AttrValue::Shapes(shapes));
    let mut info = NodeInfo::clone(&info);
    info.attrs.set(BODY, AttrValue::Func(function));
    let node = &mut rewrite.graph.nodes[position as usize];
    (node.info, node.inputs) = (Arc::new(info), inputs);
    Ok(())
}

/// The tensor that a list is made of, where each element is a matrix.
fn list_of(rewrite: &Rewrite, output: Output) -> Option<Output> {
    let node = rewrite.node(output.node);
    let tensor = *node.inputs().first()?;
    let is_list = node.known() == KnownOp::TensorListFromTensor && !rewrite.is_fed(output.node);
    (is_list && rewrite.graph.shape(tensor).rank() == Some(3)).then_some(tensor)
}

/// The shape of the elements of a list that is made of a tensor.
fn element_shape(rewrite: &Rewrite, list: Output) -> PartialShape {
    let shape = list_of(rewrite, list).map(|tensor| rewrite.graph.shape(tensor)).unwrap_or_default();
    shape.dims().and_then(|dims| dims.get(1..)).map_or_else(PartialShape::unknown, PartialShape::new)
}

/// A list of the products of all elements of `list` with a matrix; `None` where that does not pay or cannot be.
fn list_of_products(rewrite: &mut Rewrite, list: Output, matrix: Output, transposed: bool) -> Result<Option<Output>> {
    let Some(tensor) = list_of(rewrite, list) else { return Ok(None) };
    let dtype = rewrite.graph.dtype(tensor).unwrap_or(DType::Invalid);
    let extents = |output| rewrite.graph.shape(output).dims().map(<[_]>::to_vec).unwrap_or_default();
    let (&[_, _, Some(depth)], &[Some(rows), Some(columns)]) = (&extents(tensor)[..], &extents(matrix)[..]) else {
        return Ok(None);
    };
    let (inner, width) = if transposed { (columns, rows) } else { (rows, columns) };
    let pays = depth == inner && depth >= MIN_DEPTH && width <= depth.saturating_mul(MAX_GROWTH);
    if !dtype.is_floating() || rewrite.graph.dtype(matrix) != Some(dtype) || !pays {
        return Ok(None);
    }
    let node = rewrite.node(list.node);
    let (name, device) = (node.name().to_owned(), node.device().to_owned());
    let Some((device_type, _)) = kernel_of(rewrite, node) else { return Ok(None) };
    let device_type = device_type.to_owned();
    let new = NewNode {
        op: KnownOp::BatchMatMulV2.name(),
        name: &format!("{name}/products"),
        device: &device,
        inputs: &[Arg::One(tensor), Arg::One(matrix)],
        control_inputs: &[],
        attrs: &[("T", dtype.into()), ("adj_x", false.into()), ("adj_y", transposed.into())],
    };
    let Ok(products) = rewrite.add(new) else { return Ok(None) };
    let info = Arc::clone(rewrite.node(products).info());
    if PreparedKernel::new(rewrite.graph.registry(), info, &device_type).is_err() {
        return Ok(None);
    }
    let any_shape = rewrite.add_constant(&format!("{name}/any_shape"), Tensor::scalar(-1i32), &[])?;
    let new = NewNode {
        op: KnownOp::TensorListFromTensor.name(),
        name: &format!("{name}/of_products"),
        device: &device,
        inputs: &[Arg::One(Output { node: products, index: 0 }), Arg::One(any_shape)],
        control_inputs: &[],
        attrs: &[("element_dtype", dtype.into()), ("shape_type", DType::Int32.into())],
    };
    Ok(rewrite.add(new).ok().map(|node| Output { node, index: 0 }))
}
