//! `Placeholder` and `PlaceholderV2`: values that each run is fed with.
//!
//! A run that needs one and does not feed it gets an error.

use oplink::prelude::*;

/// A value of the attr `dtype` and, as far as it is known, the attr `shape`, fed at each run.
#[op("Placeholder",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "shape: shape = { unknown_rank: true }",
     shape = shape_fns::placeholder)]
pub struct Placeholder;

/// As `Placeholder`.
#[op("PlaceholderV2",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "shape: shape",
     deprecated(since = 23, note = "Placeholder now behaves the same as PlaceholderV2."),
     shape = shape_fns::placeholder)]
pub struct PlaceholderV2;

/// Says that the value was not fed.
#[kernel(Placeholder, device = CPU, dtype = any)]
pub fn placeholder_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    not_fed(context)
}

/// Says that the value was not fed.
#[kernel(PlaceholderV2, device = CPU, dtype = any)]
pub fn placeholder_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    not_fed(context)
}

fn not_fed(context: &KernelContext<'_>) -> Result<()> {
    let node = context.node();
    let shape = node.attr::<&PartialShape>("shape")?;
    bail!("placeholder `{}` must be fed with a value of {} and shape {shape}", node.name, node.output_dtypes[0])
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run;
    use oplink::DType;

    #[test]
    fn an_unfed_value_is_an_error_that_names_it() {
        let error = run("Placeholder", &[("dtype", DType::Float.into())], vec![]).unwrap_err();
        assert_eq!(error.message(), "placeholder `Placeholder` must be fed with a value of float and shape ?");
    }
}
