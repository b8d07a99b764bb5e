"""Optimisers: one step on variables, which then are read."""
import numpy as np
from tensorflow.python.framework import op_def_registry

from cases import GraphBuilder
from draw import given

from . import graph_recipe, recipe
from .array import picks
from .state import Variable

STEPS = ("ApplyAdadelta", "ApplyAdagrad", "ApplyAdagradDA", "ApplyAdagradV2", "ApplyAdam", "ApplyAdaMax", "ApplyAddSign", "ApplyCenteredRMSProp",
         "ApplyFtrl", "ApplyFtrlV2", "ApplyGradientDescent", "ApplyMomentum", "ApplyPowerSign", "ApplyProximalAdagrad", "ApplyProximalGradientDescent",
         "ApplyRMSProp", "ApplyKerasMomentum", "ApplyAdamWithAmsgrad")
SPARSE = ("SparseApplyAdadelta", "SparseApplyAdagrad", "SparseApplyAdagradV2", "SparseApplyFtrl", "SparseApplyMomentum", "SparseApplyRMSProp",
          "SparseApplyKerasMomentum", "SparseApplyCenteredRMSProp", "SparseApplyFtrlV2", "SparseApplyProximalAdagrad",
          "SparseApplyProximalGradientDescent", "SparseApplyAdagradDA")
NAMES = [n for op in STEPS + SPARSE for n in (op, f"Resource{op}") if op_def_registry.get(n) is not None]
# Accumulators of squares start above 0, as optimisers have them.
POSITIVE = ("accum", "v", "ms", "mg", "accum_update", "gradient_squared_accumulator", "beta1_power", "beta2_power", "epsilon", "lr", "alpha", "rho",
            "momentum", "beta1", "beta2", "l1", "l2", "l2_shrinkage", "beta")


@graph_recipe(*NAMES)
def step(d, t, op):
    """Variables for handles and references, small positive scalars for rates, a gradient of the variables' shape."""
    g, op_def, dtype = GraphBuilder(), op_def_registry.get(op), t["T"]
    shape = d.shape(1, 3, 30)
    indices = sorted(set(picks(d, shape[0], (d.integer(0, 4),)).tolist()))
    variables, inputs = [], []
    for arg in op_def.input_arg:
        if arg.is_ref or arg.type == 20:
            # A centred moving average of squares is at least the square of the average.
            style = "unit" if arg.name in ("ms", "v") else "small" if arg.name == "mg" else "positive" if arg.name in POSITIVE else "plain"
            tensor = d.tensor(dtype, shape, style)
            if arg.name == "mg":
                tensor.array[...] = 0
            variables.append(Variable(g, tensor, arg.type == 20, f"v{len(variables)}"))
            inputs.append(variables[-1].handle)
        elif arg.name == "indices":
            inputs.append(g.feed(given(t["Tindices"], indices)))
        elif arg.name in ("grad", "delta", "gradient"):
            wanted = (len(indices), *shape[1:]) if "Sparse" in op else shape
            inputs.append(g.feed(d.tensor(dtype, wanted if not d.bad() else (*wanted[:-1], wanted[-1] + 1), "plain")))
        elif arg.name == "global_step":
            inputs.append(g.feed(given("int64", d.integer(1, 5))))
        elif arg.name == "lr_power":
            inputs.append(g.feed(given(dtype, -0.5)))
        else:
            inputs.append(g.feed(given(dtype, float(d.random.uniform(0.05, 0.9))) if not d.bad(0.01) else d.tensor(dtype, (2,), "unit")))
    more = {"multiply_linear_by_lr": False, "update_slots": d.chance(0.7), "use_nesterov": d.chance(0.5), "use_locking": d.chance(0.5)}
    node = g.node(op, inputs, T=dtype, Tindices=t.get("Tindices", "int32"), **more)
    reads = [v.read() for v in variables]
    initialise = [v.initialise for v in variables]
    changed = ([node], []) if op_def.output_arg else ([], [node])
    return g.case(op, [], dtype, steps=[([], initialise), changed, changed, (reads, [])])


