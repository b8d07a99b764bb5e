//! Lists of kernels.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::TF_Buffer;
use oplink_api::descriptors::KernelDescriptor;
use oplink_api::{AttrValue, DType, Result};
use oplink_graph::attr_to_proto;
use oplink_host::buffer::from_bytes;
use oplink_host::c_api;
use oplink_host::guard::text;

use crate::messages::{AttrConstraint, KernelDef, KernelList};
use crate::support::registry;

/// The message of each combination of dtypes that a kernel serves.
fn messages(kernel: &KernelDescriptor) -> Result<Vec<KernelDef>> {
    let message = |dtypes: &[DType]| {
        let constraint = |(name, dtype): (&&str, &DType)| {
            let allowed = attr_to_proto(&AttrValue::Types(vec![*dtype]))?;
            Ok(AttrConstraint { name: (*name).to_owned(), allowed_values: Some(allowed) })
        };
        Ok(KernelDef {
            op: kernel.op.to_owned(),
            device_type: kernel.device.to_owned(),
            constraint: kernel.type_attrs.iter().zip(dtypes).map(constraint).collect::<Result<_>>()?,
            host_memory_arg: kernel.host_memory.iter().map(|&name| name.to_owned()).collect(),
            label: kernel.label.to_owned(),
            priority: kernel.priority,
        })
    };
    kernel.entries.iter().map(|entry| message(entry.dtypes)).collect()
}

fn list<'a>(kernels: impl Iterator<Item = &'a KernelDescriptor>) -> Result<*mut TF_Buffer> {
    let kernel: Result<Vec<Vec<KernelDef>>> = kernels.map(messages).collect();
    let list = KernelList { kernel: kernel?.concat() };
    Ok(from_bytes(&oplink_proto::to_bytes(&list)))
}

c_api! {
    /// All kernels as a serialized `KernelList`, in a buffer that the client deletes.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_GetAllRegisteredKernels(; status) -> (*mut TF_Buffer = ptr::null_mut()) {
        list(registry()?.kernels())
    }

    /// The kernels of one op as a serialized `KernelList`, in a buffer that the client deletes; an empty list for an op
    /// that there is not.
    ///
    /// # Safety
    /// `name` is null or a terminated string; the status is null or alive.
    fn TF_GetRegisteredKernelsForOp(name: *const c_char => text; status) -> (*mut TF_Buffer = ptr::null_mut()) {
        list(registry()?.kernels_of(name))
    }
}
