"""The example plugin in TensorFlow: `python in_tensorflow.py libmy_ops.so [calls.jsonl]`. What TensorFlow makes of plugins is tested
in full by `tests/plugins`; here the same file as in the other hosts runs the same cases."""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from cases import CASES
from matrix import Matrix, as_in_oplink, run_all, same

matrix = Matrix("TensorFlow")
ops = tf.load_op_library(sys.argv[1])
DTYPES = {name: getattr(tf, name) for name in (
    "float16", "bfloat16", "float32", "float64", "int8", "int32", "int64", "uint8", "complex64")}


def arguments(case, inputs):
    tensors = [tf.convert_to_tensor(one) for one in inputs]
    return [tensors] if case.lists else tensors


def flat(made):
    if isinstance(made, (list, tuple)):
        return [one for each in made for one in flat(each)]
    return [made]


def array(one):
    return one.numpy() if one.dtype == tf.string else tf.cast(one, tf.complex128).numpy()


def attrs_of(attrs):
    return {name: tf.int64 if name == "To" else value for name, value in attrs.items()}


def call(case, inputs, attrs, wrap=lambda run: run):
    if case.op == "full_of":
        return [array(one) for one in flat(ops.full_of(**attrs_of(attrs)))]
    run = wrap(lambda *x: getattr(ops, case.op)(*x, **attrs_of(attrs)))
    return [array(one) for one in flat(run(*arguments(case, inputs)))]


run_all(matrix, call, DTYPES, lambda value, dtype: tf.cast(value, DTYPES[dtype]))
for case in CASES:
    def traced(case=case):
        inputs = case.inputs("float32" if "float32" in case.dtypes else "")
        if case.op == "full_of":
            run = tf.function(lambda: ops.full_of(**case.attrs))
            return same([run().numpy()], case.expect())
        made = call(case, inputs, case.attrs, lambda run: tf.function(run))
        if not case.changing:
            same(made, case.expect(*inputs))
        return None

    matrix.check(case.op, "tf.function", traced)
as_in_oplink(matrix, "tensorflow")
matrix.end()
