//! The handlers: one for each op, since a call frame does not tell its target.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::CString;
use std::ptr;
use std::sync::{Arc, OnceLock};

use oplink_abi::xla_ffi::{
    API_MAJOR, API_MINOR, EXTENSION_METADATA, STAGE_EXECUTE, XLA_FFI_CallFrame, XLA_FFI_Error,
    XLA_FFI_Error_Create_Args, XLA_FFI_Handler, XLA_FFI_Metadata_Extension, XLA_FFI_TypeId,
};
use oplink_api::descriptors::Library;
use oplink_api::resolve::{DeclaredOp, group_inputs};
use oplink_api::{Code, Error, NodeInfo, Result, Tensor, bail, ensure};
use oplink_hosts_common::{
    CallFrame, CallKey, HostedOp, HostedPlugin, PreparedKernel, Tensors, Words, guarded, most_ops, silent,
};

use crate::attrs::{Attr, attrs};
use crate::buffers::{Buffers, Results, array, view};

/// The attr that tells how many buffers each declared input covers, where that does not follow from their number.
const LENGTHS: &[u8] = b"oplink_lengths";

oplink_hosts_common::position_table! {
    /// As many handlers as there are ops, at least, in rows.
    fn handlers() -> XLA_FFI_Handler; handle
}

unsafe extern "C" fn handle<const ROW: usize, const AT: usize>(frame: *mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error {
    // SAFETY: XLA passes the frame of a call of the target that was registered with this handler.
    unsafe { guarded_call(|op, frame| run(ROW * 16 + AT, op, frame), "", ROW * 16 + AT, frame) }
}

/// A plugin with as many handlers as it has ops and gradients.
#[derive(Debug)]
pub struct JaxPlugin {
    plugin: &'static HostedPlugin,
    handlers: &'static [[XLA_FFI_Handler; 16]],
    #[cfg(feature = "gpu")]
    pub(crate) cuda_handlers: &'static [[XLA_FFI_Handler; 16]],
}

impl JaxPlugin {
    /// Evaluated at compile time.
    ///
    /// # Panics
    /// There are more than 512 ops and gradients.
    #[must_use]
    pub const fn new(plugin: &'static HostedPlugin, libraries: &[&Library]) -> Self {
        let ops = most_ops(libraries);
        Self {
            plugin,
            handlers: handlers(ops),
            #[cfg(feature = "gpu")]
            cuda_handlers: crate::cuda::handlers(ops),
        }
    }
}

pub(crate) static OPS: OnceLock<&'static [Arc<HostedOp>]> = OnceLock::new();

/// The handler of the op at a position; `None` where there is no such op, or a declaration is wrong.
pub fn handler(plugin: &'static JaxPlugin, position: usize) -> Option<XLA_FFI_Handler> {
    handler_of(plugin, plugin.handlers, position)
}

/// The handler of the op at a position among those of one platform.
pub(crate) fn handler_of(
    plugin: &'static JaxPlugin,
    handlers: &'static [[XLA_FFI_Handler; 16]],
    position: usize,
) -> Option<XLA_FFI_Handler> {
    silent(None, || {
        let ops = OPS.get_or_init(|| match plugin.plugin.table() {
            Ok(table) => &table.ops,
            Err(error) => {
                eprintln!("plugin {} has no handlers: {error}", plugin.plugin.crate_name());
                &[]
            }
        });
        ops.get(position)?;
        handlers.get(position / 16).map(|row| row[position % 16])
    })
}

/// Runs the op at a position, whose kernel errors call `kind`, or answers with the handler's metadata.
///
/// # Safety
/// The frame is one of XLA, alive during the call with all that it points to.
#[inline]
pub(crate) unsafe fn guarded_call(
    run: impl FnOnce(&HostedOp, &XLA_FFI_CallFrame) -> Result<()>,
    kind: &str,
    position: usize,
    frame: *mut XLA_FFI_CallFrame,
) -> *mut XLA_FFI_Error {
    // SAFETY: the contract of this function.
    let Some(frame) = (unsafe { frame.as_ref() }) else { return ptr::null_mut() };
    // SAFETY: an extension of the metadata kind is one.
    if unsafe { answers_metadata(frame) } {
        return ptr::null_mut();
    }
    let op = OPS.get().and_then(|ops| ops.get(position));
    let what = || op.map_or_else(|| "an op".to_owned(), |op| format!("the kernel of {}{kind}", op.descriptor.name));
    let op = op.ok_or_else(|| Error::internal("a handler that was never registered"));
    let execute = |op: &HostedOp| if frame.stage == STAGE_EXECUTE { run(op, frame) } else { Ok(()) };
    match guarded(what, || op.and_then(|op| execute(op))) {
        Ok(()) => ptr::null_mut(),
        // SAFETY: the frame is alive, and so is the table of functions in it.
        Err(error) => unsafe { error_of(frame, &error) },
    }
}

/// Answers where XLA asks for the handler's metadata.
///
/// # Safety
/// The chain of extensions is one of XLA.
pub(crate) unsafe fn answers_metadata(frame: &XLA_FFI_CallFrame) -> bool {
    let mut extension = frame.extension_start;
    // SAFETY: members of the chain are alive; one of the metadata kind is followed by its place.
    unsafe {
        while let Some(base) = extension.as_ref() {
            if base.kind == EXTENSION_METADATA {
                if let Some(metadata) = (*extension.cast::<XLA_FFI_Metadata_Extension>()).metadata.as_mut() {
                    metadata.api_version.major_version = API_MAJOR;
                    metadata.api_version.minor_version = API_MINOR;
                    metadata.traits = 0;
                    if metadata.struct_size >= size_of_val(metadata) {
                        metadata.state_type_id = XLA_FFI_TypeId { type_id: 0 };
                    }
                }
                return true;
            }
            extension = base.next;
        }
    }
    false
}

/// A call of an op.
struct Call<'a> {
    frame: &'a XLA_FFI_CallFrame,
    arguments: Buffers<'a>,
    results: Results<'a>,
}

