//! The boxed kernels: one for each op, since PyTorch passes nothing that tells which op it calls.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::Arc;

use oplink_abi::torch::{BoxedKernelFn, StableIValue, StableListOpaque};
use oplink_api::resolve::DeclaredOp;
use oplink_api::spec::ArgSpec;
use oplink_api::{AttrValue, DType, Error, NodeInfo, Result};
use oplink_hosts_common::{CallFrame, CallKey, HostedOp, PreparedKernel, Tensors, Words, guarded};
use smallvec::SmallVec;

use crate::functions::{Torch, check};
use crate::register::{Loaded, loaded};
use crate::tensors::{Handle, Layout, TorchMemory};
use crate::{dtypes, stack};

oplink_hosts_common::position_table! {
    /// As many boxed kernels as there are ops, at least, in rows.
    pub(crate) fn kernels() -> BoxedKernelFn; boxed
}

unsafe extern "C-unwind" fn boxed<const ROW: usize, const AT: usize>(
    stack: *mut StableIValue,
    num_inputs: u64,
    num_outputs: u64,
) {
    // SAFETY: PyTorch passes the stack of a call of the op that was registered at this position.
    unsafe { guarded_call(run, ROW * 16 + AT, stack, num_inputs, num_outputs) }
}

/// A call of the op at a position: what takes its inputs off the stack, as many as the number says, and leaves its
/// outputs there.
type Run = unsafe fn(&'static Loaded, (usize, &HostedOp), &mut [StableIValue], usize) -> Result<()>;

/// Runs the op at a position. What fails is thrown by PyTorch: nothing here has a destructor then.
///
/// # Safety
/// The stack has the inputs of a call of the op, and room for its outputs.
pub(crate) unsafe fn guarded_call(
    run: Run,
    position: usize,
    stack: *mut StableIValue,
    num_inputs: u64,
    num_outputs: u64,
) {
    let Some(loaded) = loaded() else { return };
    let message = {
        let op = loaded.ops.get(position).copied().flatten();
        let what = || op.map_or_else(|| "an op".to_owned(), |op| format!("the kernel of {}", op.descriptor.name));
        let length = num_inputs.max(num_outputs) as usize;
        // SAFETY: the stack is as long as the longer of inputs and outputs (Safety section).
        let stack = unsafe { std::slice::from_raw_parts_mut(stack, length) };
        let op = op.ok_or_else(|| Error::internal("a kernel that was never registered"));
        // SAFETY: the contract of this function.
        guarded(what, || op.and_then(|op| unsafe { run(loaded, (position, op), stack, num_inputs as usize) }))
            .err()
            .map(kept)
    };
    if let Some(message) = message {
        let (function, file) = (c"call".as_ptr(), c"oplink".as_ptr());
        // SAFETY: the texts are terminated; the thread keeps the message until the next one.
        unsafe { (loaded.torch.aoti_torch_check)(false, function, file, 0, message) }
    }
}

/// The message, kept by the thread until the next one.
fn kept(error: Error) -> *const c_char {
    thread_local! {
        static MESSAGE: RefCell<CString> = RefCell::default();
    }
    let text = CString::new(error.to_string().replace('\0', "?")).unwrap_or_default();
    let keep = |message: &RefCell<CString>| {
        message.replace(text);
        message.borrow().as_ptr()
    };
    MESSAGE.try_with(keep).unwrap_or(c"an op of oplink failed".as_ptr())
}

/// What a call takes off the stack.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) handles: SmallVec<[Handle; 4]>,
    lengths: SmallVec<[u32; 4]>,
    attrs: SmallVec<[Option<AttrValue>; 4]>,
}

impl Taken {
    /// The key of a call with inputs of these dtypes.
    pub(crate) fn key(&self, dtypes: SmallVec<[DType; 4]>) -> CallKey {
        CallKey { dtypes, lengths: self.lengths.clone(), attrs: self.attrs.clone() }
    }
}

/// What a call took, and how its tensors lie in memory.
struct Call<'a> {
    taken: &'a Taken,
    layouts: SmallVec<[Layout<'a>; 4]>,
}

impl CallFrame for Call<'_> {
    #[inline]
    fn describe(&self, words: &mut impl Words) {
        self.taken.lengths.iter().for_each(|length| words.number(u64::from(*length)));
        self.taken.attrs.iter().for_each(|value| words.attr(value.as_ref()));
        self.layouts.iter().for_each(|layout| words.tensor(layout.dtype, layout.sizes));
    }

    #[inline]
    fn data(&self, input: usize) -> *const u8 {
        self.layouts.get(input).map_or(ptr::null(), |layout| layout.row_major().cast_const())
    }
}

