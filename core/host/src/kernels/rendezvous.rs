//! Where kernels of one step exchange tensors by keys. It is made when a kernel first asks for it, and ends with its
//! step.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_abi::{
    TF_OpKernelContext, TF_RendezvousAsyncRecv_Params, TF_RendezvousDoneCallback_Params, TF_RendezvousDoneCallbackImpl,
    TF_RendezvousParsedKey, TF_RendezvousSend_Params, TF_RendezvousThunk, TF_Status,
};
use oplink_api::resource::{Resource, ResourceInfo};
use oplink_api::{Code, Error, ErrorKind, Result, Step, Tensor};

use super::context::of_run;
use crate::guard::{borrow, slice, with_status, without_status};
use crate::status;
use crate::tensor::{TF_DeleteTensor, into_handle, value_of_handle};

/// The functions of a rendezvous, in messages.
const SEND: &str = "TF_RendezvousThunk.send_func";
const RECEIVE: &str = "TF_RendezvousThunk.async_recv_func";
const ABORT: &str = "TF_RendezvousThunk.start_abort_func";

/// A tensor, or a value that there is none of, since a branch was not taken.
#[derive(Debug, Clone)]
struct Sent {
    tensor: Tensor,
    is_dead: bool,
}

/// What waits for a tensor.
struct Receiver(TF_RendezvousDoneCallbackImpl);

// SAFETY: who waits promises that the callback may be called on any thread.
unsafe impl Send for Receiver {}

/// What is there for a key: senders came first, or receivers did.
enum Exchange {
    Sent(VecDeque<Sent>),
    Awaited(VecDeque<Receiver>),
}

#[derive(Default)]
struct State {
    exchanges: BTreeMap<Vec<u8>, Exchange>,
    aborted: Option<Error>,
}

/// The rendezvous of one step.
#[derive(Default)]
struct Rendezvous(Mutex<State>);

impl Resource for Rendezvous {
    fn type_name(&self) -> &'static str {
        "Rendezvous"
    }
}

impl Receiver {
    /// Tells what was received.
    fn tell(self, received: Result<Sent>) {
        let Some(callback) = self.0.callback else { return };
        let told = crate::status::TF_NewStatus();
        let (tensor, is_dead) = match received {
            Ok(sent) => (into_handle(sent.tensor), sent.is_dead),
            Err(error) => {
                status::set_error(told, &error);
                (ptr::null_mut(), false)
            }
        };
        let mut params = TF_RendezvousDoneCallback_Params { context: self.0.context, status: told, tensor, is_dead };
        // SAFETY: the receiver gave the function and its context; the parameters live during the call. Status and
        // tensor were made here, and are given up.
        unsafe {
            callback(self.0.context, &raw mut params);
            TF_DeleteTensor(tensor);
            status::TF_DeleteStatus(told);
        }
    }
}

impl Rendezvous {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of_step(step: &Step) -> Result<Arc<Self>> {
        let info = ResourceInfo { type_name: "Rendezvous".to_owned(), ..ResourceInfo::default() };
        step.own_resources().handle(info).get_or_create(|| Ok(Self::default()))
    }

    fn send(&self, key: &[u8], sent: Sent) -> Result<()> {
        let mut state = self.lock();
        if let Some(error) = &state.aborted {
            return Err(error.clone());
        }
        match state.exchanges.entry(key.to_owned()).or_insert_with(|| Exchange::Sent(VecDeque::new())) {
            Exchange::Sent(waiting) => waiting.push_back(sent),
            Exchange::Awaited(receivers) => {
                let first = receivers.pop_front();
                if receivers.is_empty() {
                    state.exchanges.remove(key);
                }
                drop(state);
                if let Some(receiver) = first {
                    receiver.tell(Ok(sent));
                }
            }
        }
        Ok(())
    }

    fn receive(&self, key: &[u8], receiver: Receiver) {
        let mut state = self.lock();
        if let Some(error) = state.aborted.clone() {
            drop(state);
            return receiver.tell(Err(error));
        }
        match state.exchanges.entry(key.to_owned()).or_insert_with(|| Exchange::Awaited(VecDeque::new())) {
            Exchange::Awaited(receivers) => receivers.push_back(receiver),
            Exchange::Sent(waiting) => {
                let first = waiting.pop_front();
                if waiting.is_empty() {
                    state.exchanges.remove(key);
                }
                drop(state);
                if let Some(sent) = first {
                    receiver.tell(Ok(sent));
                }
            }
        }
    }

    /// Ends all waiting with an error, now and later.
    fn abort(&self, error: &Error) {
        let mut state = self.lock();
        state.aborted.get_or_insert_with(|| error.clone());
        let exchanges = std::mem::take(&mut state.exchanges);
        drop(state);
        for exchange in exchanges.into_values() {
            if let Exchange::Awaited(receivers) = exchange {
                receivers.into_iter().for_each(|receiver| receiver.tell(Err(error.clone())));
            }
        }
    }
}

impl Drop for Rendezvous {
    fn drop(&mut self) {
        self.abort(&Error::new(Code::Cancelled, ErrorKind::Cancelled, "the step has ended"));
    }
}

/// The bytes of a key.
///
/// # Safety
/// The key is null or tells the truth about its bytes.
unsafe fn bytes<'a>(key: *const TF_RendezvousParsedKey, function: &str) -> Result<&'a [u8]> {
    // SAFETY: `key` is null or alive, with as many bytes as it says (Safety section).
    unsafe {
        let key = borrow(key, function, "key")?;
        slice(key.full_key.cast::<u8>().cast_const(), key.full_key_size, function, "full_key")
    }
}

