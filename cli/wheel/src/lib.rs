//! The Python wheel of a crate of ops: a package with the crate's library, and a module for each framework whose
//! functions, types and documentation are made of the ops' declarations.
//!
//! Nothing here builds a crate or loads a library: the command `oplink wheel` does that, and gives the declarations.
#![forbid(unsafe_code)]

mod archive;
mod docs;
mod editable;
mod function;
mod host;
mod library;
mod metadata;
mod modules;
mod python;
mod version;

pub use archive::{Wheel, archive};
pub use editable::{Rebuild, editable_files};
pub use host::Host;
pub use library::{Library, Platform};
pub use metadata::Package;
pub use modules::{Contents, files};
pub use version::python_version;

/// What went wrong, for the user.
pub type Result<T> = std::result::Result<T, String>;

/// A file of a package or an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path in the archive, with `/` between its parts.
    pub path: String,
    /// The bytes.
    pub content: Vec<u8>,
}

impl File {
    /// A text.
    pub fn text(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self { path: path.into(), content: content.into().into_bytes() }
    }

    /// Whether the file is a shared library, which archives mark as executable.
    pub fn is_library(&self) -> bool {
        self.content.starts_with(b"\x7fELF")
    }
}
