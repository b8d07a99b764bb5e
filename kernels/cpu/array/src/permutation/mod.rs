//! Elements in another order.

pub mod reverse;
pub mod reverse_sequence;
pub mod roll;
pub mod transpose;

pub use reverse::*;
pub use reverse_sequence::*;
pub use roll::*;
pub use transpose::*;
