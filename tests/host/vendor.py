"""Writes what stock TensorFlow serves of vendor.c: expected/vendor.txt, a line for each op and dtype with what a call
gives, or the code of its error.

Usage: python vendor.py, with a TensorFlow 2.21 that has load_op_library.
"""
import os
import pathlib
import subprocess
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from tensorflow.python.eager import context, execute

here = pathlib.Path(__file__).parent
library = os.path.join(tempfile.mkdtemp(), "libvendor.so")
subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", "-o", library, here / "c/vendor.c"], check=True)
tf.load_op_library(library)
DTYPES = "float32 float64 int32 uint8 int16 int8 int64 bfloat16 uint16 float16".split()
OURS = [f"VendorOp{i:02d}" for i in range(19)] + ["VendorOdd", "VendorTwin"]
UNARY = "Abs Cos Exp Log Neg Floor Sin Sqrt Square Tanh".split()


def serve(op, dtype):
    """What a call of 4 gives."""
    x = tf.cast(tf.constant([4.0]), dtype)
    try:
        context.ensure_initialized()
        (y,) = execute.execute(op.encode(), 1, [x], ("T", x.dtype.as_datatype_enum), context.context())
        return f"{float(y.numpy()[0]):.4f}"
    except tf.errors.OpError as error:
        return error.__class__.__name__.removesuffix("Error")


lines = [f"{op} {dtype} {serve(op, dtype)}\n" for op in OURS for dtype in DTYPES]
lines += [f"{op} {dtype} {serve(op, dtype)}\n" for op in UNARY for dtype in ["float32", "float64"]]
lines.append(f"VendorGone00 float32 {serve('VendorGone00', 'float32')}\n")
(here / "expected" / "vendor.txt").write_text("".join(lines))
