//! The resource behind a table's handle.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use oplink::prelude::*;

use super::keys::Keys;
use super::values::Values;

/// What a table is declared with. Nodes that share a table agree in the dtypes.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) key_dtype: DType,
    pub(super) value_dtype: DType,
    /// Shape of each key's value.
    pub(super) value_shape: Shape,
    /// Whether the entries are given once and for all.
    pub(super) fixed: bool,
    /// Keys that no entry can have.
    pub(super) reserved: Vec<Tensor>,
}

/// A map from keys to values of one shape.
pub struct LookupTable {
    name: String,
    declaration: Declaration,
    state: RwLock<State>,
}

struct State {
    keys: Keys,
    values: Values,
    /// Whether a table with fixed entries has got them.
    initialized: bool,
}

impl State {
    fn new(declaration: &Declaration) -> Result<Self> {
        let values = Values::new(declaration.value_dtype, &declaration.value_shape)?;
        Ok(Self { keys: Keys::new(declaration.key_dtype)?, values, initialized: !declaration.fixed })
    }

    fn insert(&mut self, keys: &Tensor, values: &Tensor) -> Result<()> {
        let rows = self.keys.insert(keys)?;
        self.values.write(&rows, self.keys.len(), values)
    }
}

impl LookupTable {
    pub(super) fn new(name: &str, declaration: Declaration) -> Result<Self> {
        let state = RwLock::new(State::new(&declaration)?);
        Ok(Self { name: name.to_owned(), declaration, state })
    }

    /// The dtypes of keys and values.
    pub fn dtypes(&self) -> (DType, DType) {
        (self.declaration.key_dtype, self.declaration.value_dtype)
    }

    /// Whether it has entries, or can be changed.
    pub fn is_initialized(&self) -> bool {
        self.read().initialized
    }

