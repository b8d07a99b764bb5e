//! Functions of a graph's library, as the kernels that call them see them.

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use crate::{AttrMap, Cancellation, DType, Env, Error, FuncAttr, Result, Step, Tensor};

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

/// What is made of a function that an attr names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FunctionForm<'a> {
    /// The function itself.
    #[default]
    Itself,
    /// Its gradient, which takes the arguments and a gradient of each result, and returns a gradient of each argument.
    Gradient,
    /// The function on the device of this name: nodes of its body that ask for no device run there.
    OnDevice(&'a str),
}

/// The functions that a step can call.
pub trait FunctionLibrary: Send + Sync {
    /// What an attr and a form ask for, with the attr's own attrs for the function's placeholders. Making it ready,
    /// which the first call of a function needs, stops when `cancellation` does.
    ///
    /// # Errors
    /// The library has no such function, or it cannot be instantiated with these attrs; an op of a function that is
    /// differentiated has no gradient; there is no such device; the reason of the cancellation.
    fn get(
        &self,
        function: &FuncAttr,
        form: FunctionForm<'_>,
        cancellation: &Cancellation,
    ) -> Result<Arc<dyn Function>>;

    /// The ops with effects among the nodes of a function, and of the functions that it calls; each once. Functions
    /// that are not marked as stateful have none. Calls are none, nor are ops that give a variant alone, such as
    /// datasets.
    ///
    /// # Errors
    /// The library has no such function, or has no functions of graphs.
    fn stateful_ops(&self, function: &str) -> Result<Vec<String>> {
        let _ = function;
        Err(no_graphs())
    }

    /// A serialised GraphDef of these nodes, with the functions that they name, and a node `_Retval` that takes the
    /// first output of the last one.
    ///
    /// # Errors
    /// A node is none of its op; an attr holds resources or variants; the library has not got a function that is named,
    /// or has no functions of graphs.
    fn write_graph(&self, nodes: &[WrittenNode<'_>], options: WriteOptions) -> Result<Vec<u8>> {
        let _ = (nodes, options);
        Err(no_graphs())
    }

    /// The graph in a serialised GraphDef as a function without arguments, whose results are what its nodes `_Retval`
    /// take. It runs on the devices of this library.
    ///
    /// # Errors
    /// The bytes are no graph, or one without `_Retval`; the graph cannot be run here; the library has no functions of
    /// graphs; the reason of the cancellation.
    fn read_graph(&self, graph: &[u8], cancellation: &Cancellation) -> Result<ReadGraph> {
        let _ = (graph, cancellation);
        Err(no_graphs())
    }
}

#[cold]
fn no_graphs() -> Error {
    Error::unimplemented(
        "the functions here are none of a graph: run the op in a session or in an eager context with functions",
    )
}

/// A node of a graph to be written.
#[derive(Clone, Debug)]
pub struct WrittenNode<'a> {
    /// Its op.
    pub op: &'a str,
    /// Its attrs; the others have their defaults or follow from the inputs.
    pub attrs: AttrMap,
    /// The nodes whose first outputs it takes, by their positions, which are before its own.
    pub inputs: Vec<usize>,
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Names functions by the order in which nodes name them: graphs that differ in these names alone are equal.
    pub numbers_functions: bool,
    /// Leaves out the devices that the nodes of functions ask for.
    pub strips_devices: bool,
}

/// A graph made ready to run.
pub struct ReadGraph {
    /// The graph: a function without arguments.
    pub root: Arc<dyn Function>,
    /// The functions that what it returns may call. Whoever keeps that keeps them.
    pub functions: Arc<dyn FunctionLibrary>,
}

/// A function attr of a kernel object, looked up at the first run.
///
/// It does not keep the function alive, whose body may hold this very kernel: the step does.
pub struct FunctionSlot {
    attr: FuncAttr,
    form: FunctionForm<'static>,
    function: OnceLock<Weak<dyn Function>>,
}

impl FunctionSlot {
    /// The slot of the function that an attr names.
    pub fn new(attr: &FuncAttr) -> Self {
        Self::in_form(attr, FunctionForm::Itself)
    }

    /// The slot of what a form makes of the function that an attr names.
    pub fn in_form(attr: &FuncAttr, form: FunctionForm<'static>) -> Self {
        Self { attr: attr.clone(), form, function: OnceLock::new() }
    }

    /// The function.
    ///
    /// # Errors
    /// The step has no such function, or the run is part of none.
    #[inline]
    pub fn get(&self, env: &Env<'_>) -> Result<Arc<dyn Function>> {
        match self.function.get().and_then(Weak::upgrade) {
            Some(function) => Ok(function),
            None => self.look_up(env),
        }
    }

    #[cold]
    fn look_up(&self, env: &Env<'_>) -> Result<Arc<dyn Function>> {
        let function = env.step()?.function_in_form(&self.attr, self.form)?;
        let _ = self.function.set(Arc::downgrade(&function));
        Ok(function)
    }
}

impl fmt::Debug for FunctionSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.function.get().and_then(Weak::upgrade);
        f.debug_tuple("FunctionSlot").field(&function.as_ref().map(|function| function.name())).finish()
    }
}
