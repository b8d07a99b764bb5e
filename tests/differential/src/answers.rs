//! What each request is answered.

use oplink::graph::eager::EagerContext;
use oplink::graph::{Graph, attr_from_proto, shape_to_proto, tensor_from_proto, tensor_to_proto};
use oplink::runtime::Registry;
use oplink::{AttrValue, Error, Output, Result, Tensor};
use oplink_proto::bytes::Bytes;
use oplink_proto::prost::{Message, Name};
use oplink_proto::{GraphDef, NodeDef, TensorProto};

use crate::{listing, steps};

/// Bytes that an abbreviated constant may have.
const MAX_CONSTANT_BYTES: usize = 1 << 28;

/// The answer to a request; a malformed one is answered with an error.
pub(crate) fn answer(request: &[Bytes]) -> Vec<Bytes> {
    let Some((what, rest)) = request.split_first() else { return failed(&unknown(b"")) };
    let answered = match what.as_ref() {
        b"ops" => listing::registry().map(|text| vec![text.into()]),
        b"call" => call(rest),
        b"infer" => infer(rest),
        b"run" => steps::run(rest),
        other => Err(unknown(other)),
    };
    answered.unwrap_or_else(|error| failed(&error))
}

/// An answer with values.
pub(crate) fn values(tensors: &[Tensor]) -> Vec<Bytes> {
    let mut chunks = vec![Bytes::from("ok"), tensors.len().to_string().into()];
    chunks.extend(tensors.iter().map(|tensor| show(tensor).encode_to_vec().into()));
    chunks
}

/// An answer that says what failed.
pub(crate) fn failed(error: &Error) -> Vec<Bytes> {
    let (code, kind) = (format!("{:?}", error.code()), format!("{:?}", error.kind()));
    vec!["error".into(), code.into(), kind.into(), error.to_string().into()]
}

/// A message of the wire format.
pub(crate) fn decode<M: Message + Name + Default>(bytes: &Bytes) -> Result<M> {
    oplink_proto::from_bytes(bytes.clone()).map_err(|error| Error::invalid_argument(error.to_string()))
}

/// A fed tensor.
pub(crate) fn tensor(bytes: &Bytes) -> Result<Tensor> {
    tensor_from_proto(&decode::<TensorProto>(bytes)?, MAX_CONSTANT_BYTES)
}

fn show(tensor: &Tensor) -> TensorProto {
    tensor_to_proto(tensor).unwrap_or_else(|_| TensorProto {
        dtype: tensor.dtype().number(),
        tensor_shape: Some(shape_to_proto(&tensor.shape().into())),
        ..TensorProto::default()
    })
}

fn call(chunks: &[Bytes]) -> Result<Vec<Bytes>> {
    let (node, inputs) = chunks.split_first().ok_or_else(|| unknown(b"call"))?;
    let node: NodeDef = decode(node)?;
    let inputs: Vec<Tensor> = inputs.iter().map(tensor).collect::<Result<_>>()?;
    let attr = |(name, value)| Ok((name, attr_from_proto(value, MAX_CONSTANT_BYTES)?));
    let attrs: Vec<(&String, AttrValue)> = node.attr.iter().map(attr).collect::<Result<_>>()?;
    let attrs: Vec<(&str, AttrValue)> = attrs.into_iter().map(|(name, value)| (name.as_str(), value)).collect();
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    let outputs = EagerContext::global()?.call(&node.op, &inputs, &attrs)?;
    Ok(values(&outputs.values))
}

fn infer(chunks: &[Bytes]) -> Result<Vec<Bytes>> {
    let [graph] = chunks else { return Err(unknown(b"infer")) };
    let graph = Graph::import(&decode::<GraphDef>(graph)?, Registry::global()?)?;
    let mut text = String::new();
    for (position, node) in graph.nodes().iter().enumerate() {
        for (index, shape) in node.output_shapes().iter().enumerate() {
            let output = Output { node: position as u32, index: index as u32 };
            let dtype = graph.dtype(output).map_or("?", |dtype| dtype.name());
            text += &format!("{}:{index} {dtype} {shape}\n", node.name());
        }
    }
    Ok(vec!["ok".into(), "1".into(), text.into()])
}

fn unknown(what: &[u8]) -> Error {
    Error::invalid_argument(format!("`{}` is no well-formed request", what.escape_ascii()))
}