@graph_recipe("SdcaShrinkL1")
def shrink(d, t):
    """Variables behind references, of any shapes; `l2` above 0."""
    g = GraphBuilder()
    variables = [Variable(g, d.tensor("float32", d.shape(0, 3, 30), d.one(["plain", "small"])), False, f"v{at}") for at in range(d.integer(0, 3))]
    rates = {"l1": d.one([0.0, 0.5, 1.25]), "l2": d.one([0.5, 1.0, 3.0])}
    node = g.node("SdcaShrinkL1", [v.handle for v in variables], num_features=len(variables), **rates)
    initialise = [v.initialise for v in variables]
    steps = ([([], initialise)] if initialise and not d.bad() else []) + [([], [node])]
    return g.case("SdcaShrinkL1", [], steps=[*steps, *(([v.read()], []) for v in variables)])


@recipe("SdcaOptimizer", "SdcaOptimizerV2")
def sdca(d, t, op):
    """Examples without a feature in common, because TensorFlow draws their order from the machine's noise."""
    loss = d.one(["logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss"])
    adaptive = d.chance(0.3)
    count = d.integer(1, 4) if not adaptive else 1

    def numbers(*shape):
        return d.random.integers(-8, 9, shape) / 4

    groups, dense_groups = d.integer(0, 2), d.integer(0, 2)
    dense_groups += groups + dense_groups == 0 and not d.bad()
    examples, features, values, indices, weights = [], [], [], [], []
    for _ in range(groups):
        sizes = [d.integer(0, 3) for _ in range(count)]
        ids = d.random.permutation(20)[: sum(sizes)]
        known = d.random.permutation(20)[: 20 if not d.bad() else 3]
        examples.append(given("int64", np.repeat(np.arange(count), sizes)))
        features.append(given("int64", ids if not d.bad() or len(ids) < 2 or sizes[0] < 2 else ids[np.r_[0, 0, 2 : len(ids)]]))
        values.append(given("float32", numbers(sum(sizes))))
        indices.append(given("int64", known))
        weights.append(given("float32", numbers(len(known))))
    dense, dense_weights = [], []
    for _ in range(dense_groups):
        width = d.integer(1, 3)
        rows = np.zeros((count, count * width))
        for at in range(count):
            rows[at, at * width : (at + 1) * width] = numbers(width)
        dense.append(given("float32", rows if not d.bad() else rows[0]))
        dense_weights.append(given("float32", numbers(count * width)))
    with_values = d.integer(0, groups)
    labels = d.random.integers(0, 2, count) if loss not in ("squared_loss", "poisson_loss") or d.chance(0.5) else d.random.integers(0, 12, count) / 4
    if d.bad():
        labels = labels - 3
    signs = np.where(labels == 1, 1, -1) if loss not in ("squared_loss", "poisson_loss") else 1
    state = np.zeros((count, 4 if not d.bad() else 3))
    state[:, 0] = np.minimum(d.random.integers(0, 3, count) / 4, np.maximum(labels, 0) if loss == "poisson_loss" else 1) * signs
    inputs = [examples, features, values[:with_values], dense, given("float32", d.random.integers(1, 9, count) / 4), given("float32", labels if not d.bad() else labels[1:]),
              indices, weights, dense_weights, given("float32", state)]
    attrs = {"loss_type": loss, "adaptive" if op.endswith("V2") else "adaptative": adaptive, "num_sparse_features": groups, "num_sparse_features_with_values": with_values,
             "num_dense_features": dense_groups, "l1": d.one([0.0, 0.5]), "l2": d.one([0.5, 1.0, 4.0]), "num_loss_partitions": d.one([1, 1, 2]), "num_inner_iterations": 1}
    return inputs, attrs
