//! `Roll`: a tensor whose elements are moved along axes, those that leave at one end coming in at the other.
//!
//! `shift` and `axis` are scalars or vectors of one length: along each axis (negative counts from the end), elements
//! move `shift` positions up; an axis may come several times. Every dtype. `input` is a vector at least.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Roll, copies};

/// `Roll` of every dtype.
#[kernel(Roll, device = CPU, T = any, Tshift = any, Taxis = any, host_memory = [shift, axis])]
pub fn roll_cpu(input: &Tensor, shift: &Tensor, axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::roll::<Host>(input, shift, axis, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn moves_around_the_ends() {
        check("Roll", [[1, 2, 3, 4, 5].into(), 2.into(), 0.into()], [4, 5, 1, 2, 3]);
        let x = |values: [i32; 6]| Tensor::from_vec([2, 3], values.to_vec()).unwrap();
        check("Roll", [x([1, 2, 3, 4, 5, 6]), [1, -1].into(), [0i64, 1].into()], x([5, 6, 4, 2, 3, 1]));
        check("Roll", [x([1, 2, 3, 4, 5, 6]), [5, 2].into(), [1, -1].into()], x([3, 1, 2, 6, 4, 5]));
        check("Roll", [["a", "b"].map(TString::from).into(), i64::MAX.into(), 0.into()], ["b", "a"].map(TString::from));
        check_error("Roll", [1.into(), 1.into(), 0.into()], "at least a vector");
        check_error("Roll", [[1].into(), 1.into(), 1.into()], "axis 1 is outside");
        check_error("Roll", [[1].into(), [1].into(), 0.into()], "of one length");
    }
}
