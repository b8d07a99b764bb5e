//! libtorch's C functions: a flat table of what is called.
#![allow(unsafe_code, reason = "room: the C ABI")]
#![allow(non_snake_case, reason = "the names are the ABI's")]

use std::ffi::{CStr, c_char, c_void};
use std::fmt::Display;
use std::ptr;

use oplink_abi::torch::{
    AOTITorchError, AtenTensorOpaque, BoxedKernelFn, ParallelFunc, StableIValue, StableListOpaque, StringOpaque,
    TorchLibraryOpaque,
};
use oplink_api::{Error, Result};

/// Libraries that hold the functions where they are not visible to everybody.
const LIBRARIES: &[&CStr] = &[c"libtorch_cpu.so", c"libtorch.so", c"libtorch_cuda.so"];

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// libtorch's functions.
        pub(crate) struct Torch {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// Frees what an optional value is in; 2.13 has it.
            pub(crate) torch_delete_stable_ivalue:
                Option<unsafe extern "C" fn(*mut StableIValue) -> AOTITorchError>,
            /// As `aoti_torch_library_def`, with tags; 2.12 has it.
            pub(crate) torch_library_def_with_tags:
                Option<unsafe extern "C" fn(Library, *const c_char, *const i32, i32) -> AOTITorchError>,
            /// The tag of ops whose calls differ.
            pub(crate) torch_tag_nondeterministic_seeded: Option<unsafe extern "C" fn() -> i32>,
            /// Throws an exception of C++ where the condition is false.
            pub(crate) aoti_torch_check:
                unsafe extern "C-unwind" fn(bool, *const c_char, *const c_char, u32, *const c_char),
        }

        impl Torch {
            /// The functions of the libtorch in this process; `None` where there is none.
            ///
            /// # Errors
            /// The names of functions that it lacks.
            pub(crate) fn find() -> Option<Result<Self>> {
                if find(c"aoti_torch_check").is_null() {
                    return None;
                }
                let mut missing: Vec<&str> = Vec::new();
                $(
                    let $name = find(name(concat!(stringify!($name), "\0")));
                    if $name.is_null() {
                        missing.push(stringify!($name));
                    }
                )*
                if !missing.is_empty() {
                    let names = missing.join(", ");
                    return Some(Err(Error::unimplemented(format!(
                        "this PyTorch lacks the C functions {names}: 2.10 or newer has them"
                    ))));
                }
                Some(Ok(Self {
                    // SAFETY: not null; the function of this name has this signature.
                    $($name: unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>($name) },)*
                    // SAFETY: null is `None`; the function of this name has this signature.
                    torch_delete_stable_ivalue: unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn(*mut StableIValue) -> AOTITorchError>>(find(c"torch_delete_stable_ivalue")) },
                    // SAFETY: null is `None`; the function of this name has this signature.
                    torch_library_def_with_tags: unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn(Library, *const c_char, *const i32, i32) -> AOTITorchError>>(find(c"torch_library_def_with_tags")) },
                    // SAFETY: null is `None`; the function of this name has this signature.
                    torch_tag_nondeterministic_seeded: unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn() -> i32>>(find(c"torch_tag_nondeterministic_seeded")) },
                    // SAFETY: not null, as was found at first; the function of this name has this signature.
                    aoti_torch_check: unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C-unwind" fn(bool, *const c_char, *const c_char, u32, *const c_char)>(find(c"aoti_torch_check")) },
                }))
            }
        }
    };
}

type Tensor = *mut AtenTensorOpaque;
type List = *mut StableListOpaque;
type Text = *mut StringOpaque;
type Library = *mut TorchLibraryOpaque;

functions! {
    aoti_torch_library_init_fragment(*const c_char, *const c_char, u32, *mut Library) -> AOTITorchError;
    aoti_torch_library_init_impl(*const c_char, *const c_char, *const c_char, u32, *mut Library) -> AOTITorchError;
    aoti_torch_library_def(Library, *const c_char) -> AOTITorchError;
    torch_library_impl(Library, *const c_char, BoxedKernelFn, u64) -> AOTITorchError;

    aoti_torch_delete_tensor_object(Tensor) -> AOTITorchError;
    aoti_torch_get_data_ptr(Tensor, *mut *mut c_void) -> AOTITorchError;
    aoti_torch_get_dim(Tensor, *mut i64) -> AOTITorchError;
    aoti_torch_get_sizes(Tensor, *mut *mut i64) -> AOTITorchError;
    aoti_torch_get_strides(Tensor, *mut *mut i64) -> AOTITorchError;
    aoti_torch_get_dtype(Tensor, *mut i32) -> AOTITorchError;
    aoti_torch_get_device_type(Tensor, *mut i32) -> AOTITorchError;
    aoti_torch_get_layout(Tensor, *mut i32) -> AOTITorchError;
    aoti_torch_empty_strided(i64, *const i64, *const i64, i32, i32, i32, *mut Tensor) -> AOTITorchError;

    torch_new_list_reserve_size(usize, *mut List) -> AOTITorchError;
    torch_list_size(List, *mut usize) -> AOTITorchError;
    torch_list_get_item(List, usize, *mut StableIValue) -> AOTITorchError;
    torch_list_push_back(List, StableIValue) -> AOTITorchError;
    torch_delete_list(List) -> AOTITorchError;

    torch_string_length(Text, *mut usize) -> AOTITorchError;
    torch_string_c_str(Text, *mut *const c_char) -> AOTITorchError;
    torch_delete_string(Text) -> AOTITorchError;

    torch_parallel_for(i64, i64, i64, ParallelFunc, *mut c_void) -> AOTITorchError;
    torch_get_num_threads(*mut u32) -> AOTITorchError;
}

fn name(text: &'static str) -> &'static CStr {
    CStr::from_bytes_with_nul(text.as_bytes()).unwrap_or_default()
}

/// The address of a function: where this library's own references would be resolved, or in libtorch where that is
/// loaded but not visible here. Null where there is none.
pub(crate) fn find(name: &CStr) -> *mut c_void {
    // SAFETY: the name is terminated.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if !found.is_null() {
        return found;
    }
    let find_in = |library: &&CStr| {
        // SAFETY: the names are terminated. With RTLD_NOLOAD nothing is loaded; libtorch is not unloaded.
        unsafe {
            let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
            if handle.is_null() { ptr::null_mut() } else { libc::dlsym(handle, name.as_ptr()) }
        }
    };
    LIBRARIES.iter().map(find_in).find(|found| !found.is_null()).unwrap_or(ptr::null_mut())
}

/// An error where libtorch tells of one, of what is described.
#[inline]
pub(crate) fn check(code: AOTITorchError, what: impl Display) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(refused(&what)) }
}

#[cold]
fn refused(what: &dyn Display) -> Error {
    Error::internal(format!("PyTorch refused {what}"))
}
