//! What kernels that bind by name work with: movable inputs, outputs to be set, and the environment, each a handle of
//! its own, so that a kernel holds several at once.

mod enums;
mod env;
mod input;
mod output;
mod resource;
mod slots;
mod typed;

pub use enums::AttrEnum;
#[doc(hidden)]
pub use enums::{AllowedStrings, same_values};
pub use env::Env;
pub use input::{Input, InputList};
pub(crate) use output::ask_or_allocate;
pub use output::{Forwarded, OutputList, OutputSlot};
pub use slots::{InputSlots, OutputSlots};
#[doc(hidden)]
pub use typed::same_arguments;
pub use typed::{Construction, Kernel, TypedOp};
