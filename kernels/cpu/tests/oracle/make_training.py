"""Writes training.txt: programs of optimisers' steps; see programs.py. Run with TensorFlow 2.21."""

import programs
from programs import Program, np, op_def_registry, t, tf

FLOATS = ["float32", "float64", "float16", "bfloat16"]
COMPLEX = ["complex64", "complex128"]
rng = np.random.default_rng(7)

# Op without its prefix; the dtypes; variables that must be positive; scalars in order; attr that is tried both ways.
OPTIMISERS = [
    ("GradientDescent", FLOATS + COMPLEX, [], [0.1], None),
    ("ProximalGradientDescent", ["float32", "float64"], [], [0.1, 0.3, 0.2], None),
    ("ProximalGradientDescent", ["float32"], [], [0.1, 0.0, 0.2], None),
    ("Adadelta", FLOATS + COMPLEX, ["accum", "accum_update"], [0.5, 0.9, 0.01], None),
    ("Adagrad", FLOATS + COMPLEX, ["accum"], [0.1], "update_slots"),
    ("AdagradV2", FLOATS + COMPLEX, ["accum"], [0.1, 0.01], "update_slots"),
    ("ProximalAdagrad", ["float32", "float64"], ["accum"], [0.1, 0.3, 0.2], None),
    ("ProximalAdagrad", ["float32"], ["accum"], [0.1, 0.0, 0.2], None),
    ("AdagradDA", ["float32", "float64"], ["gradient_squared_accumulator"], [0.1, 0.3, 0.2, 4], None),
    ("AdagradDA", ["float32"], ["gradient_squared_accumulator"], [0.1, 0.0, 0.2, 4], None),
    ("Ftrl", FLOATS, ["accum"], [0.1, 0.3, 0.2, -0.5], "multiply_linear_by_lr"),
    ("Ftrl", FLOATS, ["accum"], [0.1, 0.3, 0.2, -0.7], "multiply_linear_by_lr"),
    ("Ftrl", ["float32"], ["accum"], [0.1, 0.0, 0.0, 0.0], None),
    ("FtrlV2", FLOATS, ["accum"], [0.1, 0.3, 0.2, 0.4, -0.5], "multiply_linear_by_lr"),
    ("FtrlV2", ["float32"], ["accum"], [0.1, 0.3, 0.2, 0.4, -0.3], None),
    ("Momentum", FLOATS + COMPLEX, [], [0.1, 0.9], "use_nesterov"),
    ("KerasMomentum", FLOATS + COMPLEX, [], [0.1, 0.9], "use_nesterov"),
    ("Adam", FLOATS + COMPLEX, ["v"], [0.9, 0.99, 0.1, 0.9, 0.99, 0.01], "use_nesterov"),
    ("AdamWithAmsgrad", FLOATS, ["v", "vhat"], [0.9, 0.99, 0.1, 0.9, 0.99, 0.01], None),
    ("AdaMax", ["float32", "float64", "float16"], ["v"], [0.9, 0.1, 0.9, 0.99, 0.01], None),
    ("RMSProp", FLOATS + COMPLEX, ["ms"], [0.1, 0.9, 0.5, 0.01], None),
    ("CenteredRMSProp", FLOATS + COMPLEX, ["ms"], [0.1, 0.9, 0.5, 0.01], None),
    ("AddSign", FLOATS, [], [0.1, 1.5, 0.7, 0.9], None),
    ("PowerSign", FLOATS, [], [0.1, 0.9, 0.7, 0.9], None),
]


def some(shape, dtype, positive=False):
    values = np.round(rng.uniform(0.5 if positive else -2.0, 2.0, shape), 3)
    if dtype.startswith("complex"):
        values = values + 1j * np.round(rng.uniform(-1, 1, shape), 3)
    return t(values, dtype)


class Variables:
    """The variables of an op, resources or references."""

    def __init__(self, p, op, resource, dtype, shape, positive=(), missing=()):
        self.p, self.kind, self.resource, self.all = p, tf.as_dtype(dtype), resource, []
        for arg in op_def_registry.get(op).input_arg:
            if not (arg.is_ref or arg.type == tf.resource.as_datatype_enum):
                break
            value = some(shape, dtype, arg.name in positive)
            if resource:
                v = p("VarHandleOp", container="", shared_name=arg.name, dtype=self.kind, shape=tf.TensorShape(None))
                if arg.name not in missing:
                    p("AssignVariableOp", v, value, validate_shape=False)
            else:
                v = p("VariableV2", shape=tf.TensorShape(shape), dtype=self.kind, container="", shared_name=arg.name)
                if arg.name not in missing:
                    p("Assign", v, value)
            self.all.append(v)

    def read(self, tolerance):
        for v in self.all:
            if self.resource:
                self.p("ReadVariableOp", v, dtype=self.kind, tolerance=tolerance)
            else:
                self.p.read(v, tolerance)


def inputs(op, variables, scalars, grad, dtype, indices=None):
    """The inputs in the op's order."""
    out, rest = list(variables), list(scalars)
    for arg in op_def_registry.get(op).input_arg[len(variables):]:
        if arg.name in ["grad", "delta"]:
            out.append(grad)
        elif arg.name == "indices":
            out.append(t(indices[0], indices[1]))
        elif arg.name == "global_step":
            out.append(t(rest.pop(0), "int64"))
        else:
            out.append(t(rest.pop(0), dtype))
    return out


def tolerance(dtype):
    # Roots and quotients are rounded at different places.
    return {"float16": "12", "bfloat16": "12", "complex64": "16", "complex128": "16"}.get(dtype, "8")


