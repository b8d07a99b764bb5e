//! `StringJoin` and `ReduceJoin`: strings joined, with the attr `separator` between them.
//!
//! `StringJoin` joins the strings of several tensors element by element. The inputs have one shape, scalars join with
//! every element.
//!
//! `ReduceJoin` joins the strings of one tensor along axes. `reduction_indices` lists the axes, negative ones counted
//! from the end: a string of the output joins the strings along them, the axis listed first varying fastest. Without
//! axes strings stay as they are; with `keep_dims` joined axes stay with extent 1. An axis outside of the rank or
//! listed twice is an error.

use oplink::memory::{try_collect, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::string::{ReduceJoin, StringJoin};

/// `StringJoin`.
#[kernel(StringJoin, device = CPU)]
pub fn string_join_cpu(inputs: &[Tensor], separator: &[u8], mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let out = output.allocate(common_shape(inputs)?)?;
    let strings = inputs.iter().map(Tensor::as_slice).collect::<Result<Vec<&[TString]>>>()?;
    let mut parts: Vec<&[u8]> = try_vec(inputs.len())?;
    for (index, out) in env.watch(out.as_mut_slice::<TString>()?).enumerate() {
        parts.clear();
        for (input, strings) in inputs.iter().zip(&strings) {
            parts.push(strings[if input.rank() == 0 { 0 } else { index }].as_bytes());
        }
        *out = separated(&parts, separator)?;
    }
    Ok(())
}

/// The strings with the separator between them.
fn separated(parts: &[&[u8]], separator: &[u8]) -> Result<TString> {
    let bytes = parts.iter().map(|part| part.len() + separator.len()).sum();
    let mut text = try_vec(bytes)?;
    for (at, part) in parts.iter().enumerate() {
        text.extend_from_slice(if at > 0 { separator } else { &[] });
        text.extend_from_slice(part);
    }
    Ok(TString::new(text))
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

/// `ReduceJoin`.
#[kernel(ReduceJoin, device = CPU)]
pub fn reduce_join_cpu(
    inputs: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    separator: &[u8],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let dims = inputs.shape().dims();
    let mut joined = axes(&int_values(reduction_indices)?, dims.len())?;
    let kept: Vec<usize> = (0..dims.len()).filter(|axis| !joined.contains(axis)).collect();
    let shape: Shape = if keep_dims {
        (0..dims.len()).map(|axis| if joined.contains(&axis) { 1 } else { dims[axis] }).collect()
    } else {
        kept.iter().map(|&axis| dims[axis]).collect()
    };
    let out = output.allocate(shape)?;
    let strings = inputs.as_slice::<TString>()?;
    let out = out.as_mut_slice::<TString>()?;
    if out.is_empty() || strings.is_empty() {
        out.fill(TString::default());
        return Ok(());
    }
    joined.reverse();
    let (starts, steps) = (offsets(dims, &kept, env)?, offsets(dims, &joined, env)?);
    for (out, start) in out.iter_mut().zip(starts) {
        let parts = try_collect(env.watch(&steps).map(|step| strings[start + step].as_bytes()))?;
        *out = separated(&parts, separator)?;
        env.poll();
    }
    Ok(())
}

/// The axes that are joined, in the order in which they are listed.
fn axes(listed: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut axes = Vec::new();
    for &axis in listed {
        let from_start = if axis < 0 { axis + rank as i64 } else { axis };
        let Some(axis) = usize::try_from(from_start).ok().filter(|&axis| axis < rank) else {
            let message = format!("reduction_indices has {axis}, outside of the {rank} axes of the input");
            return Err(Error::out_of_range(message));
        };
        ensure!(!axes.contains(&axis), "reduction_indices names axis {axis} twice");
        axes.push(axis);
    }
    Ok(axes)
}

/// Where the elements lie that some axes of a row-major tensor span, the last of them varying fastest. The tensor is
/// not empty.
fn offsets(dims: &[usize], axes: &[usize], env: Env<'_>) -> Result<Vec<usize>> {
    axes.iter().try_fold(vec![0], |offsets, &axis| {
        let stride: usize = dims[axis + 1..].iter().product();
        let along = offsets.iter().flat_map(|offset| (0..dims[axis]).map(move |index| offset + index * stride));
        try_collect(env.watch(along))
    })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_error, check_with, run};

    #[test]
    fn joins_element_by_element() {
        let (a, b) = (["a", "b"].map(TString::from), ["c", "d"].map(TString::from));
        let expected = ["a+x+c", "b+x+d"].map(TString::from);
        check_with("StringJoin", &[("separator", "+".into())], [a.clone().into(), "x".into(), b.into()], expected);
        check_with("StringJoin", &[], [], TString::default());
        check_error("StringJoin", [a.into(), [TString::from("x")].into()], "inputs must have one shape");
    }

    fn matrix() -> Tensor {
        Tensor::from_vec([3, 2], ["a", "b", "c", "d", "e", "f"].map(TString::from).to_vec()).unwrap()
    }

    #[test]
    fn joins_along_axes() {
        let attrs = [("separator", "-".into())];
        check_with("ReduceJoin", &attrs, [matrix(), 0.into()], ["a-c-e", "b-d-f"].map(TString::from));
        check_with("ReduceJoin", &attrs, [matrix(), [1, 0].into()], TString::from("a-b-c-d-e-f"));
        check_with("ReduceJoin", &attrs, [matrix(), [0, -1].into()], TString::from("a-c-e-b-d-f"));
        check_with("ReduceJoin", &attrs, [matrix(), Tensor::from_slice::<i32>(&[])], matrix());
        let empty = || Tensor::zeros(DType::String, [0, 2]).unwrap();
        check_with("ReduceJoin", &attrs, [empty(), 0.into()], ["", ""].map(TString::from));
    }

    #[test]
    fn extents_without_elements_take_no_memory() {
        let empty = |dims: [usize; 3]| Tensor::zeros(DType::String, dims).unwrap();
        let none = || Tensor::zeros(DType::String, [1 << 40, 0]).unwrap();
        check_with("ReduceJoin", &[], [empty([1 << 40, 2, 0]), 1.into()], none());
        check_with("ReduceJoin", &[], [empty([2, 1 << 40, 0]), [1, 2].into()], ["", ""].map(TString::from));
    }

    #[test]
    fn wrong_axes_are_errors() {
        let code = |axes: Tensor| run("ReduceJoin", &[], vec![matrix(), axes]).unwrap_err().code();
        assert_eq!(code([2].into()), Code::OutOfRange);
        assert_eq!(code([0, -2].into()), Code::InvalidArgument);
    }
}
