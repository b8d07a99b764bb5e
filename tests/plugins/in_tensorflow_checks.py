"""The checks of `in_tensorflow.py`: what TensorFlow does with the ops of a plugin."""

import concurrent.futures
import resource
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import context
from tensorflow.python.framework import load_library, op_def_library, op_def_registry
from tensorflow.python.framework.errors_impl import exception_type_from_error_code

from in_tensorflow import SUFFIXES

errors = tf.errors
CHECKS = {}
MODULES = {}
PATHS = {}


def load(method, paths):
    """Loads plugins; returns the suffixes of the ops that came."""
    known = set()
    for path in paths:
        if method == "load_op_library":
            module = tf.load_op_library(path)
        else:
            module = None
            load_library.load_pluggable_device_library(path)
        came = [s for s in SUFFIXES if s not in known and op_def_registry.get("OplinkAffine" + s) is not None]
        assert len(came) == 1, f"{path} brought the ops of the suffixes {came}"
        known.add(came[0])
        MODULES[came[0]], PATHS[came[0]] = module, path
    return sorted(known)


class Ops:
    """The two ops of one plugin, called by name, so that no generated wrapper is needed."""

    def __init__(self, suffix):
        self.suffix = suffix

    def affine(self, x, **attrs):
        return call("OplinkAffine" + self.suffix, dict(x=x), attrs)

    def join(self, parts, **attrs):
        return call("OplinkJoin" + self.suffix, dict(parts=parts), attrs)


def call(op, inputs, attrs):
    if not context.executing_eagerly():
        declared = op_def_registry.get(op).attr
        attrs = {attr.name: attrs.get(attr.name) for attr in declared if attr.HasField("default_value")}
        return op_def_library._apply_op_helper(op, **inputs, **attrs)[2].outputs[0]
    flat = [item for pair in attrs.items() for item in pair]
    try:
        return pywrap_tfe.TFE_Py_FastPathExecute(context.context(), op, None, *inputs.values(), *flat)
    except Exception as error:
        if hasattr(error, "code") and hasattr(error, "message"):
            raise exception_type_from_error_code(error.code)(None, None, error.message) from None
        raise


def check(function):
    CHECKS[function.__name__.replace("_", " ")] = function
    return function


def expect_error(kinds, text, function):
    try:
        function()
    except kinds as error:
        assert text in str(error), f"the error does not say '{text}': {error}"
        return
    raise AssertionError(f"no error that says '{text}'")


def wrapper(ops):
    """The generated function of the affine op; `None` where loading generates none."""
    module = MODULES[ops.suffix]
    found = [n for n in dir(module) if n.startswith("oplink_affine") and not n.endswith("_eager_fallback")]
    return getattr(module, found[0]) if found else None


@check
def generated_wrappers(ops):
    if MODULES[ops.suffix] is not None:
        np.testing.assert_array_equal(wrapper(ops)(x=[1.0, 2.0], scale=2.0, shift=1), [3.0, 5.0])


@check
def eager(ops):
    for dtype in (np.float32, np.float64):
        x = np.linspace(-3, 3, 24).reshape(2, 3, 4).astype(dtype)
        np.testing.assert_allclose(ops.affine(tf.constant(x), scale=0.5, shift=-2), x * dtype(0.5) - 2)


@check
def attrs_and_their_defaults(ops):
    x = tf.constant([-2.0, 0.25, 9.0])
    np.testing.assert_array_equal(ops.affine(x), [-2.0, 0.25, 9.0])
    np.testing.assert_array_equal(ops.affine(x, shift=3), [1.0, 3.25, 12.0])
    np.testing.assert_array_equal(ops.affine(x, mode="clip", bounds=[-1.0, 1.0]), [-1.0, 0.25, 1.0])
    np.testing.assert_array_equal(ops.affine(x, mode="plain", bounds=[-1.0, 1.0, 5.0]), [-2.0, 0.25, 9.0])


