"""The example plugin in JAX: `python in_jax.py libmy_ops.so [calls.jsonl]`."""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.test_util import check_grads

from cases import CASES
from matrix import Matrix, NotCarried, as_in_oplink, refused, run_all, same
from oplink_hosts import jax as oplink_jax

jax.config.update("jax_enable_x64", True)
matrix = Matrix("JAX")
ops = oplink_jax.load(sys.argv[1])


def arguments(case, inputs):
    if any(getattr(value, "dtype", None) == object for value in inputs):
        raise NotCarried("JAX has no arrays of strings")
    arrays = [jnp.asarray(value) for value in inputs]
    return [arrays] if case.lists else arrays


def flat(made):
    made = made if isinstance(made, (tuple, list)) else [made]
    return [one for each in made for one in (each if isinstance(each, (tuple, list)) else [each])]


def array(one):
    return np.asarray(one.astype(jnp.complex128))


def attrs_of(attrs):
    return {name: jnp.int64 if name == "To" else value for name, value in attrs.items()}


def call(case, inputs, attrs, wrap=lambda run: run):
    if case.op == "non_zero_rows":
        raise NotCarried("the size of the output is not known before it runs: " + refused(
            lambda: ops.non_zero_rows(inputs[0]), "is not known before it runs"))
    if case.op == "join_texts":
        raise NotCarried("JAX has no arrays of strings: " + refused(
            lambda: ops.join_texts(inputs), "cannot be called in JAX"))
    run = wrap(lambda *x: getattr(ops, case.op)(*x, **attrs_of(attrs)))
    return [array(one) for one in flat(run(*arguments(case, inputs)))]


def total(case):
    """A number that depends on all outputs of an op."""
    def run(*x):
        made = getattr(ops, case.op)(*([list(x)] if case.lists else x), **attrs_of(case.attrs))
        return sum((one ** 2).sum() for one in flat(made))

    return run


def calls(function, inputs):
    """The ops of the plugin that a program calls."""
    lines = jax.jit(function).lower(*inputs).as_text().splitlines()
    return [line.split("custom_call @my_ops.")[1].split("(")[0] for line in lines if "custom_call @my_ops." in line]


run_all(matrix, call, set(jnp.__dict__), lambda value, dtype: jnp.asarray(value).astype(dtype))

for case in CASES:
    if case.op in ("non_zero_rows", "join_texts"):
        continue

    def compiled(case=case):
        inputs = case.inputs("float32")
        made = call(case, inputs, case.attrs, jax.jit)
        if not case.changing:
            same(made, case.expect(*inputs))

    def gradient(case=case):
        inputs = [jnp.asarray(value) for value in case.inputs("float64")]
        run = getattr(ops, case.op)
        run = (lambda *x: run(list(x), **case.attrs)) if case.lists else (
            lambda *x, run=run: run(*x, **case.attrs))
        if case.lists:
            run = lambda *x: getattr(ops, case.op)(list(x), **case.attrs)  # noqa: E731
        check_grads(run, inputs, order=2, modes=["rev", "fwd"])
        return "ok, both modes, second order too"

    def one_call(case=case):
        inputs = [jnp.asarray(value) for value in case.inputs("float64")]
        run = total(case)
        places = tuple(range(len(inputs)))
        made = calls(jax.grad(run, argnums=places), inputs)
        # The gradients of a sum are the sum's own: nothing is called.
        assert made == ([case.op] if case.op == "plain_add" else [case.op, f"{case.op}_grad"]), f"{made}"

    def per_sample(case=case):
        inputs = [jnp.stack([jnp.asarray(value) * (at + 1) for at in range(3)]) for value in case.inputs("float64")]
        gradient = jax.grad(total(case), argnums=tuple(range(len(inputs))))
        made, each = jax.vmap(gradient)(*inputs), [gradient(*(one[at] for one in inputs)) for at in range(3)]
        same([np.asarray(one) for one in made], [np.stack(one) for one in zip(*each)])
        both = jax.grad(lambda *x: jax.vmap(total(case))(*x).sum(), argnums=tuple(range(len(inputs))))(*inputs)
        same([np.asarray(one) for one in both], [np.asarray(one) for one in made])

    def mapped(case=case):
        if case.changing or not case.inputs("float32"):
            raise NotCarried("each call differs" if case.changing else "there are no inputs")
        inputs = case.inputs("float32")
        stacked = [jnp.stack([jnp.asarray(value)] * 3) for value in inputs]
        run = (lambda *x: getattr(ops, case.op)(list(x), **attrs_of(case.attrs))) if case.lists else (
            lambda *x: getattr(ops, case.op)(*x, **attrs_of(case.attrs)))
        made = flat(jax.vmap(run)(*stacked))
        same([array(one[2]) for one in made], case.expect(*inputs))
        for place in range(len(inputs)):
            mixed = [one if at == place else jnp.asarray(value) for at, (one, value) in enumerate(zip(stacked, inputs))]
            made = flat(jax.vmap(run, in_axes=tuple(0 if at == place else None for at in range(len(inputs))))(*mixed))
            same([array(one[2]) for one in made], case.expect(*inputs))
        is_loop = "while" in jax.jit(jax.vmap(run)).lower(*stacked).as_text()
        elementwise = case.op in ("plain_add", "scale_shift", "squash")
        assert is_loop != elementwise
        return "ok, one call" if elementwise else "ok, a call for each"

    matrix.check(case.op, "jit", compiled)
    if case.gradient:
        matrix.check(case.op, "gradient", gradient)
        matrix.check(case.op, "gradient in one call", one_call)
        matrix.check(case.op, "gradients of samples", per_sample)
    matrix.check(case.op, "vmap", mapped)


