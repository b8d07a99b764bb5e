//! `Select`: elements or rows of one tensor or the other.

use oplink::ResourceHandle;
use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_support::elementwise::{Broadcast, choose};
use oplink_ops::math::Select;

/// `Select` of any element.
#[kernel(Select, device = CPU, T = [bool, numbers, TString, ResourceHandle, Variant, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn select_cpu<T: Element>(
    condition: &Tensor,
    t: Input<'_>,
    e: Input<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(
        t.shape() == e.shape(),
        "'then' and 'else' must have the same size.  but received: {} vs. {}",
        t.shape(),
        e.shape()
    );
    if condition.rank() == 0 {
        let chosen = if condition.to_scalar()? { t } else { e };
        output.set(chosen.take());
        return Ok(());
    }
    let broadcast = Broadcast::new([&condition_shape(condition.shape(), t.shape())?, t.shape(), e.shape()])?;
    choose::<T>([condition, &t, &e], output, env, &broadcast)
}

/// The condition's shape such that it broadcasts to `shape`.
fn condition_shape(condition: &Shape, shape: &Shape) -> Result<Shape> {
    if condition == shape {
        return Ok(condition.clone());
    }
    ensure!(
        condition.rank() == 1,
        "Inputs to operation Select must have the same size and shape.  Input 0: {condition} != input 1: {shape}"
    );
    ensure!(shape.rank() > 0, "'then' must be at least a vector, but saw shape: {shape}");
    ensure!(
        condition[0] == shape[0],
        "Number of batches of 'then' must match size of 'cond', but saw: {} vs. {}",
        shape[0],
        condition[0]
    );
    Ok((0..shape.rank()).map(|axis| if axis == 0 { shape[0] } else { 1 }).collect())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    fn matrix(values: [f32; 4]) -> Tensor {
        Tensor::from(values).with_shape([2, 2]).unwrap()
    }

    #[test]
    fn values_are_those_of_tensorflow() {
        let (t, e) = (matrix([1.0, 2.0, 3.0, 4.0]), matrix([5.0, 6.0, 7.0, 8.0]));
        check("Select", [[true, false].into(), t.clone(), e.clone()], matrix([1.0, 2.0, 7.0, 8.0]));
        check("Select", [false.into(), t.clone(), e.clone()], e.clone());
        let mask = Tensor::from([true, false, false, true]).with_shape([2, 2]).unwrap();
        check("Select", [mask, t, e], matrix([1.0, 6.0, 7.0, 4.0]));
    }

    #[test]
    fn shapes_that_do_not_fit_are_errors() {
        let t = || matrix([1.0; 4]);
        check_error("Select", [[true, false, true].into(), t(), t()], "must match size of 'cond', but saw: 2 vs. 3");
        check_error("Select", [true.into(), t(), [0.0f32].into()], "'then' and 'else' must have the same size");
        check_error("Select", [[true].into(), 1.0f32.into(), 2.0f32.into()], "'then' must be at least a vector");
    }
}
