//! The elements of a barrier.

use std::collections::{BTreeMap, HashMap};

use oplink::memory::try_vec;
use oplink::prelude::*;

use crate::rows::join_into;

/// What a barrier is declared with. Nodes that share one agree in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declaration {
    pub(super) dtypes: Vec<DType>,
    shapes: Vec<Shape>,
}

impl Declaration {
    pub(super) fn new(dtypes: &[DType], shapes: &[PartialShape]) -> Result<Self> {
        let (count, given) = (dtypes.len(), shapes.len());
        ensure!(count == given, "each of the {count} components must have a shape, there are {given} shapes");
        let known = |shape: &PartialShape| match shape.to_shape() {
            Some(shape) => Ok(shape),
            None => bail!("the shape {shape} of a component must be fully known"),
        };
        Ok(Self { dtypes: dtypes.to_vec(), shapes: shapes.iter().map(known).collect::<Result<_>>()? })
    }
}

/// The elements of a barrier, and whether it is closed.
pub(super) struct Elements {
    name: String,
    declaration: Declaration,
    /// The number of the next run that brings new keys.
    next: i64,
    incomplete: HashMap<TString, Incomplete>,
    /// Whole elements by the number of the run that brought the key, and by when they became whole.
    ready: BTreeMap<(i64, u64), (TString, Vec<Tensor>)>,
    completed: u64,
    closed: bool,
    cancelled: bool,
}

struct Incomplete {
    number: i64,
    components: Vec<Option<Tensor>>,
}

impl Elements {
    pub(super) fn new(name: &str, declaration: Declaration) -> Self {
        let (incomplete, ready) = (HashMap::new(), BTreeMap::new());
        let (name, next) = (name.to_owned(), i64::MIN);
        Self { name, declaration, next, incomplete, ready, completed: 0, closed: false, cancelled: false }
    }

    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    pub(super) fn incomplete(&self) -> usize {
        self.incomplete.len()
    }

    /// Gives elements a component. Where that is an error for one of them, the others keep theirs.
    pub(super) fn insert(&mut self, component: usize, keys: &[TString], rows: Vec<Option<Tensor>>) -> Result<()> {
        let refused = self.closed && (self.cancelled || (!keys.is_empty() && self.incomplete.is_empty()));
        if refused || (self.closed && keys.is_empty()) {
            return Err(self.closed(&format!("{} keys cannot enter it", keys.len())));
        }
        let mut new_keys = false;
        let inserted = keys.iter().zip(rows).try_for_each(|(key, row)| {
            new_keys |= !self.incomplete.contains_key(key);
            self.insert_one(component, key, row)
        });
        if new_keys {
            self.next = self.next.saturating_add(1);
        }
        inserted
    }

    fn insert_one(&mut self, component: usize, key: &TString, row: Option<Tensor>) -> Result<()> {
        let (count, number) = (self.declaration.dtypes.len(), self.next);
        if self.closed && !self.incomplete.contains_key(key) {
            return Err(self.closed(&format!("the new key `{}` cannot enter it", key.as_bytes().escape_ascii())));
        }
        // bounded: the entries of an attr
        let make = || Incomplete { number, components: vec![None; count] };
        let element = self.incomplete.entry(key.clone()).or_insert_with(make);
        if element.components[component].is_some() {
            let key = key.as_bytes().escape_ascii();
            bail!("key `{key}` has a value for component {component} already")
        }
        element.components[component] = row;
        if element.components.iter().any(Option::is_none) {
            return Ok(());
        }
        let Some(Incomplete { number, components }) = self.incomplete.remove(key) else { return Ok(()) };
        let components: Vec<_> = components.into_iter().flatten().collect();
        for (at, (tensor, shape)) in components.iter().zip(&self.declaration.shapes).enumerate() {
            let given = tensor.shape();
            ensure!(given == shape, "component {at} has the shape {shape} in this barrier, the tensor {given}");
        }
        self.completed += 1;
        self.ready.insert((number, self.completed), (key.clone(), components));
        Ok(())
    }

    /// How many elements a run that asks for so many waits for; an error where a closed barrier has too few.
    pub(super) fn wanted(&self, count: usize, or_fewer: bool) -> Result<usize> {
        if !self.closed {
            return Ok(count);
        }
        let ready = self.ready.len();
        let (wanted, there) = if or_fewer { (count.min(ready), ready) } else { (count, ready + self.incomplete.len()) };
        if there < wanted.max(1) { Err(self.exhausted(count)) } else { Ok(wanted) }
    }

    /// Takes so many whole elements; `None` where the run has to wait for them.
    pub(super) fn take(&mut self, count: usize, or_fewer: bool) -> Option<Result<Vec<Tensor>>> {
        let ready = self.ready.len();
        let no_more = self.closed && self.incomplete.is_empty();
        let count = match ready >= count {
            true => count,
            false if !no_more => return None,
            false if or_fewer && ready > 0 => ready,
            false => return Some(Err(self.exhausted(count))),
        };
        Some(self.take_ready(count))
    }

    fn take_ready(&mut self, count: usize) -> Result<Vec<Tensor>> {
        let (mut numbers, mut keys) = (try_vec(count)?, try_vec(count)?);
        let mut components: Vec<Vec<Tensor>> = self.declaration.dtypes.iter().map(|_| Vec::new()).collect();
        for _ in 0..count {
            let Some(((number, _), (key, row))) = self.ready.pop_first() else { break };
            numbers.push(number);
            keys.push(key);
            components.iter_mut().zip(row).for_each(|(component, tensor)| component.push(tensor));
        }
        let batch = |(tensors, (dtype, shape)): (&Vec<Tensor>, (&DType, &Shape))| {
            let mut out = Tensor::zeros(*dtype, [&[tensors.len()], shape.dims()].concat())?;
            let pieces: Vec<_> = tensors.iter().map(|tensor| (Some(tensor), tensor.num_elements())).collect();
            join_into(&mut out, &pieces)?;
            Ok(out)
        };
        let declared = self.declaration.dtypes.iter().zip(&self.declaration.shapes);
        let batches = components.iter().zip(declared).map(batch).collect::<Result<Vec<_>>>()?;
        Ok([numbers.into(), keys.into()].into_iter().chain(batches).collect())
    }

    /// Lets no more keys in.
    pub(super) fn close(&mut self, cancel: bool) -> Result<()> {
        if self.closed && (self.cancelled || !cancel) {
            return Err(self.closed("it cannot be closed again"));
        }
        (self.closed, self.cancelled) = (true, cancel);
        if cancel {
            self.incomplete.clear();
        }
        Ok(())
    }

    #[cold]
    fn closed(&self, what: &str) -> Error {
        let message = format!("barrier `{}` is closed already: {what}", self.name);
        Error::new(Code::Cancelled, ErrorKind::Cancelled, message)
    }

    #[cold]
    fn exhausted(&self, count: usize) -> Error {
        let (name, ready, rest) = (&self.name, self.ready.len(), self.incomplete.len());
        Error::out_of_range(format!(
            "barrier `{name}` is closed and has {ready} whole elements and {rest} others, {count} are asked for"
        ))
    }
}
