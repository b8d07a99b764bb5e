//! Queues: elements of several components that some runs put in and others take out, which may have to wait.

mod batch;
mod declaration;
mod resource;
mod store;
#[cfg(test)]
mod tests;

mod create;
mod run;

pub(crate) use batch::Wanted;
pub use create::*;
pub use resource::Queue;
pub use run::*;
