//! Dtypes and shapes of outputs, while a model is loaded.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use oplink_abi::onnxruntime::{OrtCustomOp, OrtShapeInferContext, OrtStatus};
use oplink_api::shape_inference::NoConstants;
use oplink_api::{DType, ErrorKind, PartialShape, Result};
use oplink_hosts_common::{CallKey, guarded};

use crate::attrs::{Source, given};
use crate::dtypes;
use crate::functions::{Ort, ort};
use crate::kernel::lengths;
use crate::op::CustomOp;
use crate::values::Info;

/// Infers the outputs of a node.
///
/// # Safety
/// ONNX Runtime passes what was registered, and a live context.
pub(crate) unsafe extern "C" fn infer(op: *const OrtCustomOp, context: *mut OrtShapeInferContext) -> *mut OrtStatus {
    let Some(ort) = ort() else { return ptr::null_mut() };
    // SAFETY: the contract of this function.
    let op = unsafe { CustomOp::of(op) };
    let what = || format!("the shape function of {}", op.op.descriptor.name);
    // SAFETY: the context is alive during the call (Safety section).
    ort.status(guarded(what, || unsafe { run(ort, op, context) }))
}

/// # Safety
/// The context is alive.
unsafe fn run(ort: &Ort, op: &CustomOp, context: *mut OrtShapeInferContext) -> Result<()> {
    let (mut count, mut key, mut shapes) = (0, CallKey::default(), Vec::new());
    // SAFETY: the context is alive; places are written to.
    unsafe {
        ort.check((ort.infer_num_inputs)(context, &raw mut count))?;
        for at in 0..count {
            let mut info = ptr::null_mut();
            ort.check((ort.infer_input)(context, at, &raw mut info))?;
            // The context keeps the info: it is read, and not freed.
            let info = std::mem::ManuallyDrop::new(Info::new(ort, info));
            let (dtype, dims) = info.read()?;
            key.dtypes.push(dtype);
            shapes.push(PartialShape::from_i64(Some(&dims))?);
        }
        key.attrs = given(ort, op.op, &Source::Inference(context))?;
    }
    key.lengths = lengths(op.op, count);
    let node = op.op.node(&key)?;
    let inferred = op.op.infer(&node, &shapes, &NoConstants);
    let outputs = inferred.map_err(|error| error.with_kind(ErrorKind::ShapeInference))?;
    for (at, (dtype, shape)) in node.output_dtypes.iter().zip(&outputs).enumerate() {
        // SAFETY: the context is alive.
        unsafe { set_output(ort, context, at, *dtype, shape) }?;
    }
    Ok(())
}

/// # Safety
/// The context is alive.
unsafe fn set_output(
    ort: &Ort,
    context: *mut OrtShapeInferContext,
    index: usize,
    dtype: DType,
    shape: &PartialShape,
) -> Result<()> {
    let (Some(dims), Some(number)) = (shape.to_i64(), dtypes::to_ort(dtype)) else { return Ok(()) };
    let names: Vec<CString> = dims.iter().map(|dim| if *dim < 0 { unknown() } else { CString::default() }).collect();
    let mut names: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
    let mut info = ptr::null_mut();
    // SAFETY: places are written to; both arrays have as many values as told, and the names are terminated.
    unsafe {
        ort.check((ort.create_info)(&raw mut info))?;
        let info = Info::new(ort, info);
        ort.check((ort.set_element_type)(info.raw, number))?;
        ort.check((ort.set_dimensions)(info.raw, dims.as_ptr(), dims.len()))?;
        ort.check((ort.set_symbolic_dimensions)(info.raw, names.as_mut_ptr(), names.len()))?;
        ort.check((ort.infer_output)(context, index, info.raw))
    }
}

/// A name for an extent that is not known: another one for each, since equal names are equal extents.
fn unknown() -> CString {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    CString::new(format!("oplink_{}", NEXT.fetch_add(1, Ordering::Relaxed))).unwrap_or_default()
}
