//! A depthwise convolution, and a convolution of single pixels that reads it.

use oplink::Result;

use super::{check, filled, nodes, placeholder, tensor};

const STRIDES: &str = r#"attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } }"#;
const TWO: &str = r#"attr { key: "strides" value { list { i: 1 i: 2 i: 2 i: 1 } } }"#;
const SAME: &str = r#"attr { key: "padding" value { s: "SAME" } }"#;
const VALID: &str = r#"attr { key: "padding" value { s: "VALID" } }"#;
const EXPLICIT: &str = r#"attr { key: "padding" value { s: "EXPLICIT" } }
    attr { key: "explicit_paddings" value { list { i: 0 i: 0 i: 2 i: 1 i: 0 i: 1 i: 0 i: 0 } } }"#;
const DILATED: &str = r#"attr { key: "dilations" value { list { i: 1 i: 2 i: 2 i: 1 } } }"#;

/// Both convolutions of an image, each with a bias and perhaps an activation: a window of these extents with these
/// attrs, then to so many channels.
fn separable(image: &[i64; 4], window: &[i64; 4], attrs: &str, channels: i64, [first, second]: [&str; 2]) -> String {
    let between = window[2] * window[3];
    let pointwise = format!("{STRIDES} {SAME}").replace('\n', " ");
    let lines = format!(
        "depthwise = DepthwiseConv2dNative(x, taps) {}
         shifted = BiasAdd(depthwise, bias)
         between = {first}(shifted)
         product = Conv2D(between, w) {pointwise}
         sum = BiasAdd(product, biases)
         y = {second}(sum)",
        attrs.replace('\n', " ")
    );
    placeholder("x", image)
        + &filled("taps", window)
        + &filled("bias", &[between])
        + &filled("w", &[1, 1, between, channels])
        + &filled("biases", &[channels])
        + &nodes(&lines)
}

fn is_fused(image: &[i64; 4], window: &[i64; 4], attrs: &str, channels: i64, ops: [&str; 2]) -> Result<()> {
    let feeds = [("x", tensor(&image.map(|extent| extent as usize), 1))];
    let text = separable(image, window, attrs, channels, ops);
    check(&text, &feeds, &["y"], "separable_fusion", "_FusedSeparableConv2D", 1)
}

#[test]
fn a_depthwise_convolution_goes_into_the_one_that_reads_it() -> Result<()> {
    let attrs = |strides: &str, padding: &str| format!("{strides} {padding}");
    is_fused(&[2, 9, 8, 6], &[3, 3, 6, 1], &attrs(STRIDES, SAME), 5, ["Relu6", "Identity"])?;
    is_fused(&[1, 30, 40, 16], &[3, 3, 16, 1], &attrs(TWO, SAME), 24, ["Relu6", "Relu"])?;
    is_fused(&[1, 7, 7, 96], &[5, 5, 96, 1], &attrs(STRIDES, SAME), 32, ["Tanh", "Sigmoid"])?;
    is_fused(&[3, 12, 11, 4], &[3, 2, 4, 3], &attrs(TWO, VALID), 17, ["Identity", "Tanh"])?;
    is_fused(&[1, 20, 13, 5], &[3, 3, 5, 2], &format!("{STRIDES} {SAME} {DILATED}"), 64, ["Relu", "Identity"])?;
    is_fused(&[2, 9, 9, 8], &[3, 3, 8, 1], &attrs(STRIDES, EXPLICIT), 8, ["Relu6", "Relu6"])
}

/// Pixels whose channels are a multiple of 512 are set apart; with many output channels threads share these out too.
#[test]
fn wide_pixels_and_wide_filters() -> Result<()> {
    let attrs = format!("{STRIDES} {SAME}");
    is_fused(&[1, 15, 14, 512], &[3, 3, 512, 1], &attrs, 40, ["Relu6", "Relu6"])?;
    is_fused(&[1, 5, 3, 256], &[3, 3, 256, 2], &attrs, 16, ["Relu", "Identity"])?;
    is_fused(&[1, 4, 4, 320], &[3, 3, 320, 1], &attrs, 640, ["Relu6", "Relu6"])
}

#[test]
fn convolutions_that_are_no_pair_stay() -> Result<()> {
    let (image, window) = ([1, 9, 8, 6], [3, 3, 6, 1]);
    let feeds = || [("x", tensor(&[1, 9, 8, 6], 1))];
    let alone =
        |text: &str, fetches: &[&str]| check(text, &feeds(), fetches, "separable_fusion", "_FusedSeparableConv2D", 0);
    let text = separable(&image, &window, &format!("{STRIDES} {SAME}"), 5, ["Relu6", "Relu"]);
    alone(&text, &["y", "between"])?;
    alone(&(text.clone() + &nodes("other = Tanh(between)")), &["y", "other"])?;
    let strides = "Conv2D\" input: \"between\" input: \"w\" ";
    let at = text.find(strides).expect("the second convolution") + strides.len();
    alone(&(text[..at].to_owned() + &text[at..].replacen("i: 1 i: 1 i: 1 i: 1", "i: 1 i: 2 i: 2 i: 1", 1)), &["y"])
}
