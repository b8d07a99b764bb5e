//! New tensor arrays, those of gradients, and their end.

use std::sync::Arc;

use super::array::{Declaration, TensorArray};
use crate::arguments::{Size, Vector};
use oplink::prelude::*;
use oplink_ops::state::{TensorArrayCloseV3, TensorArrayGradV3, TensorArrayGradWithShape, TensorArrayV3};
use oplink_ops::state::{TensorArrayV3Attrs, TensorArrayV3Outputs};

/// `TensorArrayV3` of every dtype: a new array of `size` elements, or with the attr `dynamic_size` of as many at first.
/// It lives until nobody has a handle to it. The attr `element_shape` is what is known of every element's shape; with
/// `identical_element_shapes` all have that of the first one written. With `clear_after_read` an element can be read
/// once.
#[kernel(TensorArrayV3, device = CPU, dtype = any, host_memory = [size])]
pub fn tensor_array_v3_cpu(
    size: Size,
    attrs: TensorArrayV3Attrs<'_>,
    outputs: &mut TensorArrayV3Outputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let name = if attrs.tensor_array_name.is_empty() { &env.node().name } else { attrs.tensor_array_name };
    let declaration = Declaration {
        name: name.to_owned(),
        dtype: attrs.dtype,
        element_shape: attrs.element_shape.clone(),
        dynamic_size: attrs.dynamic_size,
        clear_after_read: attrs.clear_after_read,
        identical_element_shapes: attrs.identical_element_shapes,
        sums: false,
    };
    outputs.handle.set_scalar(TensorArray::handle(declaration, size.0)?);
    outputs.flow.set_scalar(0f32);
    Ok(())
}

/// `TensorArrayGradV3` and `TensorArrayGradWithShape` of every dtype: the array of a tensor array's gradients. There is
/// one for each value of the attr `source`, made the first time; from then on the array does not grow. It has as many
/// elements, of the same shapes, before whose extents the second form puts those in `shape_to_prepend`. What is written
/// to one position adds up.
#[kernel(TensorArrayGradV3, device = CPU)]
#[kernel(TensorArrayGradWithShape, device = CPU)]
pub fn tensor_array_grad_v3_cpu(
    handle: Arc<TensorArray>,
    flow_in: Input<'_>,
    shape_to_prepend: Option<Vector>,
    source: &str,
    mut grad_handle: OutputSlot<'_>,
    mut flow_out: OutputSlot<'_>,
) -> Result<()> {
    let outer = shape_to_prepend.map_or(Ok(Shape::scalar()), |outer| Shape::from_i64(&outer.0))?;
    grad_handle.set_scalar(handle.open()?.gradient(source, &outer)?);
    flow_out.set(flow_in.take());
    Ok(())
}

/// `TensorArrayCloseV3` of every dtype: lets the elements of a tensor array go. Whoever uses the array afterwards gets
/// an error.
#[kernel(TensorArrayCloseV3, device = CPU)]
pub fn tensor_array_close_v3_cpu(handle: Arc<TensorArray>) {
    handle.close();
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
