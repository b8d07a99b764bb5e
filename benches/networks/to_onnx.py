"""Converts frozen GraphDefs with tf2onnx, so that ONNX Runtime can run them.

usage: to_onnx.py GRAPH VALUES NAME.onnx

Needs tf2onnx, TensorFlow and ONNX Runtime in one interpreter: `PYTHONPATH` of one virtual environment may name the
packages of the other. A graph that ONNX Runtime does not load is an error, and leaves no file.
"""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
import numpy as np

# tf2onnx names these types, which NumPy 2 no longer has.
for name, replacement in (("object", object), ("bool", bool), ("int", int), ("float", float), ("str", str)):
    if name not in np.__dict__:
        setattr(np, name, replacement)
if not hasattr(np, "cast"):
    class Cast(dict):
        def __missing__(self, dtype):
            return lambda value: np.asarray(value).astype(dtype)

    np.cast = Cast()
import onnxruntime
import tensorflow as tf
from tf2onnx import convert

from values import Values


def main():
    graph, archive, written = sys.argv[1:]
    values = Values(archive)
    with open(graph, "rb") as file:
        definition = tf.compat.v1.GraphDef.FromString(file.read())
    convert.from_graph_def(
        definition, input_names=values.feeds, output_names=values.fetches, opset=18, output_path=written
    )
    # tf2onnx leaves functions that it cannot convert as nodes of their own.
    try:
        onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    except Exception:
        os.remove(written)
        raise


if __name__ == "__main__":
    main()
