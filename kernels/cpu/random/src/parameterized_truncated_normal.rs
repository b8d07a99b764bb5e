//! `ParameterizedTruncatedNormal`, `StatelessParameterizedTruncatedNormal`: how distributions are shared out over an
//! output. How their numbers are drawn is in `cut_normal`.

use super::cut_normal::{CutNormal, DrawnDType};
use super::sampling::{broadcast_positions, check_ending};
use oplink::prelude::*;
use oplink::shape_inference::broadcast_shapes;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{Generator, from_seed, output_shape};
use oplink_ops::random::{
    ParameterizedTruncatedNormal, ParameterizedTruncatedNormalInputs, ParameterizedTruncatedNormalOutputs,
    StatelessParameterizedTruncatedNormal,
};

/// Numbers that TensorFlow draws together where all have one distribution.
const BATCH: usize = 100;
/// Numbers that are set aside for an output.
const NUMBERS_PER_OUTPUT: u64 = 2000;

/// `ParameterizedTruncatedNormal` with the generator of the node.
pub struct ParameterizedTruncatedNormalCpu(Generator);

#[kernel(ParameterizedTruncatedNormal, device = CPU, dtype = [f16, f32, f64], T = any, host_memory = [shape])]
impl Kernel for ParameterizedTruncatedNormalCpu {
    type Op = ParameterizedTruncatedNormal;

    fn new(construction: Construction<'_, ParameterizedTruncatedNormal>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: ParameterizedTruncatedNormalInputs<'_>,
        outputs: &mut ParameterizedTruncatedNormalOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let shape = output_shape(&inputs.shape)?;
        let Some(&rows) = shape.first() else { bail!("shape must not be empty") };
        let parameters = [&inputs.means, &inputs.stdevs, &inputs.minvals, &inputs.maxvals].map(|input| &**input);
        let names = ["means", "stdevs", "minvals", "maxvals"];
        for (parameter, name) in parameters.iter().zip(names) {
            ensure!(parameter.rank() <= 1, "{name} must be a scalar or a vector, its shape is {}", parameter.shape());
        }
        let is_one = |parameter: &Tensor| parameter.rank() == 0 || parameter.num_elements() == 1;
        let all_one =
            is_one(parameters[0]) && is_one(parameters[1]) && parameters[2].rank() == 0 && parameters[3].rank() == 0;
        for (parameter, name) in parameters.iter().zip(names) {
            let fits = is_one(parameter) || parameter.num_elements() == rows;
            ensure!(fits, "{name} must have 1 or {rows} elements, its shape is {}", parameter.shape());
        }
        let width = if all_one { BATCH } else { shape[1..].iter().product() };
        let out = outputs.output.allocate(shape)?;
        let batches = out.num_elements().checked_div(width).map_or(rows, |_| out.num_elements().div_ceil(width));
        let blocks = (batches as u64).wrapping_mul(NUMBERS_PER_OUTPUT).wrapping_mul(width as u64 + 3) / 4;
        // bounded: numbers of a sequence, no memory
        let start = self.0.reserve(blocks);
        let layout = Layout::Rows { width };
        fill(&env, parameters, |batch, _| if all_one { 0 } else { batch }, layout, start, out)
    }
}

/// `StatelessParameterizedTruncatedNormal` of the floating dtypes.
#[kernel(StatelessParameterizedTruncatedNormal, device = CPU, S = any, Tseed = any, dtype = any,
         host_memory = [shape, seed])]
pub fn stateless_parameterized_truncated_normal_cpu(
    shape: &Tensor,
    seed: &Tensor,
    means: &Tensor,
    stddevs: &Tensor,
    minvals: &Tensor,
    maxvals: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (start, parameters) = (from_seed(seed)?, [means, stddevs, minvals, maxvals]);
    let mut whole = Shape::new(&[]);
    for parameter in parameters {
        whole = broadcast_shapes(&whole, parameter.shape())?;
    }
    let shape = output_shape(shape)?;
    check_ending(&shape, &whole)?;
    let out = output.allocate(shape)?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let mut positions = Vec::new();
    for parameter in parameters {
        positions.push(broadcast_positions(parameter.shape(), &whole)?);
    }
    let layout = Layout::Columns { count: whole.num_elements() };
    fill(&env, parameters, |batch, parameter| positions[parameter][batch], layout, start, out)
}

