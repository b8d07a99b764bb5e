//! From text to a message.

use super::{TextError, descriptor, nesting};
use crate::{GraphDebugInfo, GraphDef, MAX_TEXT_DEPTH, MetaGraphDef, SavedModel};
use miette::Diagnostic as _;
use prost::{Message, Name};
use prost_reflect::text_format::ParseError;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use std::any::Any;

/// Reads a message from the text format.
///
/// # Errors
/// When the text is not well-formed, names a field or enum value that the message does not have, gives a field twice
/// or a value of the wrong type, or nests deeper than [`MAX_TEXT_DEPTH`]. The error has the line and column.
pub fn from_text<M: Message + Name + Default + 'static>(text: &str) -> Result<M, TextError> {
    let name = M::full_name();
    let descriptor = descriptor::<M>()?;
    let message = dynamic_from_text(descriptor, text)?;
    let mut message = message.transcode_to().map_err(|e| TextError::plain(&name, e.to_string()))?;
    graphs_of(&mut message).into_iter().for_each(sort_debug_info);
    Ok(message)
}

/// Reads a message of any type that is described from the text format.
///
/// # Errors
/// As those of [`from_text`].
pub fn dynamic_from_text(descriptor: MessageDescriptor, text: &str) -> Result<DynamicMessage, TextError> {
    let name = descriptor.full_name().to_owned();
    if let Some(offset) = nesting::first_too_deep(text, MAX_TEXT_DEPTH) {
        let reason = format!("messages nest deeper than {MAX_TEXT_DEPTH}, the most in text");
        return Err(TextError::at(&name, reason, text, offset));
    }
    DynamicMessage::parse_text_format(descriptor, text).map_err(|e| located(&name, text, &e))
}

/// The graphs that a message of any type holds.
fn graphs_of(message: &mut dyn Any) -> Vec<&mut GraphDef> {
    if message.is::<GraphDef>() {
        return message.downcast_mut().into_iter().collect();
    }
    if message.is::<MetaGraphDef>() {
        let meta_graph = message.downcast_mut::<MetaGraphDef>();
        return meta_graph.and_then(|meta_graph| meta_graph.graph_def.as_mut()).into_iter().collect();
    }
    let saved_model = message.downcast_mut::<SavedModel>();
    let meta_graphs = saved_model.into_iter().flat_map(|saved_model| &mut saved_model.meta_graphs);
    meta_graphs.filter_map(|meta_graph| meta_graph.graph_def.as_mut()).collect()
}

/// Encodes the debug information anew, which the graph keeps encoded: `prost-reflect` writes entries of maps in any
/// order.
fn sort_debug_info(graph: &mut GraphDef) {
    let decoded = graph.debug_info.as_ref().map(|bytes| GraphDebugInfo::decode(bytes.clone()));
    if let Some(Ok(decoded)) = decoded {
        graph.debug_info = Some(decoded.encode_to_vec().into());
    }
}

/// The parser's error with its place; one that has none is at the text's end.
fn located(name: &str, text: &str, error: &ParseError) -> TextError {
    let mut labels = error.labels().into_iter().flatten();
    let offset = labels.next().map_or(text.len(), |label| label.offset());
    TextError::at(name, error.to_string(), text, offset)
}
