//! What kernels exchange tensors through: keys, and the functions of a rendezvous.

use std::ffi::{c_char, c_void};

use crate::{TF_DeviceContext, TF_Status, TF_Tensor, TFE_CancellationManager};

/// Where memory shall be, in bits.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct TFDevice_AllocatorAttributes {
    /// The bits.
    pub value: u32,
    /// A scope of allocations; 0 for none.
    pub scope_id: i32,
}

/// What a sender or receiver tells of itself.
#[repr(C)]
#[derive(Debug)]
pub struct TF_RendezvousArgsStruct {
    /// The context of its device.
    pub device_context: *mut TF_DeviceContext,
    /// Where the tensor is, or shall be.
    pub alloc_attrs: TFDevice_AllocatorAttributes,
    /// What ends the waiting.
    pub cancellation_manager: *mut TFE_CancellationManager,
}

/// What tells one exchange from another.
#[repr(C)]
#[derive(Debug)]
pub struct TF_RendezvousParsedKey {
    /// The key, which need not be terminated.
    pub full_key: *mut c_char,
    /// Bytes of the key.
    pub full_key_size: u32,
}

/// What is sent.
#[repr(C)]
#[derive(Debug)]
pub struct TF_RendezvousSend_Params {
    /// Under which key.
    pub key: *const TF_RendezvousParsedKey,
    /// By whom.
    pub args: *const TF_RendezvousArgsStruct,
    /// The tensor, which stays the sender's.
    pub tensor: *mut TF_Tensor,
    /// Whether there is no value, since a branch was not taken.
    pub is_dead: bool,
    /// Told: how it went.
    pub status: *mut TF_Status,
}

/// What a receiver is told.
#[repr(C)]
#[derive(Debug)]
pub struct TF_RendezvousDoneCallback_Params {
    /// The receiver's.
    pub context: *mut c_void,
    /// How it went.
    pub status: *const TF_Status,
    /// The tensor, for the time of the call.
    pub tensor: *const TF_Tensor,
    /// Whether there is no value, since a branch was not taken.
    pub is_dead: bool,
}

/// What is called when something was received.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_RendezvousDoneCallbackImpl {
    /// The first argument.
    pub context: *mut c_void,
    /// The function.
    pub callback: Option<unsafe extern "C" fn(*mut c_void, *mut TF_RendezvousDoneCallback_Params)>,
}

/// What is waited for.
#[repr(C)]
#[derive(Debug)]
pub struct TF_RendezvousAsyncRecv_Params {
    /// The receiver's.
    pub context: *mut c_void,
    /// Under which key.
    pub key: *const TF_RendezvousParsedKey,
    /// By whom.
    pub args: *const TF_RendezvousArgsStruct,
    /// What is called at the end.
    pub on_done: TF_RendezvousDoneCallbackImpl,
}

/// A rendezvous: an object and its functions, each of which takes the object first.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_RendezvousThunk {
    /// The object.
    pub rendezvous: *mut c_void,
    /// Sends.
    pub send_func: Option<unsafe extern "C" fn(*mut c_void, *mut TF_RendezvousSend_Params)>,
    /// Waits without blocking.
    pub async_recv_func: Option<unsafe extern "C" fn(*mut c_void, *mut TF_RendezvousAsyncRecv_Params)>,
    /// Ends all waiting with an error.
    pub start_abort_func: Option<unsafe extern "C" fn(*mut c_void, *const TF_Status)>,
}

const _: () = assert!(size_of::<TF_RendezvousThunk>() == 32 && size_of::<TF_RendezvousSend_Params>() == 40);
const _: () = assert!(size_of::<TF_RendezvousAsyncRecv_Params>() == 40);
