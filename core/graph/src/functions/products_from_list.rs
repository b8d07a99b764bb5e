//! A loop's body that finds products in a list, where it was written to make them of the list's elements.
//!
//! The attr [`ATTR`] of the body names the products, and [`take_from_list`] leaves them out when the body is made: what
//! read them reads the list, which holds the products.

use std::collections::HashMap;

use oplink_api::{AttrMap, AttrValue, DType, Result, Tensor, bail};
use oplink_proto::NodeDef;

use crate::convert::attr_to_proto;
use crate::known_ops::KnownOp;

/// The attr of a body that names the products that its lists hold.
pub(crate) const ATTR: &str = "_list_products";

/// Leaves out the products that the attr names; what reads them reads the elements of the list, of any shape. `results`
/// are read too.
///
/// # Errors
/// What the attr names is no product of an element of a list.
pub(super) fn take_from_list(attrs: &AttrMap, nodes: &mut Vec<NodeDef>, results: &mut [String]) -> Result<()> {
    let Some(AttrValue::Strings(products)) = attrs.get(ATTR) else { return Ok(()) };
    let by_name: HashMap<&str, usize> = nodes.iter().enumerate().map(|(at, node)| (&*node.name, at)).collect();
    let mut elements: HashMap<String, String> = HashMap::new();
    for product in products {
        let product = String::from_utf8_lossy(product).into_owned();
        match element_of(nodes, &by_name, &product) {
            Some(element) => elements.insert(product, element),
            None => bail!("the attr `{ATTR}` names `{}`, no product of an element of a list", product.escape_debug()),
        };
    }
    let shape = any_shape(|name| by_name.contains_key(name))?;
    let taken: Vec<&String> = elements.values().collect();
    for node in nodes.iter_mut().filter(|node| taken.contains(&&node.name)) {
        if let Some(of_elements) = node.input.get_mut(2) {
            of_elements.clone_from(&shape.name);
        }
    }
    nodes.retain(|node| !elements.contains_key(&node.name));
    for input in nodes.iter_mut().flat_map(|node| &mut node.input).chain(results) {
        let (mark, name) = input.strip_prefix('^').map_or(("", &**input), |name| ("^", name));
        if let Some(element) = elements.get(name.split(':').next().unwrap_or(name)) {
            *input = [mark, element].concat();
        }
    }
    nodes.push(shape);
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

/// A constant that stands for a shape that is not known.
fn any_shape(is_taken: impl Fn(&str) -> bool) -> Result<NodeDef> {
    let mut name = "any_shape".to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    let attrs = [
        ("dtype".to_owned(), attr_to_proto(&AttrValue::Type(DType::Int32))?),
        ("value".to_owned(), attr_to_proto(&AttrValue::Tensor(Tensor::scalar(-1i32)))?),
    ];
    Ok(NodeDef { name, op: KnownOp::Const.name().to_owned(), attr: attrs.into(), ..NodeDef::default() })
}
