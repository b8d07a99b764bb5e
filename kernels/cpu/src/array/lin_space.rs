//! `LinSpace`: `num` numbers from `start` to `stop`, evenly apart.
//!
//! `start + i * (stop - start) / (num - 1)`, the last being `stop` itself; `start` alone where `num` is 1. It is an error
//! when `num` is below 1.

use oplink::int_values;
use oplink::prelude::*;

/// Evenly spaced numbers.
#[op("LinSpace",
     input = "start: T",
     input = "stop: T",
     input = "num: Tidx",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::lin_space)]
pub struct LinSpace;

/// `LinSpace` of floats.
#[kernel(LinSpace, device = CPU, T = [floats], Tidx = any, host_memory = [start, stop, num, output])]
pub fn lin_space_cpu<T: Float>(context: &KernelContext<'_>, start: T, stop: T, num: &Tensor) -> Result<Tensor> {
    let count = match int_values(num)?[..] {
        [count] if count > 0 => count as usize,
        _ => bail!("num must be one number > 0, it is {num}"),
    };
    let mut out = context.allocate_output(0, [count])?;
    let values = out.as_mut_slice::<T>()?;
    values[0] = start;
    if count > 1 {
        let number = |value: usize| <T as num_traits::NumCast>::from(value).unwrap_or(T::nan());
        let step = (stop - start) / number(count - 1);
        for (position, value) in values.iter_mut().enumerate().skip(1) {
            *value = start + step * number(position);
        }
        values[count - 1] = stop;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn spaces_evenly() {
        let space =
            |num: i32| run_one("LinSpace", vec![Tensor::scalar(0f32), Tensor::scalar(3f32), Tensor::scalar(num)]);
        assert_eq!(space(4).unwrap().as_slice::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(space(1).unwrap().as_slice::<f32>().unwrap(), [0.0]);
        assert!(space(0).is_err());
    }
}
