//! Gradients of a plugin's ops, for hosts that build graphs of them.
//!
//! A plugin may export the function `oplink_plugin_gradients` of type [`PluginGradientsFn`]. Its functions add nodes to
//! a graph of the host through the C functions `OPLINK_ScopeAddNode` and `OPLINK_ScopeAddConstant`. The structs only
//! grow at their end: a reader looks at `struct_size` before it reads a field, and takes what lies beyond for absent.

use std::ffi::c_void;

use crate::{OPLINK_Scope, TF_Bool, TF_DataType, TF_Status, TF_StringView};

/// The version of these structs; another one means another layout.
pub const PLUGIN_GRADIENTS_VERSION: u32 = 1;

/// The name of the function that a plugin exports.
pub const PLUGIN_GRADIENTS_SYMBOL: &std::ffi::CStr = c"oplink_plugin_gradients";

/// Returns the gradients of a plugin; valid as long as the library is mapped, null where it has none.
pub type PluginGradientsFn = unsafe extern "C" fn() -> *const OPLINK_PluginGradients;

/// Adds the nodes of a gradient to a graph and writes the outputs that they end in. The first argument is
/// [`OPLINK_GradientInfo::data`]. What goes wrong is put into the status.
pub type PluginGradientFn = Option<unsafe extern "C" fn(*const c_void, *const OPLINK_GradientCall, *mut TF_Status)>;

/// The gradients of a plugin.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_PluginGradients {
    /// Bytes of this struct that the plugin knows.
    pub struct_size: usize,
    /// [`PLUGIN_GRADIENTS_VERSION`] of the plugin.
    pub version: u32,
    /// Zero.
    pub reserved: u32,
    /// The gradients, each [`gradient_size`](Self::gradient_size) bytes after the one before.
    pub gradients: *const OPLINK_GradientInfo,
    /// How many.
    pub num_gradients: usize,
    /// Bytes from one gradient to the next.
    pub gradient_size: usize,
    /// Names of the C functions that the gradients cannot do without and look up in their host.
    pub imports: *const TF_StringView,
    /// How many.
    pub num_imports: usize,
}

/// One gradient.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_GradientInfo {
    /// Bytes of this struct that the plugin knows.
    pub struct_size: usize,
    /// The name of the op that is differentiated.
    pub op: TF_StringView,
    /// Passed to the function.
    pub data: *const c_void,
    /// Adds the gradient's nodes. It may be called once the plugin has registered.
    pub function: PluginGradientFn,
}

/// An output of a node.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OPLINK_Output {
    /// The node, by position in its graph; `u32::MAX` stands for no output.
    pub node: u32,
    /// Which of the node's outputs.
    pub index: u32,
}

/// A shape as far as it is known.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_Shape {
    /// -1 where the rank is unknown.
    pub rank: i64,
    /// As many extents; -1 for one that is unknown.
    pub dims: *const i64,
}

/// The node that is differentiated through. Everything lives during the call only.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_GradientCall {
    /// Bytes of this struct that the host knows.
    pub struct_size: usize,
    /// Where nodes are added.
    pub scope: *mut OPLINK_Scope,
    /// A serialized `NodeDef`: name, op, device, all attrs. Its inputs stand in `inputs`.
    pub node_def: TF_StringView,
    /// The node, by position in its graph.
    pub node: u32,
    /// Zero.
    pub reserved: u32,
    /// Inputs of the node.
    pub num_inputs: usize,
    /// Where each input comes from.
    pub inputs: *const OPLINK_Output,
    /// The dtype of each input.
    pub input_dtypes: *const TF_DataType,
    /// The shape of each input.
    pub input_shapes: *const OPLINK_Shape,
    /// Outputs of the node.
    pub num_outputs: usize,
    /// The dtype of each output.
    pub output_dtypes: *const TF_DataType,
    /// The shape of each output.
    pub output_shapes: *const OPLINK_Shape,
    /// 1 for each output that what is differentiated depends on; the gradients of others are zeros.
    pub has_gradient: *const TF_Bool,
    /// The gradient of each output.
    pub output_gradients: *const OPLINK_Output,
    /// Written by the plugin: the gradient of each input, or no output. The host fills it with no outputs.
    pub input_gradients: *mut OPLINK_Output,
}

/// One declared input argument of a node that is added.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_NodeArgument {
    /// Where its inputs come from.
    pub inputs: *const OPLINK_Output,
    /// How many; 1 where it is no list.
    pub num_inputs: usize,
    /// 1 for an argument that is a list, else 0.
    pub is_list: TF_Bool,
}

/// A node that is added.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_NodeCall {
    /// Bytes of this struct that the plugin knows.
    pub struct_size: usize,
    /// A serialized `NodeDef`: op and given attrs; the name and the device that are wanted, empty for any.
    pub node_def: TF_StringView,
    /// The declared input arguments in order.
    pub arguments: *const OPLINK_NodeArgument,
    /// How many.
    pub num_arguments: usize,
}

/// Which outputs a declared output covers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_Range {
    /// The first.
    pub start: usize,
    /// The one after the last.
    pub end: usize,
}

/// A node that was added. What it points to lives until the next call for the same scope.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_AddedNode {
    /// Bytes of this struct that the plugin knows.
    pub struct_size: usize,
    /// The node, by position in its graph.
    pub node: u32,
    /// Zero.
    pub reserved: u32,
    /// Its outputs.
    pub outputs: *const OPLINK_Output,
    /// How many.
    pub num_outputs: usize,
    /// For each declared output, which of the outputs it covers.
    pub ranges: *const OPLINK_Range,
    /// How many.
    pub num_ranges: usize,
}

/// Adds a node to a scope: a function that hosts export as `OPLINK_ScopeAddNode`.
pub type ScopeAddNodeFn =
    unsafe extern "C" fn(*mut OPLINK_Scope, *const OPLINK_NodeCall, *mut OPLINK_AddedNode, *mut TF_Status);

/// Adds a constant to a scope, given as a serialized `TensorProto`: a function that hosts export as
/// `OPLINK_ScopeAddConstant`.
pub type ScopeAddConstantFn =
    unsafe extern "C" fn(*mut OPLINK_Scope, TF_StringView, *mut OPLINK_Output, *mut TF_Status);

impl OPLINK_Output {
    /// Stands for no output.
    pub const NONE: Self = Self { node: u32::MAX, index: 0 };
}

const _: () = assert!(size_of::<OPLINK_PluginGradients>() == 56 && size_of::<OPLINK_GradientInfo>() == 40);
const _: () = assert!(size_of::<OPLINK_GradientCall>() == 120 && size_of::<OPLINK_NodeCall>() == 40);
const _: () = assert!(size_of::<OPLINK_AddedNode>() == 48 && size_of::<OPLINK_NodeArgument>() == 24);
