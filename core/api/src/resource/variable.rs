//! Variables: values that steps read and change.

use std::array;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::element::{ResourceHandle, TString, Variant};
use crate::{Code, DType, Element, Error, ErrorKind, KernelEnv, PartialShape, Resource, Result, Tensor, bail, ensure};

/// A variable. Resource variables and reference variables are one type, so that each update has one body.
///
/// Reading gives a snapshot: a tensor that no later update changes. An update changes the value in place where no
/// snapshot of it is left, and a copy otherwise. Updates are exclusive, so that none is lost. A thread that holds a
/// [`VariableGuard`] must not wait for other work of the step, because that work may want the variable; parallel loops
/// are such work unless the environment [waits for its own loops only](KernelEnv::waits_for_own_loops_only).
#[derive(Debug)]
pub struct Variable {
    dtype: DType,
    shape: PartialShape,
    value: Mutex<Option<Tensor>>,
}

/// Exclusive access to a variable.
#[derive(Debug)]
pub struct VariableGuard<'a>(MutexGuard<'a, Option<Tensor>>, &'a Variable);

impl Variable {
    /// A variable without a value.
    pub fn new(dtype: DType, shape: PartialShape) -> Self {
        Self { dtype, shape, value: Mutex::new(None) }
    }

    /// The dtype of its values.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The shape it was declared with. Values may have another where an assignment allows it.
    pub fn shape(&self) -> &PartialShape {
        &self.shape
    }

    /// Whether it has a value.
    pub fn is_initialized(&self) -> bool {
        self.slot().is_some()
    }

    /// The value; shares memory.
    ///
    /// # Errors
    /// `FailedPrecondition` where it has none yet.
    #[inline]
    pub fn read(&self) -> Result<Tensor> {
        self.slot().clone().ok_or_else(uninitialized)
    }

    /// Replaces the value, whatever its shape.
    ///
    /// # Errors
    /// The tensor has another dtype.
    pub fn assign(&self, value: Tensor) -> Result<()> {
        let old = self.lock().replace(value)?;
        drop(old);
        Ok(())
    }

    /// Exclusive access. Several variables are locked together by [`Variable::lock_all`], never one after the other.
    #[inline]
    pub fn lock(&self) -> VariableGuard<'_> {
        VariableGuard(self.slot(), self)
    }

    /// Exclusive access to several variables, in an order that all callers share, so that they do not wait for each
    /// other.
    ///
    /// # Errors
    /// The same variable stands there twice.
    pub fn lock_all<const N: usize>(variables: [&Self; N]) -> Result<[VariableGuard<'_>; N]> {
        let mut order: [usize; N] = array::from_fn(|index| index);
        order.sort_by_key(|&index| std::ptr::from_ref(variables[index]));
        if order.windows(2).any(|pair| std::ptr::eq(variables[pair[0]], variables[pair[1]])) {
            bail!("the same variable is given twice; each of these inputs must be a variable of its own");
        }
        let mut guards: [Option<VariableGuard<'_>>; N] = array::from_fn(|_| None);
        for index in order {
            guards[index] = Some(variables[index].lock());
        }
        Ok(array::from_fn(|index| guards[index].take().unwrap_or_else(|| variables[index].lock())))
    }

    fn slot(&self) -> MutexGuard<'_, Option<Tensor>> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resource for Variable {
    fn type_name(&self) -> &'static str {
        "variable"
    }

    fn referent(&self) -> Option<Result<Tensor>> {
        Some(self.read())
    }
}

