//! Fake quantization and its gradients.

use oplink::{AttrValue, Tensor};

use crate::support::check;

fn values(shape: &[usize], step: f32) -> Tensor {
    let count = shape.iter().product::<usize>();
    Tensor::from_vec(shape, (0..count).map(|i| ((i * 37 + 11) % 101) as f32 * step - 40.0 * step).collect()).unwrap()
}

#[test]
fn values_become_steps() {
    let (inputs, gradients) = (values(&[6, 50, 3], 0.213), values(&[6, 50, 3], 0.5));
    for (bits, narrow) in [(8, false), (8, true), (2, false), (16, true)] {
        let bits: [(&str, AttrValue); 2] = [("num_bits", bits.into()), ("narrow_range", narrow.into())];
        for (min, max) in [(-6.0f32, 6.0), (-1.3, 5.7), (0.5, 4.0), (-9.0, -2.0), (0.0, 0.0)] {
            if min < max {
                let [a, b] = bits.clone();
                let attrs = [a, b, ("min", min.into()), ("max", max.into())];
                check("FakeQuantWithMinMaxArgs", &[&inputs], &attrs, 2e-6);
                check("FakeQuantWithMinMaxArgsGradient", &[&gradients, &inputs], &attrs, 0.0);
            }
            let (min, max) = (min.into(), max.into());
            check("FakeQuantWithMinMaxVars", &[&inputs, &min, &max], &bits, 2e-6);
            check("FakeQuantWithMinMaxVarsGradient", &[&gradients, &inputs, &min, &max], &bits, 1e-5);
        }
        let (min, max) = ([-4.0f32, -0.3, 0.0].into(), [5.0f32, 7.1, 0.0].into());
        check("FakeQuantWithMinMaxVarsPerChannel", &[&inputs, &min, &max], &bits, 2e-6);
        check("FakeQuantWithMinMaxVarsPerChannelGradient", &[&gradients, &inputs, &min, &max], &bits, 1e-5);
    }
}
