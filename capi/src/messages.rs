//! TensorFlow's messages that only this API speaks: configuration, options and metadata of runs, lists of kernels.
//! Fields that mean nothing here are left out and ignored on reading.

use std::collections::HashMap;

use oplink_proto::GraphDef;
use prost::Name;

macro_rules! named {
    ($($message:ident)*) => {$(
        impl Name for $message {
            const NAME: &'static str = stringify!($message);
            const PACKAGE: &'static str = "tensorflow";
        }
    )*};
}

named! { ConfigProto RunOptions RunMetadata KernelList KernelDef HistogramProto }

/// How a session runs.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ConfigProto {
    /// Devices of each type.
    #[prost(map = "string, int32", tag = "1")]
    pub(crate) device_count: HashMap<String, i32>,
    /// Threads of one kernel; 0 for all.
    #[prost(int32, tag = "2")]
    pub(crate) intra_op_parallelism_threads: i32,
    /// Kernels at once; there is one pool for both here.
    #[prost(int32, tag = "5")]
    pub(crate) inter_op_parallelism_threads: i32,
    /// Whether nodes run elsewhere where their device has no kernel.
    #[prost(bool, tag = "7")]
    pub(crate) allow_soft_placement: bool,
    /// Whether the device of each eager call is told.
    #[prost(bool, tag = "8")]
    pub(crate) log_device_placement: bool,
    /// The time that a run may take.
    #[prost(int64, tag = "11")]
    pub(crate) operation_timeout_in_ms: i64,
    /// How graphs are optimised.
    #[prost(message, optional, tag = "10")]
    pub(crate) graph_options: Option<GraphOptions>,
    /// What GPUs may use.
    #[prost(message, optional, tag = "6")]
    pub(crate) gpu_options: Option<GPUOptions>,
    /// What devices of plugins may use.
    #[prost(message, optional, tag = "18")]
    pub(crate) pluggable_device_options: Option<GPUOptions>,
}

/// Which devices are used, and how much of their memory.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct GPUOptions {
    /// The part of the memory that may be taken; 0 for all.
    #[prost(double, tag = "1")]
    pub(crate) per_process_gpu_memory_fraction: f64,
    /// Whether memory is taken as it is needed, as it always is here.
    #[prost(bool, tag = "4")]
    pub(crate) allow_growth: bool,
    /// The physical devices, by number, separated by commas; empty for all.
    #[prost(string, tag = "5")]
    pub(crate) visible_device_list: String,
}

/// How graphs are optimised.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct GraphOptions {
    /// How far.
    #[prost(message, optional, tag = "3")]
    pub(crate) optimizer_options: Option<OptimizerOptions>,
}

/// How far graphs are optimised.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct OptimizerOptions {
    /// 0 for all, -1 for nothing.
    #[prost(int32, tag = "3")]
    pub(crate) opt_level: i32,
    /// How far graphs are compiled just in time: not at all here.
    #[prost(int32, tag = "5")]
    pub(crate) global_jit_level: i32,
}

/// What one run asks for.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RunOptions {
    /// 0 for no trace; 1, 2 and 3 for one.
    #[prost(int32, tag = "1")]
    pub(crate) trace_level: i32,
    /// The time that the run may take; 0 for any.
    #[prost(int64, tag = "2")]
    pub(crate) timeout_in_ms: i64,
}

/// What a run tells of itself.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RunMetadata {
    /// The nodes that ran.
    #[prost(message, optional, tag = "1")]
    pub(crate) step_stats: Option<StepStats>,
    /// The graphs that ran.
    #[prost(message, repeated, tag = "3")]
    pub(crate) partition_graphs: Vec<GraphDef>,
    /// The functions that ran.
    #[prost(message, repeated, tag = "4")]
    pub(crate) function_graphs: Vec<FunctionGraphs>,
}

/// The graphs of a function.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct FunctionGraphs {
    /// What ran.
    #[prost(message, repeated, tag = "1")]
    pub(crate) partition_graphs: Vec<GraphDef>,
    /// The body as it was given.
    #[prost(message, optional, tag = "2")]
    pub(crate) pre_optimization_graph: Option<GraphDef>,
}

/// The nodes that ran.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct StepStats {
    /// By device.
    #[prost(message, repeated, tag = "1")]
    pub(crate) dev_stats: Vec<DeviceStepStats>,
}

/// The nodes that ran on a device.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DeviceStepStats {
    /// The device.
    #[prost(string, tag = "1")]
    pub(crate) device: String,
    /// The nodes.
    #[prost(message, repeated, tag = "2")]
    pub(crate) node_stats: Vec<NodeExecStats>,
    /// Names of the threads.
    #[prost(map = "uint32, string", tag = "3")]
    pub(crate) thread_names: HashMap<u32, String>,
}

