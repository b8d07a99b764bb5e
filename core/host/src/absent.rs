//! What this runtime has no such thing for: passes of plugins over graphs. Each function refuses with `UNIMPLEMENTED`,
//! or gives nothing where it has no status.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use oplink_abi::{TF_Bool, TF_Buffer, TF_GraphProperties, TF_GrapplerItem, TF_Status};
use oplink_api::Error;

use crate::guard::with_status;

fn refuse(status: *mut TF_Status, function: &str) {
    let message = || format!("{function}: this runtime does not run passes of plugins over graphs");
    with_status(status, function, (), || Err(Error::unimplemented(message())));
}

macro_rules! absent {
    ($($(#[$doc:meta])* $name:ident($($argument:ty),*);)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The status is null or alive.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($(_: $argument,)* status: *mut TF_Status) {
            refuse(status, stringify!($name));
        }
    )*};
}

absent! {
    /// Refuses: there are no items to optimise.
    TF_GetNodesToPreserveListSize(*const TF_GrapplerItem, *mut c_int, *mut usize);
    /// Refuses: there are no items to optimise.
    TF_GetNodesToPreserveList(*const TF_GrapplerItem, *mut *mut c_char, *mut usize, c_int, *mut c_void, usize);
    /// Refuses: there are no items to optimise.
    TF_GetFetchNodesListSize(*const TF_GrapplerItem, *mut c_int, *mut usize);
    /// Refuses: there are no items to optimise.
    TF_GetFetchNodesList(*const TF_GrapplerItem, *mut *mut c_char, *mut usize, c_int, *mut c_void, usize);
    /// Refuses: there are no properties of graphs.
    TF_InferStatically(*mut TF_GraphProperties, TF_Bool, TF_Bool, TF_Bool, TF_Bool);
    /// Refuses: there are no properties of graphs.
    TF_GetInputPropertiesListSize(*mut TF_GraphProperties, *const c_char, *mut c_int);
    /// Refuses: there are no properties of graphs.
    TF_GetOutputPropertiesListSize(*mut TF_GraphProperties, *const c_char, *mut c_int);
    /// Refuses: there are no properties of graphs.
    TF_GetInputPropertiesList(*mut TF_GraphProperties, *const c_char, *mut *mut TF_Buffer, c_int);
    /// Refuses: there are no properties of graphs.
    TF_GetOutputPropertiesList(*mut TF_GraphProperties, *const c_char, *mut *mut TF_Buffer, c_int);
}

/// Null: there are no properties of graphs.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewGraphProperties(_: *const TF_GrapplerItem) -> *mut TF_GraphProperties {
    ptr::null_mut()
}

/// Frees nothing: there are no properties of graphs.
#[unsafe(no_mangle)]
pub extern "C" fn TF_DeleteGraphProperties(_: *mut TF_GraphProperties) {}
