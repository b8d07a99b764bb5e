//! A gradient's nodes with their kernels, in the order in which they run.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::tensor::Allocator;
use oplink_api::{DType, Error, KernelContext, KernelEnv, NodeInfo, Output, Result, ResultExt, Shape, Tensor, ensure};
use smallvec::{SmallVec, smallvec};

use super::{FIRST, Node, NodeOps, Program, Recorded};
use crate::prepare::{CallKey, PreparedKernel};
use crate::run::checked;
use crate::table::HostedOp;

/// What one node of a gradient does.
enum Step {
    /// No gradient that is used depends on the node.
    Nothing,
    Constant(Tensor),
    Call {
        kernel: Arc<PreparedKernel>,
        inputs: SmallVec<[Output; 4]>,
        /// Of each input whether nothing reads the value later.
        is_last: SmallVec<[bool; 4]>,
        /// The output of the gradient's op that each output of the node is.
        slots: SmallVec<[Option<usize>; 2]>,
    },
}

/// The nodes of a gradient with their kernels.
pub(crate) struct Plan {
    steps: Vec<Step>,
    /// What each output of the gradient's op is; `None` for zeros.
    results: Vec<Option<Output>>,
}

/// The call of a node and what it makes, by the dtypes of the values before it.
///
/// # Errors
/// The op does not take the inputs or attrs.
pub(super) fn node_of(op: &HostedOp, node: &Node, dtypes: &[Vec<DType>]) -> Result<(CallKey, NodeInfo)> {
    let dtype = |output: &Output| {
        let found = dtypes.get(output.node as usize).and_then(|of| of.get(output.index as usize));
        found.copied().ok_or_else(|| Error::invalid_argument("a gradient names an output that there is not"))
    };
    let mut key = CallKey::default();
    for input in &node.inputs {
        let values = match input {
            Arg::One(one) => std::slice::from_ref(one),
            Arg::List(list) => list,
        };
        key.lengths.push(values.len() as u32);
        values.iter().try_for_each(|value| dtype(value).map(|dtype| key.dtypes.push(dtype)))?;
    }
    let value = |name: &str| node.attrs.iter().find(|(of, _)| *of == name).map(|(_, value)| value.clone());
    key.attrs = op.given_attrs().map(|attr| value(&attr.name)).collect();
    let info = op.node(&key)?;
    Ok((key, info))
}

impl Plan {
    /// The plan of a program; `targets` are the inputs whose gradients are outputs.
    ///
    /// # Errors
    /// A node is of an op that the crate neither has nor lists, or whose kernels do not serve the dtypes.
    pub(crate) fn new(nodes: &NodeOps, forward: &NodeInfo, program: Program, targets: &[usize]) -> Result<Self> {
        let results: Vec<Option<Output>> = targets.iter().map(|&target| program.results[target]).collect();
        let outputs = &forward.output_dtypes;
        let mut dtypes = vec![forward.input_dtypes.clone(), outputs.clone(), outputs.clone()];
        let mut steps = Vec::with_capacity(program.recorded.len());
        for (at, recorded) in program.recorded.into_iter().enumerate() {
            let (step, made) = match recorded {
                _ if !program.is_live[at] => (Step::Nothing, Vec::new()),
                Recorded::Constant(value) => {
                    let dtype = value.dtype();
                    (Step::Constant(value), vec![dtype])
                }
                Recorded::Node(node) => {
                    let none = || {
                        Error::unimplemented(format!(
                            "the gradient of {} adds {}, which the library has no kernel of: list it by `gradient_ops` \
                             of plugin!",
                            forward.op.name, node.op
                        ))
                    };
                    let op = nodes.op(node.op).ok_or_else(none)?;
                    let context = || format!("{} in the gradient of {}", node.op, forward.op.name);
                    let (key, info) = node_of(op, &node, &dtypes).context_with(context)?;
                    let kernel = op.prepared(&key).context_with(context)?;
                    let inputs = Recorded::Node(node).inputs().copied().collect();
                    let output = |index: usize| Output { node: FIRST + at as u32, index: index as u32 };
                    let slot = |index| results.iter().position(|result| *result == Some(output(index)));
                    let slots = (0..info.output_dtypes.len()).map(slot).collect();
                    (Step::Call { kernel, inputs, is_last: SmallVec::new(), slots }, info.output_dtypes)
                }
            };
            steps.push(step);
            dtypes.push(made);
        }
        let mut plan = Self { steps, results };
        plan.mark_last();
        Ok(plan)
    }

