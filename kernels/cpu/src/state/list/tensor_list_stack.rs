//! `TensorListStack`: the elements of a list as the rows of a tensor.
//!
//! Elements have one shape, which fits the list's and `element_shape`; those never set are zeros. Without any element that
//! is set, the shape must be fully known from these two. The attr `num_elements` is the length to expect, -1 for any. Every
//! dtype.

use oplink::prelude::*;

use super::access::list;
use super::shapes;
use super::tensor_list::{common_shape, fully_known};
use crate::state::arguments;
use crate::state::rows::join;

/// The elements as rows.
#[op("TensorListStack",
     input = "input_handle: variant",
     input = "element_shape: int32",
     output = "tensor: element_dtype",
     attr = "element_dtype: type",
     attr = "num_elements: int = -1",
     shape = shapes::stack)]
pub struct TensorListStack;

/// `TensorListStack` of every dtype.
#[kernel(TensorListStack, device = CPU, element_dtype = any, host_memory = [element_shape])]
pub fn tensor_list_stack_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let list = list(context, 0)?;
    let (count, expected) = (list.elements.len(), context.attr::<i64>("num_elements")?);
    ensure!(expected == -1 || expected == count as i64, "the list has {count} elements, {expected} are expected");
    let shape = list.shape_with(&arguments::element_shape(context, 1)?)?;
    let shape = fully_known(&common_shape(shape, list.elements.iter())?)?;
    let length = shape.num_elements();
    let elements: Vec<_> = list.elements.iter().map(|element| (element.as_ref(), length)).collect();
    let out = join(context, 0, [&[count], shape.dims()].concat(), &elements)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{run, run_one};

    #[test]
    fn rows_come_back() {
        let rows = Tensor::from_vec([2, 2], vec![1i32, 2, 3, 4]).unwrap();
        let list = run_one("TensorListFromTensor", vec![rows.clone(), Tensor::scalar(-1)]).unwrap();
        let attrs = [("element_dtype", DType::Int32.into())];
        let stacked = run("TensorListStack", &attrs, vec![list, [2].into()]).unwrap();
        assert_eq!(AttrValue::from(&stacked[0]), AttrValue::from(rows));
    }
}
