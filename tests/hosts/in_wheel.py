"""The installed wheel of examples/every_host in one framework.

usage: python in_wheel.py tensorflow|torch|jax|onnxruntime|numpy

Checks that the modules are what the library declares, that importing one imports one framework, and runs the cases.
"""

import ast
import importlib
import inspect
import os
import sys
import time

HOST = sys.argv[1]
MODULE, FRAMEWORK = {
    "tensorflow": ("tf", "tensorflow"), "torch": ("torch", "torch"), "jax": ("jax", "jax"),
    "onnxruntime": ("onnx", "onnxruntime"), "numpy": ("numpy", "oplink"),
}[HOST]
FRAMEWORKS = {"tensorflow", "torch", "jax", "onnxruntime", "onnx", "oplink"}


def imported():
    return FRAMEWORKS & set(sys.modules)


import my_ops  # noqa: E402

assert not imported(), imported()
started = time.perf_counter()
importlib.import_module(FRAMEWORK)
own = time.perf_counter() - started
if HOST == "jax":
    sys.modules["jax"].numpy.zeros(1)  # The backend starts when it is first used.
started = time.perf_counter()
ops = getattr(my_ops, MODULE)
beyond = time.perf_counter() - started
assert imported() == {FRAMEWORK}, imported()
assert os.path.dirname(my_ops.__file__).startswith(sys.prefix), my_ops.__file__

import numpy as np  # noqa: E402

from cases import CASES  # noqa: E402
from matrix import refused, same  # noqa: E402
from my_ops._hosts import Plugin  # noqa: E402

# Ops that compute gradients are no functions of the modules.
DECLARED = [op for op in Plugin(my_ops.LIBRARY).ops if op.gradient_of is None]


def functions():
    """Signatures and documentation are those of the declarations, in the module and in its types."""
    folder = os.path.dirname(my_ops.__file__)
    assert os.path.exists(os.path.join(folder, "py.typed"))
    with open(os.path.join(folder, f"{MODULE}.pyi"), encoding="utf-8") as file:
        typed = {node.name: node for node in ast.parse(file.read()).body if isinstance(node, ast.FunctionDef)}
    for op in DECLARED:
        function = getattr(ops, op.function)
        signature = inspect.signature(function)
        names = [arg["name"] for arg in op.inputs] + [attr["name"] for attr in op.attrs]
        assert list(signature.parameters) == names, f"{op.name}: {signature}"
        for attr in op.attrs:
            parameter = signature.parameters[attr["name"]]
            assert parameter.kind is parameter.KEYWORD_ONLY
            assert (parameter.default is parameter.empty) == attr["required"], f"{op.name}: {parameter}"
            if not attr["required"] and attr["kind"] not in ("type", "shape"):
                default = list(parameter.default) if attr["list"] else parameter.default
                assert default == attr["default"], f"{op.name}: {parameter}"
        first = op.doc.strip().splitlines()[0].strip()
        assert function.__doc__.startswith(first), f"{op.name}: {function.__doc__}"
        arguments = typed[op.function].args
        assert [one.arg for one in arguments.args + arguments.kwonlyargs] == names
        assert ast.get_docstring(typed[op.function], clean=False) == function.__doc__
    assert set(typed) == {op.function for op in DECLARED}
    return len(typed)


def tensor(value):
    if HOST == "torch":
        return ops.torch.from_numpy(np.ascontiguousarray(value))
    return value


def array(one):
    return one.numpy() if HOST in ("torch", "tensorflow") else np.asarray(one)


def flat(made):
    return [one for each in made for one in flat(each)] if isinstance(made, (tuple, list)) else [made]


def run(case, inputs, attrs):
    attrs = {name: ops.torch.int64 if HOST == "torch" and name == "To" else value for name, value in attrs.items()}
    given = [tensor(value) for value in inputs]
    return [array(one) for one in flat(getattr(ops, case.op)(*([given] if case.lists else given), **attrs))]


