//! A plugin's ops, handed to PyTorch.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use oplink_abi::torch::{BoxedKernelFn, TORCH_ABI_VERSION, TorchLibraryOpaque};
use oplink_api::descriptors::Library;
use oplink_api::resolve::DeclaredOp;
use oplink_api::{Error, Result};
use oplink_hosts_common::{HostedOp, HostedPlugin, guarded, most_ops, silent};

use crate::call::kernels;
use crate::functions::{Torch, check};
use crate::schema::schema;

/// A plugin with as many boxed kernels as it has ops and gradients.
#[derive(Debug)]
pub struct TorchPlugin {
    plugin: &'static HostedPlugin,
    kernels: &'static [[BoxedKernelFn; 16]],
    #[cfg(feature = "gpu")]
    cuda_kernels: &'static [[BoxedKernelFn; 16]],
}

impl TorchPlugin {
    /// Evaluated at compile time.
    ///
    /// # Panics
    /// There are more than 512 ops and gradients.
    #[must_use]
    pub const fn new(plugin: &'static HostedPlugin, libraries: &[&Library]) -> Self {
        let ops = most_ops(libraries);
        Self {
            plugin,
            kernels: kernels(ops),
            #[cfg(feature = "gpu")]
            cuda_kernels: crate::cuda::kernels(ops),
        }
    }
}

/// The schema of the op at a position, or `!` and why PyTorch cannot carry it; freed as answers to questions are.
pub fn schema_text(plugin: &'static TorchPlugin, position: usize) -> *mut c_char {
    silent(ptr::null_mut(), || {
        let op = plugin.plugin.table().ok().and_then(|table| table.ops.get(position)).map(|op| &**op);
        let text = op.map_or_else(
            || "!there is no such op".to_owned(),
            |op| schema(op).unwrap_or_else(|refusal| format!("!{refusal}")),
        );
        c_string(&text).into_raw()
    })
}

/// What is registered: ops at their positions, those aside that PyTorch cannot carry.
pub(crate) struct Loaded {
    pub(crate) torch: Torch,
    pub(crate) ops: Vec<Option<&'static HostedOp>>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

pub(crate) fn loaded() -> Option<&'static Loaded> {
    LOADED.get()
}

/// How far registration got.
enum State {
    Untried,
    Done,
    Failed(CString),
}

static STATE: Mutex<State> = Mutex::new(State::Untried);

/// When the library is loaded: registers where PyTorch is in the process.
pub fn on_load(plugin: &'static TorchPlugin) {
    silent((), || meet(plugin, false));
}

/// Registers, unless loading did. The error as text that lives as long as the library; null where there is none.
pub fn register(plugin: &'static TorchPlugin) -> *const c_char {
    silent(ptr::null(), || {
        meet(plugin, true);
        let state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Failed(error) = &*state { error.as_ptr() } else { ptr::null() }
    })
}

fn meet(plugin: &'static TorchPlugin, is_called: bool) {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if !matches!(*state, State::Untried) {
        return;
    }
    let what = || format!("plugin {}, while it registered with PyTorch,", plugin.plugin.crate_name());
    let result = match Torch::find() {
        Some(torch) => guarded(what, || register_with(plugin, torch?)),
        None if !is_called => return,
        None => Err(Error::unimplemented("there is no PyTorch in this process: import torch first")),
    };
    *state = match result {
        Ok(()) => State::Done,
        Err(error) => {
            let text = format!("plugin {} is not registered with PyTorch: {error}", plugin.plugin.crate_name());
            eprintln!("{text}");
            State::Failed(c_string(&text))
        }
    };
}

fn register_with(plugin: &'static TorchPlugin, torch: Torch) -> Result<()> {
    let table = plugin.plugin.table()?;
    let schemas: Vec<_> = table.ops.iter().map(|op| schema(op).ok()).collect();
    let ops = table.ops.iter().zip(&schemas).map(|(op, schema)| schema.as_ref().map(|_| &**op)).collect();
    let loaded = LOADED.get_or_init(|| Loaded { torch, ops });
    let torch = &loaded.torch;
    let namespace = c_string(&table.namespace());
    let mut definitions: *mut TorchLibraryOpaque = ptr::null_mut();
    let (mut kernels, mut without_inputs) = (definitions, definitions);
    let file = c"oplink".as_ptr();
    #[cfg(feature = "gpu")]
    let mut cuda: *mut TorchLibraryOpaque = ptr::null_mut();
    // SAFETY: all texts are terminated and live during the calls. The libraries stay, as what they registered does.
    unsafe {
        let name = namespace.as_ptr();
        let code = (torch.aoti_torch_library_init_fragment)(name, file, 0, &raw mut definitions);
        check(code, format_args!("a library {}", table.namespace()))?;
        let code = (torch.aoti_torch_library_init_impl)(name, c"CPU".as_ptr(), file, 0, &raw mut kernels);
        check(code, format_args!("kernels of a library {}", table.namespace()))?;
        #[cfg(feature = "gpu")]
        {
            let code = (torch.aoti_torch_library_init_impl)(name, c"CUDA".as_ptr(), file, 0, &raw mut cuda);
            check(code, format_args!("kernels of a library {} for GPUs", table.namespace()))?;
        }
        // No tensor tells the device of a call without tensors.
        let code =
            (torch.aoti_torch_library_init_impl)(name, c"BackendSelect".as_ptr(), file, 0, &raw mut without_inputs);
        check(code, format_args!("kernels of a library {}", table.namespace()))?;
        let mut failed = Ok(());
        for (position, (op, schema)) in table.ops.iter().zip(&schemas).enumerate() {
            let Some(schema) = schema else { continue };
            let (text, name) = (c_string(schema), c_string(&op.function_name));
            let function = plugin.kernels[position / 16][position % 16];
            let key = if op.spec().inputs.is_empty() { without_inputs } else { kernels };
            let defined = check(define(torch, definitions, op, &text), format_args!("the op {schema}"));
            let result = defined.and_then(|()| {
                let code = (torch.torch_library_impl)(key, name.as_ptr(), function, TORCH_ABI_VERSION);
                check(code, format_args!("the kernel of {}", op.function_name))
            });
            // An op without a kernel for GPUs has one that says so.
            #[cfg(feature = "gpu")]
            let result = result.and_then(|()| match op.spec().inputs.is_empty() {
                true => Ok(()),
                false => {
                    let function = plugin.cuda_kernels[position / 16][position % 16];
                    let code = (torch.torch_library_impl)(cuda, name.as_ptr(), function, TORCH_ABI_VERSION);
                    check(code, format_args!("the kernel of {} for GPUs", op.function_name))
                }
            });
            failed = failed.and(result);
        }
        failed
    }
}

/// Defines an op; one whose calls differ with a tag that says so, where PyTorch takes tags.
///
/// # Safety
/// The library is alive.
unsafe fn define(torch: &Torch, library: *mut TorchLibraryOpaque, op: &HostedOp, schema: &CString) -> i32 {
    let tagged = torch.torch_library_def_with_tags.zip(torch.torch_tag_nondeterministic_seeded);
    // SAFETY: the text is terminated; there is one tag.
    unsafe {
        match tagged.filter(|_| op.differs_by_call()) {
            Some((define, tag)) => define(library, schema.as_ptr(), &tag(), 1),
            None => (torch.aoti_torch_library_def)(library, schema.as_ptr()),
        }
    }
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}
