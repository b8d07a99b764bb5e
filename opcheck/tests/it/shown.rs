//! WrongPosition, extremes: the kernel panicked: index out of bounds: the len is 1 but the index is 9223372036854775807
//!   node `WrongPosition` (op WrongPosition) on /device:CPU:0
//!   input 0 `x`: float [1]
//!   input 1 `at`: int64 []

use oplink::graph::eager::EagerContext;
use oplink::prelude::*;

fn main() -> Result<()> {
    let input_0 = Tensor::from_vec([1], vec![-0.75_f32])?;
    let input_1 = Tensor::from_vec(Shape::scalar(), vec![9223372036854775807_i64])?;
    let attrs = [];
    let outputs = EagerContext::global()?.call("WrongPosition", &[&input_0, &input_1], &attrs)?;
    println!("{:?}", outputs.values);
    Ok(())
}
