//! The state of a convolution's kernel: its window, made once of the attrs.

use std::marker::PhantomData;

use super::constant_filter::FilterState;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::nn::window::{Window, WindowAttrs};

/// The kernel of the op `O` for elements of type `T`, whose images or volumes have their channels last.
pub struct Windowed<O, T> {
    pub(super) window: Window,
    /// What is known of the filter, the second input.
    pub(super) filter: FilterState,
    marker: PhantomData<fn() -> (O, T)>,
}

impl<O: TypedOp, T> Windowed<O, T> {
    /// With the window that the attrs give.
    pub(super) fn of<'c>(construction: Construction<'c, O>) -> Result<Self>
    where
        WindowAttrs<'c>: From<O::Attrs<'c>>,
    {
        let op = &construction.node().op.name;
        let window = Window::channels_last(op, &construction.attrs.into())?;
        Ok(Self { window, filter: FilterState::of_node(&construction), marker: PhantomData })
    }
}
