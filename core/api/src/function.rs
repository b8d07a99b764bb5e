//! Functions of a graph's library, as the kernels that call them see them.

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use crate::{DType, Error, FuncAttr, KernelContext, Result, Step, Tensor};

/// A function made ready to be called. Calls may overlap, from any threads.
pub trait Function: Send + Sync {
    /// The function's name.
    fn name(&self) -> &str;

    /// Dtypes of its arguments.
    fn input_dtypes(&self) -> &[DType];

    /// Dtypes of its results.
    fn output_dtypes(&self) -> &[DType];

    /// Calls it within the caller's step. Arguments that nobody else holds may be reused for results. Results replace
    /// what is in `results`.
    ///
    /// # Errors
    /// The number, dtype or shape of arguments; whatever a node of the body reports; calls nested too deep.
    fn call(
        &self,
        step: &Step,
        arguments: &mut dyn ExactSizeIterator<Item = Tensor>,
        results: &mut Vec<Tensor>,
    ) -> Result<()>;
}

/// The functions that a step can call.
pub trait FunctionLibrary: Send + Sync {
    /// The function that an attr names, with the attr's own attrs for its placeholders.
    fn get(&self, function: &FuncAttr) -> Result<Arc<dyn Function>>;
}

/// A function attr of a kernel object, looked up at the first run.
///
/// It does not keep the function alive, whose body may hold this very kernel: the step does.
#[derive(Default)]
pub struct FunctionSlot(OnceLock<Weak<dyn Function>>);

impl FunctionSlot {
    /// The function of the node's attr `attr`.
    ///
    /// # Errors
    /// The node has no such attr of kind func, or the step no such function.
    #[inline]
    pub fn get(&self, context: &KernelContext<'_>, attr: &str) -> Result<Arc<dyn Function>> {
        match self.0.get().and_then(Weak::upgrade) {
            Some(function) => Ok(function),
            None => self.look_up(context, context.attr(attr)?),
        }
    }

    /// As [`FunctionSlot::get`], for an element of an attr of kind list(func).
    ///
    /// # Errors
    /// The node has no such attr, or it has fewer elements; the step has no such function.
    #[inline]
    pub fn get_element(&self, context: &KernelContext<'_>, attr: &str, index: usize) -> Result<Arc<dyn Function>> {
        if let Some(function) = self.0.get().and_then(Weak::upgrade) {
            return Ok(function);
        }
        let functions: &[FuncAttr] = context.attr(attr)?;
        let missing = || Error::invalid_argument(format!("attr `{attr}` has no element {index}"));
        self.look_up(context, functions.get(index).ok_or_else(missing)?)
    }

    #[cold]
    fn look_up(&self, context: &KernelContext<'_>, function: &FuncAttr) -> Result<Arc<dyn Function>> {
        let function = context.step()?.function(function)?;
        let _ = self.0.set(Arc::downgrade(&function));
        Ok(function)
    }
}

impl fmt::Debug for FunctionSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.0.get().and_then(Weak::upgrade);
        f.debug_tuple("FunctionSlot").field(&function.as_ref().map(|function| function.name())).finish()
    }
}
