//! The process: its start, its ports, an error of the client's own.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::net::{Ipv4Addr, TcpListener};

use oplink_abi::TF_Status;
use oplink_api::Error;
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};

/// Nothing: this library needs no preparation, and leaves the program's arguments alone.
#[unsafe(no_mangle)]
pub extern "C" fn TF_InitMain(_usage: *const c_char, _argc: *mut c_int, _argv: *mut *mut *mut c_char) {}

/// A port of TCP that nobody listens at now; 0 where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn TF_PickUnusedPortOrDie() -> c_int {
    without_status(0, || {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0));
        listener.and_then(|listener| listener.local_addr()).map_or(0, |address| c_int::from(address.port()))
    })
}

c_api! {
    /// Makes the status one of the code `INTERNAL` with this message.
    ///
    /// # Safety
    /// The status is null or alive; `message` is null or a terminated string.
    fn TF_MakeInternalErrorStatus(status: *mut TF_Status, err_msg as message: *const c_char => text) {
        oplink_host::guard::with_status(status, NAME, (), || Err(Error::internal(message)));
        Ok(())
    }
}
