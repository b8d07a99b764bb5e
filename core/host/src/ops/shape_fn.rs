//! Shape functions of plugins.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;

use oplink_abi::{ShapeInferenceFn, TF_ShapeInferenceContext, TF_Status};
use oplink_api::foreign::{ForeignShapeFn, ShapeInference};
use oplink_api::{ErrorKind, Result, ShapeContext};

use crate::status::OwnedStatus;

/// A callback of a plugin.
struct Callback(unsafe extern "C" fn(*mut TF_ShapeInferenceContext, *mut TF_Status));

impl ForeignShapeFn for Callback {
    fn infer(&self, context: &mut ShapeContext<'_>) -> Result<()> {
        let status = OwnedStatus::new();
        // SAFETY: the plugin's shape function; context and status live during the call.
        unsafe { (self.0)(ptr::from_mut(context).cast(), status.as_ptr()) }
        status.to_result().map_err(|error| error.with_kind(ErrorKind::ShapeInference))
    }
}

/// The shape inference by a plugin's callback. Leaked: libraries stay mapped, and the op lives as long as the process.
pub(super) fn shape_inference(callback: ShapeInferenceFn) -> Option<ShapeInference> {
    let callback: &'static Callback = Box::leak(Box::new(Callback(callback?)));
    Some(ShapeInference::Foreign(callback))
}
