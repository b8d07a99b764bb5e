"""Writes the checkpoints that `experimental.py` reads, by TensorFlow.

usage: checkpoints.py FOLDER   with a Python that has tensorflow 2.21
"""
import pathlib
import sys

import numpy as np
import tensorflow as tf

folder = pathlib.Path(sys.argv[1])
weights, number, text = np.arange(6, dtype=np.float32).reshape(2, 3), np.int64(7), np.array([b"x", b"yy"])
tf.raw_ops.SaveV2(prefix=str(folder / "bundle"), tensor_names=["dense/w", "step", "text"], shape_and_slices=[""] * 3,
                  tensors=[weights, number, text])
tf.raw_ops.Save(filename=str(folder / "v1"), tensor_names=["dense/w", "step"], data=[weights, number])
# Half of a tensor of four rows.
tf.raw_ops.SaveV2(prefix=str(folder / "slices"), tensor_names=["part"], shape_and_slices=["4 3 0,2:-"], tensors=[weights])
