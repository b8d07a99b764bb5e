//! `TensorListSetItem`: a list with one element replaced.
//!
//! Where nobody else holds the list it is changed in place, at a cost that does not depend on its length. The item must fit
//! the list's element shape; an index beyond the end is an error, or with the attr `resize_if_index_out_of_bounds` makes the
//! list longer by elements that are not set. Every dtype.

use oplink::prelude::*;

use super::access::change;
use super::shapes;
use crate::state::arguments;

/// The list with `item` at `index`.
#[op("TensorListSetItem",
     input = "input_handle: variant",
     input = "index: int32",
     input = "item: element_dtype",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "resize_if_index_out_of_bounds: bool = false",
     shape = shapes::set_item)]
pub struct TensorListSetItem;

/// `TensorListSetItem` of every dtype.
#[kernel(TensorListSetItem, device = CPU, element_dtype = any, host_memory = [index])]
pub fn tensor_list_set_item_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let at = arguments::not_negative(arguments::scalar(context, 1, "index")?, "index")?;
    let resize: bool = context.attr("resize_if_index_out_of_bounds")?;
    let item = context.take_input(2);
    change(context, |list| {
        let length = list.elements.len();
        ensure!(at < length || resize, "index {at} is outside of a list of {length} elements");
        list.check_shape(item.shape())?;
        if at >= length {
            list.elements.resize(at + 1, None);
        }
        list.elements[at] = Some(item);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    fn elements(list: &Tensor) -> *const Option<Tensor> {
        let variants = list.as_slice::<oplink::Variant>().unwrap();
        variants[0].get::<crate::state::list::TensorList>().unwrap().elements.as_ptr()
    }

    #[test]
    fn a_list_that_nobody_else_holds_is_changed_in_place() {
        let rows = Tensor::from_vec([2, 1], vec![1f32, 2.0]).unwrap();
        let list = run_one("TensorListFromTensor", vec![rows, Tensor::scalar(-1)]).unwrap();
        let set = |list, value: f32| run_one("TensorListSetItem", vec![list, 1.into(), [value].into()]).unwrap();
        let (before, list) = (elements(&list), set(list, 5.0));
        assert_eq!(elements(&list), before);
        let copy = set(list.clone(), 6.0);
        assert_ne!(elements(&copy), elements(&list));
    }
}