/// # Safety
/// The stack has the inputs of a call of the op.
unsafe fn run(
    loaded: &'static Loaded,
    (position, op): (usize, &HostedOp),
    stack: &mut [StableIValue],
    num_inputs: usize,
) -> Result<()> {
    let torch = &loaded.torch;
    // SAFETY: the contract of this function.
    let taken = unsafe { take(torch, op, &stack[..num_inputs]) }?;
    let layouts = taken.handles.iter().map(Handle::host_layout).collect::<Result<_>>()?;
    let (call, memory) = (Call { taken: &taken, layouts }, TorchMemory::new(torch));
    let id = ptr::from_ref(op).addr();
    // SAFETY: the handles outlive the run, which keeps no tensor, and the layouts tell their dtypes and sizes.
    // Writing an input of an op while the op runs is a race in PyTorch already.
    unsafe {
        oplink_hosts_common::call((position, id), &call, &memory, || prepare(op, &taken, &call.layouts))?;
    }
    let mut outputs = memory.into_handles().into_iter();
    let next = || outputs.next().flatten().ok_or_else(|| Error::internal("an output is missing"));
    if op.spec().outputs.iter().any(ArgSpec::is_sequence) {
        let kernel = op.prepared(&key(&taken, &call.layouts)?)?;
        return store(torch, op, kernel.node(), stack, next);
    }
    for (slot, handle) in stack.iter_mut().take(op.spec().outputs.len()).zip(std::iter::repeat_with(next)) {
        *slot = handle?.into_raw().expose_provenance() as u64;
    }
    Ok(())
}

/// Leaves the outputs of a call on the stack; `next` gives them one after the other.
pub(crate) fn store(
    torch: &Torch,
    op: &HostedOp,
    node: &NodeInfo,
    stack: &mut [StableIValue],
    mut next: impl FnMut() -> Result<Handle>,
) -> Result<()> {
    for (slot, (arg, range)) in stack.iter_mut().zip(op.spec().outputs.iter().zip(&node.output_ranges)) {
        *slot = if arg.is_sequence() {
            list_of(torch, range.clone().map(|_| next()).collect::<Result<Vec<_>>>()?)?
        } else {
            next()?.into_raw().expose_provenance() as u64
        };
    }
    Ok(())
}

/// The kernel of a call, and its inputs.
///
/// # Safety
/// The handles outlive the tensors that are returned and their clones, and nobody writes the elements meanwhile.
unsafe fn prepare(op: &HostedOp, taken: &Taken, layouts: &[Layout<'_>]) -> Result<(Arc<PreparedKernel>, Tensors)> {
    // SAFETY: the contract of this function.
    let inputs = layouts.iter().map(|layout| unsafe { layout.view() }).collect::<Result<Tensors>>()?;
    Ok((op.prepared(&key(taken, layouts)?)?, inputs))
}

fn key(taken: &Taken, layouts: &[Layout<'_>]) -> Result<CallKey> {
    let dtypes = layouts.iter().map(|layout| dtypes::from_torch(layout.dtype)).collect::<Result<_>>()?;
    Ok(taken.key(dtypes))
}

/// Takes all inputs, so that what the stack holds is the kernel's whatever fails.
///
/// # Safety
/// As [`run`].
#[inline]
pub(crate) unsafe fn take(torch: &'static Torch, op: &HostedOp, stack: &[StableIValue]) -> Result<Taken> {
    let mut taken = Taken::default();
    let mut values = stack.iter().copied();
    let mut result = Ok(());
    for arg in &op.spec().inputs {
        let Some(value) = values.next() else { break };
        // SAFETY: the schema has a list of tensors for a sequence, and a tensor for others.
        let added = unsafe {
            if arg.is_sequence() {
                stack::tensors(torch, value).map(|handles| {
                    taken.lengths.push(handles.len() as u32);
                    taken.handles.extend(handles);
                })
            } else {
                stack::tensor(torch, value).map(|handle| {
                    taken.lengths.push(1);
                    taken.handles.push(handle);
                })
            }
        };
        result = result.and(added);
    }
    for (attr, value) in op.given_attrs().zip(values) {
        // SAFETY: the schema's type for the attr.
        match unsafe { stack::attr(torch, attr, value) } {
            Ok(value) => taken.attrs.push(value),
            Err(error) => result = Err(error),
        }
    }
    result.map(|()| taken)
}

/// A list of tensors as a value of the stack.
fn list_of(torch: &Torch, handles: Vec<Handle>) -> Result<StableIValue> {
    let mut list: *mut StableListOpaque = std::ptr::null_mut();
    // SAFETY: the place is written to; elements are handles that the list takes.
    unsafe {
        check((torch.torch_new_list_reserve_size)(handles.len(), &raw mut list), "a list of outputs")?;
        for handle in handles {
            let value = handle.into_raw().expose_provenance() as u64;
            check((torch.torch_list_push_back)(list, value), "an output of a list")?;
        }
    }
    Ok(list.expose_provenance() as u64)
}