/// One run of a node.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct NodeExecStats {
    /// The node.
    #[prost(string, tag = "1")]
    pub(crate) node_name: String,
    /// When it began, since the epoch.
    #[prost(int64, tag = "2")]
    pub(crate) all_start_micros: i64,
    /// When its kernel began, since it began itself.
    #[prost(int64, tag = "3")]
    pub(crate) op_start_rel_micros: i64,
    /// When its kernel ended.
    #[prost(int64, tag = "4")]
    pub(crate) op_end_rel_micros: i64,
    /// When it ended.
    #[prost(int64, tag = "5")]
    pub(crate) all_end_rel_micros: i64,
    /// What a timeline shows.
    #[prost(string, tag = "8")]
    pub(crate) timeline_label: String,
    /// The thread.
    #[prost(uint32, tag = "10")]
    pub(crate) thread_id: u32,
    /// The same in nanoseconds.
    #[prost(int64, tag = "13")]
    pub(crate) all_start_nanos: i64,
    /// The same in nanoseconds.
    #[prost(int64, tag = "15")]
    pub(crate) op_end_rel_nanos: i64,
    /// The same in nanoseconds.
    #[prost(int64, tag = "16")]
    pub(crate) all_end_rel_nanos: i64,
}

/// Kernels.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct KernelList {
    /// The kernels.
    #[prost(message, repeated, tag = "1")]
    pub(crate) kernel: Vec<KernelDef>,
}

/// One kernel.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct KernelDef {
    /// The op.
    #[prost(string, tag = "1")]
    pub(crate) op: String,
    /// The device.
    #[prost(string, tag = "2")]
    pub(crate) device_type: String,
    /// The dtypes that it serves.
    #[prost(message, repeated, tag = "3")]
    pub(crate) constraint: Vec<AttrConstraint>,
    /// Arguments in the host's memory.
    #[prost(string, repeated, tag = "4")]
    pub(crate) host_memory_arg: Vec<String>,
    /// The label that asks for it.
    #[prost(string, tag = "5")]
    pub(crate) label: String,
    /// Among several the highest is taken.
    #[prost(int32, tag = "6")]
    pub(crate) priority: i32,
}

/// The dtypes that a kernel serves for an attr.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct AttrConstraint {
    /// The attr.
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    /// A list of dtypes.
    #[prost(message, optional, tag = "2")]
    pub(crate) allowed_values: Option<oplink_proto::AttrValue>,
}

/// What a handle of a resource refers to.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct HandleData {
    /// Whether anything is known.
    #[prost(bool, tag = "1")]
    pub(crate) is_set: bool,
    /// Shapes and dtypes.
    #[prost(message, repeated, tag = "2")]
    pub(crate) shape_and_type: Vec<HandleShapeAndType>,
}

/// One shape and dtype.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct HandleShapeAndType {
    /// The shape.
    #[prost(message, optional, tag = "1")]
    pub(crate) shape: Option<oplink_proto::TensorShapeProto>,
    /// The dtype's number.
    #[prost(int32, tag = "2")]
    pub(crate) dtype: i32,
    /// The full type.
    #[prost(message, optional, tag = "4")]
    pub(crate) r#type: Option<oplink_proto::FullTypeDef>,
}

/// What was counted in a histogram.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct HistogramProto {
    /// The smallest value.
    #[prost(double, tag = "1")]
    pub(crate) min: f64,
    /// The greatest value.
    #[prost(double, tag = "2")]
    pub(crate) max: f64,
    /// How many values.
    #[prost(double, tag = "3")]
    pub(crate) num: f64,
    /// Their sum.
    #[prost(double, tag = "4")]
    pub(crate) sum: f64,
    /// The sum of their squares.
    #[prost(double, tag = "5")]
    pub(crate) sum_squares: f64,
    /// The upper limits of the buckets.
    #[prost(double, repeated, tag = "6")]
    pub(crate) bucket_limit: Vec<f64>,
    /// How many values each bucket has.
    #[prost(double, repeated, tag = "7")]
    pub(crate) bucket: Vec<f64>,
}

/// A server, and the cluster that it is of.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ServerDef {
    /// The cluster.
    #[prost(message, optional, tag = "1")]
    pub(crate) cluster: Option<ClusterDef>,
    /// The server's job.
    #[prost(string, tag = "2")]
    pub(crate) job_name: String,
    /// The server's task in the job.
    #[prost(int32, tag = "3")]
    pub(crate) task_index: i32,
}

/// The tasks of a cluster.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ClusterDef {
    /// By job.
    #[prost(message, repeated, tag = "1")]
    pub(crate) job: Vec<JobDef>,
}

/// The tasks of a job.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct JobDef {
    /// The job.
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    /// The tasks' addresses.
    #[prost(map = "int32, string", tag = "2")]
    pub(crate) tasks: HashMap<i32, String>,
}
