//! Handles of barriers: `Barrier`.
//!
//! Nodes of one `container` and `shared_name` share a barrier, and agree in its declaration; without a name a node has
//! a barrier of its own. Each component has a shape that is fully known, and `capacity` is -1.

use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::state;

use super::elements::{Declaration, Elements};
use crate::monitor::Monitor;
use crate::named::{NodeResource, Unnamed, info};

/// A barrier.
pub struct Barrier {
    pub(super) declaration: Declaration,
    pub(super) elements: Monitor<Elements>,
}

impl Resource for Barrier {
    fn type_name(&self) -> &'static str {
        "barrier"
    }
}

/// `Barrier` with the node's handle.
#[derive(Debug)]
pub struct BarrierCpu {
    resource: NodeResource,
    declaration: Declaration,
}

#[kernel(state::Barrier, device = CPU)]
impl Kernel for BarrierCpu {
    type Op = state::Barrier;

    fn new(construction: Construction<'_, state::Barrier>) -> Result<Self> {
        let (node, attrs) = (construction.node(), construction.attrs);
        let capacity = attrs.capacity;
        ensure!(capacity == -1, "capacity must be -1, it is {capacity}; limit what comes in by a queue before it");
        let declaration = Declaration::new(attrs.component_types, attrs.shapes)?;
        let info = info(node, attrs.container, attrs.shared_name, "barrier", Unnamed::Private)?;
        Ok(Self { resource: NodeResource::new(info), declaration })
    }

    fn compute(
        &self,
        _: <state::Barrier as TypedOp>::Inputs<'_>,
        outputs: &mut <state::Barrier as TypedOp>::Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let wanted = &self.declaration;
        let make = |name: &str| {
            let elements = Monitor::new(Elements::new(name, wanted.clone()));
            Ok(Barrier { declaration: wanted.clone(), elements })
        };
        let barrier = self.resource.output(&mut outputs.handle, env, make)?;
        let declared = &barrier.declaration;
        ensure!(declared == wanted, "the barrier of this name was declared otherwise: {declared:?}, not {wanted:?}");
        Ok(())
    }
}
