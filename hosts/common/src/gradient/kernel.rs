//! The kernel of an op that computes gradients.

use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::foreign::{ForeignKernel, KernelFactory};
use oplink_api::{Error, KernelConstruction, KernelContext, NodeInfo, RawKernel, Result, Shape};

use super::{GradientOp, Plan, Recording, Shapes, record};

/// Plans of one kernel for different shapes that are kept; the one that was made first goes.
const MOST_KEPT: usize = 16;

/// Runs the nodes of a gradient, which are recorded once, or once for each combination of shapes where the gradient
/// function asks for them.
struct GradientKernel {
    op: &'static GradientOp,
    forward: Arc<NodeInfo>,
    /// Of each input whether its gradient is used; and the same of each output.
    wanted: Vec<bool>,
    is_used: Vec<bool>,
    targets: Vec<usize>,
    plan: Option<Plan>,
    by_shapes: Mutex<Vec<(Vec<Shape>, Arc<Plan>)>>,
}

impl KernelFactory for &'static GradientOp {
    fn create(&self, construction: &KernelConstruction<'_>) -> Result<ForeignKernel> {
        let kernel = GradientKernel::of(self, construction.node())?;
        Ok(ForeignKernel::Now(Box::new(kernel)))
    }

    fn describe(&self) -> String {
        format!("the gradient of {}", self.of_name())
    }
}

impl GradientKernel {
    fn of(op: &'static GradientOp, node: &NodeInfo) -> Result<Self> {
        let forward = Arc::new(op.forward(node)?);
        let (wanted, targets) = (op.wanted(node, &forward)?, op.targets(&forward));
        let is_used = targets.iter().map(|&target| wanted[target]).collect();
        let Recording { reads_shapes, program } =
            record(&op.nodes, &op.of, &forward, Shapes::unknown(&forward), &wanted);
        let plan = match (reads_shapes, program) {
            (true, _) => None,
            (false, program) => Some(Plan::new(&op.nodes, &forward, program?, &targets)?),
        };
        Ok(Self { op, forward, wanted, is_used, targets, plan, by_shapes: Mutex::default() })
    }

    /// The plan for the shapes of a run.
    fn plan_for(&self, c: &KernelContext<'_>) -> Result<Arc<Plan>> {
        let (inputs, outputs) = (self.forward.input_dtypes.len(), self.forward.output_dtypes.len());
        let given = c.inputs().iter().take(inputs + outputs).map(oplink_api::Tensor::shape);
        let mut kept = self.by_shapes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, plan)) = kept.iter().find(|(shapes, _)| shapes.iter().eq(given.clone())) {
            return Ok(plan.clone());
        }
        let mut all = given.clone().map(Into::into);
        let shapes = Shapes { inputs: all.by_ref().take(inputs).collect(), outputs: all.collect() };
        let program = record(&self.op.nodes, &self.op.of, &self.forward, shapes, &self.wanted).program?;
        let plan = Arc::new(Plan::new(&self.op.nodes, &self.forward, program, &self.targets)?);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push((given.cloned().collect(), plan.clone()));
        Ok(plan)
    }
}

impl RawKernel for GradientKernel {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Err(Error::internal(format!("the kernel of {} is made by its op", construction.node().op.name)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        match &self.plan {
            Some(plan) => plan.run(context, &self.forward, &self.targets, &self.is_used),
            None => self.plan_for(context)?.run(context, &self.forward, &self.targets, &self.is_used),
        }
    }
}
