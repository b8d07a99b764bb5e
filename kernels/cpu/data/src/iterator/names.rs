//! Strings that stand for iterators, so that one of several can be fed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_ops::data::ExperimentalIteratorGetDevice;
use oplink_ops::data::{
    IteratorFromStringHandle, IteratorFromStringHandleV2, IteratorGetDevice, IteratorToStringHandle,
};

use super::create::KIND;
use super::resource::{IteratorResource, Shared};

/// The iterators of a session that have a string, which keeps none of them.
#[derive(Default)]
struct Strings(Mutex<BTreeMap<String, (Weak<Shared>, ResourceInfo)>>);

impl Resource for Strings {
    fn type_name(&self) -> &'static str {
        "strings of iterators"
    }
}

fn strings(env: &Env<'_>) -> Result<Arc<Strings>> {
    let name = "_strings_of_iterators".to_owned();
    let info = ResourceInfo { name, type_name: "strings of iterators".to_owned(), ..ResourceInfo::default() };
    env.step()?.resources().handle(info).get_or_create(|| Ok(Strings::default()))
}

/// `IteratorToStringHandle`: a string by which runs of the same session find the iterator.
#[kernel(IteratorToStringHandle, device = CPU)]
pub fn iterator_to_string_handle_cpu(resource_handle: Input<'_>, env: Env<'_>) -> Result<Tensor> {
    let (handle, iterator) = (resource_handle.handle()?, resource_handle.resource::<IteratorResource>()?);
    let info = handle.info().cloned().unwrap_or_default();
    let string = format!("iterator:{}:{:x}", info.name, Arc::as_ptr(&iterator.0).addr());
    let strings = strings(&env)?;
    let mut known = strings.0.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|_, (iterator, _)| iterator.strong_count() > 0);
    known.insert(string.clone(), (Arc::downgrade(&iterator.0), info));
    Ok(Tensor::scalar(TString::from(string)))
}

/// `IteratorFromStringHandle` and `IteratorFromStringHandleV2`.
#[kernel(IteratorFromStringHandle, device = CPU)]
#[kernel(IteratorFromStringHandleV2, device = CPU)]
pub fn iterator_from_string_handle_cpu(
    string_handle: &str,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Tensor> {
    let strings = strings(&env)?;
    let known = strings.0.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.get(string_handle).and_then(|(iterator, info)| Some((iterator.upgrade()?, info.clone())));
    drop(known);
    let Some((shared, info)) = found else {
        return Err(Error::not_found(format!(
            "there is no iterator `{string_handle}`: the string must be that of IteratorToStringHandle in this session, \
             whose iterator still exists"
        )));
    };
    let iterator = IteratorResource(shared);
    iterator.check(output_types, output_shapes)?;
    let handle = ResourceHandle::new(ResourceInfo { type_name: KIND.into(), ..info });
    handle.get_or_create(|| Ok(iterator))?;
    Ok(Tensor::scalar(handle))
}

/// `IteratorGetDevice`.
#[kernel(IteratorGetDevice, device = CPU)]
#[kernel(ExperimentalIteratorGetDevice, device = CPU)]
pub fn iterator_get_device_cpu(resource: Input<'_>) -> Result<Tensor> {
    resource.resource::<IteratorResource>()?;
    let device = resource.handle()?.info().map(|info| info.device.clone()).unwrap_or_default();
    Ok(Tensor::scalar(TString::from(device)))
}
