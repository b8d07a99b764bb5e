//! Launches of reductions.

use oplink::device::DeviceContext;
use oplink::prelude::*;

use super::layout::{EXTENTS, Layout};
use super::plan::Plan;

/// A reduction by a program.
pub(crate) struct Fold {
    /// The dtype of partial results; the output's where there is none.
    pub(crate) partial: Option<DType>,
    /// Launches the program from elements of the first dtype to elements of the second.
    pub(crate) launch: fn(&dyn DeviceContext, [DType; 2], [u32; 3], &Tensor, &Tensor, Geometry) -> Result<()>,
}

/// What every program of a reduction takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Geometry {
    /// Outputs of each part.
    pub(crate) outputs: u32,
    /// Elements of each output.
    pub(crate) count: u32,
    /// Elements of a part.
    pub(crate) chunk: u32,
    /// Threads of each output.
    pub(crate) width: u32,
    /// As those of [`Layout`].
    pub(crate) extents: [u32; EXTENTS],
    /// What happens to elements before, and to the result after.
    pub(crate) steps: u32,
    /// What the result is divided by.
    pub(crate) divisor: u32,
}

/// What happens beside the reduction, by bits that the program knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    /// To each element.
    pub(crate) before: u32,
    /// To the result.
    pub(crate) after: u32,
    /// What the result is divided by.
    pub(crate) divisor: u32,
}

impl Steps {
    /// None.
    pub(crate) const NONE: Self = Self { before: 0, after: 0, divisor: 1 };
}

/// The arguments of a reduction over axes.
pub(crate) struct Reduction<'c> {
    /// What is reduced, in the device's memory.
    pub(crate) input: &'c Tensor,
    /// The axes, in host memory.
    pub(crate) axes: &'c Tensor,
    /// Whether 1 stays in place of reduced axes.
    pub(crate) keep_dims: bool,
    pub(crate) output: OutputSlot<'c>,
    pub(crate) env: Env<'c>,
}

impl Reduction<'_> {
    /// Sets the output. `steps` are those for a number of elements of each output.
    ///
    /// # Errors
    /// An axis that does not exist or is listed twice, or what the device refuses.
    pub(crate) fn run(mut self, reduction: &Fold, steps: fn(u32) -> Steps) -> Result<()> {
        let layout = Layout::new(self.input.shape(), self.axes, self.keep_dims)?;
        let output = self.output.allocate(layout.output.clone())?;
        fold(self.env.device()?, self.input, output, &layout, reduction, steps(layout.count))
    }
}

/// Reduces `x` into `y`; results of parts, where the elements of an output are divided, stand in memory of their own.
///
/// # Errors
/// Memory runs out, or the device refuses a program.
pub(crate) fn fold(
    device: &dyn DeviceContext,
    x: &Tensor,
    y: &Tensor,
    layout: &Layout,
    fold: &Fold,
    steps: Steps,
) -> Result<()> {
    if layout.outputs == 0 {
        return Ok(());
    }
    let nothing = if layout.count == 0 { Some(device.allocate(x.dtype(), [1].into())?) } else { None };
    let x = nothing.as_ref().unwrap_or(x);
    let plan = Plan::new(layout, true);
    if plan.parts == 1 {
        return launch(device, x, y, layout, plan, fold, steps);
    }
    let partial = fold.partial.unwrap_or(y.dtype());
    let parts = device.allocate(partial, [plan.parts as usize, layout.outputs as usize].into())?;
    launch(device, x, &parts, layout, plan, fold, Steps { after: 0, divisor: 1, ..steps })?;
    let layout = layout.of_parts(plan.parts);
    launch(device, &parts, y, &layout, Plan::new(&layout, false), fold, Steps { before: 0, ..steps })
}

fn launch(
    device: &dyn DeviceContext,
    x: &Tensor,
    y: &Tensor,
    layout: &Layout,
    plan: Plan,
    fold: &Fold,
    steps: Steps,
) -> Result<()> {
    let Plan { width, parts, chunk, blocks } = plan;
    let &Layout { outputs, count, extents, .. } = layout;
    let (steps, divisor) = (steps.before | steps.after, steps.divisor);
    let geometry = Geometry { outputs, count, chunk, width, extents, steps, divisor };
    (fold.launch)(device, [x.dtype(), y.dtype()], [blocks, parts, 1], x, y, geometry)
}
