//! `Fill`: a tensor of shape `dims` with one value everywhere.
//!
//! `dims` is a vector (or a scalar, then the only extent) of extents >= 0, `value` a scalar. Every dtype.

use oplink::int_values;
use oplink::prelude::*;

use crate::support::movement::{Host, Mover};

/// Makes a tensor with one value everywhere.
#[op("Fill",
     input = "dims: index_type",
     input = "value: T",
     output = "output: T",
     attr = "T: type",
     attr = "index_type: {int32, int64} = DT_INT32",
     shape = shape_fns::fill)]
pub struct Fill;

/// `Fill` of every dtype.
#[kernel(Fill, device = CPU, T = any, index_type = any, host_memory = [dims])]
pub fn fill_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    fill_by::<Host>(context)
}

/// `Fill` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn fill_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let (dims, value) = (context.input(0), context.input(1));
    ensure!(dims.rank() <= 1, "dims must be a vector, it has shape {}", dims.shape());
    ensure!(value.num_elements() == 1, "value must be a scalar, it has shape {}", value.shape());
    let mut out = context.allocate_output(0, Shape::from_i64(&int_values(dims)?)?)?;
    M::fill(context, &mut out, Some(value))?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn fills() {
        let out = run_one("Fill", vec![Tensor::from([2, 1]), Tensor::from("x")]).unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<TString>().unwrap()),
            (&[2, 1][..], &["x".into(), "x".into()][..])
        );
        assert!(run_one("Fill", vec![Tensor::from([-1]), Tensor::scalar(1)]).is_err());
        assert!(run_one("Fill", vec![Tensor::from([1]), Tensor::from([1, 2])]).is_err());
    }
}
