//! Staging areas with keys: `MapStage`, `MapUnstage`, `MapUnstageNoKey`, `MapPeek`, `MapSize`, `MapIncompleteSize` and
//! `MapClear`; the `Ordered` forms are the same bodies, on areas of their own.
//!
//! An element has as many tensors as the attr `dtypes` of the node that makes the area has entries. `indices` tells
//! which of them a run brings or takes, in rising order. An element that lacks some when it is put in is incomplete:
//! it counts for the bytes and not for the capacity, and nobody can take it. Areas and waiting are those of `Stage`.

use std::collections::BTreeMap;

use oplink::AsyncKernelContext;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::state::{MapClear, MapIncompleteSize, MapPeek, MapSize, MapStage, MapUnstage, MapUnstageNoKey};
use oplink_ops::state::{OrderedMapClear, OrderedMapIncompleteSize, OrderedMapPeek, OrderedMapSize, OrderedMapStage};
use oplink_ops::state::{OrderedMapUnstage, OrderedMapUnstageNoKey};

use super::limits::{Limits, Place, area, bytes_of, place};
use crate::monitor::{Attempt, Monitor};

/// A staging area with keys.
pub struct StagingMap(Monitor<Elements>);

/// The tensors of a key; `None` for those that are not there yet, or no more.
type Element = Vec<Option<Tensor>>;

struct Elements {
    limits: Limits,
    /// Tensors of an element.
    width: usize,
    complete: BTreeMap<i64, Element>,
    incomplete: BTreeMap<i64, Element>,
    bytes: usize,
}

impl Resource for StagingMap {
    fn type_name(&self) -> &'static str {
        "staging map"
    }
}

/// Kernels of ops on areas of both kinds: `body: kernel op, kernel op in the order of the keys;` each.
macro_rules! kernels {
    ($($body:ident: $any:ident $op:ident, $ordered:ident $ordered_op:ident;)*) => {$(
        #[doc = concat!("`", stringify!($op), "`.")]
        #[kernel($op, device = CPU, async)]
        pub fn $any(run: AsyncKernelContext) {
            start(run, "staging map", |run| place!(run, $op), $body);
        }

        #[doc = concat!("`", stringify!($ordered_op), "`.")]
        #[kernel($ordered_op, device = CPU, async)]
        pub fn $ordered(run: AsyncKernelContext) {
            start(run, "ordered staging map", |run| place!(run, $ordered_op), $body);
        }
    )*};
}

kernels! {
    put: map_stage_cpu MapStage, ordered_map_stage_cpu OrderedMapStage;
    pop: map_unstage_cpu MapUnstage, ordered_map_unstage_cpu OrderedMapUnstage;
    pop_first: map_unstage_no_key_cpu MapUnstageNoKey, ordered_map_unstage_no_key_cpu OrderedMapUnstageNoKey;
    peek: map_peek_cpu MapPeek, ordered_map_peek_cpu OrderedMapPeek;
    size: map_size_cpu MapSize, ordered_map_size_cpu OrderedMapSize;
    incomplete_size: map_incomplete_size_cpu MapIncompleteSize, ordered_map_incomplete_size_cpu OrderedMapIncompleteSize;
    clear: map_clear_cpu MapClear, ordered_map_clear_cpu OrderedMapClear;
}

/// Starts a run on the area that its node names.
fn start(
    run: AsyncKernelContext,
    kind: &str,
    place: impl FnOnce(&mut AsyncKernelContext) -> Result<Place>,
    prepare: impl FnOnce(&mut AsyncKernelContext) -> Result<Attempt<Elements>>,
) {
    Monitor::start(run, |run| {
        let place = place(run)?;
        let width = place.width;
        let (complete, incomplete) = (BTreeMap::new(), BTreeMap::new());
        let make = |limits| Ok(StagingMap(Monitor::new(Elements { limits, width, complete, incomplete, bytes: 0 })));
        let area = area(run, kind, &place, make)?;
        Ok((area.0.clone(), prepare(run)?))
    });
}

