//! Optimisers: classes of a rule's numbers, and what they have in common.

use oplink::nn::optimizers::{
    Adadelta, Adagrad, Adam, AdamW, Adamax, Ftrl, Lion, Optimizer, RmsProp, Rule, Sgd, clip_by_global_norm,
};
use oplink::nn::{Module, Value, Variable};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert;
use crate::errors::OrRaise;
use crate::tensor::PyTensor;
use crate::variable::PyVariable;

/// Variables with the rule by which they follow their gradients.
#[pyclass(frozen, subclass, name = "Optimizer", module = "oplink.nn")]
pub(crate) struct PyOptimizer {
    optimizer: Optimizer,
}

/// What every optimiser may do with gradients before its rule does.
struct Handling {
    global_clipnorm: Option<f32>,
    gradient_accumulation_steps: Option<u32>,
}

impl PyOptimizer {
    fn of(
        py: Python<'_>,
        rule: impl Rule + 'static,
        variables: Vec<PyRef<'_, PyVariable>>,
        handling: Handling,
    ) -> PyResult<Self> {
        let variables: Vec<Variable> = variables.iter().map(|variable| variable.variable.clone()).collect();
        let mut optimizer = Optimizer::new(rule, variables).or_raise(py)?;
        if let Some(norm) = handling.global_clipnorm {
            optimizer = optimizer.global_clipnorm(norm);
        }
        if let Some(batches) = handling.gradient_accumulation_steps {
            optimizer = optimizer.gradient_accumulation(batches).or_raise(py)?;
        }
        Ok(Self { optimizer })
    }
}

fn gradients(given: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Value>>> {
    let one = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        if item.is_none() { Ok(None) } else { convert::value(&item, None).map(Some) }
    };
    given.try_iter()?.map(one).collect()
}

#[pymethods]
impl PyOptimizer {
    /// A step: each variable follows its gradient; those without one (`None`) stay as they are. Where gradients of
    /// several steps are accumulated, all but the last of these change no variable.
    fn apply(&self, gradients: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, gradients) = (gradients.py(), self::gradients(gradients)?);
        py.detach(|| self.optimizer.apply(&gradients)).or_raise(py)
    }

    /// The variables, in the order in which `apply` takes gradients.
    #[getter]
    fn variables(&self) -> Vec<PyVariable> {
        self.optimizer.variables().iter().cloned().map(PyVariable::from).collect()
    }

    /// What it keeps from step to step, by name: to be saved with the variables, and assigned to go on from there.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = PyDict::new(py);
        for (name, variable) in Module::variables(&self.optimizer) {
            state.set_item(name, PyVariable::from(variable))?;
        }
        Ok(state)
    }

    /// The updates made.
    #[getter]
    fn iterations(&self, py: Python<'_>) -> PyResult<u64> {
        self.optimizer.iterations().or_raise(py)
    }

    /// Sets the learning rate of the steps from now on.
    fn set_learning_rate(&self, py: Python<'_>, rate: f64) -> PyResult<()> {
        self.optimizer.set_learning_rate(rate).or_raise(py)
    }
}

const LEARNING_RATE_POWER: f32 = -0.5;

/// A class for each rule, with its numbers as parameters by name.
macro_rules! rules {
    ($(
        $(#[$doc:meta])*
        $class:ident $name:literal $rule:ident ($rate:tt) { $($field:ident: $ty:ty = $default:tt),* $(,)? };
    )*) => {
        $(
            $(#[$doc])*
            #[pyclass(frozen, extends = PyOptimizer, name = $name, module = "oplink.nn")]
            struct $class;

            #[pymethods]
            impl $class {
                #[new]
                #[allow(clippy::too_many_arguments, reason = "they are parameters by keyword")]
                #[pyo3(signature = (
                    variables, learning_rate = $rate, *, $($field = $default,)* global_clipnorm = None,
                    gradient_accumulation_steps = None
                ))]
                fn new(
                    py: Python<'_>,
                    variables: Vec<PyRef<'_, PyVariable>>,
                    learning_rate: f32,
                    $($field: $ty,)*
                    global_clipnorm: Option<f32>,
                    gradient_accumulation_steps: Option<u32>,
                ) -> PyResult<PyClassInitializer<Self>> {
                    let rule = $rule::new(learning_rate)$(.$field($field))*;
                    let handling = Handling { global_clipnorm, gradient_accumulation_steps };
                    Ok(PyClassInitializer::from(PyOptimizer::of(py, rule, variables, handling)?).add_subclass(Self))
                }
            }
        )*

        pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add_class::<PyOptimizer>()?;
            module.add_class::<PySgd>()?;
            module.add_function(wrap_pyfunction!(clip_gradients, module)?)?;
            $(module.add_class::<$class>()?;)*
            Ok(())
        }
    };
}

