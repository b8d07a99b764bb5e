//! Aggregators of statistics, which keep none.

use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_cpu_state::named::{NodeResource, Unnamed, info};
use oplink_ops::data::{ExperimentalStatsAggregatorHandle, StatsAggregatorHandle, StatsAggregatorHandleV2};

const KIND: &str = "aggregator of statistics";

/// Stands for statistics.
#[derive(Debug)]
pub struct StatsAggregator;

impl Resource for StatsAggregator {
    fn type_name(&self) -> &'static str {
        KIND
    }
}

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
                let info = info(node, attrs.container, attrs.shared_name, KIND, Unnamed::Private)?;
                Ok(Self(NodeResource::new(info)))
            }

            fn compute(
                &self,
                _: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.handle, env, |_| Ok(StatsAggregator)).map(drop)
            }
        }
    )*};
}

handles! {
    StatsAggregatorHandleCpu: StatsAggregatorHandle;
    StatsAggregatorHandleV2Cpu: StatsAggregatorHandleV2;
    ExperimentalStatsAggregatorHandleCpu: ExperimentalStatsAggregatorHandle;
}
