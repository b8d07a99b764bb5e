//! A loop's body that finds products in a list, where it was written to make them of the list's elements.
//!
//! The attr [`ATTR`] of the body names the products, [`SHAPES_ATTR`] has their shapes, and [`take_from_list`] leaves
//! them out when the body is made: what read them reads the list, which holds the products.

use std::collections::HashMap;

use oplink_api::{AttrMap, AttrValue, DType, PartialShape, Result, Tensor, bail};
use oplink_proto::NodeDef;

use crate::convert::attr_to_proto;
use crate::known_ops::KnownOp;

/// The attr of a body that names the products that its lists hold.
pub(crate) const ATTR: &str = "_list_products";
/// The attr of a body that has the shape of each of these products.
pub(crate) const SHAPES_ATTR: &str = "_list_product_shapes";

/// Leaves out the products that the attr names; what reads them reads the elements of the list. `results` are read too.
///
/// # Errors
/// What the attr names is no product of an element of a list.
pub(super) fn take_from_list(attrs: &AttrMap, nodes: &mut Vec<NodeDef>, results: &mut [String]) -> Result<()> {
    let Some(AttrValue::Strings(products)) = attrs.get(ATTR) else { return Ok(()) };
    let shapes = match attrs.get(SHAPES_ATTR) {
        Some(AttrValue::Shapes(shapes)) => &shapes[..],
        _ => &[],
    };
    let by_name: HashMap<&str, usize> = nodes.iter().enumerate().map(|(at, node)| (&*node.name, at)).collect();
    let mut elements: HashMap<String, String> = HashMap::new();
    let mut constants: HashMap<String, NodeDef> = HashMap::new();
    for (at, product) in products.iter().enumerate() {
        let product = String::from_utf8_lossy(product).into_owned();
        let Some(element) = element_of(nodes, &by_name, &product) else {
            bail!("the attr `{ATTR}` names `{}`, no product of an element of a list", product.escape_debug())
        };
        let name = unused_name(&product, |name| by_name.contains_key(name));
        constants.insert(element.clone(), shape_constant(name, shapes.get(at))?);
        elements.insert(product, element);
    }
    for node in nodes.iter_mut() {
        if let (Some(constant), Some(of_elements)) = (constants.get(&node.name), node.input.get_mut(2)) {
            of_elements.clone_from(&constant.name);
        }
    }
    nodes.retain(|node| !elements.contains_key(&node.name));
    for input in nodes.iter_mut().flat_map(|node| &mut node.input).chain(results) {
        let (mark, name) = input.strip_prefix('^').map_or(("", &**input), |name| ("^", name));
        if let Some(element) = elements.get(name.split(':').next().unwrap_or(name)) {
            *input = [mark, element].concat();
        }
    }
    let first = nodes.len();
    nodes.extend(constants.into_values());
    nodes[first..].sort_by(|one, other| one.name.cmp(&other.name));
    Ok(())
}

/// The node that takes the element of a list which a product is of.
fn element_of(nodes: &[NodeDef], by_name: &HashMap<&str, usize>, product: &str) -> Option<String> {
    let left = |node: &NodeDef| Some(node.input.first()?.split(':').next()?.to_owned());
    let product = &nodes[*by_name.get(product)?];
    let mut node = &nodes[*by_name.get(&*left(product)?)?];
    while KnownOp::named(&node.op) == KnownOp::Identity {
        node = &nodes[*by_name.get(&*left(node)?)?];
    }
    let is_product = KnownOp::named(&product.op) == KnownOp::MatMul;
    (is_product && KnownOp::named(&node.op) == KnownOp::TensorListGetItem).then(|| node.name.clone())
}

/// A name for the shape of a product that no node has.
fn unused_name(product: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = format!("{product}/shape");
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// A constant that stands for a shape: the scalar -1 where its rank is not known.
fn shape_constant(name: String, shape: Option<&PartialShape>) -> Result<NodeDef> {
    let extent = |dim: &Option<usize>| dim.map_or(Some(-1), |extent| i32::try_from(extent).ok());
    let extents: Option<Vec<i32>> = shape.and_then(|shape| shape.dims()?.iter().map(extent).collect());
    let value = extents.map_or_else(|| Tensor::scalar(-1i32), |extents| Tensor::from_slice(&extents));
    let attrs = [
        ("dtype".to_owned(), attr_to_proto(&AttrValue::Type(DType::Int32))?),
        ("value".to_owned(), attr_to_proto(&AttrValue::Tensor(value))?),
    ];
    Ok(NodeDef { name, op: KnownOp::Const.name().to_owned(), attr: attrs.into(), ..NodeDef::default() })
}
