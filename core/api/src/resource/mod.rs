//! What outlives a step: resources, variables first; the handles that name them, the manager that keeps them; and
//! variants.

mod handle;
mod manager;
mod variable;
mod variant;

pub use handle::{Resource, ResourceHandle, ResourceInfo};
pub use manager::{ResourceKey, ResourceManager};
pub use variable::{Variable, VariableGuard};
pub use variant::{Variant, VariantObject};
