//! The hash that TensorFlow appends to the name of a function: of its signature, nodes, results and attrs.

use std::collections::{BTreeMap, BTreeSet};

use oplink_api::{DType, Result, TString, Tensor};
use oplink_proto::attr_value::Value;
use oplink_proto::op_def::AttrDef;
use oplink_proto::{AttrValue, FunctionDef, NameAttrList, NodeDef, OpDef, TensorProto, to_bytes};

use crate::convert::{shape_to_proto, tensor_from_proto};

/// Bytes of a constant that is looked at by its elements.
const MAX_TENSOR_BYTES: usize = 1 << 30;
const SEED: u64 = 0x00DE_CAFC_AFFE;
const MULTIPLIER: u64 = 0xc6a4_a793_5bd1_e995;
/// Letters, digits, and letters again where URL-safe base64 has `-` and `_`, which names of functions avoid.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789aA";

/// The hash of a function as it is appended to its name.
pub(super) fn hash_suffix(function: &FunctionDef) -> String {
    let hash = of_function(function).to_le_bytes();
    let mut suffix = String::new();
    for part in hash.chunks(3) {
        let bits = part.iter().enumerate().fold(0u32, |bits, (at, &byte)| bits | u32::from(byte) << (16 - 8 * at));
        suffix.extend((0..=part.len()).map(|at| ALPHABET[(bits >> (18 - 6 * at)) as usize & 63] as char));
    }
    suffix
}

/// 64 bits of `data`: MurmurHash2 (64A).
fn hash(data: &[u8], seed: u64) -> u64 {
    let mut hash = seed ^ (data.len() as u64).wrapping_mul(MULTIPLIER);
    let (words, rest) = data.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word).wrapping_mul(MULTIPLIER);
        let word = (word ^ word >> 47).wrapping_mul(MULTIPLIER);
        hash = (hash ^ word).wrapping_mul(MULTIPLIER);
    }
    if !rest.is_empty() {
        let tail = rest.iter().rev().fold(0u64, |tail, &byte| tail << 8 | u64::from(byte));
        hash = (hash ^ tail).wrapping_mul(MULTIPLIER);
    }
    hash = (hash ^ hash >> 47).wrapping_mul(MULTIPLIER);
    hash ^ hash >> 47
}

fn combine(a: u64, b: u64) -> u64 {
    a ^ b.wrapping_add(0x9e37_79b9_7f4a_7800).wrapping_add(a << 10).wrapping_add(a >> 4)
}

fn of_function(function: &FunctionDef) -> u64 {
    let mut all = function.signature.as_ref().map_or(SEED, of_signature);
    all = of_attrs(&function.attr, all);
    all = combine(of_nodes(&function.node_def), all);
    for (name, value) in function.ret.iter().chain(&function.control_ret) {
        all = hash(value.as_bytes(), hash(name.as_bytes(), all));
    }
    all
}

fn of_signature(signature: &OpDef) -> u64 {
    let attrs: BTreeMap<&str, &AttrDef> = signature.attr.iter().map(|attr| (&*attr.name, attr)).collect();
    let attrs =
        attrs.into_iter().fold(SEED, |all, (name, attr)| combine(of_attr_def(attr), hash(name.as_bytes(), all)));
    let control: BTreeSet<&str> = signature.control_output.iter().map(String::as_str).collect();
    let seed = control.into_iter().fold(attrs, |all, name| combine(all, hash(name.as_bytes(), SEED)));
    let rest = OpDef { attr: Vec::new(), control_output: Vec::new(), ..signature.clone() };
    hash(&to_bytes(&rest), seed)
}

fn of_attr_def(attr: &AttrDef) -> u64 {
    let value = |value: &Option<AttrValue>| of_attr(value.as_ref().unwrap_or(&AttrValue::default()));
    let mut all = hash(attr.name.as_bytes(), SEED);
    all = hash(attr.r#type.as_bytes(), all);
    all = combine(value(&attr.default_value), all);
    all = hash(attr.description.as_bytes(), all);
    all = combine(attr.has_minimum.into(), all);
    all = combine(attr.minimum as u64, all);
    combine(value(&attr.allowed_values), all)
}

fn of_nodes(nodes: &[NodeDef]) -> u64 {
    let nodes: BTreeMap<&str, &NodeDef> = nodes.iter().map(|node| (&*node.name, node)).collect();
    nodes.into_iter().fold(SEED, |all, (name, node)| combine(of_node(node), hash(name.as_bytes(), all)))
}

fn of_node(node: &NodeDef) -> u64 {
    let mut all = hash(node.name.as_bytes(), SEED);
    all = hash(node.op.as_bytes(), all);
    all = hash(node.device.as_bytes(), all);
    let (control, data): (Vec<&str>, Vec<&str>) =
        node.input.iter().map(String::as_str).partition(|input| input.starts_with('^'));
    all = data.into_iter().fold(all, |all, input| hash(input.as_bytes(), all));
    let control: BTreeSet<&str> = control.into_iter().collect();
    all = control.into_iter().fold(all, |all, input| hash(input.as_bytes(), all));
    of_attrs(&node.attr, all)
}

fn of_attrs(attrs: &BTreeMap<String, AttrValue>, seed: u64) -> u64 {
    attrs.iter().fold(seed, |all, (name, value)| combine(of_attr(value), hash(name.as_bytes(), all)))
}

fn of_attr(value: &AttrValue) -> u64 {
    match &value.value {
        Some(Value::Tensor(tensor)) => of_tensor(tensor),
        Some(Value::Func(NameAttrList { name, attr })) => of_attrs(attr, hash(name.as_bytes(), SEED)),
        _ => hash(&to_bytes(value), SEED),
    }
}

/// A tensor by its elements, however the message writes them.
fn of_tensor(message: &TensorProto) -> u64 {
    let written = tensor_from_proto(message, MAX_TENSOR_BYTES).and_then(|tensor| as_content(&tensor));
    hash(&to_bytes(&written.unwrap_or_else(|_| message.clone())), SEED)
}

/// The message with all elements in its field of bytes; of strings all lengths, then all bytes.
fn as_content(tensor: &Tensor) -> Result<TensorProto> {
    let mut content = Vec::new();
    match tensor.dtype() {
        DType::String => {
            let strings = tensor.as_slice::<TString>()?;
            strings.iter().for_each(|string| push_varint(string.as_bytes().len(), &mut content));
            strings.iter().for_each(|string| content.extend_from_slice(string.as_bytes()));
        }
        _ => content.extend_from_slice(tensor.as_bytes()?),
    }
    Ok(TensorProto {
        dtype: tensor.dtype().number(),
        tensor_shape: Some(shape_to_proto(&tensor.shape().into())),
        tensor_content: content.into(),
        ..TensorProto::default()
    })
}

fn push_varint(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