/// Puts tensors in under a key. Those of a complete element are dropped where the key has one already; a tensor that
/// an incomplete element has already is an error.
fn put(run: &mut AsyncKernelContext) -> Result<Attempt<Elements>> {
    let (inputs, attrs) = run.arguments::<MapStage>()?;
    ensure!(!attrs.dtypes.is_empty(), "dtypes must have an entry for each tensor of an element");
    let (key, indices, mut values) = (key(&inputs.key)?, indices(&inputs.indices)?, inputs.values.to_vec());
    let (count, given) = (values.len(), indices.len());
    ensure!(count == given, "each tensor has an index: there are {count} tensors and {given} indices");
    let bytes = bytes_of(&values);
    Ok(Box::new(move |area| {
        if let Err(error) = area.check_indices(key, &indices) {
            return Some(Err(error));
        }
        let whole = indices.len() == area.width && !area.incomplete.contains_key(&key);
        match area.limits.have_room(whole.then_some(area.complete.len()), area.bytes, bytes) {
            Ok(false) => None,
            Ok(true) if whole => {
                if let std::collections::btree_map::Entry::Vacant(entry) = area.complete.entry(key) {
                    entry.insert(std::mem::take(&mut values).into_iter().map(Some).collect());
                    area.bytes += bytes;
                }
                Some(Ok(Vec::new()))
            }
            Ok(true) => Some(area.put_parts(key, &indices, std::mem::take(&mut values)).map(|()| Vec::new())),
            Err(error) => Some(Err(error)),
        }
    }))
}

/// Takes tensors of a key out, which is gone with the last of them.
fn pop(run: &mut AsyncKernelContext) -> Result<Attempt<Elements>> {
    let (key, indices) = asked::<MapUnstage>(run, |inputs| (&inputs.key, &inputs.indices))?;
    Ok(Box::new(move |area| area.complete.contains_key(&key).then(|| area.take(key, &indices))))
}

/// Takes tensors of the smallest key out, and gives the key too.
fn pop_first(run: &mut AsyncKernelContext) -> Result<Attempt<Elements>> {
    let (inputs, _) = run.arguments::<MapUnstageNoKey>()?;
    let indices = indices(&inputs.indices)?;
    ensure_outputs(run, indices.len() + 1)?;
    Ok(Box::new(move |area| {
        let (&key, _) = area.complete.first_key_value()?;
        let taken = area.take(key, &indices);
        Some(taken.map(|tensors| std::iter::once(Tensor::scalar(key)).chain(tensors).collect()))
    }))
}

/// The tensors of a key, which stay.
fn peek(run: &mut AsyncKernelContext) -> Result<Attempt<Elements>> {
    let (key, indices) = asked::<MapPeek>(run, |inputs| (&inputs.key, &inputs.indices))?;
    Ok(Box::new(move |area| {
        let element = area.complete.get(&key)?;
        Some(area.check_indices(key, &indices).and_then(|()| {
            let tensor = |&at: &usize| element[at].clone().ok_or_else(|| taken_already(key, at));
            indices.iter().map(tensor).collect()
        }))
    }))
}

/// The number of complete elements.
fn size(_: &mut AsyncKernelContext) -> Result<Attempt<Elements>> {
    Ok(Box::new(|area| Some(Ok(vec![Tensor::scalar(area.complete.len() as i32)]))))
}

/// The number of incomplete elements.
fn incomplete_size(_: &mut AsyncKernelContext) -> Result<Attempt<Elements>> {
    Ok(Box::new(|area| Some(Ok(vec![Tensor::scalar(area.incomplete.len() as i32)]))))
}

/// Lets all elements go.
fn clear(_: &mut AsyncKernelContext) -> Result<Attempt<Elements>> {
    Ok(Box::new(|area| {
        area.complete.clear();
        area.incomplete.clear();
        area.bytes = 0;
        Some(Ok(Vec::new()))
    }))
}

