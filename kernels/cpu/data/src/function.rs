//! Functions that datasets call with elements.

use std::sync::{Arc, OnceLock, Weak};

use oplink::function::Function;
use oplink::prelude::*;

use crate::dataset::{Element, Run};

/// A function and the inputs that are captured for it, which follow its other arguments.
///
/// It is found in the step of the run that asks for an element: the dataset outlives the run that made it.
pub struct DatasetFunction {
    attr: FuncAttr,
    captured: Vec<Tensor>,
    function: OnceLock<Weak<dyn Function>>,
}

impl DatasetFunction {
    /// The function that an attr names, with inputs of the node.
    pub fn new(attr: &FuncAttr, captured: &[Tensor]) -> Self {
        Self { attr: attr.clone(), captured: captured.to_vec(), function: OnceLock::new() }
    }

    /// Calls it.
    ///
    /// # Errors
    /// The step has no such function; it takes other arguments; what it reports itself.
    pub fn call(&self, run: &Run<'_>, arguments: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let function = self.get(run)?;
        run.check()?;
        let takes = function.input_dtypes();
        let given = || arguments.iter().chain(&self.captured).map(Tensor::dtype);
        if !given().eq(takes.iter().copied()) {
            let list = |dtypes: &mut dyn Iterator<Item = DType>| dtypes.map(DType::name).collect::<Vec<_>>().join(", ");
            let (takes, given) = (list(&mut takes.iter().copied()), list(&mut given()));
            bail!("function `{}` takes ({takes}), the elements and captured inputs are ({given})", function.name());
        }
        let mut all = arguments;
        all.extend_from_slice(&self.captured);
        let mut results = Vec::new();
        function.call(run.step, &mut all.drain(..), &mut results)?;
        Ok(results)
    }

    /// Calls it for an element of these dtypes.
    ///
    /// # Errors
    /// As [`call`](Self::call); the results are of other dtypes.
    pub fn call_for(&self, run: &Run<'_>, arguments: Vec<Tensor>, dtypes: &[DType]) -> Result<Element> {
        let results = self.call(run, arguments)?;
        let fits = results.iter().map(Tensor::dtype).eq(dtypes.iter().copied());
        ensure!(fits, "function `{}` returns other dtypes than the attr `output_types` says", self.attr.name);
        Ok(results)
    }

    /// Calls it for a scalar.
    ///
    /// # Errors
    /// As [`call`](Self::call); the result is no such scalar.
    pub fn call_for_scalar<T: oplink::Element>(&self, run: &Run<'_>, arguments: Vec<Tensor>) -> Result<T> {
        let results = self.call(run, arguments)?;
        let [result] = &results[..] else {
            bail!("function `{}` must return one tensor, it returns {}", self.attr.name, results.len())
        };
        result.to_scalar().map_err(|error| error.context(format!("the result of function `{}`", self.attr.name)))
    }

    fn get(&self, run: &Run<'_>) -> Result<Arc<dyn Function>> {
        if let Some(function) = self.function.get().and_then(Weak::upgrade) {
            return Ok(function);
        }
        let function = run.step.function(&self.attr)?;
        let _ = self.function.set(Arc::downgrade(&function));
        Ok(function)
    }
}
