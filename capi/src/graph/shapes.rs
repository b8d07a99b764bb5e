//! Shapes of a graph's tensors.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_uchar, c_void};
use std::ptr;

use oplink_abi::{TF_Buffer, TF_Graph, TF_Output, TF_Tensor};
use oplink_api::{DType, Error, PartialShape, Result, ensure};
use oplink_graph::{shape_from_proto, shape_to_proto};
use oplink_host::buffer;
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice, slice_mut, without_status};
use oplink_host::tensor::into_handle;
use oplink_proto::FullTypeDef;
use prost::Message;

use super::graph_of;
use crate::messages::{HandleData, HandleShapeAndType};
use crate::support::{as_invalid, c_count, partial_shape};

c_api! {
    /// Tells what the shape of a tensor is; a negative rank or dim is unknown.
    ///
    /// # Safety
    /// The handles are null or alive; `dims` holds `num_dims` numbers.
    fn TF_GraphSetTensorShape(
        graph: *mut TF_Graph => graph_of,
        output: TF_Output,
        dims as shape: *const i64 => { partial_shape(dims, num_dims, NAME) },
        num_dims: c_int;
        status
    ) {
        // SAFETY: `output.oper` is null or alive (Safety section).
        let output = as_invalid(unsafe { graph.output(output, NAME, "output") })?;
        graph.change(|graph| graph.set_shape(output, &shape))
    }

    /// The rank of a tensor; -1 where it is unknown.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_GraphGetTensorNumDims(graph: *mut TF_Graph => graph_of, output: TF_Output; status) -> (c_int = -1) {
        // SAFETY: `output.oper` is null or alive (Safety section).
        let output = unsafe { graph.output(output, NAME, "output") }?;
        let rank = graph.lock().graph.shape(output).rank();
        Ok(rank.map_or(-1, c_count))
    }

    /// The dims of a tensor, -1 for each unknown one; nothing where the rank is unknown.
    ///
    /// # Safety
    /// The handles are null or alive; `dims` has `num_dims` slots.
    fn TF_GraphGetTensorShape(
        graph: *mut TF_Graph => graph_of,
        output: TF_Output,
        dims: *mut i64,
        num_dims: c_int;
        status
    ) {
        // SAFETY: `output.oper` is null or alive (Safety section).
        let output = unsafe { graph.output(output, NAME, "output") }?;
        let shape = graph.lock().graph.shape(output);
        let known = shape.to_i64().unwrap_or_default();
        if shape.rank().is_some() {
            let rank = known.len();
            ensure!(
                usize::try_from(num_dims) == Ok(rank),
                "{NAME}: `num_dims` is {num_dims}, the tensor has rank {rank}"
            );
            // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
            unsafe { slice_mut(dims, num_dims, NAME, "dims") }?.copy_from_slice(&known);
        }
        Ok(())
    }

    /// The value of a tensor where it follows from constants and known shapes: 1 and the tensor, else 0.
    ///
    /// # Safety
    /// The handles are null or alive; `result` is null or a slot.
    fn TF_TryEvaluateConstant(
        graph: *mut TF_Graph => graph_of,
        output: TF_Output,
        result: *mut *mut TF_Tensor => borrow_mut;
        status
    ) -> (c_uchar = 0) {
        *result = ptr::null_mut();
        // SAFETY: `output.oper` is null or alive (Safety section).
        let output = unsafe { graph.output(output, NAME, "output") }?;
        let value = graph.lock().graph.constant_value(output);
        Ok(value.map_or(0, |value| {
            *result = into_handle(value);
            1
        }))
    }
}

/// Shapes and dtypes of what a handle of a resource refers to, as a serialized `HandleData`, which the client deletes;
/// null where nothing is known.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetHandleShapeAndType(graph: *mut TF_Graph, output: TF_Output) -> *mut TF_Buffer {
    const NAME: &str = "TF_GetHandleShapeAndType";
    let told: Result<*mut TF_Buffer> = without_status(Ok(ptr::null_mut()), || {
        // SAFETY: `graph` is null or alive (Safety section).
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        // SAFETY: `graph` is null or alive and `output.oper` is null or alive (Safety section).
        let output = unsafe { graph.output(output, NAME, "output") }?;
        let inner = graph.lock();
        let known = inner.graph.node(output.node).map_or(&[][..], |node| node.handle_shapes(output.index as usize));
        let one = |(dtype, shape): &(DType, PartialShape)| HandleShapeAndType {
            shape: Some(shape_to_proto(shape)),
            dtype: dtype.number(),
            r#type: Some(FullTypeDef::default()),
        };
        let data = HandleData { is_set: true, shape_and_type: known.iter().map(one).collect() };
        Ok(match known {
            [] => ptr::null_mut(),
            _ => buffer::from_bytes(&data.encode_to_vec()),
        })
    });
    told.unwrap_or(ptr::null_mut())
}

c_api! {
    /// Tells what a handle of a resource refers to, from a serialized `HandleData`; what was known of it is forgotten.
    ///
    /// # Safety
    /// The handles are null or alive; `proto` holds `proto_len` bytes.
    fn TF_SetHandleShapeAndType(
        graph: *mut TF_Graph => graph_of,
        output: TF_Output,
        proto: *const c_void,
        proto_len: usize;
        status
    ) {
        // SAFETY: `output.oper` is null or alive and `proto` is null or has `proto_len` bytes (Safety section).
        let (output, bytes) = unsafe {
            (graph.output(output, NAME, "output")?, slice(proto.cast::<u8>(), proto_len, NAME, "proto")?)
        };
        let data = HandleData::decode(bytes);
        let data = data.map_err(|error| Error::invalid_argument(format!("{NAME}: `proto`: {error}")))?;
        let one = |one: &HandleShapeAndType| {
            let shape = one.shape.as_ref().map_or(Ok(PartialShape::unknown()), shape_from_proto)?;
            Ok((oplink_host::tensor::dtype(one.dtype)?, shape))
        };
        let shapes: Vec<(DType, PartialShape)> = data.shape_and_type.iter().map(one).collect::<Result<_>>()?;
        graph.change(|graph| graph.set_handle_shapes(output, if data.is_set { shapes } else { Vec::new() }))
    }
}