    pub(super) fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.read().keys.len()
    }

    /// Gives a table with fixed entries these. One that has some already keeps them, if there are as many.
    ///
    /// # Errors
    /// The entries are of other dtypes, or none; `FailedPrecondition` where there are others already, or different
    /// values for one key.
    pub fn initialize(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        let (name, count) = (&self.name, keys.num_elements());
        ensure!(self.declaration.fixed, "table `{name}` can be changed; insert entries instead");
        ensure!(keys.rank() == 1, "keys must be a vector, they have shape {}", keys.shape());
        self.check_entries(keys, values)?;
        ensure!(count > 0 && values.num_elements() > 0, "table `{name}` is given no entries");
        let mut made = State::new(&self.declaration)?;
        made.insert(keys, values)?;
        let mut found = self.values_like(keys)?;
        made.values.read(&made.keys.find(keys)?, values, &mut found)?;
        made.initialized = true;
        let mut state = self.write();
        if state.initialized {
            let there = state.keys.len();
            return if there == count { Ok(()) } else { Err(self.precondition("has other entries already")) };
        }
        if made.keys.len() < count
            && AttrValue::Tensor(found.with_shape(values.shape().clone())?) != AttrValue::Tensor(values.clone())
        {
            return Err(self.precondition("is given different values for one key"));
        }
        let old = std::mem::replace(&mut *state, made);
        drop(state);
        drop(old);
        Ok(())
    }

    /// The value of each key, or what `default` has for it: one value for all, or for each its own.
    pub(super) fn find(&self, keys: &Tensor, default: &Tensor) -> Result<Tensor> {
        self.check_dtypes(keys, default.dtype())?;
        let row = &self.declaration.value_shape;
        let all: Shape = [&**keys.shape(), row.dims()].concat().into();
        let given = default.shape();
        ensure!(given == row || *given == all, "the default must have the shape {row} or {all}, it has {given}");
        self.check_reserved(keys)?;
        let mut out = self.values_like(keys)?;
        let state = self.read();
        if !state.initialized {
            return Err(self.precondition("is not initialized"));
        }
        let first = if self.declaration.fixed && given != row && keys.num_elements() > 0 {
            let values = default.clone().with_shape([&[keys.num_elements()], row.dims()].concat())?;
            Some(values.slice(0, 1)?)
        } else {
            None
        };
        state.values.read(&state.keys.find(keys)?, first.as_ref().unwrap_or(default), &mut out)?;
        Ok(out)
    }

    /// Sets the values of keys; the last one of a key given several times.
    pub(super) fn insert(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.check_changes()?;
        self.check_entries(keys, values)?;
        self.write().insert(keys, values)
    }

    /// Takes keys away.
    pub(super) fn remove(&self, keys: &Tensor) -> Result<()> {
        self.check_changes()?;
        self.check_dtypes(keys, self.declaration.value_dtype)?;
        self.check_reserved(keys)?;
        let mut state = self.write();
        let removed = state.keys.remove(keys)?;
        state.values.remove(&removed)
    }

    /// Replaces all entries by these.
    pub(super) fn import(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        if self.declaration.fixed {
            return self.initialize(keys, values);
        }
        self.check_entries(keys, values)?;
        let mut made = State::new(&self.declaration)?;
        made.insert(keys, values)?;
        let old = std::mem::replace(&mut *self.write(), made);
        drop(old);
        Ok(())
    }

    /// All keys and values, in one order.
    pub(super) fn export(&self) -> Result<(Tensor, Tensor)> {
        let state = self.read();
        if !state.initialized {
            let message = format!("table `{}` is not initialized", self.name);
            return Err(Error::new(Code::Aborted, ErrorKind::InvalidArgument, message));
        }
        Ok((state.keys.to_tensor(self.declaration.key_dtype), state.values.first(state.keys.len())?))
    }

    /// An error unless keys and values have the table's dtypes.
    pub(super) fn check_dtypes(&self, keys: &Tensor, values: DType) -> Result<()> {
        let (name, Declaration { key_dtype, value_dtype, .. }) = (&self.name, &self.declaration);
        let fits = keys.dtype() == *key_dtype && values == *value_dtype;
        ensure!(fits, "table `{name}` maps {key_dtype} to {value_dtype}, not {} to {values}", keys.dtype());
        Ok(())
    }

    fn check_entries(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.check_dtypes(keys, values.dtype())?;
        let wanted: Shape = [&**keys.shape(), self.declaration.value_shape.dims()].concat().into();
        self.check_reserved(keys)?;
        ensure!(*values.shape() == wanted, "the values must have the shape {wanted}, they have {}", values.shape());
        Ok(())
    }

    /// An error where a key is one that no entry can have; a table with such keys takes keys in vectors only.
    fn check_reserved(&self, keys: &Tensor) -> Result<()> {
        if self.declaration.reserved.is_empty() {
            return Ok(());
        }
        let shape = keys.shape();
        let is_list = shape.first().is_none_or(|&count| count == keys.num_elements());
        ensure!(is_list, "keys of table `{}` must be a vector, they have shape {shape}", self.name);
        let mut reserved = Keys::new(self.declaration.key_dtype)?;
        self.declaration.reserved.iter().try_for_each(|key| reserved.insert(key).map(drop))?;
        let at = reserved.find(keys)?.iter().position(Option::is_some);
        let name = &self.name;
        at.map_or(Ok(()), |at| bail!("keys[{at}] is one of the keys that no entry of table `{name}` can have"))
    }

    fn check_changes(&self) -> Result<()> {
        if self.declaration.fixed {
            return Err(Error::unimplemented(format!("the entries of table `{}` are fixed", self.name)));
        }
        Ok(())
    }

    /// A tensor for a value of each key.
    fn values_like(&self, keys: &Tensor) -> Result<Tensor> {
        let Declaration { value_dtype, value_shape, .. } = &self.declaration;
        Tensor::zeros(*value_dtype, [&**keys.shape(), value_shape.dims()].concat())
    }

    #[cold]
    fn precondition(&self, what: &str) -> Error {
        let message = format!("table `{}` {what}", self.name);
        Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resource for LookupTable {
    fn type_name(&self) -> &'static str {
        "table"
    }
}
