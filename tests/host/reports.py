"""Writes what stock TensorFlow tells the reporting kernels of plugin.c: the files of expected/.

Usage: python reports.py, with a TensorFlow 2.21 that has load_op_library.
"""
import os
import pathlib
import subprocess
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

here = pathlib.Path(__file__).parent
library = os.path.join(tempfile.mkdtemp(), "libplugin.so")
subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", "-pthread", "-o", library, here / "c/plugin.c"], check=True)
ops = tf.load_op_library(library)
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    attrs = ops.host_attrs(h=[2, None], v=tf.make_tensor_proto([1.0, 2.0]))
    x = tf.compat.v1.placeholder(tf.float32, [2, None, 4])
    shapes, y = ops.host_shapes(x=x)
    facts = ops.host_facts(x=[1.0, 2.0], more=[1, 2])
    reports = session.run([attrs, facts])
    # A run infers again, with all extents known: what the graph said comes first.
    reports.append(session.run(shapes, {x: [[[1.0, 2, 3, 4]]] * 2}))
for name, report in zip(["attrs", "facts", "shapes"], reports):
    (here / "expected" / f"{name}.txt").write_bytes(report)
