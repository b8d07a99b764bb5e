//! Thread pools of datasets, in whose place the threads of the session serve.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_cpu_state::named::{NodeResource, Unnamed, info};
use oplink_ops::data::{
    ExperimentalThreadPoolDataset, ExperimentalThreadPoolHandle, ThreadPoolDataset, ThreadPoolHandle,
};

use crate::dataset::DatasetHandle;
use crate::pass_through::{Beside, passed};

/// Stands for threads.
#[derive(Debug)]
pub struct ThreadPool;

impl Resource for ThreadPool {
    fn type_name(&self) -> &'static str {
        KIND
    }
}

const KIND: &str = "thread pool";

/// Kernels of the ops that make a handle.
macro_rules! handles {
    ($($name:ident: $op:ident;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name(NodeResource);

        #[kernel($op, device = CPU)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let (node, attrs) = (construction.node(), construction.attrs);
                let threads = attrs.num_threads;
                ensure!(threads > 0, "num_threads must be greater than 0, it is {threads}");
                let info = info(node, attrs.container, attrs.shared_name, KIND, Unnamed::Private)?;
                Ok(Self(NodeResource::new(info)))
            }

            fn compute(
                &self,
                _: <$op as oplink::arguments::TypedOp>::Inputs<'_>,
                outputs: &mut <$op as oplink::arguments::TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.handle, env, |_| Ok(ThreadPool)).map(drop)
            }
        }
    )*};
}

handles! {
    ThreadPoolHandleCpu: ThreadPoolHandle;
    ExperimentalThreadPoolHandleCpu: ExperimentalThreadPoolHandle;
}

/// `ThreadPoolDataset`.
#[kernel(ThreadPoolDataset, device = CPU)]
#[kernel(ExperimentalThreadPoolDataset, device = CPU)]
pub fn thread_pool_dataset_cpu(
    input_dataset: &DatasetHandle,
    thread_pool: Arc<ThreadPool>,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Tensor> {
    let _ = thread_pool;
    passed(&env, input_dataset, Beside::Opaque, output_types, output_shapes)
}