    /// Marks the last reader of each value, unless the value is a result.
    fn mark_last(&mut self) {
        let mut later: Vec<Output> = self.results.iter().flatten().copied().collect();
        for step in self.steps.iter_mut().rev() {
            let Step::Call { inputs, is_last, .. } = step else { continue };
            *is_last = inputs
                .iter()
                .enumerate()
                .map(|(at, input)| !later.contains(input) && !inputs[at + 1..].contains(input))
                .collect();
            later.extend(inputs.iter().copied());
        }
    }

    /// Runs the kernels, on the inputs of the gradient's op, and sets its outputs; `is_used` tells which of them are.
    ///
    /// # Errors
    /// Those of the kernels.
    pub(crate) fn run(
        &self,
        c: &mut KernelContext<'_>,
        forward: &NodeInfo,
        targets: &[usize],
        is_used: &[bool],
    ) -> Result<()> {
        let (inputs, outputs) = (forward.input_dtypes.len(), forward.output_dtypes.len());
        ensure!(c.num_inputs() == inputs + 2 * outputs, "a gradient of {} lacks inputs", forward.op.name);
        let some = |tensors: &[Tensor]| tensors.iter().cloned().map(Some).collect();
        let (given, gradients) = c.inputs().split_at(inputs + outputs);
        let mut values: Vec<SmallVec<[Option<Tensor>; 4]>> =
            vec![some(&given[..inputs]), some(&given[inputs..]), some(gradients)];
        for step in &self.steps {
            let made = match step {
                Step::Nothing => SmallVec::new(),
                Step::Constant(value) => smallvec![Some(value.clone())],
                Step::Call { kernel, inputs, is_last, slots } => {
                    let mut take = |(input, is_last): (&Output, &bool)| {
                        let slot = values[input.node as usize].get_mut(input.index as usize);
                        let value = slot.and_then(|slot| if *is_last { slot.take() } else { slot.clone() });
                        value.ok_or_else(|| Error::internal("a value of a gradient is missing"))
                    };
                    let taken = inputs.iter().zip(is_last).map(&mut take).collect::<Result<SmallVec<[Tensor; 4]>>>()?;
                    let env = StepEnv { outer: c.env(), node: c.node(), slots };
                    let name = &kernel.node.op.name;
                    kernel
                        .compute_in(taken, &env)
                        .context_with(|| format!("{name} in the gradient of {}", forward.op.name))?
                }
            };
            values.push(made);
        }
        for (slot, (result, is_used)) in self.results.iter().zip(is_used).enumerate() {
            let value = match result {
                Some(result) => values[result.node as usize][result.index as usize].clone(),
                None => None,
            };
            let zeros = |shape: Shape| Tensor::zeros(c.node().output_dtypes[slot], shape);
            let value = match value {
                Some(value) => value,
                None if *is_used => zeros(c.input(targets[slot]).shape().clone())?,
                None => zeros(Shape::new(&[0]))?,
            };
            c.set_output(slot, value);
        }
        Ok(())
    }
}

impl PreparedKernel {
    /// Runs the kernel in an environment, where its outputs stay.
    fn compute_in(
        &self,
        mut inputs: SmallVec<[Tensor; 4]>,
        env: &dyn KernelEnv,
    ) -> Result<SmallVec<[Option<Tensor>; 4]>> {
        let mut outputs: SmallVec<[Option<Tensor>; 4]> = smallvec![None; self.node.output_dtypes.len()];
        self.call_function(env, &mut inputs, &mut outputs, &mut [])?;
        outputs.iter().enumerate().try_for_each(|(at, output)| checked(&self.node, at, output.as_ref()).map(drop))?;
        Ok(outputs)
    }
}

/// The environment of a node: the host's threads, memory of the host for what is a gradient, and else memory of Rust.
struct StepEnv<'a> {
    outer: &'a dyn KernelEnv,
    /// The node of the gradient's op.
    node: &'a NodeInfo,
    slots: &'a [Option<usize>],
}

impl KernelEnv for StepEnv<'_> {
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.outer.allocator()
    }

    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        match self.slots.get(index).copied().flatten() {
            Some(slot) => self.outer.allocate_output(self.node, slot, shape),
            None => Tensor::allocate(node.output_dtypes[index], shape, self.allocator()),
        }
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        self.outer.parallel_for(count, grain, body);
    }

    fn intra_op_threads(&self) -> usize {
        self.outer.intra_op_threads()
    }
}
