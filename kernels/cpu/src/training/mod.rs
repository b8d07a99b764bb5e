//! Optimisers: one step of a variable's update.
//!
//! An optimiser is a function of the values at one position, those of the variable and of the ones that remember, and of the
//! gradient there. The same function serves resource and reference variables, whole variables and rows.

mod dense;
pub mod rows;
mod shapes;
pub mod slots;
mod weight;

pub mod ada_max;
pub mod adadelta;
pub mod adagrad;
pub mod adagrad_da;
pub mod adagrad_v2;
pub mod adam;
pub mod adam_with_amsgrad;
pub mod add_sign;
pub mod centered_rms_prop;
pub mod ftrl;
pub mod gradient_descent;
pub mod keras_momentum;
pub mod momentum;
pub mod power_sign;
pub mod proximal_adagrad;
pub mod proximal_gradient_descent;
pub mod rms_prop;

pub use ada_max::*;
pub use adadelta::*;
pub use adagrad::*;
pub use adagrad_da::*;
pub use adagrad_v2::*;
pub use adam::*;
pub use adam_with_amsgrad::*;
pub use add_sign::*;
pub use centered_rms_prop::*;
pub use ftrl::*;
pub use gradient_descent::*;
pub use keras_momentum::*;
pub use momentum::*;
pub use power_sign::*;
pub use proximal_adagrad::*;
pub use proximal_gradient_descent::*;
pub use rms_prop::*;
