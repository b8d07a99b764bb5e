"""Ops of which no case can give values, with the reason; a run fails on any other op without such a case."""

UNCOVERED = {
    "Abort": "ends the process",
    "TopK": "TensorFlow does not find its kernel, whose registration names an attr that the op lacks",
    "_FusedBatchNormEx": "TensorFlow has no CPU kernel; a pass makes it, whose tests compare with the ops that it replaces",
    "_FusedDepthwiseConv2dNative": "as `_FusedBatchNormEx`",
}
