//! Activations of several ops behind a product.

use oplink::Result;

use super::{check, constant, filled, nodes, placeholder, tensor};

/// A product, a bias and an activation of `x` that these lines make.
fn activated(product: &str, lines: &str) -> String {
    let numbers =
        [("one", 1.0), ("half", 0.5), ("two", 2.0), ("three", 3.0), ("sixth", 1.0 / 6.0), ("cubic", 0.044_715)];
    let constants: String = numbers.iter().map(|(name, number)| constant(name, &[], &[*number])).collect();
    let roots = constant("root2", &[], &[std::f32::consts::SQRT_2]) + &constant("root", &[1], &[0.797_884_56]);
    let image = placeholder("image", &[-1, 5, 4, 24]) + &filled("w", &[1, 1, 24, 32]);
    let rows = placeholder("rows", &[-1, 24]) + &filled("weights", &[24, 32]);
    constants + &roots + &image + &rows + &filled("bias", &[32]) + &nodes(product) + &nodes(lines)
}

const ACTIVATIONS: [&str; 7] = [
    "gate = Sigmoid(x)
     y = Mul(x, gate)",
    "beyond = AddV2(x, three)
     gate = Relu6(beyond)
     part = Mul(gate, sixth)
     y = Mul(x, part)",
    "scaled = RealDiv(x, root2)
     erf = Erf(scaled)
     above = AddV2(one, erf)
     part = Mul(half, above)
     y = Mul(x, part)",
    "part = Mul(half, x)
     negative = Neg(x)
     scaled = RealDiv(negative, root2)
     erfc = Erfc(scaled)
     y = Mul(part, erfc)",
    "part = Mul(half, x)
     scaled = RealDiv(x, root2)
     erf = Erf(scaled)
     above = AddV2(erf, one)
     y = Mul(part, above)",
    "cube = Pow(x, three)
     some = Mul(cube, cubic)
     inner = AddV2(x, some)
     scaled = Mul(inner, root)
     tanh = Tanh(scaled)
     above = AddV2(tanh, one)
     part = Mul(above, half)
     y = Mul(part, x)",
    "square = Square(x)
     some = Mul(square, cubic)
     beyond = AddV2(one, some)
     inner = Mul(x, beyond)
     scaled = Mul(inner, root)
     tanh = Tanh(scaled)
     above = AddV2(tanh, one)
     part = RealDiv(x, two)
     y = Mul(part, above)",
];

#[test]
fn activations_of_several_ops_are_made_with_products() -> Result<()> {
    let sum = "product = Conv2D(image, w)
               x = BiasAdd(product, bias)";
    let product = "product = MatMul(rows, weights)
                   x = BiasAdd(product, bias)";
    for lines in ACTIVATIONS {
        let feeds = [("image", tensor(&[2, 5, 4, 24], 3))];
        check(&activated(sum, lines), &feeds, &["y"], "contraction_fusion", "_FusedConv2D", 1)?;
        check(&activated(sum, lines), &feeds, &["y"], "contraction_fusion", "_FusedElementwise", 0)?;
        let feeds = [("rows", tensor(&[7, 24], 5))];
        check(&activated(product, lines), &feeds, &["y"], "contraction_fusion", "_FusedMatMul", 1)?;
        check(&activated(product, lines), &feeds, &["y"], "contraction_fusion", "Mul", 0)?;
    }
    Ok(())
}

/// As TensorFlow writes functions with gradients of their own.
#[test]
fn values_that_pass_through_identities_for_gradients_are_read_past_them() -> Result<()> {
    let text = activated(
        "product = Conv2D(image, w)
         x = BiasAdd(product, bias)",
        "gate = Sigmoid(x)
         swish = Mul(x, gate)
         y = Neg(both)",
    ) + r#"node { name: "both" op: "IdentityN" input: "swish" input: "x"
           attr { key: "T" value { list { type: DT_FLOAT type: DT_FLOAT } } } }"#;
    check(&text, &[("image", tensor(&[2, 5, 4, 24], 3))], &["y"], "contraction_fusion", "Mul", 0)
}

#[test]
fn what_only_looks_like_an_activation_stays() -> Result<()> {
    let sum = "product = MatMul(rows, weights)
               x = BiasAdd(product, bias)";
    let feeds = [("rows", tensor(&[7, 24], 5)), ("other", tensor(&[32], 6))];
    let products = |lines, fetches: &[&str], count| {
        let text = activated(sum, lines) + &placeholder("other", &[32]);
        check(&text, &feeds, fetches, "contraction_fusion", "Mul", count)
    };
    let check = |lines, fetches: &[&str]| products(lines, fetches, 1);
    // Another factor, a value between that is fetched, a gate of another value.
    check("scaled = AddV2(x, one)\n gate = Sigmoid(scaled)\n y = Mul(x, gate)", &["y"])?;
    check(ACTIVATIONS[0], &["y", "gate"])?;
    check(ACTIVATIONS[0], &["y", "x"])?;
    check("gate = Sigmoid(other)\n y = Mul(x, gate)", &["y"])?;
    // A constant gate is a factor.
    products("gate = Sigmoid(bias)\n y = Mul(x, gate)", &["y"], 0)
}