@check
def scalars_and_empty_tensors(ops):
    assert ops.affine(tf.constant(2.0), scale=3.0).numpy() == 6.0
    for shape in ([0], [3, 0, 2]):
        assert ops.affine(tf.zeros(shape, tf.float64), shift=1).shape == shape
        assert ops.join([tf.zeros(shape, tf.string)] * 2).shape == shape
    assert ops.join([tf.constant("a"), tf.constant("b")], separator="-").numpy() == b"a-b"


@check
def string_tensors(ops):
    long, binary = "x" * 1000, b"\x00\xff\x00"
    parts = [tf.constant(["a", "", long, binary]), tf.constant(["b" * 22, "c" * 23, "", "d"])]
    joined = ops.join(parts, separator=", ").numpy().tolist()
    assert joined == [b"a, " + b"b" * 22, b", " + b"c" * 23, long.encode() + b", ", binary + b", d"], joined
    assert ops.join([tf.constant([["p", "q"]])]).numpy().tolist() == [[b"p", b"q"]]
    many = ops.join([tf.constant([str(n)]) for n in range(50)]).numpy()
    assert many == ["".join(map(str, range(50))).encode()]


@check
def inputs_stay_as_they_are(ops):
    x = tf.constant(np.arange(5000, dtype=np.float32))
    first, second = ops.affine(x, scale=2.0), ops.affine(x, scale=3.0)
    np.testing.assert_array_equal(x, np.arange(5000))
    np.testing.assert_array_equal(first.numpy() + second.numpy(), np.arange(5000) * 5.0)


@check
def tf_function(ops):
    @tf.function
    def function(x):
        y = ops.affine(x + 1.0, scale=2.0)
        return ops.affine(y, shift=1) + ops.affine(y, shift=2), x

    for x in ([1.0, 2.0], np.arange(5000, dtype=np.float32), np.zeros([0, 3], np.float32)):
        result, same = function(tf.constant(x))
        np.testing.assert_array_equal(result, (np.asarray(x) + 1) * 4 + 3)
        np.testing.assert_array_equal(same, x)
    strings = tf.function(lambda a: ops.join([a, ops.join([a, a], separator="-")], separator="+"))
    assert strings(tf.constant(["u", "v" * 30])).numpy().tolist() == [b"u+u-u", b"+".join([b"v" * 30, b"-".join([b"v" * 30] * 2)])]


@check
def shape_functions(ops):
    def shape_of(function, *specs):
        return tf.function(function).get_concrete_function(*specs).outputs[0].shape

    assert shape_of(lambda x: ops.affine(x), tf.TensorSpec([None, 3])).as_list() == [None, 3]
    assert shape_of(lambda x: ops.affine(x), tf.TensorSpec([2, 0, 7])).as_list() == [2, 0, 7]
    assert shape_of(lambda x: ops.affine(x), tf.TensorSpec([])).as_list() == []
    assert shape_of(lambda x: ops.affine(x), tf.TensorSpec(None)).rank is None
    two = [tf.TensorSpec([None, 3], tf.string), tf.TensorSpec([2, None], tf.string)]
    merged = shape_of(lambda a, b: ops.join([a, b]), *two)
    # The C functions cannot merge shapes; the Rust kit can.
    assert merged.rank == 2 and merged.is_compatible_with([2, 3]) and (ops.suffix or merged.as_list() == [2, 3])


@check
def version_1_session(ops):
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None])
        name = tf.compat.v1.placeholder(tf.string)
        y, joined = ops.affine(x, scale=2.0, shift=1), ops.join([name, name], separator="/")
        with tf.compat.v1.Session() as session:
            for count in (1, 3, 0):
                values, text = session.run([y, joined], {x: np.ones(count), name: "n"})
                np.testing.assert_array_equal(values, np.full(count, 3.0))
                assert text == b"n/n"


@check
def tf_data(ops):
    numbers = tf.data.Dataset.range(100).map(lambda n: ops.affine(tf.cast(n, tf.float32), scale=2.0), 4).batch(10)
    assert sum(float(tf.reduce_sum(batch)) for batch in numbers) == 9900.0
    strings = tf.data.Dataset.from_tensor_slices(["a", "b"]).map(lambda s: ops.join([s, s]))
    assert list(strings.as_numpy_iterator()) == [b"aa", b"bb"]


