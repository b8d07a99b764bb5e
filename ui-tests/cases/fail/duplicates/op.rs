//! One op twice in a crate.


mod first {
    use oplink::prelude::*;

    #[op("Twice", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
    pub struct Twice;
}

mod second {
    use oplink::prelude::*;

    #[op("Twice", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
    pub struct Twice;
}

fn main() {}
