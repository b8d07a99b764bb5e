//! Running one node.

use std::time::Instant;

use oplink_api::tracer::NodeRun;
use oplink_api::{DType, Error, KernelEnv, Result, Tensor, bail};
use oplink_core::PreparedKernel;

use super::role::Role;
use super::run::Run;
use super::state::{State, Task, Worker};
use super::{Dataflow, Input, Node, Pending};
use crate::kernels::{check_promises, dereference, dereference_inputs};

impl State {
    /// Runs a node for which no kernel is needed.
    #[inline]
    pub(super) fn perform_role(&mut self, plan: &Dataflow, task: Task) -> Result<()> {
        let node = &plan.nodes[task.node as usize];
        match node.role {
            _ if task.dead => self.perform_dead(plan, node, task),
            Role::Pass => {
                let value = self.take_value(plan, node, task, 0)?;
                self.deliver(task.iteration, plan.edges_of(node, 0), Some(value));
                self.signal(task.iteration, plan.signals_of(node), false);
            }
            Role::Enter => {
                let value = self.take_value(plan, node, task, 0)?;
                self.enter(plan, task, Some(value));
            }
            Role::Exit => {
                let value = self.take_value(plan, node, task, 0)?;
                self.exit(plan, task, Some(value));
            }
            Role::Next => {
                let value = self.take_value(plan, node, task, 0)?;
                self.next_iteration(plan, task, Some(value));
            }
            Role::Merge => self.merge(plan, node, task)?,
            Role::Switch | Role::SwitchN => self.switch(plan, node, task)?,
            Role::Select => self.select(plan, node, task)?,
            Role::Nothing | Role::Trigger | Role::Kernel => {
                self.signal(task.iteration, plan.signals_of(node), false);
            }
        }
        self.end_node(plan, task.iteration);
        Ok(())
    }

    /// Passes on that a node is dead.
    fn perform_dead(&mut self, plan: &Dataflow, node: &Node, task: Task) {
        self.drop_inputs(plan, node, task);
        match node.role {
            Role::Enter => self.enter(plan, task, None),
            Role::Exit => self.exit(plan, task, None),
            Role::Next => {}
            _ => {
                for output in 0..node.num_outputs {
                    self.deliver(task.iteration, plan.edges_of(node, output), None);
                }
                self.signal(task.iteration, plan.signals_of(node), true);
            }
        }
    }

    fn drop_inputs(&mut self, plan: &Dataflow, node: &Node, task: Task) {
        let slots = &mut self.iterations[task.iteration as usize].slots;
        for input in plan.inputs_of(node) {
            if let Input::Slot(slot) = *input {
                slots[slot as usize] = None;
            }
        }
    }

    fn switch(&mut self, plan: &Dataflow, node: &Node, task: Task) -> Result<()> {
        let value = self.take_value(plan, node, task, 0)?;
        let taken = self.take_value(plan, node, task, 1)?;
        let taken = match node.role {
            Role::Switch => u32::from(condition(node, &taken)?),
            _ => choice(node, &taken)?.min(node.num_outputs - 1),
        };
        for output in (0..node.num_outputs).filter(|output| *output != taken) {
            self.deliver(task.iteration, plan.edges_of(node, output), None);
        }
        self.deliver(task.iteration, plan.edges_of(node, taken), Some(value));
        self.signal(task.iteration, plan.signals_of(node), false);
        Ok(())
    }

    fn select(&mut self, plan: &Dataflow, node: &Node, task: Task) -> Result<()> {
        let index = self.take_value(plan, node, task, 0)?;
        let index = choice(node, &index)? + 1;
        if index >= node.num_inputs {
            bail!("node `{}` (op {}) has no input {}", node.info.name, node.info.op.name, index - 1);
        }
        let value = self.take_value(plan, node, task, index)?;
        self.drop_inputs(plan, node, task);
        self.deliver(task.iteration, plan.edges_of(node, 0), Some(value));
        self.signal(task.iteration, plan.signals_of(node), false);
        Ok(())
    }

    fn merge(&mut self, plan: &Dataflow, node: &Node, task: Task) -> Result<()> {
        let iteration = &self.iterations[task.iteration as usize];
        let pending = iteration.pending[(task.node - iteration.first_node) as usize];
        debug_assert_eq!(pending.dead, Pending::LIVE);
        let value = self.take_value(plan, node, task, 0)?;
        self.deliver(task.iteration, plan.edges_of(node, 0), Some(value));
        let positions = plan.edges_of(node, 1);
        if !positions.is_empty() {
            self.deliver(task.iteration, positions, Some(Tensor::scalar(i32::from(pending.inputs))));
        }
        self.signal(task.iteration, plan.signals_of(node), false);
        Ok(())
    }

