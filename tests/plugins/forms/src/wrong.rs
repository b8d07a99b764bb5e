//! Kernels that go wrong.

use oplink::prelude::*;

/// Panics above zero.
#[op("FormPanic", input = "x: float", output = "y: float")]
pub struct FormPanic;

#[kernel(FormPanic, device = CPU)]
pub fn form_panic_cpu(x: f32) -> f32 {
    assert!(x <= 0.0, "{x} is above zero");
    x
}

/// Sets no output.
#[op("FormUnset", output = "first: float", output = "second: float")]
pub struct FormUnset;

#[kernel(FormUnset, device = CPU)]
pub fn form_unset_cpu(c: &mut KernelContext<'_>) {
    c.set_scalar(0, 1f32);
}

/// Sets an output of another dtype.
#[op("FormWrong", output = "y: float")]
pub struct FormWrong;

#[kernel(FormWrong, device = CPU)]
pub fn form_wrong_cpu(c: &mut KernelContext<'_>) {
    c.set_scalar(0, 1i32);
}

/// Wants a step.
#[op("FormStep", output = "id: int64")]
pub struct FormStep;

#[kernel(FormStep, device = CPU)]
pub fn form_step_cpu(c: &mut KernelContext<'_>) -> Result<()> {
    let id = c.step()?.id();
    c.set_scalar(0, id as i64);
    Ok(())
}

/// Takes a resource.
#[op("FormResource", input = "handle: resource", output = "y: float")]
pub struct FormResource;

#[kernel(FormResource, device = CPU)]
pub fn form_resource_cpu(handle: &Tensor) -> f32 {
    handle.num_elements() as f32
}

/// Panics while shapes are inferred.
#[op("FormPanicInShape", input = "x: float", output = "y: float")]
pub fn form_panic_in_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    assert!(c.input(0).rank() != Some(3), "rank 3");
    Ok(())
}

#[kernel(FormPanicInShape, device = CPU)]
pub fn form_panic_in_shape_cpu(x: &Tensor) -> Tensor {
    x.clone()
}
