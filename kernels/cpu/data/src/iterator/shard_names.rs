//! Strings that stand for iterators of several devices, and the end of such iterators.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_ops::data::{
    DeleteMultiDeviceIterator, MultiDeviceIteratorFromStringHandle, MultiDeviceIteratorToStringHandle,
};

use super::shards::{KIND, ShardedIterator, WeakShardedIterator};

/// The iterators of a session that have a string, which keeps none of them.
#[derive(Default)]
struct Strings(Mutex<BTreeMap<String, (WeakShardedIterator, ResourceInfo)>>);

const STRINGS: &str = "strings of multi-device iterators";

impl Resource for Strings {
    fn type_name(&self) -> &'static str {
        STRINGS
    }
}

fn strings(env: &Env<'_>) -> Result<Arc<Strings>> {
    let name = "_strings_of_multi_device_iterators".to_owned();
    let info = ResourceInfo { name, type_name: STRINGS.to_owned(), ..ResourceInfo::default() };
    env.step()?.resources().handle(info).get_or_create(|| Ok(Strings::default()))
}

/// `MultiDeviceIteratorToStringHandle`: a string by which runs of the same session find the iterator.
#[kernel(MultiDeviceIteratorToStringHandle, device = CPU)]
pub fn multi_device_iterator_to_string_handle_cpu(multi_device_iterator: Input<'_>, env: Env<'_>) -> Result<Tensor> {
    let iterator = multi_device_iterator.resource::<ShardedIterator>()?;
    let info = multi_device_iterator.handle()?.info().cloned().unwrap_or_default();
    let string = format!("multi_device_iterator:{}:{:x}", info.name, iterator.address());
    let strings = strings(&env)?;
    let mut known = strings.0.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|_, (iterator, _)| iterator.exists());
    known.insert(string.clone(), (iterator.downgrade(), info));
    Ok(Tensor::scalar(TString::from(string)))
}

/// `MultiDeviceIteratorFromStringHandle`.
#[kernel(MultiDeviceIteratorFromStringHandle, device = CPU)]
pub fn multi_device_iterator_from_string_handle_cpu(
    string_handle: &str,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Tensor> {
    let strings = strings(&env)?;
    let known = strings.0.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.get(string_handle).and_then(|(iterator, info)| Some((iterator.upgrade()?, info.clone())));
    drop(known);
    let Some((iterator, info)) = found else {
        return Err(Error::not_found(format!(
            "there is no multi-device iterator `{string_handle}`: the string must be that of \
             MultiDeviceIteratorToStringHandle in this session, whose iterator still exists"
        )));
    };
    iterator.check(output_types, output_shapes)?;
    let handle = ResourceHandle::new(ResourceInfo { type_name: KIND.into(), ..info });
    handle.get_or_create(|| Ok(iterator))?;
    Ok(Tensor::scalar(handle))
}

/// `DeleteMultiDeviceIterator`: lets an iterator go; whoever uses it keeps it until then.
#[kernel(DeleteMultiDeviceIterator, device = CPU)]
pub fn delete_multi_device_iterator_cpu(
    multi_device_iterator: Input<'_>,
    iterators: &[Tensor],
    deleter: &Tensor,
) -> Result<()> {
    let _ = (iterators, deleter);
    multi_device_iterator.handle()?.destroy();
    Ok(())
}
