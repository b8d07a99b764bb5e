//! Explicit lists.

use super::outputs::{ApiDouble, ApiTwo};
use super::*;

mod inner {
    use super::*;

    #[op("ApiInner", input = "x: float", output = "y: float")]
    pub fn inner(c: &mut ShapeContext<'_>) -> Result<()> {
        like_first(c)
    }

    pub mod kernels {
        use super::*;

        #[kernel(super::ApiInner, device = CPU)]
        pub fn inner_cpu(x: &Tensor) -> Tensor {
            x.clone()
        }

        #[derive(Debug)]
        pub struct Same;

        #[kernel(super::super::inner::ApiInner, device = CPU, priority = 1)]
        impl RawKernel for Same {
            fn new(_: &KernelConstruction<'_>) -> Result<Self> {
                Ok(Self)
            }

            fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
                let x = context.take_input(0);
                context.set_output(0, x);
                Ok(())
            }
        }
    }
}

use super::outputs::Stateful;
use inner::kernels::inner_cpu as renamed;

library! {
    /// Everything here.
    pub LISTED;
    ops::{ApiDouble, inner::ApiInner, super::outputs::{ApiNone}},
    kernels::{renamed, inner::{kernels::{Same}}, Stateful},
}

library! { EMPTY; ops::ApiTwo }

#[test]
fn a_list_holds_its_ops_and_kernels_in_order() {
    assert_eq!(LISTED.name, "LISTED");
    let ops: Vec<&str> = LISTED.ops.iter().map(|op| op.name).collect();
    assert_eq!(ops, ["ApiDouble", "ApiInner", "ApiNone"]);
    assert!(std::ptr::eq(LISTED.kernels[0], descriptor::<renamed>()));
    let kernels: Vec<(&str, &str)> = LISTED.kernels.iter().map(|kernel| (kernel.op, kernel.label)).collect();
    assert_eq!(kernels, [("ApiInner", ""), ("ApiInner", ""), ("ApiDouble", "state")]);
    assert_eq!((EMPTY.ops.len(), EMPTY.kernels.len()), (1, 0));
}
