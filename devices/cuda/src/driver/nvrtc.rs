//! The compiler of CUDA C++.

use std::ffi::{CString, c_char};

use cudarc::nvrtc::result::{self, NvrtcError};
use cudarc::nvrtc::sys;

use crate::programs::{Compiler, Version};

/// NVRTC, where it was found.
pub(crate) struct Nvrtc {
    version: Version,
}

impl Nvrtc {
    /// NVRTC, if the loader finds it and it tells its version.
    pub(crate) fn find() -> Option<Self> {
        // SAFETY: opens the library by name and closes it; its initialisers are those of a compiler.
        if !unsafe { sys::is_culib_present() } {
            return None;
        }
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the library was found; both numbers are writable.
        unsafe { sys::nvrtcVersion(&raw mut major, &raw mut minor) }.result().ok()?;
        Some(Self { version: (u32::try_from(major).ok()?, u32::try_from(minor).ok()?) })
    }
}

impl Compiler for Nvrtc {
    fn version(&self) -> Version {
        self.version
    }

    fn compile(&self, text: &str, name: &str, options: &[String]) -> Result<Vec<u8>, String> {
        let text = CString::new(text).map_err(|_| "the text has a byte 0 in it".to_owned())?;
        let name = CString::new(name).map_err(|_| "the name has a byte 0 in it".to_owned())?;
        let program = result::create_program(&text, Some(&name)).map_err(|error| error.to_string())?;
        let program = Program(program);
        // SAFETY: the library was found; the program is alive.
        match unsafe { result::compile_program(program.0, options) } {
            Ok(()) => program.code().map_err(|error| error.to_string()),
            Err(error) => Err(format!("{error}\n{}", program.log())),
        }
    }
}

/// A program of the compiler, ended when dropped.
struct Program(sys::nvrtcProgram);

impl Program {
    /// The machine code.
    fn code(&self) -> Result<Vec<u8>, NvrtcError> {
        let mut size = 0;
        // SAFETY: the library was found; the program is alive, the size is writable.
        unsafe { sys::nvrtcGetCUBINSize(self.0, &raw mut size) }.result()?;
        let mut code = vec![0_u8; size];
        // SAFETY: the buffer has the size that was asked for.
        unsafe { sys::nvrtcGetCUBIN(self.0, code.as_mut_ptr().cast::<c_char>()) }.result()?;
        Ok(code)
    }

    /// What the compiler says; empty where it says nothing.
    fn log(&self) -> String {
        // SAFETY: the library was found; the program is alive.
        let log = unsafe { result::get_program_log(self.0) }.unwrap_or_default();
        let bytes: Vec<u8> = log.into_iter().map(|byte| byte as u8).take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).trim_end().to_owned()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made by the compiler, ended once.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}
