//! A registry of all ops of TensorFlow 2.21 with some shape functions and a few kernels, and a device to run on.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use oplink_api::descriptors::Location;
use oplink_api::shape_inference::ShapeFn;
use oplink_api::tensor::Allocator;
use oplink_api::{KernelEnv, shape_fns};
use oplink_core::memory::{HostAllocator, MemoryStatistics};
use oplink_core::{Device, DeviceAttributes, HostEnv, IntraOpPool, Registry, RegistryBuilder};
use oplink_graph::{Graph, Session, SessionOptions};
use oplink_proto::{GraphDef, OpList};

use crate::dataflow;
use crate::devices;
use crate::kernels::KERNELS;

const SHAPE_FNS: &[(&str, ShapeFn)] = &[
    ("Placeholder", shape_fns::placeholder),
    ("PlaceholderWithDefault", shape_fns::placeholder_with_default),
    ("Const", shape_fns::constant),
    ("Cast", shape_fns::unchanged),
    ("Identity", shape_fns::unchanged),
    ("StopGradient", shape_fns::unchanged),
    ("Relu", shape_fns::unchanged),
    ("Neg", shape_fns::unchanged),
    ("Selu", shape_fns::unchanged),
    ("Elu", shape_fns::unchanged),
    ("Abs", shape_fns::unchanged),
    ("Sign", shape_fns::unchanged),
    ("Softmax", shape_fns::unchanged_with_rank_at_least::<1>),
    ("RealDiv", shape_fns::broadcast_binary),
    ("Mul", shape_fns::broadcast_binary),
    ("AddV2", shape_fns::broadcast_binary),
    ("Conv2D", shape_fns::conv2d),
    ("MaxPool", shape_fns::max_pool),
    ("BiasAdd", shape_fns::bias_add),
    ("MatMul", shape_fns::matmul),
    ("ArgMax", shape_fns::arg_reduction),
    ("Reshape", shape_fns::reshape),
    ("Squeeze", shape_fns::squeeze),
    ("Shape", shape_fns::shape),
    ("ShapeN", shape_fns::shape_n),
    ("Rank", shape_fns::rank),
    ("Size", shape_fns::size),
    ("StridedSlice", shape_fns::strided_slice),
    ("Pack", shape_fns::pack),
    ("ConcatV2", shape_fns::concat),
    ("Fill", shape_fns::fill),
    ("Split", shape_fns::split),
    ("NoOp", shape_fns::no_outputs),
];

const HERE: Location = Location { crate_name: "tests", crate_version: "0.1.0", file: "fixture.rs", line: 1 };

/// The workspace's file at a path.
pub(crate) fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

pub(crate) fn read(path: &str) -> Vec<u8> {
    std::fs::read(file(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

pub(crate) fn registry() -> &'static Arc<Registry> {
    static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| {
        let ops: OpList = oplink_proto::from_bytes(read("core/proto/tests/data/tensorflow-2.21-ops.pb")).unwrap();
        let with_kernels = KERNELS
            .iter()
            .chain(dataflow::KERNELS)
            .chain(devices::KERNELS)
            .fold(RegistryBuilder::empty(), RegistryBuilder::kernel);
        let with_ops = ops.op.iter().fold(with_kernels, |builder, op| {
            let shape_fn = SHAPE_FNS.iter().find(|(name, _)| *name == op.name).map(|(_, function)| *function);
            builder.dynamic_op(oplink_proto::op_def_to_spec(op).unwrap(), shape_fn, "", HERE)
        });
        Arc::new(with_ops.seal().unwrap())
    });
    &REGISTRY
}

pub(crate) fn digits() -> Vec<u8> {
    read("tests/models/digits/digits.pb")
}

/// A message from text; its producer version is that of TensorFlow 2.21 where the text has none.
pub(crate) fn def(text: &str) -> GraphDef {
    let mut def: GraphDef = oplink_proto::from_text(text).unwrap();
    def.versions.get_or_insert_default();
    def
}

pub(crate) fn import(text: &str) -> oplink_api::Result<Graph> {
    Graph::import(&def(text), registry())
}

/// A host device with its own memory.
pub(crate) struct TestDevice {
    name: String,
    pub(crate) memory: Arc<HostAllocator>,
    allocator: Arc<dyn Allocator>,
    env: HostEnv,
}

impl TestDevice {
    pub(crate) fn new() -> Arc<Self> {
        Self::numbered(0)
    }

    pub(crate) fn numbered(index: usize) -> Arc<Self> {
        let name = format!("/job:localhost/replica:0/task:0/device:CPU:{index}");
        let memory = Arc::new(HostAllocator::new("test"));
        let allocator: Arc<dyn Allocator> = memory.clone();
        Arc::new(Self { name, memory, env: HostEnv::new(Some(allocator.clone())), allocator })
    }
}

impl Device for TestDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn device_type(&self) -> &'static str {
        "CPU"
    }

    fn attributes(&self) -> DeviceAttributes {
        DeviceAttributes::new(self.name(), self.device_type(), 0)
    }

    fn env(&self) -> &dyn KernelEnv {
        &self.env
    }

    fn env_with_threads(&self, pool: &Arc<IntraOpPool>, threads: usize) -> Arc<dyn KernelEnv> {
        Arc::new(self.env.clone().with_pool(pool.clone(), threads))
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        Some(&self.allocator)
    }

    fn memory_statistics(&self) -> MemoryStatistics {
        self.memory.statistics()
    }
}

pub(crate) fn session(graph: Graph) -> Session {
    Session::on_device(graph, TestDevice::new(), SessionOptions::default()).unwrap()
}
