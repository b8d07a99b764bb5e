//! Variables: values that training changes.

use std::fmt;
use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::resource::{ResourceInfo, Variable as VariableResource};
use oplink_api::{DType, Error, PartialShape, ResourceHandle, Result, Shape, Tensor};
use oplink_graph::eager::{EagerContext, device_of_scope};
use oplink_ops::{AssignAddVariableOp, AssignSubVariableOp, AssignVariableOp, ReadVariableOp};

use crate::precision::in_compute_dtype;
use crate::run::{call_args, call_with};
use crate::tape::{self, Watched};
use crate::trace::is_tracing;
use crate::value::{IntoValue, Value};

/// A variable: a resource that ops read and change, with a name, a dtype and a shape. Clones are the same variable.
///
/// Where a value is taken, `&variable` is its value. Tapes watch a trainable variable when it is read.
#[derive(Clone)]
pub struct Variable(Arc<Inner>);

struct Inner {
    name: String,
    handle: Value,
    resource: ResourceHandle,
    dtype: DType,
    shape: Shape,
    is_trainable: bool,
}

impl Variable {
    /// A trainable variable with a first value, on the device that [`on_device`](oplink_graph::eager::on_device) asks
    /// for.
    ///
    /// # Errors
    /// A function is being traced: its variables are made before; the device does not exist.
    pub fn new(name: &str, value: impl IntoValue) -> Result<Self> {
        Self::make(name, value.into_value(None)?, true)
    }

    /// A variable that gradients leave alone, such as a running mean.
    ///
    /// # Errors
    /// As [`Variable::new`].
    pub fn untrained(name: &str, value: impl IntoValue) -> Result<Self> {
        Self::make(name, value.into_value(None)?, false)
    }

    fn make(name: &str, value: Value, is_trainable: bool) -> Result<Self> {
        if is_tracing() {
            let message = format!("the variable `{name}` is made while a function is traced: make it before");
            return Err(Error::invalid_argument(message));
        }
        let (dtype, shape) = (value.dtype()?, value.shape()?);
        let device = match device_of_scope() {
            Some(device) => EagerContext::global()?.device_named(&device)?.name().to_owned(),
            None => String::new(),
        };
        let resource = ResourceHandle::new(ResourceInfo {
            device,
            name: name.to_owned(),
            type_name: "variable".to_owned(),
            dtypes_and_shapes: vec![(dtype, PartialShape::from(&shape))],
            ..ResourceInfo::default()
        });
        resource.get_or_create(|| Ok(VariableResource::new(dtype, PartialShape::from(&shape))))?;
        let handle = Value::new(Tensor::scalar(resource.clone()));
        let variable = Self(Arc::new(Inner { name: name.to_owned(), handle, resource, dtype, shape, is_trainable }));
        variable.assign(value)?;
        Ok(variable)
    }

    /// The name it was made with.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// Whether gradients are for it.
    pub fn is_trainable(&self) -> bool {
        self.0.is_trainable
    }

    /// The handle, which ops take.
    pub fn handle(&self) -> &Value {
        &self.0.handle
    }

    /// The tensor that it holds now, in the host's memory. No tape records it, no trace adds it.
    ///
    /// # Errors
    /// The copy from a device fails.
    pub fn tensor(&self) -> Result<Tensor> {
        self.0.resource.get::<VariableResource>()?.read()?.to_host()
    }

    /// Its value. In the scope of [`autocast`](crate::precision::autocast) that of a trainable variable of f32 is cast.
    ///
    /// # Errors
    /// As the op `ReadVariableOp`.
    pub fn read(&self) -> Result<Value> {
        let attrs = vec![("dtype", self.0.dtype.into())];
        if !self.0.is_trainable {
            return call_with::<ReadVariableOp>([self.0.handle.clone()], attrs);
        }
        tape::watch_on_all(&self.0.handle);
        let value = call_with::<ReadVariableOp>([self.0.handle.clone()], attrs)?;
        if self.0.dtype == DType::Float { in_compute_dtype(&value) } else { Ok(value) }
    }

    /// Gives it another value of its shape.
    ///
    /// # Errors
    /// The dtype or the shape is another one.
    pub fn assign(&self, value: impl IntoValue) -> Result<()> {
        self.change::<AssignVariableOp>(value)
    }

    /// Adds to its value.
    ///
    /// # Errors
    /// As [`Variable::assign`].
    pub fn assign_add(&self, value: impl IntoValue) -> Result<()> {
        self.change::<AssignAddVariableOp>(value)
    }

    /// Subtracts from its value.
    ///
    /// # Errors
    /// As [`Variable::assign`].
    pub fn assign_sub(&self, value: impl IntoValue) -> Result<()> {
        self.change::<AssignSubVariableOp>(value)
    }

    fn change<O: oplink_api::Op>(&self, value: impl IntoValue) -> Result<()> {
        let value = value.into_value(Some(self.0.dtype))?;
        let shape = value.partial_shape()?;
        if !shape.accepts(&self.0.shape) {
            let message = format!("the variable `{}` of shape {} cannot take {shape}", self.0.name, self.0.shape);
            return Err(Error::invalid_argument(message));
        }
        call_args::<O>([Arg::One(self.0.handle.clone()), Arg::One(value)], Vec::new()).map(|_| ())
    }
}

impl IntoValue for &Variable {
    fn into_value(self, _: Option<DType>) -> Result<Value> {
        self.read()
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {$(
        impl<R: IntoValue> std::ops::$trait<R> for &Variable {
            type Output = Value;

            /// The operator on the variable's value.
            fn $method(self, right: R) -> Value {
                std::ops::$trait::$method(Value::of(self.read()), right)
            }
        }
    )*};
}

operators!(Add add, Sub sub, Mul mul, Div div, Rem rem);

impl Watched for Variable {
    fn watched(&self) -> Value {
        self.0.handle.clone()
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Variable(`{}`: {} {})", self.0.name, self.0.dtype, self.0.shape)
    }
}
