//! `Slice`: `size[i]` positions from `begin[i]` on along each axis, -1 being all that remain.
//!
//! `begin` and `size` are vectors with an element for each axis. Every dtype; rows along the first axis share the
//! input's memory. It is an error when the range is not inside the axis.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Slice, copies};

/// `Slice` of every dtype.
#[kernel(Slice, device = CPU, T = any, Index = any, host_memory = [begin, size])]
pub fn slice_cpu(input: &Tensor, begin: &Tensor, size: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::slice::<Host>(input, begin, size, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    fn slice(begin: [i64; 2], size: [i64; 2]) -> Result<Vec<i32>> {
        let x = Tensor::from_vec([3, 4], (0..12).collect::<Vec<i32>>()).unwrap();
        let out = run_one("Slice", vec![x, begin.into(), size.into()])?;
        Ok(out.as_slice::<i32>()?.to_vec())
    }

    #[test]
    fn picks_a_box() {
        assert_eq!(slice([1, 1], [2, 2]).unwrap(), [5, 6, 9, 10]);
        assert_eq!(slice([1, 0], [-1, -1]).unwrap(), (4..12).collect::<Vec<_>>());
        assert_eq!(slice([3, 4], [-1, -1]).unwrap(), []);
        assert_eq!(slice([0, 2], [3, 1]).unwrap(), [2, 6, 10]);
    }

    #[test]
    fn ranges_outside_are_errors() {
        for (begin, size) in
            [([-1, 0], [1, 1]), ([0, 0], [4, 1]), ([0, 5], [1, -1]), ([0, 0], [1, -2]), ([1, 0], [i64::MAX, 1])]
        {
            assert!(slice(begin, size).is_err(), "{begin:?} {size:?}");
        }
    }
}
