//! A call of a plugin's gradient.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr;

use oplink_abi::{OPLINK_GradientCall, OPLINK_Output, OPLINK_Shape, TF_Bool, TF_DataType, TF_Status, TF_StringView};
use oplink_api::foreign::ForeignGradient;
use oplink_api::{DType, OpForGradient, Output, PartialShape, Result, Scope};

use super::scope::LentScope;
use crate::kernels::serialized;
use crate::status::OwnedStatus;

type Function = unsafe extern "C" fn(*const c_void, *const OPLINK_GradientCall, *mut TF_Status);

/// A gradient that a plugin carries.
pub(crate) struct PluginGradient {
    data: *const c_void,
    function: Function,
}

// SAFETY: the ABI has hosts call the function on any thread; the data is the plugin's own.
unsafe impl Send for PluginGradient {}
// SAFETY: as for `Send`; the function may be called on several threads at once.
unsafe impl Sync for PluginGradient {}

impl PluginGradient {
    pub(crate) fn new(data: *const c_void, function: Function) -> Self {
        Self { data, function }
    }
}

impl ForeignGradient for PluginGradient {
    fn add(&self, scope: &mut dyn Scope, op: &OpForGradient, dys: &[Output]) -> Result<Vec<Option<Output>>> {
        let node = Node::of(op)?;
        let dys: Vec<OPLINK_Output> = dys.iter().map(|&dy| to_c(dy)).collect();
        let mut found = vec![OPLINK_Output::NONE; node.inputs.len()];
        let mut lent = LentScope::new(scope);
        let call = OPLINK_GradientCall {
            scope: ptr::from_mut(&mut lent).cast(),
            output_gradients: dys.as_ptr(),
            input_gradients: found.as_mut_ptr(),
            ..node.as_call()
        };
        let status = OwnedStatus::new();
        // SAFETY: the plugin's function; everything that the call points to lives during it, and there are as many
        // gradients to read and to write as it tells.
        unsafe { (self.function)(self.data, &raw const call, status.as_ptr()) };
        lent.outcome(status.to_result())?;
        let from_c = |output: OPLINK_Output| Output { node: output.node, index: output.index };
        Ok(found.into_iter().map(|output| (output != OPLINK_Output::NONE).then(|| from_c(output))).collect())
    }
}

pub(super) fn to_c(output: Output) -> OPLINK_Output {
    OPLINK_Output { node: output.node, index: output.index }
}

/// What is told of the node, as C has it.
struct Node {
    position: u32,
    node_def: Vec<u8>,
    inputs: Vec<OPLINK_Output>,
    input_dtypes: Vec<TF_DataType>,
    output_dtypes: Vec<TF_DataType>,
    input_shapes: Vec<OPLINK_Shape>,
    output_shapes: Vec<OPLINK_Shape>,
    has_gradient: Vec<TF_Bool>,
    /// What the shapes point to.
    _dims: Vec<Option<Vec<i64>>>,
}

impl Node {
    fn of(op: &OpForGradient) -> Result<Self> {
        let info = op.info();
        let (num_inputs, num_outputs) = (op.inputs().len(), op.num_outputs());
        let input_shapes = (0..num_inputs).map(|at| op.input_shape(at));
        let shapes = input_shapes.chain((0..num_outputs).map(|at| op.output_shape(at)));
        let dims: Vec<Option<Vec<i64>>> = shapes.map(|shape: PartialShape| shape.to_i64()).collect();
        let mut input_shapes: Vec<OPLINK_Shape> = dims.iter().map(|dims| shape(dims.as_deref())).collect();
        let output_shapes = input_shapes.split_off(num_inputs);
        let numbers = |dtypes: &[DType]| dtypes.iter().map(|dtype| dtype.number()).collect();
        Ok(Self {
            position: op.output(0).node,
            node_def: serialized(info)?,
            inputs: op.inputs().iter().map(|&input| to_c(input)).collect(),
            input_dtypes: numbers(&info.input_dtypes),
            output_dtypes: numbers(&info.output_dtypes),
            input_shapes,
            output_shapes,
            has_gradient: (0..num_outputs).map(|at| TF_Bool::from(op.has_gradient(at))).collect(),
            _dims: dims,
        })
    }

    /// The call without scope and gradients.
    fn as_call(&self) -> OPLINK_GradientCall {
        OPLINK_GradientCall {
            struct_size: size_of::<OPLINK_GradientCall>(),
            scope: ptr::null_mut(),
            node_def: TF_StringView { data: self.node_def.as_ptr().cast(), len: self.node_def.len() },
            node: self.position,
            reserved: 0,
            num_inputs: self.inputs.len(),
            inputs: self.inputs.as_ptr(),
            input_dtypes: self.input_dtypes.as_ptr(),
            input_shapes: self.input_shapes.as_ptr(),
            num_outputs: self.output_dtypes.len(),
            output_dtypes: self.output_dtypes.as_ptr(),
            output_shapes: self.output_shapes.as_ptr(),
            has_gradient: self.has_gradient.as_ptr(),
            output_gradients: ptr::null(),
            input_gradients: ptr::null_mut(),
        }
    }
}

fn shape(dims: Option<&[i64]>) -> OPLINK_Shape {
    match dims {
        Some(dims) => OPLINK_Shape { rank: dims.len() as i64, dims: dims.as_ptr() },
        None => OPLINK_Shape { rank: -1, dims: ptr::null() },
    }
}
