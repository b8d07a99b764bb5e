"""Writes state_slices.txt and state_slice_shapes.txt: programs over parts of variables and what is inferred for them; see
programs.py. Run with TensorFlow 2.21.
"""

import programs
from programs import Program, Shapes, Unknown, count, t, tf

REALS = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NUMBERS = REALS + ["complex64", "complex128"]
ALL = NUMBERS + ["bool", "string"]
F, I, R = tf.float32, tf.int32, tf.resource
NAN = float("nan")


def ints(*values):
    return t(list(values), "int32")


class Variable:
    """A resource variable or a reference, with a value."""

    def __init__(self, p, resource, value, name="v"):
        self.p, self.resource, self.kind = p, resource, value[1]
        if resource:
            self.handle = p("VarHandleOp", container="", shared_name=name, dtype=self.kind, shape=tf.TensorShape(None))
            p("AssignVariableOp", self.handle, value, validate_shape=False)
        else:
            self.handle = p("VariableV2", shape=tf.TensorShape(value[0].shape), dtype=self.kind, container="", shared_name=name)
            p("Assign", self.handle, value)

    def op(self, name, *inputs, **attrs):
        self.p(("Resource" if self.resource else "") + name, self.handle, *inputs, **attrs)

    def read(self, tolerance=0):
        if self.resource:
            self.p("ReadVariableOp", self.handle, dtype=self.kind, tolerance=tolerance)
        else:
            self.p.read(self.handle, tolerance)


def rows():
    for op, dtypes in [("Add", NUMBERS), ("Sub", NUMBERS), ("Mul", NUMBERS), ("Div", NUMBERS), ("Min", REALS), ("Max", REALS), ("Update", ALL)]:
        for resource in [True, False]:
            for number, dtype in enumerate(dtypes):
                if not resource and dtype not in ["float32", "int32", "int64", "complex64", "string"]:
                    continue
                p = Program(f"Scatter{op} of {dtype}, resource {resource}")
                v = Variable(p, resource, count((4, 2), dtype, 3))
                kind = ["int32", "int64"][number % 2]
                v.op("Scatter" + op, t([2, 0, 2], kind), count((3, 2), dtype, 2))
                v.read(4 if op == "Div" else 0)
                v.op("Scatter" + op, t([[3], [1]], kind), count((2, 1, 2), dtype, 1, 3))
                v.read(4 if op == "Div" else 0)
                if dtype not in ["bool", "string"]:
                    v.op("Scatter" + op, t(1, kind), t(3, dtype))
                    v.op("Scatter" + op, t([], kind), count((0, 2), dtype))
                    v.read(4 if op == "Div" else 0)
    for resource in [True, False]:
        p = Program(f"rows that do not fit, resource {resource}")
        v = Variable(p, resource, count((4, 2)))
        for at, updates in [([4], (1, 2)), ([-1], (1, 2)), ([0], (2, 2)), ([0], (1, 3)), ([0], (2,)), ([[0]], (1, 2)), ([0], (1,)), ([[0]], (1, 1, 2))]:
            if resource and updates == (1, 3):
                continue  # TensorFlow leaves out what does not fit
            v.op("ScatterAdd", t(at, "int32"), count(updates))
        if resource:
            v.op("ScatterAdd", ints(0), count((1, 2), "int32"))
        v.read()
        p = Program(f"rows of a scalar, resource {resource}")
        v = Variable(p, resource, count(()))
        v.op("ScatterAdd", ints(0), count((1,)))
        p = Program(f"rows without values, resource {resource}")
        v = Variable(p, resource, count((3, 0)))
        v.op("ScatterAdd", ints(0, 2), count((2, 0)))
        v.read()
        p = Program(f"numbers that are none, resource {resource}")
        v = Variable(p, resource, t([1.0, NAN, 3.0, 4.0]))
        v.op("ScatterMin", ints(0, 1, 2), t([NAN, 1.0, 2.0]))
        v.op("ScatterMax", ints(3), t([NAN]))
        v.read()
        p = Program(f"division by zero, resource {resource}")
        v = Variable(p, resource, t([1.0, -1.0, 0.0]))
        v.op("ScatterDiv", ints(0, 1, 2), t([0.0, 0.0, 0.0]))
        v.read()
        p = Program(f"no value, resource {resource}")
        if resource:
            v = p("VarHandleOp", container="", shared_name="v", dtype=F, shape=tf.TensorShape(None))
            p("ResourceScatterAdd", v, ints(0), count((1,)))
            p("ResourceScatterNdAdd", v, t([[0]], "int32"), count((1,)))
            p("ResourceGather", v, ints(0), dtype=F)
            p("ResourceGatherNd", v, t([[0]], "int32"), dtype=F)
            p("ResourceStridedSliceAssign", v, ints(0), ints(1), ints(1), count((1,)))
        else:
            v = p("VariableV2", shape=tf.TensorShape((3,)), dtype=F, container="", shared_name="v")
            p("ScatterAdd", v, ints(0), count((1,)))
            p("ScatterUpdate", v, ints(0), count((1,)))
            p("ScatterNdAdd", v, t([[0]], "int32"), count((1,)))
            p("StridedSliceAssign", v, ints(0), ints(1), ints(1), count((1,)))