def cases():
    """Every case, with all its attrs; what a host has not is refused."""
    done = 0
    for case in CASES:
        inputs = case.inputs("float32" if "float32" in case.dtypes else case.dtypes[0])
        if case.op == "join_texts" and HOST in ("torch", "jax"):
            refused(lambda case=case: ops.join_texts([]), "cannot be called|no arrays")
            continue
        if case.op == "non_zero_rows" and HOST == "jax":
            refused(lambda: ops.non_zero_rows(inputs[0]), "is not known before it runs")
            continue
        if case.changing:
            assert case.changing(run(case, inputs, case.attrs), run(case, inputs, case.attrs)), case.op
        else:
            for attrs, expect in [(case.attrs, case.expect), *case.other_attrs]:
                try:
                    same(run(case, inputs, attrs), expect(*inputs))
                except Exception as error:
                    raise AssertionError(f"{case.op} with {attrs}") from error
        done += 1
    return done


def gradients():
    """Of every op that has one, against differences."""
    done = 0
    for case in CASES:
        if not case.gradient:
            continue
        inputs = case.inputs("float64")

        def call(*x, case=case):
            return getattr(ops, case.op)(*([list(x)] if case.lists else x), **case.attrs)

        if HOST == "torch":
            assert ops.torch.autograd.gradcheck(call, [tensor(one).requires_grad_() for one in inputs]), case.op
        elif HOST == "jax":
            from jax.test_util import check_grads

            check_grads(call, [np.asarray(one) for one in inputs], order=2, modes=["rev"])
        else:
            gradients_of_tensorflow(case.op, call, inputs)
        done += 1
    return done


def gradients_of_tensorflow(name, call, inputs):
    """Of first and second order, eager and traced."""
    import tensorflow as tf

    def one_output(*x):
        return tf.concat([tf.reshape(one, [-1]) for one in flat(call(*x))], 0)

    def of_squares(*x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(tf.square(one_output(*x)))
        made = tape.gradient(total, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        return tf.concat([tf.reshape(one, [-1]) for one in made], 0)

    for body in (one_output, tf.function(one_output), of_squares):
        for made, expected in zip(*tf.test.compute_gradient(body, [tf.constant(one) for one in inputs])):
            np.testing.assert_allclose(made, expected, rtol=1e-6, atol=1e-5, err_msg=name)


def traced():
    """In a program that the host makes of a function."""
    x = tensor(np.ones((2, 3), "float32"))

    def body(x):
        return ops.scale_shift(ops.row_sums(x), scale=2.0)

    if HOST == "torch":
        import torch

        made = torch.compile(body, fullgraph=True, backend="aot_eager")(x)
    elif HOST == "jax":
        import jax

        made = jax.jit(body)(x)
    else:
        import tensorflow as tf

        made = tf.function(body)(x)
    same([array(made)], [np.full(2, 6.0)])


def models():
    """The options of a session are those with the ops; calls again take the session that is there."""
    options = ops.OPS.session_options()
    assert type(options).__name__ == "SessionOptions"
    started = time.perf_counter()
    for _ in range(100):
        ops.scale_shift(np.ones(4, "float32"), scale=2.0)
    refused(lambda: ops.scale_shift([1.0], mode="other"), "other")
    refused(lambda: ops.OPS.node("ScaleShift", ["x"], ["y"]), "onnx")
    return f"{(time.perf_counter() - started) * 1e4:.0f} us a call"


if HOST == "jax":
    sys.modules["jax"].config.update("jax_enable_x64", True)
print(f"{HOST}: {functions()} functions with signatures and documentation", flush=True)
print(f"{HOST}: {cases()} of {len(CASES)} cases run", flush=True)
if HOST in ("tensorflow", "torch", "jax"):
    traced()
    print(f"{HOST}: {gradients()} gradients, eager and traced calls", flush=True)
if HOST == "onnxruntime":
    print(f"{HOST}: {models()}")
assert imported() == {FRAMEWORK}, imported()
print(f"{HOST}: imported in {own:.2f} s, my_ops.{MODULE} in {beyond * 1000:.0f} ms more", flush=True)
