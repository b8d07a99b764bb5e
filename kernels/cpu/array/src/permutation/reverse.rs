//! `Reverse` and `ReverseV2`: a tensor with the order of elements reversed along axes.
//!
//! `dims` of `Reverse` marks them by a bool for each axis of `tensor`, of which there are 8 at most. It is an error
//! when the first extent is 0. `axis` of `ReverseV2` is a vector of axes, negative ones counting from the end, each at
//! most once.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Reverse, ReverseV2, copies};

/// `Reverse` of every dtype it allows.
#[kernel(Reverse, device = CPU, T = any, host_memory = [dims])]
pub fn reverse_cpu(tensor: &Tensor, dims: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::reverse::<Host>(tensor, dims, output, env)
}

/// `ReverseV2` of every dtype it allows.
#[kernel(ReverseV2, device = CPU, T = any, Tidx = any, host_memory = [axis])]
pub fn reverse_v2_cpu(tensor: &Tensor, axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::reverse_v2::<Host>(tensor, axis, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, run_one};

    #[test]
    fn reverses_marked_axes() {
        let x = |values: [i32; 6]| Tensor::from_vec([2, 3], values.to_vec()).unwrap();
        check("Reverse", [x([1, 2, 3, 4, 5, 6]), [false, true].into()], x([3, 2, 1, 6, 5, 4]));
        check("Reverse", [x([1, 2, 3, 4, 5, 6]), [true, true].into()], x([6, 5, 4, 3, 2, 1]));
        check_error("Reverse", [x([0; 6]), [true].into()], "dims must be a vector of 2");
        let deep = Tensor::zeros(DType::Int8, vec![1; 9]).unwrap();
        check_error("Reverse", [deep, vec![true; 9].into()], "8 is the most");
    }

    #[test]
    fn reverses_along_axes() {
        let x = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        let cases: [(&[i32], [i32; 6]); 4] = [
            (&[0], [4, 5, 6, 1, 2, 3]),
            (&[-1], [3, 2, 1, 6, 5, 4]),
            (&[1, 0], [6, 5, 4, 3, 2, 1]),
            (&[], [1, 2, 3, 4, 5, 6]),
        ];
        for (axes, expected) in cases {
            let out = run_one("ReverseV2", vec![x.clone(), axes.into()]).unwrap();
            assert_eq!(out.as_slice::<i32>().unwrap(), expected);
        }
        for axes in [[2, 0], [0, -2]] {
            assert!(run_one("ReverseV2", vec![x.clone(), axes.into()]).is_err());
        }
        let text =
            run_one("ReverseV2", vec![Tensor::from([TString::from("a"), "b".into()]), Tensor::from([0])]).unwrap();
        assert_eq!(text.as_slice::<TString>().unwrap(), [TString::from("b"), "a".into()]);
    }
}
