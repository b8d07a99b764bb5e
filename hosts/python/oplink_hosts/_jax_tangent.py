"""A linear function with a transpose of its own, which JAX can also map and differentiate.

`custom_vjp` knows no forward mode, and the linear calls that JAX has know no `vmap`. This primitive is what the
tangents of an op are: pushed forward by differentiating the gradient, pulled back by the gradient itself in one call.
"""

import functools

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

_tangent = Primitive("oplink_tangent")
_tangent.multiple_results = True


def tangent(forward, transpose, residuals, linear, outputs):
    """`forward(residuals, linear)`, a tuple of arrays like `outputs`, which `transpose(residuals, cotangents)`
    transposes: a tuple of arrays like `linear`."""
    parameters = {"forward": forward, "transpose": transpose, "count": len(residuals)}
    outputs = tuple(jax.typeof(one) for one in outputs)
    return _tangent.bind(*residuals, *linear, outputs=outputs, **parameters)


def _run(*values, forward, count, **_):
    return forward(values[:count], values[count:])


@_tangent.def_abstract_eval
def _(*_, outputs, **__):
    return list(outputs)


def _jvp(primals, tangents, *, forward, transpose, count, outputs):
    made = _tangent.bind(*primals, forward=forward, transpose=transpose, count=count, outputs=outputs)
    residuals, linear = primals[:count], primals[count:]
    found = [None] * len(made)
    if any(not isinstance(one, ad.Zero) for one in tangents[count:]):
        given = [ad.instantiate_zeros(one) for one in tangents[count:]]
        found = tangent(forward, transpose, residuals, given, made)
    moved = [at for at, one in enumerate(tangents[:count]) if not isinstance(one, ad.Zero)]
    if moved:
        def of(*values):
            all_values = list(residuals)
            for at, value in zip(moved, values):
                all_values[at] = value
            return forward(tuple(all_values), linear)

        _, pushed = jax.jvp(of, [residuals[at] for at in moved], [tangents[at] for at in moved])
        found = [one if other is None else one + other for one, other in zip(pushed, found)]
    return made, [ad.Zero.from_primal_value(one) if other is None else other for one, other in zip(made, found)]


def _transposed(cotangents, *values, forward, transpose, count, outputs):
    del forward
    given = [
        jnp.zeros(like.shape, like.dtype) if isinstance(one, ad.Zero) else one for one, like in zip(cotangents, outputs)
    ]
    return [None] * count + list(transpose(values[:count], tuple(given)))


def _batched(values, dims, *, forward, transpose, count, outputs):
    size = next(value.shape[dim] for value, dim in zip(values, dims) if dim is not None)

    def to_front(value, dim):
        if dim is None:
            return jnp.broadcast_to(value, (size, *value.shape))
        return jnp.moveaxis(value, dim, 0)

    # What is linear has the batch always, so that its transpose has it too.
    kept = tuple(dims[:count])
    linear = [to_front(value, dim) for value, dim in zip(values[count:], dims[count:])]
    made = _tangent.bind(
        *values[:count], *linear,
        forward=_mapped(forward, kept, size), transpose=_mapped(transpose, kept, size), count=count,
        outputs=tuple(jax.core.ShapedArray((size, *one.shape), one.dtype) for one in outputs),
    )
    return made, [0] * len(made)


def _mapped(function, kept, size):
    return jax.vmap(function, in_axes=(kept, 0), axis_size=size)


_tangent.def_impl(functools.partial(_run))
ad.primitive_jvps[_tangent] = _jvp
ad.primitive_transposes[_tangent] = _transposed
batching.primitive_batchers[_tangent] = _batched
mlir.register_lowering(_tangent, mlir.lower_fun(_run, multiple_results=True))
