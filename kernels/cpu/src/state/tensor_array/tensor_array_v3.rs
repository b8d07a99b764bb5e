//! `TensorArrayV3`: a new array of tensors.
//!
//! It has `size` elements, or with the attr `dynamic_size` at first, and lives until nobody has a handle to it. The attr
//! `element_shape` is what is known of every element's shape; with `identical_element_shapes` the first that is written tells
//! all. With `clear_after_read` an element can be read once. Every dtype.

use oplink::prelude::*;

use super::array::{Declaration, TensorArray};
use super::shapes;
use crate::state::arguments;

/// A new array of tensors.
#[op("TensorArrayV3",
     input = "size: int32",
     output = "handle: resource",
     output = "flow: float",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     attr = "dynamic_size: bool = false",
     attr = "clear_after_read: bool = true",
     attr = "identical_element_shapes: bool = false",
     attr = "tensor_array_name: string = ''",
     stateful,
     shape = shapes::new_array)]
pub struct TensorArrayV3;

/// `TensorArrayV3` of every dtype.
#[kernel(TensorArrayV3, device = CPU, dtype = any, host_memory = [size])]
pub fn tensor_array_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let size = arguments::not_negative(arguments::scalar(context, 0, "size")?, "size")?;
    let name = match context.attr::<&str>("tensor_array_name")? {
        "" => &context.node().name,
        name => name,
    };
    let declaration = Declaration {
        name: name.to_owned(),
        dtype: context.attr("dtype")?,
        element_shape: context.attr("element_shape")?,
        dynamic_size: context.attr("dynamic_size")?,
        clear_after_read: context.attr("clear_after_read")?,
        identical_element_shapes: context.attr("identical_element_shapes")?,
        sums: false,
    };
    context.set_scalar(0, TensorArray::handle(declaration, size)?);
    context.set_scalar(1, 0f32);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::stepping::InStep;

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
