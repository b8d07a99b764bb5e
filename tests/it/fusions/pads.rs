//! Zeros around the input of a convolution.

use oplink::Result;

use super::{check, dims, filled, nodes, placeholder, shaped_integers, tensor};

/// An image padded by these numbers, and a convolution of it with these attrs.
fn padded(op: &str, filter: &[i64], paddings: &[i64; 8], attrs: &str) -> String {
    let attrs = format!(r#"attr {{ key: "strides" value {{ list {{ i: 1 i: 2 i: 2 i: 1 }} }} }} {attrs}"#);
    placeholder("x", &[-1, 9, 8, 6])
        + &filled("w", filter)
        + &shaped_integers("zeros", &[4, 2], paddings)
        + &filled("bias", &[6])
        + &nodes(&format!(
            "pad = Pad(x, zeros)
             product = {op}(pad, w) {}
             sum = BiasAdd(product, bias)
             y = Relu(sum)",
            attrs.replace('\n', " ")
        ))
}

#[test]
fn zeros_around_images_are_paddings_of_convolutions() -> Result<()> {
    const VALID: &str = r#"attr { key: "padding" value { s: "VALID" } }"#;
    const EXPLICIT: &str = r#"attr { key: "padding" value { s: "EXPLICIT" } }
        attr { key: "explicit_paddings" value { list { i: 0 i: 0 i: 1 i: 0 i: 0 i: 2 i: 0 i: 0 } } }"#;
    let feeds = || [("x", tensor(&[2, 9, 8, 6], 1))];
    for attrs in [VALID, EXPLICIT] {
        for (op, filter) in [("Conv2D", [3, 3, 6, 6]), ("Conv2D", [7, 5, 6, 6]), ("Conv2D", [1, 1, 6, 6])] {
            let text = padded(op, &filter, &[0, 0, 3, 2, 1, 0, 0, 0], attrs);
            check(&text, &feeds(), &["y"], "pad_fusion", "Pad", 0)?;
            check(&text, &feeds(), &["y", "pad"], "pad_fusion", "Pad", 1)?;
            check(&text, &feeds(), &["y"], "contraction_fusion", "_FusedConv2D", 1)?;
        }
        let text = padded("DepthwiseConv2dNative", &[3, 3, 6, 1], &[0, 0, 0, 1, 0, 1, 0, 0], attrs);
        check(&text, &feeds(), &["y"], "pad_fusion", "Pad", 0)?;
        check(&text, &feeds(), &["y"], "contraction_fusion", "_FusedDepthwiseConv2dNative", 1)?;
    }
    Ok(())
}

#[test]
fn zeros_in_batches_and_channels_and_beside_other_paddings_stay() -> Result<()> {
    let feeds = [("x", tensor(&[2, 9, 8, 4], 1))];
    let image = |text: String| text.replace(&dims(&[-1, 9, 8, 6]), &dims(&[-1, 9, 8, 4]));
    let valid = r#"attr { key: "padding" value { s: "VALID" } }"#;
    for paddings in [[1, 0, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0, 1, 1]] {
        let channels = 4 + paddings[6] + paddings[7];
        let text = image(padded("Conv2D", &[3, 3, channels, 6], &paddings, valid));
        check(&text, &feeds, &["y"], "pad_fusion", "Pad", 1)?;
    }
    let same = r#"attr { key: "padding" value { s: "SAME" } }"#;
    let text = image(padded("Conv2D", &[3, 3, 4, 6], &[0, 0, 1, 1, 0, 0, 0, 0], same));
    check(&text, &feeds, &["y"], "pad_fusion", "Pad", 1)
}
