//! `TensorListConcatLists`: lists with the elements of other lists at their ends.
//!
//! Both inputs have one shape, scalars or more; lists at one position have one dtype and one element shape. Every dtype.

use oplink::Variant;
use oplink::prelude::*;

use super::access::of;
use super::shapes;

/// The lists of `input_a`, each with the elements of the list of `input_b` after its own.
#[op("TensorListConcatLists",
     input = "input_a: variant",
     input = "input_b: variant",
     output = "output: variant",
     attr = "element_dtype: type",
     shape = shapes::concat_lists)]
pub struct TensorListConcatLists;

/// `TensorListConcatLists` of every dtype.
#[kernel(TensorListConcatLists, device = CPU, element_dtype = any)]
pub fn tensor_list_concat_lists_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (a, b) = (context.input(0), context.input(1));
    ensure!(a.shape() == b.shape(), "lists in shapes {} and {} cannot be joined", a.shape(), b.shape());
    let dtype: DType = context.attr("element_dtype")?;
    let joined = a.as_slice::<Variant>()?.iter().zip(b.as_slice::<Variant>()?).map(|(a, b)| {
        let (a, b) = (of(a, 0)?, of(b, 1)?);
        a.check_dtype(dtype)?;
        b.check_dtype(dtype)?;
        let (shape, other) = (&a.element_shape, &b.element_shape);
        ensure!(shape == other, "lists with elements of shapes {shape} and {other} cannot be joined");
        let mut list = a.clone();
        list.elements.extend_from_slice(&b.elements);
        Ok(Variant::new(list))
    });
    let joined = Tensor::from_vec(a.shape().clone(), joined.collect::<Result<Vec<_>>>()?)?;
    context.set_output(0, joined);
    Ok(())
}
