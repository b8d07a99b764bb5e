//! `Unpack`: a tensor taken apart along one axis, which goes.
//!
//! The attr `axis` lies in `[-rank, rank)`; its extent is the number of outputs, the attr `num`. Every dtype. Outputs share
//! the input's memory where they stand together in it.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Host, Mover, take_range};

/// Takes `value` apart along `axis`.
#[op("Unpack",
     input = "value: T",
     output = "output: num * T",
     attr = "num: int >= 0",
     attr = "T: type",
     attr = "axis: int = 0",
     shape = shape_fns::unpack)]
pub struct Unpack;

/// `Unpack` of every dtype.
#[kernel(Unpack, device = CPU, T = any)]
pub fn unpack_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unpack_by::<Host>(context)
}

/// `Unpack` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn unpack_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.input(0).clone();
    let axis = arguments::axis(context.attr("axis")?, value.rank(), "axis")?;
    ensure!(
        value.shape()[axis] == context.num_outputs(),
        "axis {axis} of shape {} must have extent {}, the number of outputs",
        value.shape(),
        context.num_outputs()
    );
    let mut dims = value.shape().to_vec();
    dims.remove(axis);
    for index in 0..context.num_outputs() {
        let out = take_range::<M>(context, index, &value, axis, index, 1, Shape::new(&dims))?;
        context.set_output(index, out);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run;
    use oplink::Tensor;

    #[test]
    fn takes_apart_along_each_axis() {
        let x = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        let rows = run("Unpack", &[("num", 2.into())], vec![x.clone()]).unwrap();
        assert_eq!(rows[1].as_slice::<i32>().unwrap(), [4, 5, 6]);
        assert!(rows[1].shares_memory_with(&x));
        let columns = run("Unpack", &[("num", 3.into()), ("axis", (-1i64).into())], vec![x]).unwrap();
        assert_eq!(columns[2].as_slice::<i32>().unwrap(), [3, 6]);
    }

    #[test]
    fn another_extent_is_an_error() {
        assert!(run("Unpack", &[("num", 3.into())], vec![Tensor::from([1, 2])]).is_err());
        assert!(run("Unpack", &[("num", 1.into())], vec![Tensor::scalar(1)]).is_err());
    }
}
