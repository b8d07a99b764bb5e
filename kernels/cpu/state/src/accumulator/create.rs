//! Handles of accumulators: `ConditionalAccumulator`, `ResourceConditionalAccumulator` and
//! `SparseConditionalAccumulator`.
//!
//! Nodes of one `container` and `shared_name` share an accumulator, those without a name that of the node's name, and
//! agree in its declaration.

use oplink::NodeInfo;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::state::SparseConditionalAccumulator;
use oplink_ops::state::{ConditionalAccumulator, GradientReduction, ResourceConditionalAccumulator};

use super::resource::{Accumulator, Declaration};
use crate::named::{NodeResource, Unnamed, info};

/// The accumulator of a node.
#[derive(Debug)]
struct NodeAccumulator {
    resource: NodeResource,
    declaration: Declaration,
}

impl NodeAccumulator {
    fn new(node: &NodeInfo, container: &str, shared_name: &str, declaration: Declaration) -> Result<Self> {
        let info = info(node, container, shared_name, "accumulator", Unnamed::NodeName)?;
        Ok(Self { resource: NodeResource::new(info), declaration })
    }

    /// Sets an output to the handle of the accumulator, which is made where there is none yet.
    fn output(&self, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        let wanted = &self.declaration;
        let accumulator = self.resource.output(output, env, |name| Ok(Accumulator::new(name, wanted.clone())))?;
        let declared = accumulator.declaration();
        ensure!(
            declared == wanted,
            "the accumulator of this name was declared otherwise: {declared:?}, not {wanted:?}"
        );
        Ok(())
    }
}

/// Kernels of ops that make an accumulator, `Kernel: Op, whether it is of slices;` each.
macro_rules! accumulators {
    ($($name:ident: $op:ident, $of_slices:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name(NodeAccumulator);

        #[kernel($op, device = CPU, dtype = [f16, f32, f64])]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let (node, attrs) = (construction.node(), construction.attrs);
                let (dtype, shape) = (attrs.dtype, attrs.shape.clone());
                let (mean, of_slices) = (attrs.reduction_type == GradientReduction::Mean, $of_slices);
                let declaration = Declaration { dtype, shape, mean, of_slices };
                NodeAccumulator::new(node, attrs.container, attrs.shared_name, declaration).map(Self)
            }

            fn compute(
                &self,
                _: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.handle, env)
            }
        }
    )*};
}

accumulators! {
    ConditionalAccumulatorCpu: ConditionalAccumulator, false;
    ResourceConditionalAccumulatorCpu: ResourceConditionalAccumulator, false;
    SparseConditionalAccumulatorCpu: SparseConditionalAccumulator, true;
}
