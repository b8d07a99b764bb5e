//! An iterator whose elements several devices take in turn.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_state::named::{NodeResource, Unnamed, info};
use oplink_ops::data::{
    AnonymousMultiDeviceIterator, AnonymousMultiDeviceIteratorV3, MultiDeviceIterator,
    MultiDeviceIteratorGetNextFromShard, MultiDeviceIteratorInit,
};

use super::resource::{IteratorResource, Shared};
use crate::dataset::{DatasetHandle, Element, Run};
use crate::seeds::anonymous;
use crate::values::check_element;

pub(super) const KIND: &str = "multi-device iterator";

/// The elements of a dataset, dealt to a number of devices.
#[derive(Clone)]
pub struct ShardedIterator {
    iterator: IteratorResource,
    dealt: Arc<Mutex<Dealt>>,
}

/// A sharded iterator that others keep.
pub(super) struct WeakShardedIterator(Weak<Shared>, Weak<Mutex<Dealt>>);

impl WeakShardedIterator {
    pub(super) fn exists(&self) -> bool {
        self.0.strong_count() > 0
    }

    pub(super) fn upgrade(&self) -> Option<ShardedIterator> {
        Some(ShardedIterator { iterator: IteratorResource(self.0.upgrade()?), dealt: self.1.upgrade()? })
    }
}

pub(super) struct Dealt {
    /// The number of the last start.
    incarnation: i64,
    /// Elements that were made and not taken yet, of each device.
    kept: Vec<VecDeque<Element>>,
    /// Whose the next element is.
    next: usize,
}

impl Resource for ShardedIterator {
    fn type_name(&self) -> &'static str {
        KIND
    }
}

impl ShardedIterator {
    fn new(devices: usize, dtypes: &[DType], shapes: &[PartialShape]) -> Result<Self> {
        let kept = oplink::memory::try_filled(VecDeque::new(), devices)?;
        let dealt = Dealt { incarnation: 0, kept, next: 0 };
        Ok(Self { iterator: IteratorResource::new(dtypes, shapes), dealt: Arc::new(Mutex::new(dealt)) })
    }

    pub(super) fn downgrade(&self) -> WeakShardedIterator {
        WeakShardedIterator(Arc::downgrade(&self.iterator.0), Arc::downgrade(&self.dealt))
    }

    /// A number that no other iterator has meanwhile.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.dealt).addr()
    }

    /// Checks that a node declares the elements as they are; one without dtypes or shapes says nothing of them.
    pub(super) fn check(&self, dtypes: &[DType], shapes: &[PartialShape]) -> Result<()> {
        self.iterator.check(dtypes, shapes)
    }

    fn dealt(&self) -> MutexGuard<'_, Dealt> {
        self.dealt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, run: &Run<'_>, dataset: &DatasetHandle) -> Result<i64> {
        self.iterator.start(run, dataset)?;
        let mut dealt = self.dealt();
        dealt.kept.iter_mut().for_each(VecDeque::clear);
        dealt.next = 0;
        dealt.incarnation += 1;
        Ok(dealt.incarnation)
    }

    /// The next element of a device; `None` at the end.
    fn next(&self, run: &Run<'_>, shard: usize, incarnation: i64) -> Result<Option<Element>> {
        if self.dealt().incarnation == 0 {
            return Err(Error::new(
                Code::FailedPrecondition,
                ErrorKind::InvalidArgument,
                "the iterator has no dataset yet: run the op MultiDeviceIteratorInit first",
            ));
        }
        self.iterator.with(run, |elements| {
            loop {
                let mut dealt = self.dealt();
                let last = dealt.incarnation;
                ensure!(incarnation == last, "incarnation_id is {incarnation}, that of the last start is {last}");
                if let Some(element) = dealt.kept[shard].pop_front() {
                    return Ok(Some(element));
                }
                drop(dealt);
                let Some(element) = elements.next(run)? else { return Ok(None) };
                let mut dealt = self.dealt();
                let whose = dealt.next;
                dealt.kept[whose].push_back(element);
                dealt.next = (whose + 1) % dealt.kept.len();
            }
        })
    }
}

/// `MultiDeviceIterator` with the node's handle.
#[derive(Debug)]
pub struct MultiDeviceIteratorCpu {
    resource: NodeResource,
    devices: usize,
    dtypes: Vec<DType>,
    shapes: Vec<PartialShape>,
}

#[kernel(MultiDeviceIterator, device = CPU)]
impl Kernel for MultiDeviceIteratorCpu {
    type Op = MultiDeviceIterator;

    fn new(construction: Construction<'_, MultiDeviceIterator>) -> Result<Self> {
        let (node, attrs) = (construction.node(), construction.attrs);
        let info = info(node, attrs.container, attrs.shared_name, KIND, Unnamed::Private)?;
        let (dtypes, shapes) = (attrs.output_types.to_vec(), attrs.output_shapes.to_vec());
        Ok(Self { resource: NodeResource::new(info), devices: attrs.devices.len(), dtypes, shapes })
    }

    fn compute(
        &self,
        _: <MultiDeviceIterator as TypedOp>::Inputs<'_>,
        outputs: &mut <MultiDeviceIterator as TypedOp>::Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let make = |_: &str| ShardedIterator::new(self.devices, &self.dtypes, &self.shapes);
        self.resource.output(&mut outputs.handle, env, make).map(drop)
    }
}

/// `AnonymousMultiDeviceIterator`.
#[kernel(AnonymousMultiDeviceIterator, device = CPU)]
pub fn anonymous_multi_device_iterator_cpu(
    devices: &[Vec<u8>],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<(Tensor, Tensor)> {
    let made = anonymous(env, ShardedIterator::new(devices.len(), output_types, output_shapes)?)?;
    Ok((made, Tensor::scalar(Variant::default())))
}

/// `AnonymousMultiDeviceIteratorV3`.
#[kernel(AnonymousMultiDeviceIteratorV3, device = CPU)]
pub fn anonymous_multi_device_iterator_v3_cpu(
    devices: &[Vec<u8>],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Tensor> {
    anonymous(env, ShardedIterator::new(devices.len(), output_types, output_shapes)?)
}

/// `MultiDeviceIteratorInit`.
#[kernel(MultiDeviceIteratorInit, device = CPU)]
pub fn multi_device_iterator_init_cpu(
    dataset: &DatasetHandle,
    multi_device_iterator: Arc<ShardedIterator>,
    max_buffer_size: i64,
    env: Env<'_>,
) -> Result<i64> {
    ensure!(max_buffer_size > 0, "max_buffer_size must be greater than 0, it is {max_buffer_size}");
    multi_device_iterator.start(&Run::of(&env)?, dataset)
}

/// `MultiDeviceIteratorGetNextFromShard`.
#[kernel(MultiDeviceIteratorGetNextFromShard, device = CPU)]
pub fn multi_device_iterator_get_next_from_shard_cpu(
    multi_device_iterator: Arc<ShardedIterator>,
    shard_num: i32,
    incarnation_id: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Vec<Tensor>> {
    let devices = multi_device_iterator.dealt().kept.len();
    let shard = usize::try_from(shard_num).ok().filter(|&shard| shard < devices);
    let Some(shard) = shard else { bail!("shard_num is {shard_num}, the iterator has {devices} devices") };
    let element = multi_device_iterator.next(&Run::of_iterator(&env)?, shard, incarnation_id)?;
    let element = element.ok_or_else(|| Error::out_of_range("End of sequence"))?;
    check_element(&element, output_types, output_shapes)?;
    Ok(element)
}
