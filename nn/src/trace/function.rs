//! Functions that are traced when they are first called with arguments of some dtypes and shapes.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::{Code, DType, Error, ErrorKind, Output, Result, ResultExt, Shape};
use oplink_graph::{RunMetadata, RunOptions};
use oplink_ops::Identity;

use super::compiled::Compiled;
use super::{Arguments, FromArguments, Results, Trace, is_tracing, within};
use crate::run::call;
use crate::tape;
use crate::value::Value;

/// Dtypes and shapes of the arguments.
type Signature = Vec<(DType, Shape)>;

/// A function whose calls run as a graph; made by [`function`].
pub struct Function<A, R, F> {
    body: F,
    traces: Mutex<Vec<(Signature, Arc<Compiled>)>>,
    types: PhantomData<fn(A) -> R>,
}

/// The function whose calls run as a graph: the body is called once for each dtypes and shapes of arguments, with
/// values that stand for outputs of the graph that its calls make.
///
/// What the body computes with beside its arguments is as it was at the first call, but for variables, which are read
/// and changed at each. Rust code in the body runs while it is traced only. A call while a tape of the caller records,
/// or inside another function, calls the body directly, so that gradients pass through it.
///
/// ```ignore
/// let f = function(|[x, y]: [Value; 2]| (&x * &y + 1.0).tanh());
/// let z = f.call([&a, &b])?;
/// ```
pub fn function<A: Arguments, R: Results, F: Fn(A) -> Result<R>>(body: F) -> Function<A, R, F> {
    Function { body, traces: Mutex::default(), types: PhantomData }
}

impl<A: Arguments, R: Results, F: Fn(A) -> Result<R>> Function<A, R, F> {
    /// Calls the function.
    ///
    /// # Errors
    /// The body's, while it is traced; a node's of its graph, when that runs; an argument that carries an error.
    pub fn call(&self, arguments: impl FromArguments<A>) -> Result<R> {
        let arguments = arguments.into_values()?;
        if is_tracing() || tape::is_recording() {
            return (self.body)(A::from_values(arguments)?);
        }
        R::from_values(self.compiled(signature_of(&arguments)?)?.run(arguments)?)
    }

    /// As [`Function::call`], within a time, until it is cancelled, or with what ran when and where, as the options
    /// say: with [`TraceLevel::Nodes`](oplink_graph::TraceLevel::Nodes) the metadata tell where the time goes, and
    /// [`RunMetadata::to_chrome_trace`] is a picture of it.
    ///
    /// # Errors
    /// As [`Function::call`]; `DeadlineExceeded` where the time is over, and the reason of a cancellation. While
    /// something is traced or recorded, when the body is called directly, `FailedPrecondition`.
    pub fn call_with(&self, options: &RunOptions, arguments: impl FromArguments<A>) -> Result<(R, RunMetadata)> {
        let arguments = arguments.into_values()?;
        if is_tracing() || tape::is_recording() {
            return Err(Error::new(
                Code::FailedPrecondition,
                ErrorKind::InvalidArgument,
                "a function that another one traces, or a tape records, has no run of its own to take options",
            ));
        }
        let (results, metadata) = self.compiled(signature_of(&arguments)?)?.run_with(options, arguments)?;
        Ok((R::from_values(results)?, metadata))
    }

    /// How many times the body was traced.
    pub fn num_traces(&self) -> usize {
        self.traces.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn compiled(&self, signature: Signature) -> Result<Arc<Compiled>> {
        let mut traces = self.traces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, compiled)) = traces.iter().find(|(known, _)| *known == signature) {
            return Ok(compiled.clone());
        }
        let compiled = Arc::new(self.trace(&signature).context_with(|| "while a function was traced")?);
        traces.push((signature, compiled.clone()));
        Ok(compiled)
    }

    fn trace(&self, signature: &Signature) -> Result<Compiled> {
        let mut trace = Trace::new()?;
        let (mut arguments, mut fed) = (Vec::new(), Vec::new());
        for (at, (dtype, shape)) in signature.iter().enumerate() {
            let (value, output) = trace.placeholder(&format!("argument_{at}"), *dtype, shape.into())?;
            arguments.push(value);
            fed.push(output);
        }
        let (results, mut trace) = within(trace, || {
            let results = (self.body)(A::from_values(arguments)?)?.into_values();
            results.into_iter().map(|result| call::<Identity>([result.ok()?])).collect::<Result<Vec<Value>>>()
        })?;
        let results: Vec<Output> = results.iter().map(|result| trace.output(result)).collect::<Result<_>>()?;
        Compiled::new(trace, &fed, &results)
    }
}

fn signature_of(arguments: &[Value]) -> Result<Signature> {
    arguments.iter().map(|value| Ok((value.dtype()?, value.shape()?))).collect()
}

impl<A, R, F> fmt::Debug for Function<A, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let traces = self.traces.lock().unwrap_or_else(PoisonError::into_inner).len();
        write!(f, "Function({traces} traces)")
    }
}
