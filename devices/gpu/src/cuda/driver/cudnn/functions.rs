//! The functions of cuDNN that are called, by their addresses.
//!
//! They are looked up by name, all at once: a library that lacks one is reported and done without. Statuses and the
//! numbers of algorithms are plain integers, so that those of a newer library are no undefined values.

use std::ffi::{c_char, c_int, c_void};
use std::fmt;

use cudarc::cudnn::sys;

/// What a call answers; 0 is success.
pub(super) type Status = c_int;
/// A handle or descriptor of the library.
pub(super) type Opaque = *mut c_void;

/// What the library says of an algorithm.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct Candidate {
    pub(super) algorithm: c_int,
    pub(super) status: Status,
    pub(super) _time: f32,
    pub(super) _memory: usize,
    pub(super) determinism: c_int,
    pub(super) _math: c_int,
    pub(super) _reserved: [c_int; 3],
}

pub(super) type Make = unsafe extern "C" fn(*mut Opaque) -> Status;
pub(super) type End = unsafe extern "C" fn(Opaque) -> Status;
/// Handle, operands, convolution, result, how many algorithms are wanted, how many there are, and which.
pub(super) type Find =
    unsafe extern "C" fn(Opaque, Opaque, Opaque, Opaque, Opaque, c_int, *mut c_int, *mut Candidate) -> Status;
/// Handle, operands, convolution, result, algorithm, and bytes of workspace.
pub(super) type Size = unsafe extern "C" fn(Opaque, Opaque, Opaque, Opaque, Opaque, c_int, *mut usize) -> Status;
/// Handle, factor, operands with their addresses, convolution, algorithm, workspace, factor of what was there, and the
/// result with its address.
pub(super) type Run = unsafe extern "C" fn(
    Opaque,
    *const c_void,
    Opaque,
    *const c_void,
    Opaque,
    *const c_void,
    Opaque,
    c_int,
    *mut c_void,
    usize,
    *const c_void,
    Opaque,
    *mut c_void,
) -> Status;

macro_rules! functions {
    ($($field:ident: $name:literal, $kind:ty;)*) => {
        /// The library's functions; it stays loaded.
        #[derive(Clone, Copy)]
        pub(super) struct Functions {
            $(pub(super) $field: $kind,)*
        }

        impl Functions {
            /// All of them, or the name of one that the library lacks.
            ///
            /// # Safety
            /// The library was found, and is cuDNN 9.
            unsafe fn all() -> Result<Self, &'static str> {
                // SAFETY: the library was found.
                let library = unsafe { sys::culib() };
                Ok(Self {
                    // SAFETY: the types are those of the functions in the headers of cuDNN 9.
                    $($field: *unsafe { library.get::<$kind>(concat!($name, "\0").as_bytes()) }.map_err(|_| $name)?,)*
                })
            }
        }
    };
}

functions! {
    create: "cudnnCreate", Make;
    destroy: "cudnnDestroy", End;
    set_stream: "cudnnSetStream", unsafe extern "C" fn(Opaque, *mut c_void) -> Status;
    error_string: "cudnnGetErrorString", unsafe extern "C" fn(Status) -> *const c_char;
    last_error: "cudnnGetLastErrorString", unsafe extern "C" fn(*mut c_char, usize);
    create_tensor: "cudnnCreateTensorDescriptor", Make;
    destroy_tensor: "cudnnDestroyTensorDescriptor", End;
    // Format, dtype, batch, channels, rows, columns.
    set_tensor: "cudnnSetTensor4dDescriptor",
        unsafe extern "C" fn(Opaque, c_int, c_int, c_int, c_int, c_int, c_int) -> Status;
    create_filter: "cudnnCreateFilterDescriptor", Make;
    destroy_filter: "cudnnDestroyFilterDescriptor", End;
    // Dtype, format, output channels, channels, rows, columns.
    set_filter: "cudnnSetFilter4dDescriptor",
        unsafe extern "C" fn(Opaque, c_int, c_int, c_int, c_int, c_int, c_int) -> Status;
    create_convolution: "cudnnCreateConvolutionDescriptor", Make;
    destroy_convolution: "cudnnDestroyConvolutionDescriptor", End;
    // Padding, strides and dilations of rows and columns, mode, dtype of the sums.
    set_convolution: "cudnnSetConvolution2dDescriptor",
        unsafe extern "C" fn(Opaque, c_int, c_int, c_int, c_int, c_int, c_int, c_int, c_int) -> Status;
    set_groups: "cudnnSetConvolutionGroupCount", unsafe extern "C" fn(Opaque, c_int) -> Status;
    set_math: "cudnnSetConvolutionMathType", unsafe extern "C" fn(Opaque, c_int) -> Status;
    find_output: "cudnnGetConvolutionForwardAlgorithm_v7", Find;
    find_image: "cudnnGetConvolutionBackwardDataAlgorithm_v7", Find;
    find_filter: "cudnnGetConvolutionBackwardFilterAlgorithm_v7", Find;
    size_output: "cudnnGetConvolutionForwardWorkspaceSize", Size;
    size_image: "cudnnGetConvolutionBackwardDataWorkspaceSize", Size;
    size_filter: "cudnnGetConvolutionBackwardFilterWorkspaceSize", Size;
    run_output: "cudnnConvolutionForward", Run;
    run_image: "cudnnConvolutionBackwardData", Run;
    run_filter: "cudnnConvolutionBackwardFilter", Run;
}

