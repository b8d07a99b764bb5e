//! How kernels reach the lists in their inputs.

use oplink::Variant;
use oplink::prelude::*;

use super::tensor_list::TensorList;

/// The list in a scalar input, whose elements are of the dtype of the attr `element_dtype` where the op has one.
pub(super) fn list<'a>(context: &'a KernelContext<'_>, index: usize) -> Result<&'a TensorList> {
    let input = context.input(index);
    ensure!(input.rank() == 0, "input {index} must be a scalar that holds a list, it has shape {}", input.shape());
    let list = of(&input.as_slice::<Variant>()?[0], index)?;
    if context.node().attrs.get("element_dtype").is_some() {
        list.check_dtype(context.attr("element_dtype")?)?;
    }
    Ok(list)
}

/// The list in a variant of input `index`.
pub(super) fn of(variant: &Variant, index: usize) -> Result<&TensorList> {
    variant.get().ok_or_else(|| {
        let what = if variant.type_name().is_empty() { "an empty variant" } else { variant.type_name() };
        Error::invalid_argument(format!("input {index} holds {what}, not a tensor list"))
    })
}

/// Changes the list in input 0 and sets output 0 to it: in place where nobody else holds the list, otherwise as a copy.
pub(super) fn change<R>(
    context: &mut KernelContext<'_>,
    change: impl FnOnce(&mut TensorList) -> Result<R>,
) -> Result<R> {
    list(context, 0)?;
    let mut tensor = context.take_input(0);
    let in_place = tensor.as_mut_slice::<Variant>().ok().and_then(|variants| variants[0].get_mut::<TensorList>());
    if let Some(list) = in_place {
        let result = change(list)?;
        context.set_output(0, tensor);
        return Ok(result);
    }
    let mut list = of(&tensor.as_slice::<Variant>()?[0], 0)?.clone();
    let result = change(&mut list)?;
    context.set_output(0, list.into_tensor());
    Ok(result)
}