impl CallFrame for Call<'_> {
    #[inline]
    fn describe(&self, words: &mut impl Words) {
        words.number((self.arguments.len() as u64) | (self.results.0.len() as u64) << 32);
        self.arguments.iter().for_each(|buffer| match buffer {
            // SAFETY: a buffer has as many extents as its rank tells.
            Some(buffer) => words.tensor(buffer.dtype, unsafe { array(buffer.dims, buffer.rank) }),
            None => words.unknown(),
        });
        // SAFETY: the frame is alive, with all that it points to.
        unsafe { attrs(&self.frame.attrs) }.for_each(|attr| attr.describe(words));
    }

    #[inline]
    fn data(&self, input: usize) -> *const u8 {
        self.arguments.get(input).map_or(ptr::null(), |buffer| buffer.data.cast_const().cast())
    }
}

/// # Safety
/// As [`guarded_call`].
#[inline]
unsafe fn run(position: usize, op: &HostedOp, frame: &XLA_FFI_CallFrame) -> Result<()> {
    // SAFETY: the contract of this function.
    let (arguments, results) = unsafe { arguments(frame) };
    let call = Call { frame, arguments, results };
    let id = ptr::from_ref(op).addr();
    // SAFETY: the buffers outlive the run, and hold what the frame tells.
    unsafe {
        let prepare = || prepare(op, frame, arguments, &call.results);
        oplink_hosts_common::call((position, id), &call, &call.results, prepare)
    }
}

/// The buffers of a call.
///
/// # Safety
/// As [`guarded_call`].
#[inline]
pub(crate) unsafe fn arguments(frame: &XLA_FFI_CallFrame) -> (Buffers<'_>, Results<'_>) {
    // SAFETY: the contract of this function.
    unsafe {
        let arguments = Buffers::new(frame.args.size, frame.args.types, frame.args.args.cast_const());
        (arguments, Results(Buffers::new(frame.rets.size, frame.rets.types, frame.rets.rets.cast_const())))
    }
}

