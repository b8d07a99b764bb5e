//! Gradients that hosts call: what they tell of a node, made into what gradient functions take.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod messages;
mod scope;

use std::ffi::c_void;
use std::sync::Arc;

use oplink_abi::{
    OPLINK_GradientCall, OPLINK_GradientInfo, OPLINK_Output, OPLINK_PluginGradients, OPLINK_Shape,
    PLUGIN_GRADIENTS_VERSION, TF_DataType, TF_Status, TF_StringView,
};
use oplink_api::signature::signature;
use oplink_api::{DType, Error, NodeInfo, OpForGradient, OpSpec, PartialShape, Result, ensure};

use crate::entry::{LoadedGradient, Plugin, loaded};
use crate::guard::guarded;
use crate::host::Host;
use crate::info::view;
use crate::{node_def, status};
use scope::{HostScope, from_c, slice, to_c};

/// The functions that gradients cannot do without.
const IMPORTS: &[&str] = &["OPLINK_ScopeAddNode", "OPLINK_ScopeAddConstant"];

/// The answer of `oplink_plugin_gradients`, which lives as long as the library.
#[derive(Debug)]
pub(crate) struct Gradients(Box<OPLINK_PluginGradients>);

// SAFETY: nothing behind the pointers changes.
unsafe impl Send for Gradients {}
// SAFETY: what it points to is static and is only read.
unsafe impl Sync for Gradients {}

impl Gradients {
    pub(crate) fn of(plugin: &Plugin) -> Self {
        let info =
            |(position, gradient): (usize, &'static oplink_api::descriptors::GradientDescriptor)| OPLINK_GradientInfo {
                struct_size: size_of::<OPLINK_GradientInfo>(),
                op: view(gradient.op),
                data: std::ptr::without_provenance(position),
                function: Some(gradient_of),
            };
        let gradients: &[OPLINK_GradientInfo] = plugin.gradients().enumerate().map(info).collect::<Vec<_>>().leak();
        let imports: &[TF_StringView] = IMPORTS.iter().copied().map(view).collect::<Vec<_>>().leak();
        Self(Box::new(OPLINK_PluginGradients {
            struct_size: size_of::<OPLINK_PluginGradients>(),
            version: PLUGIN_GRADIENTS_VERSION,
            reserved: 0,
            gradients: gradients.as_ptr(),
            num_gradients: gradients.len(),
            gradient_size: size_of::<OPLINK_GradientInfo>(),
            imports: imports.as_ptr(),
            num_imports: imports.len(),
        }))
    }

    /// Null where there are no gradients.
    pub(crate) fn as_ptr(&self) -> *const OPLINK_PluginGradients {
        if self.0.num_gradients == 0 { std::ptr::null() } else { &raw const *self.0 }
    }
}

/// Adds the nodes of the gradient at a position of the plugin's lists.
///
/// # Safety
/// The call is alive and all that it points to is as long as it tells; the status is alive.
unsafe extern "C" fn gradient_of(position: *const c_void, call: *const OPLINK_GradientCall, status: *mut TF_Status) {
    let Some(loaded) = loaded() else { return };
    let Some(gradient) = loaded.gradients.get(position.addr()) else { return };
    let what = || format!("the gradient of {}", gradient.spec.name);
    // SAFETY: the call is alive (Safety section).
    let result = guarded(what, || unsafe { run(&loaded.host, gradient, &*call) });
    if let Err(error) = result {
        status::set(&loaded.host, status, &error);
    }
}

/// # Safety
/// All that the call points to is as long as it tells and lives during the call.
unsafe fn run(host: &'static Host, gradient: &LoadedGradient, call: &OPLINK_GradientCall) -> Result<()> {
    let needed = size_of::<OPLINK_GradientCall>();
    ensure!(call.struct_size >= needed, "the host's gradient call has {} bytes, not {needed}", call.struct_size);
    // SAFETY: the contract of this function, for the call and for the scope.
    let (op, dys, mut scope) = unsafe {
        let dys: Vec<_> = slice(call.output_gradients, call.num_outputs).iter().map(|&dy| from_c(dy)).collect();
        (describe(&gradient.spec, call)?, dys, HostScope::new(host, call.scope)?)
    };
    let made = gradient.descriptor.function.add(&mut scope, &op, &dys)?;
    let (got, wanted) = (made.len(), call.num_inputs);
    let location = gradient.descriptor.location;
    ensure!(got == wanted, "the gradient declared at {location} gives {got} gradients for {wanted} inputs");
    for (at, output) in made.into_iter().enumerate() {
        // SAFETY: the host has room for a gradient of each input.
        unsafe { call.input_gradients.add(at).write(output.map_or(OPLINK_Output::NONE, to_c)) };
    }
    Ok(())
}

/// The node as gradient functions take it.
///
/// # Safety
/// As [`run`].
unsafe fn describe(spec: &Arc<OpSpec>, call: &OPLINK_GradientCall) -> Result<OpForGradient> {
    // SAFETY: the contract of this function.
    unsafe {
        let (inputs, outputs) = (call.num_inputs, call.num_outputs);
        let node = node_def::node(slice(call.node_def.data.cast::<u8>(), call.node_def.len))?;
        let input_ranges = signature(spec, &spec.inputs, &node.attrs)?.1;
        let output_ranges = signature(spec, &spec.outputs, &node.attrs)?.1;
        let info = NodeInfo {
            name: node.name,
            op: spec.clone(),
            device: node.device,
            attrs: node.attrs,
            input_dtypes: dtypes(slice(call.input_dtypes, inputs))?,
            output_dtypes: dtypes(slice(call.output_dtypes, outputs))?,
            input_ranges,
            output_ranges,
            shape_fn: None,
        };
        let sources = slice(call.inputs, inputs).iter().map(|&input| from_c(input)).collect();
        let shapes = |shapes: &[OPLINK_Shape]| shapes.iter().map(|one| shape(one)).collect::<Result<Vec<_>>>();
        let input_shapes = shapes(slice(call.input_shapes, inputs))?;
        let output_shapes = shapes(slice(call.output_shapes, outputs))?;
        let has_gradient = slice(call.has_gradient, outputs).iter().map(|&has| has != 0).collect();
        Ok(OpForGradient::new(call.node, Arc::new(info), sources, input_shapes, output_shapes, has_gradient))
    }
}

fn dtypes(numbers: &[TF_DataType]) -> Result<Vec<DType>> {
    let dtype = |&number: &TF_DataType| {
        DType::from_number(number).ok_or_else(|| Error::internal(format!("{number} is the number of no dtype")))
    };
    numbers.iter().map(dtype).collect()
}

/// # Safety
/// The shape has as many extents as its rank tells.
unsafe fn shape(shape: &OPLINK_Shape) -> Result<PartialShape> {
    let Ok(rank) = usize::try_from(shape.rank) else { return Ok(PartialShape::unknown()) };
    // SAFETY: as many extents as the rank tells (Safety section).
    PartialShape::from_i64(Some(unsafe { slice(shape.dims, rank) }))
}