def coordinates():
    for op, dtypes in [("Add", NUMBERS), ("Sub", NUMBERS), ("Min", REALS), ("Max", REALS), ("Update", ALL)]:
        for resource in [True, False]:
            for number, dtype in enumerate(dtypes):
                if not resource and dtype not in ["float32", "int32", "complex64", "string"]:
                    continue
                p = Program(f"ScatterNd{op} of {dtype}, resource {resource}")
                v = Variable(p, resource, count((3, 2), dtype, 3))
                kind = ["int32", "int64"][number % 2]
                v.op("ScatterNd" + op, t([[2], [0], [2]], kind), count((3, 2), dtype, 2))
                v.op("ScatterNd" + op, t([[1, 0], [2, 1]], kind), count((2,), dtype, 6))
                v.read()
    p = Program("bools at coordinates")
    v = Variable(p, True, t([True, True, False, False], "bool"))
    v.op("ScatterNdAdd", t([[0], [1], [2], [3]], "int32"), t([True, False, True, False], "bool"))
    v.read()
    v.op("ScatterNdSub", t([[0], [1], [2], [3]], "int32"), t([True, False, True, True], "bool"))
    v.read()
    for resource in [True, False]:
        p = Program(f"coordinates that do not fit, resource {resource}")
        v = Variable(p, resource, count((3, 2)))
        for at, updates in [([[3]], (1, 2)), ([[-1]], (1, 2)), ([[0, 2]], (1,)), ([[0]], (2, 2)), ([[0]], (1, 3)), ([0], (2,)), ([[0, 0, 0]], (1,)), (0, (2,)), ([1], (1, 2))]:
            v.op("ScatterNdAdd", t(at, "int32"), count(updates))
        v.op("ScatterNdAdd", t([[5], [1]], "int32"), count((2, 2)), bad_indices_policy="IGNORE")
        v.op("ScatterNdUpdate", t([[0, 7], [1, 1]], "int32"), count((2,)), bad_indices_policy="IGNORE")
        v.op("ScatterNdAdd", t([[5]], "int32"), count((1, 2)), bad_indices_policy="ERROR")
        v.op("ScatterNdAdd", t([[5]], "int32"), count((1, 2)), bad_indices_policy="OTHER")
        v.read()


def gathers():
    for dtype in ALL:
        p = Program(f"ResourceGather of {dtype}")
        v = Variable(p, True, count((3, 2), dtype))
        v.op("Gather", t([2, 0, 2], "int64"), dtype=v.kind)
        v.op("GatherNd", t([[2], [0]], "int32"), dtype=v.kind)
        v.op("GatherNd", t([[2, 1], [0, 0]], "int64"), dtype=v.kind)
    p = Program("ResourceGather")
    v = Variable(p, True, count((3, 2, 2)))
    for at in [ints(), t(1, "int32"), t([[0, 1], [2, 2]], "int32"), ints(3), ints(-1)]:
        v.op("Gather", at, dtype=F)
    for at in [t([[1], [0], [1]], "int32"), ints(0, 1, 1)]:
        v.op("Gather", at, dtype=F, batch_dims=1)
    v.op("Gather", ints(0), dtype=I)
    v.op("Gather", ints(0), dtype=F, validate_indices=False)
    for at in [[[0, 1, 1], [2, 0, 0]], [[3]], [[-1]], [[0, 0, 2]], [[0, 0, 0, 0]], [1, 1], [[]], 1]:
        v.op("GatherNd", t(at, "int32"), dtype=F)
    v.op("GatherNd", t([[0]], "int32"), dtype=I)
    p = Program("ResourceGather of a scalar")
    v = Variable(p, True, count(()))
    v.op("Gather", ints(0), dtype=F)
    v.op("GatherNd", t([[0]], "int32"), dtype=F)
    p = Program("ResourceGather of nothing")
    v = Variable(p, True, count((0, 2)))
    v.op("Gather", ints(), dtype=F)
    v.op("Gather", ints(0), dtype=F)


