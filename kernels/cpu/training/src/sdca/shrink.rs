//! `SdcaShrinkL1`: small weights become 0.

use oplink::prelude::*;
use oplink::resource::Variable;
use oplink_ops::training::SdcaShrinkL1;

/// `SdcaShrinkL1`. Nobody else changes a variable while its weights are shrunk.
#[kernel(SdcaShrinkL1, device = CPU)]
pub fn sdca_shrink_l1_cpu(weights: InputList<'_>, l1: f32, l2: f32, env: Env<'_>) -> Result<()> {
    let shrinkage = l1 / l2;
    for input in weights.into_inputs() {
        env.poll();
        let variable = input.resource::<Variable>()?;
        let mut guard = variable.lock();
        let values = guard.value_mut(env.env())?.as_mut_slice::<f32>()?;
        values.iter_mut().for_each(|weight| *weight = shrunk(*weight, shrinkage));
    }
    Ok(())
}

/// What is no number stays so: there is no order in it.
fn shrunk(weight: f32, shrinkage: f32) -> f32 {
    let rest = weight.abs() - shrinkage;
    let sign = if weight == 0.0 { 0.0 } else { weight.signum() };
    sign * if rest < 0.0 { 0.0 } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn variable(values: Option<&[f32]>) -> Tensor {
        let handle = ResourceHandle::new(oplink::resource::ResourceInfo::default());
        let made = handle.get_or_create(|| Ok(Variable::new(DType::Float, PartialShape::unknown()))).unwrap();
        if let Some(values) = values {
            made.assign(Tensor::from_slice(values)).unwrap();
        }
        Tensor::scalar(handle)
    }

    fn shrunk_by(l1: f32, l2: f32, values: &[f32]) -> Vec<f32> {
        let handles = [variable(Some(values)), variable(Some(&[3.0]))];
        run("SdcaShrinkL1", &[("l1", l1.into()), ("l2", l2.into())], handles.to_vec()).unwrap();
        let read = |handle: &Tensor| {
            let handle = handle.to_scalar::<ResourceHandle>().unwrap();
            handle.get::<Variable>().unwrap().read().unwrap().as_slice::<f32>().unwrap().to_vec()
        };
        handles.iter().flat_map(read).collect()
    }

    #[test]
    fn weights_are_those_of_tensorflow() {
        let weights = [1.0, -2.0, 0.25, -0.0, 0.0, f32::INFINITY, f32::NEG_INFINITY];
        assert_eq!(shrunk_by(1.0, 2.0, &weights), [0.5, -1.5, 0.0, 0.0, 0.0, f32::INFINITY, f32::NEG_INFINITY, 2.5]);
        assert_eq!(shrunk_by(-1.0, 1.0, &weights[..5]), [2.0, -3.0, 1.25, 0.0, 0.0, 4.0]);
        assert!(shrunk_by(0.0, 0.0, &weights).iter().all(|weight| weight.is_nan()));
        assert!(shrunk_by(1.0, 2.0, &[f32::NAN])[0].is_nan());
    }

    #[test]
    fn a_variable_without_a_value_is_refused() {
        let attrs = [("l1", 1f32.into()), ("l2", 1f32.into())];
        assert!(run("SdcaShrinkL1", &attrs, vec![variable(None)]).is_err());
    }
}
