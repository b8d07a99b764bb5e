//! `LRNGrad`: the gradient of `LRN`.
//!
//! `input_grads` is the gradient of the output of `LRN`, `input_image` its input, `output_image` its output; all have one shape
//! of rank 4. Half precision is computed in f32.

use oplink::prelude::*;

use super::lrn::Response;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_row;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 12;

/// The gradient of `LRN`.
#[op("LRNGrad",
     input = "input_grads: T",
     input = "input_image: T",
     input = "output_image: T",
     output = "output: T",
     attr = "depth_radius: int = 5",
     attr = "bias: float = 1.0",
     attr = "alpha: float = 1.0",
     attr = "beta: float = 0.5",
     attr = "T: {half, bfloat16, float} = DT_FLOAT",
     shape = lrn_grad_shape)]
pub struct LRNGrad;

fn lrn_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.merge(&c.with_rank(0, 4)?, &c.with_rank(1, 4)?)?;
    let shape = c.merge(&shape, &c.with_rank(2, 4)?)?;
    c.set_output(0, shape);
    Ok(())
}

/// `LRNGrad` for the floats that TensorFlow normalises on the CPU.
#[kernel(LRNGrad, device = CPU, T = [f16, f32])]
pub fn lrn_grad_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    let response = Response::new(context)?;
    let shape = context.input(1).shape();
    let &[_, _, _, channels] = shape.dims() else { bail!("input_image must be of rank 4, its shape is {shape}") };
    ensure!(
        context.inputs().iter().all(|input| input.shape() == shape),
        "input_grads, input_image and output_image must have one shape, they are {}, {shape} and {}",
        context.input(0).shape(),
        context.input(2).shape()
    );
    let mut output = context.allocate_output(0, shape.clone())?;
    let lanes = |index: usize| context.input(index).as_slice::<T>().map(lanes_of);
    let (gradient, image, normalised) = (lanes(0)?, lanes(1)?, lanes(2)?);
    if output.num_elements() > 0 {
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            for_each_row(context.env(), out, channels, GRAIN, &|pixel, out| {
                let part = |values: &'_ [f32]| values[pixel * channels..][..channels].to_vec();
                pixel_gradient(&response, [&part(&gradient), &part(&image), &part(&normalised)], out);
            });
        });
    }
    context.set_output(0, output);
    Ok(())
}

/// The gradients of one pixel's channels.
fn pixel_gradient(response: &Response, [gradient, image, normalised]: [&[f32]; 3], out: &mut [f32]) {
    let mut bases = vec![0f32; out.len()];
    response.bases(image, &mut bases);
    out.fill(0.0);
    for (channel, &base) in bases.iter().enumerate() {
        let factor = -2.0 * response.alpha * response.beta * normalised[channel] / base * gradient[channel];
        for other in response.around(channel, out.len()) {
            out[other] += factor * image[other];
        }
        out[channel] += base.powf(-response.beta) * gradient[channel];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn one_channel() {
        let one = |value: f32| Tensor::from_vec([1, 1, 1, 1], vec![value]).unwrap();
        // x / (1 + x^2) at 1 has the derivative 0.
        let out = run("LRNGrad", &[("beta", 1.0.into())], vec![one(3.0), one(1.0), one(0.5)]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0]);
        let wrong = Tensor::from_vec([1, 1, 1, 2], vec![0f32; 2]).unwrap();
        assert!(run("LRNGrad", &[], vec![one(3.0), wrong, one(0.5)]).is_err());
    }
}
