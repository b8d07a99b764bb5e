//! Setters of attrs, for nodes that are described and for eager calls alike: one body serves both.
//!
//! Setters without a status keep what is wrong with their arguments, and the function that ends the description or runs
//! the call reports the first problem.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod lists;
pub mod protos;
pub mod scalars;

use std::ffi::c_char;

use oplink_abi::{TF_OperationDescription, TF_Status, TFE_Op};
use oplink_api::{AttrValue, Error, Result};
use oplink_host::guard::{borrow_mut, text, with_status, without_status};

use crate::description::Description;
use crate::eager::EagerOp;

/// What has attrs that C sets.
pub(crate) trait AttrTarget {
    /// Sets an attr, again where it is set already.
    fn set(&mut self, name: &str, value: AttrValue);
    /// Keeps a problem; the first one stays.
    fn keep(&mut self, problem: Error);
}

/// The C type of a handle to such an object.
trait AttrHandle {
    type Target: AttrTarget;
    /// The name of the parameter, for messages.
    const PARAMETER: &str;
}

impl AttrHandle for TF_OperationDescription {
    type Target = Description;
    const PARAMETER: &str = "desc";
}

impl AttrHandle for TFE_Op {
    type Target = EagerOp;
    const PARAMETER: &str = "op";
}

/// Sets an attr; what is wrong is kept. A null handle is passed over.
///
/// # Safety
/// The handle is null or alive and used by nobody else; `name` is null or a terminated string.
unsafe fn set_or_keep<H: AttrHandle>(
    handle: *mut H,
    name: *const c_char,
    function: &str,
    value: impl FnOnce() -> Result<AttrValue>,
) {
    // SAFETY: a handle that is not null is alive and exclusive, and points to the object that its C type stands for.
    let Some(target) = (unsafe { handle.cast::<H::Target>().as_mut() }) else { return };
    let set = without_status(Err(Error::internal("a setter panicked")), || {
        // SAFETY: `name` is null or a terminated string.
        let name = unsafe { text(name, function, "attr_name") }?;
        target.set(name, value()?);
        Ok(())
    });
    if let Err(problem) = set {
        target.keep(problem);
    }
}

/// As [`set_or_keep`], reporting what is wrong at once.
///
/// # Safety
/// As [`set_or_keep`]; the status is null or alive.
unsafe fn set_or_report<H: AttrHandle>(
    handle: *mut H,
    name: *const c_char,
    function: &str,
    status: *mut TF_Status,
    value: impl FnOnce() -> Result<AttrValue>,
) {
    with_status(status, function, (), || {
        // SAFETY: a handle that is not null is alive and exclusive, and points to the object that its C type stands
        // for.
        let target = unsafe { borrow_mut(handle.cast::<H::Target>(), function, H::PARAMETER) }?;
        // SAFETY: `name` is null or a terminated string.
        let name = unsafe { text(name, function, "attr_name") }?;
        target.set(name, value()?);
        Ok(())
    });
}

/// Declares setters, `kept` without and `reported` with a status: the C type of the handle and the function's name, for
/// each kind of object; the arguments after `attr_name`; the value, in which the arguments are as the Safety section
/// has them and `NAME` is the function's name.
macro_rules! attr_setters {
    ($($(#[$meta:meta])* $how:ident [$($handle:ident $name:ident),+] $arguments:tt $value:block)*) => {$(
        $crate::set_attrs::attr_setters!(@each [$(#[$meta])*] $how [$($handle $name),+] $arguments $value);
    )*};
    (@each $meta:tt $how:ident [$handle:ident $name:ident $(, $more:ident $other:ident)*] $arguments:tt $value:block) => {
        $crate::set_attrs::attr_setters!(@$how $meta $handle $name $arguments $value);
        $($crate::set_attrs::attr_setters!(@$how $meta $more $other $arguments $value);)*
    };
    (@kept [$(#[$meta:meta])*] $handle:ident $name:ident ($($argument:ident: $ty:ty),*) $value:block) => {
        $(#[$meta])*
        ///
        /// # Safety
        /// Handles are null or alive; strings are null or terminated; an array is null or has the length given.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(handle: *mut $handle, attr_name: *const c_char, $($argument: $ty),*) {
            #[allow(dead_code, reason = "values without checks have no messages")]
            const NAME: &str = stringify!($name);
            // SAFETY: by the Safety section the handle is null or alive, `attr_name` null or terminated, and the
            // arguments of the value as their checks demand.
            unsafe { $crate::set_attrs::set_or_keep(handle, attr_name, NAME, || $value) }
        }
    };
    (@reported [$(#[$meta:meta])*] $handle:ident $name:ident ($($argument:ident: $ty:ty),*) $value:block) => {
        $(#[$meta])*
        ///
        /// # Safety
        /// Handles are null or alive; strings are null or terminated; an array is null or has the length given.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            handle: *mut $handle,
            attr_name: *const c_char,
            $($argument: $ty,)*
            status: *mut oplink_abi::TF_Status,
        ) {
            const NAME: &str = stringify!($name);
            // SAFETY: by the Safety section the handles are null or alive, `attr_name` null or terminated, and the
            // arguments of the value as their checks demand.
            unsafe { $crate::set_attrs::set_or_report(handle, attr_name, NAME, status, || $value) }
        }
    };
}
use attr_setters;
