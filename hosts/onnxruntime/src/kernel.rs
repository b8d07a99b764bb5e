//! Kernels of nodes: prepared when a session is made, run by it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;

use oplink_abi::onnxruntime::{OrtApi, OrtCustomOp, OrtKernelContext, OrtKernelInfo, OrtStatus};
use oplink_api::resolve::DeclaredOp;
use oplink_api::{NodeInfo, Result, ensure};
use oplink_hosts_common::{CallFrame, CallKey, HostedOp, NodeCalls, Words, guarded, silent};
use smallvec::SmallVec;

use crate::attrs::{Source, given};
use crate::combinations::dtype_of;
use crate::functions::{Ort, ort};
use crate::op::CustomOp;
use crate::values::{Input, Outputs, view};

/// The kernel of a node, as ONNX Runtime holds it.
pub(crate) trait NodeKernel: Sized {
    /// What errors add to "the kernel of" an op.
    const KIND: &'static str;

    /// That of a call of the op.
    ///
    /// # Errors
    /// There is no kernel for the call.
    fn prepare(op: &HostedOp, key: &CallKey) -> Result<Self>;

    /// The node.
    fn node(&self) -> &NodeInfo;

    /// Runs the kernel.
    ///
    /// # Errors
    /// Those of the kernel and of ONNX Runtime.
    ///
    /// # Safety
    /// The context is alive.
    unsafe fn run(&self, ort: &Ort, context: *mut OrtKernelContext) -> Result<()>;
}

/// Makes the kernel of a node.
///
/// # Safety
/// ONNX Runtime passes what was registered, its table, and a live construction.
pub(crate) unsafe extern "C" fn create<K: NodeKernel>(
    op: *const OrtCustomOp,
    _: *const OrtApi,
    info: *const OrtKernelInfo,
    kernel: *mut *mut c_void,
) -> *mut OrtStatus {
    let Some(ort) = ort() else { return ptr::null_mut() };
    // SAFETY: the contract of this function.
    let op = unsafe { CustomOp::of(op) };
    let what = || format!("the kernel of {}{}, while it was constructed,", op.op.descriptor.name, K::KIND);
    // SAFETY: the construction is alive during the call (Safety section); the place takes an address.
    let result = guarded(what, || unsafe {
        kernel.write(ptr::null_mut());
        let made: K = make(ort, op, info)?;
        kernel.write(Box::into_raw(Box::new(made)).cast());
        Ok(())
    });
    ort.status(result)
}

/// # Safety
/// The construction is alive.
unsafe fn make<K: NodeKernel>(ort: &Ort, op: &CustomOp, info: *const OrtKernelInfo) -> Result<K> {
    // SAFETY: the contract of this function.
    let (key, outputs) = unsafe { key(ort, op, info) }?;
    let kernel = K::prepare(op.op, &key)?;
    let (name, wanted) = (op.op.descriptor.name, kernel.node().output_dtypes.len());
    ensure!(wanted == outputs, "a node of {name} has {outputs} outputs, its attrs make {wanted}");
    Ok(kernel)
}

/// What a node says of its kernel, and how many outputs it has.
///
/// # Safety
/// The construction is alive.
unsafe fn key(ort: &Ort, op: &CustomOp, info: *const OrtKernelInfo) -> Result<(CallKey, usize)> {
    let (mut inputs, mut outputs) = (0, 0);
    // SAFETY: the construction is alive; places are written to.
    let attrs = unsafe {
        ort.check((ort.num_inputs_of_kernel)(info, &raw mut inputs))?;
        ort.check((ort.num_outputs_of_kernel)(info, &raw mut outputs))?;
        given(ort, op.op, &Source::Kernel(info))?
    };
    let mut key = CallKey { attrs, lengths: lengths(op.op, inputs), ..CallKey::default() };
    for (arg, &length) in op.op.spec().inputs.iter().zip(&key.lengths) {
        key.dtypes.extend((0..length).map(|_| dtype_of(arg, &op.combination)));
    }
    take_output_dtypes(op, &mut key);
    Ok((key, outputs))
}

/// How many tensors each declared input covers: the last takes what the others leave.
pub(crate) fn lengths(op: &HostedOp, inputs: usize) -> SmallVec<[u32; 4]> {
    let args = &op.spec().inputs;
    let rest = inputs.saturating_sub(args.len().saturating_sub(1)) as u32;
    let of = |(at, _): (usize, &oplink_api::spec::ArgSpec)| if at + 1 == args.len() { rest } else { 1 };
    args.iter().enumerate().map(of).collect()
}

/// An output's dtype that no input tells is that of the combination, unless the node says it.
fn take_output_dtypes(op: &CustomOp, key: &mut CallKey) {
    for (at, attr) in op.op.given_attrs().enumerate() {
        if key.attrs[at].is_none() {
            key.attrs[at] = op.combination.get(&attr.name).cloned();
        }
    }
}

/// Frees a kernel.
///
/// # Safety
/// ONNX Runtime passes what `create` made, once.
pub(crate) unsafe extern "C" fn destroy<K: NodeKernel>(kernel: *mut c_void) {
    if !kernel.is_null() {
        // SAFETY: `create` made it as a box of this type.
        silent((), || drop(unsafe { Box::from_raw(kernel.cast::<K>()) }));
    }
}

/// Runs a kernel.
///
/// # Safety
/// ONNX Runtime passes what `create` made, and the live context of a run.
pub(crate) unsafe extern "C" fn compute<K: NodeKernel>(
    kernel: *mut c_void,
    context: *mut OrtKernelContext,
) -> *mut OrtStatus {
    // SAFETY: the contract of this function.
    let (Some(ort), Some(kernel)) = (ort(), unsafe { kernel.cast::<K>().as_ref() }) else {
        return ptr::null_mut();
    };
    let what = || format!("the kernel of {}{}", kernel.node().op.name, K::KIND);
    // SAFETY: the context is alive during the call (Safety section).
    ort.status(guarded(what, || unsafe { kernel.run(ort, context) }))
}

impl NodeKernel for NodeCalls {
    const KIND: &'static str = "";

    fn prepare(op: &HostedOp, key: &CallKey) -> Result<Self> {
        op.prepare(key).map(Self::new)
    }

    fn node(&self) -> &NodeInfo {
        self.kernel().node()
    }

    unsafe fn run(&self, ort: &Ort, context: *mut OrtKernelContext) -> Result<()> {
        let mut call = Call { inputs: SmallVec::new() };
        for at in 0..self.node().input_dtypes.len() {
            let mut value = ptr::null();
            // SAFETY: the context is alive, and so are its values during the run.
            unsafe {
                ort.check((ort.input)(context, at, &raw mut value))?;
                call.inputs.push(Input::of(ort, value)?);
            }
        }
        // SAFETY: the values outlive the run, which keeps no tensor.
        let tensors = || call.inputs.iter().map(|input| unsafe { view(ort, input.value) }).collect();
        // SAFETY: the elements are those of the values, whose dtypes and extents the call tells.
        unsafe { self.call(&call, &Outputs { ort, context: Mutex::new(context) }, tensors) }
    }
}

/// A call of a node.
struct Call<'a> {
    inputs: SmallVec<[Input<'a>; 4]>,
}

impl CallFrame for Call<'_> {
    #[inline]
    fn describe(&self, words: &mut impl Words) {
        self.inputs.iter().for_each(|input| words.tensor(input.dtype, &input.dims));
    }

    #[inline]
    fn data(&self, input: usize) -> *const u8 {
        self.inputs.get(input).map_or(ptr::null(), |input| input.data)
    }
}
