//! The runtime's foundation: the sealed registry, the lookup of kernels, nodes with inferred attrs, prepared kernels,
//! devices, host memory and threads.
//!
//! It knows descriptors and tensors, not graphs: what a graph is, and how its nodes are ordered and fed, is the
//! business of the crates above. No op and no device is known here by name.
#![deny(unsafe_code)]

mod async_run;
mod device;
mod env;
pub mod memory;
mod pool;
mod prepared;
mod registry;
mod run_error;

#[doc(hidden)]
pub mod collect;

pub use device::{
    DetachedDrop, Device, DeviceAttributes, DeviceFactory, DeviceName, DeviceOptions, HOST_DEVICE_TYPE, HelperThread,
    LONGEST_END, add_devices, create_devices, device_of_type, devices, devices_with, host_device,
};
pub use env::HostEnv;
pub use oplink_api::resolve::{
    ArgDTypes, AttrRules, attr_from_spec, check_inputs, group_inputs, kind_of, node_for_call, node_for_call_under,
    node_for_flat_call, node_from_attrs, node_from_attrs_under, tensor_from_spec,
};
pub use pool::{EnteredPool, IntraOpPool, Team, intra_op_pool, set_intra_op_threads};
pub use prepared::{KERNEL_LABEL_ATTR, PreparedKernel, kernel_label};
pub use registry::{
    ANY_OP, DEFAULT_DEVICE_TYPE, Declarations, Hints, KernelRef, OpEntry, PLUGIN_CRATE, Registry, RegistryBuilder,
    RejectedDeclaration, RejectedItem, RejectedKernel, RejectedPlugin, ValidExtension,
};
pub use run_error::panicked;
