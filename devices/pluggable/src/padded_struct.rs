//! Memory of structs that a plugin fills in.
//!
//! A plugin may be built against a newer header and assign a whole struct that is longer than the one known here. So
//! each struct is followed by room to spare, and all of it is zero at first: what a plugin leaves out is absent.
#![allow(unsafe_code, reason = "room: structs of the C ABI")]

use oplink_abi::{
    SE_PlatformRegistrationParams, SP_AllocatorStats, SP_Device, SP_DeviceFns, SP_DeviceMemoryBase, SP_Platform,
    SP_PlatformFns, SP_StreamExecutor, SP_TimerFns,
};
use oplink_api::Result;

use crate::refusal::{Field, check};

/// Words behind each struct.
const SPARE: usize = 64;

/// A struct of the C ABI that starts with its size in bytes.
///
/// # Safety
/// All bytes zero are a value; the first field is the `usize` that `size` gives.
pub(crate) unsafe trait CStruct: Copy {
    /// Its name in the header.
    const NAME: &'static str;
    /// Bytes up to the end of the last field known here.
    const SIZE: usize;

    /// The field that says how long the struct is.
    fn size(&self) -> usize;
}

macro_rules! structs {
    ($($name:ident)*) => {$(
        // SAFETY: integers, pointers and optional functions; the size comes first.
        unsafe impl CStruct for $name {
            const NAME: &'static str = stringify!($name);
            const SIZE: usize = $name::STRUCT_SIZE;

            fn size(&self) -> usize {
                self.struct_size
            }
        }
    )*};
}

structs! { SE_PlatformRegistrationParams SP_AllocatorStats SP_Device SP_DeviceFns SP_DeviceMemoryBase SP_Platform SP_PlatformFns SP_StreamExecutor SP_TimerFns }

/// A struct at an address of its own, with room behind it.
#[repr(C)]
struct Layout<T> {
    value: T,
    spare: [u64; SPARE],
}

/// A struct that a plugin fills in and may keep a pointer to.
pub(crate) struct PaddedStruct<T>(Box<Layout<T>>);

impl<T: CStruct> PaddedStruct<T> {
    /// All zero but for the size, which tells the plugin what this host knows.
    pub(crate) fn new() -> Self {
        // SAFETY: all zero is a value of the struct, and of numbers.
        let mut layout: Box<Layout<T>> = Box::new(unsafe { std::mem::zeroed() });
        // SAFETY: the struct's first field is its size.
        unsafe { (&raw mut layout.value).cast::<usize>().write(T::SIZE) }
        Self(layout)
    }

    /// The address for a plugin.
    pub(crate) fn as_mut_ptr(&mut self) -> *mut T {
        (&raw mut *self.0).cast()
    }

    /// The address for a plugin that reads.
    pub(crate) fn as_ptr(&self) -> *const T {
        (&raw const *self.0).cast()
    }

    /// Whether the plugin filled it in as it must; what it left out is absent from then on.
    ///
    /// # Errors
    /// As [`check`].
    pub(crate) fn checked(&mut self, required: impl FnOnce(&T) -> Vec<Field>) -> Result<()> {
        check(&**self, &required(self))?;
        self.forget_beyond_size();
        Ok(())
    }

    /// Clears what lies behind the plugin's own end of the struct: those fields are absent.
    pub(crate) fn forget_beyond_size(&mut self) {
        let size = self.0.value.size().min(T::SIZE);
        // SAFETY: within the struct, of which zero bytes are a value.
        unsafe { self.as_mut_ptr().cast::<u8>().add(size).write_bytes(0, T::SIZE - size) }
    }
}

impl<T> std::ops::Deref for PaddedStruct<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> std::ops::DerefMut for PaddedStruct<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0.value
    }
}
