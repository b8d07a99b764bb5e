//! A plugin's ops, handed to ONNX Runtime.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::CString;
use std::ptr;
use std::sync::OnceLock;

use oplink_abi::onnxruntime::{OrtApiBase, OrtCustomOpDomain, OrtSessionOptions, OrtStatus};
use oplink_api::Result;
use oplink_hosts_common::{HostedPlugin, guarded};

use crate::combinations::combinations;
use crate::functions::{Ort, take};
use crate::op::CustomOp;

/// A domain, which lives as long as the process, since sessions keep its address.
struct Domain(*mut OrtCustomOpDomain);

// SAFETY: the domain is made once, and only read then.
unsafe impl Send for Domain {}
// SAFETY: the domain is only read once it is made.
unsafe impl Sync for Domain {}

static DOMAIN: OnceLock<Result<Domain>> = OnceLock::new();

/// Adds the plugin's ops to the options of a session: what a plugin's `RegisterCustomOps` does.
///
/// # Safety
/// ONNX Runtime passes the options of a session and the base of its table.
pub unsafe fn register(
    plugin: &'static HostedPlugin,
    options: *mut OrtSessionOptions,
    base: *const OrtApiBase,
) -> *mut OrtStatus {
    // SAFETY: the contract of this function.
    let Some(ort) = (unsafe { take(base) }) else {
        // Without a table there is no function that makes an error.
        eprintln!("plugin {} is not registered: ONNX Runtime 1.17 or newer is needed", plugin.crate_name());
        return ptr::null_mut();
    };
    let what = || format!("plugin {}, while it registered,", plugin.crate_name());
    ort.status(guarded(what, || {
        let domain = DOMAIN.get_or_init(|| domain(plugin, ort)).as_ref().map_err(Clone::clone)?;
        // SAFETY: options and domain are alive.
        unsafe { ort.check((ort.add_domain)(options, domain.0)) }
    }))
}

/// A domain of the crate's name with its ops. What ONNX Runtime cannot carry is left out, and named on standard error.
fn domain(plugin: &'static HostedPlugin, ort: &Ort) -> Result<Domain> {
    let table = plugin.table()?;
    let name = CString::new(table.namespace()).unwrap_or_default();
    // The domain keeps the address of its name.
    let (name, mut domain) = (&*Box::leak(name.into_boxed_c_str()), ptr::null_mut());
    // SAFETY: the name is terminated; ops live as long as the process.
    unsafe {
        ort.check((ort.create_domain)(name.as_ptr(), &raw mut domain))?;
        for op in &table.ops {
            match combinations(op, op.kernels()) {
                Ok(all) => {
                    for combination in all {
                        ort.check((ort.domain_add)(domain, CustomOp::leaked(op, combination).as_ptr()))?;
                    }
                    // Where the provider is not in the session, it takes the CPU's.
                    #[cfg(feature = "gpu")]
                    for combination in combinations(op, op.gpu_kernels()).unwrap_or_default() {
                        ort.check((ort.domain_add)(domain, CustomOp::leaked_on_gpu(op, combination).as_ptr()))?;
                    }
                }
                // Nobody asked for the op of a gradient: a model that has it is refused by its name.
                Err(_) if op.gradient_of().is_some() => {}
                Err(refusal) => eprintln!("{} is not registered with ONNX Runtime: {refusal}", op.descriptor.name),
            }
        }
    }
    Ok(Domain(domain))
}