/// # Safety
/// The object is null or that of a thunk whose step goes on; the parameters are null or as their type demands.
unsafe extern "C" fn send(rendezvous: *mut c_void, params: *mut TF_RendezvousSend_Params) {
    // SAFETY: `params` is null or alive (Safety section).
    let Some(params) = (unsafe { params.as_ref() }) else { return };
    with_status(params.status, SEND, (), || {
        // SAFETY: the object, the key and the tensor are null or alive (Safety section).
        unsafe {
            let rendezvous = borrow(rendezvous.cast::<Rendezvous>(), SEND, "rendezvous")?;
            let tensor = value_of_handle(params.tensor, SEND, "tensor")?;
            rendezvous.send(bytes(params.key, SEND)?, Sent { tensor, is_dead: params.is_dead })
        }
    });
}

/// # Safety
/// As [`send`].
unsafe extern "C" fn receive(rendezvous: *mut c_void, params: *mut TF_RendezvousAsyncRecv_Params) {
    without_status((), || {
        // SAFETY: `params` is null or alive (Safety section).
        let Some(params) = (unsafe { params.as_ref() }) else { return };
        let receiver = Receiver(params.on_done);
        // SAFETY: the object and the key are null or alive (Safety section).
        let found = unsafe {
            borrow(rendezvous.cast::<Rendezvous>(), RECEIVE, "rendezvous")
                .and_then(|rendezvous| Ok((rendezvous, bytes(params.key, RECEIVE)?)))
        };
        match found {
            Ok((rendezvous, key)) => rendezvous.receive(key, receiver),
            Err(error) => receiver.tell(Err(error)),
        }
    });
}

/// # Safety
/// As [`send`]; the status is null or alive.
unsafe extern "C" fn start_abort(rendezvous: *mut c_void, why: *const TF_Status) {
    without_status((), || {
        let why = status::to_result(why).err();
        let why = why.unwrap_or_else(|| Error::new(Code::Aborted, ErrorKind::Cancelled, "aborted without a reason"));
        // SAFETY: the object is null or alive (Safety section).
        if let Ok(rendezvous) = unsafe { borrow(rendezvous.cast::<Rendezvous>(), ABORT, "rendezvous") } {
            rendezvous.abort(&why);
        }
    });
}

/// The rendezvous of the step, valid until the step ends; its object is null outside of any step.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetRendezvous(context: *mut TF_OpKernelContext) -> TF_RendezvousThunk {
    let object = without_status(ptr::null_mut(), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, "TF_GetRendezvous") };
        let made = run.ok().and_then(|run| run.step()).and_then(|step| Rendezvous::of_step(step).ok());
        made.map_or(ptr::null_mut(), |made| Arc::as_ptr(&made).cast_mut().cast())
    });
    TF_RendezvousThunk {
        rendezvous: object,
        send_func: Some(send),
        async_recv_func: Some(receive),
        start_abort_func: Some(start_abort),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn note(context: *mut c_void, params: *mut TF_RendezvousDoneCallback_Params) {
        // SAFETY: the context is the list of the test that waits, the parameters live during the call.
        unsafe {
            let noted = &mut *context.cast::<Vec<std::result::Result<i32, i32>>>();
            let params = &*params;
            noted.push(match value_of_handle(params.tensor, "note", "tensor") {
                Ok(tensor) => Ok(tensor.to_scalar().expect("an int32")),
                Err(_) => Err(status::TF_GetCode(params.status)),
            });
        }
    }

    fn receiver(noted: &mut Vec<std::result::Result<i32, i32>>) -> Receiver {
        Receiver(TF_RendezvousDoneCallbackImpl { context: ptr::from_mut(noted).cast(), callback: Some(note) })
    }

    fn sent(value: i32) -> Sent {
        Sent { tensor: Tensor::scalar(value), is_dead: false }
    }

    #[test]
    fn tensors_come_in_order_whoever_is_first() {
        let (rendezvous, mut noted) = (Rendezvous::default(), Vec::new());
        rendezvous.send(b"a", sent(1)).expect("it is open");
        rendezvous.send(b"a", sent(2)).expect("it is open");
        rendezvous.receive(b"b", receiver(&mut noted));
        rendezvous.receive(b"a", receiver(&mut noted));
        rendezvous.receive(b"a", receiver(&mut noted));
        rendezvous.send(b"b", sent(3)).expect("it is open");
        assert_eq!(noted, [Ok(1), Ok(2), Ok(3)]);
    }

    #[test]
    fn an_abort_ends_waiting_now_and_later() {
        let (rendezvous, mut noted) = (Rendezvous::default(), Vec::new());
        rendezvous.receive(b"a", receiver(&mut noted));
        rendezvous.abort(&Error::new(Code::Aborted, ErrorKind::Cancelled, "enough"));
        rendezvous.receive(b"a", receiver(&mut noted));
        assert!(rendezvous.send(b"a", sent(1)).is_err());
        assert_eq!(noted, [Err(Code::Aborted as i32), Err(Code::Aborted as i32)]);
    }

    #[test]
    fn the_end_of_the_step_ends_waiting() {
        let mut noted = Vec::new();
        let rendezvous = Rendezvous::default();
        rendezvous.receive(b"a", receiver(&mut noted));
        drop(rendezvous);
        assert_eq!(noted, [Err(Code::Cancelled as i32)]);
    }
}
