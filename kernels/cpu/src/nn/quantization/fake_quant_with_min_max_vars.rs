//! `FakeQuantWithMinMaxVars`: values rounded to the steps of a quantised range.
//!
//! `min` and `max` are scalars; values outside become the nearest end. The range is shifted so that 0 is one of its `2^num_bits`
//! steps (one less with `narrow_range`). NaN stays. All values become 0 where `min` and `max` are 0.

use oplink::prelude::*;

use super::fake_quant::{Steps, quantize};
use crate::support::elementwise::unary;

/// `inputs` rounded to the steps of the range `min` to `max`.
#[op("FakeQuantWithMinMaxVars",
     input = "inputs: float",
     input = "min: float",
     input = "max: float",
     output = "outputs: float",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = fake_quant_shape)]
pub struct FakeQuantWithMinMaxVars;

fn fake_quant_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    c.with_rank(2, 0)?;
    shape_fns::unchanged(c)
}

/// `FakeQuantWithMinMaxVars` in f32.
#[kernel(FakeQuantWithMinMaxVars, device = CPU)]
pub fn fake_quant_with_min_max_vars_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    for (index, name) in [(1, "min"), (2, "max")] {
        let rank = context.input(index).rank();
        ensure!(rank == 0, "{name} must be a scalar, its rank is {rank}");
    }
    let (min, max) = (context.input(1).to_scalar::<f32>()?, context.input(2).to_scalar::<f32>()?);
    let steps = Steps::new(context, min, max)?;
    if min == 0.0 && max == 0.0 {
        return unary::<f32>(context, |_| 0.0);
    }
    quantize(context, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn values_become_steps() {
        let quantize = |range: [f32; 2]| {
            let inputs =
                vec![Tensor::from_slice(&[-7f32, -0.4, 0.6]), Tensor::scalar(range[0]), Tensor::scalar(range[1])];
            run("FakeQuantWithMinMaxVars", &[("num_bits", 2.into())], inputs).unwrap()[0]
                .as_slice::<f32>()
                .unwrap()
                .to_vec()
        };
        assert_eq!(quantize([-1.0, 2.0]), [-1.0, 0.0, 1.0]);
        assert_eq!(quantize([0.0, 0.0]), [0.0, 0.0, 0.0]);
    }
}
