//! `StringJoin`: strings of several tensors joined element by element.
//!
//! The inputs have one shape, scalars join with every element; the attr `separator` stands between.

use oplink::prelude::*;

/// Joins strings of several tensors.
#[op("StringJoin",
     input = "inputs: N * string",
     output = "output: string",
     attr = "N: int >= 0",
     attr = "separator: string = ''",
     shape = shape_fns::string_join)]
pub struct StringJoin;

/// `StringJoin`.
#[kernel(StringJoin, device = CPU)]
pub fn string_join_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let separator = context.attr::<&[u8]>("separator")?;
    let inputs = context.inputs();
    let shape = common_shape(inputs)?;
    let mut out = context.allocate_output(0, shape)?;
    let strings = inputs.iter().map(Tensor::as_slice).collect::<Result<Vec<&[TString]>>>()?;
    for (index, out) in out.as_mut_slice::<TString>()?.iter_mut().enumerate() {
        let pick =
            |(input, strings): (&Tensor, &&[TString])| strings[if input.rank() == 0 { 0 } else { index }].clone();
        let parts: Vec<TString> = inputs.iter().zip(&strings).map(pick).collect();
        *out = TString::new(parts.iter().map(TString::as_bytes).collect::<Vec<_>>().join(separator));
    }
    context.set_output(0, out);
    Ok(())
}

/// The shape of the inputs that are no scalars.
fn common_shape(inputs: &[Tensor]) -> Result<Shape> {
    let mut tensors = inputs.iter().filter(|input| input.rank() > 0);
    let Some(first) = tensors.next() else { return Ok(Shape::scalar()) };
    if let Some(other) = tensors.find(|other| other.shape() != first.shape()) {
        bail!("inputs must have one shape or be scalars, there are {} and {}", first.shape(), other.shape());
    }
    Ok(first.shape().clone())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check_error, check_with};

    #[test]
    fn joins() {
        let (a, b) = (["a", "b"].map(TString::from), ["c", "d"].map(TString::from));
        let expected = ["a+x+c", "b+x+d"].map(TString::from);
        check_with("StringJoin", &[("separator", "+".into())], [a.clone().into(), "x".into(), b.into()], expected);
        check_with("StringJoin", &[], [], TString::default());
        check_error("StringJoin", [a.into(), [TString::from("x")].into()], "inputs must have one shape");
    }
}
