//! What follows a convolution or a matrix product.

use oplink::Result;

use super::{check, constant, filled, integers, nodes, placeholder, shaped_integers, tensor};

#[test]
fn a_bias_behind_a_reshape_goes_into_the_product() -> Result<()> {
    for (shape, bias) in [(&[-1, 3, 8][..], &[8][..]), (&[-1, 3, 2, 4], &[2, 4]), (&[-1, 3, 2, 4], &[1, 1, 2, 4])] {
        let text = placeholder("x", &[-1, 5])
            + &filled("w", &[5, 8])
            + &filled("bias", bias)
            + &integers("shape", shape)
            + &nodes(
                "product = MatMul(x, w)
                 reshaped = Reshape(product, shape)
                 sum = AddV2(reshaped, bias)
                 y = Relu(sum)",
            );
        let feeds = [("x", tensor(&[6, 5], 1))];
        check(&text, &feeds, &["y"], "contraction_fusion", "_FusedMatMul", 1)?;
        check(&text, &feeds, &["y", "reshaped"], "contraction_fusion", "_FusedMatMul", 0)?;
    }
    Ok(())
}

#[test]
fn factors_and_what_is_beside_go_into_convolutions() -> Result<()> {
    let text = placeholder("x", &[-1, 4, 4, 6])
        + &filled("w", &[3, 3, 6, 6])
        + &filled("bias", &[6])
        + &filled("factors", &[1, 1, 1, 6])
        + &filled("offset", &[6])
        + &nodes(
            "product = Conv2D(x, w)
             biased = BiasAdd(product, bias)
             scaled = Mul(biased, factors)
             sum = AddV2(scaled, offset)
             beside = AddV2(x, sum)
             y = Relu(beside)",
        );
    let feeds = [("x", tensor(&[2, 4, 4, 6], 1))];
    check(&text, &feeds, &["y"], "contraction_fusion", "_FusedConv2D", 1)?;
    check(&text, &feeds, &["y", "sum"], "contraction_fusion", "_FusedConv2D", 1)?;
    // Batches that need not be the same stay a sum of their own.
    let text =
        text.replace(r#"input: "x" input: "sum""#, r#"input: "z" input: "sum""#) + &placeholder("z", &[-1, 4, 4, 6]);
    let feeds = [("x", tensor(&[1, 4, 4, 6], 1)), ("z", tensor(&[3, 4, 4, 6], 2))];
    check(&text, &feeds, &["y"], "contraction_fusion", "_FusedConv2D", 1)
}

#[test]
fn a_scalar_factor_and_a_residual_around_a_concat_go_into_convolutions() -> Result<()> {
    let branches = |axis: i64, depth: i64| {
        placeholder("x", &[-1, 4, 4, 6])
            + &shaped_integers("axis", &[], &[axis])
            + &filled("w", &[1, 1, depth, 6])
            + &filled("bias", &[6])
            + &constant("factor", &[], &[0.17])
            + &nodes(
                r#"branch = Tanh(x)
                   joined = ConcatV2(branch, x, axis) attr { key: "N" value { i: 2 } }
                   product = Conv2D(joined, w)
                   biased = BiasAdd(product, bias)
                   scaled = Mul(biased, factor)
                   beside = AddV2(x, scaled)
                   y = Relu(beside)"#,
            )
    };
    let feeds = |batch: usize| [("x", tensor(&[batch, 4, 4, 6], 1))];
    for axis in [3, -1] {
        check(&branches(axis, 12), &feeds(2), &["y"], "contraction_fusion", "_FusedConv2D", 1)?;
        check(&branches(axis, 12), &feeds(2), &["y"], "contraction_fusion", "Relu", 0)?;
    }
    // Twice the batch is not the batch.
    for axis in [0, -4] {
        check(&branches(axis, 6), &feeds(1), &["y"], "contraction_fusion", "_FusedConv2D", 1)?;
        check(&branches(axis, 6), &feeds(1), &["y"], "contraction_fusion", "Relu", 1)?;
    }
    Ok(())
}

#[test]
fn factors_go_into_the_weights_of_depthwise_convolutions() -> Result<()> {
    let text = placeholder("x", &[-1, 4, 4, 6])
        + &filled("w", &[3, 3, 6, 2])
        + &filled("factors", &[12])
        + &filled("offset", &[12])
        + &nodes(
            "product = DepthwiseConv2dNative(x, w)
             scaled = Mul(product, factors)
             sum = AddV2(scaled, offset)
             y = Relu6(sum)",
        );
    let feeds = [("x", tensor(&[2, 4, 4, 6], 1))];
    check(&text, &feeds, &["y"], "contraction_fusion", "_FusedDepthwiseConv2dNative", 1)
}

#[test]
fn a_tensor_before_the_bias_goes_into_the_product() -> Result<()> {
    for rows in [1, 5] {
        let text = placeholder("x", &[rows, 7])
            + &placeholder("state", &[rows, 9])
            + &filled("w", &[7, 8])
            + &filled("u", &[9, 8])
            + &filled("bias", &[8])
            + &nodes(
                "of_input = MatMul(x, w)
                 of_state = MatMul(state, u)
                 sum = AddV2(of_input, of_state)
                 biased = BiasAdd(sum, bias)
                 y = Tanh(biased)",
            );
        let feeds = [("x", tensor(&[rows as usize, 7], 1)), ("state", tensor(&[rows as usize, 9], 2))];
        check(&text, &feeds, &["y"], "contraction_fusion", "_FusedMatMul", 1)?;
        check(&text, &feeds, &["y", "biased"], "contraction_fusion", "_FusedMatMul", 1)?;
        check(&text, &feeds, &["y", "sum"], "contraction_fusion", "_FusedMatMul", 0)?;
    }
    Ok(())
}