/// That the program has a result for each output of the kernel's node.
pub(crate) fn check_results(op: &HostedOp, node: &NodeInfo, results: &Results<'_>) -> Result<()> {
    let (wanted, given) = (node.output_dtypes.len(), results.0.checked()?.len());
    ensure!(wanted == given, "{} gives {wanted} outputs, the program was made for {given}", op.descriptor.name);
    Ok(())
}

/// The kernel of a call, and its inputs.
///
/// # Safety
/// As [`guarded_call`].
unsafe fn prepare(
    op: &HostedOp,
    frame: &XLA_FFI_CallFrame,
    arguments: Buffers<'_>,
    results: &Results<'_>,
) -> Result<(Arc<PreparedKernel>, Tensors)> {
    let mut inputs = Tensors::new();
    // SAFETY: the buffers outlive the run, which keeps no tensor.
    arguments.checked()?.into_iter().try_for_each(|buffer| unsafe { view(buffer) }.map(|input| inputs.push(input)))?;
    // SAFETY: the contract of this function.
    let key = unsafe { key(op, frame, &inputs) }?;
    let kernel = op.prepared(&key)?;
    check_results(op, kernel.node(), results)?;
    Ok((kernel, inputs))
}

/// # Safety
/// As [`guarded_call`].
pub(crate) unsafe fn key(op: &HostedOp, frame: &XLA_FFI_CallFrame, inputs: &[Tensor]) -> Result<CallKey> {
    let mut key = CallKey { dtypes: inputs.iter().map(Tensor::dtype).collect(), ..CallKey::default() };
    key.attrs = op.given_attrs().map(|_| None).collect();
    let mut lengths = None;
    // SAFETY: the contract of this function.
    for attr in unsafe { attrs(&frame.attrs) } {
        match op.given_attrs().position(|known| known.name.as_bytes() == attr.name) {
            Some(at) => key.attrs[at] = op.given_attrs().nth(at).map(|known| attr.value(known)).transpose()?,
            None if attr.name == LENGTHS => lengths = Some(attr.lengths()?),
            None => return unknown(op, &attr),
        }
    }
    key.lengths = match lengths {
        Some(lengths) => lengths.into(),
        None if op.spec().inputs.iter().any(oplink_api::spec::ArgSpec::is_sequence) => {
            let ranges = group_inputs(op.spec(), inputs.len(), &[])?;
            ranges.into_iter().map(|range| range.len() as u32).collect()
        }
        None => op.spec().inputs.iter().map(|_| 1).collect(),
    };
    let covered: usize = key.lengths.iter().map(|&length| length as usize).sum();
    let name = op.descriptor.name;
    ensure!(covered == inputs.len(), "{name} takes {covered} inputs here, {} are given", inputs.len());
    Ok(key)
}

fn unknown(op: &HostedOp, attr: &Attr<'_>) -> Result<CallKey> {
    let names: Vec<&str> = op.given_attrs().map(|attr| attr.name.as_str()).collect();
    let given = String::from_utf8_lossy(attr.name);
    bail!("op {} has no attr `{given}`; it has {}", op.descriptor.name, names.join(", "))
}

/// # Safety
/// As [`guarded_call`].
pub(crate) unsafe fn error_of(frame: &XLA_FFI_CallFrame, error: &Error) -> *mut XLA_FFI_Error {
    let message = CString::new(error.to_string().replace('\0', "?")).unwrap_or_default();
    let code = error.code();
    let mut args = XLA_FFI_Error_Create_Args {
        struct_size: size_of::<XLA_FFI_Error_Create_Args>(),
        extension_start: ptr::null_mut(),
        message: message.as_ptr(),
        errc: if code == Code::Unknown { Code::Internal as i32 } else { code as i32 },
    };
    // SAFETY: XLA's table of functions is alive during the call; it copies the message.
    unsafe {
        frame.api.as_ref().and_then(|api| api.error_create).map_or(ptr::null_mut(), |create| create(&raw mut args))
    }
}
