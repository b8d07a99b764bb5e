//! New tensor arrays, those of gradients, and their end.

use super::array::{Declaration, TensorArray};
use crate::arguments::{Size, Vector};
use oplink::prelude::*;
use oplink_ops::state::{self, TensorArrayClose, TensorArrayCloseV2, TensorArrayCloseV3, TensorArrayGrad};
use oplink_ops::state::{TensorArrayGradV2, TensorArrayGradV3, TensorArrayGradWithShape, TensorArrayV2, TensorArrayV3};

/// `TensorArrayV3` of every dtype, `TensorArrayV2` and `TensorArray`: a new array of `size` elements, or with the attr
/// `dynamic_size` of as many at first. It lives until nobody has a handle to it, those of the other versions until the
/// step ends. The attr `element_shape` is what is known of every element's shape; with `identical_element_shapes` all
/// have that of the first one written. With `clear_after_read` an element can be read once.
#[kernel(TensorArrayV3, device = CPU, dtype = any, host_memory = [size])]
#[kernel(TensorArrayV2, device = CPU, dtype = any)]
#[kernel(state::TensorArray, device = CPU, dtype = any)]
pub fn tensor_array_cpu(
    size: Size,
    dtype: DType,
    element_shape: &PartialShape,
    dynamic_size: bool,
    clear_after_read: bool,
    identical_element_shapes: Option<bool>,
    tensor_array_name: &str,
    mut handle: OutputSlot<'_>,
    flow: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let name = if tensor_array_name.is_empty() { &env.node().name } else { tensor_array_name };
    let declaration = Declaration {
        name: name.to_owned(),
        dtype,
        element_shape: element_shape.clone(),
        dynamic_size,
        clear_after_read,
        identical_element_shapes: identical_element_shapes.unwrap_or(false),
        sums: false,
    };
    let step = if flow.is_some() { None } else { Some(env.step()?.own_resources()) };
    set_handle(TensorArray::handle(declaration, size.0, step)?, &mut handle)?;
    if let Some(mut flow) = flow {
        flow.set_scalar(0f32);
    }
    Ok(())
}

/// `TensorArrayGradV3` and `TensorArrayGradWithShape` of every dtype, `TensorArrayGradV2` and `TensorArrayGrad`: the
/// array of a tensor array's gradients. There is one for each value of the attr `source`, made the first time; from
/// then on the array does not grow. It has as many elements, of the same shapes, before whose extents the second form
/// puts those in `shape_to_prepend`. What is written to one position adds up.
#[kernel(TensorArrayGradV3, device = CPU)]
#[kernel(TensorArrayGradWithShape, device = CPU)]
#[kernel(TensorArrayGradV2, device = CPU)]
#[kernel(TensorArrayGrad, device = CPU)]
pub fn tensor_array_grad_cpu(
    handle: &Tensor,
    flow_in: Input<'_>,
    shape_to_prepend: Option<Vector>,
    source: &str,
    mut grad_handle: OutputSlot<'_>,
    flow_out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let outer = shape_to_prepend.map_or(Ok(Shape::scalar()), |outer| Shape::from_i64(&outer.0))?;
    let array = TensorArray::of(handle, env)?;
    let step = if array.is_named() { Some(env.step()?.own_resources()) } else { None };
    let gradient = array.open()?.gradient(source, &outer, step)?;
    set_handle(gradient, &mut grad_handle)?;
    if let Some(mut flow_out) = flow_out {
        flow_out.set(flow_in.take());
    }
    Ok(())
}

/// Sets an output to a handle, or where it is of strings to the names.
fn set_handle(handle: ResourceHandle, output: &mut OutputSlot<'_>) -> Result<()> {
    let names = if output.dtype() == DType::String { handle.get::<TensorArray>()?.names() } else { None };
    output.set(names.unwrap_or_else(|| Tensor::scalar(handle)));
    Ok(())
}

/// `TensorArrayCloseV3` of every dtype, and the versions before it: lets the elements of a tensor array go. Whoever
/// uses the array afterwards gets an error.
#[kernel(TensorArrayCloseV3, device = CPU)]
#[kernel(TensorArrayCloseV2, device = CPU)]
#[kernel(TensorArrayClose, device = CPU)]
pub fn tensor_array_close_cpu(handle: &Tensor, env: Env<'_>) -> Result<()> {
    TensorArray::of(handle, env)?.close();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

    #[test]
    fn an_array_goes_with_its_last_handle() {
        let step = InStep::new(1);
        let made = step.run("TensorArrayV3", &[("dtype", DType::Float.into())], vec![1.into()]).unwrap();
        let array = made[0].to_scalar::<ResourceHandle>().unwrap().get::<TensorArray>().unwrap();
        let value = Tensor::from([1f32, 2.0]);
        let inputs = vec![made[0].clone(), 0.into(), value.clone(), made[1].clone()];
        step.run("TensorArrayWriteV3", &[], inputs).unwrap();
        assert!(!value.is_unique());
        drop((made, array));
        assert!(value.is_unique());
    }
}
