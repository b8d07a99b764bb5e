"""Kernels of every form in stock TensorFlow: python tests/plugins/forms_in_tensorflow.py libforms_plugin.so

The plugin is built from tests/plugins/forms. Prints a line a check; the exit code is not 0 where one failed.
"""

import os
import sys
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_def_registry

from in_tensorflow_checks import expect_error

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def in_function(function, *arguments):
    return tf.function(function)(*arguments)


@check
def attrs_of_every_kind(ops):
    expected = (
        'text -3 0.5 true int32 [2,3] [4, 5] ["a", ""] [1, -2] [] [true, false] [String, Bool] ["?", "[]"] none'
    )
    text = in_function(lambda: ops.form_attrs()).numpy().decode()  # eager calls take no tensor attrs
    assert text == expected, text
    given = dict(s="", i=2**40, f=-1e30, b=False, t=tf.string, h=[2**33, None], ls=[], li=[], lf=[1.5], lb=[], lt=[], lh=[[3, None]])
    expected = ' 1099511627776 -1000000000000000000000000000000 false string [8589934592,?] [4, 5] [] [] [1.5] [] [] ["[3,?]"] none'
    text = in_function(lambda: ops.form_attrs(**given)).numpy().decode()
    assert text == expected, text


@check
def flags_and_deprecation(ops):
    op = op_def_registry.get("FormFlags")
    assert op.is_stateful and op.is_commutative and not op.is_aggregate and not op.allows_uninitialized_input
    assert (op.deprecation.version, op.deprecation.explanation) == (100000, "use another")
    assert not op_def_registry.get("FormPass").is_stateful


@check
def shapes_that_depend_on_attrs_are_unknown(ops):
    function = tf.function(lambda x: ops.form_missed(x, flat=True)).get_concrete_function(tf.TensorSpec([2, 3]))
    assert function.outputs[0].shape.rank is None
    assert function(tf.ones([2, 3])).shape == [6]


@check
def memory_is_forwarded_where_nobody_needs_it(ops):
    def chain(x):
        return ops.form_forward(x * 2.0)

    def kept(x):
        y = x * 2.0
        out, taken = ops.form_forward(y)
        return out + y, taken

    x = tf.range(1000, dtype=tf.float32)
    out, taken = in_function(chain, x)
    assert taken.numpy() and (out.numpy() == np.arange(1000) * 2 + 1).all()
    out, _ = in_function(kept, x)
    assert (out.numpy() == np.arange(1000) * 4 + 1).all()
    out, taken = ops.form_forward(x)
    assert not taken.numpy() and (out.numpy() == np.arange(1000) + 1).all() and (x.numpy() == np.arange(1000)).all()


@check
def inputs_are_passed_on(ops):
    for x in (tf.constant([[1, 2], [3, 4]]), tf.constant(["a", "b" * 50]), tf.zeros([0, 2]), tf.constant(True)):
        assert (ops.form_pass(x).numpy() == x.numpy()).all()
        assert (ops.form_reshaped(x).numpy() == x.numpy().reshape(-1)).all()


@check
def every_dtype(ops):
    for name in "float32 float64 float16 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128".split():
        x = tf.cast(tf.constant([0, 1, 1, 0, 1]), name)
        for y in (ops.form_types(x), in_function(ops.form_types, x)):
            assert y.dtype == x.dtype and (y.numpy() == x.numpy()).all()
    strings = tf.constant(["", "a", "b" * 23])
    assert (ops.form_types(strings).numpy() == strings.numpy()).all()


@check
def misaligned_inputs(ops):
    rows = tf.reshape(tf.range(35, dtype=tf.float64), [5, 7])
    for row in range(5):
        assert (in_function(lambda x, row=row: ops.form_types(x[row]), rows).numpy() == rows.numpy()[row]).all()


@check
def returned_outputs(ops):
    y, n = ops.form_return(tf.ones([40, 50], tf.float64))
    assert (y.numpy() == 2).all() and n.numpy() == 2000 and y.dtype == tf.float64


@check
def lists_of_outputs(ops):
    rows = in_function(lambda x: ops.form_split(x, N=3), tf.constant([["a", "b"], ["c", "d"], ["e", "f" * 30]]))
    assert [row.numpy().tolist() for row in rows] == [[[b"a", b"b"]], [[b"c", b"d"]], [[b"e", b"f" * 30]]]
    ys = ops.form_list([tf.constant(1), tf.constant("s"), tf.constant([1.5])], Tout=[tf.float32, tf.string, tf.int32])
    assert [y.numpy() for y in ys] == [1.5, b"s", 1]
    unlike = lambda: ops.form_list([tf.constant(1)], Tout=[tf.float32])
    expect_error(tf.errors.InternalError, "output `ys` of FormList is float, the kernel gave int32", unlike)


@check
def kernels_keep_state(ops):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        count = ops.form_count(start=5)
        assert [session.run(count) for _ in range(3)] == [5, 6, 7]
    expect_error(tf.errors.InvalidArgumentError, "start is -1, below 0", lambda: ops.form_count(start=-1))


@check
def asynchronous_kernels(ops):
    assert ops.form_later(tf.constant(1, tf.int64)).numpy() == 2
    data = tf.data.Dataset.range(50).map(lambda x: ops.form_later(x), 8)
    assert list(data.as_numpy_iterator()) == list(range(1, 51))
    expect_error(tf.errors.OutOfRangeError, "-1 is below 0", lambda: ops.form_later(tf.constant(-1, tf.int64)))
    forgotten = lambda: ops.form_later(tf.constant(100, tf.int64))
    expect_error(tf.errors.InternalError, "dropped its context without finishing it", forgotten)


@check
def a_kernel_for_an_op_of_tensorflow(ops):
    assert tf.nn.softsign(tf.constant(1.0, tf.float64)).numpy() == 43.0
    assert tf.nn.softsign(tf.constant(1.0)).numpy() == 0.5


@check
def panics_are_errors(ops):
    expect_error(tf.errors.InternalError, "the kernel of FormPanic panicked: 1 is above zero", lambda: ops.form_panic(1.0))
    assert ops.form_panic(-1.0).numpy() == -1.0
    panic = lambda: in_function(ops.form_panic_in_shape, tf.ones([1, 1, 1]))
    expect_error((ValueError, tf.errors.InternalError), "the shape function of FormPanicInShape panicked: rank 3", panic)


@check
def outputs_unset_or_of_another_dtype(ops):
    expect_error(tf.errors.InternalError, "output `second` of FormUnset was not set by the kernel", ops.form_unset)
    expect_error(tf.errors.InternalError, "output `y` of FormWrong is float, the kernel gave int32", ops.form_wrong)


@check
def what_a_plugin_does_not_have(ops):
    expect_error(tf.errors.InternalError, "not in a plugin", ops.form_step)
    handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[])
    expect_error(tf.errors.UnimplementedError, "FormResource takes or gives resources", lambda: ops.form_resource(handle))


def main(path):
    ops, failed = tf.load_op_library(os.path.abspath(path)), 0
    for function in CHECKS:
        try:
            function(ops)
            outcome = "ok"
        except Exception:
            outcome, failed = "FAILED\n" + traceback.format_exc(), failed + 1
        print(f"{function.__name__.replace('_', ' '):45} {outcome}", flush=True)
    print(f"{len(CHECKS) - failed} of {len(CHECKS)} checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
