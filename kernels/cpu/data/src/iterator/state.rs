//! Where iterators are, as values.

use std::sync::Arc;

use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_ops::data::{DeserializeIterator, IteratorGetModelProto, SerializeIterator};

use super::resource::IteratorResource;
use crate::dataset::Run;
use crate::position::{Position, PositionWriter, other_pipeline};

impl<'a> InputParam<'a> for &'a Position {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        let found = input.as_slice::<Variant>()?.first().and_then(Variant::get);
        found.ok_or_else(|| Error::invalid_argument("it must be what SerializeIterator makes"))
    }
}

/// `SerializeIterator`: where the iterator is, and the elements that it has read ahead, as a value of this process.
#[kernel(SerializeIterator, device = CPU)]
pub fn serialize_iterator_cpu(resource_handle: Arc<IteratorResource>, env: Env<'_>) -> Result<Tensor> {
    let (run, mut position) = (Run::of(&env)?, PositionWriter::default());
    resource_handle.with(&run, |elements| elements.save(&run, &mut position))?;
    Ok(Tensor::from_slice(&[Variant::new(position.finish())]))
}

/// `DeserializeIterator`: brings an iterator to where another one over the same dataset was.
#[kernel(DeserializeIterator, device = CPU)]
pub fn deserialize_iterator_cpu(
    resource_handle: Arc<IteratorResource>,
    serialized: &Position,
    env: Env<'_>,
) -> Result<()> {
    let run = Run::of(&env)?;
    resource_handle.with(&run, |elements| {
        let mut restored = elements.dataset().iterate(&run)?;
        let mut from = serialized.read();
        restored.restore(&run, &mut from)?;
        if !from.is_at_end() {
            return Err(other_pipeline());
        }
        *elements = restored;
        Ok(())
    })
}

/// `IteratorGetModelProto`: an error, because there is no model.
#[kernel(IteratorGetModelProto, device = CPU)]
pub fn iterator_get_model_proto_cpu(iterator: Arc<IteratorResource>, env: Env<'_>) -> Result<TString> {
    let run = Run::of(&env)?;
    let dataset = iterator.with(&run, |elements| Ok(elements.dataset().to_string()))?;
    Err(Error::not_found(format!("{dataset} has no model of its performance, because pipelines are not tuned")))
}