rules! {
    /// Steps scaled by running means of the gradient and of its square.
    PyAdam "Adam" Adam (0.001) { beta_1: f32 = 0.9, beta_2: f32 = 0.999, epsilon: f32 = 1e-7 };
    /// Adam with decay of the variables apart from the gradient.
    PyAdamW "AdamW" AdamW (0.001) {
        weight_decay: f32 = 0.004, beta_1: f32 = 0.9, beta_2: f32 = 0.999, epsilon: f32 = 1e-7,
    };
    /// Adam with the largest gradient in place of the mean of squares.
    PyAdamax "Adamax" Adamax (0.001) { beta_1: f32 = 0.9, beta_2: f32 = 0.999, epsilon: f32 = 1e-7 };
    /// Steps divided by the root of a running mean of squares.
    PyRmsProp "RMSprop" RmsProp (0.001) { rho: f32 = 0.9, momentum: f32 = 0.0, epsilon: f32 = 1e-7, centered: bool = false };
    /// Steps divided by the root of the sum of squares.
    PyAdagrad "Adagrad" Adagrad (0.001) { epsilon: f32 = 1e-7 };
    /// Steps as large as those before, by running means of squares of both.
    PyAdadelta "Adadelta" Adadelta (0.001) { rho: f32 = 0.95, epsilon: f32 = 1e-7 };
    /// Follow the regularised leader.
    PyFtrl "Ftrl" Ftrl (0.001) { learning_rate_power: f32 = LEARNING_RATE_POWER, l1: f32 = 0.0, l2: f32 = 0.0 };
    /// Steps of the sign of a mean of gradients.
    PyLion "Lion" Lion (0.001) { beta_1: f32 = 0.9, beta_2: f32 = 0.99 };
}

/// Gradient descent, with momentum and Nesterov's form of it.
#[pyclass(frozen, extends = PyOptimizer, name = "SGD", module = "oplink.nn")]
struct PySgd;

#[pymethods]
impl PySgd {
    #[new]
    #[pyo3(signature = (
        variables, learning_rate = 0.01, *, momentum = 0.0, nesterov = false, weight_decay = None,
        global_clipnorm = None, gradient_accumulation_steps = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are parameters by keyword")]
    fn new(
        py: Python<'_>,
        variables: Vec<PyRef<'_, PyVariable>>,
        learning_rate: f32,
        momentum: f32,
        nesterov: bool,
        weight_decay: Option<f32>,
        global_clipnorm: Option<f32>,
        gradient_accumulation_steps: Option<u32>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let mut rule = Sgd::new(learning_rate).momentum(momentum);
        if nesterov {
            rule = rule.nesterov();
        }
        if let Some(decay) = weight_decay {
            rule = rule.weight_decay(decay);
        }
        let handling = Handling { global_clipnorm, gradient_accumulation_steps };
        Ok(PyClassInitializer::from(PyOptimizer::of(py, rule, variables, handling)?).add_subclass(Self))
    }
}

/// The gradients, scaled so that the norm of all together is `norm` at most.
#[pyfunction]
#[pyo3(name = "clip_by_global_norm")]
fn clip_gradients(py: Python<'_>, gradients: &Bound<'_, PyAny>, norm: f32) -> PyResult<Vec<Option<PyTensor>>> {
    let gradients = self::gradients(gradients)?;
    let clipped = py.detach(|| clip_by_global_norm(&gradients, norm)).or_raise(py)?;
    Ok(clipped.into_iter().map(|gradient| gradient.map(PyTensor::from)).collect())
}