def direct():
    """Attrs as XLA tells them, without the package."""
    run = jax.ffi.ffi_call("my_ops.scale_shift", jax.ShapeDtypeStruct((2,), jnp.float32))
    made = run(jnp.ones(2, jnp.float32), scale=np.float32(3), shift=np.int64(1), bounds=np.array([], np.float32))
    same([np.asarray(made)], [np.full(2, 4.0)])
    made = run(jnp.ones(2, jnp.float32), scale=np.float32(3), mode="clip", bounds=np.array([0.0, 2.5], np.float32))
    same([np.asarray(made)], [np.full(2, 2.5)])
    return "ok " + refused(lambda: run(jnp.ones(2, jnp.float32), scal=np.float32(3)), "has no attr `scal`")


def wrong_size():
    run = jax.ffi.ffi_call("my_ops.row_sums", jax.ShapeDtypeStruct((3,), jnp.float32))
    return "ok " + refused(lambda: run(jnp.ones((2, 2), jnp.float32)), "made for float \\[3\\]")


def scan():
    def step(carry, _):
        return ops.scale_shift(carry, scale=2.0), None

    made, _ = jax.jit(lambda x: jax.lax.scan(step, x, None, length=5))(jnp.ones(2))
    same([np.asarray(made)], [np.full(2, 32.0)])


def train():
    key = jax.random.PRNGKey(1)
    rows = jax.random.normal(key, (4, 3))
    target = rows @ jnp.array([1.0, -2.0, 0.5])
    loss = lambda vector: ((ops.mat_vec(rows, vector) - target) ** 2).sum()  # noqa: E731
    step = jax.jit(lambda vector: vector - 0.05 * jax.grad(loss)(vector))
    vector = jnp.zeros(3)
    for _ in range(800):
        vector = step(vector)
    assert loss(vector) < 1e-3, f"the loss is {loss(vector)}"


def threads():
    from concurrent.futures import ThreadPoolExecutor

    x = jnp.ones(100)
    run = jax.jit(lambda x: ops.scale_shift(x, shift=3).sum())
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: float(run(x)), range(400)))
    assert made == [400.0] * 400


def higher():
    x = jnp.linspace(-1, 1, 5)
    ours, theirs = ops.squash, jnp.tanh
    for at in range(4):
        ours, theirs = ((lambda x, f=f: jax.grad(lambda x: f(x).sum())(x)) for f in (ours, theirs))
        np.testing.assert_allclose(ours(x), theirs(x), atol=1e-12)
    for first in (jax.jacfwd, jax.jacrev):
        for second in (jax.jacfwd, jax.jacrev):
            np.testing.assert_allclose(second(first(ops.squash))(x), second(first(jnp.tanh))(x), atol=1e-12)


def no_gradient():
    x = jnp.ones((2, 2))
    return "ok " + refused(lambda: jax.grad(lambda x: ops.largest_of_rows(x).sum())(x), "cannot be differentiated")


def remat():
    x = jnp.ones(3)
    plain, kept = (jax.grad(lambda x, f=f: (f(x) ** 2).sum()) for f in (ops.squash, jax.checkpoint(ops.squash)))
    np.testing.assert_allclose(kept(x), plain(x))


def in_order():
    """Calls with effects in the order in which they stand in the program."""
    x = jnp.zeros(1, jnp.float32)
    run = jax.jit(lambda x: [ops.count_calls(x, counter="order") for _ in range(20)])
    for at in range(3):
        assert [int(one) for one in run(x)] == list(range(20 * at, 20 * at + 20))


def devices():
    """Arrays that two devices share, in a process that has two."""
    script = os.path.join(os.path.dirname(__file__), "jax_devices.py")
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    command = [sys.executable, script, sys.argv[1]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-500:]


for name, body in [("two devices", devices), ("fourth order", higher), ("no gradient", no_gradient),
                   ("checkpoint", remat), ("effects", in_order), ("attrs of XLA", direct), ("wrong result size", wrong_size), ("scan", scan), ("train", train),
                   ("threads", threads)]:
    matrix.check("*", name, body)
as_in_oplink(matrix, "jax")
matrix.end()
