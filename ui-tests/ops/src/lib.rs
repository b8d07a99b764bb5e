//! Ops without kernels, for kernels in another crate.

use oplink::prelude::*;

oplink::anchor!(ops = 4, kernels = 0);

/// `y = max(x, 0)`.
#[op("UiRelu", input = "x: T", output = "y: T", attr = "T: {float, double, int32}", shape = shape_fns::unchanged)]
pub struct UiRelu;

/// Joins tensors along an axis.
#[op("UiConcat", input = "axis: int32", input = "values: N * T", output = "output: T", attr = "N: int >= 2",
     attr = "T: type", shape = shape_fns::unknown)]
pub struct UiConcat;

/// Has one attr of each common kind.
#[op("UiAttrs", input = "x: float", output = "y: float", output = "count: int64", attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}", attr = "alpha: float = 0.2", attr = "keep: bool = false", shape = shape_fns::unknown)]
pub struct UiAttrs;

/// Converts between types.
#[op("UiCast", input = "x: SrcT", output = "y: DstT", attr = "SrcT: {float, int32}", attr = "DstT: {float, int32}",
     shape = shape_fns::unchanged)]
pub struct UiCast;
