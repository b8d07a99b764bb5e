//! The form of an exported C function: its name, its guard, and the checks of its arguments are written once.

pub use oplink_abi::TF_Status;
pub use oplink_api::Result;

/// Declares exported C functions.
///
/// ```text
/// c_api! {
///     /// What it does, and its Safety section.
///     fn TF_Name(handle as bound: *mut TF_Handle => borrow_mut, data: *const u8 => [length], length: usize; status)
///         -> (c_int = -1) { … Ok(0) }
/// }
/// ```
///
/// - The body is that of a function that returns a [`Result`]. With `; status` its error, or its panic, goes to that
///   status; without, it is dropped. The function returns the value after `=` then.
/// - `=> check` passes an argument through an unsafe function `check(argument, NAME, "argument")` and binds what comes
///   out, `=> [length]` makes a slice of an array, `=> (mut [length])` one that is written to, `=> { expression }` is
///   any other check; all return a [`Result`]. `as` gives the checked value a name of its own. Checks run in the order
///   of the parameters, before the body.
/// - `NAME` is the function's name, for messages.
///
/// The checks rely on the function's Safety section, which each declaration writes.
#[macro_export]
macro_rules! c_api {
    ($(
        $(#[$meta:meta])*
        fn $name:ident(
            $($arg:ident $(as $bind:ident)?: $ty:ty $(=> $check:tt)?),* $(,)? $(; $status:ident)?
        ) $(-> ($ret:ty = $fallback:expr))? $body:block
    )*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($arg: $ty,)*
            $($status: *mut $crate::c_api::TF_Status)?
        ) $(-> $ret)? {
            #[allow(dead_code, reason = "not every function has a message of its own")]
            const NAME: &str = stringify!($name);
            let body = || -> $crate::c_api::Result<_> {
                $($crate::c_api!(@check $arg [$($bind)?] [$($check)?]);)*
                $body
            };
            $crate::c_api!(@guard [$($status)?] [$($fallback)?] body)
        }
    )*};
    (@check $arg:ident [] []) => {};
    (@check $arg:ident [] [$check:tt]) => { $crate::c_api!(@check $arg [$arg] [$check]); };
    (@check $arg:ident [$bind:ident] [[$length:expr]]) => {
        // SAFETY: by the function's Safety section the array is null or holds as many values as its length declares.
        let $bind = unsafe { $crate::guard::slice($arg, $length, NAME, stringify!($arg)) }?;
    };
    (@check $arg:ident [$bind:ident] [(mut [$length:expr])]) => {
        // SAFETY: by the function's Safety section the array is null or holds as many values as its length declares,
        // and nobody else uses it during the call.
        let $bind = unsafe { $crate::guard::slice_mut($arg, $length, NAME, stringify!($arg)) }?;
    };
    (@check $arg:ident [$bind:ident] [$check:ident]) => {
        // SAFETY: by the function's Safety section the argument is null, or alive and used as its type allows.
        let $bind = unsafe { $check($arg, NAME, stringify!($arg)) }?;
    };
    (@check $arg:ident [$bind:ident] [$check:block]) => {
        // SAFETY: by the function's Safety section the argument is null, or alive and used as its type allows.
        let $bind = unsafe { $check }?;
    };
    (@guard [$status:ident] [] $body:ident) => { $crate::guard::with_status($status, NAME, (), $body) };
    (@guard [$status:ident] [$fallback:expr] $body:ident) => {
        $crate::guard::with_status($status, NAME, $fallback, $body)
    };
    (@guard [] [] $body:ident) => { $crate::guard::without_status((), || { let _: $crate::c_api::Result<()> = $body(); }) };
    (@guard [] [$fallback:expr] $body:ident) => {
        $crate::guard::without_status($fallback, || $body().unwrap_or($fallback))
    };
}