impl VariableGuard<'_> {
    /// The variable.
    pub fn variable(&self) -> &Variable {
        self.1
    }

    /// The value; `None` where there is none yet.
    #[inline]
    pub fn get(&self) -> Option<&Tensor> {
        self.0.as_ref()
    }

    /// The value.
    ///
    /// # Errors
    /// `FailedPrecondition` where there is none yet.
    #[inline]
    pub fn value(&self) -> Result<&Tensor> {
        self.0.as_ref().ok_or_else(uninitialized)
    }

    /// The value in memory that nobody else sees: copied to memory of `env` where a snapshot is left. A value in a
    /// device's memory stays there.
    ///
    /// # Errors
    /// `FailedPrecondition` where there is no value yet; memory runs out.
    pub fn value_mut(&mut self, env: &dyn KernelEnv) -> Result<&mut Tensor> {
        let value = self.0.as_mut().ok_or_else(uninitialized)?;
        if !value.is_unique() {
            *value = copy(value, env)?;
        }
        Ok(value)
    }

    /// Replaces the value, whatever its shape, and gives the old one back.
    ///
    /// # Errors
    /// The tensor has another dtype.
    pub fn replace(&mut self, value: Tensor) -> Result<Option<Tensor>> {
        let dtype = self.1.dtype;
        ensure!(value.dtype() == dtype, "a variable of dtype {dtype} cannot take a value of {}", value.dtype());
        Ok(self.0.replace(value))
    }

    /// Takes the value away.
    pub fn take(&mut self) -> Option<Tensor> {
        self.0.take()
    }
}

#[cold]
fn uninitialized() -> Error {
    let message = "the variable has no value yet: run its initializer, or restore it, before it is used";
    Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
}

fn copy(tensor: &Tensor, env: &dyn KernelEnv) -> Result<Tensor> {
    fn elements<T: Element>(from: &Tensor, to: &mut Tensor) -> Result<()> {
        to.as_mut_slice::<T>()?.clone_from_slice(from.as_slice()?);
        Ok(())
    }
    if let Some(device) = env.device().filter(|_| tensor.is_on_device()) {
        return device.copy_in_device(tensor);
    }
    let mut out = Tensor::allocate(tensor.dtype(), tensor.shape().clone(), env.allocator())?;
    match tensor.dtype() {
        DType::Bool => elements::<bool>(tensor, &mut out)?,
        DType::String => elements::<TString>(tensor, &mut out)?,
        DType::Resource => elements::<ResourceHandle>(tensor, &mut out)?,
        DType::Variant => elements::<Variant>(tensor, &mut out)?,
        _ => out.as_mut_bytes()?.copy_from_slice(tensor.as_bytes()?),
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DefaultEnv;

    fn variable(value: f32) -> Variable {
        let variable = Variable::new(DType::Float, PartialShape::scalar());
        variable.assign(Tensor::scalar(value)).unwrap();
        variable
    }

    #[test]
    fn a_snapshot_stays_as_it_was_read() {
        let variable = variable(1.0);
        let snapshot = variable.read().unwrap();
        variable.lock().value_mut(&DefaultEnv).unwrap().as_mut_slice::<f32>().unwrap()[0] = 2.0;
        assert_eq!(snapshot.to_scalar::<f32>().unwrap(), 1.0);
        assert_eq!(variable.read().unwrap().to_scalar::<f32>().unwrap(), 2.0);
        let address = variable.read().unwrap().as_ptr();
        assert_eq!(variable.lock().value_mut(&DefaultEnv).unwrap().as_ptr(), address);
    }

    #[test]
    fn no_value_and_a_wrong_one_are_errors() {
        let variable = Variable::new(DType::Float, PartialShape::unknown());
        assert_eq!(variable.read().unwrap_err().code(), Code::FailedPrecondition);
        assert!(variable.assign(Tensor::scalar(1i32)).is_err());
        assert!(!variable.is_initialized());
    }

    #[test]
    fn variables_locked_together_in_any_order_never_wait_for_each_other() {
        let (a, b) = (variable(0.0), variable(0.0));
        let add = |first: &Variable, second: &Variable| {
            for _ in 0..1000 {
                for guard in &mut Variable::lock_all([first, second]).unwrap() {
                    guard.value_mut(&DefaultEnv).unwrap().as_mut_slice::<f32>().unwrap()[0] += 1.0;
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| add(&a, &b));
            scope.spawn(|| add(&b, &a));
        });
        assert_eq!(a.read().unwrap().to_scalar::<f32>().unwrap(), 2000.0);
        assert_eq!(b.read().unwrap().to_scalar::<f32>().unwrap(), 2000.0);
        assert!(Variable::lock_all([&a, &a]).is_err());
    }
}