def regions():
    for resource in [True, False]:
        for dtype in ALL if resource else ["float32", "string"]:
            p = Program(f"StridedSliceAssign of {dtype}, resource {resource}")
            v = Variable(p, resource, count((3, 4), dtype))
            v.op("StridedSliceAssign", ints(0, 1), ints(3, 4), ints(2, 2), count((2, 2), dtype, 50))
            v.read()
        p = Program(f"regions, resource {resource}")
        v = Variable(p, resource, count((3, 4)))
        v.op("StridedSliceAssign", ints(-1, -1), ints(-4, -5), ints(-2, -3), count((2, 2), "float32", 50))
        v.op("StridedSliceAssign", ints(0, 2), ints(0, 0), ints(1, 1), count((3,), "float32", 60), begin_mask=1, end_mask=1, shrink_axis_mask=2)
        v.op("StridedSliceAssign", ints(1), ints(2), ints(1), count((4,), "float32", 70), shrink_axis_mask=1)
        v.op("StridedSliceAssign", ints(0, 0), ints(0, 1), ints(1, 1), count((3, 1), "float32", 80), ellipsis_mask=1)
        v.read()
        for value in [(), (1,), (4,), (1, 4), (2, 1), (2, 4), (2, 3), (3,), (1, 2, 4)]:
            v.op("StridedSliceAssign", ints(0), ints(2), ints(1), count(value, "float32", 90))
        v.read()
        v.op("StridedSliceAssign", ints(2), ints(1), ints(1), count((0, 4)))
        v.op("StridedSliceAssign", ints(2), ints(1), ints(1), count((1, 4)))
        v.op("StridedSliceAssign", ints(2), ints(1), ints(1), count((0, 4, 2)))
        v.op("StridedSliceAssign", ints(0), ints(1), ints(0), count((1, 4)))
        v.op("StridedSliceAssign", ints(3), ints(4), ints(1), count((4,)), shrink_axis_mask=1)
        if resource:
            v.op("StridedSliceAssign", ints(0), ints(1), ints(1), count((1, 4), "int32"))
        v.read()


def shapes():
    dims = [None, (2,), (None,), (2, None), (2, 3), ()]
    for held in dims:
        p = Shapes(f"variable of shape {held}")
        v = p("VarHandleOp", container="", shared_name="v", dtype=F, shape=tf.TensorShape(held))
        ref = p("VariableV2", shape=tf.TensorShape(held), dtype=F, container="", shared_name="")
        for handle in [v, Unknown(R, ())]:
            for at in dims:
                for batch in [0, 1]:
                    p("ResourceGather", handle, Unknown(I, at), dtype=F, batch_dims=batch)
                p("ResourceGatherNd", handle, Unknown(I, at), dtype=F)
                for updates in dims:
                    p("ResourceScatterAdd", handle, Unknown(I, at), Unknown(F, updates))
                    p("ResourceScatterNdAdd", handle, Unknown(I, at), Unknown(F, updates))
            p("ResourceGather", handle, Unknown(I, (2,)), dtype=I)
            p("ResourceScatterUpdate", handle, Unknown(I, (2,)), Unknown(I, (2,)))
            p("ResourceStridedSliceAssign", handle, Unknown(I, (1,)), Unknown(I, (1,)), Unknown(I, (1,)), Unknown(F, None))
        for at in dims:
            for updates in dims:
                p("ScatterAdd", ref, Unknown(I, at), Unknown(F, updates))
                p("ScatterUpdate", ref, Unknown(I, at), Unknown(F, updates))
                p("ScatterNdAdd", ref, Unknown(I, at), Unknown(F, updates))
        p("StridedSliceAssign", ref, Unknown(I, (1,)), Unknown(I, (1,)), Unknown(I, (1,)), Unknown(F, None))


rows()
coordinates()
gathers()
regions()
programs.write(__file__, "state_slices.txt")
programs.LINES.clear()
shapes()
programs.write(__file__, "state_slice_shapes.txt")