    /// An input, which nobody else reads.
    #[inline]
    fn take_value(&mut self, plan: &Dataflow, node: &Node, task: Task, index: u32) -> Result<Tensor> {
        let value = self.take_input(plan, plan.inputs[(node.first_input + index) as usize], task)?;
        if node.reads_references && value.dtype() == DType::Resource && !node.info.is_ref_input(index as usize) {
            return read_reference(node, &value);
        }
        Ok(value)
    }

    #[inline]
    fn take_input(&mut self, plan: &Dataflow, input: Input, task: Task) -> Result<Tensor> {
        let iteration = &mut self.iterations[task.iteration as usize];
        let value = match input {
            Input::Slot(slot) => iteration.slots[slot as usize].take(),
            Input::Constant(constant) => Some(plan.constants[constant as usize].clone()),
            Input::Invariant(number) => self.frames[iteration.frame as usize].invariants[number as usize].clone(),
        };
        value.ok_or_else(missing)
    }

    /// Takes the inputs of a node with a kernel.
    #[inline]
    pub(super) fn stage(&mut self, plan: &Dataflow, task: Task, inputs: &mut Vec<Tensor>) -> Result<()> {
        let node = &plan.nodes[task.node as usize];
        for &input in plan.inputs_of(node) {
            let value = self.take_input(plan, input, task)?;
            inputs.push(value);
        }
        if node.reads_references {
            dereference_inputs(&node.info, inputs)?;
        }
        Ok(())
    }

    /// Delivers what a kernel computed.
    #[inline]
    pub(super) fn finish(&mut self, plan: &Dataflow, task: Task, outputs: &mut [Option<Tensor>]) {
        let node = &plan.nodes[task.node as usize];
        self.signal(task.iteration, plan.signals_of(node), false);
        for (output, value) in outputs.iter_mut().enumerate().rev() {
            self.deliver(task.iteration, plan.edges_of(node, output as u32), value.take());
        }
        self.end_node(plan, task.iteration);
    }
}

impl Dataflow {
    #[inline]
    fn inputs_of(&self, node: &Node) -> &[Input] {
        &self.inputs[node.first_input as usize..][..node.num_inputs as usize]
    }
}

impl Run<'_> {
    /// Runs a kernel on the staged inputs.
    #[inline]
    pub(super) fn compute(
        &self,
        task: Task,
        kernel: &PreparedKernel,
        env: &dyn KernelEnv,
        worker: &mut Worker,
        measure: bool,
    ) -> Result<()> {
        let Worker { inputs, outputs, .. } = worker;
        outputs.clear();
        outputs.resize(self.plan.nodes[task.node as usize].num_outputs as usize, None);
        let result = match (self.step.tracer(), measure) {
            (None, false) => kernel.run(inputs, outputs, env),
            _ => self.compute_watched(task, kernel, env, inputs, outputs),
        };
        inputs.clear();
        self.check(task, result, outputs)
    }

    /// The result of a kernel, whose outputs must be as inference promised.
    #[inline]
    pub(super) fn check(&self, task: Task, result: Result<()>, outputs: &[Option<Tensor>]) -> Result<()> {
        let node = &self.plan.nodes[task.node as usize];
        let promises = &self.plan.promises[node.first_output as usize..][..node.num_outputs as usize];
        let checked = result.and_then(|()| check_promises(promises, outputs, &node.info, &self.trust));
        if checked.is_ok() { checked } else { checked.map_err(|error| node.provenance.explain(error)) }
    }

    #[cold]
    fn compute_watched(
        &self,
        task: Task,
        kernel: &PreparedKernel,
        env: &dyn KernelEnv,
        inputs: &mut [Tensor],
        outputs: &mut [Option<Tensor>],
    ) -> Result<()> {
        let start = Instant::now();
        kernel.run(inputs, outputs, env)?;
        let end = Instant::now();
        self.plan.costs.add(task.node, end - start);
        if let Some(tracer) = self.step.tracer() {
            tracer.ran(NodeRun { node: kernel.node(), start, end, outputs });
        }
        Ok(())
    }
}

fn condition(node: &Node, value: &Tensor) -> Result<bool> {
    value.to_scalar::<bool>().map_err(|error| of_node(node, error))
}

fn choice(node: &Node, value: &Tensor) -> Result<u32> {
    let number = value.to_scalar::<i32>().map_err(|error| of_node(node, error))?;
    Ok(u32::try_from(number).unwrap_or(u32::MAX - 1))
}

#[cold]
fn of_node(node: &Node, error: Error) -> Error {
    error.context(format!("node `{}` (op {})", node.info.name, node.info.op.name))
}

#[cold]
fn read_reference(node: &Node, handle: &Tensor) -> Result<Tensor> {
    dereference(handle).map_err(|error| of_node(node, error))
}

#[cold]
fn missing() -> Error {
    Error::internal("a node is ready without its inputs")
}
