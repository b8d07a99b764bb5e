//! An op's typed calls, eager and in a graph, with attrs by builder.
#![allow(clippy::needless_borrows_for_generic_args, reason = "the code of users, as they write it")]

use oplink::prelude::*;

/// Adds `shift` to `x * scale`.
#[op("UiScale", input = "x: T", input = "scale: T", output = "y: T", attr = "shift: float = 0.5", attr = "T: {float, double}",
     shape = shape_fns::unchanged)]
pub struct UiScale;

#[kernel(UiScale, device = CPU, T = [f32], forward(x => y))]
fn scale(y: InOut<'_, f32>, scale: f32, shift: f32) {
    y.map(|x| x * scale + shift);
}

/// `x` with the ends that `padding` says.
#[op("UiEnds", input = "x: float", output = "y: float", attr = "padding: {'SAME', 'VALID'}", attr = "mode: string = ''",
     shape = shape_fns::unchanged)]
pub struct UiEnds;

#[kernel(UiEnds, device = CPU)]
fn ends(x: &Tensor, padding: UiEndsPadding, mode: &str) -> Tensor {
    if padding == UiEndsPadding::Same && mode.is_empty() { x.clone() } else { Tensor::scalar(0.0f32) }
}

fn graph(s: &mut dyn Scope, x: Output) -> Result<Output> {
    let y = ui_scale(s, x, 2.0f32)?;
    UiScale::builder().shift(1.0).name("second").build(s, y, 3.0f32)
}

fn main() {
    let x = Tensor::from([1.0f32, 2.0]);
    let y = UiScale::call(&x, &Tensor::scalar(3.0f32)).unwrap();
    assert_eq!(y.as_slice::<f32>().unwrap(), [3.5, 6.5]);
    let y = UiScale::builder().shift(1.0).call(&x, &Tensor::scalar(3.0f32)).unwrap();
    assert_eq!(y.as_slice::<f32>().unwrap(), [4.0, 7.0]);
    for same in
        [UiEnds::call(&x, "SAME"), UiEnds::call(&x, UiEndsPadding::Same), UiEnds::call(&x, String::from("SAME"))]
    {
        assert_eq!(same.unwrap().num_elements(), 2);
    }
    let mode = String::from("none");
    assert_eq!(UiEnds::builder(UiEndsPadding::Same).mode(&mode).call(&x).unwrap().num_elements(), 1);
    assert!(UiEnds::call(&x, "FULL").is_err());
    let _ = graph;
}
