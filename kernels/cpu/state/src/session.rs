//! Tensors that a session keeps between steps: `GetSessionHandle` and `GetSessionHandleV2` keep one and make its
//! handle, `GetSessionTensor` gives it back, `DeleteSessionTensor` lets it go. Every dtype.
//!
//! A handle is a string: the node's name, a number that counts up in the session, and the device, with `;` between.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_ops::state::{DeleteSessionTensor, GetSessionHandle, GetSessionHandleV2, GetSessionTensor};

/// The tensors that a session keeps.
#[derive(Default)]
pub struct SessionTensors(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    next: u64,
    tensors: HashMap<Vec<u8>, Tensor>,
}

impl SessionTensors {
    /// Those of the session of a step.
    fn of(env: Env<'_>) -> Result<Arc<Self>> {
        let name = "session tensors".to_owned();
        let info = ResourceInfo { type_name: name.clone(), name, ..ResourceInfo::default() };
        env.step()?.resources().handle(info).get_or_create(|| Ok(Self::default()))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resource for SessionTensors {
    fn type_name(&self) -> &'static str {
        "session tensors"
    }
}

/// `GetSessionHandle`.
#[kernel(GetSessionHandle, device = CPU, T = any)]
pub fn get_session_handle_cpu(value: Input<'_>, env: Env<'_>) -> Result<Tensor> {
    Ok(Tensor::scalar(TString::from(keep(value.take(), env)?)))
}

/// `GetSessionHandleV2`: the handle is the name of a resource.
#[kernel(GetSessionHandleV2, device = CPU, T = any)]
pub fn get_session_handle_v2_cpu(value: Input<'_>, env: Env<'_>) -> Result<Tensor> {
    let (device, name) = (env.node().device.clone(), keep(value.take(), env)?);
    let info = ResourceInfo { device, name, type_name: "TensorHandle".into(), ..ResourceInfo::default() };
    Ok(Tensor::scalar(ResourceHandle::new(info)))
}

/// Keeps a tensor; its handle.
fn keep(value: Tensor, env: Env<'_>) -> Result<String> {
    let session = SessionTensors::of(env)?;
    let mut kept = session.kept();
    let handle = format!("{};{};{}", env.node().name, kept.next, env.node().device);
    kept.next += 1;
    kept.tensors.insert(handle.clone().into_bytes(), value);
    Ok(handle)
}

/// `GetSessionTensor`.
#[kernel(GetSessionTensor, device = CPU, dtype = any)]
pub fn get_session_tensor_cpu(handle: &Tensor, dtype: DType, env: Env<'_>) -> Result<Tensor> {
    let session = SessionTensors::of(env)?;
    let handle = one(handle)?;
    let tensor = session.kept().tensors.get(handle.as_bytes()).cloned().ok_or_else(|| unknown(handle))?;
    let given = tensor.dtype();
    if given != dtype {
        let message = format!("the tensor of the handle is of {given}, the op expects {dtype}");
        return Err(Error::new(Code::Internal, ErrorKind::InvalidArgument, message));
    }
    Ok(tensor)
}

/// `DeleteSessionTensor`.
#[kernel(DeleteSessionTensor, device = CPU)]
pub fn delete_session_tensor_cpu(handle: &Tensor, env: Env<'_>) -> Result<()> {
    let session = SessionTensors::of(env)?;
    let handle = one(handle)?;
    let gone = session.kept().tensors.remove(handle.as_bytes());
    gone.map(drop).ok_or_else(|| unknown(handle))
}

fn one(handle: &Tensor) -> Result<&TString> {
    match handle.as_slice::<TString>()? {
        [handle] => Ok(handle),
        _ => bail!("handle must be a scalar, it has shape {}", handle.shape()),
    }
}

#[cold]
fn unknown(handle: &TString) -> Error {
    let handle = handle.as_bytes().escape_ascii();
    Error::invalid_argument(format!("the session keeps no tensor of the handle `{handle}`"))
}
