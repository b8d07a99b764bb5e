"""Derivatives of a plugin's ops in JAX: reverse mode by the plugin's own ops for gradients, forward mode by
differentiating these."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

from . import _gradient
from ._gradient import Program, flat
from ._jax_dtypes import DTYPES, HOST_OPS
from ._jax_tangent import tangent
from ._plugin import PluginError


def differentiable(jax_op):
    """The function of flat arrays of an op, which can be differentiated."""
    op = jax_op.op
    function = jax.custom_jvp(jax_op.run, nondiff_argnums=(0, 1, 2))
    if op.gradient_of is None:
        function.defjvp(_of_op(jax_op, function), symbolic_zeros=True)
    else:
        function.defjvp(_of_gradient(jax_op, function))
    return function


def _of_op(jax_op, function):
    op = jax_op.op

    def rule(lengths, texts, avals, primals, tangents):
        made = function(lengths, texts, avals, *primals)
        wanted = [not isinstance(one, SymbolicZero) and _varies(one) for one in tangents]
        if not any(wanted):
            return made, tuple(_zero(one) for one in made)
        program = Program.of(op.request("gradient", lengths, avals, dict(texts), wanted))
        varying = [at for at, one in enumerate(made) if _varies(one)]
        kept = program.kept(len(primals), len(made))
        residuals = [one for of, which in zip((primals, made), kept) for one, is_kept in zip(of, which) if is_kept]
        call = _Call(jax_op, program, kept, (lengths, texts, avals), wanted, varying, made)
        linear = [one for one, is_wanted in zip(tangents, wanted) if is_wanted]
        found = iter(tangent(call.forward, call.transpose, residuals, linear, [made[at] for at in varying]))
        return made, tuple(next(found) if at in varying else _zero(one) for at, one in enumerate(made))

    return rule


class _Call:
    """The tangents of one call."""

    def __init__(self, jax_op, program, kept, call, wanted, varying, made):
        self.jax_op, self.program, self.kept, self.wanted, self.varying = jax_op, program, kept, wanted, varying
        self.lengths, self.texts, self.avals = call
        self.outputs = [(one.shape, one.dtype) for one in made]

    def values(self, residuals):
        residuals = iter(residuals)
        return [[next(residuals) if is_kept else None for is_kept in of] for of in self.kept]

    def dys(self, cotangents):
        cotangents = iter(cotangents)
        return [
            next(cotangents) if at in self.varying else jnp.zeros(shape, dtype)
            for at, (shape, dtype) in enumerate(self.outputs)
        ]

    def chosen(self, gradients):
        return tuple(
            jnp.zeros(shape, DTYPES[dtype]) if one is None else one
            for one, (dtype, shape), is_wanted in zip(gradients, self.avals, self.wanted) if is_wanted
        )

    def node_by_node(self, residuals, cotangents):
        inputs, outputs = self.values(residuals)
        return self.chosen(self.program.run(inputs, outputs, self.dys(cotangents), self.jax_op))

    def forward(self, residuals, linear):
        zeros = [jnp.zeros(*self.outputs[at]) for at in self.varying]
        # Gradients are linear in what comes in; what they are linear by pushes tangents forward.
        _, pull = jax.vjp(lambda *dys: self.node_by_node(residuals, dys), *zeros)
        return tuple(pull(tuple(linear)))

    def is_for_nodes(self):
        """Whether the program may run on a GPU: ops for gradients have no kernels there, and their nodes may."""
        return self.jax_op.has_cuda and jax.default_backend() == "gpu" and self.program.runs_with(HOST_OPS)

    def transpose(self, residuals, cotangents):
        if self.program.function is None or self.is_for_nodes():
            return self.node_by_node(residuals, cotangents)
        (inputs, outputs), gradient = self.values(residuals), self.jax_op.gradient
        of_outputs = [end - start for start, end in self.jax_op.infer(self.lengths, self.texts, self.avals)["ranges"]]
        dtypes = [[DTYPES[dtype] for dtype, _ in self.avals], [dtype for _, dtype in self.outputs]]

        def run(arrays, lengths, wanted):
            known = {attr["name"] for attr in gradient.op.attrs}
            texts = [(name, text) for name, text in self.texts if name in known]
            flags = ", ".join("true" if one else "false" for one in wanted)
            texts.append((gradient.op.attrs[-1]["name"], f"[{flags}]"))
            return gradient.call_flat(tuple(lengths), tuple(sorted(texts)), arrays)

        def empty(kind, at):
            return jnp.zeros(0, dtypes[kind][at])

        lengths = self.lengths, of_outputs, gradient.op.differentiable
        dys = self.dys(cotangents)
        found = self.program.run_at_once(run, lengths, inputs, outputs, dys, self.wanted, empty)
        return self.chosen(found)


def _of_gradient(jax_op, function):
    def rule(lengths, texts, avals, primals, tangents):
        made = function(lengths, texts, avals, *primals)
        moved = [at for at, one in enumerate(primals) if _varies(one)]

        def by_nodes(*values):
            arrays = list(primals)
            for at, value in zip(moved, values):
                arrays[at] = value
            found = gradients_by_nodes(jax_op, lengths, texts, avals, arrays)
            return tuple(jnp.zeros_like(one) if other is None else other for one, other in zip(made, found))

        _, pushed = jax.jvp(by_nodes, [primals[at] for at in moved], [tangents[at] for at in moved])
        return made, tuple(pushed)

    return rule


def gradients_by_nodes(gradient, lengths, texts, avals, arrays):
    """What a call of an op for gradients gives, by the nodes that it runs: None for one that there is not."""
    op = gradient.op
    program, wanted = program_of_gradient(gradient, lengths, texts, avals)
    of_inputs, of_outputs = map(sum, op.forward_lengths(lengths))
    groups = [arrays[:of_inputs], arrays[of_inputs : of_inputs + of_outputs], arrays[of_inputs + of_outputs :]]
    found = program.run(*groups, gradient.of)
    found = [one if is_wanted else None for one, is_wanted in zip(found, wanted)]
    made, start = [], 0
    for length, has_gradient in zip(lengths, op.differentiable):
        made += found[start : start + length] if has_gradient else []
        start += length
    return made


def program_of_gradient(gradient, lengths, texts, avals):
    """The nodes that a call of an op for gradients runs, and which gradients are wanted."""
    op, texts = gradient.op, dict(texts)
    of_inputs, _ = op.forward_lengths(lengths)
    inputs = avals[: sum(of_inputs)]
    flags = texts.pop(op.attrs[-1]["name"], "[]").strip("[]")
    wanted = [one.strip() == "true" for one in flags.split(",")] if flags else [True] * len(inputs)
    texts = op.forward_texts(texts, lengths, [dtype for dtype, _ in avals])
    try:
        # An empty array may stand for one that is not needed, of another shape.
        known = [(dtype, None if shape == (0,) else shape) for dtype, shape in inputs]
        return Program.of(op.gradient_of.request("gradient", of_inputs, known, texts, wanted)), wanted
    except PluginError:
        return Program.of(op.gradient_of.request("gradient", of_inputs, inputs, texts, wanted)), wanted


def _varies(value):
    return jnp.issubdtype(value.dtype, jnp.inexact)


def _zero(value):
    return jnp.zeros_like(value) if _varies(value) else np.zeros(value.shape, jax.dtypes.float0)


class Nodes(_gradient.Nodes):
    """What a gradient's program is made of: a base of an op's function."""

    host, host_ops = "JAX", HOST_OPS

    def own(self, function, inputs, attrs):
        return flat(getattr(self.ops, function)(*inputs, **attrs))

    def constant(self, data, dtype, shape):
        return jnp.asarray(np.frombuffer(data, DTYPES[dtype]).reshape(shape))
