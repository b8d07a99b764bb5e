//! A run of a CPU's kernel on tensors of the host, by whichever thread.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use oplink::descriptors::{KernelDescriptor, KernelFunction, collected_kernels};
use oplink::prelude::*;
use oplink::{DefaultEnv, NodeInfo};

/// The CPU's kernel of a node.
pub(super) struct CpuKernel {
    node: NodeInfo,
    function: Function,
}

enum Function {
    Compute(fn(&mut KernelContext<'_>) -> Result<()>),
    Object(Box<dyn RawKernel>),
}

impl CpuKernel {
    /// # Errors
    /// The CPU has none, or it refuses the node.
    pub(super) fn of(node: &NodeInfo) -> Result<Arc<Self>> {
        let node = NodeInfo { device: "/device:CPU:0".to_owned(), ..node.clone() };
        let function = match function(&node)? {
            KernelFunction::Compute(function) => Function::Compute(function),
            KernelFunction::Create(create) => Function::Object(create(&KernelConstruction::new(&node))?),
            _ => bail!("the CPU's kernel of {} does not finish at once", node.op.name),
        };
        Ok(Arc::new(Self { node, function }))
    }

    /// The outputs for these inputs.
    pub(super) fn run(&self, mut inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let mut outputs = vec![None; self.node.output_dtypes.len()];
        let mut context = KernelContext::new(&self.node, &mut inputs, &mut outputs, &DefaultEnv);
        match &self.function {
            Function::Compute(function) => function(&mut context)?,
            Function::Object(kernel) => kernel.compute(&mut context)?,
        }
        let missing = || Error::internal(format!("{} left an output unset", self.node.op.name));
        outputs.into_iter().map(|output| output.ok_or_else(missing)).collect()
    }
}

/// The CPU's function for a node: of the kernels that fit, the one of the highest priority.
fn function(node: &NodeInfo) -> Result<KernelFunction> {
    static OF_OP: LazyLock<HashMap<&str, Vec<&'static KernelDescriptor>>> = LazyLock::new(|| {
        let mut of_op: HashMap<&str, Vec<_>> = HashMap::new();
        let of_cpu = |kernel: &&KernelDescriptor| kernel.device == "CPU" && kernel.label.is_empty();
        collected_kernels()
            .into_iter()
            .filter(of_cpu)
            .for_each(|kernel| of_op.entry(kernel.op).or_default().push(kernel));
        of_op.values_mut().for_each(|kernels| kernels.sort_by_key(|kernel| -kernel.priority));
        of_op
    });
    for kernel in OF_OP.get(&*node.op.name).into_iter().flatten() {
        let dtypes = kernel.type_attrs.iter().map(|attr| node.attr::<DType>(attr)).collect::<Result<Vec<_>>>()?;
        if let Some(entry) = kernel.entries.iter().find(|entry| entry.dtypes == dtypes) {
            return Ok(entry.function);
        }
    }
    bail!("the CPU has no kernel of {}", node.op.name)
}