/// Why there is no library to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// The loader does not find it.
    NotFound,
    /// It is not of the version that is called.
    Version(usize),
    /// It lacks this function.
    Lacks(&'static str),
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("libcudnn was not found"),
            Self::Version(version) => write!(f, "libcudnn is {}, oplink needs 9", Version(*version)),
            Self::Lacks(name) => write!(f, "libcudnn has no {name}"),
        }
    }
}

/// A version, as the library counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version(pub(super) usize);

impl Version {
    /// Versions before 9 counted 1000 to a major one.
    fn major(self) -> usize {
        if self.0 < 10_000 { self.0 / 1000 } else { self.0 / 10_000 }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major(), self.0 / 100 % if self.0 < 10_000 { 10 } else { 100 }, self.0 % 100)
    }
}

/// The library's version, if the loader finds it and it can be called.
pub(crate) fn version() -> Result<Version, Absence> {
    let version = told_version()?;
    functions().map(|_| version)
}

/// The version that the library tells, if it is one that is called.
fn told_version() -> Result<Version, Absence> {
    const NAME: &str = "cudnnGetVersion";
    // SAFETY: opens the library by name and closes it; its initialisers are those of cuDNN.
    if !unsafe { sys::is_culib_present() } {
        return Err(Absence::NotFound);
    }
    // SAFETY: the library was found; the function has this type in every version.
    let asked = unsafe { sys::culib().get::<unsafe extern "C" fn() -> usize>(b"cudnnGetVersion\0") };
    // SAFETY: the library stays loaded; its function has this type in every version.
    let version = Version(unsafe { asked.map_err(|_| Absence::Lacks(NAME))?() });
    if version.major() == 9 { Ok(version) } else { Err(Absence::Version(version.0)) }
}

/// The library's functions.
pub(super) fn functions() -> Result<Functions, Absence> {
    told_version()?;
    // SAFETY: the library was found, and is cuDNN 9.
    unsafe { Functions::all() }.map_err(Absence::Lacks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absences_say_what_is_there() {
        assert_eq!(Absence::NotFound.to_string(), "libcudnn was not found");
        assert_eq!(Absence::Version(8907).to_string(), "libcudnn is 8.9.7, oplink needs 9");
        assert_eq!(Absence::Version(100_203).to_string(), "libcudnn is 10.2.3, oplink needs 9");
        assert_eq!(Version(92_101).to_string(), "9.21.1");
        assert_eq!([8907, 90_000, 92_101, 100_203].map(|version| Version(version).major()), [8, 9, 9, 10]);
    }

    #[test]
    fn what_is_said_of_an_algorithm_has_the_layout_of_the_header() {
        assert_eq!(size_of::<Candidate>(), 48);
        assert_eq!(std::mem::offset_of!(Candidate, _memory), 16);
        assert_eq!(std::mem::offset_of!(Candidate, determinism), 24);
    }
}