/// Which outputs have one distribution.
#[derive(Clone, Copy)]
enum Layout {
    /// So many that follow each other.
    Rows { width: usize },
    /// Every so many.
    Columns { count: usize },
}

/// Draws all numbers one after the other. `position` gives where a batch has an element of a parameter.
fn fill(
    env: &Env<'_>,
    parameters: [&Tensor; 4],
    position: impl Fn(usize, usize) -> usize,
    layout: Layout,
    start: Philox,
    out: &mut Tensor,
) -> Result<()> {
    match out.dtype() {
        DType::Half => fill_as::<f16>(env, parameters, position, layout, start, out),
        DType::Float => fill_as::<f32>(env, parameters, position, layout, start, out),
        _ => fill_as::<f64>(env, parameters, position, layout, start, out),
    }
}

fn fill_as<T: DrawnDType>(
    env: &Env<'_>,
    parameters: [&Tensor; 4],
    position: impl Fn(usize, usize) -> usize,
    layout: Layout,
    mut next: Philox,
    out: &mut Tensor,
) -> Result<()> {
    let values = [
        parameters[0].as_slice::<T>()?,
        parameters[1].as_slice::<T>()?,
        parameters[2].as_slice::<T>()?,
        parameters[3].as_slice::<T>()?,
    ];
    let distribution = |batch| {
        let value = |parameter: usize| match values[parameter] {
            [only] => *only,
            all => all[position(batch, parameter)],
        };
        CutNormal::new([value(0), value(1), value(2), value(3)])
    };
    let out = out.as_mut_slice::<T>()?;
    match layout {
        Layout::Rows { width } => {
            for (batch, row) in out.chunks_mut(width.max(1)).enumerate() {
                distribution(batch)?.fill(&mut next, env.watch(row))?;
            }
        }
        Layout::Columns { count } => {
            for batch in 0..count {
                let column = out[batch..].iter_mut().step_by(count);
                distribution(batch)?.fill(&mut next, env.watch(column))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    fn drawn(shape: &[i32], bounds: [f32; 2]) -> Result<Tensor> {
        let inputs = [0f32, 1.0, bounds[0], bounds[1]].map(Tensor::from);
        let attrs = [("seed", 1.into()), ("seed2", 2.into())];
        let inputs = [vec![Tensor::from_slice(shape)], inputs.to_vec()].concat();
        run("ParameterizedTruncatedNormal", &attrs, inputs).map(|mut out| out.remove(0))
    }

    #[test]
    fn numbers_are_those_of_tensorflow() {
        let expected = [-0.187_206_5f32, 0.715_199_23];
        assert_close(&drawn(&[2], [-1.0, 1.0]).unwrap(), &Tensor::from(expected), 8.0);
    }

    #[test]
    fn numbers_lie_between_the_bounds() {
        for [low, high] in [[3.0, f32::INFINITY], [3.0, 3.1], [f32::NEG_INFINITY, -2.0], [-0.5, 4.0]] {
            let out = drawn(&[500], [low, high]).unwrap();
            assert!(out.as_slice::<f32>().unwrap().iter().all(|number| (low..=high).contains(number)), "{low} {high}");
        }
    }

    #[test]
    fn distributions_without_a_number_are_errors() {
        for bounds in [[2.0, 1.0], [f32::NEG_INFINITY, f32::INFINITY], [0.0, f32::NAN]] {
            assert!(drawn(&[2], bounds).unwrap_err().to_string().contains("one of them finite"));
        }
        assert!(drawn(&[], [0.0, 1.0]).unwrap_err().to_string().contains("shape must not be empty"));
        assert_eq!(drawn(&[0, 2], [0.0, 1.0]).unwrap().shape().dims(), [0, 2]);
    }
}
