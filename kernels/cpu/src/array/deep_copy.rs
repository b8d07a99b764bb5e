//! `DeepCopy`: the same elements in memory of their own.

use oplink::prelude::*;

/// Copies its input.
#[op("DeepCopy", input = "x: T", output = "y: T", attr = "T: type", stateful, shape = shape_fns::unchanged)]
pub struct DeepCopy;

/// `DeepCopy` of every dtype.
#[kernel(DeepCopy, device = CPU, T = any)]
pub fn deep_copy_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let y = context.input(0).deep_copy()?;
    context.set_output(0, y);
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::run_one;

    #[test]
    fn copies() {
        let x = Tensor::from(["a", "b"].map(TString::from));
        let y = run_one("DeepCopy", vec![x.clone()]).unwrap();
        assert!(!y.shares_memory_with(&x));
        assert_eq!(y.as_slice::<TString>().unwrap(), x.as_slice::<TString>().unwrap());
    }
}
