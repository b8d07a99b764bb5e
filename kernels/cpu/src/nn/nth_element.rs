//! `NthElement`: the element that would stand at position `n` of each row in rising order.
//!
//! `input` has rank 1 at least, rows run along its last axis; `n` is a scalar, 0 <= n < the last extent. With `reverse` rows are
//! in falling order. NaN counts as larger than every number.

use std::cmp::Ordering;

use oplink::{int_values, prelude::*};

use crate::support::parallel::for_each_row;

/// Elements of the input that one thread should at least have.
const TASK_COST: usize = 1 << 13;

/// The `n`th smallest element along the last axis.
#[op("NthElement",
     input = "input: T",
     input = "n: int32",
     output = "values: T",
     attr = "reverse: bool = false",
     attr = "T: realnumbertype",
     shape = nth_element_shape)]
pub struct NthElement;

fn nth_element_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    let n = c.constant_int(1)?;
    ensure!(n.is_none_or(|n| n >= 0), "n must be >= 0, it is {}", n.unwrap_or_default());
    let shape = match input.dims().and_then(<[_]>::split_last) {
        None => PartialShape::unknown(),
        Some((&last, leading)) => {
            let fits = n.zip(last).is_none_or(|(n, last)| (n as usize) < last);
            ensure!(fits, "n is {}, the last axis of {input} is not longer", n.unwrap_or_default());
            PartialShape::new(leading)
        }
    };
    c.set_output(0, shape);
    Ok(())
}

/// `NthElement` for every real number.
#[kernel(NthElement, device = CPU, T = [reals])]
pub fn nth_element_cpu<T: Real>(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, n) = (context.input(0), context.input(1));
    ensure!(n.rank() == 0, "n must be a scalar, its shape is {}", n.shape());
    let n = int_values(n)?[0];
    let Some((&extent, leading)) = input.shape().split_last() else {
        bail!("input must be of rank 1 at least, it is a scalar")
    };
    ensure!(
        (0..extent as i64).contains(&n),
        "n is {n}, it must be >= 0 and less than the last extent of input, {extent}"
    );
    let n = if context.attr("reverse")? { extent - 1 - n as usize } else { n as usize };
    let mut output = context.allocate_output(0, leading)?;
    let values = input.as_slice::<T>()?;
    if output.num_elements() > 0 {
        for_each_row(context.env(), output.as_mut_slice::<T>()?, 1, TASK_COST.div_ceil(extent), &|row, out| {
            let mut row = values[row * extent..][..extent].to_vec();
            out[0] = *row.select_nth_unstable_by(n, order).1;
        });
    }
    context.set_output(0, output);
    Ok(())
}

fn order<T: Real>(a: &T, b: &T) -> Ordering {
    a.partial_cmp(b).unwrap_or_else(|| a.is_nan_value().cmp(&b.is_nan_value()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

    #[test]
    fn elements_in_order() {
        let rows = Tensor::from_vec([2, 3], vec![3i32, 1, 2, 9, 7, 8]).unwrap();
        check("NthElement", [rows.clone(), 0.into()], [1, 7]);
        check_with("NthElement", &[("reverse", true.into())], [rows.clone(), 0.into()], [3, 9]);
        check_error("NthElement", [rows.clone(), 3.into()], "n is 3");
        check_error("NthElement", [rows, (-1).into()], "n is -1");
        check("NthElement", [[f32::NAN, 1.0, 0.0].into(), 1.into()], 1.0f32);
    }
}
