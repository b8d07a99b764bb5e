//! `UnbatchGrad`: brings the gradients of the parts of a batch together. Every dtype.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use oplink::AsyncKernelContext;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::state::UnbatchGrad;

use super::call::join_rows;
use super::unbatch::{Index, call_id};
use crate::monitor::Monitor;
use crate::named::{Unnamed, info};

/// The gradients of parts that wait for the others of their batch, by the calls' ids.
struct Gradients(Monitor<HashMap<i64, Tensor>>);

impl Resource for Gradients {
    fn type_name(&self) -> &'static str {
        "gradients of batches"
    }
}

/// `UnbatchGrad`: the call whose `original_input` is not empty waits for the gradients of its batch.
#[kernel(UnbatchGrad, device = CPU, async, T = any)]
pub fn unbatch_grad_cpu(run: AsyncKernelContext) {
    Monitor::start(run, |run| {
        let node = run.node().clone();
        let resources = run.step()?.resources().clone();
        let (inputs, attrs) = run.arguments::<UnbatchGrad>()?;
        let resource = info(&node, attrs.container, attrs.shared_name, "gradients of batches", Unnamed::NodeName)?;
        let resource = resources.handle(resource).get_or_create(|| Ok(Gradients(Monitor::new(HashMap::new()))))?;
        let id = call_id(&inputs.id)?;
        let grad = (*inputs.grad).clone();
        ensure!(grad.rank() > 0, "grad must have rows, it is a scalar");
        let wanted = match inputs.original_input.num_elements() {
            0 => None,
            _ => Some(ids(&inputs.batch_index)?),
        };
        let none = grad.slice(0, 0)?;
        let is_new = |kept: &mut HashMap<i64, Tensor>| match kept.entry(id) {
            Entry::Vacant(entry) => {
                entry.insert(grad);
                true
            }
            Entry::Occupied(_) => false,
        };
        ensure!(resource.0.with(is_new), "there is a gradient of the call {id} already");
        let mut none = Some(none);
        let attempt = move |kept: &mut HashMap<i64, Tensor>| match &wanted {
            None => none.take().map(|none| Ok(vec![none])),
            Some(ids) if ids.iter().all(|id| kept.contains_key(id)) => {
                let gradients: Vec<Tensor> = ids.iter().filter_map(|id| kept.remove(id)).collect();
                let gradients: Vec<&Tensor> = gradients.iter().collect();
                Some(join_rows(&gradients, 0).map(|joined| vec![joined]))
            }
            Some(_) => None,
        };
        Ok((resource.0.clone(), Box::new(attempt)))
    });
}

/// The ids of the calls of a batch, each once.
fn ids(index: &Tensor) -> Result<Vec<i64>> {
    let index = Index::of(index)?;
    let mut ids = try_vec(index.ids().count())?;
    ids.extend(index.ids());
    ensure!(!ids.is_empty(), "batch_index names no call, though original_input has elements");
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
    match twice {
        None => Ok(ids),
        Some(pair) => bail!("batch_index names the call {} twice", pair[0]),
    }
}
