//! `Identity` and its kin: the inputs themselves; `DeepCopy`, and `NoOp`, which has none.
//!
//! Outputs share the inputs' memory, whatever their dtype. The ops differ in what graph passes and gradients make of
//! them. The input of `PlaceholderWithDefault` is the value of runs that do not feed it.

use oplink::prelude::*;
use oplink_ops::array::{
    DeepCopy, GuaranteeConst, Identity, IdentityN, NoOp, PlaceholderWithDefault, PreventGradient, Snapshot,
    StopGradient,
};

/// The input. `Snapshot` needs no copy: tensors are never written while they are shared.
#[kernel(Identity, device = CPU, T = any)]
#[kernel(StopGradient, device = CPU, T = any)]
#[kernel(PreventGradient, device = CPU, T = any)]
#[kernel(Snapshot, device = CPU, T = [numbers, bool])]
#[kernel(PlaceholderWithDefault, device = CPU, dtype = any)]
pub fn identity_cpu(input: Input<'_>, mut output: OutputSlot<'_>) {
    output.set(input.take());
}

/// `IdentityN` of every dtype: each input as the output of the same index.
#[kernel(IdentityN, device = CPU)]
pub fn identity_n_cpu(input: InputList<'_>, mut output: OutputList<'_>) {
    for (input, mut output) in input.into_inputs().zip(output.iter_mut()) {
        output.set(input.take());
    }
}

/// `GuaranteeConst` of every dtype but resource, whose contents may change.
#[kernel(GuaranteeConst, device = CPU, T = any)]
pub fn guarantee_const_cpu(input: Input<'_>, mut output: OutputSlot<'_>) -> Result<()> {
    ensure!(input.dtype() != DType::Resource, "the input cannot be a resource: what it names may change");
    output.set(input.take());
    Ok(())
}

/// `DeepCopy` of every dtype: the same elements in memory of their own.
#[kernel(DeepCopy, device = CPU, T = any)]
pub fn deep_copy_cpu(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    y.set(x.deep_copy()?);
    Ok(())
}

/// Does nothing: a node for control dependencies to meet in.
#[kernel(NoOp, device = CPU)]
pub fn no_op_cpu() {}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, output_shapes, run, run_one};

    #[test]
    fn outputs_share_the_inputs_memory() {
        for op in ["Identity", "StopGradient", "PreventGradient", "Snapshot"] {
            let x = Tensor::from([1f32, 2.0]);
            assert!(run_one(op, vec![x.clone()]).unwrap().shares_memory_with(&x), "{op}");
        }
        let x = Tensor::from([TString::from("a string that does not fit inside its head")]);
        assert!(run_one("Identity", vec![x.clone()]).unwrap().shares_memory_with(&x));
    }

    #[test]
    fn each_output_shares_its_inputs_memory() {
        let inputs = [Tensor::from([1f32, 2.0]), Tensor::scalar(true)];
        let out = run("IdentityN", &[], inputs.to_vec()).unwrap();
        assert_eq!(out.len(), 2);
        assert!(out.iter().zip(&inputs).all(|(o, i)| o.shares_memory_with(i)));
    }

    #[test]
    fn copies() {
        let x = Tensor::from(["a", "b"].map(TString::from));
        let y = run_one("DeepCopy", vec![x.clone()]).unwrap();
        assert!(!y.shares_memory_with(&x));
        assert_eq!(y.as_slice::<TString>().unwrap(), x.as_slice::<TString>().unwrap());
    }

    #[test]
    fn gives_its_input() {
        check("GuaranteeConst", [[1, 2].into()], [1, 2]);
    }

    #[test]
    fn passes_the_default_through() {
        let x = Tensor::from([1, 2]);
        let shape = PartialShape::new(&[None]);
        let out = run("PlaceholderWithDefault", &[("shape", (&shape).into())], vec![x.clone()]).unwrap();
        assert!(out[0].shares_memory_with(&x));
        assert_eq!(output_shapes("PlaceholderWithDefault", &[("shape", (&shape).into())], &[x]).unwrap(), [shape]);
    }

    #[test]
    fn runs() {
        assert!(run("NoOp", &[], vec![]).unwrap().is_empty());
    }
}