impl Elements {
    fn check_indices(&self, key: i64, indices: &[usize]) -> Result<()> {
        let (width, last) = (self.width, indices.last());
        let Some(last) = last.filter(|last| **last >= width) else { return Ok(()) };
        bail!("index {last} is past the {width} tensors of key {key}")
    }

    /// Adds tensors to an incomplete element, which may be complete then.
    fn put_parts(&mut self, key: i64, indices: &[usize], values: Vec<Tensor>) -> Result<()> {
        let width = self.width;
        // bounded: the entries of an attr
        let element = self.incomplete.entry(key).or_insert_with(|| vec![None; width]);
        if let Some(at) = indices.iter().find(|at| element[**at].is_some()) {
            bail!("key {key} has a tensor at index {at} already")
        }
        self.bytes += bytes_of(&values);
        indices.iter().zip(values).for_each(|(at, value)| element[*at] = Some(value));
        if element.iter().all(Option::is_some)
            && let Some(element) = self.incomplete.remove(&key)
        {
            let dropped = self.complete.contains_key(&key);
            if dropped {
                self.bytes -= bytes_of(element.iter().flatten());
            } else {
                self.complete.insert(key, element);
            }
        }
        Ok(())
    }

    /// Takes tensors out of a complete element.
    fn take(&mut self, key: i64, indices: &[usize]) -> Result<Vec<Tensor>> {
        self.check_indices(key, indices)?;
        let Some(element) = self.complete.get_mut(&key) else { bail!("there is no key {key}") };
        if let Some(at) = indices.iter().find(|at| element[**at].is_none()) {
            return Err(taken_already(key, *at));
        }
        let taken: Vec<_> = indices.iter().filter_map(|at| element[*at].take()).collect();
        if element.iter().all(Option::is_none) {
            self.complete.remove(&key);
        }
        self.bytes -= bytes_of(&taken);
        Ok(taken)
    }
}

/// The key and the indices of a run that has an output for each index.
fn asked<O: TypedOp>(
    run: &mut AsyncKernelContext,
    of: impl for<'a> FnOnce(&'a O::Inputs<'_>) -> (&'a Tensor, &'a Tensor),
) -> Result<(i64, Vec<usize>)> {
    let (key, indices) = {
        let (inputs, _) = run.arguments::<O>()?;
        let (key_input, indices_input) = of(&inputs);
        (key(key_input)?, indices(indices_input)?)
    };
    ensure_outputs(run, indices.len())?;
    Ok((key, indices))
}

fn ensure_outputs(run: &AsyncKernelContext, count: usize) -> Result<()> {
    let outputs = run.node().output_dtypes.len();
    if count != outputs {
        let message = format!("each index has an output: {count} outputs are needed, the op has {outputs}");
        return Err(Error::new(Code::Internal, ErrorKind::InvalidArgument, message));
    }
    Ok(())
}

fn key(key: &Tensor) -> Result<i64> {
    match key.as_slice::<i64>()? {
        [key] => Ok(*key),
        _ => bail!("key must be a scalar, it has shape {}", key.shape()),
    }
}

/// Indices in rising order.
fn indices(indices: &Tensor) -> Result<Vec<usize>> {
    let indices = indices.as_slice::<i32>()?;
    ensure!(!indices.is_empty(), "indices must not be empty");
    ensure!(indices.windows(2).all(|pair| pair[0] < pair[1]), "indices must be in rising order, they are {indices:?}");
    let index = |&index: &i32| match usize::try_from(index) {
        Ok(index) => Ok(index),
        Err(_) => bail!("indices must not be negative, they are {indices:?}"),
    };
    indices.iter().map(index).collect()
}

#[cold]
fn taken_already(key: i64, at: usize) -> Error {
    Error::invalid_argument(format!("the tensor at index {at} of key {key} was taken out already"))
}
