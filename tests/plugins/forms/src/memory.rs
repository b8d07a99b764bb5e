//! Memory that inputs and outputs share, or do not.

use oplink::prelude::*;

/// Adds one, and says whether the input's memory was taken.
#[op("FormForward", input = "x: float", output = "y: float", output = "taken: bool")]
pub fn form_forward(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, c.input(0).clone());
    c.set_output(1, PartialShape::scalar());
    Ok(())
}

#[kernel(FormForward, device = CPU)]
pub fn form_forward_cpu(c: &mut KernelContext<'_>) -> Result<()> {
    let shape = c.input(0).shape().clone();
    let (taken, mut y) = c.forward_or_allocate(&[0], 0, &shape)?;
    let out = y.as_mut_slice::<f32>()?;
    if taken.is_none() {
        out.copy_from_slice(c.input(0).as_slice()?);
    }
    out.iter_mut().for_each(|y| *y += 1.0);
    c.set_output(0, y);
    c.set_scalar(1, taken.is_some());
    Ok(())
}

/// Gives its input.
#[op("FormPass", input = "x: T", output = "y: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct FormPass;

#[kernel(FormPass, device = CPU, T = any)]
pub fn form_pass_cpu(x: &Tensor) -> Tensor {
    x.clone()
}

/// Gives its input under another shape.
#[op("FormReshaped", input = "x: T", output = "y: T", attr = "T: type")]
pub struct FormReshaped;

#[kernel(FormReshaped, device = CPU, T = any)]
pub fn form_reshaped_cpu(x: &Tensor) -> Result<Tensor> {
    x.clone().with_shape([x.num_elements()])
}

/// Writes a copy.
#[op("FormTypes", input = "x: T", output = "y: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct FormTypes;

#[kernel(FormTypes, device = CPU,
         T = [f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, bool, Complex<f32>, Complex<f64>, TString])]
pub fn form_types_cpu<T: Element>(x: ArrayViewD<'_, T>, mut y: ArrayViewMutD<'_, T>) {
    y.assign(&x);
}

/// TensorFlow's op, for which the plugin has a kernel.
#[op("Softsign", input = "features: T", output = "activations: T",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT", shape = shape_fns::unchanged)]
pub struct Softsign;

#[kernel(Softsign, device = CPU, priority = 7, T = [f64])]
pub fn softsign_cpu(features: ArrayViewD<'_, f64>) -> ArrayD<f64> {
    features.map(|x| x + 42.0)
}
