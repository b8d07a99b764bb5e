//! `Roll`: a tensor whose elements are moved along axes, those that leave at one end coming in at the other.
//!
//! `shift` and `axis` are scalars or vectors of one length: along each axis (negative counts from the end), elements move
//! `shift` positions up; an axis may come several times. Every dtype. `input` is a vector at least.

use super::super::arguments;
use oplink::int_values;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, AxisList, CopyBackend, Host, row_major_strides};
use oplink_ops::array::Roll;

/// `Roll` of every dtype.
#[kernel(Roll, device = CPU, T = any, Tshift = any, Taxis = any, host_memory = [shift, axis])]
pub fn roll_cpu(input: &Tensor, shift: &Tensor, axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    roll_by::<Host>(input, shift, axis, output, env)
}

/// `Roll` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn roll_by<B: CopyBackend>(
    input: &Tensor,
    shift: &Tensor,
    axis: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(input.rank() > 0, "input must be at least a vector, it is a scalar");
    ensure!(
        shift.rank() <= 1 && shift.shape() == axis.shape(),
        "shift and axis must be scalars or vectors of one length, they have shapes {} and {}",
        shift.shape(),
        axis.shape()
    );
    let dims = input.shape();
    let mut shifts = vec![0; dims.rank()];
    for (shift, axis) in int_values(shift)?.into_iter().zip(int_values(axis)?) {
        let axis = arguments::axis(axis, dims.rank(), "axis")?;
        let count = dims[axis].max(1) as i64;
        shifts[axis] = (shifts[axis] + shift.rem_euclid(count)) % count;
    }
    let strides = row_major_strides(dims);
    let table = |axis: usize| {
        let (count, shift) = (dims[axis], shifts[axis] as usize);
        (0..count).map(|at| ((at + count - shift) % count) as isize * strides[axis]).collect::<Vec<_>>()
    };
    let tables: Vec<_> = (0..dims.rank()).map(|axis| if shifts[axis] > 0 { table(axis) } else { Vec::new() }).collect();
    let axes: AxisList<'_> = (0..dims.rank())
        .map(|axis| match shifts[axis] {
            0 => Axis::Strided { count: dims[axis], stride: strides[axis] },
            _ => Axis::Table(&tables[axis]),
        })
        .collect();
    B::copy_axes(env, output.allocate(dims.clone())?, input, 0, &axes)
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
