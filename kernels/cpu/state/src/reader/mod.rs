//! Readers: records of the files whose names come out of a queue.

mod create;
mod format;
mod resource;
mod run;
pub mod source;
#[cfg(test)]
mod tests;

pub use create::*;
pub use resource::Reader;
pub use run::*;
