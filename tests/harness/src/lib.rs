//! Tests that say what they need of the machine. Where something is missing they are reported as ignored, with what to
//! install or set; where `OPLINK_REQUIRE` names it, they fail.
//!
//! A test binary is built with `harness = false`, and its `main.rs` has
//!
//! ```text
//! #[macro_use(test)]
//! extern crate oplink_test_harness;
//!
//! oplink_test_harness::main!(Gpu);   // what each `#[test]` of the binary needs that does not say otherwise
//! ```
//!
//! From there on every `#[test]` in the binary is [`macro@test`] of this crate, without an import.
//! The command line is that of Rust's own tests, with several filters.
#![forbid(unsafe_code)]

mod arguments;
mod isolated;
mod record;
mod requirement;
mod run;

pub use inventory;
pub use oplink_test_attribute::test;
pub use requirement::Requirement;
pub use run::run;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// A registered test.
#[derive(Debug)]
pub struct Test {
    /// The package whose test it is.
    pub package: &'static str,
    /// The path of the function, from the name of its crate.
    pub path: &'static str,
    /// What it needs; `None` for what its binary needs.
    pub requires: Option<&'static [Requirement]>,
    /// The variable without which the test does not exist: another test sets it for a process that runs this one.
    pub part: Option<&'static str>,
    /// The test; an error is why it failed. A panic is a failure too.
    pub run: fn() -> Result<(), String>,
}

inventory::collect!(Test);

impl Test {
    /// The path without the crate's name, as Rust's own tests are named.
    pub fn name(&self) -> &'static str {
        self.path.split_once("::").map_or(self.path, |(_, name)| name)
    }
}

/// The folder of a package whose tests read files: `folder` in the copy of the repository that `OPLINK_SOURCES` names,
/// for tests that run where they were not built; else `built_in`, where they were.
pub fn package_folder(folder: &str, built_in: &str) -> PathBuf {
    let copy = std::env::var_os("OPLINK_SOURCES").filter(|root| !root.is_empty());
    copy.map_or_else(|| PathBuf::from(built_in), |root| Path::new(&root).join(folder))
}

/// What a test's function returns.
pub trait Verdict {
    /// The failure as text.
    fn into_result(self) -> Result<(), String>;
}

impl Verdict for () {
    fn into_result(self) -> Result<(), String> {
        Ok(())
    }
}

impl<E: Debug> Verdict for Result<(), E> {
    fn into_result(self) -> Result<(), String> {
        self.map_err(|error| format!("{error:?}"))
    }
}

/// The `main` of a test binary: `main!(Gpu)` names what its tests need, `main!()` nothing.
#[macro_export]
macro_rules! main {
    ($($requirement:ident),* $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            $crate::run(&[$($crate::Requirement::$requirement),*])
        }
    };
}
