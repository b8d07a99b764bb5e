"""Optimisers: one step on variables, which then are read."""
from tensorflow.python.framework import op_def_registry

from cases import GraphBuilder
from draw import given

from . import graph_recipe
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
