//! A generic parameter that is no type attr.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
impl<U: Element> RawKernel for Bad<U> {
    fn new(_: &KernelConstruction) -> Result<Self> {
        Ok(Bad(std::marker::PhantomData))
    }
    fn compute(&self, _: &mut KernelContext) -> Result<()> {
        Ok(())
    }
}

pub struct Bad<U>(std::marker::PhantomData<U>);

fn main() {}