@check
def saved_model(ops):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float64), tf.TensorSpec([], tf.string)])
        def serve(self, x, s):
            clipped = ops.affine(x, scale=3.0, shift=1, mode="clip", bounds=[0.0, 10.0])
            return {"y": clipped, "s": ops.join([s, s], separator="&")}

    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(Model(), folder)
        result = tf.saved_model.load(folder).serve(tf.constant([-1.0, 1.0, 9.0], tf.float64), tf.constant("t"))
    np.testing.assert_array_equal(result["y"], [0.0, 4.0, 10.0])
    assert result["s"].numpy() == b"t&t"


@check
def gradient_registered_from_python(ops):
    @tf.RegisterGradient("OplinkAffine" + ops.suffix)
    def gradient(op, dy):
        return ops.affine(dy, scale=op.get_attr("scale"))

    x = tf.constant([1.0, 2.0])
    functions = [tf.function(lambda x: tf.square(ops.affine(x, scale=3.0, shift=1)))]
    if wrapper(ops) is not None:
        functions.append(lambda x: tf.square(wrapper(ops)(x=x, scale=3.0, shift=1)))
    for function in functions:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        np.testing.assert_array_equal(tape.gradient(y, x), [24.0, 42.0])


@check
def kernel_errors(ops):
    unequal = [tf.constant(["a", "b"]), tf.constant(["c"])]
    expect_error(errors.InvalidArgumentError, "", lambda: ops.join(unequal))
    unknown = [tf.TensorSpec(None, tf.string)] * 2
    function = tf.function(lambda a, b: ops.join([a, b]), input_signature=unknown)
    expect_error(errors.InvalidArgumentError, "Join", lambda: function(*unequal))
    assert function("a", "b").numpy() == b"ab"


@check
def construction_errors(ops):
    x = tf.constant([1.0])
    expect_error(errors.InvalidArgumentError, "bounds", lambda: ops.affine(x, mode="clip"))
    function = tf.function(lambda: ops.affine(x, mode="clip", bounds=[1.0]))
    expect_error((errors.InvalidArgumentError, ValueError), "bounds", lambda: function())
    np.testing.assert_array_equal(ops.affine(x, mode="clip", bounds=[2.0, 3.0]), [2.0])


@check
def shape_errors(ops):
    unequal = [tf.constant(["a", "b"]), tf.constant(["c", "d", "e"])]
    expect_error((ValueError, errors.InvalidArgumentError), "Join", lambda: tf.function(lambda: ops.join(unequal))())


@check
def refusals_of_the_host(ops):
    x = tf.constant([1.0])
    kinds = (errors.InvalidArgumentError, errors.NotFoundError, ValueError, TypeError)
    expect_error(kinds, "", lambda: ops.affine(x, mode="other"))
    expect_error(kinds, "", lambda: ops.affine(tf.constant([1])))
    expect_error(kinds, "", lambda: ops.join([]))


@check
def many_threads(ops):
    def work(number):
        x = np.full(1000 + number, float(number))
        return all((ops.affine(tf.constant(x), shift=1).numpy() == number + 1).all() for _ in range(50))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(32)))


@check
def memory_is_given_back(ops):
    x, strings = tf.ones([256, 1024]), tf.constant(["s" * 1000] * 1000)

    def rounds(count):
        for _ in range(count):
            ops.affine(x, shift=1)
            ops.join([strings, strings])
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before, after = rounds(30), rounds(150)
    assert after - before < 60_000, f"{after - before} KiB more after 150 rounds"


@check
def a_second_load_changes_nothing(ops):
    path = PATHS[ops.suffix]
    (tf.load_op_library if MODULES[ops.suffix] is not None else load_library.load_pluggable_device_library)(path)
    np.testing.assert_array_equal(ops.affine(tf.nn.relu([-1.0, 1.0]), shift=1), [1.0, 2.0])
