//! What bindings in Python ask while programs are traced: a request is lines of words, the answer is JSON.
//!
//! | request | answer |
//! |---|---|
//! | `describe` | the crate's ops with their arguments, attrs and defaults |
//! | `infer OP`, then lines of a call | dtypes and shapes of the outputs, and which of them each declared output covers |
//! | `gradient OP`, then lines of a call | the nodes that the op's gradient adds, and the inputs' gradients among them |
//!
//! The answer to `gradient` also tells the function that computes the gradients in one call, and which inputs and
//! outputs that has to be given: others may be empty tensors.
//!
//! The lines of a call are `lengths 1 2` (tensors that each declared input covers), `input float 2 ? 3` for each
//! tensor (`input float *` where the rank is not known), `attr NAME VALUE` with the value in the op language, and for
//! gradients `wanted 1 0` (inputs whose gradients are used). What fails is answered as `{"error": …}`.

mod c;
mod call;
mod describe;
mod gradient;
mod json;

use oplink_api::shape_inference::NoConstants;
use oplink_api::{ErrorKind, Result};

use crate::guard::guarded;
use crate::table::HostedPlugin;
pub use c::{answer_c, free};
use call::CallLines;

/// Answers a request.
pub fn answer(plugin: &HostedPlugin, request: &str) -> String {
    let what = || format!("a question to {}", plugin.crate_name());
    guarded(what, || answer_of(plugin, request)).unwrap_or_else(|error| {
        let kind = format!("{:?}", error.kind());
        json::object([("error", json::text(&error.to_string())), ("kind", json::text(&kind))])
    })
}

fn answer_of(plugin: &HostedPlugin, request: &str) -> Result<String> {
    let table = plugin.table()?;
    match request.split_whitespace().next() {
        Some("describe") => describe::describe(table),
        Some("infer") => infer(&CallLines::read(table, request)?),
        Some("gradient") => gradient::gradient(table, &CallLines::read(table, request)?),
        _ => oplink_api::bail!("`{request}` is no question that is answered here"),
    }
}

fn infer(call: &CallLines<'_>) -> Result<String> {
    let node = call.op.node(&call.key)?;
    let inferred = call.op.infer(&node, &call.shapes, &NoConstants);
    let shapes = inferred.map_err(|error| error.with_kind(ErrorKind::ShapeInference))?;
    let outputs = node
        .output_dtypes
        .iter()
        .zip(&shapes)
        .map(|(dtype, shape)| json::object([("dtype", json::dtype(*dtype)), ("shape", json::shape(shape))]));
    let ranges = node.output_ranges.iter().map(|range| json::list([range.start.to_string(), range.end.to_string()]));
    Ok(json::object([("outputs", json::list(outputs)), ("ranges", json::list(ranges))]))
}