def steps():
    known = set(dir(tf.raw_ops))
    for name, dtypes, positive, scalars, attr in OPTIMISERS:
        for op in ["Apply" + name, "ResourceApply" + name, "SparseApply" + name, "ResourceSparseApply" + name]:
            if op not in known:
                continue
            sparse = "Sparse" in op
            for number, dtype in enumerate(dtypes):
                if sparse and "RMS" in op and dtype == "bfloat16" or op.endswith("AdaMax") and dtype == "bfloat16":
                    continue
                if not op.startswith("Resource") and dtype not in ["float32", "complex64"]:
                    continue  # One body serves both forms.
                for value in [None] if not attr else [False, True] if dtype == "float32" else [True]:
                    p = Program(f"{op} of {dtype}, {attr} {value}")
                    shape = (3, 2) if sparse else (4,)
                    made = Variables(p, op, op.startswith("Resource"), dtype, shape, positive)
                    indices = ([2, 0, 2], ["int32", "int64"][number % 2]) if sparse else None
                    for _ in range(2):
                        grad = some(shape, dtype)
                        extra = {attr: value} if attr else {}
                        p(op, *inputs(op, made.all, scalars, grad, dtype, indices), **extra)
                        made.read(tolerance(dtype))


def errors():
    for op, scalars in [("ApplyMomentum", [0.1, 0.9]), ("ResourceApplyMomentum", [0.1, 0.9])]:
        resource = op.startswith("Resource")
        for missing in [["var"], ["accum"]]:
            p = Program(f"{op} without {missing}")
            made = Variables(p, op, resource, "float32", (2,), missing=missing)
            p(op, *inputs(op, made.all, scalars, some((2,), "float32"), "float32"))
            programs.LINES[-1] = programs.LINES[-1].replace("!Internal", "!NotFound")  # Internal in TensorFlow.
        p = Program(f"{op} with what does not fit")
        made = Variables(p, op, resource, "float32", (2,))
        for grad in [some((3,), "float32"), some((), "float32"), some((1, 2), "float32")]:
            p(op, *inputs(op, made.all, scalars, grad, "float32"))
        good = inputs(op, made.all, scalars, some((2,), "float32"), "float32")
        p(op, *good[:2], t([0.1]), *good[3:])
        p(op, *good[:4], t([0.9, 0.9]))
        p(op, *good, use_locking=True)
        made.read("8")
    p = Program("variables of different shapes")
    a = Variables(p, "ResourceApplyMomentum", True, "float32", (2,))
    v = p("VarHandleOp", container="", shared_name="wide", dtype=tf.float32, shape=tf.TensorShape(None))
    p("AssignVariableOp", v, some((3,), "float32"), validate_shape=False)
    p("ResourceApplyMomentum", a.all[0], v, t(0.1), some((2,), "float32"), t(0.9))
    for op, shape in [("ResourceApplyFtrlV2", (2,)), ("ResourceSparseApplyFtrlV2", (2, 2)), ("SparseApplyFtrl", (2, 2))]:
        for scalars in [[0.0, 0, 0, 0, 0], [0.1, -1, 0, 0, 0], [0.1, 0, -1, 0, 0], [0.1, 0, 0, -1, 0], [0.1, 0, 0, 0, 0.5], [0.0, 0, 0, 0, 0]]:
            for scaled in [False, True]:
                p = Program(f"rates of {op}: {scalars} {scaled}")
                made = Variables(p, op, op.startswith("Resource"), "float32", shape, ["accum"])
                rates = scalars if "V2" in op else scalars[:3] + scalars[4:]
                p(op, *inputs(op, made.all, rates, some(shape, "float32"), "float32", ([0, 1], "int32")), multiply_linear_by_lr=scaled)
                if scalars[0]:
                    made.read("8")
    for op in ["SparseApplyMomentum", "ResourceSparseApplyMomentum", "ResourceSparseApplyAdagrad", "ResourceSparseApplyFtrl"]:
        scalars = {"ResourceSparseApplyAdagrad": [0.1], "ResourceSparseApplyFtrl": [0.1, 0.1, 0.1, -0.5]}.get(op, [0.1, 0.9])
        p = Program(f"{op} with rows that do not fit")
        made = Variables(p, op, op.startswith("Resource"), "float32", (3, 2), ["accum"])
        for indices, shape in [([3], (1, 2)), ([-1], (1, 2)), ([0], (2, 2)), ([0], (1, 3)), (0, (1, 2)), ([[0]], (1, 2)), ([], (0, 2))]:
            p(op, *inputs(op, made.all, scalars, some(shape, "float32"), "float32", (indices, "int32")))
        made.read("8")
    p = Program("rows of a scalar")
    made = Variables(p, "ResourceSparseApplyMomentum", True, "float32", ())
    p("ResourceSparseApplyMomentum", *inputs("ResourceSparseApplyMomentum", made.all, [0.1, 0.9], some((1,), "float32"), "float32", ([0], "int32")))
    p = Program("rows of a vector")
    made = Variables(p, "ResourceSparseApplyMomentum", True, "float32", (3,))
    p("ResourceSparseApplyMomentum", *inputs("ResourceSparseApplyMomentum", made.all, [0.1, 0.9], some((2,), "float32"), "float32", ([2, 0], "int32")))
    made.read("8")
    p = Program("without elements")
    made = Variables(p, "ResourceApplyMomentum", True, "float32", (0, 2))
    p("ResourceApplyMomentum", *inputs("ResourceApplyMomentum", made.all, [0.1, 0.9], some((0, 2), "float32"), "float32"))
    made.read("8")


steps()
errors()
programs.write(__file__, "training.txt")
