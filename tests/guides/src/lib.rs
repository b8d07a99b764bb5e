//! The guides of `docs/guides` are programs: this crate runs them.
//!
//! A chapter is read as a reader does it, from the top:
//!
//! - A paragraph that ends in `` `src/main.rs`: `` names the file that the next block is written to, from the folder
//!   where the last command left off. The file is new, or is replaced.
//! - A block `sh` is typed into one shell for the whole chapter, in a new folder beside the repository, which is there
//!   under the name `oplink`.
//! - A block `text` right behind it is what is seen: see [`compare`].
//!
//! Words behind `sh` say more about the commands: see [`Words`](chapter::Words). Any other block is an error, so that a
//! guide shows nothing that is not run.
#![forbid(unsafe_code)]

pub mod builds;
pub mod chapter;
pub mod compare;
pub mod picture;
pub mod run;

use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn repository() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().unwrap_or(folder)
}
