//! What a function makes of a state, until it is out of range.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::{Cancellation, DetachedStep, KernelEnv};
use oplink_ops::data::GeneratorDataset;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::function::DatasetFunction;
use crate::position::{PositionReader, PositionWriter};

struct Functions {
    init: DatasetFunction,
    next: DatasetFunction,
    finalize: DatasetFunction,
    dtypes: Vec<DType>,
}

struct Generator(Arc<Functions>);

struct GeneratorIterator {
    functions: Arc<Functions>,
    /// `None` before the first element and from the end on.
    state: Option<Begun>,
    ended: bool,
}

/// A state, with what its last function runs in where the iterator goes before the end.
struct Begun {
    state: Vec<Tensor>,
    step: DetachedStep,
    env: Option<Arc<dyn KernelEnv>>,
}

impl Dataset for Generator {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(GeneratorIterator { functions: self.0.clone(), state: None, ended: false }))
    }
}

impl Begun {
    fn new(run: &Run<'_>, state: Vec<Tensor>) -> Self {
        Self { state, step: run.step.detach(Cancellation::default()), env: run.env.detach() }
    }
}

impl DatasetIterator for GeneratorIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if self.ended {
            return Ok(None);
        }
        let begun = match &self.state {
            Some(begun) => begun,
            None => self.state.insert(Begun::new(run, self.functions.init.call(run, Vec::new())?)),
        };
        match self.functions.next.call_for(run, begun.state.clone(), &self.functions.dtypes) {
            Err(error) if error.code() == Code::OutOfRange => {
                self.ended = true;
                let state = self.state.take().map_or_else(Vec::new, |begun| begun.state);
                self.functions.finalize.call(run, state)?;
                Ok(None)
            }
            element => element.map(Some),
        }
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put_flag(self.ended);
        to.put_flag(self.state.is_some());
        if let Some(begun) = &self.state {
            to.put_tensors(&begun.state);
        }
        Ok(())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.ended = from.flag()?;
        self.state = if from.flag()? { Some(Begun::new(run, from.tensors()?)) } else { None };
        Ok(())
    }
}

/// The last function gets a state that did not come to its end, where the session still exists. Nobody hears of an
/// error.
impl Drop for GeneratorIterator {
    fn drop(&mut self) {
        // A panic on top of another one would end the process.
        if std::thread::panicking() {
            return;
        }
        let Some(Begun { state, step, env: Some(env) }) = self.state.take() else { return };
        let Ok(step) = step.begin() else { return };
        let run = Run { step: &step, env: &*env, by_iterator: false, statistics: None };
        let _ = self.functions.finalize.call(&run, state);
    }
}

/// `GeneratorDataset`.
#[kernel(GeneratorDataset, device = CPU)]
pub fn generator_dataset_cpu(
    init_func_other_args: &[Tensor],
    next_func_other_args: &[Tensor],
    finalize_func_other_args: &[Tensor],
    init_func: &FuncAttr,
    next_func: &FuncAttr,
    finalize_func: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let functions = Functions {
        init: DatasetFunction::new(init_func, init_func_other_args),
        next: DatasetFunction::new(next_func, next_func_other_args),
        finalize: DatasetFunction::new(finalize_func, finalize_func_other_args),
        dtypes: output_types.to_vec(),
    };
    let generator = Generator(Arc::new(functions));
    DatasetHandle::new(&env, output_types, output_shapes, generator)
}
