"""Ops on each element of arrays that several devices share: each device calls the op on its part."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import NamedSharding, PartitionSpec


def on_parts(call, rank, num_inputs, num_outputs):
    """`call`, a function of arrays of one shape, which gives a tuple of such arrays, where they may be shared."""
    parted = custom_partitioning(lambda *arrays: call(*arrays))

    def partition(mesh, arguments, results):
        del results
        # The first array that is shared tells how; the others become so.
        specs = [one.sharding.spec for one in arguments if isinstance(one.sharding, NamedSharding)]
        spec = next((spec for spec in specs if any(spec)), PartitionSpec())
        sharding = NamedSharding(mesh, spec)
        return mesh, lambda *arrays: tuple(call(*arrays)), (sharding,) * num_outputs, (sharding,) * num_inputs

    def infer(mesh, arguments, results):
        return partition(mesh, arguments, results)[2]

    extents = " ".join(f"e{at}" for at in range(rank))
    parted.def_partition(
        partition=partition,
        infer_sharding_from_operands=infer,
        sharding_rule=f"{', '.join([extents] * num_inputs)} -> {', '.join([extents] * num_outputs)}",
    )

    @custom_vmap
    def mapped(*arrays):
        return tuple(parted(*arrays))

    @mapped.def_vmap
    def batched(axis_size, in_batched, *arrays):
        repeated = [
            one if is_batched else jnp.broadcast_to(one, (axis_size, *one.shape))
            for one, is_batched in zip(arrays, in_batched)
        ]
        return on_parts(call, rank + 1, num_inputs, num_outputs)(*repeated), (True,) * num_outputs

    return mapped


def is_worthwhile():
    """Whether there are devices that could share an array."""
    return jax.device_count() > 1
