//! Optimisers: one step of a variable's update.

mod ada_max;
mod adadelta;
mod adagrad;
mod adagrad_da;
mod adagrad_v2;
mod adam;
mod adam_with_amsgrad;
mod add_sign;
mod centered_rms_prop;
mod ftrl;
mod gradient_descent;
mod keras_momentum;
mod momentum;
mod power_sign;
mod proximal_adagrad;
mod proximal_gradient_descent;
mod rms_prop;
mod shapes;

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
