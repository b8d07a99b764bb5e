//! `FakeQuantWithMinMaxArgs`: values rounded to the steps of a quantised range that attrs give.
//!
//! Values outside `min` to `max` become the nearest end. The range is shifted so that 0 is one of its `2^num_bits` steps
//! (one less with `narrow_range`). NaN stays.

use oplink::prelude::*;

use super::fake_quant::{Steps, quantize};

/// `inputs` rounded to the steps of a range.
#[op("FakeQuantWithMinMaxArgs",
     input = "inputs: float",
     output = "outputs: float",
     attr = "min: float = -6.0",
     attr = "max: float = 6.0",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = shape_fns::unchanged)]
pub struct FakeQuantWithMinMaxArgs;

/// `FakeQuantWithMinMaxArgs` in f32.
#[kernel(FakeQuantWithMinMaxArgs, device = CPU)]
pub fn fake_quant_with_min_max_args_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (min, max) = (context.attr::<f32>("min")?, context.attr::<f32>("max")?);
    ensure!(min < max, "min has to be smaller than max, they are {min} and {max}");
    let steps = Steps::new(context, min, max)?.of_attrs(min, max);
    quantize(context, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn values_become_steps() {
        let attrs = [("min", (-1.0).into()), ("max", 2.0.into()), ("num_bits", 2.into())];
        let out =
            run("FakeQuantWithMinMaxArgs", &attrs, vec![Tensor::from_slice(&[-7f32, -0.4, 0.6, 1.4, 9.0])]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [-1.0, 0.0, 1.0, 1.0, 2.0]);
        assert!(run("FakeQuantWithMinMaxArgs", &[("min", 7.0.into())], vec![Tensor::scalar(1f32)]).is_err());
        assert!(run("FakeQuantWithMinMaxArgs", &[("num_bits", 17.into())], vec![Tensor::scalar(1f32)]).is_err());
    }
}
