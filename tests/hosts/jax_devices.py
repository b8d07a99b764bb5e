"""Arrays that two devices share: `XLA_FLAGS=--xla_force_host_platform_device_count=2 python jax_devices.py libmy_ops.so`.

Ops on each element are called by each device on its part, others on the whole array.
"""

import re
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from jax.test_util import check_grads

from oplink_hosts import jax as oplink_jax

jax.config.update("jax_enable_x64", True)
assert jax.device_count() == 2
ops = oplink_jax.load(sys.argv[1])
mesh = jax.make_mesh((2,), ("devices",), axis_types=(AxisType.Auto,))
BY_ROWS = NamedSharding(mesh, PartitionSpec("devices"))
rows = jax.device_put(jnp.arange(12.0).reshape(4, 3) / 7, BY_ROWS)


def check(ours, theirs, parts):
    """Equal results, and the shapes that the plugin's ops are called with."""
    for wrap in (lambda run: run, jax.jit):
        made, expected = wrap(ours)(rows), theirs(rows)
        np.testing.assert_allclose(made, expected, rtol=1e-12)
    text = jax.jit(ours).lower(rows).compile().as_text()
    called = re.findall(r"= f64\[([\d,]*)\]\S* custom-call\(.*custom_call_target=\"my_ops", text)
    assert called == parts, f"{called}"
    is_whole = "4,3" in called or "4" in called
    assert ("all-gather" in text) == is_whole, "what is gathered"
    if not is_whole:
        assert made.sharding.is_equivalent_to(BY_ROWS, 2), f"{made.sharding}"


def total(run):
    return jax.grad(lambda x: run(x).sum())


check(ops.squash, jnp.tanh, ["2,3"])
check(lambda x: ops.scale_shift(x, scale=2.0, shift=1), lambda x: 2 * x + 1, ["2,3"])
check(lambda x: ops.plain_add(x, jnp.ones((4, 3))), lambda x: x + 1, ["2,3"])
check(jax.vmap(ops.squash), jnp.tanh, ["2,3"])
check(total(ops.squash), total(jnp.tanh), ["2,3", "2,3"])
check(jax.vmap(total(ops.squash)), jax.vmap(total(jnp.tanh)), ["2,3", "2,3"])
check(ops.row_sums, lambda x: x.sum(1), ["4"])
for run in (ops.squash, lambda x: ops.plain_add(x, ops.scale_shift(x, scale=3.0))):
    check_grads(run, (rows,), order=2, modes=["fwd", "rev"])
print("ok")
