//! Threads.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};
use std::ptr;
use std::thread::JoinHandle;

use oplink_abi::{TF_Thread, TF_ThreadOptions, ThreadFn};

use crate::guard::{text, without_status};

/// The argument of a thread's function.
struct Argument(*mut c_void);

// SAFETY: the caller gives the argument to the thread, which is what the function is for.
unsafe impl Send for Argument {}

impl Argument {
    fn get(self) -> *mut c_void {
        self.0
    }
}

/// Options that leave everything to the system.
///
/// # Safety
/// `options` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DefaultThreadOptions(options: *mut TF_ThreadOptions) {
    if !options.is_null() {
        // SAFETY: writable by contract.
        unsafe { options.write(TF_ThreadOptions { stack_size: 0, guard_size: 0, numa_node: -1 }) }
    }
}

/// Runs a function on a new thread; null where the system refuses one, or there is no function. The thread's size of
/// stack is kept to; where it runs is the system's choice.
///
/// # Safety
/// `options` is null or readable, `thread_name` null or terminated; the function may be called with `param` on another
/// thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StartThread(
    options: *const TF_ThreadOptions,
    thread_name: *const c_char,
    work: ThreadFn,
    param: *mut c_void,
) -> *mut TF_Thread {
    without_status(ptr::null_mut(), || {
        let Some(work) = work else { return ptr::null_mut() };
        let mut builder = std::thread::Builder::new();
        // SAFETY: `options` is null or alive and `thread_name` is null or a terminated string (Safety section).
        let (options, name) = unsafe { (options.as_ref(), text(thread_name, "TF_StartThread", "thread_name")) };
        if let Ok(name) = name {
            builder = builder.name(name.to_owned());
        }
        if let Some(options) = options.filter(|options| options.stack_size > 0) {
            builder = builder.stack_size(options.stack_size);
        }
        let param = Argument(param);
        // SAFETY: `param` is what this function asks for (Safety section).
        let thread = builder.spawn(move || unsafe { work(param.get()) });
        thread.map_or(ptr::null_mut(), |thread| Box::into_raw(Box::new(thread)).cast())
    })
}

/// Waits for a thread and frees its handle; null is allowed.
///
/// # Safety
/// The handle came from [`TF_StartThread`] and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_JoinThread(thread: *mut TF_Thread) {
    if !thread.is_null() {
        // SAFETY: a box of a join handle, by contract.
        let thread = unsafe { Box::from_raw(thread.cast::<JoinHandle<()>>()) };
        without_status((), || drop(thread.join()));
    }
}
