//! What executors have in common: the devices of a session (`devices`), environments of their kernels (`env`, `envs`),
//! the kernels of the nodes that run (`prepared`), the values that a run is given (`feed`), what references refer to
//! (`reference`), and what inference promised of outputs (`promise`).

mod devices;
mod env;
mod envs;
mod errors;
mod feed;
mod prepared;
mod promise;
mod reference;
mod single_device;

pub(crate) use devices::{Copied, Devices, Place, Placed, PlanInParts, PlanInputs, RecordWork, Results};
#[cfg(feature = "dataflow")]
pub(crate) use env::StepEnv;
pub(crate) use envs::Envs;
#[cfg(feature = "dataflow")]
pub(crate) use envs::StepEnvs;
pub(crate) use errors::aggregate_errors;
pub(crate) use feed::{Feed, wrong_feed_count};
#[cfg(feature = "dataflow")]
pub(crate) use prepared::calls_functions;
pub(crate) use prepared::{Assigned, KernelCache, Kernels, may_wait};
pub(crate) use promise::{Promise, Trust, check_promises};
pub(crate) use reference::{dereference, dereference_inputs};
#[cfg(test)]
pub(crate) use single_device::Placement;
