//! A step: one run of a graph, as its kernels see it.

use std::fmt;
use std::sync::{Arc, Weak};

use crate::function::{Function, FunctionForm, FunctionLibrary};
use crate::resource::ResourceManager;
use crate::tracer::Tracer;
use crate::{Cancellation, Code, Error, ErrorKind, FuncAttr, Result};

/// Calls of functions inside one another that a step may have.
pub const MAX_CALL_DEPTH: u32 = 200;

/// What the kernels of one step share. Cheap to clone; clones are the same step.
#[derive(Clone)]
pub struct Step {
    shared: Arc<Shared>,
    depth: u32,
    max_depth: u32,
    tracer: Option<Arc<dyn Tracer>>,
}

struct Shared {
    id: u64,
    resources: Arc<ResourceManager>,
    own: Arc<ResourceManager>,
    functions: Option<Arc<dyn FunctionLibrary>>,
    cancellation: Cancellation,
}

impl Step {
    /// A step with a number that is unique in its session.
    pub fn new(
        id: u64,
        resources: Arc<ResourceManager>,
        functions: Option<Arc<dyn FunctionLibrary>>,
        cancellation: Cancellation,
    ) -> Self {
        let own = Arc::new(ResourceManager::new());
        let shared = Arc::new(Shared { id, resources, own, functions, cancellation });
        Self { shared, depth: 0, max_depth: MAX_CALL_DEPTH, tracer: None }
    }

    /// The same step with calls of functions nested at most this deep: [`MAX_CALL_DEPTH`] where that is less.
    #[must_use]
    pub fn with_max_call_depth(mut self, depth: u32) -> Self {
        self.max_depth = depth.min(MAX_CALL_DEPTH);
        self
    }

    /// The same step, ended by this request and not by its own: for a part of it that is stopped by itself.
    #[must_use]
    pub fn with_cancellation(&self, cancellation: Cancellation) -> Self {
        let Shared { id, resources, own, functions, .. } = &*self.shared;
        let (resources, own, functions) = (resources.clone(), own.clone(), functions.clone());
        Self { shared: Arc::new(Shared { id: *id, resources, own, functions, cancellation }), ..self.clone() }
    }

    /// The same step, whose kernels call the functions of another library.
    #[must_use]
    pub fn with_functions(&self, functions: Arc<dyn FunctionLibrary>) -> Self {
        let Shared { id, resources, own, cancellation, .. } = &*self.shared;
        let (resources, own, cancellation) = (resources.clone(), own.clone(), cancellation.clone());
        let functions = Some(functions);
        Self { shared: Arc::new(Shared { id: *id, resources, own, functions, cancellation }), ..self.clone() }
    }

    /// What work that outlives the run keeps of its step: to begin steps of its own in the same session, which end with
    /// `cancellation`.
    pub fn detach(&self, cancellation: Cancellation) -> DetachedStep {
        let Shared { id, resources, functions, .. } = &*self.shared;
        let (resources, functions) = (Arc::downgrade(resources), functions.as_ref().map(Arc::downgrade));
        DetachedStep { id: *id, resources, functions, cancellation, max_depth: self.max_depth }
    }

    /// The same step, watched by `tracer`.
    #[must_use]
    pub fn with_tracer(mut self, tracer: Arc<dyn Tracer>) -> Self {
        self.tracer = Some(tracer);
        self
    }

    /// What receives each node that ran.
    #[inline]
    pub fn tracer(&self) -> Option<&dyn Tracer> {
        self.tracer.as_deref()
    }

    /// The step's number.
    pub fn id(&self) -> u64 {
        self.shared.id
    }

    /// Resources that outlive the step: variables, tables, queues.
    pub fn resources(&self) -> &Arc<ResourceManager> {
        &self.shared.resources
    }

    /// Resources that end with the step: tensor arrays, stacks, temporary variables.
    pub fn own_resources(&self) -> &ResourceManager {
        &self.shared.own
    }

    /// Whether and why to stop. Kernels that loop or wait look here.
    pub fn cancellation(&self) -> &Cancellation {
        &self.shared.cancellation
    }

    /// The function that an attr names. Keep it: finding it costs a lookup, the first time much more.
    ///
    /// # Errors
    /// The graph has no such function, or its body cannot be made ready.
    pub fn function(&self, function: &FuncAttr) -> Result<Arc<dyn Function>> {
        self.function_in_form(function, FunctionForm::Itself)
    }

    /// What a form makes of the function that an attr names. Keep it: finding it costs a lookup, the first time much
    /// more.
    ///
    /// # Errors
    /// As [`FunctionLibrary::get`]; the step has no functions.
    pub fn function_in_form(&self, function: &FuncAttr, form: FunctionForm<'_>) -> Result<Arc<dyn Function>> {
        match &self.shared.functions {
            Some(functions) => functions.get(function, form, self.cancellation()),
            None => Err(Error::not_found(format!(
                "function `{}` is called, but there are no functions here: run the op in a graph whose library has it",
                function.name
            ))),
        }
    }

    /// The functions that the step can call.
    ///
    /// # Errors
    /// It has none.
    pub fn functions(&self) -> Result<&Arc<dyn FunctionLibrary>> {
        self.shared.functions.as_ref().ok_or_else(|| {
            let message = "there are no functions here: run the op in a session or in an eager context with functions";
            Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
        })
    }

    /// The same step inside one more function call.
    ///
    /// # Errors
    /// Calls are nested deeper than the step allows.
    pub fn enter_call(&self, function: &str) -> Result<Self> {
        if self.depth >= self.max_depth {
            return Err(too_deep(function, self.max_depth));
        }
        Ok(Self { depth: self.depth + 1, ..self.clone() })
    }
}

/// What work that outlives a run has of the run's step. It does not keep the session alive.
#[derive(Clone)]
pub struct DetachedStep {
    id: u64,
    resources: Weak<ResourceManager>,
    functions: Option<Weak<dyn FunctionLibrary>>,
    cancellation: Cancellation,
    max_depth: u32,
}

impl DetachedStep {
    /// A step of the session, for a part of the work. It keeps the session's resources and functions alive.
    ///
    /// # Errors
    /// The session is gone; the work was cancelled.
    pub fn begin(&self) -> Result<Step> {
        self.cancellation.check()?;
        let functions = match &self.functions {
            Some(functions) => Some(functions.upgrade().ok_or_else(session_is_gone)?),
            None => None,
        };
        let resources = self.resources.upgrade().ok_or_else(session_is_gone)?;
        let step = Step::new(self.id, resources, functions, self.cancellation.clone());
        Ok(step.with_max_call_depth(self.max_depth))
    }
}

impl fmt::Debug for DetachedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DetachedStep({})", self.id)
    }
}

#[cold]
fn session_is_gone() -> Error {
    Error::new(Code::Cancelled, ErrorKind::Cancelled, "the session is gone")
}

#[cold]
fn too_deep(function: &str, depth: u32) -> Error {
    let message = format!(
        "function `{function}` is called inside {depth} calls: is there an end to its recursion? Write deep recursion as a loop"
    );
    Error::new(Code::ResourceExhausted, ErrorKind::InvalidArgument, message)
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Step({}, depth {})", self.shared.id, self.depth)
    }
}
